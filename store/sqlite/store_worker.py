"""A worker thread that does the blocking work of a store, one piece after another.

Rules of this module: writes that wait at the same time are handed over together, to share a
transaction; a caller may stop waiting for a piece of work at any time, because of a deadline or a
cancellation; then the work either never begins or runs to its end, and which of the two is decided
once, under a lock (`StoreJob.start` against `StoreJob.give_up`). The thread is a daemon: blocked in
the kernel behind a stopped process it must not keep ours from ending.
"""

import asyncio
import math
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import Any, Generic, Protocol, TypeVar

from reflection_mcp.store.errors import StoreBusy, StoreUnavailable

T = TypeVar("T")


class WorkerTurn(Protocol):
    """A piece of work's view of its waiting callers."""

    until: float
    """The time at which they stop waiting, on the clock of `time.monotonic`."""

    def start(self) -> bool:
        """Return False if nobody waits any more; called before the first effect."""
        ...


Work = Callable[[WorkerTurn], T]

GROUP = 32
"""The most pieces of work that share one transaction, so that the first does not wait for long."""


def busy() -> StoreBusy:
    """The error of a deadline that has passed."""
    return StoreBusy(
        "another process holds the store",
        "try again; if the error stays, look for a suspended process that has the file open",
    )


class Unattended(Exception):
    """Raised by work that found at its start that nobody waits for it any more."""


class StoreJob(Generic[T]):
    """A piece of work, or a write that waits for its transaction, perhaps together with others.

    work: what is done by itself, None for a write.
    body: what a write does in its transaction.
    light: True if a write need not survive a power cut.
    """

    def __init__(
        self,
        wait: float,
        work: Work[T] | None,
        body: Callable[[sqlite3.Connection], T] | None,
        light: bool = False,
    ) -> None:
        self.until = time.monotonic() + wait
        self.loop = asyncio.get_running_loop()
        self.future: asyncio.Future[T] = self.loop.create_future()
        self.work = work
        self.body: Any = body
        self.light = light
        self._decided = threading.Lock()
        self._started = False

    def start(self) -> bool:
        """See `WorkerTurn.start`."""
        if not self._started:
            self._started = self._decided.acquire(blocking=False)
        return self._started

    def give_up(self) -> bool:
        """Stop waiting; return True if the work will never begin."""
        first = self._decided.acquire(blocking=False)
        if first:
            self.until = 0.0
        return first

    def expire(self) -> None:
        """Stop waiting because the deadline has passed."""
        if self.give_up() and not self.future.done():
            self.future.set_exception(busy())

    def perform(self, work: Work[T]) -> None:
        """Do work that is done by itself, and report how it ended."""
        try:
            result = work(self)
        except BaseException as error:  # handed to the waiter, who raises it
            self.fail(error)
        else:
            self.finish(result)

    def finish(self, result: Any) -> None:
        """Report the result to the waiter."""
        self._settle(self.future.set_result, result)

    def fail(self, error: BaseException) -> None:
        """Raise it where the waiter is."""
        self._settle(self.future.set_exception, error)

    def _settle(self, settle: Callable[[Any], None], outcome: object) -> None:
        def unless_given_up() -> None:
            if not self.future.done():
                settle(outcome)

        with suppress(RuntimeError):  # the loop has ended, and the waiter with it
            self.loop.call_soon_threadsafe(unless_given_up)


Together = Callable[[Sequence[StoreJob[Any]]], None]


class StoreWorker:
    """A queue of work and its thread, which begins with the first piece.

    `together` does several writes at once and reports to each of them its result.
    """

    def __init__(self, name: str, together: Together) -> None:
        self._name = name
        self._together = together
        self._ahead: list[StoreJob[Any] | None] = []
        self._queue: SimpleQueue[StoreJob[Any] | None] = SimpleQueue()
        self._thread: threading.Thread | None = None
        self._starting = threading.Lock()
        self._stopped = False

    async def run(self, work: Work[T], wait: float) -> T:
        """Do the work in the worker's thread.

        Raises:
            StoreBusy: it had not started after `wait` seconds; it never will.
        """
        return await self._queued(StoreJob(wait, work, None), wait)

    async def write(self, body: Callable[[sqlite3.Connection], T], wait: float) -> T:
        """Run `body` in a transaction, together with whatever else is waiting."""
        return await self._queued(StoreJob(wait, None, body), wait)

    def post(
        self, body: Callable[[sqlite3.Connection], T]
    ) -> "tuple[asyncio.Future[T], Callable[[], bool]]":
        """Run `body` in its turn, in a light transaction, however long that takes.

        Returns:
            The future result, and a function that cancels it and returns True if that was in time.
        """
        job = StoreJob(math.inf, None, body, light=True)
        self._put(job)
        return job.future, job.give_up

    def _put(self, job: StoreJob[Any]) -> None:
        with self._starting:
            if self._stopped:
                raise StoreUnavailable("the store is closed", "open it again")
            if self._thread is None:
                self._thread = threading.Thread(target=self._loop, name=self._name, daemon=True)
                self._thread.start()
            self._queue.put(job)

    async def _queued(self, job: StoreJob[T], wait: float) -> T:
        self._put(job)
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
        while batch := self._next():
            (first, *_) = batch
            if first.work is not None:
                first.perform(first.work)
            else:
                self._together(batch)
            del batch, first

    def _next(self) -> list[StoreJob[Any]]:
        """The next piece of work, with all the writes that wait right behind it if it is one."""
        job = self._ahead.pop() if self._ahead else self._queue.get()
        batch = [] if job is None else [job]
        while batch and batch[-1].work is None and len(batch) < GROUP:
            try:
                following = self._queue.get_nowait()
            except Empty:
                break
            if following is None or following.work is not None:
                self._ahead.append(following)
                break
            batch.append(following)
        return batch
