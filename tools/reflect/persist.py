"""Which reflections a piece of work leaves in the store.

Rule of this module: a reflection is kept only if it changed behaviour: a lesson, or a revision that
cleared a finding. The same one again is counted, and the limit of the store is held after it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import zip_longest

from reflection_mcp.store.contract import Writes
from reflection_mcp.store.errors import StoreError
from reflection_mcp.store.interactions import Feedback
from reflection_mcp.store.lesson_versions import version_id
from reflection_mcp.store.maintenance import StoredReflection
from reflection_mcp.store.merging import FAILING, both_situations
from reflection_mcp.store.records import (
    Attempt,
    Lesson,
    Observation,
    RecordResult,
    Reflection,
    Wording,
)
from reflection_mcp.tools.identity import Fingerprint, text_signature
from reflection_mcp.tools.judging.scoring import Evaluation
from reflection_mcp.tools.learning import episode, reflector
from reflection_mcp.tools.learning.duplicates import normalized_words
from reflection_mcp.tools.learning.issue_summary import alike
from reflection_mcp.tools.learning.row_limit import enforce_limit
from reflection_mcp.tools.learning.signature_renewal import is_outdated, renew_one
from reflection_mcp.tools.ports import Services
from reflection_mcp.tools.recall.matching import with_past
from reflection_mcp.tools.reflect.history import History, comparable, known_of, said
from reflection_mcp.tools.reflect.lesson_extraction import ExtractedLesson
from reflection_mcp.tools.reflect.request import ReflectRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedReflection:
    """A reflection or strategy as it now stands in the store.

    says: its words, where the caller said the same in others.
    replaced: the version that was shown first until now; `own` says whether it is of the same
        author, `retired` are the ids of the strategies that went with it.
    failed: whether what was shown counts as failed.
    second: the id of the words said, if they are not shown first.
    against: the id of a lesson that says the opposite, and `opposite` its words.
    """

    id: str
    kind: str
    signature: str
    created: bool
    occurrences: int
    sources: int
    marked: bool = False
    of_error: bool = False
    says: str = ""
    replaced: Wording | None = None
    own: bool = False
    retired: tuple[str, ...] = ()
    failed: bool = False
    second: str = ""
    against: str = ""
    opposite: str = ""


def saved(
    met: RecordResult, observation: Observation | None = None, *, failed: bool = False
) -> SavedReflection:
    """What a write left in the store; with its observation, also the changes of versions."""
    row = met.reflection
    row_as_it_is = SavedReflection(
        id=row.id,
        kind=row.kind,
        signature=row.signature,
        created=met.created,
        occurrences=row.occurrences,
        sources=row.sources,
        marked=row.suspicious,
        of_error=row.pattern is not None,
    )
    if observation is None:
        return row_as_it_is
    new = observation.reflection
    words = (new.lesson, new.strategy or row.strategy)
    is_first = not new.lesson or words == (row.lesson, row.strategy)
    return replace(
        row_as_it_is,
        replaced=met.replaced,
        own=met.replaced is not None and met.replaced.source == observation.source,
        retired=met.retired,
        failed=failed,
        second="" if is_first else version_id(row.id, new.lesson, new.strategy),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingLesson:
    """What a piece of work teaches, before it is written: `facts` for a strategy, the observation
    of a reflection if there is one, and `reason` for when nothing is kept. `failed` is the verdict
    on a lesson that this conversation was shown, when the work has failed with it; `told` are the
    caller's words, where a stored lesson says the same in others; `against` says the opposite."""

    facts: reflector.LessonFacts
    observation: Observation | None
    strategy_id: str
    reason: str
    failed: Feedback | None = None
    told: str = ""
    against: Reflection | None = None

    def write(self, writes: Writes) -> tuple[tuple[SavedReflection, ...], str]:
        """Write it, and say what is stored now, or why nothing is."""
        if self.failed is not None:
            writes.apply_feedback(self.failed)
        kept: list[SavedReflection] = []
        parent: Reflection | None = None
        if self.observation is not None:
            met = _completed(writes, writes.record(self.observation), self.observation)
            parent = met.reflection
            in_other_words = self.told not in ("", self.facts.lesson.text)
            row = saved(met, self.observation, failed=self.failed is not None)
            row = replace(row, says=parent.lesson if in_other_words else "")
            if self.against is not None:
                row = replace(row, against=self.against.id, opposite=self.against.lesson)
            kept.append(row)
        strategy = reflector.strategy_of(self.facts, self.strategy_id, parent)
        if strategy is not None:
            kept.append(saved(writes.record(strategy)))
        return tuple(kept), "" if kept else self.reason


async def teaching(
    services: Services,
    request: ReflectRequest,
    evaluation: Evaluation,
    history: History,
    attempt_id: str,
    extracted: ExtractedLesson,
) -> PendingLesson:
    """What the work teaches, by what is stored already.

    Args:
        services: those of the call: who is asking, where, and when.
        request: what was done.
        evaluation: how that was judged.
        history: what is known of it from earlier calls, and what is stored of it.
        attempt_id: the attempt under which it is kept.
        extracted: what a model says it teaches, when the caller does not; else empty.

    Raises:
        StoreError: the store cannot be used.
    """
    seen, known = history.seen, history.known
    about_error = seen is not None and not seen.unusable
    if extracted.told_by:
        request = extracted.added_to(request)
        if not about_error:
            known = await known_of(services, request, seen)
    told = request.lesson.text
    if not about_error:
        request = replace(request, lesson=_in_stored_words(request.lesson, known.error))
    if known.error is not None and is_outdated(known.error):
        await renew_one(services.store, services.scope, known.error.id)
    headline = seen.summary if seen else ""
    shown = episode.evidence_of(request.events, headline, request.outcome)
    own_type = seen.pattern.error_type if seen else None
    code = episode.error_code_of(request.events)
    derived = episode.tags_of(request.events, request.error, own_type or code, request.outcome)
    facts = reflector.LessonFacts(
        scope=services.scope,
        source=_author(services, request, seen),
        at=services.clock(),
        event_id=history.event or request.event_id or attempt_id,
        question=request.question,
        lesson=request.lesson,
        error=request.error,
        tags=tuple(dict.fromkeys((*request.tags, *derived, *extracted.tags))),
        evidence=f"“{extracted.quote}” ({extracted.told_by}); {shown}"
        if extracted.told_by
        else shown,
        iteration=history.iteration,
        trigger=extracted.trigger,
        category=extracted.category or _category(request),
        error_type=None if own_type else code,
        importance=extracted.importance,
        confidence=extracted.confidence,
        corrects=_corrects(request, known.error, history),
        against=known.against.id if known.against else "",
    )
    observation = reflector.from_caller(facts, services.ids("ref"), seen, known.error, known.others)
    if observation is not None and known.error is None and about_error:
        now = history.completes is None  # else its attempt is stored already
        observation = await with_past(services.store, services.scope, observation, now=now)
    failed = await _failed(services, request, known.error)
    if observation is not None and failed is not None:
        observation = replace(observation, refutes=True)
    if observation is None and history.last is not None:
        observation = reflector.from_revision(
            facts,
            services.ids("ref"),
            comparable(history.last, request),
            history.last.judged_quality,
            evaluation,
            _cleared_objections(history.last, evaluation),
        )
    return PendingLesson(
        facts=facts,
        observation=observation,
        strategy_id=services.ids("str"),
        reason=_why_not_kept(request, history),
        failed=failed,
        told=told,
        against=known.against,
    )


def _in_stored_words(lesson: Lesson, known: Reflection | None) -> Lesson:
    """Return a lesson in the words in which it is stored, with its own words as one of the
    situations, by which it is found."""
    if (
        known is None
        or not lesson.text
        or normalized_words(known.lesson) == normalized_words(lesson.text)
    ):
        return lesson
    strategy = known.strategy if lesson.strategy else ""
    return replace(
        lesson,
        text=known.lesson,
        strategy=strategy or lesson.strategy,
        situations=(*lesson.situations, lesson.text),
    )


def _author(services: Services, request: ReflectRequest, seen: Fingerprint | None) -> str:
    """Return whose word a lesson is: of a vague error the word of this task only, so that what
    helped in one task stands beside what helped in another, and does not replace it."""
    source = services.caller.source
    if seen is None or seen.unusable or not seen.is_vague:
        return source
    return f"{source}:{text_signature(request.question).rpartition(':')[2]}"


async def _failed(
    services: Services, request: ReflectRequest, known: Reflection | None
) -> Feedback | None:
    """The verdict on the lesson of an error, if this conversation was shown it and has failed."""
    if known is None or not request.error or request.outcome not in FAILING:
        return None
    for conversation in dict.fromkeys((request.conversation_id, services.caller.conversation_id)):
        shown = await services.store.last_shown(services.scope, known.id, conversation)
        if shown is not None:
            return Feedback(
                kind="negative",
                at=services.clock(),
                source=services.caller.person,
                target_id=known.id,
                said_in=conversation,
                comment=f"the work ended in {request.outcome} after it was shown",
            )
    return None


def _cleared_objections(
    last: Attempt, evaluation: Evaluation
) -> tuple[reflector.ClearedCritique, ...]:
    """Return what a judge said of the last attempt, and one does not say of this one.

    Without a judge of this attempt nobody knows whether it still holds.
    """
    if not any(score.basis == "judged" for score in (evaluation.confidence, evaluation.relevance)):
        return ()
    left = [issue.text for issue in evaluation.issues]
    proven = tuple(
        text
        for check in last.checks
        for text in (check.quote or check.stated, check.why.rstrip("."))
        if text
    )
    pairs = zip_longest(last.issues, last.improvements, fillvalue="")
    return tuple(
        reflector.ClearedCritique(problem=problem, fix=fix)
        for problem, fix in pairs
        if problem
        and not problem.startswith(proven)
        and not any(alike(problem, text) for text in left)
    )


def _completed(writes: Writes, met: RecordResult, observation: Observation) -> RecordResult:
    """The record with what it lacked, when a second call brings it for the same event.

    The store counts an event once and leaves the row as it stands; what is brought in as from
    elsewhere fills gaps and counts nothing.
    """
    row, new = met.reflection, observation.reflection
    if met.counted or new.suspicious or new.lesson not in ("", row.lesson):
        return met
    situations = both_situations(row, new)
    whole = replace(row, strategy=row.strategy or new.strategy, situations=situations)
    if whole == row:
        return met
    brought = replace(whole, source=observation.source)
    writes.adopt([StoredReflection(reflection=brought, author=observation.source)])
    return replace(met, reflection=whole)


def _corrects(request: ReflectRequest, known: Reflection | None, history: History) -> bool:
    """Whether the conversation that taught the lesson of an error now says it in other words."""
    if known is None or not request.error or known.id not in history.taught:
        return False
    return bool(known.lesson) and request.lesson.text not in ("", known.lesson)


def _category(request: ReflectRequest) -> str:
    """The category that the episode itself shows, or an empty text."""
    found = episode.category_of(request.events, request.error, request.outcome)
    return "" if found == "unknown" else found


def _why_not_kept(request: ReflectRequest, history: History) -> str:
    if request.error or request.outcome:
        return "call again with the same arguments and one sentence of lesson"
    if history.last is not None:
        return "this revision cleared no finding worth a lesson and did not raise the quality"
    return "nothing shows yet what to do differently next time"


async def evicted(services: Services, added: Iterable[str]) -> tuple[str, ...]:
    """Hold the limit of the store after rows with these ids were added, and say what went."""
    try:
        gone = await enforce_limit(
            services.store,
            services.scope,
            services.clock(),
            services.max_entries,
            frozenset(added),
        )
    except StoreError as trouble:
        return (f"the limit of the store was not enforced: {said(trouble)}",)
    if not gone.rows:
        return ()
    services.emit("reflections_evicted", {"count": len(gone.rows)})
    ids = ", ".join(row.id for row in gone.rows[:10])
    return (
        f"deleted {gone.lessons} of the least useful lessons, because the project keeps at most "
        f"{services.max_entries}: {ids}",
    )
