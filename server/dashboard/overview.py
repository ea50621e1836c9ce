"""The overview of a project: what needs a person first, six numbers, and what happened lately."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from reflection_mcp.server.dashboard.charts import bars, share
from reflection_mcp.server.dashboard.period import first_day
from reflection_mcp.server.dashboard.sample import LATELY, Lately, Sample
from reflection_mcp.store.records import Reflection
from reflection_mcp.store.state import TrackRecord
from reflection_mcp.tools.learning.review_queue import ReviewItem
from reflection_mcp.tools.ports import Services

MOST_CHANGES = 10  # rows of each kind since the last visit
MOST_LOOKUPS = 1_000


async def overview(
    services: Services, days: int, sample: Sample, waiting: Sequence[ReviewItem]
) -> dict[str, Any]:
    """Return what the first page shows.

    Of the period are the look-ups, the share of those that were known in percent, the votes, and
    how often each error came back; so are the steps of the funnel, which have their share of the
    first in percent, and the lessons of which there is most to say.
    """
    store, now = services.store, services.clock()
    activity = await store.activity(services.scope, first_day(now, days), first_day(now, 1))
    by_day = [sum(day.lookups.values()) for day in activity]
    lookups = sum(by_day)
    known = sum(day.lookups.get(level, 0) for day in activity for level in ("exact", "same"))
    shown = sum(day.shown for day in activity)
    helped, failed = (sum(_counts(sample.records, name)) for name in ("helped", "failed"))
    stats = await store.stats(services.scope)
    candidates = sum(item.reason == "candidate" for item in waiting)
    steps = (("looked up", lookups), ("known", known), ("shown", shown), ("helped", helped))
    return {
        "lessons": stats.reflections - candidates,
        "candidates": candidates,
        "lookups": lookups,
        "known_share": share(known, lookups),
        "helped": helped,
        "failed": failed,
        "came_back": _counts(sample.records, "came_back"),
        "failed_most": next(iter(sample.ranked("failed")), None),
        "came_back_most": next(iter(sample.ranked("came_back")), None),
        "record_of": sample.record_of,
        "waiting": min(waiting, key=lambda item: item.reason != "candidate", default=None),
        "funnel": [(name, count, share(count, lookups)) for name, count in steps],
        "chart": bars(by_day, "look-ups by day"),
        "most": max(by_day, default=0),
    }


def _counts(records: Mapping[str, TrackRecord], by: Lately) -> list[int]:
    """Return how often this became of each lesson of which it is so."""
    return [n for each in records.values() if (n := getattr(each, LATELY[by]))]


async def changes(services: Services, since: datetime) -> dict[str, Any]:
    """Return what happened since then: look-ups, and lessons by what happened to them."""
    store, scope = services.store, services.scope
    newest = await store.reflections(scope, kind="reflection", limit=MOST_CHANGES)
    records = await store.track_records(scope, since=since)
    return {
        "since": since,
        "lookups": len(await store.lookups(scope, since=since, limit=MOST_LOOKUPS)),
        "lists": (
            ("Failed", await _rows(services, records, "failed")),
            ("Came back after a lesson was shown", await _rows(services, records, "came_back")),
            ("Learned", [row for row in newest if row.first_seen >= since]),
        ),
    }


async def _rows(
    services: Services, records: Mapping[str, TrackRecord], by: Lately
) -> list[Reflection]:
    """Return the reflections of which this is so, most often first."""
    counts = {name: getattr(each, LATELY[by]) for name, each in records.items()}
    names = sorted(filter(counts.get, counts), key=lambda name: (-counts[name], name))
    rows = [await services.store.reflection(services.scope, name) for name in names[:MOST_CHANGES]]
    return [row for row in rows if row is not None]
