"""Deletion of records for good, with everything that belongs to them."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from reflection_mcp.store.records import Scope
from reflection_mcp.tools.learning.progress import Stage, no_stage, watched
from reflection_mcp.tools.learning.stored_rows import record_of, rows_of
from reflection_mcp.tools.ports import Services


@dataclass(frozen=True, slots=True, kw_only=True)
class DeletionPlan:
    """Ids: `named` and the strategies that go `along`, each with its lesson; `unknown` ones."""

    named: tuple[str, ...]
    along: dict[str, str] = field(default_factory=dict[str, str])
    unknown: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        """All that would be deleted."""
        return (*self.named, *self.along)


async def deletion_of_all(services: Services, stage: Stage = no_stage) -> DeletionPlan:
    """Plan to delete all lessons of the project."""
    rows = rows_of(services.store, services.scope, stage)
    return DeletionPlan(named=tuple([row.reflection.id async for row in rows]))


async def deletion_of(
    services: Services, ids: Sequence[str], stage: Stage = no_stage
) -> DeletionPlan:
    """Plan to delete the records with these ids of this very project, not of the global one."""
    store, scope = services.store, services.scope
    everywhere = Scope(tenant=scope.tenant)
    known: list[str] = []
    for each in ids:
        found = await record_of(store, scope, each)
        shared = scope != everywhere and await record_of(store, everywhere, each)
        if found is not None and found != shared:
            known.append(each)
    return DeletionPlan(
        named=tuple(known),
        along=await _strategies_along(services, known, stage),
        unknown=tuple(each for each in ids if each not in known),
    )


async def delete(services: Services, ids: Collection[str], stage: Stage = no_stage) -> None:
    """Delete these records.

    Raises:
        StoreError: the store cannot be written.
    """
    for each in watched(ids, stage("deleting", len(ids))):
        await services.store.forget(services.scope, each)


async def _strategies_along(services: Services, ids: Sequence[str], stage: Stage) -> dict[str, str]:
    """Return the strategies that came with these lessons and no other, each with its lesson."""
    along: dict[str, str] = {}
    async for row in rows_of(services.store, services.scope, stage):
        links = row.reflection.links
        lessons = [link.target_id for link in links if link.kind == "strategy_of"]
        if row.reflection.id not in ids and lessons and set(lessons) <= set(ids):
            along[row.reflection.id] = lessons[0]
    return along
