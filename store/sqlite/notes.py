"""Notes: the writes that nobody waits for, such as look-ups and steps.

Rules of this module: a note waits like any write, but not for another process: if one holds the
file, the note is written when the file is free again, in its turn, at the latest while the store is
closed. The number of waiting notes is bounded; a dropped
note is counted, and reported.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Callable

from reflection_mcp.store.errors import StoreBusy
from reflection_mcp.store.sqlite.session import Session
from reflection_mcp.store.sqlite.store_worker import StoreWorker

MOST_WAITING = 1_000
"""Notes that may wait; each has a few kB at most."""

PATIENCE = 0.05
"""Seconds that a note waits for another process: sixteen saturated servers of ours take 32 ms."""

LOOK_EVERY = 0.05
"""Seconds between two checks whether another process blocks a waiting note."""


class Notes:
    """The notes of one process that are on their way into the file."""

    def __init__(self, worker: StoreWorker, session: Session) -> None:
        self.dropped = 0
        self._worker = worker
        self._session = session
        self._waiting: dict[asyncio.Future[None], Callable[[], bool]] = {}

    async def take(self, body: Callable[[sqlite3.Connection], None]) -> None:
        """Write a note by `body`, now or, when another process is in the way, later.

        Raises:
            StoreBusy: too many wait already; this one is dropped.
            StoreError: the store cannot be written, for another reason.
        """
        if len(self._waiting) >= MOST_WAITING:
            self.dropped += 1
            raise StoreBusy(
                f"another process holds the store, and {MOST_WAITING:,} notes wait for it already",
                "look for a suspended process that has the file open",
            )
        writing, take_back = self._worker.post(body)
        self._waiting[writing] = take_back
        writing.add_done_callback(self._written)
        while not writing.done():
            await asyncio.wait({writing}, timeout=LOOK_EVERY)
            if not writing.done() and self._session.hindered >= PATIENCE:
                return
        writing.result()

    def _written(self, writing: "asyncio.Future[None]") -> None:
        del self._waiting[writing]
        if writing.exception() is not None:
            self.dropped += 1

    def told(self) -> list[str]:
        """Sentences about what waits and what was lost."""
        lines = [f"{len(self._waiting)} notes wait for another process"] if self._waiting else []
        return [*lines, *([f"{self.dropped} notes were dropped"] if self.dropped else [])]

    def give_up(self) -> None:
        """Drop what still waits, at the end, and say how many were lost in all."""
        self.dropped += sum(take_back() for take_back in self._waiting.values())
        if self.dropped:
            logging.getLogger(__name__).warning(
                "%d look-ups and steps were not logged: the store could not be written",
                self.dropped,
            )
