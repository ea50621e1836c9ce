"""Both directions of a connection, without a process."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio
import pytest
from mcp.shared.message import SessionMessage
from mcp_types import (
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
)

from reflection_mcp.server.transport.exchange import Inbound, OpenRequests, Outbound
from reflection_mcp.server.transport.messages import message_in


@dataclass(frozen=True)
class Ends:
    """Both directions, and the lines that were written."""

    inbound: Inbound
    outbound: Outbound
    written: list[bytes]

    def say(self, line: str) -> None:
        self.inbound.take(line)

    def heard(self) -> JSONRPCMessage:
        return message_in(self.written.pop(0).decode())


@asynccontextmanager
async def exchange(*answered: str) -> AsyncGenerator[Ends]:
    open_requests = OpenRequests()
    written: list[bytes] = []
    outbound = Outbound(written.append, open_requests, answered)
    with anyio.fail_after(60):
        async with outbound, Inbound(outbound, open_requests) as inbound:
            yield Ends(inbound, outbound, written)


def answer(request_id: int | str) -> SessionMessage:
    return SessionMessage(JSONRPCResponse(jsonrpc="2.0", id=request_id, result={"a": "\ud800"}))


PING = '{"jsonrpc":"2.0","id":"p","method":"ping"}'
LISTEN = '{"jsonrpc":"2.0","id":"l","method":"subscriptions/listen"}'
CANCEL = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"p"}}'
OTHER = '{"jsonrpc":"2.0","method":"notifications/other"}'


@pytest.mark.anyio
async def test_messages_pass_and_the_rest_is_answered_in_place() -> None:
    async with exchange() as ends:
        for line in ("hello", '{"jsonrpc":"2.0","id":1,"result":3}', PING):
            ends.say(line)
        item = await ends.inbound.receive()
        assert item.message == message_in(PING)
        assert '"code":-32700' in ends.heard().model_dump_json()


@pytest.mark.anyio
async def test_what_goes_out_can_be_written() -> None:
    async with exchange() as ends:
        await ends.outbound.send(answer(1))
        assert '"a":"\ufffd"' in ends.heard().model_dump_json()
        note = message_in(OTHER)
        await ends.outbound.send(SessionMessage(note))
        assert ends.heard() == note


@pytest.mark.anyio
async def test_the_end_waits_for_requests_that_are_being_worked_on() -> None:
    async with exchange() as ends, anyio.create_task_group() as tasks:
        for line in (PING, OTHER, PING.replace('"p"', '"q"'), LISTEN):
            ends.say(line)
            await ends.inbound.receive()
        ends.inbound.end()
        over = anyio.Event()

        async def wait_for_the_end() -> None:
            with pytest.raises(anyio.EndOfStream):
                await ends.inbound.receive()
            over.set()

        tasks.start_soon(wait_for_the_end)
        for request_id in ("q", "p"):
            await anyio.wait_all_tasks_blocked()
            assert not over.is_set()
            await ends.outbound.send(answer(request_id))
        await over.wait()


@pytest.mark.anyio
async def test_the_end_does_not_wait_for_a_request_that_was_given_up() -> None:
    async with exchange() as ends:
        ends.say(PING)
        ends.say(CANCEL)
        await ends.inbound.receive()
        await ends.inbound.receive()
        ends.inbound.end()
        with pytest.raises(anyio.EndOfStream):
            await ends.inbound.receive()


@pytest.mark.anyio
async def test_after_the_end_our_requests_are_answered_in_the_client_s_place() -> None:
    async with exchange() as ends:
        ends.say(PING)
        await ends.inbound.receive()
        for ours in (7, 8):
            asked = JSONRPCRequest(jsonrpc="2.0", id=ours, method="sampling/createMessage")
            await ends.outbound.send(SessionMessage(asked))
        ends.say('{"jsonrpc":"2.0","id":7,"result":{}}')
        await ends.inbound.receive()
        ends.inbound.end()
        item = await ends.inbound.receive()
        assert isinstance(item.message, JSONRPCError)
        assert item.message.id == 8
        await ends.outbound.send(answer("p"))
        with pytest.raises(anyio.EndOfStream):
            await ends.inbound.receive()


@pytest.mark.anyio
async def test_what_the_client_has_already_is_dropped_once() -> None:
    acknowledged = JSONRPCNotification(
        jsonrpc="2.0",
        method="notifications/subscriptions/acknowledged",
        params={"_meta": {"io.modelcontextprotocol/subscriptionId": "l"}},
    )
    other = JSONRPCNotification(jsonrpc="2.0", method="notifications/other")
    async with exchange("hello", "l") as ends:
        for message in (other, acknowledged):
            await ends.outbound.send(SessionMessage(message))
        for request_id in ("hello", "x", "hello", "l"):
            await ends.outbound.send(answer(request_id))
        heard = [ends.heard() for _ in range(4)]
    assert heard[0] == other
    assert [getattr(message, "id", None) for message in heard[1:]] == ["x", "hello", "l"]
