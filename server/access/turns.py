"""Whose turn it is to be answered: nobody's calls keep those of others waiting.

Calls compute one after the other, in one thread, and one with the longest texts takes most of a
second of it. Thirty of those at once, which the limit of requests allows, kept everybody else
waiting for 70 seconds. So of each principal only some are answered at once; the rest wait for
those. Look-ups have turns of their own: what waits for a judge does not hold them up.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from reflection_mcp.server.access.principal import READABLE
from reflection_mcp.server.mcp.visitor import Visitor, visitor

AT_ONCE = 4
"""Calls of one principal that are answered at once; of look-ups as many again."""


class Turns:
    """The turns of each principal. One whose calls are all answered is forgotten."""

    def __init__(self) -> None:
        self._lines: WeakValueDictionary[tuple[str, bool], asyncio.Semaphore] = (
            WeakValueDictionary()
        )

    @asynccontextmanager
    async def turn(self, tool: str) -> AsyncGenerator[None]:
        """Wait until a call of the principal may begin. Those without a name have no line."""
        name = (visitor.get() or Visitor()).principal
        if not name:
            yield
            return
        line = self._lines.setdefault((name, tool in READABLE), asyncio.Semaphore(AT_ONCE))
        async with line:
            yield
