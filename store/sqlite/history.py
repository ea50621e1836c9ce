"""The logs in SQLite, row by row, for a copy to another store or from one."""

import sqlite3
from collections.abc import Sequence

from reflection_mcp.store.columns import bounded
from reflection_mcp.store.history import LOGS, Log, LogRow
from reflection_mcp.store.records import Scope


def read(
    db: sqlite3.Connection, scope: Scope, log: Log, after: LogRow | None, limit: int
) -> Sequence[LogRow]:
    """See `Store.history`."""
    form = LOGS[log]
    key, more, values = ", ".join(form.key), "", list[object]()
    if after is not None:
        values = list(form.key_of(after))
        more = f" AND ({key}) > ({', '.join('?' * len(values))})"
    return db.execute(
        f"SELECT {', '.join(form.columns)} FROM {log} WHERE tenant = ? AND project = ?{more}"
        f" ORDER BY {key} LIMIT ?",
        (scope.tenant, scope.project, *values, bounded(limit)),
    ).fetchall()


def restore(db: sqlite3.Connection, scope: Scope, log: Log, rows: Sequence[LogRow]) -> int:
    """See `Store.restore`."""
    columns = LOGS[log].columns
    added = db.executemany(
        f"INSERT INTO {log}(tenant, project, {', '.join(columns)})"
        f" VALUES(?, ?{', ?' * len(columns)}) ON CONFLICT DO NOTHING",
        [(scope.tenant, scope.project, *row) for row in rows],
    )
    return max(added.rowcount, 0)
