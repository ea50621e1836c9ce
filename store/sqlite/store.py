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
from collections.abc import Callable
from contextlib import suppress
from copy import copy
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from reflection_mcp.store.contract import Writes
from reflection_mcp.store.errors import StoreBusy, StoreUnavailable
from reflection_mcp.store.records import Scope
from reflection_mcp.store.scrub import scrubbed
from reflection_mcp.store.sql.db import Work
from reflection_mcp.store.sql.store import Note, SqlStore, SqlWrites
from reflection_mcp.store.sqlite import statements
from reflection_mcp.store.sqlite.db import SqliteDb, now
from reflection_mcp.store.sqlite.errors import is_busy, named
from reflection_mcp.store.sqlite.group_commit import commit_group
from reflection_mcp.store.sqlite.health import examined
from reflection_mcp.store.sqlite.notes import Notes
from reflection_mcp.store.sqlite.session import Session
from reflection_mcp.store.sqlite.store_worker import StoreWorker
from reflection_mcp.store.sqlite.transaction import Body
from reflection_mcp.store.state import Health

T = TypeVar("T")

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


def body_of(scope: Scope, work: Work[T]) -> Body[T]:
    """The work for a scope as work with a bare connection."""
    clean = scrubbed(scope)
    return lambda connection: now(work(SqliteDb(connection, clean, statements)))


class SqliteStore(SqlStore):
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
        self._check()
        front = copy(self)
        front._wait = min(wait, self._wait)
        return front

    # ----------------------------------------------------------------- where work is done

    def _check(self) -> None:
        if self._closed:
            raise StoreUnavailable("the store is closed", "open it again")
        if os.getpid() != self._process:
            raise StoreUnavailable(
                "the store was opened before this process was forked",
                "open it again in the new process",
            )

    async def write(self, scope: Scope, work: Work[T]) -> T:
        self._check()
        self._notes.hand_over()
        return await self._writer.write(body_of(scope, work), self._wait)

    async def erase(self, scope: Scope, work: Work[T]) -> T:
        self._check()
        self._notes.hand_over()
        body = body_of(scope, work)
        return await self._writer.run(lambda turn: self._session.erase(turn, body), self._wait)

    async def near(self, scope: Scope, work: Work[T], *, whole: bool = False) -> T:
        self._check()
        await self._notes.settled()
        try:
            return self._session.near(body_of(scope, work), whole=whole)
        except sqlite3.Error as error:
            if not is_busy(error):
                if (known := named(error)) is not None:
                    raise known from error
                raise
        return await self.far(scope, work)

    async def far(self, scope: Scope, work: Work[T]) -> T:
        self._check()
        await self._notes.settled()
        body = body_of(scope, work)
        return await self._reader.run(lambda turn: self._session.far(turn, body), self._wait)

    async def note(self, scope: Scope, note: Note, work: Work[None]) -> None:
        self._check()
        self._notes.take(body_of(scope, work))

    async def close(self) -> None:
        if self._closed or os.getpid() != self._process:
            return  # the files of a forked process are its parent's to close
        self._closed = True
        wait = min(FAREWELL, self._wait)
        if wait < FAREWELL:
            await self._notes.settled()  # a machine that is busy keeps no note out
        self._notes.hand_over()
        self._session.interrupt()
        with suppress(StoreBusy):  # what is committed is safe; the system releases the rest
            await self._reader.run(lambda turn: self._session.close_readers(), wait)
            await self._writer.run(self._session.close_writer, wait)
        self._notes.give_up()
        self._reader.stop()
        self._writer.stop()

    async def health(self) -> Health:
        self._check()
        await self._notes.settled()
        seen = await self._reader.run(lambda turn: examined(self._session, turn), self._wait)
        return replace(seen, notes=(*seen.notes, *self._notes.told()))

    async def transaction(self, scope: Scope, work: Callable[[Writes], T]) -> T:
        async def done(db: SqliteDb) -> T:
            return work(SqlWrites(db, now))

        return await self.write(scope, done)
