"""The dashboard on the server of a team: the same pages, behind a login with the caller's token.

Rules: the tenant is that of the principal, a reader cannot act, and nobody sees the settings or the
place of the store.
"""

from mcp.server.auth.provider import TokenVerifier
from starlette.requests import Request
from starlette.routing import Mount

from reflection_mcp.server.access.exposure import Exposure
from reflection_mcp.server.access.limits import Buckets
from reflection_mcp.server.access.principal import Grant, Principal
from reflection_mcp.server.application import Application
from reflection_mcp.server.dashboard.app import Dashboard
from reflection_mcp.server.dashboard.login import LoginDoor
from reflection_mcp.tools.ports import Caller, Services

WHERE = "/dashboard"


def pages_of(
    application: Application, exposure: Exposure, verifier: TokenVerifier, buckets: Buckets
) -> Mount:
    """The routes of the dashboard."""

    async def check(token: str) -> Principal | None:
        found = await verifier.verify_token(token)
        return found.principal if isinstance(found, Grant) else None

    async def visitor(request: Request, project: str | None) -> tuple[Services, bool]:
        principal: Principal = request.state.guest
        caller = Caller(
            conversation_id="dashboard",
            client="dashboard",
            principal=principal.name,
            tenant=principal.tenant,
        )
        return await application.services(caller, project), principal.may("writer")

    dashboard = Dashboard(visitor=visitor)
    door = LoginDoor(
        origins=tuple(exposure.origins()),
        check=check,
        page=lambda request, wrong: dashboard.bare_page(request, "login", wrong=wrong),
        wait=buckets.wait,
    )
    return Mount(WHERE, door.guarding(dashboard.app()))
