"""What a person said, which outranks every score.

`positive` and `negative` change the quality of attempts and count for or against a lesson, once for
each occasion on which it was tried; `wrong_match` parts an error from a lesson for ever, until
`positive` on that very look-up says that it was right after all; `forget` deletes. Saying the same
again changes nothing. Without an id the conversation is meant, so that "that was wrong" needs none.
"""

from dataclasses import dataclass

from reflection_mcp.store.contract import Store
from reflection_mcp.store.errors import StoreError
from reflection_mcp.store.records import Effect, Feedback, FeedbackKind
from reflection_mcp.tools import intake
from reflection_mcp.tools.candidates import confirm
from reflection_mcp.tools.errors import InvalidInput, NotFound
from reflection_mcp.tools.learning.pairing import is_open
from reflection_mcp.tools.ports import Workshop


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What was said, about what; with None for the id about the whole conversation."""

    feedback: FeedbackKind
    id: str | None = None
    conversation_id: str = ""
    comment: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """What changed: each line is one sentence; `changed` is False when it had been said before."""

    changed: bool
    lines: tuple[str, ...]


async def record_feedback(workshop: Workshop, said: Said) -> Heard:
    """Apply one feedback.

    Raises:
        InvalidInput: `wrong_match` or `forget` without an id, or an id that is empty.
        NotFound: there is nothing with this id, or nothing was judged in this conversation.
        StoreError: it cannot be kept; a feedback that is not kept is never reported as heard.
    """
    if isinstance(workshop.store, StoreError):
        raise workshop.store
    target = None if said.id is None else said.id.strip()[:64]
    if target == "":
        raise InvalidInput(
            "an empty id is no id",
            "pass the id that a tool returned, or leave id out to mean the whole conversation",
        )
    if target is None and said.feedback in ("wrong_match", "forget"):
        raise InvalidInput(
            f"{said.feedback} needs an id",
            "pass the id that has_seen_error_before or reflect returned",
        )
    conversation = intake.conversation(said.conversation_id, workshop.caller.conversation_id)
    effect = await workshop.store.apply_feedback(
        workshop.scope,
        Feedback(
            kind=said.feedback,
            at=workshop.clock(),
            source=workshop.caller.source,
            target_id=target,
            conversation_id=None if target else conversation,
            said_in=conversation,
            comment=intake.text("comment", said.comment, workshop.limits.comment),
        ),
    )
    if not effect.found:
        raise NotFound(*await _nothing_there(workshop, workshop.store, said.feedback, target))
    became: list[str] = []
    for row in effect.reflections if said.feedback == "positive" else ():
        if is_open(row):
            how = "a command that had failed worked after these steps, and somebody confirmed them"
            lesson = await confirm(workshop, workshop.store, row, how)
            became.append(f"{row.id}: confirmed, now the lesson {lesson.reflection.id}")
    workshop.emit(
        "feedback_recorded",
        {
            "kind": said.feedback,
            "attempts": len(effect.attempts),
            "reflections": len(effect.reflections),
            "repeated": effect.repeated,
        },
    )
    lines = (*_lines(said.feedback, effect), *became)
    return Heard(changed=not effect.repeated, lines=lines)


async def _nothing_there(
    workshop: Workshop, store: Store, kind: FeedbackKind, target: str | None
) -> tuple[str, str]:
    """Why nothing could be applied, and what to pass; an id that was given out is not denied."""
    if target:
        if await store.lookup(workshop.scope, target):
            return "no lesson goes with this look-up", "pass the id of a lesson or an attempt"
        if await store.attempt(workshop.scope, target):
            return f"an attempt cannot be a {kind}", "pass the id of the look-up or the lesson"
        if await store.reflection(workshop.scope, target):
            return "no look-up offered this lesson", "look the error up first"
        return "the id names nothing here", "pass an id that one of these tools returned"
    return (
        "nothing was judged in this conversation yet",
        "pass the id of an attempt, a lesson or a look-up, or call reflect first",
    )


def _lines(kind: FeedbackKind, effect: Effect) -> tuple[str, ...]:
    if effect.repeated:
        return ("already recorded: nothing changed",)
    lines = [f"{attempt.id}: quality is now {attempt.quality}" for attempt in effect.attempts]
    lines += (
        [f"{row.id}: helped {row.helped}, failed {row.failed}" for row in effect.reflections]
        if kind in ("positive", "negative")
        else []
    )
    lines += [
        f"{lesson} will not be shown for this error again; positive with {effect.lookup_id} takes "
        "that back"
        for _, lesson in effect.vetoed
    ]
    lines += [f"{lesson} may be shown for this error again" for _, lesson in effect.restored]
    lines += [f"{forgotten}: deleted" for forgotten in effect.forgotten]
    return tuple(lines)
