"""Consolidation without being asked: in mode `full`, when nobody is waiting, at most daily.

Rule: no model, no network, nothing deleted; what it did is in the log and can be taken back like a
consolidation on the command line.
"""

from datetime import datetime, timedelta

from reflection_mcp.server.commands.undo import last_run, mark_run, remember, undo_file
from reflection_mcp.store.errors import StoreError
from reflection_mcp.tools.learning import maintenance
from reflection_mcp.tools.learning.consolidation import ConsolidationPlan
from reflection_mcp.tools.ports import Services

DAILY = timedelta(days=1)
IDLE = timedelta(minutes=5)
"""How long nothing was asked before the server tidies up."""


def is_due(last: datetime | None, quiet_since: datetime, now: datetime) -> bool:
    """Whether it is time: quiet for a while, and not done within a day."""
    return now - quiet_since >= IDLE and (last is None or now - last >= DAILY)


async def consolidate_when_due(
    services: Services, location: str, quiet_since: datetime
) -> ConsolidationPlan | None:
    """Consolidate the project of the services if it is due; the plan that was applied, or None.

    Trouble is told to the log and is nobody's error: nobody asked.
    """
    path = undo_file(location, services.scope)

    def keep(plan: ConsolidationPlan) -> None:
        if path is not None:
            remember(path, services.scope, plan.changes)

    if not is_due(last_run(path), quiet_since, services.clock()):
        return None
    try:
        if path is not None:
            mark_run(path, services.scope)
        plan = await maintenance.consolidate(
            services.store, services.scope, services.clock, remember=keep
        )
    except (StoreError, OSError) as trouble:
        services.emit("consolidation_failed", {"reason": type(trouble).__name__})
        return None
    services.emit("consolidated", {"rows": len(plan.changes), "steps": len(plan.steps)})
    return plan
