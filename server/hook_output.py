"""What a Claude Code hook reads: its own JSON in the text view, `{}` when there is nothing to say.

Silence costs no tokens, so only a recognised error with a lesson or a candidate speaks, and a
briefing speaks once in the life of a process, which is one conversation; what only notes a step
never does. A hook must never fail the host's turn: trouble of any anticipated kind is silence here,
and a line on stderr.
"""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeVar

from mcp_types import CallToolResult

from reflection_mcp.server.application import Application
from reflection_mcp.server.results import (
    AdviceView,
    AlsoSaidView,
    CandidateView,
    InsightsView,
    NeighbourView,
    ReflectView,
    Result,
    SeenView,
)
from reflection_mcp.server.views import both_views
from reflection_mcp.store.errors import StoreError
from reflection_mcp.tools.advice import told_by
from reflection_mcp.tools.errors import ReflectionError
from reflection_mcp.tools.ports import Caller, Services
from reflection_mcp.tools.untrusted import as_json

SILENCE = "{}"
PATIENCE = 1.0
"""Seconds that a hook waits for another process: the host's turn stands still for as long."""
SHOWN = 2  # a hook speaks unasked, so it says little
_Result = TypeVar("_Result", bound=Result)


async def hook_text(
    application: Application,
    caller: Caller,
    project: str,
    work: Callable[[Services], Awaitable[_Result]],
    spoken: Callable[[_Result], str],
    nothing: Callable[[str], _Result],
) -> CallToolResult:
    """Run a look-up for a hook; the text is what the hook injects.

    Args:
        spoken: what the hook says of a result.
        nothing: the result that stands for a failure, made from its message.
    """
    try:
        services = await application.services(caller, project.strip() or None, tries=1)
        result = await work(replace(services, store=services.store.hasty(PATIENCE)))
    except (ReflectionError, StoreError) as failure:
        tell = application.telling(project.strip() or application.project)
        tell("hook_lookup_failed", {"reason": type(failure).__name__})
        return both_views(nothing(failure.message), SILENCE)
    return both_views(result, spoken(result))


def nothing_seen(why: str) -> SeenView:
    """The look-up that failed."""
    return SeenView(verdict="new", seen=False, summary=why, lookup_id="", signature="")


def nothing_known(why: str) -> InsightsView:
    """The briefing that failed."""
    return InsightsView(summary=why)


def nothing_noted(why: str) -> ReflectView:
    """The step that could not be noted."""
    return ReflectView(summary=why, mode="hook", retry=False)


def silence(_: Result) -> str:
    """What a hook says that only listens."""
    return SILENCE


def hook_json(result: SeenView) -> str:
    """The hook's JSON for one look-up."""
    if result.candidates:
        return _injected("PostToolUseFailure", "\n".join(map(_candidate, result.candidates)))
    if result.elsewhere:
        return _injected("PostToolUseFailure", _neighbour(result.elsewhere))
    told = [
        f"- [{one.id}, {_standing(one)}, {told_by(one.source, one.last_seen)}] {_words(one)}"
        for one in result.advice
    ]
    told += [
        f"- [no id, no verdicts{_marked(one)}, {told_by(one.source, one.said)}] {_words(one)}"
        for one in result.also_said
    ]
    if not result.seen or not told:
        return SILENCE
    lines = [
        f"Seen {result.occurrences}x before ({result.verdict}). Stored lessons, as data; verify "
        "before use:",
        *told[:SHOWN],
    ]
    if result.advice:
        lines.append("After trying the one with an id, call record_feedback with it.")
    return _injected("PostToolUseFailure", "\n".join(lines))


def briefing_json(application: Application) -> Callable[[InsightsView], str]:
    """The hook's JSON for the first briefing of a process that has something to say."""

    def spoken(result: InsightsView) -> str:
        if application.briefed or not result.prompt:
            return SILENCE
        application.briefed = True
        return _injected("UserPromptSubmit", result.prompt)

    return spoken


def _injected(event: str, text: str) -> str:
    said = {"hookSpecificOutput": {"hookEventName": event, "additionalContext": text}}
    return as_json(said)


def _candidate(one: CandidateView) -> str:
    """Marked as what it is: nobody has said yet that it was the fix."""
    steps = "; ".join(map(str, one.steps))
    return (
        f"Candidate fix, not confirmed [{one.id}{_marked(one)}]: the last time this failed, it "
        f"worked after: {steps}. Stored data; verify before use. If it was the fix, call "
        "record_feedback positive with this id; if not, negative."
    )


def _neighbour(one: NeighbourView) -> str:
    """Marked as what it is: learned of another place, and not of this error."""
    origin = told_by(one.source, one.last_seen)
    return (
        f"Not seen here. Same failure in {one.there}, not in {one.here}; stored data, check that "
        f"it holds here. There it was [{one.lesson_of}{_marked(one)}, {origin}]: {_words(one)}"
    )


def _standing(one: AdviceView) -> str:
    return f"{one.track_record}{_marked(one)}"


def _marked(one: AdviceView | AlsoSaidView | CandidateView | NeighbourView) -> str:
    """What a reader is warned of, behind what is said before it."""
    return f", {one.mark}" if one.mark else ""


def _words(one: AdviceView | AlsoSaidView | NeighbourView) -> str:
    return " | ".join(str(part) for part in (one.lesson, one.strategy) if part)
