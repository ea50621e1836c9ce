"""Notes: the writes that nobody waits for, such as look-ups and steps.

Rules of this module: an answer does not wait for its note, which is written shortly after, or, if
another process holds the file, when that is free again, at the latest while the store is closed.
Whatever is asked next finds it: a write comes behind the notes before it, and a read waits for
them, but not for another process. The number of waiting notes is bounded; a dropped note is
counted, and reported.
"""

import asyncio
import logging
import sqlite3
from collections.abc import Callable

from reflection_mcp.store.errors import StoreBusy, StoreError
from reflection_mcp.store.sqlite.session import Session
from reflection_mcp.store.sqlite.store_worker import StoreWorker

MOST_WAITING = 1_000
"""Notes that may wait; each has a few kB at most."""

PATIENCE = 0.05
"""Seconds that a read waits with its note for another process: sixteen saturated servers of ours
take 32 ms."""

LATER = 0.005
"""Seconds until a note is handed over: two threads that compute at once delay the answer."""

LOOK_EVERY = 0.01
"""Seconds between two checks whether another process blocks a waiting note."""


class Notes:
    """The notes of one process that are on their way into the file."""

    def __init__(self, worker: StoreWorker, session: Session) -> None:
        self.dropped = 0
        self._trouble: StoreError | None = None  # of the last note that was dropped
        self._worker = worker
        self._session = session
        self._held: list[Callable[[sqlite3.Connection], None]] = []
        self._waiting: dict[asyncio.Future[None], Callable[[], bool]] = {}

    def take(self, body: Callable[[sqlite3.Connection], None]) -> None:
        """Write a note by `body` in its turn.

        Raises:
            StoreBusy: too many wait already; this one is dropped.
            StoreError: the store cannot be written, or an earlier note could not.
        """
        self._session.check_rights()
        if len(self._held) + len(self._waiting) >= MOST_WAITING:
            self.dropped += 1
            raise StoreBusy(
                f"another process holds the store, and {MOST_WAITING:,} notes wait for it already",
                "look for a suspended process that has the file open",
            )
        self._held.append(body)
        if len(self._held) == 1:
            asyncio.get_running_loop().call_later(LATER, self.hand_over)
        trouble, self._trouble = self._trouble, None
        if trouble is not None:
            raise trouble

    def hand_over(self) -> None:
        """Let the worker write what is held."""
        while self._held:
            writing, take_back = self._worker.post(self._held.pop(0))
            self._waiting[writing] = take_back
            writing.add_done_callback(self._written)

    def _written(self, writing: "asyncio.Future[None]") -> None:
        del self._waiting[writing]
        trouble = writing.exception()
        if trouble is not None:
            self.dropped += 1
        if isinstance(trouble, StoreError):
            self._trouble = trouble

    async def settled(self) -> None:
        """Wait until the notes that were taken so far are in the file, unless another process has
        been in their way for a while."""
        self.hand_over()
        waiting = set(self._waiting)
        while waiting and self._session.hindered < PATIENCE:
            _, waiting = await asyncio.wait(waiting, timeout=LOOK_EVERY)

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
