"""The thread in which calls compute, so that the event loop of the wire always has time to answer.

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
from contextlib import suppress
from contextvars import ContextVar, copy_context
from functools import partial
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
        self._tasks: set[asyncio.Task[Any]] = set()

    async def run(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do the work in the worker's thread; cancelling the wait cancels the work."""
        loop = self._started()
        if loop is asyncio.get_running_loop():
            return await work(*args, **kwargs)
        return await _in(loop, partial(work, *args, **kwargs), self._tasks)

    def submit(self, work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> "Future[T]":
        """Do the work in the worker's thread, for a thread that has no event loop."""
        return asyncio.run_coroutine_threadsafe(work(*args, **kwargs), self._started())

    async def close(self, last: Work[[], None]) -> None:
        """Cancel what runs, do one last thing, and let the thread end."""
        loop = self._started()
        try:
            await _in(loop, partial(self._finish, last), set())
        finally:
            self._loop = None
            loop.call_soon_threadsafe(loop.stop)

    async def _finish(self, last: Work[[], None]) -> None:
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=LEAVE)
        await last()

    def _started(self) -> asyncio.AbstractEventLoop:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            thread = threading.Thread(target=_serve, args=(self._loop,), name="worker", daemon=True)
            thread.start()
        return self._loop


async def at_home(work: Work[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Do the work in the loop that handed the current call over, which is the one of the wire."""
    home = _home.get()
    if home is None or home is asyncio.get_running_loop():
        return await work(*args, **kwargs)
    return await _in(home, partial(work, *args, **kwargs), set())


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    try:
        loop.run_forever()
    finally:
        loop.close()


async def _in(
    loop: asyncio.AbstractEventLoop, work: Work[[], T], tasks: set[asyncio.Task[Any]]
) -> T:
    """What the work returns in another loop, with the context variables of this task."""
    here = asyncio.get_running_loop()
    outcome: asyncio.Future[T] = here.create_future()
    running: list[asyncio.Task[T]] = []

    def start() -> None:
        task = loop.create_task(work())
        running.append(task)
        tasks.add(task)  # which also keeps it from being collected
        task.add_done_callback(done)

    def done(task: asyncio.Task[T]) -> None:
        tasks.discard(task)
        with suppress(RuntimeError):  # that loop is over, and nobody waits
            here.call_soon_threadsafe(settle, task)

    def settle(task: asyncio.Task[T]) -> None:
        failure = None if task.cancelled() else task.exception()
        if outcome.done():
            return  # given up
        if task.cancelled():
            outcome.cancel()
        elif failure is not None:
            outcome.set_exception(failure)
        else:
            outcome.set_result(task.result())

    def cancel() -> None:
        for task in running:
            task.cancel()

    context = copy_context()
    context.run(_home.set, here)
    loop.call_soon_threadsafe(start, context=context)
    try:
        return await outcome
    except asyncio.CancelledError:
        with suppress(RuntimeError):  # that loop is over, and the work with it
            loop.call_soon_threadsafe(cancel)
        raise
