"""A principal: who sends a request over HTTP, and what that principal may do.

Rule: a principal is what a token proved, never what a request says of itself. Its tenant, and what
counts as its own, follow from it alone.
"""

from dataclasses import dataclass
from typing import Any, Literal, get_args

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from starlette.requests import HTTPConnection

Role = Literal["reader", "writer", "admin"]
"""A reader looks things up, a writer also learns and judges, an admin may do what a writer may."""

ROLES: tuple[Role, ...] = get_args(Role)
"""In their order: each may do what those before it may."""

READABLE = frozenset(("has_seen_error_before", "get_insights"))
"""The tools of a reader."""


class KeysUnavailable(Exception):
    """Nobody can tell whether a token is good: the keys of its issuer cannot be fetched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Principal:
    """Somebody or something with a token; `name` is in the alphabet of projects and tenants."""

    name: str
    tenant: str
    role: Role = "writer"

    def may(self, role: Role) -> bool:
        """Whether it may do what this role may."""
        return ROLES.index(self.role) >= ROLES.index(role)

    def may_call(self, tool: str) -> bool:
        """Whether it may call a tool; what is not known is for writers."""
        return tool in READABLE or self.may("writer")


class Grant(AccessToken):
    """The SDK's record of a token that was accepted, with the principal that it stands for."""

    principal: Principal


def grant(
    principal: Principal, *, scopes: tuple[str, ...] = (), client: str = "", **more: Any
) -> Grant:
    """What a verifier returns. The token itself is left out: nothing later has use for it."""
    return Grant(
        token="",
        client_id=client or principal.name,
        subject=principal.name,
        scopes=list(scopes),
        principal=principal,
        **more,
    )


def principal_of(connection: HTTPConnection) -> Principal | None:
    """The principal of a request; None where nobody has proved to be anybody."""
    user = connection.scope.get("user")
    token = user.access_token if isinstance(user, AuthenticatedUser) else None
    return token.principal if isinstance(token, Grant) else None
