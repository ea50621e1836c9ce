"""Consolidation without being asked."""

import os
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from reflection_mcp.server.commands.idle import DAILY, IDLE, consolidate_when_due, is_due
from reflection_mcp.server.commands.undo import (
    last_run,
    leave_out,
    mark_run,
    remember,
    remembered,
    undo_file,
)
from reflection_mcp.store.errors import StoreBusy
from reflection_mcp.store.memory import MemoryStore
from reflection_mcp.store.records import Scope
from reflection_mcp.store.unavailable import unavailable
from reflection_mcp.tools.errors import InvalidInput
from tests.learning.test_consolidation import TWIN, row
from tests.learning.test_maintenance import SHOP, Crowded
from tests.requirements import requirement
from tests.tools.stage import NOON, Stage

BANK = Scope(project="bank")
LATER = datetime(2100, 1, 1, tzinfo=UTC)
"""After every date that a file of this test can have."""


@requirement("trace:modes")
@pytest.mark.parametrize(
    ("last", "quiet", "due"),
    [
        (None, IDLE, True),
        (DAILY, IDLE, True),
        (DAILY / 2, IDLE, False),
        (None, IDLE / 2, False),
    ],
)
def test_it_runs_when_quiet_and_at_most_daily(
    last: timedelta | None, quiet: timedelta, due: bool
) -> None:
    ran = NOON - last if last is not None else None
    assert is_due(ran, NOON - quiet, NOON) is due


async def tidy(stage: Stage, location: str) -> bool:
    plan = await consolidate_when_due(stage.services(), location, stage.at - timedelta(hours=1))
    return plan is not None


async def twins(store: MemoryStore) -> MemoryStore:
    await store.adopt(SHOP, [row(), row("ref-2", TWIN)])
    return store


@requirement("trace:modes")
@pytest.mark.anyio
async def test_what_it_did_is_logged_and_can_be_taken_back(tmp_path: Path) -> None:
    stage = Stage(store=await twins(MemoryStore()), at=LATER)
    assert await tidy(stage, str(tmp_path / "r.db"))
    assert stage.heard[-1][0] == "consolidated"
    assert stage.heard[-1][1]["rows"] == 2
    assert len(remembered(undo_file(str(tmp_path / "r.db"), SHOP), SHOP)[1]) == 2


@pytest.mark.anyio
async def test_a_run_that_finds_nothing_keeps_the_last_way_back(tmp_path: Path) -> None:
    stage = Stage(store=await twins(MemoryStore()), at=LATER)
    for _ in range(2):
        assert await tidy(stage, str(tmp_path / "r.db"))
    assert stage.heard[-1][1]["rows"] == 0
    assert len(remembered(undo_file(str(tmp_path / "r.db"), SHOP), SHOP)[1]) == 2


@pytest.mark.anyio
async def test_each_project_has_its_day_and_its_way_back(tmp_path: Path) -> None:
    store = await twins(MemoryStore())
    await store.adopt(BANK, [row(), row("ref-2", TWIN)])
    stage = Stage(store=store, at=LATER)
    location, quiet = str(tmp_path / "r.db"), stage.at - timedelta(hours=1)
    for project in ("shop", "bank"):
        plan = await consolidate_when_due(stage.services(project=project), location, quiet)
        assert plan is not None
        assert len(plan.changes) == 2
    for scope in (SHOP, BANK, replace(SHOP, tenant="rival")):
        path = undo_file(location, scope)
        if scope.tenant == "rival":
            with pytest.raises(InvalidInput, match="no consolidation"):
                remembered(path, scope)
        else:
            assert len(remembered(path, scope)[1]) == 2


@pytest.mark.anyio
async def test_what_was_deleted_for_good_is_left_out_of_the_way_back_alone(tmp_path: Path) -> None:
    stage = Stage(store=await twins(MemoryStore()), at=LATER)
    await tidy(stage, str(tmp_path / "r.db"))
    path = undo_file(str(tmp_path / "r.db"), SHOP)
    assert path is not None
    os.utime(path, (7, 7))
    leave_out(path, BANK, ["ref-2"])
    leave_out(path, SHOP, ["ref-3"])
    assert len(remembered(path, SHOP)[1]) == 2
    leave_out(path, SHOP, ["ref-2"])
    assert [change.before.reflection.id for change in remembered(path, SHOP)[1]] == ["ref-1"]
    assert last_run(path) == datetime.fromtimestamp(7, UTC)


@pytest.mark.parametrize("damage", [b"", b"\xff", b'{"tenant": "default", "project": "shop"}\n{}'])
def test_a_way_back_that_leads_nowhere_is_removed_with_what_is_deleted(
    tmp_path: Path, damage: bytes
) -> None:
    path = tmp_path / "odd.undo"
    path.write_bytes(damage)
    leave_out(path, SHOP, ["ref-2"])
    assert not path.exists()
    leave_out(path, SHOP, ["ref-2"])
    leave_out(None, SHOP, ["ref-2"])


@pytest.mark.anyio
async def test_a_store_in_memory_is_tidied_too() -> None:
    stage = Stage(store=await twins(MemoryStore()), at=LATER)
    assert await tidy(stage, "memory:")


@pytest.mark.anyio
async def test_trouble_is_told_to_the_log_alone(tmp_path: Path) -> None:
    busy = Stage(store=await twins(Crowded(9)), at=LATER)
    assert not await tidy(busy, str(tmp_path / "r.db"))
    assert busy.heard[-1] == ("consolidation_failed", {"reason": "StoreBusy"})
    gone = Stage(store=unavailable(StoreBusy("busy", "try again")), at=LATER)
    assert not await tidy(gone, "memory:")


def test_the_date_of_the_last_run_is_the_date_of_its_file(tmp_path: Path) -> None:
    path = undo_file(str(tmp_path / "r.db"), SHOP)
    assert path is not None
    assert last_run(None) is None
    assert last_run(path) is None
    mark_run(path, SHOP)
    assert last_run(path) is not None
    remember(path, SHOP, ())
    with pytest.raises(InvalidInput, match="no consolidation"):
        remembered(path, SHOP)
