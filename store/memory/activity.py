"""Votes, days and recurrences in memory: what happened in a scope, and when."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

from reflection_mcp.store.memory.scope_data import ScopeData
from reflection_mcp.store.state import DailyActivity, Recurrence, Vote
from reflection_mcp.store.versions import row_named, vote_on


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


def recurrence(scopes: Sequence[ScopeData], reflection_id: str, since: datetime) -> Recurrence:
    """One of `Store.recurrences`; the first of the scopes is the one that is asked about."""
    data = scopes[0]
    matched = [
        each
        for each in data.lookups.values()
        if each.matched_id == reflection_id and each.at >= since
    ]
    came_back = (each.at for each in matched if each.id in data.recurred)
    helped = (
        vote.at
        for each in scopes
        for vote in votes(each, reflection_id, since)
        if vote.kind == "positive"
    )
    return Recurrence(
        lookups=tuple(sorted(Counter(_on(each.at) for each in matched).items())),
        recurred_at=max(came_back, default=None),
        helped_at=max(helped, default=None),
    )


def _on(at: datetime) -> date:
    return at.astimezone(UTC).date()
