"""Builder of new reflections, and the rule for what is worth storing.

A reflection is stored only if it changed behaviour (seed rule errors:changed-behaviour): the caller
says what was learned, a known error occurred again, or a revision cleared a finding or raised
quality by more than 0.1. Otherwise only the attempt is stored, and the reason is reported.

A reflection that comes from an evaluation has the type of the finding that was cleared, the first
in the order of `finding_kinds.toml`, else quality_improvement (errors:from-evaluation).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from reflection_mcp.store.records import Check, Key, Lesson, Link, Observation, Reflection, Scope
from reflection_mcp.tools.identity import EXAMPLE, Fingerprint, finding_signature, text_signature
from reflection_mcp.tools.judging.scoring import Evaluation, hard_findings, same_finding
from reflection_mcp.tools.learning.category import categorise
from reflection_mcp.tools.learning.finding_kinds import FindingKind, finding_kinds
from reflection_mcp.tools.untrusted import suspicion

QUALITY_GAIN = 0.1  # seed rule errors:from-evaluation
IMPROVEMENT = "quality_improvement"
"""The type of a lesson in the words of a judge."""
SEVERE = 0.3  # severity of a critique up to which it is no reason to store anything
MOST_OBJECTIONS = 2  # of a judge that one lesson holds, the first ones
SITUATION = 200  # characters of a question by which the words of a judge are found
QUOTED = 160  # characters of a question or an answer that a lesson quotes
STRATEGY_WEIGHT = 1.1  # seed rule trace:dual: a strategy weighs 10 % more, at most 1
IMPORTANCE = {"failure": 0.7, "error": 0.7, "timeout": 0.7, "partial": 0.6, "success": 0.5}
"""The initial importance of an episode, by its outcome; recurrence raises it."""

RECURRENCE, MOST_BY_RECURRENCE = 0.05, 0.9
"""The importance that each recurrence adds to a lesson, and its upper limit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClearedCritique:
    """A problem that a judge or critic saw in an answer, its fix, and the words it is about."""

    problem: str
    fix: str = ""
    quote: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class LessonFacts:
    """The cleaned input about an episode; an empty text means that nothing was given.

    `trigger`, `category`, `importance` and `confidence` are a model's; without them rules decide.
    `corrects` says that this conversation has already stored the lesson of this error in other
    words. `against` is the id of a lesson that says the opposite, or empty.
    """

    scope: Scope
    source: str
    at: datetime
    event_id: str
    lesson: Lesson = field(default_factory=Lesson)
    question: str = ""
    error: str = ""
    error_type: str | None = None
    tags: tuple[str, ...] = ()
    evidence: str = ""
    iteration: int = 0
    trigger: str = ""
    category: str = ""
    importance: float | None = None
    confidence: float | None = None
    corrects: bool = False
    against: str = ""


def _observation(
    facts: LessonFacts,
    lesson: Lesson,
    signature: str,
    keys: str | tuple[Key, ...],
    marked_by: Sequence[str] = (),
    **fields: Any,
) -> Observation:
    """Return a lesson as an event to be recorded: the one place where a new row is made.

    Args:
        facts: the input about the episode.
        lesson: what the row says.
        signature: its identity.
        keys: how it is found again, or the kind of the one key that its signature gives.
        marked_by: texts beside the lesson that may attempt prompt injection.
        fields: the fields of the reflection that are not those of the facts.
    """
    if isinstance(keys, str):
        keys = (Key(kind=keys, digest=signature.rpartition(":")[2]),)
    texts = (lesson.text, lesson.strategy, *lesson.situations, *marked_by)
    of_facts: dict[str, Any] = {
        "kind": "reflection",
        "evidence": facts.evidence,
        "iteration": facts.iteration,
        "tags": facts.tags,
    }
    reflection = Reflection(
        scope=facts.scope,
        signature=signature,
        lesson=lesson.text,
        strategy=lesson.strategy,
        situations=lesson.situations,
        outcome=lesson.outcome,
        question=facts.question[:500],
        source=facts.source,
        suspicious=bool(suspicion("\n".join(texts))),
        first_seen=facts.at,
        last_seen=facts.at,
        **of_facts | fields,
    )
    return Observation(
        reflection=reflection, event_id=facts.event_id, source=facts.source, keys=keys
    )


def from_caller(
    facts: LessonFacts,
    new_id: str,
    error: Fingerprint | None,
    known: Reflection | None,
    others: frozenset[str] = frozenset(),
) -> Observation | None:
    """Return the caller's lesson as an observation, or None without a lesson or a known error.

    Args:
        facts: the caller's input.
        new_id: the id of the row if it turns out to be new.
        error: the fingerprint of the error the lesson is about; without it the lesson itself is
            the identity.
        known: the stored reflection that was recognised as the same error.
        others: ids of stored errors that are a different one, by their text or by what a person
            said; the new lesson must not be counted on one of them, whose signature may well be
            the same.
    """
    lesson = facts.lesson
    if not lesson.text and known is None:
        return None
    usable = error if error is not None and not error.unusable else None
    signature = usable.signature if usable else text_signature(lesson.text)
    if others and known is None:
        signature = text_signature(" ".join((signature, *sorted(others))))
    observation = _observation(
        facts,
        lesson,
        signature,
        usable.keys if usable else "lesson",
        marked_by=(facts.trigger,),
        id=new_id,
        trigger=usable.summary if usable else facts.trigger or facts.question[:200],
        error_type=facts.error_type or (usable.pattern.error_type if usable else None),
        category=_category(facts),
        pattern=usable.pattern if usable else None,
        example=facts.error[:EXAMPLE],
        importance=_importance(facts, known),
        confidence=_confidence(facts),
        links=(Link(kind="contradicts", target_id=facts.against),) if facts.against else (),
    )
    return replace(
        observation,
        features=usable.features if usable else (),
        same_as=known.id if known else None,
        corrects=facts.corrects,
    )


def _importance(facts: LessonFacts, known: Reflection | None) -> float:
    """Return a model's value, else one by outcome; a known error matters more each time."""
    first = _first_importance(facts)
    if known is None or facts.corrects:
        return first
    return max(first, min(MOST_BY_RECURRENCE, round(known.importance + RECURRENCE, 4)))


def _first_importance(facts: LessonFacts) -> float:
    by_outcome = IMPORTANCE.get(facts.lesson.outcome or "", 0.5)
    return by_outcome if facts.importance is None else facts.importance


def _confidence(facts: LessonFacts) -> float:
    by_rule = 0.6 if facts.lesson.outcome else 0.4
    return by_rule if facts.confidence is None else facts.confidence


def _category(facts: LessonFacts) -> str:
    """Return the category of the error itself, else a model's, else that of the lesson's words."""
    shown = categorise(facts.error)
    return shown if shown != "unknown" else facts.category or categorise(facts.lesson.text)


def strategy_of(facts: LessonFacts, new_id: str, parent: Reflection | None) -> Observation | None:
    """Return the strategy as a record of its own, linked to its reflection; None without one."""
    strategy = facts.lesson.strategy
    if not strategy:
        return None
    importance = parent.importance if parent else _first_importance(facts)
    observation = _observation(
        facts,
        Lesson(text=strategy, outcome=facts.lesson.outcome),
        text_signature(strategy),
        "strategy",
        id=new_id,
        kind="strategy",
        trigger=parent.trigger if parent else facts.question[:200],
        iteration=0,
        error_type=parent.error_type if parent else facts.error_type,
        category=parent.category if parent else categorise(strategy),
        importance=min(1.0, round(importance * STRATEGY_WEIGHT, 4)),
        confidence=_confidence(facts),
        tags=tuple(dict.fromkeys(("strategy", *facts.tags))),
        links=(Link(kind="strategy_of", target_id=parent.id),) if parent else (),
    )
    return replace(observation, event_id=f"{facts.event_id}/strategy", corrects=facts.corrects)


def from_revision(
    facts: LessonFacts,
    new_id: str,
    before: Sequence[Check],
    quality_before: float | None,
    now: Evaluation,
    objections: Sequence[ClearedCritique] = (),
    severity: float = 0.0,
) -> Observation | None:
    """Return a reflection for a revision that cleared what was wrong, else None.

    Args:
        facts: the input about the answer.
        new_id: the id of the row if it turns out to be new.
        before: the findings of the attempt that was revised.
        quality_before: the quality of that attempt.
        now: the evaluation of the attempt that is kept.
        objections: what a judge or critic had said of the attempt that was revised, and does not
            say of this one.
        severity: of the critique that held them, from 0 to 1; a severe one needs no gain.
    """
    cleared = cleared_findings(before, now.checks)
    gain = (
        round(now.quality - quality_before, 4)
        if now.quality is not None and quality_before is not None
        else None
    )
    born = _born_of(cleared)
    if born is None:
        raised = gain is not None and gain > QUALITY_GAIN
        if cleared or not objections or not (raised or severity > SEVERE):
            return None
        told = (
            f"quality rose from {quality_before:.2f} to {now.quality:.2f}"
            if raised
            else f"a critic's severity was {severity:.2f}, and the next attempt corrected it"
        )
        return _improvement(facts, new_id, gain, told, objections[:MOST_OBJECTIONS])
    check, kind = born
    # Without what follows from it, which is different every time.
    signature = finding_signature(replace(check, why=check.why.partition(";")[0]))
    shown = check.quote or check.stated or check.why
    return _observation(
        facts,
        replace(facts.lesson, text=facts.lesson.text or _mistake(facts.question, check)),
        signature,
        "finding",
        id=new_id,
        trigger=check.quote[:200] or facts.question[:200] or f"{check.kind} in an answer",
        evidence=f"{check.kind}: {shown}; the next attempt no longer had it",
        error_type=kind.type,
        category="logic",
        quality_delta=gain,
        importance=0.6,
        confidence=0.8,
        tags=tuple(dict.fromkeys((check.kind.split(":")[0], *facts.tags))),
    )


def is_born_of_a_finding(error_type: str | None) -> bool:
    """Return True if a lesson of this type came from a finding that a revision cleared."""
    types = {kind.type for kind in finding_kinds().values()}
    return error_type is not None and (error_type in types or ":" in error_type)


def _mistake(question: str, check: Check) -> str:
    """Return the lesson of a finding that was cleared: what the answer said and what is wrong."""
    of = f"An answer to “{_in_short(question)}”" if question else "An answer"
    said = check.quote or check.stated
    said = f" said “{_in_short(said)}”" if said else " had a proven fault"
    return f"{of}{said}: {check.why or 'the checks proved it wrong'}"


def _in_short(text: str) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= QUOTED else f"{flat[: QUOTED - 1]}…"


def _improvement(
    facts: LessonFacts,
    new_id: str,
    gain: float | None,
    evidence: str,
    objections: Sequence[ClearedCritique],
) -> Observation:
    """Return the words of the judge as a lesson: what it objected to, and what put it right."""
    quotes = "; ".join(f"“{_in_short(each.quote)}”" for each in objections if each.quote)
    said = f"; the answer had said {quotes}" if quotes else ""
    problems = " ".join(_sentence(each.problem) for each in objections)
    fixes = " ".join(_sentence(each.fix) for each in objections if each.fix)
    asked = (facts.question[:SITUATION],) if facts.question else ()
    lesson = Lesson(
        text=facts.lesson.text or problems,
        strategy=facts.lesson.strategy or fixes,
        situations=(*facts.lesson.situations, *asked),  # it comes back for each that it was met at
        outcome=facts.lesson.outcome,
    )
    return _observation(
        facts,
        lesson,
        text_signature(lesson.text),
        "lesson",
        id=new_id,
        trigger=next((each.quote for each in objections if each.quote), facts.question)[:200],
        evidence=f"{evidence}{said}",
        error_type=IMPROVEMENT,
        quality_delta=gain,
        importance=0.5,
        confidence=0.5,
    )


def _sentence(text: str) -> str:
    flat = " ".join(text.split())
    return flat if flat.endswith((".", "!", "?", "…")) else f"{flat}."


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
