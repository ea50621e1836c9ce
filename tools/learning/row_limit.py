"""The limit of rows of a project: the least useful ones go, counted and reported."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from reflection_mcp.store.contract import Store
from reflection_mcp.store.records import Reflection, Scope
from reflection_mcp.tools.learning import track_record
from reflection_mcp.tools.learning.stored_rows import Progress, ignore_progress, rows_of


@dataclass(frozen=True, slots=True)
class Excess:
    """The rows over the limit, least useful first, and the number of all rows."""

    rows: tuple[Reflection, ...]
    total: int


NEEDED = 0.05
"""The worth added against eviction to a row that was shown at all: its error came back, or its
task. A few showings without a positive vote take it away again (`track_record.TIREDNESS`)."""


def least_useful(rows: Sequence[Reflection], now: datetime) -> list[Reflection]:
    """Return rows in the order of eviction: retired, suspicious, harmful, then by worth."""
    return sorted(
        rows,
        key=lambda row: (
            not row.retired,
            not row.suspicious,
            not track_record.is_harmful(row),
            track_record.worth(row, now) + (NEEDED if row.shown else 0),
            row.id,
        ),
    )


async def excess(store: Store, scope: Scope, now: datetime, most: int) -> Excess:
    """Return the rows over a limit; 0 is no limit."""
    rows = [row.reflection async for row in rows_of(store, scope)]
    over = len(rows) - most if most else 0
    return Excess(tuple(least_useful(rows, now)[: max(0, over)]), len(rows))


async def evict(
    store: Store, scope: Scope, rows: Sequence[Reflection], progress: Progress = ignore_progress
) -> None:
    """Delete these rows for good."""
    for done, row in enumerate(rows, 1):
        await store.forget(scope, row.id)
        progress(done)


SLACK = 50  # an eviction makes room for a fiftieth of the limit, so that not every lesson needs one


async def enforce_limit(store: Store, scope: Scope, now: datetime, most: int) -> Excess:
    """Evict what is over the limit after something was added; 0 is no limit.

    Reads the rows only when a cheap count of them is over the limit.
    """
    if not most or await _count(store, scope) <= most:
        return Excess((), 0)
    found = await excess(store, scope, now, most - most // SLACK)
    if found.total <= most:  # another process has made room meanwhile
        return Excess((), found.total)
    await evict(store, scope, found.rows)
    return found


async def _count(store: Store, scope: Scope) -> int:
    """Count the rows of exactly this scope: those it can read, without those of others."""
    counts = [await store.stats(each) for each in scope.readable]
    own, *others = [each.reflections + each.strategies for each in counts]
    return own - sum(others)
