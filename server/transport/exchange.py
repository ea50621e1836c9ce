"""Both directions of one connection, so that every request that came in is answered.

What comes in and is no message is repaired or answered here (see `messages`); what goes out carries
no lone surrogate, because one would end the process. And when input ends, requests that are still
being worked on are waited for, so that `echo '...' | reflection-mcp` shows its answers; `signals`
says for how long. What we have asked the client is then answered in its place: it can no longer do
so.

SDK fault (mcp 2.3.0): requests that were read are dropped at the end of input, and a lone surrogate
in a result ends the process. Can go when a release answers every request it has read, and
`surrogates` has gone.
"""

import math
from collections.abc import Callable, Iterable
from contextlib import suppress

import anyio
from anyio.abc import ObjectReceiveStream, ObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import (
    CONNECTION_CLOSED,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
)
from pydantic_core import PydanticSerializationError

from reflection_mcp.server.transport.messages import Refused, message_in
from reflection_mcp.server.transport.surrogates import encodable

_ENDLESS = "subscriptions/listen"
"""A request that is answered when the connection ends, and not waited for."""

_ACKNOWLEDGED = "notifications/subscriptions/acknowledged"
_SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"


class OpenRequests:
    """The requests of the client that are still being worked on, and ours that wait for a reply."""

    def __init__(self) -> None:
        self._theirs: set[RequestId] = set()
        self._ours: list[RequestId] = []
        self._changed = anyio.Event()

    def came_in(self, message: JSONRPCMessage) -> None:
        """Note a request, that its sender gave it up, or a reply."""
        if isinstance(message, JSONRPCRequest):
            if message.method != _ENDLESS:
                self._theirs.add(message.id)
        elif not isinstance(message, JSONRPCNotification):
            self._ours = [known for known in self._ours if known != message.id]
        elif message.method == "notifications/cancelled":
            self._settle((message.params or {}).get("requestId"))

    def went_out(self, message: JSONRPCMessage) -> None:
        """Note an answer, or a request of ours."""
        if isinstance(message, JSONRPCResponse | JSONRPCError):
            self._settle(message.id)
        elif isinstance(message, JSONRPCRequest):
            self._ours.append(message.id)
            self._changed.set()

    def _settle(self, request_id: object) -> None:
        self._theirs = {known for known in self._theirs if known != request_id}
        self._changed.set()

    async def next_of_ours(self) -> RequestId | None:
        """A request of ours that waits for a reply; None when every one of theirs is answered."""
        while self._theirs and not self._ours:
            self._changed = anyio.Event()
            await self._changed.wait()
        return self._ours[0] if self._theirs else None


class Outbound(ObjectSendStream[SessionMessage]):
    """The messages that go out, each as a line that can be written.

    Args:
        write: writes a line; it never waits.
        open_requests: is told of every message.
        answered: ids of requests to which the client has its answer, or the acknowledgement with
            which that begins; ours is dropped.
    """

    def __init__(
        self,
        write: Callable[[bytes], object],
        open_requests: OpenRequests,
        answered: Iterable[RequestId] = (),
    ) -> None:
        self._write = write
        self._open = open_requests
        self._answered = list(answered)

    async def send(self, item: SessionMessage) -> None:
        """Write a message."""
        if not (self._answered and self._is_repeated(item.message)):
            try:
                line = item.message.model_dump_json(by_alias=True, exclude_unset=True)
            except PydanticSerializationError:
                clean = encodable(item.message)
                line = clean.model_dump_json(by_alias=True, exclude_unset=True)
            self._write(f"{line}\n".encode())
        self._open.went_out(item.message)

    def _is_repeated(self, message: JSONRPCMessage) -> bool:
        """Return True, once for each id, for what the client has already."""
        if isinstance(message, JSONRPCResponse | JSONRPCError):
            answers = message.id
        elif isinstance(message, JSONRPCNotification) and message.method == _ACKNOWLEDGED:
            answers = (message.params or {}).get("_meta", {}).get(_SUBSCRIPTION)
        else:
            return False
        left = [known for known in self._answered if known != answers or answers is None]
        was_known = len(left) < len(self._answered)
        self._answered = left
        return was_known

    async def aclose(self) -> None:
        """Nothing more will be sent."""


class Inbound(ObjectReceiveStream[SessionMessage | Exception]):
    """The messages in the lines that `take` gets; what is none is answered through `answers`."""

    def __init__(self, answers: Outbound, open_requests: OpenRequests) -> None:
        self._answers = answers
        self._open = open_requests
        self._came_in, self._lines = anyio.create_memory_object_stream[str](math.inf)

    def take(self, line: str) -> None:
        """Take a line; one that comes after the end is left out."""
        with suppress(anyio.ClosedResourceError, anyio.BrokenResourceError):
            self._came_in.send_nowait(line)

    def end(self) -> None:
        """Let the lines that have come in so far be all."""
        self._came_in.close()

    async def receive(self) -> SessionMessage:
        """Return the next message that can be worked on."""
        while True:
            try:
                message = message_in(await self._lines.receive())
            except anyio.EndOfStream:
                ours = await self._open.next_of_ours()
                if ours is None:
                    raise
                gone = ErrorData(code=CONNECTION_CLOSED, message="the client has closed its side")
                message = JSONRPCError(jsonrpc="2.0", id=ours, error=gone)
            except Refused as refused:
                if refused.answer:
                    await self._answers.send(SessionMessage(refused.answer))
                continue
            self._open.came_in(message)
            return SessionMessage(message)

    async def aclose(self) -> None:
        """Nothing more will be read."""
        self.end()
        self._lines.close()
