"""Who sends a request: the name that the client gave itself, and its conversation.

Rule: two clients never share a conversation. On stdio the process has one client. Over HTTP the
session is the conversation; a request without a session, which is all there is from protocol
2026-07-28 on, is a conversation of its own, because what such requests have in common (the client's
name and version, the address) two clients have in common, too.
"""

import hashlib
from typing import Any

from mcp.server.mcpserver import Context

from reflection_mcp.server.application import Application
from reflection_mcp.tools.ports import Caller

SESSION = "mcp-session-id"


def caller_of(application: Application, ctx: Context[Any, Any]) -> Caller:
    """Who asks, as far as the connection tells."""
    given = ctx.session.client_params
    client = given.client_info.name[:80] if given else ""
    own = application.conversation_id
    request = ctx.request_context.request
    if request is None:
        return Caller(conversation_id=own, client=client)
    session = request.headers.get(SESSION)
    if session is None:
        return Caller(conversation_id=application.ids("conv"), client=client, origin=own)
    # Who knows a session's id can act in it, so the id itself is never stored.
    digest = hashlib.blake2b(session.encode(), key=own.encode(), digest_size=8).hexdigest()
    return Caller(conversation_id=f"conv-{digest}", client=client)


def without_session(caller: Caller) -> str:
    """What to pass so that later calls are of this conversation, too."""
    return (
        f"this connection has no session: pass conversation_id {caller.conversation_id} to "
        "reflect, answer_with_reflection and record_feedback to go on from here"
    )
