"""The progress line of a long command.

Rule: on a terminal only; a log file or a pipe gets nothing. At most ten lines a second are drawn,
whatever the work does, and none is longer than the terminal is wide: the rest could not be cleared.
"""

import os
import time
from collections.abc import Callable
from typing import TextIO

WIDTH = 30
INTERVAL = 0.1  # seconds between two drawings
MEGABYTE = 1_000_000
CLEAR = "\r\x1b[K"


class Progress:
    """Call it with how many are done; use it in a `with` so that the line is cleared.

    `total` None counts without a bar; `is_size` says that bytes are counted.
    """

    def __init__(
        self,
        what: str,
        total: int | None,
        stream: TextIO,
        clock: Callable[[], float] = time.monotonic,
        *,
        is_size: bool = False,
    ) -> None:
        self._what = what
        self._total = total
        self._is_size = is_size
        self._stream = stream if stream.isatty() else None
        self._clock = clock
        self._drawn = float("-inf")

    def stage(self, what: str, total: int) -> "Progress":
        """Go on with another part of the work, which is told at once; returns itself."""
        self._what, self._total, self._is_size = what, total, False
        self._drawn = float("-inf")
        self(0)
        return self

    def __call__(self, done: int) -> None:
        """So many are done."""
        if self._stream is None or self._clock() - self._drawn < INTERVAL:
            return
        self._drawn = self._clock()
        line = f"{self._what} {self._bar(done)}"
        self._stream.write(f"{CLEAR}{line[: _columns(self._stream)]}")
        self._stream.flush()

    def _bar(self, done: int) -> str:
        if not self._total:
            return f"{done:,}"
        full = min(WIDTH, WIDTH * done // self._total)
        text = f"{done:,} of {self._total:,}"
        if self._is_size:
            text = f"{done / MEGABYTE:.1f} of {self._total / MEGABYTE:.1f} MB"
        return f"[{'#' * full}{'.' * (WIDTH - full)}] {text}"

    def __enter__(self) -> "Progress":
        """Itself."""
        return self

    def __exit__(self, *error: object) -> None:
        """Clear the line."""
        if self._stream is not None and self._drawn > float("-inf"):
            self._stream.write(CLEAR)
            self._stream.flush()


def _columns(stream: TextIO) -> int | None:
    """The characters that fit into a line; None when nobody knows."""
    try:
        columns = os.get_terminal_size(stream.fileno()).columns
    except OSError:  # no terminal of the system's
        return None
    return columns - 1 if columns else None
