"""The Anthropic API as our client meets it: a transport that answers without a network."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import anyio
import httpx2

from reflection_mcp.server.models.anthropic import AnthropicModel

Handler = Callable[[httpx2.Request], httpx2.Response]

KEY = "sk-ant-api03-not-a-key"


def message(
    text: str = "fine", *, stop: str = "end_turn", model: str = "claude-haiku-5-5", **usage: int
) -> httpx2.Response:
    """A message as the API sends it; without a text there is no content at all."""
    body: dict[str, Any] = {
        "id": "msg_1",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": [{"type": "thinking", "thinking": "hm", "signature": "s"}]
        + ([{"type": "text", "text": text}] if text else []),
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {"input_tokens": 900, "output_tokens": 250, **usage},
    }
    return httpx2.Response(200, json=body)


def failure(status: int, kind: str = "error") -> httpx2.Response:
    body = {"type": "error", "error": {"type": kind, "message": "no"}}
    # A short pause before the SDK's one retry; without it that would be half a second.
    return httpx2.Response(status, json=body, headers={"retry-after-ms": "1"})


class Wire:
    """Answers requests from a list, the last answer again and again, and keeps the requests."""

    def __init__(self, *answers: httpx2.Response | Exception) -> None:
        self.requests: list[httpx2.Request] = []
        self._answers = answers

    def model(self, **more: Any) -> AnthropicModel:
        return AnthropicModel(KEY, http_client=self.client(), **more)

    def client(self) -> httpx2.AsyncClient:
        # Our client imports the SDK at its first request, which does not count as waiting for an
        # answer. Not imported above: that takes a second in every process of tests.
        import_module("anthropic")
        return httpx2.AsyncClient(transport=httpx2.MockTransport(self._answer))

    def _answer(self, request: httpx2.Request) -> httpx2.Response:
        self.requests.append(request)
        answer = self._answers[min(len(self.requests), len(self._answers)) - 1]
        if isinstance(answer, Exception):
            raise answer
        return httpx2.Response(answer.status_code, content=answer.content, headers=answer.headers)


async def never(_: httpx2.Request) -> httpx2.Response:
    await anyio.sleep_forever()
    raise AssertionError
