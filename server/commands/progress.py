"""How far a long piece of work has come, for a person who watches.

Rule: on a terminal only; a log file or a pipe gets nothing. At most ten lines a second are drawn,
whatever the work does.
"""

import time
from collections.abc import Callable
from typing import TextIO

WIDTH = 30
INTERVAL = 0.1  # seconds between two drawings


class Progress:
    """Call it with how many are done; use it in a `with` so that the line is cleared."""

    def __init__(
        self,
        what: str,
        total: int | None,
        stream: TextIO,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._what = what
        self._total = total
        self._stream = stream if stream.isatty() else None
        self._clock = clock
        self._drawn = float("-inf")

    def __call__(self, done: int) -> None:
        """So many are done."""
        if self._stream is None or self._clock() - self._drawn < INTERVAL:
            return
        self._drawn = self._clock()
        self._stream.write(f"\r{self._what} {self._bar(done)}")
        self._stream.flush()

    def _bar(self, done: int) -> str:
        if not self._total:
            return f"{done:,}"
        full = min(WIDTH, WIDTH * done // self._total)
        return f"[{'#' * full}{'.' * (WIDTH - full)}] {done:,} of {self._total:,}"

    def __enter__(self) -> "Progress":
        """Itself."""
        return self

    def __exit__(self, *error: object) -> None:
        """Clear the line."""
        if self._stream is not None and self._drawn > float("-inf"):
            self._stream.write("\r\x1b[K")
            self._stream.flush()
