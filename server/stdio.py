"""Serving one client over the process's standard streams, and ending well.

The SDK's transport is used for what it does well: it keeps the wire to itself, so that stray
output (`print`, a child process) lands on stderr. Reading is our own, because a read that blocks
in a worker thread cannot be given up, and neither can the process that waits for the thread.
"""

import math
import os
import sys
import threading
from collections.abc import Generator
from contextlib import AsyncExitStack, contextmanager, suppress
from typing import Any, Protocol, Self

import anyio
from anyio import from_thread
from anyio.lowlevel import current_token
from mcp.server.lowlevel import Server
from mcp.server.runner import serve_dual_era_loop
from mcp.server.stdio import stdio_server

from reflection_mcp.server.exchange import Inbound, Outbound, Unanswered
from reflection_mcp.server.signals import LATE, Ending

CHUNK = 1 << 16
"""Bytes per read: what a pipe holds."""

CLOSING = 0.2
"""Seconds for closing the store while something else does not let itself be stopped."""


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
    parts = AsyncExitStack()
    with ending.on_signals(), _claimed_stdin() as wire, Lines(wire, ending) as lines:
        try:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(_see_through, ending, lines, parts)
                await _converse(server, lines, parts)
                tasks.cancel_scope.cancel()
        except* BrokenPipeError:
            pass  # the client went without closing our input first: an end like any other
    return ending.code


async def _converse(server: Server[Any], lines: "Lines", parts: AsyncExitStack) -> None:
    unanswered = Unanswered()
    async with stdio_server(stdin=lines) as (read, write):
        outbound = Outbound(write, unanswered)
        try:
            state = await parts.enter_async_context(server.lifespan(server))
            await serve_dual_era_loop(
                server,
                Inbound(read, outbound, unanswered),
                outbound,
                lifespan_state=state,
                init_options=server.create_initialization_options(),
            )
        finally:
            with anyio.CancelScope(shield=True):  # the store is closed, whatever went wrong
                await parts.aclose()


async def _see_through(ending: Ending, lines: "Lines", parts: AsyncExitStack) -> None:
    """Once the end has begun, end the input; if that does not end it all, close and leave."""
    await ending.begun()
    lines.end()
    await anyio.sleep(LATE)
    with anyio.move_on_after(CLOSING):
        await parts.aclose()
    ending.now()


class Lines(anyio.AsyncFile[str]):
    """The lines of a descriptor, read by a thread that the process does not wait for.

    Blank lines are left out, bytes that are no UTF-8 become U+FFFD. The end of input begins the
    end of the process.
    """

    def __init__(self, descriptor: int, ending: Ending) -> None:
        super().__init__(sys.stdin)  # the base class wants a file; what it reads is replaced
        self._descriptor = descriptor
        self._ending = ending
        self._token = current_token()
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
        # Input that fails has ended; the others say that nobody waits for it any more.
        with suppress(OSError, anyio.ClosedResourceError, anyio.BrokenResourceError, RuntimeError):
            for line in lines_of(self._descriptor):
                from_thread.run_sync(self._came_in.send_nowait, line, token=self._token)
        self._ending.begin()


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


@contextmanager
def _claimed_stdin() -> Generator[int]:
    """The descriptor of our input, moved away so that no child process can read from it."""
    wire = os.dup(0)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    try:
        yield wire
    finally:
        os.dup2(wire, 0)  # and `wire` stays open: the thread may still be reading
