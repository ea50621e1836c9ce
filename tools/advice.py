"""What may be offered as advice from what is stored, and what is held back with its reason.

Rules: stored text is data with a source and a date, cleaned for showing and cut to length. A text
that tries to give instructions is never offered, nor is advice that did harm; both are counted and
said. Nothing disappears silently.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from reflection_mcp.store.records import Reflection
from reflection_mcp.tools.learning import effect
from reflection_mcp.tools.untrusted import presentable

LESSON_LENGTH = 500  # characters: enough for a lesson, too few for a speech
EVIDENCE_LENGTH = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """One lesson as it is shown: the words are the source's, not the server's."""

    id: str
    kind: str
    lesson: str
    strategy: str
    evidence: str
    track_record: str
    source: str
    learned: datetime
    last_seen: datetime
    occurrences: int
    sources: int
    tags: tuple[str, ...]
    project: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Withheld:
    """A lesson that is known and not offered."""

    id: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What is shown, what is withheld, and how many more there are."""

    advice: tuple[Advice, ...] = ()
    withheld: tuple[Withheld, ...] = ()
    more: int = 0


NOTHING_OFFERED = Offer()


def offer(
    reflections: Iterable[Reflection], now: datetime, limit: int, *, in_order: bool = False
) -> Offer:
    """Split reflections into shown and withheld, ranked by how well they did.

    With `in_order` they stay as they come: somebody has ranked them by how well they fit.
    """
    shown: list[Reflection] = []
    withheld: list[Withheld] = []
    for reflection in reflections if in_order else effect.ranked(reflections, now):
        if not (reflection.lesson or reflection.strategy):
            continue
        reason = why_withheld(reflection)
        if reason:
            withheld.append(Withheld(id=reflection.id, reason=reason))
        else:
            shown.append(reflection)
    return Offer(
        advice=tuple(present(reflection) for reflection in shown[:limit]),
        withheld=tuple(withheld),
        more=max(0, len(shown) - limit),
    )


def why_withheld(reflection: Reflection) -> str:
    """Why a lesson may not be offered, or an empty text."""
    if reflection.suspicious:
        return "its text tries to give instructions; read it with `reflection-mcp show`"
    if effect.is_harmful(reflection):
        return (
            f"it failed {reflection.failed} times and helped {reflection.helped}; positive "
            "feedback on its id brings it back"
        )
    return ""


def present(reflection: Reflection) -> Advice:
    """A reflection as advice, its texts cleaned and cut."""
    return Advice(
        id=reflection.id,
        kind=reflection.kind,
        lesson=presentable(reflection.lesson, LESSON_LENGTH),
        strategy=presentable(reflection.strategy, LESSON_LENGTH),
        evidence=presentable(reflection.evidence, EVIDENCE_LENGTH),
        track_record=effect.record(reflection),
        source=presentable(reflection.source, 80),
        learned=reflection.first_seen,
        last_seen=reflection.last_seen,
        occurrences=reflection.occurrences,
        sources=reflection.sources,
        tags=reflection.tags,
        project=reflection.scope.project,
    )
