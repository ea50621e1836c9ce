"""How long the process waits for open requests before it ends, counted in CPU time.

Seconds of the wall would end a server on a busy machine in the middle of its first call.
"""

import math
import time


class Patience:
    """How long the end waits: seconds of CPU time, and seconds with next to none."""

    def __init__(self, computing: float, idle: float) -> None:
        self.computing = computing
        self.idle = idle


AT_END_OF_INPUT = Patience(math.inf, 120.0)
"""The longest that is idle is a model of ours with a key, which has a limit of its own."""

AT_SIGNAL = Patience(2.0, 1.0)
"""A call takes a second of CPU time at most; what waits longer waits for a model or for a lock."""

CLOSING = Patience(1.0, 0.5)
"""For answering the rest with an error and closing the store."""

LOOK_EVERY = 0.05
"""Seconds between two looks whether patience is used up."""

NEXT_TO_NOTHING = 0.02
"""The share of a core that a process uses which only waits is a tenth of this."""


class Countdown:
    """A patience that began now."""

    def __init__(self, patience: Patience) -> None:
        self._patience = patience
        self._began = self._computed = time.process_time()
        self._idle_since = time.monotonic()

    def is_over(self) -> bool:
        """Whether the patience is used up; to be asked every few hundredths of a second."""
        spent, now = time.process_time(), time.monotonic()
        if spent - self._computed > NEXT_TO_NOTHING * self._patience.idle:
            self._computed, self._idle_since = spent, now
        waited = now - self._idle_since
        return spent - self._began >= self._patience.computing or waited >= self._patience.idle
