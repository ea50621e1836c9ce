"""Votes, days and recurrences in PostgreSQL: what happened in a scope, and when.

Rule of this module: a page asks for the last days of many rows at once, so no statement reads more
than those days, and of the look-ups an index alone.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from reflection_mcp.store.columns import bounded, micros, moment
from reflection_mcp.store.postgres.connections import Db, Statement
from reflection_mcp.store.state import DailyActivity, Recurrence, Vote
from reflection_mcp.store.versions import vote_on

DAY = 86_400_000_000  # microseconds
EVER = -(2**62)
"""Microseconds before all that has a time."""
_FIRST = date(1970, 1, 1)

_VOTES = (
    "SELECT v.target_id, v.kind, v.at, v.source, v.comment, v.occasion FROM vote v"
    " WHERE v.tenant = $1 AND v.place = $2 AND v.at >= $3{0}"
    " ORDER BY v.at DESC, v.target_id, v.source, v.occasion LIMIT $4"
)
_ALL_VOTES = Statement(_VOTES.format(""))
_VOTES_ON = Statement(
    _VOTES.format(
        " AND v.target_id >= $5::text AND v.target_id < $5::text || '/'"
        " AND (v.target_id = $5::text OR v.target_id > $5::text || '.')"
    )
)


async def votes(
    db: Db, target_id: str | None, since: datetime | None, limit: int
) -> Sequence[Vote]:
    """See `Store.votes`."""
    asked = (db.place, EVER if since is None else micros(since), bounded(limit))
    rows = (
        await db.rows(_ALL_VOTES, *asked)
        if target_id is None
        else await db.rows(_VOTES_ON, *asked, target_id)
    )
    return [
        vote_on(target, kind, moment(at), source, comment, occasion)
        for target, kind, at, source, comment, occasion in rows
    ]


_LOOKUPS_BY_DAY = Statement(
    f"SELECT l.at / {DAY} AS day, l.verdict, count(*), sum(l.showing), sum(l.recurred)"
    " FROM lookup l WHERE l.tenant = $1 AND l.place = $2 AND l.at >= $3 AND l.at < $4"
    " GROUP BY day, l.verdict"
)
_ATTEMPTS_BY_DAY = Statement(
    f"SELECT a.at / {DAY} AS day, count(*), avg(a.quality) FROM attempt a"
    " WHERE a.tenant = $1 AND a.place = $2 AND a.at >= $3 AND a.at < $4 GROUP BY day"
)
_VOTES_BY_DAY = Statement(
    f"SELECT v.at / {DAY} AS day, v.kind, count(*) FROM vote v"
    " WHERE v.tenant = $1 AND v.place = $2 AND v.at >= $3 AND v.at < $4 AND NOT EXISTS("
    "  SELECT FROM attempt a WHERE a.tenant = $1 AND a.place = $2 AND a.id = v.target_id)"
    " GROUP BY day, v.kind"
)


async def activity(db: Db, first: date, last: date) -> Sequence[DailyActivity]:
    """See `Store.activity`."""
    begin, end = (first - _FIRST).days, (last - _FIRST).days + 1
    days: dict[int, dict[str, Any]] = {
        day: {"day": _FIRST + timedelta(days=day), "lookups": {}, "shown": 0, "recurred": 0}
        for day in range(begin, end)
    }
    between = (db.place, begin * DAY, end * DAY)
    for day, verdict, lookups, shown, recurred in await db.rows(_LOOKUPS_BY_DAY, *between):
        days[day]["lookups"][verdict] = lookups
        days[day]["shown"] += shown
        days[day]["recurred"] += recurred
    for day, attempts, mean in await db.rows(_ATTEMPTS_BY_DAY, *between):
        quality = None if mean is None else round(mean, 4)
        days[day] |= {"attempts": attempts, "mean_quality": quality}
    for day, kind, cast in await db.rows(_VOTES_BY_DAY, *between):
        days[day][kind] = cast
    return [DailyActivity(**each) for each in days.values()]


_MATCHED = Statement(
    f"SELECT l.matched_id, l.at / {DAY} AS day, count(*), max(l.at) FILTER (WHERE l.recurred = 1)"
    " FROM lookup l WHERE l.tenant = $1 AND l.place = $2 AND l.matched_id = ANY($3::text[])"
    " AND l.at >= $4 GROUP BY l.matched_id, day ORDER BY day"
)
_HELPED = Statement(
    "SELECT u.id, max(v.at) FROM unnest($3::text[]) AS u(id) JOIN vote v"
    " ON v.tenant = $1 AND v.place = ANY($2::bigint[])"
    "  AND v.target_id >= u.id AND v.target_id < u.id || '/'"
    "  AND (v.target_id = u.id OR v.target_id > u.id || '.')"
    " WHERE v.kind = 'positive' AND v.at >= $4 GROUP BY u.id"
)


async def recurrences(db: Db, ids: Sequence[str], since: datetime) -> Mapping[str, Recurrence]:
    """See `Store.recurrences`."""
    wanted, begin = list(dict.fromkeys(ids)), micros(since)
    by_day: defaultdict[str, list[tuple[date, int]]] = defaultdict(list)
    recurred: dict[str, datetime] = {}
    for each, day, lookups, came_back in await db.rows(_MATCHED, db.place, wanted, begin):
        by_day[each].append((_FIRST + timedelta(days=day), lookups))
        if came_back is not None:
            recurred[each] = moment(came_back)
    praised = await db.rows(_HELPED, db.places, wanted, begin)
    helped: dict[str, datetime] = {each: moment(at) for each, at in praised}
    return {
        each: Recurrence(
            lookups=tuple(by_day[each]),
            recurred_at=recurred.get(each),
            helped_at=helped.get(each),
        )
        for each in wanted
    }
