"""Look-ups in SQLite: the log of queries, and the queries over it."""

import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime

from reflection_mcp.store.columns import bounded, micros, moment
from reflection_mcp.store.contract import MOST_MET
from reflection_mcp.store.interactions import OCCURRED, ErrorHistory, Lookup, Unresolved
from reflection_mcp.store.log_rows import (
    ATTEMPT,
    LOOKUP,
    attempt_from,
    lookup_from,
    lookup_row,
)
from reflection_mcp.store.records import Scope
from reflection_mcp.store.sqlite.reflections import NEAREST, numbered, readable, readers


def log(db: sqlite3.Connection, scope: Scope, lookup: Lookup) -> None:
    """See `Store.log_lookup`."""
    place = (scope.tenant, scope.project)
    shown_before = db.execute(
        "SELECT reflection_id FROM shown WHERE tenant = ? AND project = ? AND signature = ?",
        (*place, lookup.signature),
    ).fetchall()
    before = [each for (each,) in shown_before]
    added = db.execute(
        "INSERT INTO lookup(tenant, project, recurred, id, conversation_id, at, signature, verdict,"
        " source, summary, error_type, matched_id, shown, neighbour_id, asked_id, versions)"
        " VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT(tenant, project, id) DO NOTHING",
        (*place, lookup.matched_id in before, *lookup_row(lookup)),
    ).rowcount
    if not added:
        return
    _add(db, scope, before, "recurred")
    _add(db, scope, set(lookup.shown), "shown")
    db.executemany(
        "INSERT OR IGNORE INTO shown(tenant, project, signature, reflection_id) VALUES(?, ?, ?, ?)",
        [(*place, lookup.signature, each) for each in lookup.shown],
    )


def _add(db: sqlite3.Connection, scope: Scope, ids: Iterable[str], counter: str) -> None:
    rids = [(rid,) for each in ids if (rid := numbered(db, scope, each)) is not None]
    db.executemany(f"UPDATE reflection SET {counter} = {counter} + 1 WHERE rid = ?", rids)


def by_id(db: sqlite3.Connection, scope: Scope, lookup_id: str) -> Lookup | None:
    """See `Store.lookup`."""
    rows = db.execute(
        f"SELECT {LOOKUP} FROM lookup l WHERE {readers(scope)} AND id = ?"
        f" ORDER BY {NEAREST} LIMIT 1",
        (*readable(scope), lookup_id, scope.project),
    ).fetchall()
    return lookup_from(rows[0]) if rows else None


def own(db: sqlite3.Connection, scope: Scope, lookup_id: str) -> Lookup | None:
    """The look-up with this id that was logged in exactly this scope."""
    rows = db.execute(
        f"SELECT {LOOKUP} FROM lookup l WHERE tenant = ? AND project = ? AND id = ?",
        (scope.tenant, scope.project, lookup_id),
    ).fetchall()
    return lookup_from(rows[0]) if rows else None


def of_conversation(db: sqlite3.Connection, scope: Scope, conversation_id: str) -> list[Lookup]:
    """The look-ups that a conversation logged in exactly this scope, the last one first."""
    rows = db.execute(
        f"SELECT {LOOKUP} FROM lookup l WHERE tenant = ? AND project = ? AND conversation_id = ?"
        " ORDER BY rid DESC",
        (scope.tenant, scope.project, conversation_id),
    ).fetchall()
    return [lookup_from(row) for row in rows]


OFFERED = (
    "({0} IN (l.matched_id, l.neighbour_id, l.asked_id)"
    " OR EXISTS(SELECT 1 FROM json_each(l.shown) WHERE value = {0}))"
)
"""The condition that the look-up `l` offered the reflection whose id fills the gap."""


def of_reflection(
    db: sqlite3.Connection, scope: Scope, reflection_id: str, conversation_id: str | None = None
) -> Lookup | None:
    """The last look-up of exactly this scope, or of one conversation in it, that offered this."""
    rows = db.execute(
        f"SELECT {LOOKUP} FROM lookup l WHERE tenant = ?1 AND project = ?2"
        f" AND {OFFERED.format('?3')} AND (?4 IS NULL OR conversation_id = ?4)"
        " ORDER BY rid DESC LIMIT 1",
        (scope.tenant, scope.project, reflection_id, conversation_id),
    ).fetchall()
    return lookup_from(rows[0]) if rows else None


def last_shown(
    db: sqlite3.Connection, scope: Scope, reflection_id: str, conversation_id: str
) -> Lookup | None:
    """See `Store.last_shown`."""
    rows = db.execute(
        f"SELECT {LOOKUP} FROM lookup l WHERE tenant = ?1 AND project = ?2"
        " AND conversation_id = ?3"
        " AND EXISTS(SELECT 1 FROM json_each(l.shown) WHERE value = ?4) ORDER BY rid DESC LIMIT 1",
        (scope.tenant, scope.project, conversation_id, reflection_id),
    ).fetchall()
    return lookup_from(rows[0]) if rows else None


def erase(db: sqlite3.Connection, scope: Scope, lookup_id: str) -> bool:
    """Delete the log line; what it counted stays counted."""
    deleted = db.execute(
        "DELETE FROM lookup WHERE tenant = ? AND project = ? AND id = ?",
        (scope.tenant, scope.project, lookup_id),
    )
    return deleted.rowcount > 0


def listed(
    db: sqlite3.Connection,
    scope: Scope,
    *,
    signature: str | None,
    matched_id: str | None,
    since: datetime | None,
    limit: int,
) -> Sequence[Lookup]:
    """See `Store.lookups`."""
    where, values = ["tenant = ? AND project = ?"], [scope.tenant, scope.project]
    for name, value in (("signature", signature), ("matched_id", matched_id)):
        if value is not None:
            where.append(f"{name} = ?")
            values.append(value)
    first = [] if since is None else [micros(since)]
    where += ["at >= ?"] * len(first)
    rows = db.execute(
        f"SELECT {LOOKUP} FROM lookup l WHERE {' AND '.join(where)} ORDER BY at DESC, id LIMIT ?",
        (*values, *first, bounded(limit)),
    ).fetchall()
    return [lookup_from(row) for row in rows]


def unresolved(
    db: sqlite3.Connection, scope: Scope, min_times: int, limit: int
) -> Sequence[Unresolved]:
    """See `Store.unresolved`."""
    place = readable(scope)
    # What is known is asked for once for each signature, and the log is read of the others alone.
    asked = db.execute(
        f"SELECT signature, count(*) AS times, min(at), max(at) AS last FROM lookup l"
        f" WHERE {readers(scope)} AND signature IN (SELECT signature FROM"
        f"  (SELECT signature FROM lookup WHERE {readers(scope)}"
        "   GROUP BY signature HAVING count(*) >= ?) a"
        f"  WHERE NOT EXISTS(SELECT 1 FROM shown s WHERE {readers(scope, 's.')}"
        "   AND s.signature = a.signature)"
        f"  AND NOT EXISTS(SELECT 1 FROM reflection r WHERE {readers(scope, 'r.')}"
        "   AND r.kind IN ('reflection', 'strategy')"
        "   AND r.signature = a.signature AND r.lesson <> ''))"
        " GROUP BY signature ORDER BY times DESC, last DESC, signature LIMIT ?",
        (*place, *place, min_times, *place, *place, bounded(limit)),
    ).fetchall()
    return [_unresolved(db, scope, *each) for each in asked]


def met(db: sqlite3.Connection, scope: Scope, signature: str) -> ErrorHistory:
    """See `Store.met`."""
    place = readable(scope)
    rows = db.execute(
        f"SELECT {ATTEMPT} FROM (SELECT * FROM attempt WHERE {readers(scope)}"
        " ORDER BY at DESC LIMIT ?) a WHERE json_extract(a.body, '$.error_signature') = ?",
        (*place, MOST_MET, signature),
    ).fetchall()
    attempts = tuple(map(attempt_from, rows))
    asked, occurred, first = db.execute(
        "SELECT count(*), count(iif(id GLOB ?, 1, NULL)), min(at) FROM lookup"
        f" WHERE {readers(scope)} AND signature = ?",
        (f"{OCCURRED}-*", *place, signature),
    ).fetchall()[0]
    begun = [each.at for each in attempts] + ([moment(first)] if asked else [])
    since = min(begun, default=None)
    return ErrorHistory(
        attempts=attempts, occurred=occurred, looked_up=asked - occurred, since=since
    )


def _unresolved(
    db: sqlite3.Connection,
    scope: Scope,
    signature: str,
    times: int,
    first: int,
    last: int,
) -> Unresolved:
    summary, error_type = db.execute(
        f"SELECT summary, error_type FROM lookup WHERE {readers(scope)}"
        " AND signature = ? ORDER BY at DESC, id DESC LIMIT 1",
        (*readable(scope), signature),
    ).fetchall()[0]
    return Unresolved(
        signature=signature,
        summary=summary,
        error_type=error_type,
        times=times,
        first_seen=moment(first),
        last_seen=moment(last),
    )
