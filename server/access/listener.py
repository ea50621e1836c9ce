"""Listening: a socket, and uvicorn on it."""

import os
import socket
import sys
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from reflection_mcp.server.access.deadline import PunctualProtocol
from reflection_mcp.server.access.exposure import Exposure
from reflection_mcp.tools.errors import InvalidInput

GRACE = 5
"""Seconds that open requests have once a signal came: a client that listens for events would
otherwise hold up the end for as long as it lives."""

BACKLOG = 2048
"""Connections that wait to be accepted, as uvicorn has it."""


def listen(
    exposure: Exposure, app_for: Callable[[Exposure], ASGIApp], beside: ASGIApp | None = None
) -> int:
    """Serve until a signal comes; returns the exit code.

    uvicorn closes everything down and then lets the signal have its usual effect, which
    `reflection-mcp` has made an exit with 130 or 143.

    Args:
        exposure: port 0 is any that is free.
        app_for: makes the application, once the port is known.
        beside: the application of the port for monitors.

    Raises:
        InvalidInput: the address cannot be listened on.
    """
    with ExitStack() as opened:
        sockets = [opened.enter_context(_socket(exposure))]
        if not exposure.unix_socket:
            exposure = replace(exposure, port=sockets[0].getsockname()[1])
        app = app_for(exposure)
        _say(f"running on {exposure.unix_socket or exposure.url}")
        if beside is not None:
            port = exposure.metrics_port or 0
            monitors = replace(exposure, host=exposure.metrics_host, port=port, unix_socket="")
            sockets.append(opened.enter_context(_socket(monitors)))
            host, port = sockets[1].getsockname()[:2]
            _say(f"health and metrics are at {host}:{port}")
            app = by_port(app, beside, port)
        config = uvicorn.Config(
            app,
            http=PunctualProtocol,
            ws="none",
            log_level="warning",
            access_log=False,
            lifespan="on",
            proxy_headers=exposure.behind_proxy,
            server_header=False,
            timeout_graceful_shutdown=GRACE,
        )
        uvicorn.Server(config).run(sockets)
    return 0


def by_port(app: ASGIApp, beside: ASGIApp, port: int) -> ASGIApp:
    """The application, and beside it another one that answers at a port of its own: the one at
    which a connection was accepted, whatever a request says."""

    async def answered(scope: Scope, receive: Receive, send: Send) -> None:
        here = scope["type"] == "http" and scope["server"][1] == port
        await (beside if here else app)(scope, receive, send)

    return answered


def _say(text: str) -> None:
    print(f"reflection-mcp: {text}", file=sys.stderr, flush=True)


def _socket(exposure: Exposure) -> socket.socket:
    if exposure.unix_socket:
        return _unix_socket(Path(exposure.unix_socket))
    try:
        return tcp_socket(exposure.host.strip("[]"), exposure.port)
    except OSError as trouble:
        raise InvalidInput(
            f"{exposure.host}:{exposure.port} cannot be listened on: {_reason(trouble)}",
            "use another --port, or stop the program that listens there",
        ) from None


def tcp_socket(host: str, port: int) -> socket.socket:
    """A socket that listens.

    It names its protocol, unlike those of `socket.create_server`: asyncio switches the delay of
    small packets off only where it reads TCP, and with it every answer would come 40 ms later.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    family, kind, protocol, _, address = found[0]
    listening = socket.socket(family, kind, protocol)
    try:
        # Elsewhere than on POSIX it would share the port with whoever has it.
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, os.name == "posix")
        listening.bind(address)
        listening.listen(BACKLOG)
    except OSError:
        listening.close()
        raise
    return listening


def _unix_socket(path: Path) -> socket.socket:
    """A socket that only its owner may connect to, in place of one that nobody listens on."""
    listening = socket.socket(socket.AF_UNIX)
    before = os.umask(0o177)
    try:
        if path.is_socket() and not _answers(path):
            path.unlink()
        listening.bind(str(path))
    except OSError as trouble:
        listening.close()
        raise InvalidInput(
            f"{path} cannot be listened on: {_reason(trouble)}",
            "use another --unix-socket, or stop the program that listens there",
        ) from None
    finally:
        os.umask(before)
    listening.listen(BACKLOG)
    return listening


def _answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as caller:
        try:
            caller.connect(str(path))
        except OSError:
            return False
        return True


def _reason(trouble: OSError) -> str:
    return (trouble.strerror or "refused by the system").lower()
