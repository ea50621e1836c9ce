"""The real server over a real store, as a host reaches it from a page."""

from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import anyio
from mcp import Client
from mcp_types import TextResourceContents

from reflection_mcp.server.app import build
from reflection_mcp.server.application import Application
from reflection_mcp.server.settings.settings import Settings
from reflection_mcp.store.contract import Store
from reflection_mcp.store.open import open_store
from tests.new_store import placed

T = TypeVar("T")
IMAGE = "<img src=x onerror=alert(1)>"
ERROR = "PermissionError: [Errno 13] Permission denied: 'orders.db'"


class Served:
    """One store, and a server for each call; every loop runs in a thread of its own."""

    def __init__(self, path: Path) -> None:
        self.location = placed(path)

    def call(self, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Call a tool; returns the result as it goes over the wire."""

        async def work(client: Client) -> dict[str, Any]:
            result = await client.call_tool(name, arguments)
            return result.model_dump(mode="json", by_alias=True, exclude_none=True)

        return self._asked(work)

    def page(self, uri: str) -> str:
        """The text of a resource."""

        async def work(client: Client) -> str:
            (content,) = (await client.read_resource(uri)).contents
            assert isinstance(content, TextResourceContents)
            return content.text

        return self._asked(work)

    def stored(self, work: Callable[[Store], Awaitable[T]]) -> T:
        """What a function reads of the store."""

        async def opened() -> T:
            store = await open_store(self.location)
            try:
                return await work(store)
            finally:
                await store.close()

        return _in_a_thread(opened)

    def _asked(self, work: Callable[[Client], Awaitable[T]]) -> T:
        async def connected() -> T:
            application = Application(settings=Settings(store=self.location), project="shop")
            async with Client(build(application)) as client:
                return await work(client)

        return _in_a_thread(connected)

    def learn(self) -> None:
        """Store two lessons, of which one tries to be a picture."""
        for number, lesson in enumerate(("Close the file before it is renamed.", IMAGE)):
            self.call(
                "reflect",
                {
                    "question": "why does the import fail?",
                    "answer": "it is closed now",
                    "outcome": "success",
                    "error": ERROR if number == 0 else f"KeyError: '{IMAGE}'",
                    "lesson": lesson,
                    "strategy": "Use a context manager." if number == 0 else "",
                },
            )


def _in_a_thread(work: Callable[[], Awaitable[T]]) -> T:
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(anyio.run, work).result(timeout=60)
