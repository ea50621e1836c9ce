"""Votes, days and track records in memory: what happened in a scope, and when."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta

from reflection_mcp.store.memory.scope_data import ScopeData
from reflection_mcp.store.state import DailyActivity, TrackRecord, Vote
from reflection_mcp.store.versions import row_named, track_records_of, vote_on


def votes(data: ScopeData, target_id: str | None, since: datetime | None) -> list[Vote]:
    """See `Store.votes`; all there are."""
    chosen = [
        (vote_on(target, kind, at, source, comment, occasion), target)
        for (target, source, occasion), (at, kind, comment) in data.votes.items()
        if target_id in (None, target, row_named(target)) and (since is None or at >= since)
    ]
    chosen.sort(key=lambda cast: (cast[1], cast[0].source, cast[0].occasion))
    chosen.sort(key=lambda cast: cast[0].at, reverse=True)
    return [vote for vote, _ in chosen]


def activity(data: ScopeData, first: date, last: date) -> list[DailyActivity]:
    """See `Store.activity`."""
    return [_day(data, first + timedelta(days=n)) for n in range((last - first).days + 1)]


def _day(data: ScopeData, day: date) -> DailyActivity:
    lookups = [each for each in data.lookups.values() if _on(each.at) == day]
    attempts = [each for each in data.attempts.values() if _on(each.at) == day]
    cast = Counter(
        kind
        for (target, _, _), (at, kind, _) in data.votes.items()
        if _on(at) == day and target not in data.attempts
    )
    qualities = [each.quality for each in attempts if each.quality is not None]
    return DailyActivity(
        day=day,
        lookups=dict(Counter[str](each.verdict for each in lookups)),
        shown=sum(bool(each.shown) for each in lookups),
        recurred=sum(each.id in data.recurred for each in lookups),
        positive=cast["positive"],
        negative=cast["negative"],
        attempts=len(attempts),
        mean_quality=round(sum(qualities) / len(qualities), 4) if qualities else None,
    )


def daily_lookups(data: ScopeData, ids: Sequence[str], since: datetime) -> dict[str, Counter[date]]:
    """See `Store.daily_lookups`."""
    found: dict[str, Counter[date]] = {each: Counter() for each in ids}
    for each in data.lookups.values():
        if each.matched_id in found and each.at >= since:
            found[each.matched_id][_on(each.at)] += 1
    return found


def track_records(scopes: Sequence[ScopeData], since: datetime) -> Mapping[str, TrackRecord]:
    """See `Store.track_records`; the first of the scopes is the one that is asked about."""
    data = scopes[0]
    came_back = Counter(
        each.matched_id
        for each in data.lookups.values()
        if each.matched_id and each.id in data.recurred and each.at >= since
    )
    cast = [
        (target, int(kind == "positive"), int(kind == "negative"))
        for (target, _, _), (at, kind, _) in data.votes.items()
        if at >= since
    ]
    rows = (row.reflection for each in scopes for row in each.rows.values())
    there = {row.id for row in rows if row.kind == "reflection"}
    return track_records_of([*came_back.items()], cast, there)


def _on(at: datetime) -> date:
    return at.astimezone(UTC).date()
