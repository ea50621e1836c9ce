"""Who sends a request: the name that the client gave itself, and its conversation.

Rule: no client votes on another client's answer without naming it. On stdio the process has one
client. Over HTTP a session is a conversation. From protocol 2026-07-28 on there are no sessions
(SEP-2567), and nothing in a request is one client's alone: two clients may have the same token, the
same name and version in `_meta` and the same address. Then the conversation of a principal is the
work of its clients of one name on one day in a project, marked as shared; without a principal each
request is a conversation of its own.
"""

import hashlib
from dataclasses import replace
from typing import Any

from mcp.server.mcpserver import Context

from reflection_mcp.server.application import Application
from reflection_mcp.server.mcp.visitor import Visitor, visitor
from reflection_mcp.tools.ports import Caller

SESSION = "mcp-session-id"


def caller_of(application: Application, ctx: Context[Any, Any], project: str) -> Caller:
    """Who asks, as far as the connection tells; `project` is what the call itself names."""
    given = ctx.session.client_params
    client = given.client_info.name[:80] if given else ""
    own = application.conversation_id
    request = ctx.request_context.request
    if request is None:
        return application.caller(client)
    session = request.headers.get(SESSION)
    guest = visitor.get() or Visitor()
    if session is not None:
        # Who knows a session's id can act in it, so the id itself is never stored.
        return _caller(application, guest, _digest(own, session), client)
    if not guest.principal:
        return _caller(application, guest, application.ids("conv"), client, own)
    day = f"{application.clock():%Y-%m-%d}"
    place = (project.strip() or guest.project or application.project).lower()
    digest = _digest(guest.principal, client, place, day)
    return replace(_caller(application, guest, digest, client), shared=True)


def reader(application: Application) -> Caller | None:
    """Who reads a resource; None is this process itself."""
    guest = visitor.get()
    if guest is None:
        return None
    return _caller(application, guest, application.conversation_id, "")


def _caller(
    application: Application, guest: Visitor, conversation: str, client: str, origin: str = ""
) -> Caller:
    return Caller(
        conversation_id=conversation,
        client=client,
        origin=origin,
        principal=guest.principal,
        tenant=guest.tenant,
        project=guest.project,
        keeps_own=bool(guest.principal) and application.settings.share == "mine",
    )


def _digest(key: str, *parts: str) -> str:
    # The length of each part comes before it: parts differ, or their digests do not.
    told = "".join(f"{len(part)}:{part}" for part in parts)
    digest = hashlib.blake2b(told.encode(), key=key.encode()[:64], digest_size=8)
    return f"conv-{digest.hexdigest()}"


def without_session(caller: Caller) -> str:
    """What to pass so that later calls are of this conversation, too."""
    return (
        f"this connection has no session: pass conversation_id {caller.conversation_id} to "
        "reflect, answer_with_reflection and record_feedback to continue this conversation"
    )
