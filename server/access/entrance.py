"""`reflection-mcp serve --http`: the address, the callers it accepts, and the application."""

import os
import sys
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from mcp.server.auth.provider import TokenVerifier
from mcp.server.auth.settings import AuthSettings
from starlette.applications import Starlette

from reflection_mcp.server.access.app import app_for
from reflection_mcp.server.access.exposure import Exposure
from reflection_mcp.server.access.limits import Buckets
from reflection_mcp.server.access.listener import listen
from reflection_mcp.server.access.principal import READABLE
from reflection_mcp.server.access.token_file import (
    FileVerifier,
    TokenFile,
    TokenRow,
    local_row,
    token_path,
)
from reflection_mcp.server.application import Application
from reflection_mcp.server.log import Log
from reflection_mcp.server.mcp.visitor import Visitor, visitor
from reflection_mcp.server.settings.settings import Settings
from reflection_mcp.server.transport.protocol import ReflectionServer, ToolCall
from reflection_mcp.store.records import GLOBAL_PROJECT, Scope
from reflection_mcp.tools.errors import InvalidInput

if TYPE_CHECKING:
    from reflection_mcp.server.access.monitor import Metrics
    from reflection_mcp.server.access.telemetry import Tracing

TRACED_BY = (
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    "OTEL_TRACES_EXPORTER",
)
"""The variables of OpenTelemetry of which one has to be set for spans to be made."""


def serve_http(server: ReflectionServer[Any], application: Application, exposure: Exposure) -> int:
    """Serve until a signal comes; returns the exit code.

    Raises:
        InvalidInput: nobody could be let in, or the address cannot be listened on.
    """
    application.files = None  # those of the server are not those of its users
    application.runner = None  # nor is the machine
    named = application.settings.project or GLOBAL_PROJECT  # nor its folder
    application.project = Scope(project=named).shared.project  # nor one person's own place
    tracing = tracing_of(application, os.environ)
    server.observe = observers(application, tracing=tracing)

    def app_at(found: Exposure) -> Starlette:
        app = app_of(server, application, found)
        return app if tracing is None else _closing(app, tracing.close)

    if exposure.metrics_port is None:
        return listen(exposure, app_at)
    from reflection_mcp.server.access.monitor import Metrics, monitoring_app

    metrics = Metrics()
    server.observe = observers(application, metrics, tracing)
    return listen(exposure, app_at, monitoring_app(application, server.worker, metrics))


def tracing_of(application: Application, environment: Mapping[str, str]) -> "Tracing | None":
    """What makes spans of the work of an application, where the variables of OpenTelemetry ask for
    them and its packages are there.

    Raises:
        InvalidInput: the variables name what is not there.
    """
    asked = any(environment.get(name) for name in TRACED_BY)
    if not asked or (
        environment.get("OTEL_TRACES_EXPORTER") == "none"
        or environment.get("OTEL_SDK_DISABLED", "").lower() == "true"
    ):
        return None
    try:
        from reflection_mcp.server.access.telemetry import Tracing, exporter_of
    except ImportError:
        _say("no spans are sent: they need `pip install 'reflection-mcp[telemetry]'`")
        return None
    tracing = Tracing(exporter_of(environment))
    application.stage = tracing.stage
    application.opener = tracing.opener(application.opener)
    return tracing


def observers(
    application: Application, metrics: "Metrics | None" = None, tracing: "Tracing | None" = None
) -> Callable[[ToolCall], None]:
    """What hears of every call: the log, of each that wrote something, the metrics, the spans."""
    if metrics is not None and isinstance(application.emit, Log):
        application.emit.listeners.append(metrics.event)

    def observe(call: ToolCall) -> None:
        if metrics is not None:
            metrics.call(call.tool, call.seconds, call.result)
        if tracing is not None:
            tracing.note(facts_of(call))
        if call.tool not in READABLE:
            application.emit("call_audited", facts_of(call))

    return observe


def facts_of(call: ToolCall) -> dict[str, str]:
    """Who called what, and which records it was about."""
    guest = visitor.get() or Visitor()
    about = {f"id_{number}": each for number, each in enumerate(call.ids, 1)}
    outcome = "success" if call.result == "ok" else "failure"
    who = {"principal": guest.principal, "tenant": guest.tenant}
    return {"tool": call.tool, "outcome": outcome, **who, **about}


def app_of(
    server: ReflectionServer[Any], application: Application, exposure: Exposure
) -> Starlette:
    """The application that lets in whom the exposure says.

    Raises:
        InvalidInput: nobody could be let in.
    """
    settings = application.settings
    if settings.share == "mine" and exposure.auth == "none":
        raise InvalidInput(
            "share = mine needs tokens: without them, the server cannot tell people apart",
            "serve with --auth tokens, or set share = project",
        )
    buckets = Buckets(settings.requests_per_second, settings.request_burst)
    verifier, auth = (
        _oauth(settings, exposure)
        if exposure.auth == "oauth"
        else (_tokens(application, exposure), None)
    )
    app = app_for(server, exposure, verifier, auth, buckets)
    if exposure.dashboard and verifier is not None:
        from reflection_mcp.server.access.pages import WHERE, pages_of

        beside = application.beside()
        app.router.routes.append(pages_of(beside, exposure, verifier, buckets))
        _closing(app, beside.close)
        _say(f"the dashboard is at {exposure.base_url}{WHERE}/")
    return app


def _closing(app: Starlette, close: Callable[[], Awaitable[None]]) -> Starlette:
    """The application, which closes something at the end of its life."""
    lifespan = app.router.lifespan_context

    @asynccontextmanager
    async def lived(app: Any) -> AsyncGenerator[Any]:
        async with lifespan(app) as state:
            try:
                yield state
            finally:
                await close()

    app.router.lifespan_context = lived
    return app


def _tokens(application: Application, exposure: Exposure) -> TokenVerifier | None:
    """What decides about tokens; None where none are asked for. Says where they are."""
    if exposure.auth == "none":
        return None
    file = TokenFile(token_path(application.settings))
    known = len(file.rows())
    more: tuple[TokenRow, ...] = ()
    if exposure.auth == "local":
        path, row = local_row(application.settings)
        more = (row,)
        _say(f"programs of this user send the token in {path} as `Authorization: Bearer TOKEN`")
    elif not known:
        _say("there is no token yet: add one with `reflection-mcp tokens add NAME`")
    return FileVerifier(file, application.clock, application.emit, more)


def _oauth(settings: Settings, exposure: Exposure) -> tuple[TokenVerifier, AuthSettings]:
    """What decides about tokens of the issuer, and what clients are told of it.

    Raises:
        InvalidInput: no issuer is set.
    """
    from reflection_mcp.server.access.oauth import Keys, OAuthVerifier, fetcher

    issuer = settings.oauth_issuer
    if not issuer:
        raise InvalidInput(
            "--auth oauth needs an issuer", "set REFLECTION_OAUTH_ISSUER to the URL of yours"
        )
    fields = {
        "issuer_url": issuer,
        "resource_server_url": exposure.url,
        "required_scopes": [settings.oauth_scope] if settings.oauth_scope else None,
        "validate_token_resource": True,
    }
    keys = Keys(fetcher(issuer, settings.oauth_jwks_url))
    return OAuthVerifier(settings, keys, exposure.url), AuthSettings.model_validate(fields)


def _say(text: str) -> None:
    print(f"reflection-mcp: {text}", file=sys.stderr, flush=True)
