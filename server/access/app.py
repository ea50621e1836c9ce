"""The Starlette application of `serve --http`: MCP, and the pages mounted beside it.

Rules: every request, whatever it is for, passes the check of `Host` and `Origin` first; whoever has
a token is known to all routes (`principal_of`), and MCP answers nobody else. A route that is added
here has to ask for the principal itself.
"""

import json
import math
from collections import Counter
from typing import Any

from mcp.server.auth.middleware.auth_context import get_access_token
from mcp.server.auth.provider import TokenVerifier
from mcp.server.auth.settings import AuthSettings
from mcp.server.transport_security import TransportSecurityMiddleware, TransportSecuritySettings
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from reflection_mcp.server.access.exposure import Exposure
from reflection_mcp.server.access.limits import Buckets, Turns
from reflection_mcp.server.access.principal import Grant, KeysUnavailable, principal_of
from reflection_mcp.server.mcp.visitor import Visitor, visitor
from reflection_mcp.server.transport.input_lines import InputLine
from reflection_mcp.server.transport.protocol import ReflectionServer

PROJECT = "x-reflection-project"
"""The header that names the project of calls which name none."""


MOST_OPEN = 200
"""Requests of one principal that are answered at once, those that only listen included: each holds
a connection, of which a process has 1,024 where nobody raised the limit."""


def app_for(
    server: ReflectionServer[Any],
    exposure: Exposure,
    verifier: TokenVerifier | None,
    auth: AuthSettings | None,
    buckets: Buckets,
) -> Starlette:
    """The application.

    Args:
        server: answers MCP.
        exposure: under which names it is reached.
        verifier: None where nobody has to prove anything.
        auth: what clients are told of the issuer of tokens. Without it nothing: Claude Code ignores
            the header that its user configured where a server advertises OAuth.
        buckets: how much each principal may ask.
    """
    security = TransportSecuritySettings(
        allowed_hosts=exposure.hosts(), allowed_origins=exposure.origins()
    )
    server.refuse = refusal
    server.turn = Turns().turn
    if verifier and not auth:
        auth = AuthSettings.model_validate(
            {"issuer_url": exposure.base_url, "resource_server_url": None}
        )
    app = server.http_app(security, auth, verifier)
    app.user_middleware.insert(0, Middleware(Doorkeeper, security))
    app.user_middleware.append(Middleware(Reception, buckets))
    return app


def refusal(tool: str) -> str:
    """Why the caller may not call a tool, in one line; empty if it may.

    An error of the tool and no 403: hosts show the one to the model, which can go on without; for
    the other they ask their user to sign in again, or close the connection.
    """
    token = get_access_token()
    if not isinstance(token, Grant) or token.principal.may_call(tool):
        return ""
    return f"insufficient_scope: {tool} is for writers, and this token is a reader's"


class Doorkeeper:
    """Answers only requests that name this server, from pages of this server."""

    def __init__(self, app: ASGIApp, security: TransportSecuritySettings) -> None:
        self._app = app
        self._check = TransportSecurityMiddleware(security)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer 421 or 403; 503 where nobody can tell who asks."""
        refused = None
        if scope["type"] == "http":
            refused = await self._check.validate_request(Request(scope))
        try:
            await (refused or self._app)(scope, receive, send)
        except KeysUnavailable:
            why = "the keys of the issuer cannot be fetched, try again later"
            await _refusal(503, "temporarily_unavailable", why, 5)(scope, receive, send)


class Reception:
    """Notes whose request it is for those who answer it, unless there were too many of them."""

    def __init__(self, app: ASGIApp, buckets: Buckets) -> None:
        self._app = app
        self._buckets = buckets
        self._open = Counter[str]()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer 429."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        connection = HTTPConnection(scope)
        principal = principal_of(connection)
        if principal is not None and (seconds := self._buckets.wait(principal.name)):
            why = "slow down, then send it again"
            await _refusal(429, "too_many_requests", why, seconds)(scope, receive, send)
            return
        name = principal.name if principal else ""
        if name and self._open[name] >= MOST_OPEN:
            why = "end a request or a stream first"
            await _refusal(429, "too_many_requests", why, 1)(scope, receive, send)
            return
        guest = Visitor(
            principal=name,
            tenant=principal.tenant if principal else "",
            project=connection.headers.get(PROJECT, "").strip(),
            only_reads=principal is not None and not principal.may_call("reflect"),
        )
        token = visitor.set(guest)
        self._open[name] += 1
        try:
            await self._app(scope, bounded(receive), send)
        finally:
            self._open -= Counter([name])  # which forgets who has none
            visitor.reset(token)


def bounded(receive: Receive) -> Receive:
    """A `receive` that ends a body which would take long to read, as a line of stdio is given up:
    the SDK allows 4 MiB, which are 0.9 seconds of one C call if they are small objects."""
    line = InputLine()

    async def received() -> Message:
        message = await receive()
        if message["type"] == "http.request":
            line.add(message.get("body", b""))
            if line.is_too_much:
                return {"type": "http.request", "body": b"", "more_body": False}
        return message

    return received


def _refusal(status: int, error: str, why: str, seconds: float) -> Response:
    """In the form of the SDK's own refusals, with when to try again."""
    content = json.dumps({"error": error, "error_description": why})
    return Response(content, status, {"Retry-After": str(math.ceil(seconds))}, "application/json")
