"""One thread that does the blocking work of a store, one piece after another.

Rules of this module: whoever waits for a piece of work may stop waiting at any moment, because of
a deadline or a cancellation; then the work either never begins or runs to its end, and which of
the two is decided once, under a lock (`Turn.start` against `_Job.give_up`). The thread is a daemon:
blocked in the kernel behind a stopped process it must not keep ours from ending.
"""

import asyncio
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from queue import SimpleQueue
from typing import Any, Generic, Protocol, TypeVar

from reflection_mcp.store.errors import StoreBusy, StoreUnavailable

T = TypeVar("T")


class Turn(Protocol):
    """What a piece of work is told about those who wait for it."""

    until: float
    """When they stop waiting, on the clock of `time.monotonic`."""

    def start(self) -> bool:
        """Called before the first effect; False means that nobody waits any more."""
        ...


Work = Callable[[Turn], T]


def busy() -> StoreBusy:
    """The error of a deadline that has passed."""
    return StoreBusy(
        "another process holds the store",
        "try again; if it stays so, look for a stopped process that has the file open",
    )


class Unattended(Exception):
    """Raised by work that found at its start that nobody waits for it any more."""


class _Job(Generic[T]):
    """A piece of work, the future that its waiter holds, and who was first to decide."""

    def __init__(self, work: Work[T], wait: float) -> None:
        self.until = time.monotonic() + wait
        self.loop = asyncio.get_running_loop()
        self.future: asyncio.Future[T] = self.loop.create_future()
        self._work = work
        self._decided = threading.Lock()
        self._started = False

    def start(self) -> bool:
        if not self._started:
            self._started = self._decided.acquire(blocking=False)
        return self._started

    def give_up(self) -> bool:
        return self._decided.acquire(blocking=False)

    def expire(self) -> None:
        if self.give_up() and not self.future.done():
            self.future.set_exception(busy())

    def perform(self) -> None:
        try:
            result = self._work(self)
        except BaseException as error:  # handed to the waiter, who raises it
            self._deliver(self._fail, error)
        else:
            self._deliver(self._finish, result)

    def _deliver(self, settle: Callable[[Any], None], outcome: object) -> None:
        with suppress(RuntimeError):  # the loop has ended, and the waiter with it
            self.loop.call_soon_threadsafe(settle, outcome)

    def _finish(self, result: T) -> None:
        if not self.future.done():
            self.future.set_result(result)

    def _fail(self, error: BaseException) -> None:
        if not self.future.done():
            self.future.set_exception(error)


class Lane:
    """A queue of work and its thread, which begins with the first piece."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._queue: SimpleQueue[_Job[Any] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()
        self._stopped = False

    async def run(self, work: Work[T], wait: float) -> T:
        """Do the work in the lane's thread.

        Raises:
            StoreBusy: it had not started after `wait` seconds; it never will.
        """
        job = _Job(work, wait)
        with self._starting:
            if self._stopped:
                raise StoreUnavailable("the store is closed", "open it again")
            if self._thread is None:
                self._thread = threading.Thread(target=self._loop, name=self._name, daemon=True)
                self._thread.start()
            self._queue.put(job)
        timer = job.loop.call_later(wait, job.expire)
        try:
            return await job.future
        except asyncio.CancelledError:
            job.give_up()
            raise
        finally:
            timer.cancel()

    def stop(self) -> None:
        """Let the thread end once the queue is empty; takes no more work."""
        with self._starting:
            self._stopped = True
            self._queue.put(None)

    def _loop(self) -> None:
        while (job := self._queue.get()) is not None:
            job.perform()
            del job
