"""Serving one client over the process's standard streams, and ending well.

SDK fault (mcp 2.3.0): its transport reads in a worker thread that cannot be given up, and neither
can the process that waits for the thread; and it hands every message that goes out to a worker
thread twice, a fifth of the time of a call. Can go when a release reads without a thread that holds
up the end, and writes at once.
"""

import asyncio
import threading
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, ExitStack, suppress
from dataclasses import dataclass
from typing import Any

import anyio
from mcp.server.lowlevel import Server
from mcp.server.runner import serve_dual_era_loop

from reflection_mcp.server.transport.descriptors import (
    Reader,
    Writer,
    claimed_input,
    claimed_output,
    has_polls,
    lines_of,
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
    lines: Sequence[str] = ()
    incoming: InputLines
    is_over: bool = False
    answered: Sequence[int | str] = ()
    signal: Callable[[], int] = lambda: 0


async def serve(server: Server[Any], taken: Handover | None = None) -> int:
    """Serve the client on stdin and stdout until it goes, or a signal comes.

    For the main thread of a process that does nothing else. Returns the exit code; the table of
    them is in `signals`.

    Args:
        server: what is served.
        taken: the connection, if somebody else has answered its beginning.
    """
    ending = Ending()
    with ending.on_signals(), ExitStack() as stack:
        if taken is None:
            wire_in, wire_out = (stack.enter_context(c()) for c in (claimed_input, claimed_output))
            taken = Handover(wire_in=wire_in, wire_out=wire_out, incoming=InputLines())
        elif number := taken.signal():
            ending.begin_by(number)
        if has_polls():
            ending.deserted = Reader(taken.wire_out).is_gone
        async with anyio.create_task_group() as tasks:
            await _Connection(server, taken, ending).see_through(tasks)
            tasks.cancel_scope.cancel()
    return ending.code


class _Connection:
    """A client on two descriptors, from its first line to its end."""

    def __init__(self, server: Server[Any], taken: Handover, ending: Ending) -> None:
        self._server = server
        self._taken = taken
        self._ending = ending
        self._loop = asyncio.get_running_loop()
        self._conversation = anyio.CancelScope()
        self._was_written = anyio.Event()
        self._writer = Writer(taken.wire_out, self._wake)
        open_requests = OpenRequests()
        self._outbound = Outbound(self._write, open_requests, taken.answered)
        self._inbound = Inbound(self._outbound, open_requests)

    async def see_through(self, tasks: anyio.abc.TaskGroup) -> None:
        """Answer the client until there is no more to read, and close what was opened for it."""
        for line in self._taken.lines:
            self._inbound.take(line)  # an end that has begun already must not come before them
        threading.Thread(target=self._read, name="stdin", daemon=True).start()
        tasks.start_soon(self._end)
        life = AsyncExitStack()
        try:
            state = await life.enter_async_context(self._server.lifespan(self._server))
            with self._conversation:
                await serve_dual_era_loop(
                    self._server,
                    self._inbound,
                    self._outbound,
                    lifespan_state=state,
                    init_options=self._server.create_initialization_options(),
                )
        finally:
            with anyio.CancelScope(shield=True):  # the store is closed, whatever went wrong
                await life.aclose()
                while not self._writer.is_done:
                    self._was_written = anyio.Event()
                    await self._was_written.wait()

    async def _end(self) -> None:
        """Once the end has begun, end the input; once it is late, what still runs."""
        await self._ending.begun()
        self._inbound.end()
        await self._ending.late()
        self._conversation.cancel()  # the SDK answers every open request with an error

    def _read(self) -> None:
        """Read lines in a thread that the process does not wait for."""
        # Input that fails has ended; a loop that is over waits for none.
        with suppress(OSError, RuntimeError):
            if not self._taken.is_over:
                for line in lines_of(self._taken.wire_in, self._taken.incoming):
                    self._loop.call_soon_threadsafe(self._inbound.take, line)
        self._ending.begin()

    def _write(self, line: bytes) -> None:
        self._writer.write(line)
        self._look()

    def _wake(self) -> None:
        with suppress(RuntimeError):  # the loop is over
            self._loop.call_soon_threadsafe(self._look)

    def _look(self) -> None:
        self._was_written.set()
        if self._writer.failed:  # the client went without closing our input first
            self._inbound.end()
            self._conversation.cancel()
