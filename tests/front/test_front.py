"""The front: what it answers itself, what it hands over, and how it ends."""

import json
import os
import signal
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from reflection_mcp.server.front.front import Front
from reflection_mcp.server.front.replies import Replies
from reflection_mcp.server.transport.stdio import Handover
from tests.e2e.wire import Message
from tests.front.conversation import (
    GREETING,
    HELLO,
    Client,
    answers,
    call,
    conversed,
    ids,
    loaded,
    modern,
    notification,
    refusing,
    request,
)
from tests.rows import each_row


class NoHooks:
    """Hooks that never call, and remember what they were asked for."""

    def __init__(self) -> None:
        self.warmed = threading.Event()
        self.closed = threading.Event()

    def start(self, request_id: int | str, params: Message, client: str) -> bool:
        return False

    def cancel(self, request_id: object) -> bool:
        return False

    def open_calls(self) -> list[int | str]:
        return []

    def warm(self) -> None:
        self.warmed.set()

    def close(self, is_late: Callable[[], bool]) -> None:
        assert not is_late()
        self.closed.set()


LISTS = ("tools/list", "prompts/list", "resources/list", "resources/templates/list")


def test_a_client_that_only_asks_what_there_is_never_loads_the_sdk() -> None:
    asked = [request(name, name) for name in (*LISTS, "ping")]
    code, heard = conversed(GREETING, notification("initialized"), *asked, load=refusing)
    assert code == 0
    assert ids(heard) == ["hello", *LISTS, "ping"]
    code, heard = conversed(
        *(modern(name, name) for name in ("server/discover", *LISTS)), load=refusing
    )
    assert code == 0
    assert ids(heard) == ["server/discover", *LISTS]


def test_a_subscription_is_acknowledged_once_and_ends_with_the_connection() -> None:
    wished = {"toolsListChanged": True, "promptsListChanged": False}
    listen = modern(7, "subscriptions/listen", {"notifications": wished})
    closed = {"code": -32000, "message": "Connection closed"}
    code, heard = conversed(listen, load=refusing)
    assert (code, len(heard)) == (0, 2)
    assert (heard[1]["id"], heard[1]["error"]) == (7, closed)
    assert heard[0]["params"] == {
        "_meta": {"io.modelcontextprotocol/subscriptionId": 7},
        "notifications": {"toolsListChanged": True},
    }
    look_up = modern(8, "tools/call", call("has_seen_error_before", error="KeyError: 'a'"))
    code, heard = conversed(listen, look_up)
    assert (code, ids(heard)) == (0, [None, 8, 7])
    given_up = notification("cancelled", {"requestId": 7})
    assert len(conversed(listen, given_up, load=refusing)[1]) == 1
    assert ids(conversed(listen, given_up, look_up)[1]) == [None, 8]


@each_row("is_modern", [False, True])
def test_everything_is_answered_once_whoever_answers_it(is_modern: bool) -> None:
    asked = modern if is_modern else request
    opening = [] if is_modern else [GREETING, notification("initialized")]
    lines: list[str] = []
    for number in range(12):
        lines.append(asked(3 * number, "tools/list"))
        look_up = call("has_seen_error_before", error=f"KeyError: 'key{number}'")
        lines.append(asked(3 * number + 1, "tools/call", look_up))
        lines.append(asked(3 * number + 2, "prompts/list"))
    code, heard = conversed(*opening, *lines)
    assert code == 0
    counts = Counter(ids(heard))
    assert set(counts.values()) == {1}
    assert len(counts) == 36 + len(opening) // 2
    assert all("result" in message for message in heard)


def test_the_session_of_the_sdk_is_opened_as_the_client_opened_it() -> None:
    """A question to the client is only asked where it said that it can answer."""
    able: Message = {**HELLO, "capabilities": {"sampling": {}}}

    def script(client: Client) -> None:
        client.say(request("hello", "initialize", able), notification("initialized"))
        client.hear()
        client.say(request(1, "tools/call", call("reflect", question="Why?", answer="Rust.")))
        (question,) = client.hear()
        assert question["method"] == "sampling/createMessage"

    code, heard = conversed(script=script)
    assert code == 0
    assert heard[-1]["id"] == 1
    assert "result" in heard[-1]


def test_calls_wait_for_the_sdk_and_lists_do_not() -> None:
    door = threading.Event()

    def slow() -> Callable[[Handover], int]:
        door.wait()
        return loaded()

    def script(client: Client) -> None:
        client.say(GREETING, request(1, "tools/call", call("get_insights")), request(2, "ping"))
        assert ids(client.hear(2)) == ["hello", 2]
        client.say(request(3, "tools/list"), notification("cancelled", {"requestId": 9}))
        assert ids(client.hear()) == [3]
        door.set()

    code, heard = conversed(script=script, load=slow)
    assert code == 0
    assert ids(heard) == ["hello", 2, 3, 1]


def test_a_call_that_is_given_up_before_the_sdk_is_there_is_not_answered() -> None:
    lines = (
        request(1, "tools/call", call("get_insights")),
        notification("cancelled", {"requestId": 1}),
        request(2, "tools/call", call("get_insights")),
    )
    code, heard = conversed(GREETING, *lines)
    assert (code, ids(heard)) == (0, ["hello", 2])


ODD: dict[str, tuple[str, str]] = {
    "no JSON": ("{", "-32700"),
    "no object": ("[1]", "-32600"),
    "nested too deeply": ("[" * 100_000, "-32700"),
    "half a pair": (request(1, "tools/list", {"cursor": "\ud800"}), '"id": 1'),
    "an id that is none": (request(True, "ping"), "-32600"),
    "a page": (request(1, "tools/list", {"cursor": "x"}), '"id": 1'),
    "an unknown method": (request(1, "tools/lost"), "-32601"),
    "another hello": (request(1, "initialize", HELLO), '"id": 1'),
    "the other era": (modern(1, "tools/list"), "-32600"),
    "a long line": (request(1, "ping", {"_meta": {"x": "y" * 1_000_001}}), '"id": 1'),
}


@each_row("odd", ODD)
def test_what_is_out_of_the_ordinary_is_answered_by_the_sdk(odd: str) -> None:
    line, wanted = ODD[odd]
    code, heard = conversed(GREETING, line, request("last", "ping"))
    assert code == 0
    assert set(ids(heard)) >= {"hello", "last"}
    assert len(heard) == 3
    (answer,) = (message for message in heard if message.get("id") not in ("hello", "last"))
    assert wanted in json.dumps(answer)


FIRST: dict[str, str] = {
    "a hello of no version": request(1, "initialize", {**HELLO, "protocolVersion": "1999-01-01"}),
    "a hello without a client": request(1, "initialize", {"protocolVersion": "2025-11-25"}),
    "a list before the hello": request(1, "tools/list"),
    "a modern request of no version": request(1, "tools/list", {"_meta": {
        "io.modelcontextprotocol/protocolVersion": "2050-01-01",
        "io.modelcontextprotocol/clientInfo": {"name": "a", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }}),
    "half an envelope": request(1, "tools/list", {"_meta": {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    }}),
}  # fmt: skip


@each_row("first", FIRST)
def test_where_the_first_request_is_odd_the_sdk_has_the_whole_connection(first: str) -> None:
    code, heard = conversed(FIRST[first], request(2, "ping"))
    assert (code, set(ids(heard))) == (0, {1, 2})


def test_a_notification_before_the_first_request_is_no_reason_to_hang() -> None:
    code, heard = conversed(notification("initialized"), GREETING, request(1, "ping"))
    assert (code, set(ids(heard))) == (0, {"hello", 1})


def test_a_client_that_is_quiet_after_its_lists_lets_the_sdk_load() -> None:
    begun = threading.Event()

    def load() -> Callable[[Handover], int]:
        begun.set()
        return loaded()

    def script(client: Client) -> None:
        client.hear(2)
        assert begun.wait(60)

    code, heard = conversed(
        GREETING, request(1, "tools/list"), script=script, load=load, is_lazy=False
    )
    assert (code, ids(heard)) == (0, ["hello", 1])


def test_for_a_client_whose_calls_come_from_hooks_these_are_prepared_instead() -> None:
    hooks = NoHooks()

    def script(client: Client) -> None:
        client.hear(2)
        assert hooks.warmed.wait(60)

    lines = (GREETING, request(1, "tools/list"))
    code, _ = conversed(*lines, script=script, load=refusing, hooks=lambda _: hooks)
    assert code == 0


def test_an_sdk_that_cannot_be_loaded_says_why() -> None:
    with pytest.raises(AssertionError, match="the SDK was loaded"):
        conversed(GREETING, request(1, "tools/call", call("get_insights")), load=refusing)


def test_a_front_without_input_ends() -> None:
    assert conversed(load=refusing) == (0, [])


def test_input_that_fails_has_ended(tmp_path: Path) -> None:
    """A folder cannot be read, whatever a poll says."""
    out, wire_out = os.pipe()
    folder = os.open(tmp_path, os.O_RDONLY)
    front = Front(
        replies=Replies(answers()),
        wire_in=folder,
        wire_out=wire_out,
        load=refusing,
        is_lazy=lambda _: True,
        rehearse=lambda: None,
    )
    assert front.run(None) == 0
    for descriptor in (out, wire_out, folder):
        os.close(descriptor)


def test_waking_a_front_more_often_than_it_looks_does_no_harm() -> None:
    def script(client: Client) -> None:
        client.say(GREETING)
        client.hear()

    def wakes(front: Front) -> NoHooks:
        for _ in range(100_000):
            front.wake()
        return NoHooks()

    assert conversed(script=script, load=refusing, hooks=wakes)[0] == 0


# ----------------------------------------------------------------- signals


@each_row("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_front_that_waits(number: signal.Signals) -> None:
    def script(client: Client) -> None:
        client.hear()
        os.kill(os.getpid(), number)
        assert client.out.read() == b""

    code, heard = conversed(GREETING, script=script, load=refusing)
    assert (code, ids(heard)) == (128 + number, ["hello"])


def test_a_call_that_waits_for_the_sdk_is_refused_when_a_signal_comes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    door = threading.Event()

    def stuck() -> Callable[[Handover], int]:
        door.wait()
        return loaded()

    def script(client: Client) -> None:
        client.hear()
        client.say(
            "{",
            request(1, "tools/call", call("get_insights")),
            request(2, "tools/call", call("get_insights")),
            notification("cancelled", {"requestId": 1}),
            request(3, "ping"),
        )
        client.hear()
        os.kill(os.getpid(), signal.SIGTERM)
        (refusal,) = client.hear()
        assert refusal["error"] == {"code": -32000, "message": "Connection closed"}

    code, heard = conversed(GREETING, script=script, load=stuck)
    door.set()
    assert (code, ids(heard)) == (143, ["hello", 3, 2])


def test_a_call_that_the_sdk_has_in_time_is_answered_after_a_signal() -> None:
    door = threading.Event()

    def slow() -> Callable[[Handover], int]:
        door.wait()
        return loaded()

    def script(client: Client) -> None:
        client.hear()
        client.say(request(1, "tools/call", call("get_insights")), request(2, "ping"))
        client.hear()
        os.kill(os.getpid(), signal.SIGTERM)
        door.set()

    code, heard = conversed(GREETING, script=script, load=slow)
    assert (code, ids(heard)) == (143, ["hello", 2, 1])


def test_a_second_signal_ends_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[int] = []
    monkeypatch.setattr("reflection_mcp.server.front.front.os._exit", ended.append)

    def script(client: Client) -> None:
        client.hear()
        client.say(request(1, "tools/call", call("get_insights")), request(2, "ping"))
        client.hear()
        os.kill(os.getpid(), signal.SIGTERM)
        os.kill(os.getpid(), signal.SIGINT)
        client.hear()

    door = threading.Event()

    def stuck() -> Callable[[Handover], int]:
        door.wait()
        return loaded()

    conversed(GREETING, script=script, load=stuck)
    door.set()
    assert ended in ([130], [143])


# ----------------------------------------------------------------- who does not read


def test_a_client_that_reads_late_gets_everything_in_order() -> None:
    count = 40  # lists of tools: more than a pipe holds

    def script(client: Client) -> None:
        client.say(*(request(number, "tools/list") for number in range(count)))
        client.hear(count + 1)

    code, heard = conversed(GREETING, script=script, load=refusing)
    assert (code, ids(heard)) == (0, ["hello", *range(count)])


def test_a_client_that_has_gone_ends_the_front() -> None:
    def script(client: Client) -> None:
        client.hear()
        client.out.close()
        client.say(*(request(number, "tools/list") for number in range(40)))
        assert over.wait(60)
        raise ConnectionAbortedError

    def noting(front: Front) -> NoHooks:
        hooks = NoHooks()
        hooks.closed = over
        return hooks

    over = threading.Event()

    with pytest.raises(ConnectionAbortedError):
        conversed(GREETING, script=script, load=refusing, hooks=noting)
