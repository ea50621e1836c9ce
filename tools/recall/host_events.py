"""The events that a host's hooks report during work, and what to show in return.

Rules: in a conversation each lesson is shown in full once (in the briefing, before an action or
after a failure), then named in one line, then not mentioned. If its error comes back after it was
shown because of that error, that counts against it. If the command works after a lesson was shown,
that counts for it. A hook gives feedback on a lesson once in a conversation, and never if the
assistant has given its own. Nothing is judged and no model is asked.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from reflection_mcp.store.interactions import Feedback, Showing, ShowingKind, Step
from reflection_mcp.store.lesson_versions import first_id
from reflection_mcp.store.records import Reflection
from reflection_mcp.tools import intake
from reflection_mcp.tools.advice import Advice
from reflection_mcp.tools.identity import fingerprint
from reflection_mcp.tools.learning.command_line import follows
from reflection_mcp.tools.learning.episode import Event
from reflection_mcp.tools.learning.fix_candidates import (
    COMMAND_TOOLS,
    action_key,
    only_looks,
    proves,
)
from reflection_mcp.tools.ports import Services
from reflection_mcp.tools.recall.before_action import KnownMistake, count_success, warning
from reflection_mcp.tools.recall.candidates import is_unfinished, note
from reflection_mcp.tools.recall.has_seen_error_before import (
    ErrorQuestion,
    SeenBefore,
    has_seen_error_before,
)
from reflection_mcp.tools.recall.matching import recognise

BEFORE, WORKED, FAILED = "PreToolUse", "PostToolUse", "PostToolUseFailure"
"""The names of the events, as Claude Code and Codex have them."""
UNHEARD = "unheard"
"""The name of a failure whose answer the host drops: it is stored, and nothing counts as shown."""
CALL = "mcp__"
"""The beginning of the names of tools of other servers: a call that worked is no step of a fix."""
IN_FULL: tuple[ShowingKind, ...] = ("briefing", "warning", "lesson")
"""The showings in which the model got the whole lesson."""
NO_LESSON = "briefing"
"""The subject of a briefing that has no lessons, only recurring faults or unsolved errors."""
OUTPUT = "output"
"""The key of an event's metadata for what a command printed that the host calls a success."""


@dataclass(frozen=True, slots=True)
class HostEvent:
    """An event with the name that its host gives it."""

    hook: str
    event: Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What is to be shown because of the last event: `seen` in full, what is `known` of an action,
    or one line about a lesson: `again` if it was shown and its error came back, `above` if it was
    shown before its error came."""

    hook: str = ""
    seen: SeenBefore | None = None
    again: str = ""
    above: str = ""
    known: KnownMistake | None = None


@dataclass(frozen=True, slots=True)
class _Talk:
    """The services of one conversation of the host; `caller` are those of its connection, whose
    word counts as one with that of the assistant."""

    services: Services
    caller: Services
    showings: Sequence[Showing]

    def shown(self, subject_id: str, *kinds: ShowingKind) -> bool:
        """Whether this was done with the subject before."""
        return any(each.subject_id == subject_id and each.kind in kinds for each in self.showings)

    async def show(self, subject_id: str, kind: ShowingKind) -> None:
        """Note what is done with a subject."""
        services = self.services
        showing = Showing(
            conversation_id=services.caller.conversation_id,
            subject_id=subject_id,
            kind=kind,
            at=services.clock(),
        )
        await services.store.add_showing(services.scope, showing)


async def note_briefing(
    services: Services, advice: Sequence[Advice], conversation_id: str = ""
) -> None:
    """Store that a briefing was given, and which lessons it showed in full.

    Raises:
        InvalidInput: the id of the conversation is too long.
        StoreError: it cannot be stored.
    """
    conversation = intake.conversation(conversation_id, services.caller.conversation_id)
    own = replace(services, caller=replace(services.caller, conversation_id=conversation))
    talk = _Talk(own, services, ())
    for subject in [each.version for each in advice] or [NO_LESSON]:
        await talk.show(subject, "briefing")


async def hear(services: Services, events: Sequence[HostEvent], conversation_id: str = "") -> Heard:
    """Note what a host reports, in the order in which it happened.

    Args:
        services: those of the call.
        events: each with the name of its hook.
        conversation_id: of the host; empty is that of the connection.

    Raises:
        InvalidInput: the id of the conversation is too long.
        StoreError: the store cannot be used.
    """
    conversation = intake.conversation(conversation_id, services.caller.conversation_id)
    caller = replace(services.caller, conversation_id=conversation)
    own = replace(services, caller=caller)
    heard = Heard()
    for each in events:
        talk = _Talk(own, services, await own.store.showings(own.scope, conversation))
        heard = await _heard(talk, each)
    return heard


async def _heard(talk: _Talk, told: HostEvent) -> Heard:
    event = told.event
    if told.hook == BEFORE:
        return replace(await _before(talk, event), hook=told.hook)
    if is_unfinished(event):
        return Heard()
    if told.hook == WORKED:
        await _credit(talk, event)
        if not _is_command(event.tool) or proves(event.content):
            await count_success(talk.services, event.tool, event.content)
        if event.tool.startswith(CALL):
            return Heard()
    await note(talk.services, [event])
    if told.hook == UNHEARD:
        return Heard()
    failed = bool(event.error.strip())
    heard = await (_recalled(talk, event.error) if failed else _behind_a_pipe(talk, event))
    return replace(heard, hook=told.hook)


async def _before(talk: _Talk, event: Event) -> Heard:
    """What is to be shown before an action. A lesson of the briefing is only named, and one that
    was shown later is left out."""
    shown = frozenset(each.subject_id for each in talk.showings if each.kind != "briefing")
    found = await warning(talk.services, event.tool, event.content, shown)
    if found is None:
        return Heard()
    version = found.advice.version
    talk.services.emit("action_warned", {"failed": found.failed})
    if talk.shown(version, "briefing"):
        await talk.show(version, "reminder")
        return Heard(above=found.advice.id)
    await talk.show(version, "warning")
    return Heard(known=found)


# --------------------------------------------------------------------------- after a failure


async def _recalled(talk: _Talk, failure: str) -> Heard:
    """What is to be shown of what is known of a failure."""
    services = talk.services
    known = frozenset(each.subject_id for each in talk.showings if each.kind in IN_FULL)
    question = ErrorQuestion(error=failure, shown_before=known, by_hook=True)
    seen = await has_seen_error_before(services, question)
    if seen.offer.advice:
        advice = seen.offer.advice[0]
        version = advice.version
        if not talk.shown(version, *IN_FULL):
            await talk.show(version, "lesson")
            return Heard(seen=seen)
        is_named = talk.shown(version, "reminder")
        if not is_named:
            await talk.show(version, "reminder")
        if not talk.shown(version, "lesson"):  # it was shown before this failure, not because of it
            await talk.show(version, "lesson")
            return Heard() if is_named else Heard(above=advice.id)
        if not talk.shown(version, "positive", "negative"):
            why = "its error came back after it was shown"
            await _feedback(talk, version, advice.project, "negative", why)
        return Heard() if is_named else Heard(again=advice.id)
    subjects = [each.id for each in seen.candidates]
    if seen.neighbour is not None:
        subjects = [seen.neighbour.advice.id]
    new = [subject for subject in subjects if not talk.shown(subject, "lesson")]
    for subject in new:
        await talk.show(subject, "lesson")
    fresh = tuple(each for each in seen.candidates if each.id in new)
    return Heard(seen=replace(seen, candidates=fresh)) if new else Heard()


async def _behind_a_pipe(talk: _Talk, event: Event) -> Heard:
    """The lesson of a failure that the exit code does not show: `make 2>&1 | tail` ends well.

    Only an error with a lesson counts, which is shown once and gets no feedback: a command that
    prints an error need not have failed.
    """
    output = event.metadata.get(OUTPUT)
    if not isinstance(output, str) or not output.strip() or not _hides_its_end(event):
        return Heard()
    services = talk.services
    text = intake.error_text(output, services.limits.error)
    seen = fingerprint(text, None)
    match = (await recognise(services.store, services.scope, seen, describes=False)).match
    if match is None or not match.lesson or talk.shown(first_id(match), "lesson"):
        return Heard()
    return await _recalled(talk, text)


def _is_command(tool: str) -> bool:
    return tool.casefold() in COMMAND_TOOLS


def _hides_its_end(event: Event) -> bool:
    """Whether a command may have failed although its exit code is 0; what only reads has not."""
    command = _is_command(event.tool) and event.content
    return bool(command) and not proves(event.content) and not only_looks(event.content)


# --------------------------------------------------------------------------- after a success


async def _credit(talk: _Talk, event: Event) -> None:
    """Give positive feedback on what was shown when this command failed before."""
    shown = {each.subject_id for each in talk.showings if each.kind in IN_FULL}
    shown -= {each.subject_id for each in talk.showings if each.kind in ("positive", "negative")}
    if not shown or not _is_command(event.tool) or not proves(event.content):
        return
    services = talk.services
    steps = await services.store.steps(services.scope, services.caller.conversation_id)
    failures = {step.told: step for step in steps if step.error and _is_command(step.tool)}
    for step in failures.values():
        seen = fingerprint(step.error, None)
        lesson = (await recognise(services.store, services.scope, seen, describes=False)).match
        version = first_id(lesson) if lesson is not None else ""
        if lesson is not None and version in shown and _is_retry(step, event, lesson):
            shown.discard(version)
            why = "the command worked after it was shown"
            await _feedback(talk, version, lesson.scope.project, "positive", why)


def _is_retry(step: Step, event: Event, lesson: Reflection) -> bool:
    """Whether a command is the one that failed: word by word, or as its lesson asks for."""
    same = action_key(step.tool, step.told) == action_key(event.tool, event.content)
    return same or follows(step.told, event.content, f"{lesson.lesson}\n{lesson.strategy}")


Verdict = Literal["positive", "negative"]


async def _feedback(talk: _Talk, version: str, project: str, kind: Verdict, why: str) -> None:
    """Give feedback on a version for this conversation, unless the assistant has given its own."""
    caller = talk.caller
    first = min(each.at for each in talk.showings if each.subject_id == version)
    scope = replace(caller.scope, project=project)
    given = await caller.store.votes(scope, target_id=version, since=first)
    await talk.show(version, kind)
    if any(vote.source == caller.caller.person for vote in given):
        return
    feedback = Feedback(
        kind=kind,
        at=caller.clock(),
        source=caller.caller.person,
        target_id=version,
        said_in=caller.caller.conversation_id,
        comment=f"given by a hook: {why}",
    )
    await caller.store.apply_feedback(caller.scope, feedback)
    caller.emit("lesson_counted", {"kind": kind, "by": "hook"})
