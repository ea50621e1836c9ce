"""The limit of lessons of a project: the least useful ones go, counted and reported.

A lesson and its strategy are one, and are evicted together: a strategy without its lesson would say
what to do and not why, and its votes are those of the lesson. A strategy that no lesson shows any
more counts as one of its own, and goes first.
"""

from collections.abc import Sequence, Set
from dataclasses import dataclass
from datetime import datetime

from reflection_mcp.store.contract import Store
from reflection_mcp.store.records import Reflection, Scope
from reflection_mcp.tools.learning import track_record
from reflection_mcp.tools.learning.duplicates import normalized_words
from reflection_mcp.tools.learning.progress import Stage, no_stage, watched
from reflection_mcp.tools.learning.stored_rows import rows_of


@dataclass(frozen=True, slots=True)
class Excess:
    """The rows of the lessons over the limit, least useful first; how many lessons they are, and
    how many there were."""

    rows: tuple[Reflection, ...]
    lessons: int
    total: int


NEEDED = 0.05
"""The worth added against eviction to a row that was shown at all: its error came back, or its
task. A few showings without a positive vote take it away again (`track_record.TIREDNESS`)."""


@dataclass(frozen=True, slots=True)
class Evictable:
    """Rows that are evicted at once: a lesson after its strategies, or one row alone."""

    rows: tuple[Reflection, ...]

    @property
    def lesson(self) -> Reflection:
        """The row by which the others are evicted, too."""
        return self.rows[-1]

    @property
    def is_dropped(self) -> bool:
        """True for a strategy whose lessons all show another one."""
        row = self.lesson
        return row.kind == "strategy" and any(link.kind == "strategy_of" for link in row.links)

    def worth(self, now: datetime) -> float:
        """Return the worth of its best row."""
        return max(_worth(row, now) for row in self.rows)


def _entries(rows: Sequence[Reflection]) -> list[Evictable]:
    """Return the rows by what is evicted at once; a strategy of two lessons is in both."""
    lessons = {row.id: row for row in rows if row.kind == "reflection"}
    strategies: dict[str, list[Reflection]] = {}
    alone: list[Reflection] = []
    for row in rows:
        if row.kind == "reflection":
            continue
        of = [link.target_id for link in row.links if link.kind == "strategy_of"]
        words = normalized_words(row.lesson)
        # A strategy that came with words that its lesson no longer shows goes by itself.
        found = [
            each
            for each in of
            if each in lessons and normalized_words(lessons[each].strategy) == words
        ]
        found = [] if row.retired else found
        for each in found:
            strategies.setdefault(each, []).append(row)
        if not found:
            alone.append(row)
    return [
        *(Evictable((*strategies.get(row.id, ()), row)) for row in lessons.values()),
        *(Evictable((row,)) for row in alone),
    ]


def eviction_order(
    rows: Sequence[Reflection], now: datetime, spared: Set[str] = frozenset()
) -> list[list[Reflection]]:
    """Return what goes at once, the least useful first: retired, dropped, suspicious, harmful, then
    by worth; a strategy just before the last of its lessons."""
    ranked = sorted(
        _entries(rows),
        key=lambda entry: (
            entry.lesson.id in spared,
            not (entry.lesson.retired or entry.is_dropped),
            not entry.lesson.suspicious,
            not track_record.is_harmful(entry.lesson),
            entry.worth(now),
            entry.lesson.id,
        ),
    )
    last = {row.id: place for place, entry in enumerate(ranked) for row in entry.rows}
    return [
        [row for row in entry.rows if last[row.id] == place] for place, entry in enumerate(ranked)
    ]


def _worth(row: Reflection, now: datetime) -> float:
    return track_record.worth(row, now) + (NEEDED if row.shown else 0)


async def excess(
    store: Store,
    scope: Scope,
    now: datetime,
    most: int,
    spared: Set[str] = frozenset(),
    stage: Stage = no_stage,
) -> Excess:
    """Return what is over a limit; 0 is no limit. What was just stored is `spared`."""
    rows = [row.reflection async for row in rows_of(store, scope, stage)]
    order = eviction_order(rows, now, spared)
    over = len(order) - most if most else 0
    may_go = [part for part in order if spared.isdisjoint(row.id for row in part)]
    gone = may_go[: max(0, over)]
    return Excess(tuple(row for part in gone for row in part), len(gone), len(order))


async def evict(
    store: Store, scope: Scope, rows: Sequence[Reflection], stage: Stage = no_stage
) -> None:
    """Delete these rows for good."""
    for row in watched(rows, stage("deleting", len(rows))):
        await store.forget(scope, row.id)


SLACK = 50  # an eviction makes room for a fiftieth of the limit, so that not every lesson needs one


async def enforce_limit(
    store: Store, scope: Scope, now: datetime, most: int, spared: Set[str] = frozenset()
) -> Excess:
    """Evict what is over the limit after something was added, and was `spared`; 0 is no limit.

    Reads the rows only when a cheap count of lessons, or of strategies, is over the limit.
    """
    if not most or await _count(store, scope) <= most:
        return Excess((), 0, 0)
    found = await excess(store, scope, now, most - most // SLACK, spared)
    if found.total <= most:  # another process has made room meanwhile
        return Excess((), 0, found.total)
    await evict(store, scope, found.rows)
    return found


async def _count(store: Store, scope: Scope) -> int:
    return max(await store.count(scope, "reflection"), await store.count(scope, "strategy"))
