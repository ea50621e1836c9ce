"""Votes, days and track records in SQLite: what happened in a scope, and when.

Rule of this module: a page asks for the last days of many rows at once, so no statement reads more
than those days, and look-ups of a day are not read at all: the schema counts them as they come.
"""

import json
import sqlite3
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from reflection_mcp.store.columns import bounded, micros, moment
from reflection_mcp.store.records import Scope
from reflection_mcp.store.sqlite.reflections import readable, readers
from reflection_mcp.store.state import DailyActivity, TrackRecord, Vote
from reflection_mcp.store.versions import subjects, track_records_of, vote_on

DAY = 86_400_000_000  # microseconds
_FIRST = date(1970, 1, 1)
_OF_TARGET = (
    "target_id >= ?3 AND target_id < ?3 || '/' AND (target_id = ?3 OR target_id > ?3 || '.')"
)
"""The votes on an attempt, or on any version of a reflection: a stretch of the key of `vote`."""


def votes(
    db: sqlite3.Connection, scope: Scope, target_id: str | None, since: datetime | None, limit: int
) -> Sequence[Vote]:
    """See `Store.votes`."""
    where = "tenant = ?1 AND project = ?2"
    where += f" AND {_OF_TARGET}" if target_id is not None else ""
    # The plus keeps SQLite from reading all votes of that time for those on one target.
    plus = "+" if target_id is not None else ""
    where += f" AND {plus}at >= ?4" if since is not None else ""
    rows = db.execute(
        f"SELECT target_id, kind, at, source, comment, occasion FROM vote WHERE {where}"
        " ORDER BY at DESC, target_id, source, occasion LIMIT ?5",
        (
            scope.tenant,
            scope.project,
            target_id,
            None if since is None else micros(since),
            bounded(limit),
        ),
    ).fetchall()
    return [
        vote_on(target, kind, moment(at), source, comment, occasion)
        for target, kind, at, source, comment, occasion in rows
    ]


def activity(
    db: sqlite3.Connection, scope: Scope, first: date, last: date
) -> Sequence[DailyActivity]:
    """See `Store.activity`."""
    begin, end = (first - _FIRST).days, (last - _FIRST).days + 1
    days: dict[int, dict[str, Any]] = {
        day: {"day": _FIRST + timedelta(days=day), "lookups": {}, "shown": 0, "recurred": 0}
        for day in range(begin, end)
    }
    place = (scope.tenant, scope.project)
    for day, verdict, lookups, shown, recurred in db.execute(
        "SELECT day, verdict, lookups, shown, recurred FROM lookup_day"
        " WHERE tenant = ? AND project = ? AND day >= ? AND day < ? AND lookups > 0",
        (*place, begin, end),
    ).fetchall():
        known = days[day]
        known["lookups"][verdict] = lookups
        known["shown"] += shown
        known["recurred"] += recurred
    between = (*place, begin * DAY, end * DAY)
    for day, attempts, mean in db.execute(
        f"SELECT at / {DAY} AS day, count(*), avg(quality) FROM attempt"
        " WHERE tenant = ? AND project = ? AND at >= ? AND at < ? GROUP BY day",
        between,
    ).fetchall():
        quality = None if mean is None else round(mean, 4)
        days[day] |= {"attempts": attempts, "mean_quality": quality}
    for day, kind, cast in db.execute(
        f"SELECT at / {DAY} AS day, kind, count(*) FROM vote v"
        " WHERE tenant = ? AND project = ? AND at >= ? AND at < ? AND NOT EXISTS("
        "  SELECT 1 FROM attempt a WHERE a.tenant = v.tenant AND a.project = v.project"
        "  AND a.id = v.target_id) GROUP BY day, kind",
        between,
    ).fetchall():
        days[day][kind] = cast
    return [DailyActivity(**each) for each in days.values()]


def daily_lookups(
    db: sqlite3.Connection, scope: Scope, ids: Sequence[str], since: datetime
) -> Mapping[str, Mapping[date, int]]:
    """See `Store.daily_lookups`."""
    found: dict[str, dict[date, int]] = {each: {} for each in ids}
    for each, day, lookups in db.execute(
        f"SELECT l.matched_id, l.at / {DAY} AS day, count(*)"
        " FROM json_each(?) j CROSS JOIN lookup l ON l.matched_id = j.value"
        " WHERE l.tenant = ? AND l.project = ? AND l.at >= ?"
        " GROUP BY l.matched_id, day ORDER BY day",
        (json.dumps([*found]), scope.tenant, scope.project, micros(since)),
    ).fetchall():
        found[each][_FIRST + timedelta(days=day)] = lookups
    return found


def track_records(
    db: sqlite3.Connection, scope: Scope, since: datetime
) -> Mapping[str, TrackRecord]:
    """See `Store.track_records`."""
    asked = (scope.tenant, scope.project, micros(since))
    # The index has all that is asked for; the order of its columns is that of the reflections.
    came_back = db.execute(
        "SELECT matched_id, count(*) FROM lookup INDEXED BY lookup_matched"
        " WHERE tenant = ? AND project = ? AND matched_id IS NOT NULL AND at >= ? AND recurred"
        " GROUP BY matched_id",
        asked,
    ).fetchall()
    cast = db.execute(
        "SELECT target_id, sum(kind = 'positive'), sum(kind = 'negative') FROM vote"
        " WHERE tenant = ? AND project = ? AND at >= ? GROUP BY target_id",
        asked,
    ).fetchall()
    named = json.dumps([*subjects(came_back, cast)])
    there = db.execute(
        "SELECT r.id FROM json_each(?) j CROSS JOIN reflection r ON r.id = j.value"
        f" WHERE {readers(scope, 'r.')} AND r.kind = 'reflection'",
        (named, *readable(scope)),
    ).fetchall()
    return track_records_of(came_back, cast, {each for (each,) in there})
