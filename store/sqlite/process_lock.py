"""The lock between writing processes, and the mark of the last acknowledged write.

Rules of this module. The lock (the gate) is for fairness and to run checkpoints one at a time;
correctness rests on `BEGIN IMMEDIATE` alone, so a gate that is missing or was deleted costs waiting
time and nothing else. The kernel has the queue (`flock`): sixteen saturated writers wait 13 to 32
ms at worst where SQLite's own polling takes 0.7 to 1.4 s (docs/decisions/002). `flock` has no
deadline; those who wait for the thread that is blocked in it do (`worker`).

The mark is the number of acknowledged writes, in the gate's file. It is written after the commit,
so it is never ahead of the store; a store that is behind it has lost writes: its -wal was deleted
or damaged, which SQLite takes for a shorter history and opens without a word.
"""

import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Literal

from reflection_mcp.store.errors import StoreUnavailable

_MARK = "reflection-mcp writes %020d\n"
_MARKED = re.compile(rb"reflection-mcp writes (\d{20})\n")
_LENGTH = len(_MARK % 0)

LOOK_EVERY = 1.0
"""Seconds between two looks whether the file was deleted. Looking before each write would cost
70 microseconds: a file whose times were asked for gets new ones, and a journal entry, at the next
write, which the next fsync then waits for (measured on ext4, Linux 6)."""

Manner = Literal["try", "wait", "leave"]
Flock = Callable[[int, Manner], bool]


def flock() -> Flock | None:
    """`flock(fd, manner)` of this platform, or None where there is none (Windows).

    It returns True if the lock was taken; only "try" may be refused.
    """
    try:
        import fcntl
    except ImportError:
        return None
    flags = {"try": fcntl.LOCK_EX | fcntl.LOCK_NB, "wait": fcntl.LOCK_EX, "leave": fcntl.LOCK_UN}

    def lock(fd: int, manner: Manner) -> bool:
        try:
            fcntl.flock(fd, flags[manner])
        except BlockingIOError:
            return False
        return True

    return lock


class ProcessLock:
    """`with gate:` blocks until this process is the only one inside."""

    def __init__(self, path: Path, *, writable: bool) -> None:
        self.path = path
        self.notes: dict[str, None] = {}
        self.waiting_since: float | None = None
        self._writable = writable
        self._flock = flock()
        self._look_again = 0.0
        self._fd = self._open()
        if self._flock is None:
            self.notes["no flock here: writers take turns by retrying"] = None

    def _open(self) -> int | None:
        flags = os.O_RDWR | os.O_CREAT if self._writable else os.O_RDONLY
        flags |= getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
        try:
            return os.open(self.path, flags, 0o600)
        except OSError as error:
            if self.path.is_symlink():
                raise StoreUnavailable(
                    "the gate file beside the store is a symbolic link",
                    f"remove {self.path.name} and start again",
                ) from error
            self.notes["the gate file cannot be opened: writers take turns by retrying"] = None
            return None

    def __enter__(self) -> None:
        """Wait until everybody before us has left."""
        if self._fd is None or self._flock is None:
            return
        self._take(self._fd)
        if (now := time.monotonic()) >= self._look_again:
            self._look_again = now + LOOK_EVERY
            if os.fstat(self._fd).st_nlink == 0:
                self._replace()

    def _replace(self) -> None:
        """Open the new file after the gate was deleted, since newcomers queue at another one."""
        assert self._fd is not None and self._flock is not None
        os.close(self._fd)
        self.notes["the gate file was deleted while in use; it was created again"] = None
        self._fd = self._open()
        if self._fd is not None:
            self._take(self._fd)

    def _take(self, fd: int) -> None:
        assert self._flock is not None
        if not self._flock(fd, "try"):
            self.waiting_since = time.monotonic()
            self._flock(fd, "wait")
            self.waiting_since = None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Let the next one in."""
        if self._fd is not None and self._flock is not None:
            self._flock(self._fd, "leave")

    def marked(self) -> int:
        """Return the least number of acknowledged writes, 0 when nothing is known."""
        if self._fd is None:
            return 0
        os.lseek(self._fd, 0, os.SEEK_SET)
        found = _MARKED.fullmatch(os.read(self._fd, _LENGTH + 1))
        return 0 if found is None else int(found[1])

    def mark(self, writes: int) -> None:
        """Note that this many writes are acknowledged.

        A mark that cannot be written is no reason to fail: the write itself is durable.
        """
        if self._fd is None or not self._writable:
            return
        try:
            os.lseek(self._fd, 0, os.SEEK_SET)
            os.write(self._fd, (_MARK % writes).encode())
        except OSError:
            self.notes["the mark of the last write could not be stored"] = None

    def close(self) -> None:
        """Release the file. Idempotent."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None
