"""Serving one client over the process's standard streams, and ending well.

The SDK's transport does the framing; the two files it works on are ours. Reading, because a read
that blocks in a worker thread cannot be given up, and neither can the process that waits for the
thread. Writing, because the SDK hands every message to a worker thread twice, which is a fifth of
the time of a call.

SDK fault (mcp 2.3.0): a blocked read cannot be given up, and every message is handed to a worker
thread twice. Can go when a release reads without a thread that holds up the end, and writes at
once.
"""

import asyncio
import math
import select
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import AsyncExitStack, ExitStack, suppress
from dataclasses import dataclass
from typing import Any, Protocol, Self, cast

import anyio
from mcp.server.lowlevel import Server
from mcp.server.runner import serve_dual_era_loop
from mcp.server.stdio import stdio_server

from reflection_mcp.server.transport.descriptors import (
    Reader,
    claimed_input,
    claimed_output,
    has_polls,
    lines_of,
    write_all,
)
from reflection_mcp.server.transport.exchange import Inbound, OpenRequests, Outbound
from reflection_mcp.server.transport.input_lines import InputLines
from reflection_mcp.server.transport.signals import Ending


@dataclass(kw_only=True)
class Handover:
    """A connection whose beginning somebody else has answered.

    `lines` are read before the input, and `incoming` has the beginning of the next one; `is_over`
    says that there is no more. `answered` are the ids of requests among the lines that the client
    has an answer to, or an acknowledgement of. `signal` is the one that came before, or 0.
    """

    wire_in: int
    wire_out: int
    lines: Sequence[str]
    incoming: InputLines
    is_over: bool
    answered: Sequence[int | str]
    signal: Callable[[], int]


class Served(Protocol):
    """What `serve_stdio` serves: a `ReflectionServer`."""

    async def serve_stdio(self, taken: "Handover | None" = None) -> int:
        """Serve the client on stdin and stdout; returns the exit code."""
        ...


def serve_stdio(server: Served, taken: "Handover | None" = None) -> int:
    """Serve the client on stdin and stdout until it goes or a signal comes; the exit code.

    For the main thread of a process that does nothing else: `signals` says how it ends.

    Args:
        server: what is served.
        taken: the connection, if somebody else has answered its beginning.
    """
    return anyio.run(server.serve_stdio, taken)


async def serve(server: Server[Any], taken: Handover | None = None) -> int:
    """Serve the client on stdin and stdout until it goes, or a signal comes.

    Returns the exit code; the table of them is in `signals`.
    """
    ending = Ending()
    with ending.on_signals(), ExitStack() as stack:
        output = None
        if taken is None:
            lines = Lines(stack.enter_context(claimed_input()), ending)
            if has_polls():
                output = Output(stack.enter_context(claimed_output()))
        else:
            lines, output = Lines(taken.wire_in, ending, taken), Output(taken.wire_out)
            if number := taken.signal():
                ending.begin_by(number)
        stack.enter_context(lines)
        if output is not None:
            ending.deserted = output.reader.is_gone
        try:
            async with anyio.create_task_group() as tasks:
                conversation = anyio.CancelScope()
                tasks.start_soon(_see_through, ending, lines, conversation)
                answered = () if taken is None else taken.answered
                await _converse(server, lines, output, conversation, answered)
                tasks.cancel_scope.cancel()
        except* BrokenPipeError:
            pass  # the client went without closing our input first: an end like any other
    return ending.code


async def _converse(
    server: Server[Any],
    lines: "Lines",
    output: "Output | None",
    conversation: anyio.CancelScope,
    answered: Sequence[int | str],
) -> None:
    open_requests = OpenRequests()
    stdout = cast("anyio.AsyncFile[str] | None", output)  # of which it uses `write` and `flush`
    async with stdio_server(stdin=lines, stdout=stdout) as (read, write):
        outbound = Outbound(write, open_requests, answered)
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

    def __init__(self, descriptor: int, ending: Ending, taken: Handover | None = None) -> None:
        super().__init__(sys.stdin)  # the base class wants a file; what it reads is replaced
        is_over = taken is not None and taken.is_over
        incoming = taken.incoming if taken else None
        self._source: Iterable[str] = () if is_over else lines_of(descriptor, incoming)
        self._ending = ending
        self._loop = asyncio.get_running_loop()
        self._came_in, self._lines = anyio.create_memory_object_stream[str](math.inf)
        for line in taken.lines if taken else ():
            self._take(line)  # at once: an end that has begun already must not come before them
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
            for line in self._source:
                self._loop.call_soon_threadsafe(self._take, line)
        self._ending.begin()

    def _take(self, line: str) -> None:
        with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):  # after the end
            self._came_in.send_nowait(line)


class Output:
    """A descriptor to write to: at once where that cannot block, else by a worker thread."""

    def __init__(self, descriptor: int) -> None:
        self.reader = Reader(descriptor)
        self._descriptor = descriptor
        self._ready = select.poll()
        self._ready.register(descriptor, select.POLLOUT)

    async def write(self, text: str) -> None:
        """Write all of the text."""
        data = text.encode()
        # POSIX: a pipe that is ready takes PIPE_BUF bytes without blocking.
        if len(data) <= select.PIPE_BUF and self._ready.poll(0):
            write_all(self._descriptor, data)
        else:
            await anyio.to_thread.run_sync(write_all, self._descriptor, data)

    async def flush(self) -> None:
        """Nothing is held back."""
