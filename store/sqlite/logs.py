"""Logs in SQLite: look-ups, and rows of a log from elsewhere.

Rule of this module: the schema counts look-ups by day, and rows by project, as they come.
"""

from collections.abc import Iterable, Sequence

from reflection_mcp.store.history import LOGS, Log, LogRow
from reflection_mcp.store.interactions import Lookup
from reflection_mcp.store.log_rows import LookupRow, lookup_row
from reflection_mcp.store.sql.recording import numbered
from reflection_mcp.store.sqlite.db import SqliteDb

_LOOKUP = ", ".join(LookupRow._fields)


async def log(db: SqliteDb, lookup: Lookup) -> None:
    """See `Store.log_lookup`."""
    place = (db.scope.tenant, db.place)
    shown_before = db.execute(
        "SELECT reflection_id FROM shown WHERE tenant = ? AND project = ? AND signature = ?",
        (*place, lookup.signature),
    ).fetchall()
    before = [each for (each,) in shown_before]
    added = db.execute(
        f"INSERT INTO lookup(tenant, project, recurred, {_LOOKUP})"
        f" VALUES(?, ?, ?{', ?' * len(LookupRow._fields)}) ON CONFLICT DO NOTHING",
        (*place, lookup.matched_id in before, *lookup_row(lookup)),
    ).rowcount
    if not added:
        return
    await _add(db, before, "recurred")
    await _add(db, set(lookup.shown), "shown")
    db.executemany(
        "INSERT OR IGNORE INTO shown(tenant, project, signature, reflection_id) VALUES(?, ?, ?, ?)",
        [(*place, lookup.signature, each) for each in lookup.shown],
    )


async def _add(db: SqliteDb, ids: Iterable[str], counter: str) -> None:
    rids = [(rid,) for each in ids if (rid := await numbered(db, each)) is not None]
    db.executemany(f"UPDATE reflection SET {counter} = {counter} + 1 WHERE rid = ?", rids)


async def restore(db: SqliteDb, log: Log, rows: Sequence[LogRow]) -> int:
    """See `Store.restore`."""
    columns = LOGS[log].columns
    added = db.executemany(
        f"INSERT INTO {log}(tenant, project, {', '.join(columns)})"
        f" VALUES(?, ?{', ?' * len(columns)}) ON CONFLICT DO NOTHING",
        [(db.scope.tenant, db.place, *row) for row in rows],
    )
    return max(added.rowcount, 0)
