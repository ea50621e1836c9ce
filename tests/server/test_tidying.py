"""In mode `full` the server tidies up when nobody asks."""

import asyncio
import math
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from mcp import Client

from reflection_mcp.server import app
from reflection_mcp.server.application import Application
from reflection_mcp.server.settings.settings import Settings
from reflection_mcp.server.worker import Worker
from tests.mcp.test_endpoints import call
from tests.requirements import requirement

pytestmark = pytest.mark.anyio


class Day:
    """A clock that is moved by hand, and what was heard."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 21, 12, tzinfo=UTC)
        self.events: list[str] = []
        self.tidied = anyio.Event()
        self._loop = asyncio.get_running_loop()

    def clock(self) -> datetime:
        return self.now

    def emit(self, event: str, facts: dict[str, Any]) -> None:
        self.events.append(event)
        if event == "consolidated":
            self._loop.call_soon_threadsafe(self.tidied.set)  # from the worker's thread


def an_application(tmp_path: Path, day: Day, **settings: Any) -> Application:
    chosen = Settings(store=str(tmp_path / "store.db"), **settings)
    return Application(settings=chosen, project="shop", clock=day.clock, emit=day.emit)


async def test_after_a_quiet_while_the_project_is_consolidated_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "LOOK_EVERY", 0.0)
    day = Day()
    with anyio.fail_after(60):
        async with Client(app.build(an_application(tmp_path, day, mode="full"))) as client:
            await call(client, "reflect", question="q", answer="a", lesson="Pin it.")
            day.now += timedelta(minutes=10)
            await day.tidied.wait()
            assert day.events.count("consolidated") == 1


async def test_what_is_under_way_ends_before_the_store_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    begun = anyio.Event()

    async def tidying(application: Application, worker: Worker) -> None:
        try:
            begun.set()
            await anyio.sleep_forever()
        finally:
            with anyio.CancelScope(shield=True):
                await anyio.lowlevel.checkpoint()
            done.append("tidied")

    class Watched(Application):
        async def close(self, wait: float = math.inf) -> None:
            done.append("closed")

    monkeypatch.setattr(app, "tidy_when_idle", tidying)
    with anyio.fail_after(60):
        application = Watched(settings=Settings(store=str(tmp_path / "s.db")), project="shop")
        async with Client(app.build(application)):
            await begun.wait()
    assert done == ["tidied", "closed"]


async def test_a_bug_in_tidying_is_not_lost_and_the_store_is_closed_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[bool] = []

    async def broken(application: Application, worker: Worker) -> None:
        raise ZeroDivisionError("a bug of ours")

    class Watched(Application):
        async def close(self, wait: float = math.inf) -> None:
            closed.append(True)

    monkeypatch.setattr(app, "tidy_when_idle", broken)
    application = Watched(settings=Settings(store=str(tmp_path / "s.db")), project="shop")
    server = app.build(application)
    lifespan = server.settings.lifespan
    assert lifespan is not None
    with pytest.raises(ZeroDivisionError):
        async with lifespan(server):
            await anyio.lowlevel.checkpoint()
    assert closed == [True]


@requirement("trace:modes")
@pytest.mark.parametrize("settings", [{"mode": "lite"}, {"mode": "full", "enabled": False}])
async def test_otherwise_nothing_is_done_unasked(tmp_path: Path, settings: dict[str, Any]) -> None:
    await app.tidy_when_idle(an_application(tmp_path, Day(), **settings), Worker())
    assert not (tmp_path / "store.db").exists()
