"""Look-up of an action before it is done: whether it failed here before, and what was learned.

Rules: only a lesson that may be offered speaks, and only one that has helped at least as often as
it failed and was not learned from work that ended badly. An action that has worked since as often
as it failed is no mistake.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from reflection_mcp.store.interactions import FailedAction, Step
from reflection_mcp.store.lesson_versions import first_id
from reflection_mcp.store.records import Reflection
from reflection_mcp.tools import intake
from reflection_mcp.tools.advice import Advice, present, why_withheld
from reflection_mcp.tools.identity import fingerprint
from reflection_mcp.tools.learning.action_forms import ActionForm, forms
from reflection_mcp.tools.learning.fix_candidates import states_cause
from reflection_mcp.tools.learning.known_mistakes import (
    ERROR_LENGTH,
    action_id,
    failed_form,
    is_usual,
    repeated,
)
from reflection_mcp.tools.learning.lesson_warnings import follows_advice, warns_of
from reflection_mcp.tools.learning.track_record import ended_badly
from reflection_mcp.tools.ports import Services
from reflection_mcp.tools.recall.matching import recognise

SEARCHED = 20  # lessons that are read for a warning of their own
WORDING = 500  # characters of an action that are stored


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownMistake:
    """One lesson before an action: in how many conversations that `failed` here, 0 when only the
    lesson says so."""

    advice: Advice
    failed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class NotOffered:
    """What is known of an action without a lesson to offer: in how many conversations it `failed`,
    how often it has `worked` since, the line of its error that names it, and the id of a `lesson`
    that is not offered."""

    failed: int = 0
    worked: int = 0
    printed: str = ""
    lesson: str = ""


async def warning(
    services: Services, tool: str, content: str, shown: frozenset[str] = frozenset()
) -> KnownMistake | None:
    """Return what to say before an action, if anything.

    Args:
        services: those of the call.
        tool: the name of the tool, as its host reports it.
        content: the command, the file, or the arguments as JSON.
        shown: ids of versions of lessons that this conversation has before it already.

    Raises:
        StoreError: the store cannot be read.
    """
    actions = forms(tool, content)
    if not actions:
        return None
    store, scope = services.store, services.scope
    headings = tuple(dict.fromkeys(action.heading for action in actions))
    stored = await store.failed_actions(scope, headings)
    for failed, action in repeated(filter(is_usual, stored), actions):
        lesson = await _lesson_of(services, failed)
        if lesson and _may_be_shown(lesson, shown) and not _follows(lesson, failed, action):
            return KnownMistake(advice=present(lesson), failed=failed.failed)
    return await _from_lessons(services, actions, shown)


async def known_mistake(services: Services, action: str) -> KnownMistake | NotOffered | None:
    """Return what is known of what a caller is about to do: a command, or a file to edit.

    Who asks is told of a failure without a lesson, too, and of a lesson that is not offered.

    Raises:
        StoreError: the store cannot be read.
    """
    tools = ("bash",) if any(map(str.isspace, action.strip())) else ("bash", "edit")
    for tool in tools:
        if found := await warning(services, tool, action):
            return found
    for tool in tools:
        if unoffered := await _not_offered(services, forms(tool, action)):
            return unoffered
    return None


async def _not_offered(services: Services, actions: Sequence[ActionForm]) -> NotOffered | None:
    """What speaks against an action that `warning` says nothing of."""
    headings = tuple(dict.fromkeys(action.heading for action in actions))
    stored = await services.store.failed_actions(services.scope, headings) if headings else ()
    for failed, action in repeated(stored, actions):
        lesson = await _lesson_of(services, failed)
        if lesson and _follows(lesson, failed, action):
            continue
        return NotOffered(
            failed=failed.failed,
            worked=failed.worked,
            printed=fingerprint(failed.error).summary,
            lesson=lesson.id if lesson and lesson.lesson else "",
        )
    lesson = await _warning_lesson(services, actions)
    return NotOffered(lesson=lesson.id) if lesson else None


async def _lesson_of(services: Services, failed: FailedAction) -> Reflection | None:
    """What was learned of the error of an action."""
    seen = fingerprint(failed.error, None)
    return (await recognise(services.store, services.scope, seen, describes=False)).match


def _follows(lesson: Reflection, failed: FailedAction, action: ActionForm) -> bool:
    """Whether an action is done as the lesson asks for, unlike the one that failed."""
    before = failed_form(failed.tool, failed.told, failed.error)
    return before is not None and follows_advice(action, lesson.strategy or lesson.lesson, before)


def _may_be_shown(lesson: Reflection, shown: frozenset[str]) -> bool:
    """Whether a lesson says something, has a good track record, and is news here."""
    good = lesson.helped >= lesson.failed and not ended_badly(lesson)
    news = lesson.kind == "reflection" and bool(lesson.lesson) and first_id(lesson) not in shown
    return news and good and not lesson.retired and not why_withheld(lesson)


async def _from_lessons(
    services: Services, actions: Sequence[ActionForm], shown: frozenset[str]
) -> KnownMistake | None:
    lesson = await _warning_lesson(services, actions, lambda row: _may_be_shown(row, shown))
    return KnownMistake(advice=present(lesson)) if lesson else None


async def _warning_lesson(
    services: Services,
    actions: Sequence[ActionForm],
    passes: Callable[[Reflection], bool] = lambda row: row.kind == "reflection",
) -> Reflection | None:
    """The first lesson that passes and warns of one of these actions."""
    for action in actions:
        words = [action.heading, *([action.verb] if action.verb else [])]
        for lesson, _ in await services.store.search(services.scope, words, limit=SEARCHED):
            if passes(lesson) and warns_of(lesson.lesson, lesson.strategy, action):
                return lesson
    return None


async def count_failure(services: Services, step: Step) -> None:
    """Note that an action failed, so that it can be warned of.

    Raises:
        StoreError: it cannot be noted.
    """
    if not states_cause(step.error) or len(step.told) > WORDING:
        return
    error = intake.head_and_tail(step.error, ERROR_LENGTH)
    form = failed_form(step.tool, step.told, error)
    if form is not None:
        action = FailedAction(
            id=action_id(form),
            heading=form.heading,
            tool=step.tool,
            told=step.told,
            error=error,
            conversation_id=step.conversation_id,
            at=step.at,
        )
        await services.store.count_action(services.scope, action)


async def count_success(services: Services, tool: str, content: str) -> None:
    """Note that an action worked that had failed before; one that is done as its lesson asks for
    says nothing of the other.

    Raises:
        StoreError: it cannot be noted.
    """
    actions = forms(tool, content)
    headings = tuple(dict.fromkeys(action.heading for action in actions))
    scope = services.scope
    stored = await services.store.failed_actions(scope, headings) if headings else ()
    for failed, action in repeated(stored, actions):
        lesson = await _lesson_of(services, failed)
        if lesson is None or not _follows(lesson, failed, action):
            await services.store.count_action(scope, replace(failed, failed=0, worked=1))
