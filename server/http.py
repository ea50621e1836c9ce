"""`reflection-mcp serve --http`: MCP over streamable HTTP, for programs on this machine only.

There is no authentication here, so any other address than a loopback one is refused; the SDK
checks the Host and Origin headers of every request on a loopback address.
"""

import ipaddress

from reflection_mcp.server.application import Application
from reflection_mcp.server.transport.protocol import ReflectionServer
from reflection_mcp.tools.errors import InvalidInput

GRACE = 5
"""Seconds that open requests have once a signal came: a client that listens for events would
otherwise hold up the end for as long as it lives."""


def serve_http(server: ReflectionServer[Application], host: str, port: int) -> int:
    """Serve until a signal comes; returns the exit code.

    uvicorn closes everything down and then lets the signal have its usual effect, which
    `reflection-mcp` has made an exit with 130 or 143.

    Raises:
        InvalidInput: the address is not one of this machine's loopback addresses.
    """
    if not is_loopback(host):
        raise InvalidInput(
            "the HTTP server has no authentication, so it listens on loopback addresses only",
            "use --host 127.0.0.1, or put an authenticating proxy in front of it",
        )
    import uvicorn

    # At this level uvicorn says where it listens.
    config = uvicorn.Config(
        server.streamable_http_app(host=host),
        host=host,
        port=port,
        log_level="info",
        timeout_graceful_shutdown=GRACE,
    )
    uvicorn.Server(config).run()
    return 0


def is_loopback(host: str) -> bool:
    """Whether a host is `localhost` or a loopback address."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
