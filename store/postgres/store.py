"""A store in PostgreSQL, shared by any number of machines.

Rules of this module. Whatever can be one statement is one, and needs no transaction; everything
else is one transaction. Look-ups, steps and other notes go through connections of their own, which
do not wait for the disk of the server: they outlive the death of any process, and a crash of the
server costs those of its last half second. Whoever waits no longer than `wait` says so to the
server, which then ends the statement, so that what was refused was not done.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from copy import copy
from typing import Any, TypeVar

from reflection_mcp.store.contract import Writes
from reflection_mcp.store.errors import StoreError
from reflection_mcp.store.interactions import Lookup
from reflection_mcp.store.postgres import (
    counts,
    recording,
    reflections,
    schema,
    statements,
    stats,
    tallies,
)
from reflection_mcp.store.postgres.connections import SETTINGS, Connections, PostgresDb
from reflection_mcp.store.postgres.location import connect, shown, without_pooler
from reflection_mcp.store.postgres.write_queue import WriteQueue
from reflection_mcp.store.records import Attempt, Observation, RecordResult, Reflection, Scope
from reflection_mcp.store.scrub import scrubbed
from reflection_mcp.store.sql import attempts
from reflection_mcp.store.sql import recording as sql_recording
from reflection_mcp.store.sql.db import Work
from reflection_mcp.store.sql.store import Note, SqlStore, SqlWrites, cleaned, quick
from reflection_mcp.store.state import Health

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
            lambda: connect(url, cached=not pooled, **settings),
            most,
            statements,
            pooled=pooled,
            settings=also,
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


class PostgresStore(SqlStore):
    """A `Store` in a PostgreSQL database; made by `open_postgres`."""

    def __init__(self, durable: Connections, light: Connections, url: str, wait: float) -> None:
        self._durable = durable
        self._light = light
        self._url = url
        self._wait = wait
        self._places: set[tuple[Connections, Scope]] = set()
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

    # ----------------------------------------------------------------- where work is done

    async def near(self, scope: Scope, work: Work[T], *, whole: bool = False) -> T:
        return await self._durable.run(scrubbed(scope), self._wait, work)

    async def far(self, scope: Scope, work: Work[T]) -> T:
        return await self.near(scope, work)

    async def write(self, scope: Scope, work: Work[T], *, whole: bool = True) -> T:
        return await self._written(self._durable, scope, work, whole, self._wait)

    erase = write

    async def note(self, scope: Scope, note: Note, work: Work[None]) -> None:
        whole = not isinstance(note, Lookup)  # which is one statement
        await self._written(self._light, scope, work, whole, self._wait)
        if isinstance(note, Lookup):
            await self._folded(scope, [note.id])

    async def _written(
        self, connections: Connections, scope: Scope, work: Work[T], whole: bool, wait: float
    ) -> T:
        scope = scrubbed(scope)

        async def placed(db: PostgresDb) -> T:
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

    async def check(self) -> None:
        """See that the schema is ours.

        Raises:
            StoreError: it is not, or the database cannot be asked.
        """

        async def versioned(db: PostgresDb) -> int:
            return await schema.found_version(db.connection)

        schema.check_version(await self.near(Scope(), versioned))

    async def health(self) -> Health:
        """See `Store.health`."""

        about: list[Any] = ["", False, 0, True, 0]
        problems: list[str] = []
        try:
            about = await self.near(Scope(), stats.about)
        except StoreError as error:
            if self._durable.closed:
                raise
            problems = [f"{error.message}: {error.hint}"]
        engine, writable, size, held, found = about
        notes = [] if held else ["row level security does not apply to this user"]
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
        """See `Store.transaction`: the work waits in a thread, and what it asks for is done here,
        while others are served."""
        events: list[str] = []
        loop = asyncio.get_running_loop()

        async def done(db: PostgresDb) -> T:
            events.clear()  # it is done again
            return await asyncio.to_thread(
                work,
                SqlWrites(
                    db, lambda each: asyncio.run_coroutine_threadsafe(each, loop).result(), events
                ),
            )

        result = await self.write(scope, done)
        await self._folded(scope, events)
        return result

    # ----------------------------------------------------------------- in one statement

    reflection = quick(reflections.by_id)

    async def add_attempt(self, scope: Scope, /, attempt: Attempt, *, event_id: str) -> Attempt:
        work = cleaned(attempts.add, (attempt,), {"event_id": event_id})
        return await self.write(scope, work, whole=False)

    async def record(self, scope: Scope, observation: Observation) -> RecordResult:
        clean = scrubbed(observation)

        async def alone() -> RecordResult:
            done = await self.write(scope, lambda db: recording.at_once(db, clean), whole=False)
            if done is None:
                done = await self.write(scope, lambda db: sql_recording.record(db, clean))
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

    async def search(
        self, scope: Scope, words: Sequence[str], *, limit: int = 20
    ) -> Sequence[tuple[Reflection, float]]:
        return await SqlStore.search(self.hasty(SEARCH), scope, words, limit=limit)
