"""Votes, days and track records: what happened in a scope, and when.

Rule of this module: a page asks for the last days of many rows at once, so no statement reads more
than those days, and of the look-ups an index alone.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any

from reflection_mcp.store.columns import bounded, micros, moment
from reflection_mcp.store.lesson_versions import subjects, track_records_of, vote_on
from reflection_mcp.store.sql.db import EVER, Db, Statement
from reflection_mcp.store.state import DailyActivity, Stats, TrackRecord, Vote

DAY = 86_400_000_000  # microseconds
_FIRST = date(1970, 1, 1)

_VOTES = (
    "SELECT v.target_id, v.kind, v.at, v.source, v.comment, v.occasion FROM vote v"
    " WHERE v.tenant = $1 AND v.place = $2 AND {0}"
    " ORDER BY v.at DESC, v.target_id, v.source, v.occasion LIMIT $4"
)
_ALL_VOTES = Statement(_VOTES.format("v.at >= $3"))
_VOTES_ON = Statement(
    _VOTES.format(
        "v.at + 0 >= $3 AND v.target_id >= $5::text AND v.target_id < $5::text || '/'"
        " AND (v.target_id = $5::text OR v.target_id > $5::text || '.')"
    )
)
"""The sum keeps a database from reading all votes of that time for those on one target."""


async def votes(
    db: Db, *, target_id: str | None = None, since: datetime | None = None, limit: int = 200
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


LOOKUPS_BY_DAY = Statement(
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


def stats_of(
    *,
    mean_quality: float | None,
    verdicts: Sequence[tuple[str, int, int]],
    stamps: Iterable[int | None],
    **counts: int,
) -> Stats:
    """The counts of a scope, its look-ups from how many had each verdict and came back."""
    known = [stamp for stamp in stamps if stamp is not None]
    return Stats(
        mean_quality=None if mean_quality is None else round(mean_quality, 4),
        lookups=sum(lookups for _, lookups, _ in verdicts),
        lookups_by_verdict={verdict: lookups for verdict, lookups, _ in verdicts},
        recurred=sum(recurred for _, _, recurred in verdicts),
        first_at=moment(min(known)) if known else None,
        last_at=moment(max(known)) if known else None,
        **counts,
    )


async def activity(db: Db, first: date, last: date) -> Sequence[DailyActivity]:
    """See `Store.activity`."""
    begin, end = (first - _FIRST).days, (last - _FIRST).days + 1
    days: dict[int, dict[str, Any]] = {
        day: {"day": _FIRST + timedelta(days=day), "lookups": {}, "shown": 0, "recurred": 0}
        for day in range(begin, end)
    }
    between = (db.place, begin * DAY, end * DAY)
    for day, verdict, lookups, shown, recurred in await db.rows(LOOKUPS_BY_DAY, *between):
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
    f"SELECT l.matched_id, l.at / {DAY} AS day, count(*) FROM lookup l"
    " WHERE l.tenant = $1 AND l.place = $2 AND l.matched_id = ANY($3::text[])"
    " AND l.at >= $4 GROUP BY l.matched_id, day ORDER BY day"
)


async def daily_lookups(
    db: Db, reflection_ids: Sequence[str], *, since: datetime
) -> Mapping[str, Mapping[date, int]]:
    """See `Store.daily_lookups`."""
    found: dict[str, dict[date, int]] = {each: {} for each in reflection_ids}
    for each, day, lookups in await db.rows(_MATCHED, db.place, [*found], micros(since)):
        found[each][_FIRST + timedelta(days=day)] = lookups
    return found


CAME_BACK = Statement(
    "SELECT l.matched_id, count(*) FROM lookup l WHERE l.tenant = $1 AND l.place = $2"
    " AND l.at >= $3 AND l.recurred = 1 GROUP BY l.matched_id"
)
_CAST = Statement(
    "SELECT v.target_id, count(*) FILTER (WHERE v.kind = 'positive'),"
    " count(*) FILTER (WHERE v.kind = 'negative') FROM vote v"
    " WHERE v.tenant = $1 AND v.place = $2 AND v.at >= $3 GROUP BY v.target_id"
)
_THERE = Statement(
    "SELECT r.id FROM reflection r"
    " WHERE r.tenant = $1 AND r.place = ANY($2::bigint[])"
    " AND r.id = ANY($3::text[]) AND r.kind = 'reflection'"
)


async def track_records(db: Db, *, since: datetime) -> Mapping[str, TrackRecord]:
    """See `Store.track_records`."""
    came_back = await db.rows(CAME_BACK, db.place, micros(since))
    cast = await db.rows(_CAST, db.place, micros(since))
    there = await db.rows(_THERE, db.places, [*subjects(came_back, cast)])
    return track_records_of(came_back, cast, there)
