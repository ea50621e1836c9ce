"""Keeping a memory tidy, while others use it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import NoReturn

import pytest

from reflection_mcp.store.errors import StoreBusy
from reflection_mcp.store.memory import MemoryStore
from reflection_mcp.store.records import Reflection, Scope, Stats
from reflection_mcp.store.upkeep import Change
from reflection_mcp.tools.learning import maintenance
from reflection_mcp.tools.learning.consolidation import ConsolidationPlan
from tests.learning.test_consolidation import TWIN, row
from tests.requirements import requirement
from tests.tools.stage import NOON

pytestmark = pytest.mark.anyio

SHOP = Scope(project="shop")


class Crowded(MemoryStore):
    """Others change the rows just before the first plans are applied."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.times = times

    async def rewrite(self, scope: Scope, changes: Sequence[Change]) -> tuple[str, ...]:
        self.times -= 1
        if self.times >= 0:
            return ("ref-1",)
        return await super().rewrite(scope, changes)


async def filled(store: MemoryStore) -> MemoryStore:
    await store.adopt(SHOP, [row(), row("ref-2", TWIN)])
    return store


async def test_a_plan_is_made_again_when_others_were_faster() -> None:
    store = await filled(Crowded(2))
    kept: list[ConsolidationPlan] = []
    plan = await maintenance.consolidate(store, SHOP, lambda: NOON, remember=kept.append)
    assert plan.count("merge") == 1
    assert len(kept) == 3
    assert [r.id for r in await store.reflections(SHOP)] == ["ref-1"]


async def test_it_is_given_up_when_others_never_rest() -> None:
    store = await filled(Crowded(9))
    with pytest.raises(StoreBusy):
        await maintenance.consolidate(store, SHOP, lambda: NOON)


async def test_the_rest_of_a_plan_is_taken_back_when_one_row_was_changed_since() -> None:
    store = await filled(MemoryStore())
    plan = await maintenance.consolidate(store, SHOP, lambda: NOON)
    await store.forget(SHOP, "ref-2")
    assert await maintenance.undo_plan(store, SHOP, plan.reversed) == (1, ("ref-2",))
    restored = await store.reflection(SHOP, "ref-1")
    assert restored is not None
    assert restored.links == ()


async def test_nothing_is_taken_back_twice() -> None:
    store = await filled(MemoryStore())
    plan = await maintenance.consolidate(store, SHOP, lambda: NOON)
    await maintenance.undo_plan(store, SHOP, plan.reversed)
    done, hindered = await maintenance.undo_plan(store, SHOP, plan.reversed)
    assert (done, len(hindered)) == (0, 2)


@requirement("memory:max-entries")
async def test_what_is_over_the_limit_is_the_least_useful_and_is_said() -> None:
    store = MemoryStore()
    rows = [
        row("best", "One.", helped=3),
        row("plain", "Two."),
        row("old", "Three.", last_seen=NOON - timedelta(days=300)),
        row("harmful", "Four.", failed=3, importance=0.9),
        row("marked", "Five.", suspicious=True),
        row("retired", "Six.", retired=True),
    ]
    await store.adopt(SHOP, rows)
    planned = await maintenance.excess(store, SHOP, NOON, 1)
    order = ["retired", "marked", "harmful", "old", "plain"]
    assert [each.id for each in planned.rows] == order
    assert len(await store.stored(SHOP)) == 6
    seen: list[int] = []
    gone = await maintenance.excess(store, SHOP, NOON, 2)
    await maintenance.evict(store, SHOP, gone.rows, seen.append)
    assert ([each.id for each in gone.rows], gone.total) == (order[:4], 6)
    assert seen == [1, 2, 3, 4]
    assert [each.reflection.id for each in await store.stored(SHOP)] == ["best", "plain"]


def test_what_was_needed_once_is_kept_longer_than_what_nobody_asked_for() -> None:
    rows = [
        row("never-shown", "One.").reflection,
        row("shown", "Two.", shown=1).reflection,
        row("shown-in-vain", "Three.", shown=30).reflection,
    ]
    order = [each.id for each in maintenance.least_useful(rows, NOON)]
    assert order == ["shown-in-vain", "never-shown", "shown"]


@requirement("memory:max-entries")
async def test_no_limit_is_no_excess() -> None:
    store = await filled(MemoryStore())
    for most in (0, 2, 9):
        assert (await maintenance.excess(store, SHOP, NOON, most)).rows == ()


async def test_rows_are_read_by_the_page_and_counted() -> None:
    store = MemoryStore()
    await store.adopt(
        SHOP, [row(f"ref-{n:04}", f"Lesson {n}.") for n in range(maintenance.PAGE + 1)]
    )
    seen: list[int] = []
    rows: list[Reflection] = [
        each.reflection async for each in maintenance.rows_of(store, SHOP, seen.append)
    ]
    assert len(rows) == maintenance.PAGE + 1
    assert seen == [maintenance.PAGE, maintenance.PAGE + 1]
    assert replace(rows[0], wordings=()).id == "ref-0000"


@requirement("memory:max-entries")
async def test_a_new_row_over_the_limit_drives_the_least_useful_out() -> None:
    store = await filled(MemoryStore())
    nothing = maintenance.Excess((), 0)
    assert await maintenance.enforce_limit(store, SHOP, NOON, 0) == nothing
    assert await maintenance.enforce_limit(store, SHOP, NOON, 2) == nothing
    await store.adopt(SHOP, [row("ref-3", "Three.", helped=1)])
    gone = await maintenance.enforce_limit(store, SHOP, NOON, 2)
    assert [each.id for each in gone.rows] == ["ref-1"]


async def test_rows_that_others_share_are_not_evicted_here() -> None:
    store = await filled(MemoryStore())
    everywhere = Scope(tenant=SHOP.tenant)
    await store.adopt(everywhere, [row(f"g-{n}", f"Lesson {n}.") for n in range(3)])
    assert (await maintenance.enforce_limit(store, SHOP, NOON, 2)).rows == ()
    assert len(await store.stored(SHOP)) == 2


async def test_rows_that_others_share_cost_no_look_at_every_row() -> None:
    class Unread(MemoryStore):
        async def stored(
            self, scope: Scope, *, after: str = "", limit: int = 500, only: str = ""
        ) -> NoReturn:
            raise AssertionError("every row was read")

    store = Unread()
    everywhere = Scope(tenant=SHOP.tenant)
    for scope in (SHOP, everywhere):
        await store.adopt(scope, [row(f"g-{n}", f"Lesson {n}.") for n in range(2)])
        assert (await maintenance.enforce_limit(store, scope, NOON, 2)).rows == ()


async def test_what_another_process_has_made_room_for_is_not_evicted_once_more() -> None:
    class Busy(MemoryStore):
        async def stats(self, scope: Scope) -> Stats:
            counted = await super().stats(scope)
            await self.forget(SHOP, "ref-1")  # between the count and the look at the rows
            return counted

    store = Busy()
    await store.adopt(SHOP, [row(f"ref-{n}", f"Lesson {n}.") for n in range(101)])
    assert await maintenance.enforce_limit(store, SHOP, NOON, 100) == maintenance.Excess((), 100)


async def test_a_merged_lesson_that_is_told_again_leads_to_the_row_that_stayed() -> None:
    store = await filled(MemoryStore())
    await maintenance.consolidate(store, SHOP, lambda: NOON)
    found = await maintenance.same_lesson(store, SHOP, "ref-2")
    assert found is not None
    assert found.id == "ref-1"
    assert await maintenance.same_lesson(store, SHOP, "unknown") is None
    assert await maintenance.same_lesson(store, Scope(project="bank"), "ref-2") is None
