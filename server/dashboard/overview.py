"""How a project does: six figures, what needs a person first, and what happened lately."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from reflection_mcp.server.dashboard.charts import Chart, bars, share
from reflection_mcp.server.dashboard.period import first_day
from reflection_mcp.server.dashboard.sample import LATELY, Lately, Sample
from reflection_mcp.store.records import Reflection
from reflection_mcp.store.state import TrackRecord
from reflection_mcp.tools.learning.review_queue import ReviewItem
from reflection_mcp.tools.ports import Services

FIRST = 3  # rows of each short list
MOST_CHANGES = 10  # rows of each kind since the last visit
MOST_LOOKUPS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What happened since the last visit: lessons learned, lessons that failed, errors that came
    back, look-ups."""

    since: datetime
    learned: tuple[Reflection, ...]
    failed: tuple[Reflection, ...]
    came_back: tuple[Reflection, ...]
    lookups: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """What the first page shows.

    Of the period are the look-ups, the share of those that were known in percent, the votes, and
    how often each error `came_back`; so are the `funnel`, whose steps have their share of the first
    in percent, and the rows of which there is most to say. What waits for review has candidates
    first.
    """

    lessons: int
    candidates: int
    lookups: int
    known_share: int
    helped: int
    failed: int
    came_back: tuple[int, ...]
    unresolved: int
    failed_most: tuple[tuple[Reflection, TrackRecord], ...]
    came_back_most: tuple[tuple[Reflection, TrackRecord], ...]
    waiting: tuple[ReviewItem, ...]
    funnel: tuple[tuple[str, int, int], ...]
    chart: Chart
    changes: Changes | None


async def overview(
    services: Services,
    days: int,
    sample: Sample,
    waiting: Sequence[ReviewItem],
    unresolved: int,
    last_visit: datetime | None,
) -> Overview:
    """Return how the project does."""
    store, scope = services.store, services.scope
    now = services.clock()
    activity = await store.activity(scope, first_day(now, days), first_day(now, 1))
    lookups = sum(sum(day.lookups.values()) for day in activity)
    known = sum(day.lookups.get(level, 0) for day in activity for level in ("exact", "same"))
    shown = sum(day.shown for day in activity)
    votes = {name: sum(_counts(sample.records, name)) for name in ("helped", "failed")}
    stats = await store.stats(scope)
    candidates = sum(item.reason == "candidate" for item in waiting)
    steps = (
        ("looked up", lookups), ("known", known), ("shown", shown), ("helped", votes["helped"]),
    )  # fmt: skip
    return Overview(
        lessons=stats.reflections - candidates,
        candidates=candidates,
        lookups=lookups,
        known_share=share(known, lookups),
        helped=votes["helped"],
        failed=votes["failed"],
        came_back=_counts(sample.records, "came_back"),
        unresolved=unresolved,
        failed_most=_first(sample, "failed"),
        came_back_most=_first(sample, "came_back"),
        waiting=tuple(sorted(waiting, key=lambda item: item.reason != "candidate")[:FIRST]),
        funnel=tuple((name, count, share(count, lookups)) for name, count in steps),
        chart=bars([sum(day.lookups.values()) for day in activity], "look-ups by day"),
        changes=None if last_visit is None else await _changes(services, last_visit),
    )


def _counts(records: Mapping[str, TrackRecord], by: Lately) -> tuple[int, ...]:
    """Return how often this became of each lesson of which it is so."""
    return tuple(n for each in records.values() if (n := getattr(each, LATELY[by])))


def _first(sample: Sample, by: Lately) -> tuple[tuple[Reflection, TrackRecord], ...]:
    return tuple((row, sample.record_of(row)) for row in sample.ranked(by)[:FIRST])


async def _changes(services: Services, since: datetime) -> Changes:
    store, scope = services.store, services.scope
    newest = await store.reflections(scope, kind="reflection", limit=MOST_CHANGES)
    lookups = await store.lookups(scope, since=since, limit=MOST_LOOKUPS)
    records = await store.track_records(scope, since=since)
    return Changes(
        since=since,
        learned=tuple(row for row in newest if row.first_seen >= since),
        failed=await _rows(services, records, "failed"),
        came_back=await _rows(services, records, "came_back"),
        lookups=len(lookups),
    )


async def _rows(
    services: Services, records: Mapping[str, TrackRecord], by: Lately
) -> tuple[Reflection, ...]:
    """Return the reflections of which this is so, most often first."""
    counts = {name: getattr(each, LATELY[by]) for name, each in records.items()}
    names = sorted(filter(counts.get, counts), key=lambda name: (-counts[name], name))
    rows = [await services.store.reflection(services.scope, name) for name in names[:MOST_CHANGES]]
    return tuple(row for row in rows if row is not None)
