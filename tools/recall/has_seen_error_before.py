"""Have I seen this error before?

Answers `exact`, `same`, `similar` or `new`; only the first two count as seen and bring lessons. A
look-alike is shown with what differs and without its fix. The same failure in another place brings
its lesson as the neighbour's: it counts as not seen, not as shown, and has no verdict here. Writes
nothing but the look-up log, and answers even when the log cannot be written.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from reflection_mcp.store.contract import Store
from reflection_mcp.store.errors import StoreError
from reflection_mcp.store.interactions import OCCURRED, Lookup, MatchLevel
from reflection_mcp.store.records import Reflection, Scope
from reflection_mcp.tools import intake
from reflection_mcp.tools.advice import (
    NOTHING_OFFERED,
    Advice,
    Offer,
    Withheld,
    offer_of_error,
    offer_of_one,
)
from reflection_mcp.tools.errors import InvalidInput
from reflection_mcp.tools.identity import (
    Fingerprint,
    Recognition,
    Similar,
    fingerprint,
)
from reflection_mcp.tools.learning.fix_candidates import MOST_CANDIDATES, open_candidates, steps_of
from reflection_mcp.tools.ports import Services
from reflection_mcp.tools.recall.matching import recognise
from reflection_mcp.tools.untrusted import presentable

STEP_SHOWN = 240  # characters of a step
TRIED_SHOWN, MOST_TRIED = 160, 3
TRY = "try it"
REFUTED = "it failed here and never helped, so look for another cause before you try it again"
WEIGH = "the lesson is from work that did not succeed, so weigh it before you try it"
VERDICTS = (
    "then record_feedback: positive with {id} if it worked, negative if not; wrong_match with "
    "{lookup} if this is a different error"
)
FIXED = "when it is fixed, call reflect with this error, the outcome and one sentence of lesson"
NEIGHBOUR = (
    f"check that it applies here; {FIXED}; if it is a different failure, record_feedback "
    "wrong_match with {lookup}"
)
QUESTION = (
    "If you can tell whether this is the same error as {id}, call record_feedback with {lookup}: "
    "positive if it is, wrong_match if it is not."
)
NOTHING_STORED = "nothing like it is stored"
NO_LESSON = "nothing was learned from it yet"
PLACE_SHOWN = 80  # characters of a place
ALSO_SAID = "lessons by others have their own ids for that"


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorQuestion:
    """What the caller asks: the raw text of an error, as printed.

    `shown_before` are the ids of versions that this conversation has before it already: they are
    not counted as shown again. `by_hook` says that the error has just occurred and nobody asked.
    """

    error: str
    error_type: str = ""
    limit: int = 5
    shown_before: frozenset[str] = frozenset()
    by_hook: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LookAlike:
    """A stored error that is another one, and the tokens in which it differs."""

    id: str
    summary: str
    differences: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """The same failure in another place: `here` and `there` are the two, `advice` is of there."""

    here: str
    there: str
    advice: Advice


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateFix:
    """Steps after which the error was gone once; not confirmed, so no advice."""

    id: str
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenBefore:
    """The answer. `seen` is true for `exact` and `same` only; otherwise `offer` has no advice.

    `candidates` is empty when there is advice. `asked_id` is the look-alike that `question` is
    about. `since` is when an error without a lesson was first met, and `tried` what was done about
    it without success, the newest first.
    """

    verdict: MatchLevel
    seen: bool
    why: str
    summary: str
    signature: str
    lookup_id: str
    reported: int = 0
    occurred: int = 0
    looked_up: int = 0
    since: datetime | None = None
    tried: tuple[str, ...] = ()
    occurrences: int = 0
    sources: int = 0
    first_seen: datetime | None = None
    last_seen: datetime | None = None
    reflection_id: str | None = None
    offer: Offer = NOTHING_OFFERED
    candidates: tuple[CandidateFix, ...] = ()
    similar: tuple[LookAlike, ...] = ()
    neighbour: Neighbour | None = None
    asked_id: str | None = None
    question: str = ""
    next: str = ""
    notes: tuple[str, ...] = ()

    @property
    def tells_why(self) -> bool:
        """Whether the reason says more than the verdict."""
        return self.why != NOTHING_STORED


async def has_seen_error_before(services: Services, question: ErrorQuestion) -> SeenBefore:
    """Look an error up.

    Raises:
        InvalidInput: the error is empty, or the limit is not between 1 and 50.
        StoreError: the store cannot be read; the caller is told why, never "new".
    """
    if not 1 <= question.limit <= 50:
        raise InvalidInput("limit is out of range", "pass a whole number from 1 to 50")
    text = intake.error_text(question.error, services.limits.error, required=True)
    error_type = intake.text("error_type", question.error_type, 200).strip() or None
    print_ = fingerprint(text, error_type)
    found = await recognise(services.store, services.scope, print_)
    answer = await _answer(services, question, print_, found)
    if answer.verdict == "new" and not print_.unusable:
        answer = await _with_history(services.store, services.scope, answer)
    if not answer.offer.advice:
        answer = await _with_candidates(services.store, services.scope, answer)
    notes = await _log(services, print_, answer, question.shown_before)
    services.emit(
        "error_recalled",
        {
            "verdict": answer.verdict,
            "advice": len(answer.offer.advice),
            "withheld": len(answer.offer.withheld),
            "similar": len(answer.similar),
        },
    )
    return replace(answer, notes=notes) if notes else answer


async def _answer(
    services: Services, asked: ErrorQuestion, seen: Fingerprint, found: Recognition
) -> SeenBefore:
    match = found.match
    limit = asked.limit
    lookup_id = services.ids(OCCURRED if asked.by_hook else "look")
    if match is None or found.verdict not in ("exact", "same"):
        unseen = SeenBefore(
            verdict=found.verdict,
            seen=False,
            why=found.why,
            summary=seen.summary,
            signature=seen.signature,
            lookup_id=lookup_id,
            next=FIXED,
        )
        return await _with_similar(services, limit, unseen, found.similar)
    store = services.store
    rows = [await store.reflection(row.scope, row.id) or row for row in (match, *found.beside)]
    offered = offer_of_error(rows, services.clock(), limit)
    first = offered.advice[0].id if offered.advice else match.id
    whole = next(row for row in rows if row.id == first)
    return SeenBefore(
        verdict=found.verdict,
        seen=True,
        why=found.why,
        summary=seen.summary,
        signature=seen.signature,
        lookup_id=lookup_id,
        occurrences=match.occurrences,
        sources=match.sources,
        first_seen=match.first_seen,
        last_seen=match.last_seen,
        reflection_id=match.id,
        offer=offered,
        next=_next_for_seen(offered, lookup_id, whole),
    )


async def _with_similar(
    services: Services, limit: int, answer: SeenBefore, found: Sequence[Similar]
) -> SeenBefore:
    """The answer with the lesson of a neighbour, else with what looks alike."""
    withheld: list[Withheld] = []
    for like in found:
        if like.elsewhere is None:
            continue
        known = like.reflection
        whole = await services.store.reflection(services.scope, known.id) or known
        offered = offer_of_one(whole, services.clock(), 1)
        withheld += offered.withheld
        if offered.advice:
            return replace(
                answer,
                why="",
                neighbour=Neighbour(
                    here=presentable(like.elsewhere.here, PLACE_SHOWN),
                    there=presentable(like.elsewhere.there, PLACE_SHOWN),
                    advice=offered.advice[0],
                ),
                offer=Offer(withheld=tuple(withheld)),
                next=NEIGHBOUR.format(lookup=answer.lookup_id),
            )
    if not found:
        return answer
    asked = next((like for like in found if _may_be_asked(like, services.scope)), None)
    return replace(
        answer,
        offer=Offer(withheld=tuple(withheld)),
        similar=tuple(
            LookAlike(
                id=like.reflection.id,
                summary=presentable(summary_of(like.reflection), 200),
                differences=tuple(str(difference) for difference in like.differences),
            )
            for like in found[: min(3, limit)]
        ),
        asked_id=asked.reflection.id if asked else None,
        question=QUESTION.format(id=asked.reflection.id, lookup=answer.lookup_id) if asked else "",
        next=f"do not apply its fix; {FIXED}",
    )


async def _with_history(store: Store, scope: Scope, answer: SeenBefore) -> SeenBefore:
    """The answer with the past of an error of which nothing was learned, and what was tried."""
    met = await store.met(scope, answer.signature)
    if met.since is None:
        return answer
    failed = (each for each in met.attempts if each.outcome not in ("success", None))
    tried = dict.fromkeys(str(each.metadata.get("tried") or "") for each in failed)
    why = NO_LESSON if answer.why == NOTHING_STORED else answer.why
    return replace(
        answer,
        reported=len(met.attempts),
        occurred=met.occurred,
        looked_up=met.looked_up,
        since=met.since,
        tried=tuple(presentable(text, TRIED_SHOWN) for text in tried if text)[:MOST_TRIED],
        why=why,
    )


def _may_be_asked(like: Similar, scope: Scope) -> bool:
    """Whether it helps to know if this is the same: a lesson of this very project would come."""
    known = like.reflection
    return like.close and known.scope == scope and bool(known.lesson or known.strategy)


def summary_of(reflection: Reflection) -> str:
    """One line that names a stored error: as it was first told, else its masked verdict."""
    masked = reflection.pattern.lines if reflection.pattern else ()
    return reflection.trigger or " | ".join(masked) or reflection.example


async def _with_candidates(store: Store, scope: Scope, answer: SeenBefore) -> SeenBefore:
    rows = await open_candidates(store, scope, answer.signature)
    if not rows:
        return answer
    fixes = tuple(
        CandidateFix(
            id=row.id, steps=tuple(presentable(step, STEP_SHOWN) for step in steps_of(row))
        )
        for row in rows[:MOST_CANDIDATES]
    )
    hint = "; a candidate is not a proven fix: if one works, record_feedback positive with its id"
    return replace(answer, candidates=fixes, next=f"{answer.next}{hint}")


def _next_for_seen(offered: Offer, lookup: str, known: Reflection) -> str:
    if offered.advice:
        first = offered.advice[0]
        verdicts = VERDICTS.format(id=first.id, lookup=lookup)
        step = REFUTED if known.failed and not known.helped else TRY if first.worked else WEIGH
        verdict = f"{step}; {verdicts}"
        return f"{verdict}; {ALSO_SAID}; {FIXED}" if offered.also_said else verdict
    return f"known, but there is no lesson to offer; {FIXED}"


async def _log(
    services: Services, seen: Fingerprint, answer: SeenBefore, before: frozenset[str]
) -> tuple[str, ...]:
    new = [each for each in answer.offer.advice if each.version not in before]
    line = Lookup(
        id=answer.lookup_id,
        at=services.clock(),
        signature=seen.signature,
        verdict=answer.verdict,
        conversation_id=services.caller.conversation_id,
        source=services.caller.source,
        summary=seen.summary,
        error_type=seen.pattern.error_type,
        matched_id=answer.reflection_id,
        shown=tuple(each.id for each in new),
        versions=tuple(each.version for each in new),
        neighbour_id=answer.neighbour.advice.id if answer.neighbour else None,
        asked_id=answer.asked_id,
    )
    try:
        await services.store.log_lookup(services.scope, line)
    except StoreError as trouble:
        services.emit("lookup_not_logged", {"reason": type(trouble).__name__})
        return (f"a look-up was not logged: {trouble.message}; {trouble.hint}",)
    return ()
