"""Serving one client over the process's standard streams, and ending well.

The SDK's transport does the framing; the two files it works on are ours. Reading, because a read
that blocks in a worker thread cannot be given up, and neither can the process that waits for the
thread. Writing, because the SDK hands every message to a worker thread twice, which is a fifth of
the time of a call. The wire is kept to ourselves: what a tool or a child process prints lands on
stderr, and they find their input empty.

SDK fault (mcp 2.3.0): a blocked read cannot be given up, and every message is handed to a worker
thread twice. Can go when a release reads without a thread that holds up the end, and writes at
once.
"""

import asyncio
import math
import os
import select
import sys
import threading
from collections.abc import Generator
from contextlib import AsyncExitStack, contextmanager, suppress
from typing import Any, Protocol, Self, cast

import anyio
from mcp.server.lowlevel import Server
from mcp.server.runner import serve_dual_era_loop
from mcp.server.stdio import stdio_server

from reflection_mcp.server.transport.exchange import Inbound, OpenRequests, Outbound
from reflection_mcp.server.transport.signals import Ending

CHUNK = 1 << 16
"""Bytes per read: what a pipe holds."""


class Served(Protocol):
    """What `serve_stdio` serves: a `ReflectionServer`."""

    async def serve_stdio(self) -> int:
        """Serve the client on stdin and stdout; returns the exit code."""
        ...


def serve_stdio(server: Served) -> int:
    """Serve the client on stdin and stdout until it goes or a signal comes; the exit code.

    For the main thread of a process that does nothing else: `signals` says how it ends.
    """
    return anyio.run(server.serve_stdio)


async def serve(server: Server[Any]) -> int:
    """Serve the client on stdin and stdout until it goes, or a signal comes.

    Returns the exit code; the table of them is in `signals`.
    """
    ending = Ending()
    with (
        ending.on_signals(),
        _claimed(0, os.open(os.devnull, os.O_RDONLY)) as wire_in,
        Lines(wire_in, ending) as lines,
        claimed_output() as output,
    ):
        if output is not None:
            ending.deserted = output.deserted
        try:
            async with anyio.create_task_group() as tasks:
                conversation = anyio.CancelScope()
                tasks.start_soon(_see_through, ending, lines, conversation)
                await _converse(server, lines, output, conversation)
                tasks.cancel_scope.cancel()
        except* BrokenPipeError:
            pass  # the client went without closing our input first: an end like any other
    return ending.code


async def _converse(
    server: Server[Any], lines: "Lines", output: "Output | None", conversation: anyio.CancelScope
) -> None:
    open_requests = OpenRequests()
    stdout = cast("anyio.AsyncFile[str] | None", output)  # of which it uses `write` and `flush`
    async with stdio_server(stdin=lines, stdout=stdout) as (read, write):
        outbound = Outbound(write, open_requests)
        life = AsyncExitStack()
        try:
            state = await life.enter_async_context(server.lifespan(server))
            with conversation:  # not the transport, which still writes what the SDK then answers
                await serve_dual_era_loop(
                    server,
                    Inbound(read, outbound, open_requests),
                    outbound,
                    lifespan_state=state,
                    init_options=server.create_initialization_options(),
                )
        finally:
            with anyio.CancelScope(shield=True):  # the store is closed, whatever went wrong
                await life.aclose()


async def _see_through(ending: Ending, lines: "Lines", conversation: anyio.CancelScope) -> None:
    """Once the end has begun, end the input; once it is late, what still runs."""
    await ending.begun()
    lines.end()
    await ending.late()
    conversation.cancel()  # the SDK answers every open request with an error


class Lines(anyio.AsyncFile[str]):
    """The lines of a descriptor, read by a thread that the process does not wait for.

    Blank lines are left out, bytes that are no UTF-8 become U+FFFD. The end of input begins the
    end of the process.
    """

    def __init__(self, descriptor: int, ending: Ending) -> None:
        super().__init__(sys.stdin)  # the base class wants a file; what it reads is replaced
        self._descriptor = descriptor
        self._ending = ending
        self._loop = asyncio.get_running_loop()
        self._came_in, self._lines = anyio.create_memory_object_stream[str](math.inf)
        threading.Thread(target=self._read, name="stdin", daemon=True).start()

    def __enter__(self) -> Self:
        """Read."""
        return self

    def __exit__(self, *_: object) -> None:
        """Read no more."""
        self.end()
        self._lines.close()

    async def readline(self) -> str:
        """The next line, or nothing at the end."""
        try:
            return await self._lines.receive()
        except anyio.EndOfStream:
            return ""

    def end(self) -> None:
        """Let what has come in so far be all."""
        self._came_in.close()

    def _read(self) -> None:
        # Input that fails has ended; a loop that is over waits for none.
        with suppress(OSError, RuntimeError):
            for line in lines_of(self._descriptor):
                self._loop.call_soon_threadsafe(self._take, line)
        self._ending.begin()

    def _take(self, line: str) -> None:
        with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):  # after the end
            self._came_in.send_nowait(line)


def lines_of(descriptor: int) -> Generator[str]:
    """The lines that can be read from a descriptor, blank ones left out."""
    begun: list[bytes] = []
    while chunk := os.read(descriptor, CHUNK):
        first, *others = chunk.split(b"\n")
        begun.append(first)
        for other in others:
            yield from _text(begun)
            begun = [other]
    yield from _text(begun)


def _text(parts: list[bytes]) -> Generator[str]:
    line = b"".join(parts).strip()
    if line:
        yield line.decode("utf-8", "replace")


class Output:
    """A descriptor to write to: at once where that cannot block, else by a worker thread."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._ready = select.poll()
        self._ready.register(descriptor, select.POLLOUT)
        self._gone = select.poll()
        self._gone.register(descriptor, 0)  # that nobody reads any more is always reported

    async def write(self, text: str) -> None:
        """Write all of the text."""
        data = text.encode()
        # POSIX: a pipe that is ready takes PIPE_BUF bytes without blocking.
        if len(data) <= select.PIPE_BUF and self._ready.poll(0):
            self._write(data)
        else:
            await anyio.to_thread.run_sync(self._write, data)

    def _write(self, data: bytes) -> None:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(self._descriptor, rest) :]

    async def flush(self) -> None:
        """Nothing is held back."""

    def deserted(self) -> bool:
        """Whether nobody is left who could read."""
        return bool(self._gone.poll(0))


@contextmanager
def claimed_output() -> Generator[Output | None]:
    """Our output, or None where the SDK's has to do."""
    if not hasattr(select, "PIPE_BUF"):  # Windows
        yield None
        return
    with _claimed(1, for_strays()) as wire:
        try:
            yield Output(wire)
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
