"""What the store knows about a piece of work: earlier attempts, and whether this is one of them.

Rule of this module: trouble with the store is told, never raised; judging goes on without a past.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from reflection_mcp.store.contract import Store
from reflection_mcp.store.errors import StoreError
from reflection_mcp.store.maintenance import VoteTally
from reflection_mcp.store.records import Attempt, Check, Scope
from reflection_mcp.tools.identity import Fingerprint, fingerprint, text_signature
from reflection_mcp.tools.learning import calibration
from reflection_mcp.tools.learning.actions import fixed_since
from reflection_mcp.tools.learning.stored_rows import lessons_beside, same_lesson
from reflection_mcp.tools.ports import Services
from reflection_mcp.tools.recall.matching import ErrorMatch, known_here
from reflection_mcp.tools.reflect.assess import QUESTION_KEPT
from reflection_mcp.tools.reflect.request import ReflectRequest

RECALLED = 20  # attempts of a conversation that are looked through
RETRIED_WITHIN = timedelta(minutes=2)
"""How soon the very same call is taken for the one before, made again: hosts give a call up after
about a minute, and then ask once more."""


RESUMED_WITHIN = timedelta(hours=1)
"""How old the last answer of a client's earlier process may be to belong to what it does now."""


async def attempts_of(services: Services, conversation_id: str, limit: int) -> Sequence[Attempt]:
    """The attempts of a conversation, newest first; before the first one of a process that serves
    one person those of the last conversation of the same client, project and hour.

    Agent libraries start a process for each call. A conversation that somebody named is itself, and
    a store that is no file may be that of people who have a home of the same name.

    Raises:
        StoreError: they cannot be read.
    """
    store, scope, caller = services.store, services.scope, services.caller
    attempts = await store.attempts(scope, conversation_id=conversation_id, limit=limit)
    may_be_resumed = caller.user and caller.alone
    if attempts or not may_be_resumed or conversation_id != caller.conversation_id:
        return attempts
    since = services.clock() - RESUMED_WITHIN
    recent = await store.attempts(scope, since=since, limit=limit)
    last = next((each for each in recent if each.source == caller.source), None)
    if last is None:
        return ()
    return await store.attempts(scope, conversation_id=last.conversation_id, limit=limit)


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """What the store knows about this piece of work.

    seen: the fingerprint of the error that the work is about.
    known: what is stored of that error, else of the lesson.
    last: the attempt before this one, at the same question.
    completes: the attempt that this call is about, because it brings what was asked for or is the
        same call again.
    again: whether it is the same call again.
    taught: ids of the reflections that this conversation has taught.
    newest: the id of its newest attempt, if it has any.
    approved: of the answers that this caller scored itself, the share that people called good, or
        0.5 if it is not known; None if the caller does not score this answer.
    record: the votes that `approved` is computed from, if they were read for this answer.
    """

    seen: Fingerprint | None = None
    known: ErrorMatch = field(default_factory=ErrorMatch)
    last: Attempt | None = None
    completes: Attempt | None = None
    again: bool = False
    taught: frozenset[str] = frozenset()
    worked_on: tuple[str, ...] = ()
    newest: Sequence[str] = field(default_factory=list[str])
    approved: float | None = None
    record: VoteTally | None = None
    trouble: StoreError | None = None

    @property
    def iteration(self) -> int:
        """The number of the attempt that is being judged, from 0."""
        return self.last.iteration + 1 if self.last else 0

    @property
    def event(self) -> str:
        """The event under which the attempt that this call is about was counted; else empty."""
        return (
            str(self.completes.metadata.get("event") or self.completes.id) if self.completes else ""
        )


async def history_of(services: Services, request: ReflectRequest) -> History:
    """Look up what is stored; trouble with the store is part of the result."""
    try:
        return await history_read(services, request)
    except StoreError as trouble:
        seen = fingerprint(request.error, None) if request.error else None
        return History(seen=seen, trouble=trouble)


async def history_read(services: Services, request: ReflectRequest) -> History:
    """Look up what is stored of a piece of work.

    Raises:
        StoreError: the store cannot be read.
    """
    store = services.store
    seen = fingerprint(request.error, None) if request.error else None
    attempts = await attempts_of(services, request.conversation_id, RECALLED)
    same = [a for a in attempts if a.question == request.question[:QUESTION_KEPT]]
    again = made_already(request, same, services.clock())
    is_it = same and (again or await _completes(store, services.scope, request, seen, same[0]))
    completes = same[0] if is_it else None
    earlier = same[1:] if completes else same
    fixed = request.outcome == "success" and completes is None
    approved, record = await _approved(services, request, attempts)
    return History(
        seen=seen,
        known=await known_of(services, request, seen),
        last=earlier[0] if earlier else None,
        completes=completes,
        again=again,
        taught=frozenset(a.reflection_id for a in attempts if a.reflection_id),
        newest=[a.id for a in attempts[:1] if a.conversation_id == request.conversation_id],
        worked_on=fixed_since(attempts, request.question[:QUESTION_KEPT]) if fixed else (),
        approved=approved,
        record=record,
    )


async def _approved(
    services: Services, request: ReflectRequest, attempts: Sequence[Attempt]
) -> tuple[float | None, VoteTally | None]:
    """The values of `approved` and `record`. The votes are read for the first scored answer of a
    conversation, and after a vote on the last one, because reading them takes longer than the
    rest."""
    if all(each is None for each in (request.confidence, request.relevance, request.completeness)):
        return None, None
    own = (each for each in attempts if each.source == services.caller.source)
    scored = (each for each in own if isinstance(each.metadata.get("approved"), float))
    last = next(scored, None)
    if last is not None and last.feedback is None:
        return float(str(last.metadata["approved"])), None
    recent = await services.store.attempts(services.scope, limit=calibration.LOOKED_THROUGH)
    record = calibration.own_record(recent, services.caller.source)
    return record.positive / record.given if record else 0.5, record


async def known_of(
    services: Services, request: ReflectRequest, seen: Fingerprint | None
) -> ErrorMatch:
    """What is stored of what this work is about: of its error, else of its lesson.

    Raises:
        StoreError: the store cannot be read.
    """
    if seen is not None and not seen.unusable:
        return await known_here(services.store, services.scope, seen)
    if not request.lesson.text:
        return ErrorMatch()
    digest = text_signature(request.lesson.text).rpartition(":")[2]
    same = await same_lesson(services.store, services.scope, digest)
    if same is not None:
        return ErrorMatch(error=same)
    same, against = await lessons_beside(services.store, services.scope, request.lesson)
    return ErrorMatch(error=same, against=against)


def made_already(request: ReflectRequest, attempts: Sequence[Attempt], now: datetime) -> bool:
    """Whether this is the last call again: the newest of these attempts at its question.

    Who names events has said so, or that it is not.
    """
    asked = request.question[:QUESTION_KEPT]
    last = next((attempt for attempt in attempts if attempt.question == asked), None)
    return last is not None and _retried(request, last, now)


def _retried(request: ReflectRequest, last: Attempt, now: datetime) -> bool:
    if request.event_id or last.metadata.get("call") != call_hash(request):
        return False
    return now - last.at <= RETRIED_WITHIN


async def _completes(
    store: Store, scope: Scope, request: ReflectRequest, seen: Fingerprint | None, last: Attempt
) -> bool:
    """Whether this call brings what an earlier result asked for, about the very same answer."""
    if last.answer_hash != answer_hash(request.answer):
        return False
    if request.verification_answers:
        return True
    if last.error_signature != (seen.signature if seen else None):
        return False
    lesson = request.lesson
    if last.reflection_id is None:
        return bool(lesson.text)
    if not lesson.strategy or not (lesson.text or seen):
        return False
    row = await store.reflection(scope, last.reflection_id)
    return row is not None and not row.strategy and lesson.text in ("", row.lesson)


def comparable(last: Attempt, request: ReflectRequest) -> tuple[Check, ...]:
    """The findings of the last attempt that a revision can clear.

    With another context those that rest on the context are not cleared but gone.
    """
    if last.metadata.get("context") == answer_hash(request.context):
        return last.checks
    return tuple(check for check in last.checks if not check.kind.startswith("grounding"))


def answer_hash(answer: str) -> str:
    """16 hex digits that name an answer without keeping it; white space does not matter."""
    return hashlib.sha256(" ".join(answer.split()).encode()).hexdigest()[:16]


def call_hash(request: ReflectRequest) -> str:
    """16 hex digits that name all that was handed in, without keeping it."""
    told = repr(replace(request, event_id="", conversation_id=""))
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def said(trouble: StoreError) -> str:
    """What is wrong with the store, and what to do."""
    return f"{trouble.message}; {trouble.hint}"
