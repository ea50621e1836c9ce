"""Consolidation of a project: when it is due, with a plan first, and undone when asked.

Rules: plan first, then apply the plan and store what undoes it in one transaction; if another
process writes in between, plan again. Without being asked it runs in mode `full` only, when nobody
is waiting, and at most daily, whichever server comes first. No model is asked, and nothing is
deleted.
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

UNDONE_BY = "`consolidate --undo`"
"""The command that undoes a consolidation or a merger."""


async def consolidate(
    services: Services, *, dry_run: bool = False, stage: Stage = no_stage
) -> ConsolidationPlan:
    """Plan a consolidation, and unless it is a dry run, apply the plan in one transaction.

    Returns:
        The plan that was made or applied.

    Raises:
        StoreBusy: others kept changing the same rows.
        StoreError: the store cannot be used; nothing was changed.
    """
    store, scope = services.store, services.scope
    for _ in range(TRIES):
        rows = [row async for row in rows_of(store, scope, stage)]
        plan = make_plan(rows, services.clock(), stage)
        if dry_run or not plan.changes:
            return plan
        stage("writing", len(plan.changes))
        if not await store.rewrite(scope, plan.changes, consolidated=services.clock()):
            return plan
    raise StoreBusy("others keep changing the same lessons", "try again when they are done")


async def apply_plan(services: Services, plan: ConsolidationPlan) -> None:
    """Apply a plan for rows that somebody has looked at.

    Raises:
        StoreBusy: others have changed one of the rows since; nothing was changed.
        StoreError: the store cannot be used; nothing was changed.
    """
    now = services.clock()
    if await services.store.rewrite(services.scope, plan.changes, consolidated=now):
        raise StoreBusy("the lessons were changed meanwhile", "look at them again")


async def consolidate_when_due(
    services: Services, quiet_since: datetime
) -> ConsolidationPlan | None:
    """Consolidate if it is due; return the plan that was applied, or None.

    Trouble goes to the log and is nobody's error: nobody asked.
    """
    now, store, scope = services.clock(), services.store, services.scope
    if now - quiet_since < IDLE:
        return None
    try:
        if not await store.claim_consolidation(scope, at=now, since=now - DAILY):
            return None
        plan = await consolidate(services)
    except StoreError as trouble:
        services.emit("consolidation_failed", {"reason": type(trouble).__name__})
        return None
    services.emit("consolidated", {"rows": len(plan.changes), "steps": len(plan.steps)})
    return plan


async def undoing_changes(services: Services) -> Sequence[Change]:
    """The changes that undo the last consolidation.

    Raises:
        InvalidInput: there is none.
        StoreError: they cannot be read.
    """
    changes = await services.store.changes_undone(services.scope)
    if not changes:
        raise _nothing_to_undo()
    return changes


def _nothing_to_undo() -> InvalidInput:
    return InvalidInput("there is no consolidation to undo", "run `consolidate` first")


async def undo(services: Services) -> tuple[int, tuple[str, ...]]:
    """Undo the last consolidation.

    Returns:
        The number of restored rows, and the ids of those that were changed since and stay.

    Raises:
        InvalidInput: there is none.
        StoreError: the store cannot be used.
    """
    restored, hindered = await services.store.undo(services.scope)
    if not (restored or hindered):
        raise _nothing_to_undo()
    return restored, hindered


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
