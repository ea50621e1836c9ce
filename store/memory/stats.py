"""Counts over everything that a scope can read, in memory."""

from collections import Counter
from collections.abc import Sequence

from reflection_mcp.store.memory.scope_data import ScopeData
from reflection_mcp.store.state import Stats


def counted(scopes: Sequence[ScopeData]) -> Stats:
    """See `Store.stats`."""
    attempts = [attempt for data in scopes for attempt in data.attempts.values()]
    lookups = [lookup for data in scopes for lookup in data.lookups.values()]
    rows = [row.reflection for data in scopes for row in data.rows.values()]
    votes = [each for data in scopes for row in data.rows.values() for each in row.votes()]
    qualities = [a.quality for a in attempts if a.quality is not None]
    times = [attempt.at for attempt in attempts] + [lookup.at for lookup in lookups]
    times += [time for row in rows for time in (row.first_seen, row.last_seen)]
    said = [len(data.votes) + sum(map(len, data.vetoes.values())) for data in scopes]
    return Stats(
        attempts=len(attempts),
        mean_quality=round(sum(qualities) / len(qualities), 4) if qualities else None,
        reflections=sum(row.kind == "reflection" for row in rows),
        strategies=sum(row.kind == "strategy" for row in rows),
        occurrences=sum(row.occurrences for row in rows),
        lookups=len(lookups),
        lookups_by_verdict=dict(Counter[str](lookup.verdict for lookup in lookups)),
        shown=sum(row.shown for row in rows),
        helped=sum(helped for helped, _ in votes),
        failed=sum(failed for _, failed in votes),
        recurred=sum(each.id in data.recurred for data in scopes for each in data.lookups.values()),
        feedback=sum(said),
        first_at=min(times, default=None),
        last_at=max(times, default=None),
    )
