"""The tool `record_feedback`: what a person said outranks every score.

`positive` and `negative` change the quality of attempts and count for or against a lesson, once for
each occasion on which it was tried; `wrong_match` separates an error from a lesson for ever, until
`positive` on that very look-up says that it was right after all; `forget` deletes, and a strategy
goes with its lesson. Saying the same again changes nothing. A conversation that is named is meant
as a whole; where nothing is named the last answer of this conversation is, so that "that was wrong"
needs no id, and the result says which answer that was. If another client may share the
conversation, nothing is changed, and the error names the last answer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reflection_mcp.store.interactions import Effect, Feedback, FeedbackKind
from reflection_mcp.store.lesson_versions import first_id, row_named
from reflection_mcp.store.records import Attempt, Reflection
from reflection_mcp.tools import intake
from reflection_mcp.tools.advice import Advice, offer, why_withheld
from reflection_mcp.tools.errors import InvalidInput, NotFound
from reflection_mcp.tools.feedback import user_lesson
from reflection_mcp.tools.feedback.thumbs import is_lesson
from reflection_mcp.tools.judging.scoring import faults
from reflection_mcp.tools.learning.fix_candidates import is_open
from reflection_mcp.tools.ports import Services
from reflection_mcp.tools.recall.candidates import confirm, confirmed
from reflection_mcp.tools.reflect.history import attempts_of
from reflection_mcp.tools.reflect.persist import evicted
from reflection_mcp.tools.untrusted import quoted, suspicion

OPENING = 80
"""Characters of the question that are shown, so that a reader knows which answer is meant."""

SHOWN = 3
"""Ids that a line names before it counts the rest: what is said of many does not grow with them."""
MOST_LINES = 10
MOST_OF_ONE_LOOP = 10  # attempts: rule loop:max-iterations
ASKED_OVER = 100  # attempts of a conversation
ASK = (
    "ask the user once for one sentence on what to keep or change, and call again with it as "
    "comment: it is shown when such a question comes back"
)
UNCHANGED = "already recorded: nothing changed"
NOTHING_JUDGED = (
    "nothing was judged in this conversation and project yet",
    "pass the id of an attempt, a lesson or a look-up, its project if it is another one, or call "
    "reflect first",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackRequest:
    """What was said, about what: an id, else a conversation that is named, else the last answer."""

    feedback: FeedbackKind
    id: str | None = None
    conversation_id: str = ""
    comment: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedbackResult:
    """What changed: each line is one sentence; `changed` is False when it had been said before.

    `answer` is the attempt that was meant when nothing was named, and `is_earlier` says that it is
    one of an earlier process of this client; `forgotten` are the ids of what was deleted, `learned`
    is what was stored of the user's words, `advice` is the lesson of an error that was joined with
    the one looked up, and `ask` is what to ask the user.
    """

    changed: bool
    lines: tuple[str, ...]
    answer: Attempt | None = None
    is_earlier: bool = False
    forgotten: tuple[str, ...] = ()
    learned: tuple[user_lesson.Learned, ...] = ()
    advice: tuple[Advice, ...] = ()
    ask: str = ""


async def record_feedback(services: Services, said: FeedbackRequest) -> FeedbackResult:
    """Apply one feedback.

    Raises:
        InvalidInput: `wrong_match` or `forget` without an id, an id that is empty, or neither an id
            nor a conversation where nothing tells whose the last answer is.
        NotFound: there is nothing with this id, or nothing was judged in this conversation.
        StoreError: it cannot be kept; a feedback that is not kept is never reported as heard.
    """
    target = None if said.id is None else said.id.strip()[:64]
    if target == "":
        raise InvalidInput(
            "the id is empty",
            "pass the id that a tool returned, or leave id out to mean the last answer",
        )
    if target is None and said.feedback in ("wrong_match", "forget"):
        raise InvalidInput(
            f"{said.feedback} needs an id",
            "pass the id that has_seen_error_before or reflect returned",
        )
    named = intake.conversation(said.conversation_id, "")
    answer: Attempt | None = None
    if target is None and not named:
        answer = await _last_answer(services)
        target = answer.id
    conversation = named or services.caller.home
    comment = intake.text("comment", said.comment, services.limits.comment).strip()
    if said.id is not None and services.caller.principal:
        await _see_that_it_is_theirs(services, target or "")
    voted_on = answer or (await services.store.attempt(services.scope, target) if target else None)
    voted_row = await services.store.reflection(services.scope, target) if target else None
    became = await _became(services, said.feedback, voted_row)
    effect = await services.store.apply_feedback(
        services.scope,
        Feedback(
            kind=said.feedback,
            at=services.clock(),
            source=services.caller.person,
            target_id=target,
            conversation_id=None if target else named,
            said_in=conversation,
            comment="" if services.scope.person else comment,  # others may read it; it is a lesson
        ),
    )
    words = await _learned(services, said.feedback, effect, comment, target, named)
    if not effect.found and not words:
        raise NotFound(*await _nothing_there(services, said.feedback, target))
    services.emit(
        "feedback_recorded",
        {
            "kind": said.feedback,
            "attempts": len(effect.attempts),
            "reflections": len(effect.reflections),
            "repeated": effect.repeated,
        },
    )
    before = () if effect.repeated and words else _lines(said.feedback, effect, voted_row)
    notes: tuple[str, ...] = ()
    if any(each.result.created for each in words):
        notes = await evicted(services, [each.row.id for each in words])
    return FeedbackResult(
        changed=not effect.repeated or bool(words),
        lines=(*became, *before, *(_of_words(each.row, comment) for each in words), *notes),
        answer=answer,
        is_earlier=bool(answer and answer.conversation_id != services.caller.conversation_id),
        forgotten=effect.forgotten,
        learned=words,
        advice=await _of_joined(services, effect),
        ask="" if comment or (voted_on and voted_on.feedback) else await _ask(services, effect),
    )


async def _of_joined(services: Services, effect: Effect) -> tuple[Advice, ...]:
    """The lessons that may be used from now on, so that nobody has to look them up again."""
    ids = dict.fromkeys(lesson for _, lesson in effect.joined)
    rows = [await services.store.reflection(services.scope, each) for each in ids]
    known = [row for row in rows if row]
    return offer(known, services.clock(), len(known)).advice if known else ()


async def _became(
    services: Services, kind: FeedbackKind, row: Reflection | None
) -> tuple[str, ...]:
    """Make a lesson of a candidate that has worked; the vote then counts for the lesson."""
    if kind != "positive" or row is None or not is_open(row):
        return ()
    return (confirmed(row, await confirm(services, row)),)


async def _learned(
    services: Services,
    kind: FeedbackKind,
    effect: Effect,
    comment: str,
    target: str | None,
    named: str,
) -> tuple[user_lesson.Learned, ...]:
    """What was stored now of the user's words, about all that the vote was on."""
    refutes = kind == "negative"
    if not (refutes or kind == "positive") or not comment:
        return ()
    if not is_lesson(comment, refutes=refutes):
        return ()
    subjects = await _subjects(services, effect, target, named)
    stored = [
        each
        for subject in subjects
        for each in await user_lesson.learn(services, comment, subject, refutes=refutes)
    ]
    return tuple(each for each in stored if each.result.counted)


async def _subjects(
    services: Services, effect: Effect, target: str | None, named: str
) -> list[user_lesson.Subject]:
    """What the user spoke about; of a vote that was cast before it has to be read again."""
    store, scope = services.store, services.scope
    attempts: Sequence[Attempt] = effect.attempts
    if named and not target and effect.found:
        attempts = await store.attempts(scope, conversation_id=named, limit=MOST_OF_ONE_LOOP)
    one = await store.attempt(scope, target) if target else None
    if one is not None:
        attempts = [one]
    if attempts:
        return [user_lesson.about_answers(attempts)]
    lookup = await store.lookup(scope, target) if target else None
    ids = list(lookup.shown) if lookup else [each.id for each in effect.reflections]
    if not ids and target and effect.found:
        ids = [target, row_named(target)]
    rows = [row for each in ids if (row := await store.reflection(scope, each))]
    if lookup and not rows:
        return [user_lesson.about_look_up(lookup)]
    return [user_lesson.about_lesson(row) for row in rows[:1]]


def _of_words(row: Reflection, comment: str) -> str:
    """One sentence on the user's words as they are stored."""
    if suspicion(comment):
        return f"{row.id}: the user's words, withheld: they look like prompt injection"
    if row.lesson != comment:
        return f"{row.id}: the user's words, kept as another version"
    if any(said.lesson.text != comment for said in row.wordings):
        return f"{row.id}: the user's words, shown instead of the earlier lesson"
    return f"{row.id}: the user's words, shown when they fit"


async def _ask(services: Services, effect: Effect) -> str:
    """What to ask the user after the first vote on an answer of a conversation without a word."""
    if not effect.attempts:
        return ""
    voted = {each.id for each in effect.attempts}
    others = await services.store.attempts(
        services.scope, conversation_id=effect.attempts[0].conversation_id, limit=ASKED_OVER
    )
    asked = any(each.feedback and each.id not in voted for each in others)
    return "" if asked else ASK


async def _last_answer(services: Services) -> Attempt:
    """The answer of this conversation that was judged last; of a loop the attempt it returns.

    Raises:
        InvalidInput: the connection does not tell for certain whose answers are whose.
        NotFound: nothing was judged in this conversation.
    """
    caller = services.caller
    if caller.origin:
        raise InvalidInput(
            "this connection has no session, so no answer is known to be yours",
            "pass the id that a tool returned, or the conversation_id under which it was judged",
        )
    newest = await attempts_of(services, caller.conversation_id, MOST_OF_ONE_LOOP)
    if not newest:
        raise NotFound(*NOTHING_JUDGED)
    loop = newest[0].metadata.get("loop")
    drafts = [each for each in newest if loop and each.metadata.get("loop") == loop]
    last = min(drafts, key=_rank) if drafts else newest[0]
    if caller.shared:  # another client with the same token may have got that answer
        raise InvalidInput(
            "this connection has no session, so the last answer may be another client's",
            f"pass id {last.id} if {quoted(last.question[:OPENING])} is meant, else the id that "
            "reflect or answer_with_reflection returned",
        )
    return last


async def _see_that_it_is_theirs(services: Services, target: str) -> None:
    """Raise an InvalidInput where this is the answer of another principal.

    A lesson is everybody's to rate; an answer was somebody's, whose own feedback it waits for.
    """
    attempt = await services.store.attempt(services.scope, target)
    if attempt is not None and not services.caller.wrote(attempt.source):
        raise InvalidInput(
            "this is the answer of another caller",
            "give feedback on your own answers, or on a lesson by its id",
        )


def _rank(draft: Attempt) -> tuple[int, float, int]:
    """As a loop ranks its attempts: fewest proven faults, then quality, then the later one."""
    return len(faults(draft.checks)), -(draft.judged_quality or 0.0), -draft.iteration


async def _nothing_there(
    services: Services, kind: FeedbackKind, target: str | None
) -> tuple[str, str]:
    """Why nothing could be applied, and what to pass; an id that was given out is not denied."""
    store = services.store
    if target:
        if await store.lookup(services.scope, target):
            return "no lesson belongs to this look-up", "pass the id of a lesson or an attempt"
        if await store.attempt(services.scope, target):
            return f"an attempt cannot be a {kind}", "pass the id of the look-up or the lesson"
        if await store.reflection(services.scope, target):
            return "no look-up offered this lesson", "look the error up first"
        return (
            f"nothing in the project {services.scope.project} has this id",
            "pass an id that one of these tools returned, and its project if it is another one",
        )
    return NOTHING_JUDGED


def _lines(kind: FeedbackKind, effect: Effect, before: Reflection | None) -> tuple[str, ...]:
    if effect.repeated:
        return (f"{UNCHANGED}{_standing(before, before) if before else ''}",)
    lines = [*_of_attempts(kind, effect.attempts)]
    lines += (
        [
            f"{row.id}: helped {each.helped}, failed {each.failed}{_standing(row, before)}"
            if each.id == first_id(row)
            else f"{each.id}: helped {each.helped}, failed {each.failed}"
            for row, each in zip(effect.reflections, effect.versions, strict=True)
        ]
        if kind in ("positive", "negative")
        else []
    )
    lines += [f"{each} is shown first from now on" for each in effect.first]
    lines += [
        f"{lesson} will not be shown for this error again; positive with {effect.lookup_id} takes "
        "that back"
        for _, lesson in effect.vetoed
    ]
    lines += [f"{lesson} may be shown for this error again" for _, lesson in effect.restored]
    lines += [f"{lesson} is this error from now on" for _, lesson in effect.joined]
    lines += [
        f"{each}: deleted, the strategy of {effect.forgotten[0]}" if number else f"{each}: deleted"
        for number, each in enumerate(effect.forgotten)
    ]
    if len(lines) > MOST_LINES:
        more = len(lines) - MOST_LINES
        lines = [*lines[:MOST_LINES], f"and {more} more, changed in the same way"]
    return tuple(lines)


def _standing(row: Reflection, before: Reflection | None) -> str:
    """Whether a lesson is shown after a vote; empty unless it is withheld now or was before."""
    was = before is not None and before.id == row.id and why_withheld(before)
    if now := why_withheld(row):
        return f"; {'still withheld' if was else 'withheld from now on'}: {now}"
    return "; shown again from now on" if was else ""


def _of_attempts(kind: FeedbackKind, changed: Sequence[Attempt]) -> Iterator[str]:
    """What the quality of these attempts is now, and how many keep a fault that was proven."""
    qualities = sorted({each.quality for each in changed if each.quality is not None})
    if len(changed) <= SHOWN:
        yield from (f"{each.id}: quality is now {each.quality}" for each in changed)
    else:
        span = " to ".join(dict.fromkeys((f"{qualities[0]}", f"{qualities[-1]}")))
        yield f"{len(changed)} answers: quality is now {span} ({_named(changed)})"
    proven = [each for each in changed if faults(each.checks)]
    if kind == "positive" and proven:
        one = len(changed) == 1
        which = "it still has" if one else f"{len(proven)} of {len(changed)} still have"
        told = "" if one else f" ({_named(proven)})"
        yield f"{which} a proven fault{told}"


def _named(attempts: Sequence[Attempt]) -> str:
    ids = ", ".join(each.id for each in attempts[:SHOWN])
    more = len(attempts) - SHOWN
    return f"{ids} and {more} more" if more > 0 else ids
