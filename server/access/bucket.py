"""How many requests a principal may send: a bucket that fills at a rate, up to a burst."""

import time
from collections.abc import Callable

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
