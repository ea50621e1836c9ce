"""Builder of new reflections, and the rule for what is worth storing.

A reflection is stored only if it changed behaviour (seed rule errors:changed-behaviour): the caller
says what was learned, a known error occurred again, or a revision cleared a finding or raised
quality by more than 0.1. Otherwise only the attempt is stored, and the reason is reported.

A reflection that comes from an evaluation has a type, the first that applies (seed rule
errors:from-evaluation): conflict, unverified_claim, factual_error, quality_improvement.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from reflection_mcp.store.records import Check, Key, Link, Observation, Outcome, Reflection, Scope
from reflection_mcp.tools.identity import EXAMPLE, Fingerprint, finding_signature, text_signature
from reflection_mcp.tools.judging.scoring import Evaluation, hard_findings, same_finding
from reflection_mcp.tools.learning.category import categorise
from reflection_mcp.tools.learning.finding_kinds import FindingKind, finding_kinds
from reflection_mcp.tools.untrusted import suspicion

QUALITY_GAIN = 0.1  # seed rule errors:from-evaluation
STRATEGY_WEIGHT = 1.1  # seed rule trace:dual: a strategy weighs 10 % more, at most 1
IMPORTANCE = {"failure": 0.7, "error": 0.7, "timeout": 0.7, "partial": 0.6, "success": 0.5}
"""The initial importance of an episode, by its outcome; recurrence raises it."""

RECURRENCE, MOST_BY_RECURRENCE = 0.05, 0.9
"""The importance that each recurrence adds to a lesson, and its upper limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonFacts:
    """The cleaned input about an episode; an empty text means that nothing was given.

    `trigger`, `category`, `importance` and `confidence` are a model's; without them rules decide.
    `corrects` says that this conversation has already stored the lesson of this error in other
    words.
    """

    scope: Scope
    source: str
    at: datetime
    event_id: str
    question: str = ""
    lesson: str = ""
    strategy: str = ""
    outcome: Outcome | None = None
    error: str = ""
    error_type: str | None = None
    tags: tuple[str, ...] = ()
    situations: tuple[str, ...] = ()
    evidence: str = ""
    iteration: int = 0
    trigger: str = ""
    category: str = ""
    importance: float | None = None
    confidence: float | None = None
    corrects: bool = False


def from_caller(
    learned: LessonFacts,
    new_id: str,
    error: Fingerprint | None,
    known: Reflection | None,
    parted: frozenset[str] = frozenset(),
) -> Observation | None:
    """Return the caller's lesson as a sighting, or None without a lesson or a known error.

    Args:
        learned: the caller's input.
        new_id: the id of the row if it turns out to be new.
        error: the fingerprint of the error the lesson is about; without it the lesson itself is
            the identity.
        known: the stored reflection that was recognised as the same error.
        parted: ids of stored errors that are a different one, by their text or by what a person
            said; the new lesson must not be counted on one of them, whose signature may well be
            the same.
    """
    if not learned.lesson and known is None:
        return None
    usable = error if error is not None and not error.unusable else None
    signature = usable.signature if usable else text_signature(learned.lesson)
    if parted and known is None:
        signature = text_signature(" ".join((signature, *sorted(parted))))
    keys = usable.keys if usable else (Key(kind="lesson", digest=_digest(signature)),)
    reflection = Reflection(
        id=new_id,
        scope=learned.scope,
        kind="reflection",
        signature=signature,
        lesson=learned.lesson,
        strategy=learned.strategy,
        trigger=usable.summary if usable else learned.trigger or learned.question[:200],
        evidence=learned.evidence,
        error_type=learned.error_type or (usable.pattern.error_type if usable else None),
        category=_category(learned),
        pattern=usable.pattern if usable else None,
        example=learned.error[:EXAMPLE],
        situations=learned.situations,
        question=learned.question[:500],
        iteration=learned.iteration,
        outcome=learned.outcome,
        importance=_importance(learned, known),
        confidence=_confidence(learned),
        tags=learned.tags,
        source=learned.source,
        suspicious=_gives_orders(
            learned.lesson, learned.strategy, learned.trigger, *learned.situations
        ),
        first_seen=learned.at,
        last_seen=learned.at,
    )
    return Observation(
        reflection=reflection,
        event_id=learned.event_id,
        source=learned.source,
        keys=keys,
        features=usable.features if usable else (),
        same_as=known.id if known else None,
        corrects=learned.corrects,
    )


def _importance(learned: LessonFacts, known: Reflection | None) -> float:
    """Return a model's value, else one by outcome; a known error matters more each time."""
    first = _first_importance(learned)
    if known is None or learned.corrects:
        return first
    return max(first, min(MOST_BY_RECURRENCE, round(known.importance + RECURRENCE, 4)))


def _first_importance(learned: LessonFacts) -> float:
    by_outcome = IMPORTANCE.get(learned.outcome or "", 0.5)
    return by_outcome if learned.importance is None else learned.importance


def _confidence(learned: LessonFacts) -> float:
    by_rule = 0.6 if learned.outcome else 0.4
    return by_rule if learned.confidence is None else learned.confidence


def _category(learned: LessonFacts) -> str:
    """Return the category of the error itself, else a model's, else that of the lesson's words."""
    shown = categorise(learned.error)
    return shown if shown != "unknown" else learned.category or categorise(learned.lesson)


def strategy_of(learned: LessonFacts, new_id: str, parent: Reflection | None) -> Observation | None:
    """Return the strategy as a record of its own, linked to its reflection; None without one."""
    if not learned.strategy:
        return None
    signature = text_signature(learned.strategy)
    importance = parent.importance if parent else _first_importance(learned)
    strategy = Reflection(
        id=new_id,
        scope=learned.scope,
        kind="strategy",
        signature=signature,
        lesson=learned.strategy,
        trigger=parent.trigger if parent else learned.question[:200],
        evidence=learned.evidence,
        error_type=parent.error_type if parent else learned.error_type,
        category=parent.category if parent else categorise(learned.strategy),
        question=learned.question[:500],
        outcome=learned.outcome,
        importance=min(1.0, round(importance * STRATEGY_WEIGHT, 4)),
        confidence=_confidence(learned),
        tags=tuple(dict.fromkeys(("strategy", *learned.tags))),
        source=learned.source,
        suspicious=_gives_orders(learned.strategy),
        links=(Link(kind="strategy_of", target_id=parent.id),) if parent else (),
        first_seen=learned.at,
        last_seen=learned.at,
    )
    return Observation(
        reflection=strategy,
        event_id=f"{learned.event_id}/strategy",
        source=learned.source,
        keys=(Key(kind="strategy", digest=_digest(signature)),),
        corrects=learned.corrects,
    )


def from_revision(
    learned: LessonFacts,
    new_id: str,
    before: Sequence[Check],
    quality_before: float | None,
    now: Evaluation,
) -> Observation | None:
    """Return a reflection for a revision that cleared a finding or raised quality, else None."""
    cleared = cleared_findings(before, now.checks)
    gain = (
        round(now.quality - quality_before, 4)
        if now.quality is not None and quality_before is not None
        else None
    )
    born = _born_of(cleared)
    if born is None:
        if cleared or gain is None or gain <= QUALITY_GAIN or not learned.question:
            return None
        return _improvement(learned, new_id, gain)
    check, kind = born
    lesson = learned.lesson or kind.lesson
    # Without what follows from it, which is different every time.
    signature = finding_signature(replace(check, why=check.why.partition(";")[0]))
    shown = check.quote or check.stated or check.why
    reflection = Reflection(
        id=new_id,
        scope=learned.scope,
        kind="reflection",
        signature=signature,
        lesson=lesson,
        strategy=learned.strategy,
        trigger=f"{check.kind} in an answer",
        evidence=f"{check.kind}: {shown}; the next attempt no longer had it",
        error_type=kind.type,
        category="logic",
        question=learned.question[:500],
        iteration=learned.iteration,
        quality_delta=gain,
        outcome=learned.outcome,
        importance=0.6,
        confidence=0.8,
        situations=learned.situations,
        tags=tuple(dict.fromkeys((check.kind.split(":")[0], *learned.tags))),
        source=learned.source,
        # The message of a parser quotes the answer.
        suspicious=_gives_orders(lesson, learned.strategy, *learned.situations),
        first_seen=learned.at,
        last_seen=learned.at,
    )
    return Observation(
        reflection=reflection,
        event_id=learned.event_id,
        source=learned.source,
        keys=(Key(kind="finding", digest=_digest(signature)),),
    )


def is_born_of_a_finding(error_type: str | None) -> bool:
    """Return True if a lesson of this type came from a finding that a revision cleared."""
    types = {kind.type for kind in finding_kinds().values()}
    return error_type is not None and (error_type in types or ":" in error_type)


def _improvement(learned: LessonFacts, new_id: str, gain: float) -> Observation:
    signature = text_signature(f"quality improvement: {learned.question}")
    reflection = Reflection(
        id=new_id,
        scope=learned.scope,
        kind="reflection",
        signature=signature,
        lesson=learned.lesson or "A second pass made the answer to this kind of question better.",
        trigger=learned.question[:200],
        evidence=f"quality rose by {gain:.2f}",
        error_type="quality_improvement",
        situations=learned.situations,
        question=learned.question[:500],
        iteration=learned.iteration,
        quality_delta=gain,
        outcome=learned.outcome,
        importance=0.5,
        confidence=0.5,
        tags=learned.tags,
        source=learned.source,
        suspicious=_gives_orders(learned.lesson, *learned.situations),
        first_seen=learned.at,
        last_seen=learned.at,
    )
    return Observation(
        reflection=reflection,
        event_id=learned.event_id,
        source=learned.source,
        keys=(Key(kind="lesson", digest=_digest(signature)),),
    )


def cleared_findings(before: Sequence[Check], now: Sequence[Check]) -> tuple[Check, ...]:
    """Return the hard findings that the attempt before had and this one no longer has."""
    left = [check for check in now if check.status == "wrong"]  # what is disputed is still there
    return tuple(
        check
        for check in hard_findings(before)
        if not any(same_finding(check, other) for other in left)
    )


def _born_of(cleared: Sequence[Check]) -> tuple[Check, FindingKind] | None:
    """Return the first cleared finding of a kind that leaves lessons, in the order of the table."""
    for kind in finding_kinds().values():
        found = next((check for check in cleared if check.kind == kind.name), None)
        if found is not None and kind.teaches:
            return found, kind
    return None


def _gives_orders(*texts: str) -> bool:
    """Return True if any of the texts that lead to a row or show it attempts prompt injection."""
    return bool(suspicion("\n".join(texts)))


def _digest(signature: str) -> str:
    return signature.rpartition(":")[2]
