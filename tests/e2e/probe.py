"""A server to be run by the tests, with tools that misbehave.

    python -m tests.e2e.probe FD [NAME=SECONDS ...]

It writes to the descriptor FD what happens to its lifespan and its tools. Each NAME is a patience
of `signals`, which a busy machine must not use up by chance, or which a test has no time for.
"""

import os
import subprocess
import sys
import threading
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any
from unittest.mock import patch

import anyio
from mcp.server.mcpserver import MCPServer

from reflection_mcp.server.transport import signals
from reflection_mcp.server.transport.patience import Patience
from reflection_mcp.server.transport.protocol import ReflectionServer
from reflection_mcp.server.transport.signals import Ending
from reflection_mcp.server.worker import at_home


@asynccontextmanager
async def lifespan(made: MCPServer[None]) -> AsyncGenerator[None]:
    note("opened")
    yield
    assert isinstance(made, ReflectionServer)
    await made.worker.close(close)


async def close() -> None:
    await anyio.lowlevel.checkpoint()
    note("closed")


def note(what: str) -> None:
    os.write(int(sys.argv[1]), f"{what}\n".encode())


async def echo(text: str) -> str:
    """Return the text."""
    return text


async def half() -> str:
    """Return half a surrogate pair."""
    return "half: \ud800"


async def crash() -> str:
    """Fail unforeseen."""
    raise RuntimeError("a secret \ud800")


def block() -> str:
    """Hold a worker thread for ever."""
    note("blocked")
    threading.Event().wait()
    return ""


async def hang() -> str:
    """Hold the worker's event loop for ever."""
    note("hung")
    threading.Event().wait()
    return ""


async def wait() -> str:
    """Wait until cancelled."""
    note("waiting")
    try:
        await anyio.Event().wait()
    finally:
        note("cancelled")
    return ""


async def hang_wire() -> str:
    """Hold the event loop of the wire for ever."""
    note("hung")
    await at_home(hold)
    return ""


async def hold() -> None:
    threading.Event().wait()


async def knock() -> str:
    """Wait until somebody opens the door, which is a named pipe."""
    note("waiting")
    return await anyio.Path(os.environ["PROBE_DOOR"]).read_text()


async def chatter() -> str:
    """Write to stdout in every way, and read stdin in a child."""
    print("print")
    os.write(1, b"write\n")
    child = "import sys; print('child', repr(sys.stdin.read()), flush=True)"
    subprocess.run([sys.executable, "-c", child], check=True)
    print("left in the buffer")
    return "quiet"


def server() -> ReflectionServer[Any]:
    made = ReflectionServer[Any]("probe", version="1", lifespan=lifespan, log_level="WARNING")
    for tool in (echo, half, crash, block, hang, hang_wire, knock, wait, chatter):
        made.add_tool(tool, structured_output=False)
    return made


def order(self: Ending, patience: Patience) -> None:
    """Begin to end, and tell."""
    begin(self, patience)
    note("ending")


begin = Ending.order

if __name__ == "__main__":
    patch.object(Ending, "order", order).start()
    for limit in sys.argv[2:]:
        name, _, seconds = limit.partition("=")
        assert hasattr(signals, name)
        setattr(signals, name, Patience(float(seconds), float(seconds)))
    sys.exit(server().serve_stdio())
