"""Sessions of protocol 2025-11-25, limited for each principal.

SDK fault (mcp 2.3.0): its limit of 10,000 sessions is one for all callers, and a session lasts for
30 minutes after its last request, so that a single token could keep everybody else out. Can go when
a release counts the sessions of each credential.
"""

from typing import Any

from mcp.server.auth.middleware.bearer_auth import AuthorizationContext
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

MOST = 500
"""Open sessions of one principal."""


def share_out(manager: StreamableHTTPSessionManager) -> None:
    """Let the manager answer 503 to a principal that has enough sessions."""
    sdk: Any = manager
    admit = sdk._admit_session

    def admitted(owner: AuthorizationContext | None) -> object:
        if owner is not None and list(sdk._session_owners.values()).count(owner) >= MOST:
            return None
        return admit(owner)

    sdk._admit_session = admitted
