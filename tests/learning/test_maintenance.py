"""A memory that is consolidated while others use it, asked for or not."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import pytest

from reflection_mcp.store.errors import StoreBusy
from reflection_mcp.store.maintenance import Change
from reflection_mcp.store.records import Reflection, Scope
from reflection_mcp.store.sqlite.memory import MemoryStore
from reflection_mcp.store.unavailable import unavailable
from reflection_mcp.tools.errors import InvalidInput
from reflection_mcp.tools.learning import maintenance, stored_rows
from reflection_mcp.tools.learning.maintenance import DAILY, IDLE
from tests.learning.test_consolidation import TWIN, row
from tests.requirements import requirement
from tests.rows import each_row
from tests.tools.stage import NOON, Stage

pytestmark = pytest.mark.anyio

SHOP = Scope(project="shop")
BANK = Scope(project="bank")


class Crowded(MemoryStore):
    """Others change the rows just before the first plans are applied."""

    def __init__(self, times: int) -> None:
        super().__init__()
        self.times = times

    async def rewrite(
        self, scope: Scope, /, changes: Sequence[Change], *, consolidated: datetime | None = None
    ) -> tuple[str, ...]:
        self.times -= 1
        if self.times >= 0:
            return ("ref-1",)
        return await super().rewrite(scope, changes, consolidated=consolidated)


async def twins(store: MemoryStore | None = None) -> Stage:
    """A project with two rows that say the same."""
    store = store or MemoryStore()
    await store.adopt(SHOP, [row(), row("ref-2", TWIN)])
    return Stage(store=store)


async def consolidate_unasked(stage: Stage) -> bool:
    quiet_since = stage.at - timedelta(hours=1)
    return await maintenance.consolidate_when_due(stage.services(), quiet_since) is not None


# --------------------------------------------------------------------- asked for


async def test_a_plan_is_made_again_when_others_were_faster() -> None:
    stage = await twins(Crowded(2))
    plan = await maintenance.consolidate(stage.services())
    assert plan.count("merge") == 1
    assert [r.id for r in await stage.store.reflections(SHOP)] == ["ref-1"]


async def test_it_is_given_up_when_others_never_rest() -> None:
    stage = await twins(Crowded(9))
    with pytest.raises(StoreBusy):
        await maintenance.consolidate(stage.services())


async def test_the_rest_of_a_plan_is_undone_when_one_row_was_deleted_since() -> None:
    stage = await twins()
    await maintenance.consolidate(stage.services())
    await stage.store.forget(SHOP, "ref-2")
    assert await maintenance.undo(stage.services()) == (1, ())
    restored = await stage.store.reflection(SHOP, "ref-1")
    assert restored is not None
    assert restored.links == ()


async def test_nothing_is_undone_twice() -> None:
    stage = await twins()
    await maintenance.consolidate(stage.services())
    assert await maintenance.undo(stage.services()) == (2, ())
    with pytest.raises(InvalidInput, match="no consolidation"):
        await maintenance.undo(stage.services())


# --------------------------------------------------------------------- when nobody asks


@requirement("trace:modes")
@each_row(
    ("last", "quiet", "due"),
    [
        (None, IDLE, True),
        (DAILY, IDLE, True),
        (DAILY / 2, IDLE, False),
        (None, IDLE / 2, False),
    ],
)
async def test_it_runs_when_quiet_and_at_most_daily(
    last: timedelta | None, quiet: timedelta, due: bool
) -> None:
    stage = await twins()
    if last is not None:
        await stage.store.claim_consolidation(SHOP, at=stage.at - last, since=NOON)
    stage.at += timedelta(seconds=1)  # by which the clock moves at each look
    done = await maintenance.consolidate_when_due(stage.services(), stage.at - quiet)
    assert (done is not None) is due


@requirement("trace:modes")
async def test_what_it_did_is_logged_and_can_be_undone() -> None:
    stage = await twins()
    assert await maintenance.consolidate_when_due(stage.services(), stage.at) is None
    assert await consolidate_unasked(stage)
    assert stage.heard[-1][0] == "consolidated"
    assert stage.heard[-1][1]["rows"] == 2
    assert len(await stage.store.changes_undone(SHOP)) == 2


async def test_a_run_that_finds_nothing_keeps_what_undoes_the_last_one() -> None:
    stage = await twins()
    for _ in range(2):
        assert await consolidate_unasked(stage)
        stage.at += DAILY
    assert stage.heard[-1][1]["rows"] == 0
    assert len(await stage.store.changes_undone(SHOP)) == 2


async def test_each_project_has_its_day_and_its_journal() -> None:
    stage = await twins()
    assert await consolidate_unasked(stage)
    bank = stage.services(project="bank")
    await stage.store.adopt(BANK, [row(), row("ref-2", TWIN)])
    plan = await maintenance.consolidate_when_due(bank, stage.at - timedelta(hours=1))
    assert plan is not None
    assert len(plan.changes) == 2
    assert (
        len(await stage.store.changes_undone(BANK))
        == len(await stage.store.changes_undone(SHOP))
        == 2
    )


async def test_trouble_goes_to_the_log_alone() -> None:
    busy = await twins(Crowded(9))
    assert not await consolidate_unasked(busy)
    assert busy.heard[-1] == ("consolidation_failed", {"reason": "StoreBusy"})
    gone = Stage(store=unavailable(StoreBusy("busy", "try again")))
    assert not await consolidate_unasked(gone)


# --------------------------------------------------------------------- the rows of a store


async def test_rows_are_read_by_the_page_and_counted() -> None:
    store = MemoryStore()
    await store.adopt(
        SHOP, [row(f"ref-{n:04}", f"Lesson {n}.") for n in range(stored_rows.PAGE + 1)]
    )
    seen: list[int] = []
    rows: list[Reflection] = [
        each.reflection
        async for each in stored_rows.rows_of(store, SHOP, lambda what, total: seen.append)
    ]
    assert len(rows) == stored_rows.PAGE + 1
    assert seen == [stored_rows.PAGE, stored_rows.PAGE + 1]
    assert rows[0].id == "ref-0000"


async def test_a_merged_lesson_that_is_given_again_leads_to_the_row_that_stayed() -> None:
    stage = await twins()
    await maintenance.consolidate(stage.services())
    found = await stored_rows.same_lesson(stage.store, SHOP, "ref-2")
    assert found is not None
    assert found.id == "ref-1"
    assert await stored_rows.same_lesson(stage.store, SHOP, "unknown") is None
    assert await stored_rows.same_lesson(stage.store, BANK, "ref-2") is None
