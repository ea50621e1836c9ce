"""A store in one SQLite file, shared by any number of processes.

Rules of this module. Writes go to one thread with one connection; those that wait at the same time
share a transaction. Reads that touch a handful of rows are done at once, on a connection that waits
for nothing: they take less time than handing them to a thread (10 to 30 microseconds against 50).
A shortlist is done at once, too, though it takes 1 to 4 ms at a million rows: in the other thread
it might wait behind a search. Reads that may take longer, or that find the file busy, go to that
second thread, so that no read waits behind a writer's gate.
Look-ups and steps are notes (`notes.py`): nobody waits for another process because of them.
A store belongs to the process that opened it; a forked child is refused.
"""

import math
import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from copy import copy
from dataclasses import replace
from datetime import date, datetime
from functools import partial
from pathlib import Path
from typing import TypeVar

from reflection_mcp.store.contract import MOST_HITS, MOST_STEPS, Order, Writes
from reflection_mcp.store.errors import StoreBusy, StoreUnavailable
from reflection_mcp.store.history import Log, LogRow
from reflection_mcp.store.interactions import (
    Effect,
    ErrorHistory,
    FailedAction,
    Feedback,
    Lookup,
    Showing,
    Step,
    Unresolved,
)
from reflection_mcp.store.maintenance import Adopted, Change, StoredReflection, VoteTally
from reflection_mcp.store.records import (
    Attempt,
    Hit,
    Kind,
    Observation,
    RecordResult,
    Reflection,
    Scope,
)
from reflection_mcp.store.scrub import scrub, scrubbed
from reflection_mcp.store.sqlite import activity as sqlite_activity
from reflection_mcp.store.sqlite import attempts as sqlite_attempts
from reflection_mcp.store.sqlite import feedback as sqlite_feedback
from reflection_mcp.store.sqlite import history as sqlite_history
from reflection_mcp.store.sqlite import lookups as sqlite_lookups
from reflection_mcp.store.sqlite import maintenance as sqlite_maintenance
from reflection_mcp.store.sqlite import reflections as sqlite_reflections
from reflection_mcp.store.sqlite import showings as sqlite_showings
from reflection_mcp.store.sqlite import stats as sqlite_stats
from reflection_mcp.store.sqlite import steps as sqlite_steps
from reflection_mcp.store.sqlite.errors import is_busy, named
from reflection_mcp.store.sqlite.group_commit import commit_group
from reflection_mcp.store.sqlite.health import examined
from reflection_mcp.store.sqlite.notes import Note, Noted, Notes
from reflection_mcp.store.sqlite.session import Session
from reflection_mcp.store.sqlite.store_worker import StoreWorker
from reflection_mcp.store.sqlite.writes import SqliteWrites
from reflection_mcp.store.state import DailyActivity, Health, Stats, TrackRecord, Vote

T = TypeVar("T")
Body = Callable[[sqlite3.Connection], T]

FAREWELL = 1.0
"""Seconds that `close` waits for other processes; what is committed is safe without it."""


async def open_sqlite(
    path: Path, *, wait: float, read_only: bool = False, locked: float = math.inf
) -> "SqliteStore":
    """Open the store at an absolute path; see `open_store`."""
    session = Session(path, read_only=read_only, locked=locked)
    together = partial(commit_group, session)
    writer, reader = StoreWorker("store-writer", together), StoreWorker("store-reader", together)
    try:
        await writer.run(session.open, wait)
    except BaseException:
        writer.stop()
        raise
    return SqliteStore(session, writer, reader, wait)


class SqliteStore:
    """A `Store` in a SQLite file; made by `open_sqlite`."""

    def __init__(
        self, session: Session, writer: StoreWorker, reader: StoreWorker, wait: float
    ) -> None:
        self._session = session
        self._writer = writer
        self._reader = reader
        self._wait = wait
        self._notes = Notes(writer, session)
        self._process = os.getpid()
        self._closed = False

    def hasty(self, wait: float) -> "SqliteStore":
        """See `Store.hasty`."""
        self._check()
        front = copy(self)
        front._wait = min(wait, self._wait)
        return front

    # ----------------------------------------------------------------- the ways in

    def _check(self) -> None:
        if self._closed:
            raise StoreUnavailable("the store is closed", "open it again")
        if os.getpid() != self._process:
            raise StoreUnavailable(
                "the store was opened before this process was forked",
                "open it again in the new process",
            )

    async def _write(self, body: Body[T]) -> T:
        self._check()
        return await self._writer.write(body, self._wait)

    async def _erase(self, body: Body[T]) -> T:
        self._check()
        return await self._writer.run(lambda turn: self._session.erase(turn, body), self._wait)

    async def _near(self, body: Body[T], *, whole: bool = False) -> T:
        self._check()
        try:
            return self._session.near(body, whole=whole)
        except sqlite3.Error as error:
            if not is_busy(error):
                if (known := named(error)) is not None:
                    raise known from error
                raise
        return await self._far(body)

    async def _far(self, body: Body[T]) -> T:
        self._check()
        return await self._reader.run(lambda turn: self._session.far(turn, body), self._wait)

    async def _note(self, scope: Scope, note: Note, body: Body[None]) -> None:
        self._check()
        await self._notes.take(scope, note, body)

    def _waiting(self, kind: type[Noted], scope: Scope) -> Iterator[Noted]:
        return self._notes.of(kind, scope)

    async def close(self) -> None:
        """See `Store.close`."""
        if self._closed or os.getpid() != self._process:
            return  # the files of a forked process are its parent's to close
        self._closed = True
        self._session.interrupt()
        with suppress(StoreBusy):  # what is committed is safe; the system releases the rest
            await self._reader.run(lambda turn: self._session.close_readers(), FAREWELL)
            await self._writer.run(self._session.close_writer, FAREWELL)
        self._notes.give_up()
        self._reader.stop()
        self._writer.stop()

    async def health(self) -> Health:
        """See `Store.health`."""
        self._check()
        seen = await self._reader.run(lambda turn: examined(self._session, turn), self._wait)
        return replace(seen, notes=(*seen.notes, *self._notes.told()))

    async def transaction(self, scope: Scope, work: Callable[[Writes], T]) -> T:
        """See `Store.transaction`."""
        scope = scrubbed(scope)
        return await self._write(lambda db: work(SqliteWrites(db, scope)))

    # ----------------------------------------------------------------- attempts

    async def add_attempt(self, scope: Scope, attempt: Attempt, *, event_id: str) -> Attempt:
        """See `Store.add_attempt`."""
        return await self.transaction(scope, lambda db: db.add_attempt(attempt, event_id=event_id))

    async def attempt(self, scope: Scope, attempt_id: str) -> Attempt | None:
        """See `Store.attempt`."""
        scope, attempt_id = scrubbed(scope), scrub(attempt_id)
        return await self._near(lambda db: sqlite_attempts.by_id(db, scope, attempt_id))

    async def attempts(
        self,
        scope: Scope,
        *,
        conversation_id: str | None = None,
        max_quality: float | None = None,
        since: datetime | None = None,
        limit: int = 10,
    ) -> Sequence[Attempt]:
        """See `Store.attempts`."""
        scope, conversation_id = scrubbed(scope), scrubbed(conversation_id)
        way = self._far if conversation_id is None else self._near
        return await way(
            lambda db: sqlite_attempts.listed(
                db,
                scope,
                conversation_id=conversation_id,
                max_quality=max_quality,
                since=since,
                limit=limit,
            )
        )

    # ----------------------------------------------------------------- reflections

    async def record(self, scope: Scope, observation: Observation) -> RecordResult:
        """See `Store.record`."""
        return await self.transaction(scope, lambda db: db.record(observation))

    async def reflection(self, scope: Scope, reflection_id: str) -> Reflection | None:
        """See `Store.reflection`."""
        scope, reflection_id = scrubbed(scope), scrub(reflection_id)
        return await self._near(
            lambda db: sqlite_reflections.by_id(db, scope, reflection_id), whole=True
        )

    async def reflections(
        self,
        scope: Scope,
        *,
        kind: Kind | None = None,
        tags: Sequence[str] = (),
        min_importance: float = 0.0,
        error_type: str | None = None,
        include_retired: bool = False,
        order: Order = "newest",
        limit: int = 10,
        after: Reflection | None = None,
    ) -> Sequence[Reflection]:
        """See `Store.reflections`."""
        scope, error_type, wanted = scrubbed(scope), scrubbed(error_type), scrubbed(tuple(tags))
        few = await self._near(lambda db: sqlite_reflections.are_few(db, wanted))
        way = partial(self._near, whole=True) if few else self._far
        return await way(
            lambda db: sqlite_reflections.listed(
                db,
                scope,
                kind=kind,
                tags=wanted,
                min_importance=min_importance,
                error_type=error_type,
                include_retired=include_retired,
                order=order,
                limit=limit,
                after=after,
            )
        )

    async def find(
        self,
        scope: Scope,
        digests: Sequence[str],
        *,
        signature: str = "",
        limit: int = MOST_HITS,
    ) -> Sequence[Hit]:
        """See `Store.find`."""
        asked = (*scrubbed((scope, tuple(digests), signature)), limit)
        hits = await self._near(lambda db: sqlite_reflections.found(db, *asked))
        if hits is not None:
            return hits
        return await self._near(lambda db: sqlite_reflections.crowded(db, *asked), whole=True)

    async def shortlist(
        self, scope: Scope, features: Sequence[int], *, limit: int = 30
    ) -> Sequence[Reflection]:
        """See `Store.shortlist`."""
        scope = scrubbed(scope)
        return await self._near(
            lambda db: sqlite_reflections.shortlisted(db, scope, features, limit), whole=True
        )

    async def search(
        self, scope: Scope, words: Sequence[str], *, limit: int = 20
    ) -> Sequence[tuple[Reflection, float]]:
        """See `Store.search`."""
        scope, wanted = scrubbed(scope), [scrub(word) for word in words]
        return await self._far(lambda db: sqlite_reflections.searched(db, scope, wanted, limit))

    async def forget(self, scope: Scope, target_id: str) -> bool:
        """See `Store.forget`."""
        scope, target_id = scrubbed(scope), scrub(target_id)
        return await self._erase(lambda db: sqlite_feedback.forget(db, scope, target_id))

    # ----------------------------------------------------------------- looking up, feedback

    async def log_lookup(self, scope: Scope, lookup: Lookup) -> None:
        """See `Store.log_lookup`."""
        scope, lookup = scrubbed(scope), scrubbed(lookup)
        await self._note(scope, lookup, lambda db: sqlite_lookups.log(db, scope, lookup))

    async def lookup(self, scope: Scope, lookup_id: str) -> Lookup | None:
        """See `Store.lookup`."""
        scope, lookup_id = scrubbed(scope), scrub(lookup_id)
        found = await self._near(lambda db: sqlite_lookups.by_id(db, scope, lookup_id))
        if found is not None:
            return found
        waiting = [note for each in scope.readable for note in self._waiting(Lookup, each)]
        return next((note for note in waiting if note.id == lookup_id), None)

    async def lookups(
        self,
        scope: Scope,
        *,
        signature: str | None = None,
        matched_id: str | None = None,
        since: datetime | None = None,
        limit: int = 50,
    ) -> Sequence[Lookup]:
        """See `Store.lookups`."""
        scope, signature, matched = scrubbed(scope), scrubbed(signature), scrubbed(matched_id)
        return await self._far(
            lambda db: sqlite_lookups.listed(
                db, scope, signature=signature, matched_id=matched, since=since, limit=limit
            )
        )

    async def last_shown(
        self, scope: Scope, reflection_id: str, conversation_id: str
    ) -> Lookup | None:
        """See `Store.last_shown`."""
        scope, asked = scrubbed(scope), (scrub(reflection_id), scrub(conversation_id))
        found = await self._near(lambda db: sqlite_lookups.last_shown(db, scope, *asked))
        waiting = [
            note
            for note in self._waiting(Lookup, scope)
            if asked[0] in note.shown and note.conversation_id == asked[1]
        ]
        return waiting[-1] if waiting else found

    async def unresolved(
        self, scope: Scope, *, min_times: int = 2, limit: int = 5
    ) -> Sequence[Unresolved]:
        """See `Store.unresolved`."""
        scope = scrubbed(scope)
        return await self._far(lambda db: sqlite_lookups.unresolved(db, scope, min_times, limit))

    async def met(self, scope: Scope, signature: str) -> ErrorHistory:
        """See `Store.met`."""
        scope, signature = scrubbed(scope), scrub(signature)
        return await self._near(lambda db: sqlite_lookups.met(db, scope, signature))

    async def apply_feedback(self, scope: Scope, feedback: Feedback) -> Effect:
        """See `Store.apply_feedback`."""
        scope, feedback = scrubbed(scope), scrubbed(feedback)
        way = self._erase if feedback.kind == "forget" else self._write
        return await way(lambda db: sqlite_feedback.apply(db, scope, feedback))

    async def votes(
        self,
        scope: Scope,
        *,
        target_id: str | None = None,
        since: datetime | None = None,
        limit: int = 200,
    ) -> Sequence[Vote]:
        """See `Store.votes`."""
        scope, target = scrubbed(scope), scrubbed(target_id)
        return await self._far(lambda db: sqlite_activity.votes(db, scope, target, since, limit))

    async def vetoes(self, scope: Scope, signature: str) -> Mapping[str, str]:
        """See `Store.vetoes`."""
        scope, signature = scrubbed(scope), scrub(signature)
        return await self._near(lambda db: sqlite_feedback.vetoes(db, scope, signature))

    # ----------------------------------------------------------------- what was done

    async def add_step(self, scope: Scope, step: Step) -> None:
        """See `Store.add_step`."""
        scope, step = scrubbed(scope), scrubbed(step)
        await self._note(scope, step, lambda db: sqlite_steps.add(db, scope, step))

    async def steps(self, scope: Scope, conversation_id: str) -> Sequence[Step]:
        """See `Store.steps`."""
        scope, conversation_id = scrubbed(scope), scrub(conversation_id)
        waiting = [
            note for note in self._waiting(Step, scope) if note.conversation_id == conversation_id
        ]
        kept = await self._near(lambda db: sqlite_steps.of_conversation(db, scope, conversation_id))
        known = {step.id for step in kept}
        steps = [*kept, *(step for step in waiting if step.id not in known)]
        return steps[-MOST_STEPS:]

    async def add_showing(self, scope: Scope, showing: Showing) -> None:
        """See `Store.add_showing`."""
        scope, showing = scrubbed(scope), scrubbed(showing)
        await self._note(scope, showing, lambda db: sqlite_showings.add(db, scope, showing))

    async def showings(self, scope: Scope, conversation_id: str) -> Sequence[Showing]:
        """See `Store.showings`."""
        scope, conversation_id = scrubbed(scope), scrub(conversation_id)
        waiting = [
            note
            for note in self._waiting(Showing, scope)
            if note.conversation_id == conversation_id
        ]
        stored = await self._near(
            lambda db: sqlite_showings.of_conversation(db, scope, conversation_id)
        )
        known = {(each.subject_id, each.kind) for each in stored}
        return [*stored, *(each for each in waiting if (each.subject_id, each.kind) not in known)]

    async def count_action(self, scope: Scope, action: FailedAction) -> None:
        """See `Store.count_action`."""
        scope, action = scrubbed(scope), scrubbed(action)
        await self._note(scope, action, lambda db: sqlite_showings.count_action(db, scope, action))

    async def failed_actions(self, scope: Scope, headings: Sequence[str]) -> Sequence[FailedAction]:
        """See `Store.failed_actions`."""
        scope, wanted = scrubbed(scope), scrubbed(tuple(headings))
        return await self._near(lambda db: sqlite_showings.failed_actions(db, scope, wanted))

    # ----------------------------------------------------------------- rows as a whole

    async def stored(
        self, scope: Scope, *, after: str = "", limit: int = 500, only: str = ""
    ) -> Sequence[StoredReflection]:
        """See `Store.stored`."""
        scope, after, only = scrubbed(scope), scrub(after), scrub(only)
        return await self._far(lambda db: sqlite_maintenance.stored(db, scope, after, limit, only))

    async def adopt(
        self, scope: Scope, rows: Sequence[StoredReflection], *, by_hand: bool = False
    ) -> Adopted:
        """See `Store.adopt`."""
        scope, clean = scrubbed(scope), [scrubbed(row) for row in rows]
        return await self._write(lambda db: sqlite_maintenance.adopt(db, scope, clean, by_hand))

    async def move(self, scope: Scope, ids: Sequence[str], project: str) -> Mapping[str, str]:
        """See `Store.move`."""
        scope, wanted, name = scrubbed(scope), scrubbed(tuple(ids)), scrub(project)
        return await self._write(lambda db: sqlite_maintenance.move(db, scope, wanted, name))

    async def history(
        self, scope: Scope, log: Log, *, after: LogRow | None = None, limit: int = 500
    ) -> Sequence[LogRow]:
        """See `Store.history`."""
        scope = scrubbed(scope)
        return await self._far(lambda db: sqlite_history.read(db, scope, log, after, limit))

    async def restore(self, scope: Scope, log: Log, rows: Sequence[LogRow]) -> int:
        """See `Store.restore`."""
        scope = scrubbed(scope)
        return await self._write(lambda db: sqlite_history.restore(db, scope, log, rows))

    async def rewrite(self, scope: Scope, changes: Sequence[Change]) -> tuple[str, ...]:
        """See `Store.rewrite`."""
        scope, clean = scrubbed(scope), [scrubbed(change) for change in changes]
        return await self._write(lambda db: sqlite_maintenance.rewrite(db, scope, clean))

    async def verdicts(self, scope: Scope) -> Sequence[VoteTally]:
        """See `Store.verdicts`."""
        scope = scrubbed(scope)
        return await self._far(lambda db: sqlite_maintenance.verdicts(db, scope))

    # ----------------------------------------------------------------- the whole

    async def count(self, scope: Scope, kind: Kind) -> int:
        """See `Store.count`."""
        scope = scrubbed(scope)
        return await self._near(lambda db: sqlite_stats.rows_counted(db, scope, kind))

    async def stats(self, scope: Scope) -> Stats:
        """See `Store.stats`."""
        scope = scrubbed(scope)
        return await self._far(lambda db: sqlite_stats.counted(db, scope))

    async def activity(self, scope: Scope, first: date, last: date) -> Sequence[DailyActivity]:
        """See `Store.activity`."""
        scope = scrubbed(scope)
        return await self._far(lambda db: sqlite_activity.activity(db, scope, first, last))

    async def daily_lookups(
        self, scope: Scope, reflection_ids: Sequence[str], *, since: datetime
    ) -> Mapping[str, Mapping[date, int]]:
        """See `Store.daily_lookups`."""
        scope, ids = scrubbed(scope), scrubbed(tuple(reflection_ids))
        return await self._far(lambda db: sqlite_activity.daily_lookups(db, scope, ids, since))

    async def track_records(self, scope: Scope, *, since: datetime) -> Mapping[str, TrackRecord]:
        """See `Store.track_records`."""
        scope = scrubbed(scope)
        return await self._far(lambda db: sqlite_activity.track_records(db, scope, since))

    async def places(self, tenant: str) -> Mapping[str, Stats]:
        """See `Store.places`."""
        tenant = scrub(tenant)
        return await self._far(lambda db: sqlite_stats.places(db, tenant))
