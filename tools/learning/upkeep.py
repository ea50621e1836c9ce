"""Keeping a memory tidy: consolidate it, take that back, keep it within its limit.

Rules: plan first, then apply in one transaction; whoever else writes in between makes us plan
again. What is evicted is the least useful, and is counted and said. No model is asked.
"""

from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from reflection_mcp.store.contract import Store
from reflection_mcp.store.errors import StoreBusy
from reflection_mcp.store.records import Reflection, Scope
from reflection_mcp.store.upkeep import Change, Stored, carried_out
from reflection_mcp.tools.learning import effect
from reflection_mcp.tools.learning.consolidation import Plan, planned

PAGE = 500  # rows that are read at once; 1 MB or so
TRIES = 3  # plans that are made when others keep writing

Progress = Callable[[int], None]
"""Is told how many rows have been done so far."""


def unseen(done: int) -> None:
    """Watch nothing."""


async def rows_of(store: Store, scope: Scope, progress: Progress = unseen) -> AsyncIterator[Stored]:
    """Every row of exactly this scope, retired ones too, by id; memory for one page at a time."""
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
    remember: Callable[[Plan], None] = lambda plan: None,
    progress: Progress = unseen,
) -> Plan:
    """Plan, and unless it is a dry run, apply the plan in one transaction.

    `remember` is handed the plan before it is applied, to keep what takes it back.

    Returns:
        The plan that was made or applied; `plan.reversed` takes it back.

    Raises:
        StoreBusy: others kept changing the same rows.
        StoreError: the store cannot be used; nothing was changed.
    """
    for _ in range(TRIES):
        rows = [row async for row in rows_of(store, scope, progress)]
        plan = planned(rows, clock())
        if dry_run or not plan.changes:
            return plan
        remember(plan)
        if not await store.rewrite(scope, plan.changes):
            return plan
    raise StoreBusy("others keep changing the same lessons", "try again when they are done")


async def take_back(
    store: Store, scope: Scope, changes: Sequence[Change]
) -> tuple[int, tuple[str, ...]]:
    """Undo the changes of a plan.

    Returns:
        How many rows are as they were, and the ids of those that were changed since and stay.
    """
    hindered = await store.rewrite(scope, changes)
    left = [change for change in changes if change.before.reflection.id not in hindered]
    if hindered and left:
        await store.rewrite(scope, left)
    return len(left), hindered


async def hindering(
    store: Store, scope: Scope, changes: Sequence[Change], progress: Progress = unseen
) -> tuple[str, ...]:
    """The ids of the rows that `take_back` would leave as they are, in the order of the changes.

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
    """What is over the limit, least useful first, and how many rows there are."""

    rows: tuple[Reflection, ...]
    total: int


NEEDED = 0.05
"""What having been shown at all is worth against eviction: its error came back, or its task. A few
showings without a good word take it away again (`effect.TIREDNESS`)."""


def least_useful(rows: Sequence[Reflection], now: datetime) -> list[Reflection]:
    """Rows in the order in which they are evicted: retired, marked, harmful, then by worth."""
    return sorted(
        rows,
        key=lambda row: (
            not row.retired,
            not row.suspicious,
            not effect.is_harmful(row),
            effect.worth(row, now) + (NEEDED if row.shown else 0),
            row.id,
        ),
    )


async def excess(store: Store, scope: Scope, now: datetime, most: int) -> Excess:
    """The rows over a limit; 0 is no limit."""
    rows = [row.reflection async for row in rows_of(store, scope)]
    over = len(rows) - most if most else 0
    return Excess(tuple(least_useful(rows, now)[: max(0, over)]), len(rows))


async def evict(
    store: Store, scope: Scope, rows: Sequence[Reflection], progress: Progress = unseen
) -> None:
    """Forget these rows, for good."""
    for done, row in enumerate(rows, 1):
        await store.forget(scope, row.id)
        progress(done)


SLACK = 50  # an eviction makes room for a fiftieth of the limit, so that not every lesson needs one


async def keep_within(store: Store, scope: Scope, now: datetime, most: int) -> Excess:
    """Hold the limit after something was added; 0 is no limit.

    Looks at the rows only when a cheap count of them is over the limit.
    """
    if not most or await _count(store, scope) <= most:
        return Excess((), 0)
    found = await excess(store, scope, now, most - most // SLACK)
    if found.total <= most:  # another process has made room meanwhile
        return Excess((), found.total)
    await evict(store, scope, found.rows)
    return found


async def _count(store: Store, scope: Scope) -> int:
    """How many rows exactly this scope has: those it can read, without those of others."""
    counts = [await store.stats(each) for each in scope.readable]
    own, *others = [each.reflections + each.strategies for each in counts]
    return own - sum(others)


async def same_lesson(store: Store, scope: Scope, digest: str) -> Reflection | None:
    """The living row of this scope that took over what was once stored under a digest, if any.

    A lesson that was merged into another one is retired and keeps its signature; its key leads to
    the row that stayed, which is the one to be counted when the lesson is told again.
    """
    hits = await store.find(scope, [digest])
    own = [hit.reflection for hit in hits if hit.reflection.scope == scope]
    return own[0] if own else None
