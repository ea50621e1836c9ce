"""The logs in PostgreSQL, row by row, for a copy to another store or from one."""

import json
from collections.abc import Mapping, Sequence

from reflection_mcp.store.columns import bounded
from reflection_mcp.store.history import LOGS, Log, LogRow
from reflection_mcp.store.postgres.connections import Db, Statement

_DERIVED: Mapping[Log, Mapping[str, str]] = {
    "attempt": {"error_signature": "({body}::jsonb ->> 'error_signature')"},
    "lookup": {"showing": "({shown} <> '[]')::int"},
}
"""Columns that this database has besides, and how they follow from the others."""


def _read(log: Log, *, further: bool) -> Statement:
    form = LOGS[log]
    columns, key = (", ".join(f"h.{name}" for name in names) for names in (form.columns, form.key))
    marks = ", ".join(f"${4 + number}" for number in range(len(form.key)))
    more = f" AND ({key}) > ({marks})" if further else ""
    return Statement(
        f"SELECT {columns} FROM {log} h WHERE h.tenant = $1 AND h.place = $2{more}"
        f" ORDER BY {key} LIMIT $3"
    )


def _restored(log: Log) -> Statement:
    values = {name: f"h.{name}" for name in LOGS[log].columns}
    values |= {name: how.format_map(values) for name, how in _DERIVED.get(log, {}).items()}
    return Statement(
        f"INSERT INTO {log}(tenant, place, {', '.join(values)})"
        f" SELECT $1, $2, {', '.join(values.values())}"
        f" FROM json_populate_recordset(NULL::{log}, $3::json) h"
        " ON CONFLICT DO NOTHING RETURNING tenant"
    )


_FIRST = {log: _read(log, further=False) for log in LOGS}
_FURTHER = {log: _read(log, further=True) for log in LOGS}
_RESTORED = {log: _restored(log) for log in LOGS}


async def read(db: Db, log: Log, after: LogRow | None, limit: int) -> Sequence[LogRow]:
    """See `Store.history`."""
    if after is None:
        rows = await db.rows(_FIRST[log], db.place, bounded(limit))
    else:
        key = LOGS[log].key_of(after)
        rows = await db.rows(_FURTHER[log], db.place, bounded(limit), *key)
    return [tuple(row) for row in rows]


async def restore(db: Db, log: Log, rows: Sequence[LogRow]) -> int:
    """See `Store.restore`."""
    columns = LOGS[log].columns
    given = json.dumps([dict(zip(columns, row, strict=True)) for row in rows])
    return len(await db.rows(_RESTORED[log], db.place, given))
