"""Claude as a judge and a writer, by the Anthropic API and with the key it is handed.

Rules of this module:

- The key is the one that the settings name; the SDK is never left to look for one (it would also
  find tokens, profiles on disk and a workload identity).
- The SDK is imported by the first call, in a thread: it costs more than a second.
- Whatever goes wrong is a `ModelFailed` with a short name, and nothing takes longer than 24 s.
- Calls are counted, and there are at most so many in a process.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread
from pydantic import BaseModel, ValidationError

from reflection_mcp.tools.ports import ModelFailed, Prompt, Reply
from reflection_mcp.tools.usage import Usage

if TYPE_CHECKING:
    import httpx2
    from anthropic import AsyncAnthropic
    from anthropic.types import OutputConfigParam

DEFAULT_MODEL = "claude-haiku-5-5"  # seed rule loop:cheap-judge
TRY = 20.0  # seconds for one try; the SDK's own default is 600
RETRIES = 1
WALL = 24.0  # seconds for all tries and the import, so that a judge stays below 25
CALLS = 500  # of a process; about ten cents with the default model


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """US dollars for a million tokens of a model whose name begins with `family`."""

    family: str
    input: float
    output: float


PRICES: tuple[Price, ...] = (
    Price(family="claude-haiku-5", input=0.10, output=0.50),
    Price(family="claude-haiku", input=1.0, output=5.0),
    Price(family="claude-sonnet-5-5", input=2.0, output=10.0),
    Price(family="claude-sonnet", input=3.0, output=15.0),
    Price(family="claude-opus-5-5", input=4.0, output=20.0),
)
"""The first row that fits counts; a model without one counts as the dearest, so that no cost is
understated. As published in October 2026."""
CACHE_READ, CACHE_WRITE = 0.1, 1.25  # of the price of an input token

REASONS: Mapping[int, str] = {
    401: "bad_key",
    402: "no_credit",
    403: "forbidden",
    404: "unknown_model",
    413: "too_large",
    429: "rate_limit",
    503: "overloaded",
    529: "overloaded",
}
"""The reason for a status; other 4xx are `bad_request`, other 5xx `server_error`."""

HOPELESS = frozenset({"bad_key", "no_credit", "forbidden", "unknown_model"})
"""Reasons that last as long as the process: no further request is sent."""


class _Block(BaseModel):
    type: str
    text: str = ""


class _Usage(BaseModel):
    input_tokens: int = 0
    output_tokens: int = 0
    cache_creation_input_tokens: int | None = None
    cache_read_input_tokens: int | None = None


class _Message(BaseModel):
    """The fields of a reply that are read; the SDK's own classes do not check their input."""

    content: list[_Block]
    model: str
    stop_reason: str | None = None
    usage: _Usage


class AnthropicModel:
    """A `Model` that is reached with a key."""

    name = "anthropic"

    def __init__(
        self,
        api_key: str,
        model: str = DEFAULT_MODEL,
        *,
        calls: int = CALLS,
        budget: float = math.inf,
        wall: float = WALL,
        http_client: httpx2.AsyncClient | None = None,
    ) -> None:
        """Prepare; nothing is imported and nothing is sent.

        Args:
            api_key: the key; when empty, every call fails with `no_key`.
            model: the name of the model.
            calls: how many requests may be made with this object.
            budget: how many US dollars they may cost; the request that exceeds it is the last.
            wall: seconds that a request may take, all tries together.
            http_client: another transport than the SDK's.
        """
        self.model = model
        self.calls_left = calls
        self.budget_left = budget
        self._api_key = api_key
        self._wall = wall
        self._http_client = http_client
        self._client: AsyncAnthropic | None = None
        self._hopeless = ""

    async def complete(self, prompt: Prompt) -> Reply:
        """Answer one prompt.

        Raises:
            ModelFailed: `no_key`, `process_calls_used_up`, `process_budget_spent`, `timeout`,
                `connection`, `truncated`, `refusal`, `malformed`, one of `REASONS`, `bad_request`,
                `server_error`.
        """
        if not self._api_key:
            raise ModelFailed("no_key")
        if self._hopeless:
            raise ModelFailed(self._hopeless)
        if self.calls_left <= 0:
            raise ModelFailed("process_calls_used_up")
        if self.budget_left <= 0:
            raise ModelFailed("process_budget_spent")
        self.calls_left -= 1
        try:
            with anyio.fail_after(self._wall):
                reply = _reply(await self._sent(prompt))
        except TimeoutError:
            raise ModelFailed("timeout", f"no reply within {self._wall:g} s") from None
        self.budget_left -= reply.usage.cost_usd
        return reply

    async def close(self) -> None:
        """Close the connection, if there ever was one."""
        if self._client is not None:
            await self._client.close()

    async def _sent(self, prompt: Prompt) -> str:
        """Send one request; the body of the response."""
        sdk: Any = await anyio.to_thread.run_sync(importlib.import_module, "anthropic")
        client: AsyncAnthropic = self._client or sdk.AsyncAnthropic(
            api_key=self._api_key,
            timeout=TRY,
            max_retries=RETRIES,
            http_client=self._http_client,
        )
        self._client = client
        config: OutputConfigParam = {"effort": "low"}
        if prompt.schema is not None:
            schema = sdk.transform_schema(dict(prompt.schema))
            config["format"] = {"type": "json_schema", "schema": schema}
        try:
            response = await client.messages.with_raw_response.create(
                model=self.model,
                max_tokens=prompt.max_tokens,
                system=[
                    {
                        "type": "text",
                        "text": prompt.system,
                        "cache_control": {"type": "ephemeral"},
                    }
                ],
                messages=[{"role": "user", "content": prompt.user}],
                output_config=config,
            )
            return await response.text()
        except sdk.APIStatusError as error:
            reason = _reason(error.status_code)
            self._hopeless = reason if reason in HOPELESS else ""
            raise ModelFailed(reason) from None
        except sdk.APITimeoutError:
            raise ModelFailed("timeout") from None
        except sdk.APIConnectionError:
            raise ModelFailed("connection") from None


def _reason(status: int) -> str:
    return REASONS.get(status, "bad_request" if status < 500 else "server_error")


def _reply(body: str) -> Reply:
    try:
        message = _Message.model_validate_json(body)
    except ValidationError:
        raise ModelFailed("malformed", "the response is not a message") from None
    if message.stop_reason == "refusal":
        raise ModelFailed("refusal")
    if message.stop_reason in ("max_tokens", "model_context_window_exceeded"):
        raise ModelFailed("truncated", message.stop_reason)
    text = "".join(block.text for block in message.content if block.type == "text")
    if not text.strip():
        raise ModelFailed("malformed", "there is no text in the response")
    usage = message.usage
    written, read = usage.cache_creation_input_tokens or 0, usage.cache_read_input_tokens or 0
    return Reply(
        text=text,
        model=message.model,
        usage=Usage(
            input_tokens=usage.input_tokens + written + read,
            output_tokens=usage.output_tokens,
            cost_usd=cost(message.model, usage.input_tokens, usage.output_tokens, written, read),
        ),
    )


def cost(model: str, fresh: int, output: int, written: int = 0, read: int = 0) -> float:
    """Return the cost of a call in US dollars.

    Args:
        model: the name of the model.
        fresh: input tokens that had nothing to do with the cache.
        output: tokens of the reply, thinking included.
        written: input tokens that were put into the cache.
        read: input tokens that came from the cache.
    """
    dearest = max(PRICES, key=lambda price: price.output)
    price = next((price for price in PRICES if model.startswith(price.family)), dearest)
    inputs = fresh + CACHE_WRITE * written + CACHE_READ * read
    return round((inputs * price.input + output * price.output) / 1_000_000, 8)
