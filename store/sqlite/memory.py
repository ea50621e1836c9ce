"""A store that lives and ends with its process: one connection, and no file behind it.

Rule of this module: nobody else can be in the way, so whatever is asked for is done at once, by
whoever asks, with the statements of a store in a file.
"""

import sqlite3
from collections.abc import Callable
from functools import cache

from reflection_mcp.store.contract import Writes
from reflection_mcp.store.errors import StoreUnavailable
from reflection_mcp.store.records import Scope
from reflection_mcp.store.sql.db import Work
from reflection_mcp.store.sql.store import Note, SqlStore, SqlWrites, T
from reflection_mcp.store.sqlite import file, schema
from reflection_mcp.store.sqlite.db import SqliteDb, now
from reflection_mcp.store.sqlite.store import body_of
from reflection_mcp.store.sqlite.transaction import in_transaction
from reflection_mcp.store.state import Health


@cache
def _empty() -> sqlite3.Connection:
    """An empty store, to be copied: its forty statements take ten times as long as a copy."""
    db = file.connect_memory()
    schema.make(db)
    return db


class MemoryStore(SqlStore):
    """A `Store` in memory."""

    def __init__(self) -> None:
        self._db = file.connect_memory()
        self._closed = False
        _empty().backup(self._db)

    def __del__(self) -> None:
        """Forget everything, if nobody said so."""
        self._db.close()

    async def close(self) -> None:
        """Forget everything."""
        self._closed = True
        self._db.close()

    def hasty(self, wait: float) -> "MemoryStore":
        """Return the store itself: there is nobody to wait for."""
        return self

    async def health(self) -> Health:
        """Return a healthy state, with the note that nothing outlives the process."""
        self._check()
        return Health(
            backend="memory",
            location="memory:",
            writable=True,
            schema=schema.version(),
            engine=f"SQLite {sqlite3.sqlite_version}",
            size_bytes=0,
            notes=("everything is lost when the process ends",),
        )

    def _check(self) -> None:
        if self._closed:
            raise StoreUnavailable("the store is closed", "open it again")

    async def near(self, scope: Scope, work: Work[T], *, whole: bool = False) -> T:
        self._check()
        return body_of(scope, work)(self._db)

    far = near

    async def write(self, scope: Scope, work: Work[T]) -> T:
        self._check()
        body = body_of(scope, work)
        return in_transaction(self._db, lambda db: (body(db), 1))[0]

    erase = write

    async def note(self, scope: Scope, note: Note, work: Work[None]) -> None:
        await self.write(scope, work)

    async def transaction(self, scope: Scope, work: Callable[[Writes], T]) -> T:
        """See `Store.transaction`."""

        async def done(db: SqliteDb) -> T:
            return work(SqlWrites(db, now))

        return await self.write(scope, done)
