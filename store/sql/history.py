"""The logs of a scope, row by row, for a copy to another store."""

from collections.abc import Sequence

from reflection_mcp.store.columns import bounded
from reflection_mcp.store.history import LOGS, Log, LogRow
from reflection_mcp.store.sql.db import Db, Statement


def _read(log: Log, *, further: bool) -> Statement:
    form = LOGS[log]
    columns, key = (", ".join(f"h.{name}" for name in names) for names in (form.columns, form.key))
    marks = ", ".join(f"${4 + number}" for number in range(len(form.key)))
    more = f" AND ({key}) > ({marks})" if further else ""
    return Statement(
        f"SELECT {columns} FROM {log} h WHERE h.tenant = $1 AND h.place = $2{more}"
        f" ORDER BY {key} LIMIT $3"
    )


_FIRST = {log: _read(log, further=False) for log in LOGS}
_FURTHER = {log: _read(log, further=True) for log in LOGS}


async def read(
    db: Db, log: Log, *, after: LogRow | None = None, limit: int = 500
) -> Sequence[LogRow]:
    """See `Store.history`."""
    if after is None:
        rows = await db.rows(_FIRST[log], db.place, bounded(limit))
    else:
        key = LOGS[log].key_of(after)
        rows = await db.rows(_FURTHER[log], db.place, bounded(limit), *key)
    return [tuple(row) for row in rows]
