"""The undo journal: what undoes the last consolidation of a scope, and when one last ran.

Rules of this module: it is written in the transaction that carries out a plan. What is deleted for
good is taken out of it, too. Changes stand in it as in an archive: a row before, a row after.
"""

from collections.abc import Collection, Sequence
from datetime import datetime

from reflection_mcp.store.errors import StoreCorrupt
from reflection_mcp.store.maintenance import Change, placed
from reflection_mcp.store.sql.db import Db, Statement, first

_READ = Statement("SELECT c.changes FROM consolidation c WHERE c.tenant = $1 AND c.place = $2")
_HELD = Statement(f"{_READ} FOR UPDATE")
_SAVED = Statement(
    "INSERT INTO consolidation(tenant, place, changes, ran)"
    " VALUES($1, $2, $3, to_timestamp($4::double precision))"
    " ON CONFLICT(tenant, place) DO UPDATE SET changes = excluded.changes, ran = excluded.ran"
)
_LEFT = Statement("UPDATE consolidation AS c SET changes = $3 WHERE c.tenant = $1 AND c.place = $2")
_CLAIMED = Statement(
    "INSERT INTO consolidation AS c(tenant, place, changes, ran)"
    " VALUES($1, $2, '', to_timestamp($3::double precision))"
    " ON CONFLICT(tenant, place) DO UPDATE SET ran = excluded.ran"
    " WHERE c.ran <= to_timestamp($4::double precision) RETURNING place"
)


async def save(db: Db, changes: Sequence[Change], at: datetime) -> None:
    """Store what undoes these changes, in place of what was there before."""
    await db.rows(_SAVED, db.place, _text_of(changes), at.timestamp())


async def changes_undone(db: Db) -> Sequence[Change]:
    """See `Store.changes_undone`."""
    row = await first(db, _READ, db.place)
    try:
        return [] if row is None else [change.reversed for change in _changes_in(db, row[0])]
    except ValueError as damage:
        raise StoreCorrupt(
            "the undo of the last consolidation cannot be read",
            "restore the store from a backup; the lessons were not changed",
        ) from damage


async def leave_out(db: Db, ids: Collection[str]) -> None:
    """Take out rows that are deleted or moved; of what cannot be read nothing stays."""
    row = await first(db, _HELD, db.place)
    if row is None or not row[0]:
        return
    try:
        changes = _changes_in(db, row[0])
    except ValueError:
        changes = []
    left = [change for change in changes if change.before.reflection.id not in ids]
    await db.rows(_LEFT, db.place, _text_of(left))


async def empty(db: Db) -> None:
    """Take everything out."""
    await db.rows(_LEFT, db.place, "")


async def claim_consolidation(db: Db, *, at: datetime, since: datetime) -> bool:
    """See `Store.claim_consolidation`."""
    return bool(await db.rows(_CLAIMED, db.place, at.timestamp(), since.timestamp()))


def _text_of(changes: Sequence[Change]) -> str:
    from reflection_mcp.store import archive  # seldom

    return "\n".join(archive.line_of(row) for each in changes for row in (each.before, each.after))


def _changes_in(db: Db, text: str) -> list[Change]:
    from reflection_mcp.store import archive

    rows = [placed(db.scope, row) for row in archive.rows_of_lines(text.split("\n"))]
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return [Change(before=before, after=after) for before, after in pairs]
