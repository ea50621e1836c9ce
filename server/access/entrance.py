"""`reflection-mcp serve --http`: what is listened on, who is let in, and who answers."""

import sys
from typing import Any

from mcp.server.auth.provider import TokenVerifier
from mcp.server.auth.settings import AuthSettings
from starlette.applications import Starlette

from reflection_mcp.server.access.app import app_for
from reflection_mcp.server.access.bucket import Buckets
from reflection_mcp.server.access.exposure import Exposure
from reflection_mcp.server.access.listener import listen
from reflection_mcp.server.access.token_file import (
    FileVerifier,
    TokenFile,
    TokenRow,
    local_row,
    token_path,
)
from reflection_mcp.server.application import Application
from reflection_mcp.server.settings import Settings
from reflection_mcp.server.transport.protocol import ReflectionServer
from reflection_mcp.store.records import GLOBAL_PROJECT


def serve_http(server: ReflectionServer[Any], application: Application, exposure: Exposure) -> int:
    """Serve until a signal comes; returns the exit code.

    Raises:
        InvalidInput: nobody could be let in, or the address cannot be listened on.
    """
    application.files = None  # those of the server are not those of its users
    application.runner = None  # nor is the machine
    application.project = application.settings.project or GLOBAL_PROJECT  # nor its folder
    return listen(exposure, lambda found: app_of(server, application, found))


def app_of(
    server: ReflectionServer[Any], application: Application, exposure: Exposure
) -> Starlette:
    """The application that lets in whom the exposure says.

    Raises:
        InvalidInput: nobody could be let in.
    """
    settings = application.settings
    buckets = Buckets(settings.requests_per_second, settings.request_burst)
    verifier, told = (
        _oauth(settings, exposure)
        if exposure.auth == "oauth"
        else (_tokens(application, exposure), None)
    )
    app = app_for(server, exposure, verifier, told, buckets)
    if exposure.dashboard and verifier is not None:
        from reflection_mcp.server.access.pages import WHERE, pages_of

        app.router.routes.append(pages_of(application, exposure, verifier))
        _say(f"the dashboard is at {exposure.base_url}{WHERE}/")
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
        _say("there is no token yet: make one with `reflection-mcp tokens add NAME`")
    return FileVerifier(file, application.clock, application.emit, more)


def _oauth(settings: Settings, exposure: Exposure) -> tuple[TokenVerifier, AuthSettings]:
    """What decides about tokens of the issuer, and what clients are told of it."""
    from reflection_mcp.server.access.oauth import Keys, OAuthVerifier, fetcher, rules_of

    rules = rules_of(settings, exposure.url)
    told = {
        "issuer_url": rules.issuer,
        "resource_server_url": exposure.url,
        "required_scopes": [settings.oauth_scope] if settings.oauth_scope else None,
        "validate_token_resource": True,
    }
    keys = Keys(fetcher(rules.issuer, settings.oauth_jwks_url))
    return OAuthVerifier(rules, keys, exposure.url), AuthSettings.model_validate(told)


def _say(text: str) -> None:
    print(f"reflection-mcp: {text}", file=sys.stderr, flush=True)
