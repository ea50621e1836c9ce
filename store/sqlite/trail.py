"""Logs in SQLite: look-ups, steps, showings and failed actions; and rows of a log from elsewhere.

Rule of this module: the schema counts look-ups by day, and rows by project, as they come.
"""

from collections.abc import Iterable, Sequence

from reflection_mcp.store.columns import micros
from reflection_mcp.store.history import LOGS, Log, LogRow
from reflection_mcp.store.interactions import FailedAction, Lookup, Showing, Step
from reflection_mcp.store.log_rows import LookupRow, lookup_row
from reflection_mcp.store.sql.recording import numbered
from reflection_mcp.store.sqlite.db import SqliteDb
from reflection_mcp.store.terms import MOST_FAILED_ACTIONS, MOST_STEPS, SHOWINGS_LAST, STEPS_LAST

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


async def add_step(db: SqliteDb, step: Step) -> None:
    """See `Store.add_step`."""
    place = (db.scope.tenant, db.place)
    db.execute(
        "INSERT INTO step(tenant, project, id, conversation_id, at, tool, told, error)"
        " VALUES(?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(tenant, project, id) DO NOTHING",
        (*place, step.id, step.conversation_id, micros(step.at), step.tool, step.told, step.error),
    )
    db.execute(
        "DELETE FROM step WHERE tenant = ? AND project = ? AND at < ?",
        (*place, micros(step.at - STEPS_LAST)),
    )
    db.execute(
        "DELETE FROM step WHERE rid IN (SELECT rid FROM step WHERE tenant = ? AND project = ?"
        " AND conversation_id = ? ORDER BY rid DESC LIMIT -1 OFFSET ?)",
        (*place, step.conversation_id, MOST_STEPS),
    )


async def add_showing(db: SqliteDb, showing: Showing) -> None:
    """See `Store.add_showing`."""
    place = (db.scope.tenant, db.place)
    db.execute(
        "INSERT INTO showing(tenant, project, conversation_id, subject_id, kind, at)"
        " VALUES(?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (*place, showing.conversation_id, showing.subject_id, showing.kind, micros(showing.at)),
    )
    db.execute(
        "DELETE FROM showing WHERE tenant = ? AND project = ? AND at < ?",
        (*place, micros(showing.at - SHOWINGS_LAST)),
    )


async def count_action(db: SqliteDb, action: FailedAction) -> None:
    """See `Store.count_action`."""
    place = (db.scope.tenant, db.place)
    if not action.failed:
        db.execute(
            "UPDATE failed_action SET worked = worked + ?"
            " WHERE tenant = ? AND project = ? AND id = ?",
            (action.worked, *place, action.id),
        )
        return
    db.execute(
        "INSERT INTO failed_action(tenant, project, id, heading, tool, told, error,"
        " conversation_id, at, failed, worked) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT DO UPDATE SET heading = excluded.heading, tool = excluded.tool,"
        " told = excluded.told, error = excluded.error, at = excluded.at,"
        " failed = failed + iif(conversation_id = excluded.conversation_id, 0, excluded.failed),"
        " worked = worked + excluded.worked, conversation_id = excluded.conversation_id",
        (
            *place, action.id, action.heading, action.tool, action.told, action.error,
            action.conversation_id, micros(action.at), action.failed, action.worked,
        ),
    )  # fmt: skip
    db.execute(
        "DELETE FROM failed_action WHERE tenant = ?1 AND project = ?2 AND id IN"
        " (SELECT id FROM failed_action WHERE tenant = ?1 AND project = ?2"
        "  ORDER BY at DESC, id LIMIT -1 OFFSET ?3)",
        (*place, MOST_FAILED_ACTIONS),
    )


async def restore(db: SqliteDb, log: Log, rows: Sequence[LogRow]) -> int:
    """See `Store.restore`."""
    columns = LOGS[log].columns
    added = db.executemany(
        f"INSERT INTO {log}(tenant, project, {', '.join(columns)})"
        f" VALUES(?, ?{', ?' * len(columns)}) ON CONFLICT DO NOTHING",
        [(db.scope.tenant, db.place, *row) for row in rows],
    )
    return max(added.rowcount, 0)
