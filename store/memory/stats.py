"""Counts over everything that a scope can read, in memory."""

from collections import Counter
from collections.abc import Sequence

from reflection_mcp.store.memory.shelf import Shelf
from reflection_mcp.store.state import Stats


def counted(shelves: Sequence[Shelf]) -> Stats:
    """See `Store.stats`."""
    attempts = [attempt for shelf in shelves for attempt in shelf.attempts.values()]
    lookups = [lookup for shelf in shelves for lookup in shelf.lookups.values()]
    rows = [row.reflection for shelf in shelves for row in shelf.rows.values()]
    votes = [each for shelf in shelves for row in shelf.rows.values() for each in row.votes()]
    qualities = [a.quality for a in attempts if a.quality is not None]
    times = [attempt.at for attempt in attempts] + [lookup.at for lookup in lookups]
    times += [time for row in rows for time in (row.first_seen, row.last_seen)]
    said = [len(shelf.votes) + sum(map(len, shelf.vetoes.values())) for shelf in shelves]
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
        recurred=sum(row.recurred for row in rows),
        feedback=sum(said),
        first_at=min(times, default=None),
        last_at=max(times, default=None),
    )
