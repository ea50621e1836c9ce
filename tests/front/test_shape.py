"""What has exactly the shape of a request that may be answered without the SDK."""

from typing import Any

from reflection_mcp.server.front.replies import Replies, line
from reflection_mcp.server.front.shape import (
    granted,
    is_envelope,
    is_greeting,
    is_notification,
    is_plain_meta,
    is_request,
    is_wish,
)
from tests.front.conversation import HELLO, answers
from tests.rows import each_row

ENVELOPE: dict[str, Any] = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "wire", "version": "0"},
}
CLIENT = "io.modelcontextprotocol/clientInfo"
CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"

REQUESTS: list[tuple[object, bool]] = [
    ({"jsonrpc": "2.0", "id": 1, "method": "ping"}, True),
    ({"jsonrpc": "2.0", "id": "a", "method": "ping", "params": {}}, True),
    ({"jsonrpc": "2.0", "id": 1.5, "method": "ping"}, False),
    ({"jsonrpc": "2.0", "id": True, "method": "ping"}, False),
    ({"jsonrpc": "1.0", "id": 1, "method": "ping"}, False),
    ({"jsonrpc": "2.0", "id": 1, "method": "ping", "params": []}, False),
    ({"jsonrpc": "2.0", "id": 1, "method": "ping", "more": 1}, False),
    ({"jsonrpc": "2.0", "id": 1, "result": {}}, False),
    ([], False),
]

GREETINGS: list[tuple[dict[str, Any], bool]] = [
    ({}, True),
    ({"_meta": {"progressToken": "a"}}, True),
    ({"_meta": []}, False),
    ({"_meta": {"progressToken": 1.5}}, False),
    ({"protocolVersion": 1}, False),
    ({"clientInfo": {"name": "a"}}, False),
    ({"clientInfo": {"name": "a", "version": 1}}, False),
    ({"clientInfo": "a"}, False),
    ({"clientInfo": {"name": "a", "version": "1", "icons": [{"src": "a"}]}}, True),
    ({"clientInfo": {"name": "a", "version": "1", "icons": [{"src": 1}]}}, False),
    ({"clientInfo": {"name": "a", "version": "1", "icons": "a"}}, False),
    ({"capabilities": []}, False),
    ({"capabilities": {"sampling": True}}, False),
    ({"capabilities": {"sampling": {"tools": {}}}}, True),
    ({"capabilities": {"sampling": {"tools": True}}}, False),
    ({"capabilities": {"roots": {"listChanged": False}}}, True),
    ({"capabilities": {"elicitation": {"form": {"applyDefaults": True}}}}, True),
    ({"capabilities": {"elicitation": {"form": {"applyDefaults": "yes"}}}}, False),
    ({"capabilities": {"experimental": {"a": {"b": {"c": True}}}}}, True),
    ({"more": 1}, False),
]

ENVELOPES: list[tuple[object, bool]] = [
    (ENVELOPE, True),
    ({**ENVELOPE, "progressToken": 1}, True),
    ({**ENVELOPE, "progressToken": []}, False),
    ({**ENVELOPE, "host.example/call": "a"}, True),
    ({**ENVELOPE, "io.modelcontextprotocol/logLevel": "info"}, True),
    ({**ENVELOPE, "io.modelcontextprotocol/logLevel": "loud"}, False),
    ({**ENVELOPE, "io.modelcontextprotocol/other": "a"}, False),
    ({**ENVELOPE, CLIENT: None}, False),
    ({**ENVELOPE, CAPABILITIES: None}, False),
    ({**ENVELOPE, "io.modelcontextprotocol/protocolVersion": []}, False),
    ({CLIENT: {"name": "a", "version": "1"}}, False),
    ("a", False),
]

WISHES: list[tuple[object, bool]] = [
    ({}, True),
    ({"toolsListChanged": True, "resourceSubscriptions": ["a:b"]}, True),
    ({"toolsListChanged": 1}, False),
    ({"resourceSubscriptions": [1]}, False),
    ({"resourceSubscriptions": "a:b"}, False),
    ({"taskStatus": True}, False),
    ([], False),
]


@each_row(("message", "fits"), REQUESTS)
def test_a_request(message: object, fits: bool) -> None:
    assert is_request(message) is fits


@each_row(("change", "fits"), GREETINGS)
def test_a_greeting(change: dict[str, Any], fits: bool) -> None:
    assert is_greeting({**HELLO, **change}) is fits


@each_row(("meta", "fits"), ENVELOPES)
def test_an_envelope(meta: object, fits: bool) -> None:
    assert is_envelope(meta) is fits


@each_row(("wished", "fits"), WISHES)
def test_a_wish(wished: object, fits: bool) -> None:
    assert is_wish(wished) is fits


def test_what_is_granted_is_what_was_wished_for() -> None:
    wished: dict[str, Any] = {
        "promptsListChanged": True,
        "toolsListChanged": False,
        "resourceSubscriptions": [],
    }
    assert granted(wished) == {"promptsListChanged": True}


def test_a_notification_has_no_id() -> None:
    assert is_notification({"method": "notifications/initialized"})
    assert not is_notification({"method": "notifications/initialized", "id": 1})
    assert not is_notification({"method": "ping"})
    assert not is_notification([])


def test_the_handshake_era_knows_no_envelope() -> None:
    assert is_plain_meta({"progressToken": 1})
    assert not is_plain_meta(ENVELOPE)
    assert not is_plain_meta(None)


def test_a_subscription_that_is_wished_for_in_another_way_is_left_to_the_sdk() -> None:
    replies = Replies(answers())
    assert replies.stamp() == {}
    meta = {"_meta": ENVELOPE}
    assert replies.opens("tools/list", meta)
    listen = "subscriptions/listen"
    assert replies.to(1, listen, {**meta, "notifications": {}}) is not None
    assert replies.to(1, listen, {**meta, "notifications": {"x": 1}}) is None
    assert replies.to(1, listen, {**meta, "notifications": {}, "more": 1}) is None
    assert replies.stamp()["resultType"] == "complete"


def test_a_line_is_as_the_sdk_writes_it() -> None:
    assert line({"id": "é"}) == '{"id":"é"}\n'.encode()
