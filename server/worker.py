"""The thread that computes calls, so that the event loop can always answer.

Rules of this module: whatever a client can make expensive runs in the worker's own event loop,
imports included; the loop of the wire only reads, writes and hands over. What belongs to the wire,
such as asking the client for a reply, goes back there with `at_home`. One thread is enough: Python
computes on one core at a time, and a store's queue is in the order of the calls.

The interpreter lock changes hands every few milliseconds, except within one call of C code: one
search of a regular expression, one comparison by rapidfuzz. Those are bounded where they are made.
"""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextvars import ContextVar, copy_context
from typing import Any, ParamSpec, TypeVar

T = TypeVar("T")
P = ParamSpec("P")
Work = Callable[P, Coroutine[Any, Any, T]]

LEAVE = 0.2
"""Seconds that cancelled calls have to end before the worker closes."""

_home: ContextVar[asyncio.AbstractEventLoop | None] = ContextVar("home", default=None)


class Worker:
    """An event loop in a thread of its own, which begins with the first call."""

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None

    async def run(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do the work in the worker's thread; cancelling the wait cancels the work."""
        return await _in(self._started(), work(*args, **kwargs))

    def submit(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> "Future[T]":
        """Do the work in the worker's thread, for a thread that has no event loop."""
        return asyncio.run_coroutine_threadsafe(work(*args, **kwargs), self._started())

    async def close(self, last: Work[[], None]) -> None:
        """Cancel what runs, do one last thing, and let the thread end."""
        loop = self._started()
        try:
            await _in(loop, _finish(last))
        finally:
            self._loop = None
            loop.call_soon_threadsafe(loop.stop)

    def _started(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            thread = threading.Thread(target=_serve, args=(self._loop,), name="worker", daemon=True)
            thread.start()
        return self._loop


async def _finish(last: Work[[], None]) -> None:
    running = asyncio.all_tasks() - {asyncio.current_task()}
    for task in running:
        task.cancel()
    if running:
        await asyncio.wait(running, timeout=LEAVE)
    await last()


async def at_home(work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do the work in the loop that handed the current call over, which is the one of the wire."""
    return await _in(_home.get() or asyncio.get_running_loop(), work(*args, **kwargs))


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    try:
        loop.run_forever()
    finally:
        loop.close()


async def _in(loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, T]) -> T:
    """Return what the work returns in another loop, with the context variables of this task."""
    here = asyncio.get_running_loop()
    if loop is here:
        return await work
    context = copy_context()
    context.run(_home.set, here)
    return await asyncio.wrap_future(context.run(asyncio.run_coroutine_threadsafe, work, loop))
