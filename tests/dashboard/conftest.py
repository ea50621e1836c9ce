"""A dashboard over a real store, and a browser's part of the conversation with it."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import pytest
from starlette.requests import Request
from starlette.testclient import TestClient

from reflection_mcp.server.application import Application
from reflection_mcp.server.dashboard.app import Dashboard
from reflection_mcp.server.dashboard.door import TicketDoor, new_ticket, signed
from reflection_mcp.server.settings.settings import Settings
from reflection_mcp.store.contract import Store
from reflection_mcp.tools.ports import Caller, Services
from tests.dashboard.invented import filled as project_at
from tests.new_store import placed

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
PORT = 8765
KEY = b"k" * 32
OWN = f"http://127.0.0.1:{PORT}"
T = TypeVar("T")


@dataclass(kw_only=True)
class Visitor:
    """A browser that is logged in, and the store behind the pages."""

    http: TestClient
    application: Application
    dashboard: Dashboard
    door: TicketDoor
    clock: list[datetime] = field(default_factory=lambda: [NOON])

    def get(self, path: str, status: int = 200, **headers: str) -> str:
        """The text of a page."""
        answer = self.http.get(path, headers=headers)
        assert answer.status_code == status, answer.text[:400]
        return answer.text

    def token(self) -> str:
        """The token that the forms of this session carry."""
        return signed(KEY, f"form {self.http.cookies[self.door.cookie]}")

    def post(self, path: str, status: int = 303, /, **fields: str | list[str]) -> str:
        """Send a form as a page of ours does; returns the page that it leads to."""
        self.clock[0] += timedelta(seconds=1)
        answer = self.http.post(
            path,
            data={"token": self.token(), "project": "shop", "back": "/errors", **fields},
            headers={"sec-fetch-site": "same-origin", "origin": OWN},
            follow_redirects=False,
        )
        assert answer.status_code == status, answer.text[:400]
        return self.get(answer.headers["location"]) if status == 303 else answer.text

    def services(self) -> Services:
        """The services that the pages use."""
        return self.ask(lambda: self.application.services(CALLER, "shop"))

    def ask(self, work: Callable[[], Awaitable[T]]) -> T:
        """Wait for something in the loop in which the store is open."""
        portal = self.http.portal
        assert portal is not None
        return portal.call(work)

    def store(self, work: Callable[[Store], Awaitable[T]]) -> T:
        """Ask the store itself."""

        async def asked() -> T:
            return await work(await self.application.store())

        return self.ask(asked)


CALLER = Caller(conversation_id="ann", client="dashboard")
Open = Callable[..., Visitor]


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Open]:
    """Open the dashboard of a store, with the made-up project in it unless it is to be empty."""
    visitors: list[Visitor] = []

    def open_it(
        *,
        filled: bool = True,
        may_act: bool = True,
        name: str = "store.db",
        max_entries: int = 0,
        **more: Any,
    ) -> Visitor:
        clock = [NOON]
        path = tmp_path / name
        settings = Settings(store=placed(path), max_entries=max_entries or 1_000)
        if filled:
            path.write_bytes(project_at(NOON))
        application = Application(settings=settings, project="shop", clock=lambda: clock[0])

        async def visitor(request: Request, project: str | None) -> tuple[Services, bool]:
            return await application.services(CALLER, project), may_act

        dashboard = Dashboard(visitor=visitor, settings=settings, **more)
        door = TicketDoor(port=PORT, key=KEY, clock=lambda: clock[0].timestamp())
        http = TestClient(door.guarding(dashboard.app()), base_url=OWN)
        http.__enter__()
        one = Visitor(
            http=http, application=application, dashboard=dashboard, door=door, clock=clock
        )
        visitors.append(one)
        http.get(f"/open?ticket={new_ticket(KEY, NOON.timestamp())}")
        return one

    yield open_it
    for each in visitors:
        each.ask(each.application.close)
        each.http.__exit__(None, None, None)


@pytest.fixture
def visitor(opened: Open) -> Visitor:
    """A visitor of the made-up project."""
    return opened()
