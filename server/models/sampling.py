"""The client's own model, by MCP sampling in the middle of a call.

That is possible up to protocol 2025-11-25. Later versions deprecate sampling (SEP-2577), have no
requests of a server, and lose the whole call where a client refuses; there the caller is the model.
Rules of this module: a prompt renders to the same request however often it is asked; what the
client does with it, a refusal included, is a reply or a `ModelFailed` with a short name.
"""

from typing import Any

import anyio
from mcp.server.mcpserver import Context
from mcp.server.session import ServerSession
from mcp.shared.exceptions import MCPError
from mcp.shared.message import ServerMessageMetadata
from mcp_types import (
    CreateMessageRequest,
    CreateMessageRequestParams,
    CreateMessageResult,
    ModelPreferences,
    SamplingMessage,
    TextContent,
)
from pydantic import ValidationError

from reflection_mcp.server.worker import at_home
from reflection_mcp.tools.ports import ModelFailed, Prompt, Reply

NAME = "sampling"
WALL = 24.0  # seconds for one reply, so that a judge stays below 25
WRITERS = ("answerer", "reviser")


class SamplingModel:
    """A `Model` that asks the client in the middle of a call (up to 2025-11-25)."""

    name = NAME

    def __init__(self, session: ServerSession, request_id: str, wall: float = WALL) -> None:
        """Ask over this session, on behalf of this request of the client."""
        self._session = session
        self._request_id = request_id
        self._wall = wall

    async def complete(self, prompt: Prompt) -> Reply:
        """Answer one prompt.

        Raises:
            ModelFailed: `declined`, `timeout`, `malformed`, `truncated`.
        """
        try:
            with anyio.fail_after(self._wall):
                result = await at_home(
                    self._session.send_request,
                    request_of(prompt),
                    CreateMessageResult,
                    metadata=ServerMessageMetadata(related_request_id=self._request_id),
                )
        except TimeoutError:
            raise ModelFailed("timeout", f"no reply within {self._wall:g} s") from None
        except MCPError as error:
            raise ModelFailed("declined", f"code {error.code}") from None
        except ValidationError:
            raise ModelFailed("malformed", "the client's reply is not a message") from None
        return reply_of(result)


ASKED_IN_VAIN = ("copilot-cli",)
"""The beginnings of the names of clients that declare sampling and then wait for a person who is
not there: they are asked only if the settings say so."""


def is_wanted(evaluator: str, client: str) -> bool:
    """Return True if the settings let the model of the client with this name judge."""
    wished = evaluator == "auto" and not client.casefold().startswith(ASKED_IN_VAIN)
    return evaluator == "sampling" or wished


def model_of(ctx: Context[Any, Any], wall: float) -> tuple[SamplingModel, ...]:
    """Return the client's model, if it declared sampling and can be asked in the middle of a call.

    Args:
        ctx: the request that is being answered.
        wall: seconds that the model has for a reply.
    """
    capabilities = ctx.client_capabilities
    offered = capabilities is not None and capabilities.sampling is not None
    if not (offered and ctx.session.can_send_request):
        return ()
    return (SamplingModel(ctx.session, ctx.request_id, wall),)


def request_of(prompt: Prompt) -> CreateMessageRequest:
    """A prompt as the request that a client understands."""
    writes = prompt.role in WRITERS
    return CreateMessageRequest(
        params=CreateMessageRequestParams(
            messages=[
                SamplingMessage(role="user", content=TextContent(type="text", text=prompt.user))
            ],
            system_prompt=prompt.system,
            max_tokens=prompt.max_tokens,
            # A judge may be cheap (seed rule loop:cheap-judge); what is handed out should be good.
            model_preferences=ModelPreferences(
                cost_priority=0.2 if writes else 0.8, intelligence_priority=0.8 if writes else 0.4
            ),
        )
    )


def reply_of(result: CreateMessageResult) -> Reply:
    """A client's reply as text.

    Raises:
        ModelFailed: `truncated`, or `malformed` when it is no text.
    """
    if result.stop_reason == "maxTokens":
        raise ModelFailed("truncated", "maxTokens")
    if not isinstance(result.content, TextContent) or not result.content.text.strip():
        raise ModelFailed("malformed", "the client's reply has no text")
    return Reply(text=result.content.text, model=result.model)
