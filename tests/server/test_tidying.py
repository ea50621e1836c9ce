"""In mode `full` the server tidies up when nobody asks."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client

from reflection_mcp.server import app
from reflection_mcp.server.application import Application
from reflection_mcp.server.settings import Settings
from tests.requirements import requirement
from tests.server.test_endpoints import call

pytestmark = pytest.mark.anyio


class Day:
    """A clock that is moved by hand, and what was heard."""

    def __init__(self) -> None:
        self.now = datetime(2026, 11, 21, 12, tzinfo=UTC)
        self.events: list[str] = []
        self.tidied = anyio.Event()

    def clock(self) -> datetime:
        return self.now

    def emit(self, event: str, facts: dict[str, Any]) -> None:
        self.events.append(event)
        if event == "consolidated":
            self.tidied.set()


def an_application(tmp_path: Path, day: Day, **settings: Any) -> Application:
    chosen = Settings(store=str(tmp_path / "store.db"), **settings)
    return Application(settings=chosen, project="shop", clock=day.clock, emit=day.emit)


async def test_after_a_quiet_while_the_project_is_consolidated_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(app, "LOOK_EVERY", 0.0)
    day = Day()
    with anyio.fail_after(5):
        async with Client(app.build(an_application(tmp_path, day, mode="full"))) as client:
            await call(client, "reflect", question="q", answer="a", lesson="Pin it.")
            day.now += timedelta(minutes=10)
            await day.tidied.wait()
            assert day.events.count("consolidated") == 1


@requirement("trace:modes")
@pytest.mark.parametrize("settings", [{"mode": "lite"}, {"mode": "full", "enabled": False}])
async def test_otherwise_nothing_is_done_unasked(tmp_path: Path, settings: dict[str, Any]) -> None:
    await app.tidy_when_idle(an_application(tmp_path, Day(), **settings))
    assert not (tmp_path / "store.db").exists()
