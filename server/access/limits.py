"""The limits of one principal: requests per second, and calls at the same time.

Calls compute one after the other, in one thread, and one with the longest texts takes most of a
second of it. Thirty of those at once, which the limit of requests allows, kept everybody else
waiting for 70 seconds. So of each principal only some are answered at once; the rest wait for
those. Look-ups have turns of their own: what waits for a judge does not hold them up.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from reflection_mcp.server.access.principal import READABLE
from reflection_mcp.server.mcp.visitor import Visitor, visitor

MOST = 10_000
"""Principals whose buckets are kept, those that asked last."""


class Buckets:
    """A bucket for each principal of this process.

    Args:
        rate: requests a second, 0 for any number.
        burst: requests at once.
        clock: seconds that never go back.
    """

    def __init__(
        self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._rate = rate
        self._burst = max(burst, 1.0)
        self._clock = clock
        self._left: dict[str, tuple[float, float]] = {}

    def wait(self, name: str) -> float:
        """Seconds until the next request is accepted; 0, and one is taken, if it is now."""
        if not self._rate:
            return 0.0
        now = self._clock()
        left, then = self._left.pop(name, (self._burst, now))
        left = min(self._burst, left + (now - then) * self._rate)
        accepted = left >= 1.0
        self._left[name] = (left - 1.0 if accepted else left, now)
        if len(self._left) > MOST:
            del self._left[next(iter(self._left))]  # who has asked for nothing the longest
        return 0.0 if accepted else (1.0 - left) / self._rate


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
