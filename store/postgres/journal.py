"""The undo journal of a project in PostgreSQL: the lines of the file beside a store, in a row.

Rule: as of the file. It is written before a plan is applied, it says when a consolidation last ran,
and what is deleted for good is taken out of it.
"""

from collections.abc import Awaitable, Collection, Sequence
from datetime import UTC, datetime
from typing import Any, Protocol

from reflection_mcp.store.journal import Journal, changes_in, lines_of
from reflection_mcp.store.maintenance import Change
from reflection_mcp.store.postgres.connections import PostgresDb
from reflection_mcp.store.record import record
from reflection_mcp.store.records import Scope
from reflection_mcp.store.sql.db import Statement, Work, first

_READ = Statement(
    "SELECT c.changes, c.ran FROM consolidation c WHERE c.tenant = $1 AND c.place = $2"
)
_HELD = Statement(f"{_READ} FOR UPDATE")
_WRITTEN = Statement(
    "INSERT INTO consolidation(tenant, place, changes, ran) VALUES($1, $2, $3, now())"
    " ON CONFLICT(tenant, place) DO UPDATE SET changes = excluded.changes, ran = excluded.ran"
)
_RAN = Statement(
    "INSERT INTO consolidation(tenant, place, changes, ran) VALUES($1, $2, '', now())"
    " ON CONFLICT(tenant, place) DO UPDATE SET ran = excluded.ran"
)
_LEFT = Statement("UPDATE consolidation c SET changes = $3 WHERE c.tenant = $1 AND c.place = $2")


class InTransaction(Protocol):
    """Does some work with a connection, in one transaction."""

    def __call__(self, scope: Scope, work: Work[Any], /) -> Awaitable[Any]:
        """Do it."""
        ...


@record(frozen=True, slots=True, kw_only=True)
class PostgresJournal(Journal):
    """The journal of one scope; its methods raise nothing but a `StoreError`."""

    run: InTransaction

    @property
    def kept(self) -> bool:
        """True."""
        return True

    async def write(self, changes: Sequence[Change]) -> None:
        """See `Journal.write`."""
        text = "".join(lines_of(changes))
        await self.run(self.scope, lambda db: db.rows(_WRITTEN, db.place, text))

    async def leave_out(self, ids: Collection[str]) -> None:
        """See `Journal.leave_out`."""

        async def left(db: PostgresDb) -> None:
            row = await first(db, _HELD, db.place)
            if row is None:
                return
            try:
                changes = changes_in(row[0].splitlines(), self.scope)
            except ValueError:
                changes = ()
            kept = [each for each in changes if each.before.reflection.id not in ids]
            await db.rows(_LEFT, db.place, "".join(lines_of(kept)))

        await self.run(self.scope, left)

    async def mark_run(self) -> None:
        """See `Journal.mark_run`."""
        await self.run(self.scope, lambda db: db.rows(_RAN, db.place))

    async def last_run(self) -> datetime | None:
        """See `Journal.last_run`."""
        row = await self._row()
        return None if row is None else row[1].astimezone(UTC)

    async def _changes(self) -> Sequence[Change]:
        row = await self._row()
        return () if row is None else changes_in(row[0].splitlines(), self.scope)

    async def _row(self) -> Any:
        return await self.run(self.scope, lambda db: first(db, _READ, db.place))
