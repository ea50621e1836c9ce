"""Votes, days and recurrences in SQLite: what happened in a scope, and when.

Rule of this module: a page asks for the last days of many rows at once, so no statement reads more
than those days, and look-ups of a day are not read at all: the schema counts them as they come.
"""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from reflection_mcp.store.columns import bounded, micros, moment
from reflection_mcp.store.records import Scope
from reflection_mcp.store.sqlite.reflections import readable, readers
from reflection_mcp.store.state import DailyActivity, Recurrence, Vote
from reflection_mcp.store.versions import vote_on

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


def recurrences(
    db: sqlite3.Connection, scope: Scope, ids: Sequence[str], since: datetime
) -> Mapping[str, Recurrence]:
    """See `Store.recurrences`."""
    wanted = json.dumps([*dict.fromkeys(ids)])
    by_day: defaultdict[str, list[tuple[date, int]]] = defaultdict(list)
    recurred: dict[str, datetime] = {}
    for each, day, lookups, came_back in db.execute(
        f"SELECT l.matched_id, l.at / {DAY} AS day, count(*), max(iif(l.recurred, l.at, NULL))"
        " FROM json_each(?) j CROSS JOIN lookup l ON l.matched_id = j.value"
        " WHERE l.tenant = ? AND l.project = ? AND l.at >= ?"
        " GROUP BY l.matched_id, day ORDER BY day",
        (wanted, scope.tenant, scope.project, micros(since)),
    ).fetchall():
        by_day[each].append((_FIRST + timedelta(days=day), lookups))
        if came_back is not None:
            recurred[each] = moment(came_back)
    helped: dict[str, datetime] = {
        each: moment(last)
        for each, last in db.execute(
            "SELECT j.value, max(v.at) FROM json_each(?) j CROSS JOIN vote v"
            " ON v.target_id >= j.value AND v.target_id < j.value || '/'"
            " AND (v.target_id = j.value OR v.target_id > j.value || '.')"
            f" WHERE {readers(scope, 'v.')} AND v.kind = 'positive' AND +v.at >= ?"
            " GROUP BY j.value",
            (wanted, *readable(scope), micros(since)),
        ).fetchall()
    }
    return {
        each: Recurrence(
            lookups=tuple(by_day[each]),
            recurred_at=recurred.get(each),
            helped_at=helped.get(each),
        )
        for each in ids
    }
