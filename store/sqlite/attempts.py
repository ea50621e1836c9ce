"""Attempts in SQLite: appended once, found by id, conversation, quality and time."""

import sqlite3
from collections.abc import Sequence
from datetime import datetime

from reflection_mcp.store.columns import bounded, micros
from reflection_mcp.store.log_rows import ATTEMPT, attempt_from, attempt_row
from reflection_mcp.store.records import Attempt, Scope
from reflection_mcp.store.sqlite.reflections import NEAREST, readable, readers


def add(db: sqlite3.Connection, scope: Scope, attempt: Attempt, event_id: str) -> Attempt:
    """See `Store.add_attempt`."""
    place = (scope.tenant, scope.project)
    known = db.execute(
        f"SELECT {ATTEMPT} FROM attempt a WHERE tenant = ? AND project = ? AND event_id = ?",
        (*place, event_id),
    ).fetchall()
    if known:
        return attempt_from(known[0])
    if db.execute(
        "SELECT 1 FROM attempt WHERE tenant = ? AND project = ? AND id = ?", (*place, attempt.id)
    ).fetchall():
        raise ValueError("this id already names another attempt")
    db.execute(
        "INSERT INTO attempt(tenant, project, event_id, id, conversation_id, at, judged_quality,"
        " quality, feedback, body) VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (*place, event_id, *attempt_row(attempt)),
    )
    return attempt


def by_id(db: sqlite3.Connection, scope: Scope, attempt_id: str) -> Attempt | None:
    """See `Store.attempt`."""
    rows = db.execute(
        f"SELECT {ATTEMPT} FROM attempt a WHERE {readers(scope)} AND id = ?"
        f" ORDER BY {NEAREST} LIMIT 1",
        (*readable(scope), attempt_id, scope.project),
    ).fetchall()
    return attempt_from(rows[0]) if rows else None


def listed(
    db: sqlite3.Connection,
    scope: Scope,
    *,
    conversation_id: str | None,
    max_quality: float | None,
    since: datetime | None,
    limit: int,
) -> Sequence[Attempt]:
    """See `Store.attempts`."""
    where = [readers(scope)]
    values: list[object] = [*readable(scope)]
    if conversation_id is not None:
        where.append("conversation_id = ?")
        values.append(conversation_id)
    if max_quality is not None:
        where.append("quality < ?")
        values.append(max_quality)
    if since is not None:
        where.append("at >= ?")
        values.append(micros(since))
    rows = db.execute(
        f"SELECT {ATTEMPT} FROM attempt a WHERE {' AND '.join(where)} ORDER BY at DESC, id LIMIT ?",
        (*values, bounded(limit)),
    ).fetchall()
    return [attempt_from(row) for row in rows]
