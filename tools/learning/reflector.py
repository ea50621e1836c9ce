"""What was learned, and is it worth keeping?

A reflection is kept only if it changed behaviour (seed rule errors:changed-behaviour): the caller
says what was learned, a known error was met again, or a revision cleared a finding or raised
quality by more than 0.1. Otherwise only the attempt is kept, and the reason is said.

Born of an evaluation, a reflection has a type, the first that fits (seed rule
errors:from-evaluation): conflict, unverified_claim, factual_error, quality_improvement.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from reflection_mcp.store.records import Check, Key, Link, Outcome, Reflection, Scope, Sighting
from reflection_mcp.tools.identity import EXAMPLE, Fingerprint, finding_signature, text_signature
from reflection_mcp.tools.judging.scoring import Evaluation, hard_findings, same_finding
from reflection_mcp.tools.learning.category import categorise
from reflection_mcp.tools.untrusted import suspicion

QUALITY_GAIN = 0.1  # seed rule errors:from-evaluation
STRATEGY_WEIGHT = 1.1  # seed rule trace:dual: a strategy weighs 10 % more, at most 1
IMPORTANCE = {"failure": 0.7, "error": 0.7, "timeout": 0.7, "partial": 0.6, "success": 0.5}
"""How much an episode matters at first, by its outcome; recurrence raises it."""

RECURRENCE, MOST_BY_RECURRENCE = 0.05, 0.9
"""What each time that it is met again adds to the importance of a lesson, and where that ends."""

BORN_OF: tuple[tuple[str, str], ...] = (
    ("consistency", "conflict"),
    ("verification", "conflict"),
    ("grounding", "unverified_claim"),
    ("arithmetic", "factual_error"),
    ("percent", "factual_error"),
    ("unit", "factual_error"),
    ("date", "factual_error"),
    ("equation", "factual_error"),
    ("final_answer", "factual_error"),
)
"""From the family of a check to the type of the reflection, in the order of importance."""


LESSONS = {
    "conflict": "An answer contradicted itself; compare its statements with each other first.",
    "unverified_claim": "An answer said what its context does not; look up every number, name and "
    "date in the context before writing it down.",
    "factual_error": "A step was calculated wrongly; work every step out again before answering.",
    "syntax:schema": "The JSON of an answer did not fit the schema in the question; hold every "
    "name and type against the schema before sending it.",
    "completeness:count": "An answer did not have as many parts as were asked for; count them "
    "before sending it.",
    "completeness:length": "An answer did not have the length that was asked for; count before "
    "sending it.",
    "completeness:keyword": "An answer lacked words that were asked for, or had forbidden ones; "
    "search it for each of them before sending it.",
    "completeness:language": "An answer was not in the language that was asked for.",
    "completeness:format": "An answer did not have the form that was asked for; compare its "
    "beginning, its end and its outline with the request.",
    "completeness:placeholder": "An answer was empty or had a part that was still to be filled in; "
    "read it through before sending it.",
    "completeness:refusal": "An answer declined what could be answered; try before declining.",
    "completeness:deferral": "An answer announced something and then ended; write what it "
    "announces.",
    "completeness:truncated": "An answer broke off; read its last sentence before sending it.",
    "completeness:unclosed_fence": "A code block was opened and never closed; close every fence.",
    "evidence:exit_code": "Work was reported although its command had failed; look at the exit "
    "code before reporting.",
    "evidence:tests": "Work was reported although its tests failed; run them before reporting.",
}
"""What a finding teaches, by the type of the reflection or the kind of the check; the case itself
is its evidence. A kind that is not here teaches nothing by itself."""

_PLACE = re.compile(r" \(?(?:detected )?(?:at|on|in) (?:line|column|position) \d+\)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Learned:
    """What is said about an episode, cleaned; empty texts mean that nothing was said.

    `trigger`, `category`, `importance` and `confidence` are a model's; without them rules decide.
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


def from_caller(
    learned: Learned,
    new_id: str,
    error: Fingerprint | None,
    known: Reflection | None,
    parted: frozenset[str] = frozenset(),
) -> Sighting | None:
    """The caller's lesson as a sighting, or None when neither a lesson nor a known error is there.

    Args:
        learned: what was said.
        new_id: the id of the row if it turns out to be new.
        error: the fingerprint of the error the lesson is about; without it the lesson itself is
            the identity.
        known: the stored reflection that was recognised as the same error.
        parted: ids of those that are not this error, by what they say or by what a person said;
            what is learned now must not be counted on one of them, whose signature may well be the
            same.
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
    return Sighting(
        reflection=reflection,
        event_id=learned.event_id,
        source=learned.source,
        keys=keys,
        features=usable.features if usable else (),
        same_as=known.id if known else None,
    )


def _importance(learned: Learned, known: Reflection | None) -> float:
    """As a model said, else by the outcome; what was met before matters more each time."""
    first = _first_importance(learned)
    if known is None:
        return first
    return max(first, min(MOST_BY_RECURRENCE, round(known.importance + RECURRENCE, 4)))


def _first_importance(learned: Learned) -> float:
    by_outcome = IMPORTANCE.get(learned.outcome or "", 0.5)
    return by_outcome if learned.importance is None else learned.importance


def _confidence(learned: Learned) -> float:
    by_rule = 0.6 if learned.outcome else 0.4
    return by_rule if learned.confidence is None else learned.confidence


def _category(learned: Learned) -> str:
    """What the error itself says, then what a model said, then what the words of the lesson say."""
    shown = categorise(learned.error)
    return shown if shown != "unknown" else learned.category or categorise(learned.lesson)


def strategy_of(learned: Learned, new_id: str, parent: Reflection | None) -> Sighting | None:
    """The strategy as a record of its own, linked to its reflection; None without a strategy."""
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
    return Sighting(
        reflection=strategy,
        event_id=f"{learned.event_id}/strategy",
        source=learned.source,
        keys=(Key(kind="strategy", digest=_digest(signature)),),
    )


def from_revision(
    learned: Learned,
    new_id: str,
    before: Sequence[Check],
    quality_before: float | None,
    now: Evaluation,
) -> Sighting | None:
    """A reflection born of a revision that cleared a finding or raised quality, else None."""
    cleared = cleared_findings(before, now.checks)
    gain = (
        round(now.quality - quality_before, 4)
        if now.quality is not None and quality_before is not None
        else None
    )
    born = _type_of(cleared)
    if born is None:
        if gain is None or gain <= QUALITY_GAIN or not learned.question:
            return None
        return _improvement(learned, new_id, gain)
    check, error_type = born
    lesson = learned.lesson or _taught(check, error_type)
    if not lesson:
        return None
    # Without what follows from it, which is different every time.
    signature = finding_signature(replace(check, why=check.why.partition(";")[0]))
    should = f" (right: {check.expected})" if check.expected else ""
    shown = check.quote or check.stated or check.why
    reflection = Reflection(
        id=new_id,
        scope=learned.scope,
        kind="reflection",
        signature=signature,
        lesson=lesson,
        strategy=learned.strategy,
        trigger=f"{check.kind} in an answer",
        evidence=f"{check.kind}: {shown}{should}; the next attempt no longer had it",
        error_type=error_type,
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
    return Sighting(
        reflection=reflection,
        event_id=learned.event_id,
        source=learned.source,
        keys=(Key(kind="finding", digest=_digest(signature)),),
    )


def is_born_of_a_finding(error_type: str | None) -> bool:
    """Whether a lesson of this type was learned from a finding that a revision cleared."""
    types = {each for _, each in BORN_OF}
    return error_type is not None and (error_type in types or ":" in error_type)


def _taught(check: Check, error_type: str) -> str:
    """What was wrong, by the kind of the finding and without the numbers of the case."""
    family, _, language = check.kind.partition(":")
    lesson = LESSONS.get(error_type, "")
    if lesson or family != "syntax":
        return lesson
    message = _PLACE.sub("", check.why.partition(": ")[2].rstrip("."))
    told = f" ({message})" if message and not any(map(str.isdigit, message)) else ""
    return f"The {language} in an answer did not parse{told}; read it as a parser would first."


def _improvement(learned: Learned, new_id: str, gain: float) -> Sighting:
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
    return Sighting(
        reflection=reflection,
        event_id=learned.event_id,
        source=learned.source,
        keys=(Key(kind="lesson", digest=_digest(signature)),),
    )


def cleared_findings(before: Sequence[Check], now: Sequence[Check]) -> tuple[Check, ...]:
    """The hard findings that the attempt before had and this one has no more."""
    left = hard_findings(now)
    return tuple(
        check
        for check in hard_findings(before)
        if not any(same_finding(check, other) for other in left)
    )


def _type_of(cleared: Sequence[Check]) -> tuple[Check, str] | None:
    for family, error_type in BORN_OF:
        for check in cleared:
            if check.kind.split(":")[0] == family:
                return check, error_type
    # Other families (completeness, syntax, evidence) keep the name of their check.
    return (cleared[0], cleared[0].kind) if cleared else None


def _gives_orders(*texts: str) -> bool:
    """Whether any of the texts by which a row is found and read tries to give instructions."""
    return bool(suspicion("\n".join(texts)))


def _digest(signature: str) -> str:
    return signature.rpartition(":")[2]
