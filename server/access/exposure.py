"""Where a server listens, under which names, and how callers prove who they are.

Rule: whatever could let a stranger in is asked for by name. What is not asked for is the safest
that works: this machine alone, with a token that only its user can read.
"""

import argparse
import ipaddress
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from reflection_mcp.tools.errors import InvalidInput

Auth = Literal["local", "none", "tokens", "oauth"]
"""`local`: as `tokens`, and the token for the programs of this user, which is made when missing."""

PATH = "/mcp"
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Exposure:
    """How a server is reached; `public_url` has no path behind it unless a proxy adds one.

    `metrics_port` is a port of its own for monitors, None for none.
    """

    auth: Auth
    host: str = "127.0.0.1"
    port: int = 8931
    unix_socket: str = ""
    public_url: str = ""
    allowed_hosts: tuple[str, ...] = ()
    behind_proxy: bool = False
    dashboard: bool = False
    metrics_host: str = "127.0.0.1"
    metrics_port: int | None = None

    @property
    def base_url(self) -> str:
        """The URL under which clients know the server."""
        return self.public_url or f"http://{_bracketed(self.host)}:{self.port}"

    @property
    def url(self) -> str:
        """The URL of MCP, which is also the name of what tokens are for (RFC 8707)."""
        return f"{self.base_url}{PATH}"

    def hosts(self) -> list[str]:
        """Every value of the header `Host` that is answered, exactly as it is sent."""
        if self.unix_socket:
            own = list(_LOOPBACK)
        else:
            named = [_bracketed(self.host)] if is_loopback(self.host) else []
            names = dict.fromkeys((*_LOOPBACK, *named))
            own = [f"{name}:{self.port}" for name in names]
        public = [urlsplit(self.public_url).netloc] if self.public_url else []
        return [*own, *public, *self.allowed_hosts]

    def origins(self) -> list[str]:
        """Every value of the header `Origin` that is answered: pages of the server itself."""
        scheme = urlsplit(self.public_url).scheme or "http"
        outside = {urlsplit(self.public_url).netloc, *self.allowed_hosts} - {""}
        return [f"{scheme if host in outside else 'http'}://{host}" for host in self.hosts()]


def exposure_of(arguments: argparse.Namespace) -> Exposure:
    """What a command line asks for.

    Raises:
        InvalidInput: it would let strangers in, or does not say how they are kept out.
    """
    public = _public_url(arguments.public_url, behind_proxy=arguments.behind_proxy)
    near = bool(arguments.unix_socket) or is_loopback(arguments.host)
    auth: Auth | None = arguments.auth
    if not near and auth not in ("tokens", "oauth"):
        raise InvalidInput(
            f"--host {arguments.host[:80]} can be reached by others",
            "add --auth tokens or --auth oauth, or use --host 127.0.0.1",
        )
    if not near and not public:
        raise InvalidInput(
            f"--host {arguments.host[:80]} needs --public-url",
            "pass the https URL under which clients reach it",
        )
    if public and auth in (None, "none"):
        raise InvalidInput(
            "--public-url is only for servers that others can reach",
            "add --auth tokens or --auth oauth, or leave it out",
        )
    if arguments.dashboard and (auth == "none" or arguments.unix_socket):
        raise InvalidInput(
            "the dashboard is for browsers that log in with a token",
            "use --auth tokens on a port; for yourself there is `reflection-mcp dashboard`",
        )
    port = 0 if arguments.unix_socket else arguments.port
    if port and arguments.metrics_port == port:
        raise InvalidInput("--metrics-port and --port are the same port", "use another one")
    return Exposure(
        auth=auth or ("none" if arguments.unix_socket else "local"),
        host=arguments.host,
        port=arguments.port,
        unix_socket=arguments.unix_socket,
        public_url=public,
        allowed_hosts=tuple(arguments.allowed_host),
        behind_proxy=arguments.behind_proxy,
        dashboard=arguments.dashboard,
        metrics_host=arguments.metrics_host,
        metrics_port=arguments.metrics_port,
    )


def _public_url(given: str, *, behind_proxy: bool) -> str:
    if not given:
        return ""
    parts = urlsplit(given)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username is not None:
        raise InvalidInput(
            "--public-url is not the URL of a server", "pass one such as https://memory.example.com"
        )
    if parts.query or parts.fragment:
        raise InvalidInput(
            "--public-url has more than a path", "leave out everything from ? or # on"
        )
    if parts.scheme == "http" and not (behind_proxy or is_loopback(parts.hostname)):
        raise InvalidInput(
            "--public-url is not https",
            "use https, or add --behind-proxy if the network is private",
        )
    return given.rstrip("/").removesuffix(PATH)


def is_loopback(host: str) -> bool:
    """Whether a host is `localhost` or a loopback address."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host and not host.startswith("[") else host
