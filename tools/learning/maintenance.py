"""Maintenance of a store: consolidate it, undo that, and hold its limit of rows.

Rules: plan first, then apply in one transaction; if another process writes in between, plan again.
The least useful rows are evicted, counted and reported. No model is asked.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from reflection_mcp.store.contract import Store
from reflection_mcp.store.errors import StoreBusy
from reflection_mcp.store.records import Reflection, Scope
from reflection_mcp.store.upkeep import Change, StoredReflection, carried_out
from reflection_mcp.tools.learning import track_record
from reflection_mcp.tools.learning.consolidation import ConsolidationPlan, make_plan

PAGE = 500  # rows that are read at once; 1 MB or so
TRIES = 3  # plans that are made when others keep writing

Progress = Callable[[int], None]
"""A function that is called with the number of rows done so far."""


def ignore_progress(done: int) -> None:
    """Ignore the progress."""


async def rows_of(
    store: Store, scope: Scope, progress: Progress = ignore_progress
) -> AsyncIterator[StoredReflection]:
    """Yield every row of exactly this scope, retired ones too, by id; one page in memory at a
    time."""
    last, done = "", 0
    while page := await store.stored(scope, after=last, limit=PAGE):
        for row in page:
            yield row
        last, done = page[-1].reflection.id, done + len(page)
        progress(done)


async def consolidate(
    store: Store,
    scope: Scope,
    clock: Callable[[], datetime],
    *,
    dry_run: bool = False,
    remember: Callable[[ConsolidationPlan], None] = lambda plan: None,
    progress: Progress = ignore_progress,
) -> ConsolidationPlan:
    """ConsolidationPlan, and unless it is a dry run, apply the plan in one transaction.

    `remember` is called with the plan before it is applied, to store what undoes it.

    Returns:
        The plan that was made or applied; `plan.reversed` undoes it.

    Raises:
        StoreBusy: others kept changing the same rows.
        StoreError: the store cannot be used; nothing was changed.
    """
    for _ in range(TRIES):
        rows = [row async for row in rows_of(store, scope, progress)]
        plan = make_plan(rows, clock())
        if dry_run or not plan.changes:
            return plan
        remember(plan)
        if not await store.rewrite(scope, plan.changes):
            return plan
    raise StoreBusy("others keep changing the same lessons", "try again when they are done")


async def undo_plan(
    store: Store, scope: Scope, changes: Sequence[Change]
) -> tuple[int, tuple[str, ...]]:
    """Undo the changes of a plan.

    Returns:
        The number of restored rows, and the ids of those that were changed since and stay.
    """
    hindered = await store.rewrite(scope, changes)
    left = [change for change in changes if change.before.reflection.id not in hindered]
    if hindered and left:
        await store.rewrite(scope, left)
    return len(left), hindered


async def rows_changed_since(
    store: Store, scope: Scope, changes: Sequence[Change], progress: Progress = ignore_progress
) -> tuple[str, ...]:
    """Return the ids of the rows that `undo_plan` would skip, in the order of the changes.

    Raises:
        StoreError: the store cannot be read.
    """
    wanted = {change.before.reflection.id for change in changes}
    rows = {
        row.reflection.id: row
        async for row in rows_of(store, scope, progress)
        if row.reflection.id in wanted
    }
    named = ((change.before.reflection.id, change) for change in changes)
    return tuple(
        name for name, change in named if name not in rows or not carried_out(rows[name], change)
    )


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


async def same_lesson(store: Store, scope: Scope, digest: str) -> Reflection | None:
    """Return the living row of this scope that took over what was stored under a digest, if any.

    A lesson that was merged into another one is retired and keeps its signature; its key leads to
    the row that stayed, which is the one to count when the same lesson is given again.
    """
    hits = await store.find(scope, [digest])
    own = [hit.reflection for hit in hits if hit.reflection.scope == scope]
    return own[0] if own else None
