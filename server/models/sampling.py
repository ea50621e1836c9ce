"""The client's own model, by MCP sampling, in both eras of the protocol.

Rules of this module: a prompt renders to the same request however often it is asked; what the
client does with it, a refusal included, is a reply or a `ModelFailed` with a short name. Up to
2025-11-25 the request goes out in the middle of a call (`SamplingModel`). From 2026-07-28 on it
travels in the result of the call, and comes back with the next one (`Unanswered`, see `drive`).
"""

import anyio
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


class Unanswered(Exception):
    """A prompt that only the next round of a call can answer; passes through every use case."""

    def __init__(self, prompt: Prompt) -> None:
        super().__init__(prompt.role)
        self.prompt = prompt


class NextRoundModel:
    """A `Model` that has no reply yet: it stops the work with `Unanswered` (from 2026-07-28)."""

    name = NAME

    async def complete(self, prompt: Prompt) -> Reply:
        """Stop here."""
        raise Unanswered(prompt)


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
