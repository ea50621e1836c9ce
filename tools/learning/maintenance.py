"""Consolidation of a project: when it is due, with a plan first, and undone when asked.

Rules: plan first, store what undoes the plan, then apply it in one transaction; if another process
writes in between, plan again. Without being asked it runs in mode `full` only, when nobody is
waiting, at most daily, and only where the store is a file: servers that share one would do it at
once. No model is asked, and nothing is deleted.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta

from reflection_mcp.store.errors import StoreBusy, StoreError
from reflection_mcp.store.maintenance import Change, carried_out
from reflection_mcp.tools.errors import InvalidInput
from reflection_mcp.tools.learning.consolidation import ConsolidationPlan, make_plan
from reflection_mcp.tools.learning.progress import Stage, no_stage
from reflection_mcp.tools.learning.stored_rows import rows_of
from reflection_mcp.tools.ports import Services

TRIES = 3  # plans that are made when others keep writing
DAILY = timedelta(days=1)
IDLE = timedelta(minutes=5)
"""The time without a question after which the server consolidates."""


async def consolidate(
    services: Services, *, dry_run: bool = False, stage: Stage = no_stage
) -> ConsolidationPlan:
    """Plan a consolidation, and unless it is a dry run, apply the plan in one transaction.

    Returns:
        The plan that was made or applied; the journal has what undoes it.

    Raises:
        StoreBusy: others kept changing the same rows.
        StoreError: the store or its journal cannot be used; nothing was changed.
    """
    store, scope = services.store, services.scope
    for _ in range(TRIES):
        rows = [row async for row in rows_of(store, scope, stage)]
        plan = make_plan(rows, services.clock(), stage)
        if dry_run or not plan.changes:
            return plan
        stage("writing", len(plan.changes))
        await services.journal.write(plan.changes)
        if not await store.rewrite(scope, plan.changes):
            return plan
    raise StoreBusy("others keep changing the same lessons", "try again when they are done")


async def apply_plan(services: Services, plan: ConsolidationPlan) -> None:
    """Apply a plan for rows that somebody has looked at; the journal has what undoes it.

    Raises:
        StoreBusy: others have changed one of the rows since; nothing was changed.
        StoreError: the store or its journal cannot be used; nothing was changed.
    """
    await services.journal.write(plan.changes)
    if await services.store.rewrite(services.scope, plan.changes):
        raise StoreBusy("the lessons were changed meanwhile", "look at them again")


def is_due(last: datetime | None, quiet_since: datetime, now: datetime) -> bool:
    """Return True if it was quiet for a while and the last consolidation is a day ago."""
    return now - quiet_since >= IDLE and (last is None or now - last >= DAILY)


async def consolidate_when_due(
    services: Services, quiet_since: datetime
) -> ConsolidationPlan | None:
    """Consolidate if it is due; return the plan that was applied, or None.

    Trouble goes to the log and is nobody's error: nobody asked.
    """
    if services.journal.path is None or not is_due(
        await services.journal.last_run(), quiet_since, services.clock()
    ):
        return None
    try:
        await services.journal.mark_run()
        plan = await consolidate(services)
    except StoreError as trouble:
        services.emit("consolidation_failed", {"reason": type(trouble).__name__})
        return None
    services.emit("consolidated", {"rows": len(plan.changes), "steps": len(plan.steps)})
    return plan


def what_undoes(services: Services) -> str:
    """Return what undoes a consolidation or a merger in this store."""
    return "`consolidate --undo`" if services.journal.kept else "only a backup"


async def undoing_changes(services: Services) -> list[Change]:
    """The changes that undo the last consolidation.

    Raises:
        InvalidInput: there is none, or the store keeps none.
        StoreCorrupt: the journal cannot be read.
    """
    if not services.journal.kept:
        raise InvalidInput(
            "only a store in a file or in PostgreSQL can undo a consolidation",
            "restore a backup; `consolidate --dry-run` shows a plan before it is applied",
        )
    changes = await services.journal.read()
    if not changes:
        raise InvalidInput("there is no consolidation to undo", "run `consolidate` first")
    return changes


async def undo(services: Services) -> tuple[int, tuple[str, ...]]:
    """Undo the last consolidation.

    Returns:
        The number of restored rows, and the ids of those that were changed since and stay.

    Raises:
        InvalidInput: there is none.
        StoreError: the store or its journal cannot be used.
    """
    changes = await undoing_changes(services)
    hindered = await services.store.rewrite(services.scope, changes)
    left = [change for change in changes if change.before.reflection.id not in hindered]
    if hindered and left:
        await services.store.rewrite(services.scope, left)
    await services.journal.write(())
    return len(left), hindered


async def rows_changed_since(
    services: Services, changes: Sequence[Change], stage: Stage = no_stage
) -> tuple[str, ...]:
    """Return the ids of the rows that `undo` would skip, in the order of the changes.

    Raises:
        StoreError: the store cannot be read.
    """
    wanted = {change.before.reflection.id for change in changes}
    rows = {
        row.reflection.id: row
        async for row in rows_of(services.store, services.scope, stage)
        if row.reflection.id in wanted
    }
    named = ((change.before.reflection.id, change) for change in changes)
    return tuple(
        name for name, change in named if name not in rows or not carried_out(rows[name], change)
    )
