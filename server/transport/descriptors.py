"""The process's standard streams as descriptors: lines that come in, texts that go out.

The standard library alone, so that who asks before the SDK is loaded is answered through the same.
The wire is kept to ourselves: what a tool or a child process prints lands on stderr, and they find
their input empty.
"""

import os
import select
import sys
import threading
from collections import deque
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress

from reflection_mcp.server.transport.input_lines import InputLines

CHUNK = 1 << 16
"""Bytes per read: what a pipe holds."""


def ensure_spare(files: int) -> None:
    """Let a process that may not open so many more files say so before it begins.

    Raises:
        OSError: there are fewer; where it would be met later, a loop would be left half made.
    """
    taken: list[int] = []
    try:
        for _ in range(files):
            taken.append(os.open(os.devnull, os.O_RDONLY))
    finally:
        for descriptor in taken:
            os.close(descriptor)


def lines_of(descriptor: int, incoming: InputLines | None = None) -> Generator[str]:
    """The lines that can be read from a descriptor, blank ones left out.

    Args:
        descriptor: where to read.
        incoming: what makes lines, if the beginning of the first was read before.
    """
    incoming = incoming or InputLines()
    while chunk := os.read(descriptor, CHUNK):
        yield from incoming.of(chunk)
    yield from incoming.last()


class Writer:
    """Writes texts to a descriptor in their order, without ever waiting for who reads them.

    At once where that cannot block, else in a thread. `failed` says that nobody reads any more;
    what is written then is dropped.
    """

    def __init__(self, descriptor: int, wake: Callable[[], object]) -> None:
        self.failed = False
        self._descriptor = descriptor
        self._wake = wake
        self._ready = select.poll() if has_polls() else None
        if self._ready:
            self._ready.register(descriptor, select.POLLOUT)
        self._one_at_a_time = threading.Lock()
        self._waiting: deque[bytes] = deque()

    @property
    def is_done(self) -> bool:
        """Whether everything was written."""
        return not self._waiting

    def write(self, data: bytes) -> None:
        """Write a text, now or as soon as there is room for it. For any thread."""
        with self._one_at_a_time:
            if self.failed:
                return
            if self._waiting:
                self._waiting.append(data)
            # POSIX: a pipe that is ready takes PIPE_BUF bytes without blocking.
            elif self._ready and len(data) <= select.PIPE_BUF and self._ready.poll(0):
                self._write(data)
            else:
                self._waiting.append(data)
                threading.Thread(target=self._catch_up, name="stdout", daemon=True).start()

    def _catch_up(self) -> None:
        waiting = True
        while waiting:
            self._write(self._waiting[0])
            with self._one_at_a_time:
                self._waiting.popleft()
                if self.failed:
                    self._waiting.clear()
                waiting = bool(self._waiting)
        self._wake()

    def _write(self, data: bytes) -> None:
        try:
            write_all(self._descriptor, data)
        except OSError:
            self.failed = True


def write_all(descriptor: int, data: bytes) -> None:
    """Write all of it, however long that takes."""
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


class Reader:
    """Whether somebody is left who could read what is written to a descriptor."""

    def __init__(self, descriptor: int) -> None:
        self._gone = select.poll()
        self._gone.register(descriptor, 0)  # that nobody reads any more is always reported

    def is_gone(self) -> bool:
        """Whether nobody is left."""
        return bool(self._gone.poll(0))


def has_polls() -> bool:
    """Whether this system can tell what a descriptor is ready for; Windows cannot."""
    return hasattr(select, "poll") and hasattr(select, "PIPE_BUF")


@contextmanager
def claimed_input() -> Generator[int]:
    """Our input, where nobody else finds it."""
    with _claimed(0, os.open(os.devnull, os.O_RDONLY)) as wire:
        yield wire


@contextmanager
def claimed_output() -> Generator[int]:
    """Our output, where nobody else finds it."""
    with _claimed(1, for_strays()) as wire:
        try:
            yield wire
        finally:
            with suppress(AttributeError, OSError, ValueError):  # there may be no stdout
                sys.stdout.flush()


def for_strays() -> int:
    """Where stray output goes: stderr, or nowhere when that is closed."""
    try:
        return os.dup(2)
    except OSError:
        return os.open(os.devnull, os.O_WRONLY)


@contextmanager
def _claimed(number: int, instead: int) -> Generator[int]:
    """A standard descriptor, moved to where no child process and no `print` finds it, with
    `instead` put in its place."""
    wire = os.dup(number)
    os.dup2(instead, number)
    os.close(instead)
    try:
        yield wire
    finally:
        os.dup2(wire, number)  # and `wire` stays open: the thread may still be reading
