"""Counters of a whole project: added to as lines that only grow, and folded into one row later.

Rule of this module: no writer waits for another one because of a sum. One row a project would cost
three quarters of the counts that 64 clients can write (measured). What is read is the sum of both.
"""

from collections.abc import Sequence
from zlib import crc32

from reflection_mcp.store.postgres.connections import PostgresDb
from reflection_mcp.store.rows import ReflectionRow
from reflection_mcp.store.sql.db import Statement

FOLD_EVERY = 256
"""One event in so many folds, by the checksum of its id: no writer counts the lines."""
MOST_FOLDED = 2000

_SUMS = "reflections, occurrences, shown, helped, failed, recurred"
_COLUMNS = f"tenant, place, kind, {_SUMS}"
INTO = f"INSERT INTO tally_delta({_COLUMNS})"
_ADDED = Statement(f"{INTO} VALUES($1, $2, $3, $4, $5, $6, $7, $8, $9)")
_FOLDED = Statement(
    "WITH gone AS (DELETE FROM tally_delta d WHERE d.tenant = $1 AND d.place = $2"
    "  AND d.ctid = ANY(ARRAY(SELECT o.ctid FROM tally_delta o WHERE o.tenant = $1 AND o.place = $2"
    "   LIMIT $3 FOR UPDATE SKIP LOCKED)) RETURNING d.*)"
    f" INSERT INTO tally AS t({_COLUMNS}) SELECT $1, $2, g.kind, "
    + ", ".join(f"sum(g.{name})" for name in _SUMS.split(", "))
    + " FROM gone g GROUP BY g.kind ON CONFLICT(tenant, place, kind) DO UPDATE SET "
    + ", ".join(f"{name} = t.{name} + excluded.{name}" for name in _SUMS.split(", "))
)


def is_due(event_id: str) -> bool:
    """Return True if the writer of this event is the one that folds."""
    return crc32(event_id.encode()) % FOLD_EVERY == 0


async def fold(db: PostgresDb) -> None:
    """Fold what is there and not being folded by another."""
    await db.rows(_FOLDED, db.place, MOST_FOLDED)


_COUNTS = ("occurrences", "shown", "helped", "failed", "recurred")


async def changed(
    db: PostgresDb, place: int, kind: str, before: ReflectionRow | None, after: ReflectionRow | None
) -> None:
    """Add what a row counts now and did not count before; None for a row that is not there."""
    more: Sequence[int] = [
        (0 if after is None else getattr(after, name))
        - (0 if before is None else getattr(before, name))
        for name in _COUNTS
    ]
    rows = (after is not None) - (before is not None)
    if rows or any(more):
        await db.rows(_ADDED, place, kind, rows, *more)
