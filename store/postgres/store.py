"""A store in PostgreSQL, shared by any number of machines.

Rules of this module. Whatever can be one statement is one, and needs no transaction; everything
else is one transaction. Look-ups, steps and other notes go through connections of their own, which
do not wait for the disk of the server: they outlive the death of any process, and a crash of the
server costs those of its last half second. Whoever waits no longer than `wait` says so to the
server, which then ends the statement, so that what was refused was not done.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from copy import copy
from datetime import date, datetime
from typing import Any, TypeVar

from reflection_mcp.store.contract import MOST_HITS, Order, Writes
from reflection_mcp.store.errors import StoreError
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
from reflection_mcp.store.postgres import (
    activity,
    attempts,
    counts,
    history,
    lookups,
    maintenance,
    recording,
    reflections,
    schema,
    stats,
    tallies,
    trail,
)
from reflection_mcp.store.postgres import feedback as postgres_feedback
from reflection_mcp.store.postgres.connections import (
    SETTINGS,
    Connections,
    Db,
    Work,
)
from reflection_mcp.store.postgres.journal import PostgresJournal
from reflection_mcp.store.postgres.location import connect, shown, without_pooler
from reflection_mcp.store.postgres.write_queue import WriteQueue
from reflection_mcp.store.postgres.writes import PostgresWrites
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
from reflection_mcp.store.state import DailyActivity, Health, Stats, TrackRecord, Vote

T = TypeVar("T")

MOST_CONNECTIONS = 16
MOST_LIGHT = 4
"""Connections of one process at once, for what must last and for notes."""

SEARCH = 2.0
"""Seconds that a search by words may take: a million rows that all have them take longer."""


async def open_postgres(location: str, *, wait: float, read_only: bool = False) -> "PostgresStore":
    """Open the store in a database; see `open_store`. Its tables are made by `migrate` only."""
    url, pooled = without_pooler(location)
    read = {"default_transaction_read_only": "on"} if read_only else {}
    said = "SET TRANSACTION READ ONLY;" if read_only else ""

    def connections(most: int, light: bool) -> Connections:
        lightly = {"synchronous_commit": "off"} if light else {}
        settings = {} if pooled else {**SETTINGS, **read, **lightly}
        also = f"{said} SET LOCAL synchronous_commit = off" if light else said
        return Connections(
            lambda: connect(url, cached=not pooled, **settings), most, pooled=pooled, settings=also
        )

    store = PostgresStore(
        connections(MOST_CONNECTIONS, False), connections(MOST_LIGHT, True), url, wait
    )
    try:
        await store.check()
    except BaseException:
        await store.close()
        raise
    return store


class PostgresStore:
    """A `Store` in a PostgreSQL database; made by `open_postgres`."""

    def __init__(self, durable: Connections, light: Connections, url: str, wait: float) -> None:
        self._durable = durable
        self._light = light
        self._url = url
        self._wait = wait
        self._places: set[tuple[Connections, Scope]] = set()
        self._crowds = reflections.Crowds()
        self._queue = WriteQueue(self._counted)

    def hasty(self, wait: float) -> "PostgresStore":
        """See `Store.hasty`."""
        front = copy(self)
        front._wait = min(wait, self._wait)
        return front

    async def close(self) -> None:
        """See `Store.close`."""
        await self._durable.close()
        await self._light.close()

    # ----------------------------------------------------------------- the ways in

    async def _read(self, scope: Scope, work: Work[T], wait: float | None = None) -> T:
        patience = self._wait if wait is None else min(wait, self._wait)
        return await self._durable.run(scrubbed(scope), patience, work)

    async def _write(self, scope: Scope, work: Work[T], *, whole: bool = True) -> T:
        return await self._written(self._durable, scope, work, whole, self._wait)

    async def _note(self, scope: Scope, work: Work[T]) -> T:
        return await self._written(self._light, scope, work, False, self._wait)

    async def _written(
        self, connections: Connections, scope: Scope, work: Work[T], whole: bool, wait: float
    ) -> T:
        scope = scrubbed(scope)

        async def placed(db: Db) -> T:
            if (connections, scope) not in self._places:
                await db.found()
            return await work(db)

        done = await connections.run(scope, wait, placed, whole=whole)
        self._places.add((connections, scope))
        return done

    async def _folded(self, scope: Scope, event_ids: Sequence[str]) -> None:
        """Fold the tally if one of these events says so; what it was for is done already."""
        if any(map(tallies.is_due, event_ids)):
            with suppress(StoreError):
                await self._light.run(scrubbed(scope), self._wait, tallies.fold)

    def journal(self, scope: Scope) -> PostgresJournal:
        """Return the journal of the consolidations of a scope."""
        return PostgresJournal(scope=scope, run=self._write)

    async def check(self) -> None:
        """See that the schema is ours.

        Raises:
            StoreError: it is not, or the database cannot be asked.
        """

        async def versioned(db: Db) -> int:
            return await schema.found_version(db.connection)

        schema.check_version(await self._read(Scope(), versioned))

    async def health(self) -> Health:
        """See `Store.health`."""

        about: list[Any] = ["", False, 0, True, 0]
        problems: list[str] = []
        try:
            about = await self._read(Scope(), stats.about)
        except StoreError as error:
            if self._durable.closed:
                raise
            problems = [f"{error.message}: {error.hint}"]
        engine, writable, size, held, found = about
        notes = [] if held else ["row level security does not hold this user"]
        return Health(
            backend="postgresql",
            location=shown(self._url),
            writable=writable,
            schema=found,
            engine=f"PostgreSQL {engine}".strip(),
            size_bytes=size,
            problems=tuple(problems),
            notes=tuple(notes),
        )

    async def transaction(self, scope: Scope, work: Callable[[Writes], T]) -> T:
        """See `Store.transaction`."""
        events: list[str] = []
        loop = asyncio.get_running_loop()

        async def done(db: Db) -> T:
            return await asyncio.to_thread(work, PostgresWrites(db, loop, events))

        result = await self._write(scope, done)
        await self._folded(scope, events)
        return result

    # ----------------------------------------------------------------- attempts

    async def add_attempt(self, scope: Scope, attempt: Attempt, *, event_id: str) -> Attempt:
        """See `Store.add_attempt`."""
        clean, event = scrubbed(attempt), scrub(event_id)
        return await self._write(scope, lambda db: attempts.add(db, clean, event), whole=False)

    async def attempt(self, scope: Scope, attempt_id: str) -> Attempt | None:
        """See `Store.attempt`."""
        return await self._read(scope, lambda db: attempts.by_id(db, scrub(attempt_id)))

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
        return await self._read(
            scope,
            lambda db: attempts.listed(
                db,
                conversation_id=scrubbed(conversation_id),
                max_quality=max_quality,
                since=since,
                limit=limit,
            ),
        )

    # ----------------------------------------------------------------- reflections

    async def record(self, scope: Scope, observation: Observation) -> RecordResult:
        """See `Store.record`."""
        clean = scrubbed(observation)

        async def alone() -> RecordResult:
            done = await self._write(scope, lambda db: recording.fast(db, clean), whole=False)
            if done is None:
                done = await self._write(scope, lambda db: recording.record(db, clean))
            return done

        event = (clean.event_id, clean.reflection.kind)
        done = await self._queue.done((scope, self._wait), clean, event, self._wait, alone)
        await self._folded(scope, [clean.event_id])
        return done

    async def _counted(
        self, key: tuple[Scope, float], observations: Sequence[Observation]
    ) -> Sequence[RecordResult | None]:
        scope, wait = key
        return await self._written(
            self._durable, scope, lambda db: counts.together(db, observations), False, wait
        )

    async def reflection(self, scope: Scope, reflection_id: str) -> Reflection | None:
        """See `Store.reflection`."""
        return await self._read(scope, lambda db: reflections.by_id(db, scrub(reflection_id)))

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
        return await self._read(
            scope,
            lambda db: reflections.listed(
                db,
                kind=kind,
                tags=scrubbed(tuple(tags)),
                min_importance=min_importance,
                error_type=scrubbed(error_type),
                include_retired=include_retired,
                order=order,
                limit=limit,
                after=scrubbed(after),
            ),
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
        asked = (scrubbed(tuple(digests)), scrub(signature), limit)
        return await self._read(scope, lambda db: reflections.by_digests(db, *asked))

    async def shortlist(
        self, scope: Scope, features: Sequence[int], *, limit: int = 30
    ) -> Sequence[Reflection]:
        """See `Store.shortlist`."""
        return await self._read(
            scope, lambda db: reflections.shortlisted(db, features, limit, self._crowds)
        )

    async def search(
        self, scope: Scope, words: Sequence[str], *, limit: int = 20
    ) -> Sequence[tuple[Reflection, float]]:
        """See `Store.search`."""
        wanted = [scrub(word) for word in words]
        return await self._read(scope, lambda db: reflections.searched(db, wanted, limit), SEARCH)

    async def forget(self, scope: Scope, target_id: str) -> bool:
        """See `Store.forget`."""
        return await self._write(scope, lambda db: postgres_feedback.forget(db, scrub(target_id)))

    # ----------------------------------------------------------------- looking up, feedback

    async def log_lookup(self, scope: Scope, lookup: Lookup) -> None:
        """See `Store.log_lookup`."""
        clean = scrubbed(lookup)
        await self._note(scope, lambda db: lookups.log(db, clean))
        await self._folded(scope, [clean.id])

    async def lookup(self, scope: Scope, lookup_id: str) -> Lookup | None:
        """See `Store.lookup`."""
        return await self._read(scope, lambda db: lookups.by_id(db, scrub(lookup_id)))

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
        return await self._read(
            scope,
            lambda db: lookups.listed(
                db,
                signature=scrubbed(signature),
                matched_id=scrubbed(matched_id),
                since=since,
                limit=limit,
            ),
        )

    async def last_shown(
        self, scope: Scope, reflection_id: str, conversation_id: str
    ) -> Lookup | None:
        """See `Store.last_shown`."""
        asked = (scrub(reflection_id), scrub(conversation_id))
        return await self._read(scope, lambda db: lookups.last_shown(db, *asked))

    async def unresolved(
        self, scope: Scope, *, min_times: int = 2, limit: int = 5
    ) -> Sequence[Unresolved]:
        """See `Store.unresolved`."""
        return await self._read(scope, lambda db: lookups.unresolved(db, min_times, limit))

    async def met(self, scope: Scope, signature: str) -> ErrorHistory:
        """See `Store.met`."""
        return await self._read(scope, lambda db: lookups.met(db, scrub(signature)))

    async def apply_feedback(self, scope: Scope, feedback: Feedback) -> Effect:
        """See `Store.apply_feedback`."""
        clean = scrubbed(feedback)
        return await self._write(scope, lambda db: postgres_feedback.apply(db, clean))

    async def votes(
        self,
        scope: Scope,
        *,
        target_id: str | None = None,
        since: datetime | None = None,
        limit: int = 200,
    ) -> Sequence[Vote]:
        """See `Store.votes`."""
        asked = (scrubbed(target_id), since, limit)
        return await self._read(scope, lambda db: activity.votes(db, *asked))

    async def vetoes(self, scope: Scope, signature: str) -> Mapping[str, str]:
        """See `Store.vetoes`."""
        return await self._read(scope, lambda db: postgres_feedback.vetoes(db, scrub(signature)))

    # ----------------------------------------------------------------- what was done

    async def add_step(self, scope: Scope, step: Step) -> None:
        """See `Store.add_step`."""
        clean = scrubbed(step)
        await self._note(scope, lambda db: trail.add_step(db, clean))

    async def steps(self, scope: Scope, conversation_id: str) -> Sequence[Step]:
        """See `Store.steps`."""
        return await self._read(scope, lambda db: trail.steps(db, scrub(conversation_id)))

    async def add_showing(self, scope: Scope, showing: Showing) -> None:
        """See `Store.add_showing`."""
        clean = scrubbed(showing)
        await self._note(scope, lambda db: trail.add_showing(db, clean))

    async def showings(self, scope: Scope, conversation_id: str) -> Sequence[Showing]:
        """See `Store.showings`."""
        return await self._read(scope, lambda db: trail.showings(db, scrub(conversation_id)))

    async def count_action(self, scope: Scope, action: FailedAction) -> None:
        """See `Store.count_action`."""
        clean = scrubbed(action)
        await self._note(scope, lambda db: trail.count_action(db, clean))

    async def failed_actions(self, scope: Scope, headings: Sequence[str]) -> Sequence[FailedAction]:
        """See `Store.failed_actions`."""
        wanted = scrubbed(tuple(headings))
        return await self._read(scope, lambda db: trail.failed_actions(db, wanted))

    # ----------------------------------------------------------------- rows as a whole

    async def stored(
        self, scope: Scope, *, after: str = "", limit: int = 500, only: str = ""
    ) -> Sequence[StoredReflection]:
        """See `Store.stored`."""
        asked = (scrub(after), limit, scrub(only))
        return await self._read(scope, lambda db: maintenance.stored(db, *asked))

    async def adopt(
        self, scope: Scope, rows: Sequence[StoredReflection], *, by_hand: bool = False
    ) -> Adopted:
        """See `Store.adopt`."""
        clean = [scrubbed(row) for row in rows]
        return await self._write(scope, lambda db: maintenance.adopt(db, clean, by_hand))

    async def move(self, scope: Scope, ids: Sequence[str], project: str) -> Mapping[str, str]:
        """See `Store.move`."""
        wanted, name = scrubbed(tuple(ids)), scrub(project)
        return await self._write(scope, lambda db: maintenance.move(db, wanted, name))

    async def history(
        self, scope: Scope, log: Log, *, after: LogRow | None = None, limit: int = 500
    ) -> Sequence[LogRow]:
        """See `Store.history`."""
        return await self._read(scope, lambda db: history.read(db, log, after, limit))

    async def restore(self, scope: Scope, log: Log, rows: Sequence[LogRow]) -> int:
        """See `Store.restore`."""
        return await self._write(scope, lambda db: history.restore(db, log, rows))

    async def rewrite(self, scope: Scope, changes: Sequence[Change]) -> tuple[str, ...]:
        """See `Store.rewrite`."""
        clean = [scrubbed(change) for change in changes]
        return await self._write(scope, lambda db: maintenance.rewrite(db, clean))

    async def verdicts(self, scope: Scope) -> Sequence[VoteTally]:
        """See `Store.verdicts`."""
        return await self._read(scope, maintenance.verdicts)

    # ----------------------------------------------------------------- the whole

    async def stats(self, scope: Scope) -> Stats:
        """See `Store.stats`."""
        return await self._read(scope, stats.counted)

    async def count(self, scope: Scope, kind: Kind) -> int:
        """See `Store.count`."""
        return await self._read(scope, lambda db: stats.rows_counted(db, kind))

    async def activity(self, scope: Scope, first: date, last: date) -> Sequence[DailyActivity]:
        """See `Store.activity`."""
        return await self._read(scope, lambda db: activity.activity(db, first, last))

    async def daily_lookups(
        self, scope: Scope, reflection_ids: Sequence[str], *, since: datetime
    ) -> Mapping[str, Mapping[date, int]]:
        """See `Store.daily_lookups`."""
        ids = scrubbed(tuple(reflection_ids))
        return await self._read(scope, lambda db: activity.daily_lookups(db, ids, since))

    async def track_records(self, scope: Scope, *, since: datetime) -> Mapping[str, TrackRecord]:
        """See `Store.track_records`."""
        return await self._read(scope, lambda db: activity.track_records(db, since))

    async def places(self, tenant: str) -> Mapping[str, Stats]:
        """See `Store.places`."""
        return await self._read(Scope(tenant=tenant), stats.places)
