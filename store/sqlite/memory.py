"""A store that lives and ends with its process: one connection, and no file behind it.

Rule of this module: nobody else can be in the way, so whatever is asked for is done at once, by
whoever asks, with the statements of a store in a file.
"""

import sqlite3
from collections.abc import Iterator
from functools import cache

from reflection_mcp.store.errors import StoreUnavailable
from reflection_mcp.store.records import Scope
from reflection_mcp.store.sqlite import file, schema
from reflection_mcp.store.sqlite.notes import Note, Noted
from reflection_mcp.store.sqlite.store import Body, SqliteStore, T
from reflection_mcp.store.sqlite.transaction import in_transaction
from reflection_mcp.store.state import Health


@cache
def _empty() -> sqlite3.Connection:
    """An empty store, to be copied: its forty statements take ten times as long as a copy."""
    db = file.connect_memory()
    schema.migrate(db)
    return db


class MemoryStore(SqliteStore):
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
            notes=("everything is forgotten when the process ends",),
        )

    def _check(self) -> None:
        if self._closed:
            raise StoreUnavailable("the store is closed", "open it again")

    async def _write(self, body: Body[T]) -> T:
        self._check()
        return in_transaction(self._db, lambda db: (body(db), 1))[0]

    _erase = _write

    async def _near(self, body: Body[T], *, whole: bool = False) -> T:
        self._check()
        return body(self._db)

    _far = _near

    async def _note(self, scope: Scope, note: Note, body: Body[None]) -> None:
        await self._write(body)

    def _waiting(self, kind: type[Noted], scope: Scope) -> Iterator[Noted]:
        return iter(())
