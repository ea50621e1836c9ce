"""Calls of hooks: answered without the SDK, and as the SDK would answer them."""

import errno
import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reflection_mcp.server.front import hook_calls
from reflection_mcp.server.front.front import Front
from reflection_mcp.server.front.hook_calls import HookCalls, hook_call
from reflection_mcp.server.front.loader import Loader
from reflection_mcp.server.front.rehearsal import (
    CALLS,
    EVENTS,
    rehearse_hooks,
    rehearse_tools,
)
from reflection_mcp.server.front.snapshot import Snapshot, current
from reflection_mcp.server.mcp import hook_text
from reflection_mcp.server.settings.settings import Settings
from tests.e2e.wire import ENVELOPE, ERAS, Era, Message, Wire
from tests.front.conversation import (
    GREETING,
    HELLO,
    Client,
    answers,
    call,
    conversed,
    ids,
    modern,
    notification,
    refusing,
    request,
)
from tests.hosts.hook_player import calls_for
from tests.requirements import requirement
from tests.rows import each_row

ERROR = "Exit code 1\nModuleNotFoundError: No module named 'yaml'"
HOST = {"name": "claude-code", "version": "2"}


def ran(command: str, error: str = "", session: str = "one") -> dict[str, Any]:
    """What a host tells its hooks of a command that has ended."""
    event: dict[str, Any] = {
        "session_id": session,
        "tool_name": "Bash",
        "tool_input": {"command": command},
        "tool_use_id": f"toolu_{session}_{command}_{error[:4]}",
    }
    if error:
        return {**event, "hook_event_name": "PostToolUseFailure", "error": error}
    done = {"stdout": "ok", "stderr": "", "interrupted": False}
    return {**event, "hook_event_name": "PostToolUse", "tool_response": done}


def prompted(text: str, session: str) -> dict[str, Any]:
    return {"session_id": session, "hook_event_name": "UserPromptSubmit", "prompt": text}


EPISODE = [
    prompted("make the import of yaml work", "one"),
    ran("python app.py", ERROR),
    ran("pip install pyyaml"),
    ran("python app.py"),
    ran("make", ERROR, "two"),
    ran("make", ERROR, "two"),
]


def hook_params(event: dict[str, Any]) -> Message:
    ((name, arguments),) = calls_for(event)
    return {"name": name, "arguments": arguments}


def made(store: str = "memory:", **settings: Any) -> Callable[[Front], HookCalls]:
    """HookCalls on a store of their own."""

    def hooks(front: Front) -> HookCalls:
        loader = Loader(lambda: Settings(store=store, project="shop", log_level="off", **settings))
        return HookCalls(loader, store, front.writer, front.replies.stamp, front.wake)

    return hooks


def texts(heard: list[Message]) -> list[str]:
    return [message["result"]["content"][0]["text"] for message in heard]


# ----------------------------------------------------------------- a process


def process(folder: Path, cache: Path, era: Era, *, imports: bool) -> tuple[list[Message], str]:
    """What a process answers to the hooks of an episode, without what is made up anew each time,
    and its stderr, which names what it imports where it does."""
    envelope = {**ENVELOPE, "io.modelcontextprotocol/clientInfo": HOST}
    meta = {"_meta": envelope} if era == "2026-07-28" else {}
    calls = [
        {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": {**params, **meta}}
        for number, params in enumerate(map(hook_params, EPISODE))
    ]
    first = {**HELLO, "protocolVersion": era, "clientInfo": HOST}
    opening = request("hello", "initialize", first)
    if meta:
        opening = json.dumps(
            {"jsonrpc": "2.0", "id": "hello", "method": "server/discover", "params": meta}
        )
    folder.mkdir()
    environment = {
        **os.environ,
        "REFLECTION_STORE": str(folder / "store.db"),
        "REFLECTION_PROJECT": "shop",
        "REFLECTION_LOG_LEVEL": "off",
        "XDG_CACHE_HOME": str(cache),
        "PYTHONPROFILEIMPORTTIME": "1" if imports else "",
    }
    heard: list[Message] = []
    talk = folder / "talk"
    with Wire(["reflection_mcp.server"], stderr=talk, env=environment, imports=imports) as wire:
        for line in (opening, *map(json.dumps, calls)):
            wire.write(f"{line}\n".encode())
            answer = re.sub(r"\b(cand|ref)-\w{10}", "ID", json.dumps(wire.read()))
            heard.append(json.loads(answer))
        wire.hang_up()
        assert wire.code() == 0
        return heard, wire.talk()


@pytest.mark.costly
@requirement("trust:at-once")
@pytest.mark.parametrize("era", [pytest.param(ERAS[0], marks=pytest.mark.slow), ERAS[1]])
def test_hooks_hear_the_same_with_and_without_the_sdk(tmp_path: Path, era: Era) -> None:
    kept = current()
    assert kept is not None
    cache = tmp_path / "cache"
    Snapshot(str(cache / "reflection-mcp" / Path(kept.file).name), kept.basis).write(answers())
    by_front, talk = process(tmp_path / "front", cache, era, imports=True)
    by_sdk, _ = process(tmp_path / "sdk", Path(os.devnull), era, imports=False)
    assert by_front == by_sdk
    assert "Candidate fix, not confirmed [ID]" in texts(by_front[5:6])[0]
    loaded = {line.rpartition("|")[2].strip().partition(".")[0] for line in talk.splitlines()}
    assert "reflection_mcp" in loaded
    assert not loaded & {"mcp", "mcp_types", "pydantic", "pydantic_core"}


# ----------------------------------------------------------------- a connection


def test_a_tool_that_is_called_behind_hooks_goes_on_with_what_they_stored() -> None:
    store = "memory:"
    loader = Loader(lambda: Settings(store=store, project="shop", log_level="off"))

    def hooks(front: Front) -> HookCalls:
        return HookCalls(loader, store, front.writer, front.replies.stamp, front.wake)

    def script(client: Client) -> None:
        client.say(GREETING, notification("initialized"))
        for number, event in enumerate(EPISODE[1:5]):
            client.say(request(number, "tools/call", hook_params(event)))
        client.hear(5)
        look_up = call("has_seen_error_before", error=ERROR)
        client.say(request("look", "tools/call", look_up))
        (found,) = client.hear()
        (candidate,) = found["result"]["structuredContent"]["candidates"]
        yes = call("record_feedback", feedback="positive", id=candidate["id"])
        client.say(request("yes", "tools/call", yes))
        client.say(request("hook", "tools/call", hook_params(ran("make", ERROR, "three"))))
        client.hear(2)

    code, heard = conversed(script=script, hooks=hooks, load=loader.load)
    assert code == 0
    assert "confirmed, a lesson from now on" in json.dumps(heard[-2])
    assert "Seen before (exact)" in texts(heard[-1:])[0]


@pytest.mark.anyio
async def test_what_is_rehearsed_is_silent_and_leaves_nothing_behind(tmp_path: Path) -> None:
    assert await rehearse_hooks() == ["{}"] * len(EVENTS)
    store = tmp_path / "store.db"
    loader = Loader(lambda: Settings(store=str(store), log_level="off"))
    await loader.prepare_hooks()
    await loader.prepare_later_hooks()
    assert not store.exists()
    await loader.application().store()
    await loader.application().close()
    await loader.prepare_hooks()
    await loader.application().close()
    store.write_text("no database")
    await loader.prepare_hooks()
    switched_off = Loader(lambda: Settings(enabled=False, log_level="off"))
    await switched_off.prepare_hooks()
    await switched_off.prepare_later_hooks()
    switched_off.rehearse()


@pytest.mark.anyio
async def test_every_call_that_is_rehearsed_works() -> None:
    results = await rehearse_tools()
    assert len(results) == len(CALLS) + 1
    assert all(result and not result.get("isError") for result in results)


def test_a_rehearsal_loads_nothing_that_no_call_needs() -> None:
    program = (
        "import sys, anyio\n"
        "from reflection_mcp.server.front.rehearsal import rehearse_hooks, rehearse_tools\n"
        "anyio.run(rehearse_hooks), anyio.run(rehearse_tools)\n"
        "print(sorted({'anthropic', 'rapidfuzz', 'sqlite_utils', 'numpy'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "[]"


def test_hooks_are_prepared_while_the_client_is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    prepared = threading.Event()
    really = Loader.prepare_hooks

    async def told(loader: Loader) -> None:
        await really(loader)
        prepared.set()

    monkeypatch.setattr(Loader, "prepare_hooks", told)

    def script(client: Client) -> None:
        client.say(modern(1, "tools/list"))
        client.hear()
        assert prepared.wait(60)
        client.say(modern(2, "tools/call", hook_params(EPISODE[1])))
        assert texts(client.hear()) == ["{}"]

    assert conversed(script=script, hooks=made(), load=refusing)[0] == 0


def test_what_later_hooks_need_is_prepared_after_the_first_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    prepared = threading.Event()
    really = Loader.prepare_later_hooks

    async def told(loader: Loader) -> None:
        await really(loader)
        prepared.set()

    monkeypatch.setattr(Loader, "prepare_later_hooks", told)
    monkeypatch.setattr(hook_calls, "LATER", 0.0)

    def script(client: Client) -> None:
        client.say(modern(1, "tools/call", hook_params(EPISODE[1])))
        assert texts(client.hear()) == ["{}"]
        assert prepared.wait(60)

    assert conversed(script=script, hooks=made(), load=refusing)[0] == 0


def test_where_nothing_was_stored_a_prompt_waits_for_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the first failing command needs is prepared later."""
    prepared = threading.Event()

    async def told(_: Loader) -> None:
        prepared.set()

    monkeypatch.setattr(Loader, "prepare_later_hooks", told)
    monkeypatch.setattr(hook_calls, "LATER", 0.0)

    def nothing(_: Loader) -> object:
        raise AssertionError("the application was made")

    monkeypatch.setattr(Loader, "application", nothing)

    def script(client: Client) -> None:
        client.say(modern(1, "tools/list"))
        client.hear()
        assert prepared.wait(60)
        client.say(modern(2, "tools/call", hook_params(EPISODE[0])))
        assert texts(client.hear()) == ["{}"]

    hooks = made(str(tmp_path / "s.db"))
    assert conversed(script=script, hooks=hooks, load=refusing)[0] == 0


@pytest.mark.parametrize("trouble", ["switched off", "no store"])
def test_trouble_is_silence(tmp_path: Path, trouble: str) -> None:
    hooks = made(enabled=False) if trouble == "switched off" else made(str(tmp_path))

    def script(client: Client) -> None:
        client.say(GREETING, request(1, "tools/list"))
        client.hear(2)
        client.say(request(2, "tools/call", hook_params(EPISODE[1])))
        assert texts(client.hear()) == ["{}"]

    assert conversed(script=script, hooks=hooks, load=refusing)[0] == 0


@pytest.mark.parametrize(
    ("failure", "told"),
    [
        (OSError(errno.EMFILE, "too many"), "raise the limit of open files"),
        (RuntimeError("secret"), "Internal error in reflect"),
    ],
)
def test_a_call_that_fails_says_no_more_than_a_caller_may_know(
    monkeypatch: pytest.MonkeyPatch, failure: Exception, told: str
) -> None:
    async def broken(*_: object) -> str:
        raise failure

    monkeypatch.setattr(hook_text, "hook_text", broken)
    params = hook_params(EPISODE[1])
    _, heard = conversed(modern(1, "tools/call", params), hooks=made(), load=refusing)
    assert heard[0]["result"]["isError"]
    assert told in texts(heard)[0]
    assert "secret" not in texts(heard)[0]


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """What lets calls of hooks go on."""
    opened = threading.Event()

    async def slow(*_: object) -> str:
        import asyncio

        await asyncio.to_thread(opened.wait)
        return "{}"

    monkeypatch.setattr(hook_text, "hook_text", slow)
    return opened


def test_a_call_that_is_given_up_is_not_answered(door: threading.Event) -> None:
    params = hook_params(EPISODE[1])

    def script(client: Client) -> None:
        client.say(request(1, "tools/call", params), request(2, "tools/call", params))
        client.say(notification("cancelled", {"requestId": 1}))
        client.say(notification("cancelled", {"requestId": 7}), notification("cancelled"))
        client.say(request(3, "ping"))
        client.hear(2)
        door.set()

    code, heard = conversed(GREETING, script=script, hooks=made(), load=refusing)
    assert (code, ids(heard)) == (0, ["hello", 3, 2])


def test_a_call_that_is_open_when_a_signal_comes_is_answered(door: threading.Event) -> None:
    def script(client: Client) -> None:
        client.say(request(1, "tools/call", hook_params(EPISODE[1])), request(2, "ping"))
        client.hear(2)
        os.kill(os.getpid(), signal.SIGTERM)
        door.set()

    code, heard = conversed(GREETING, script=script, hooks=made(), load=refusing)
    assert (code, ids(heard)) == (143, ["hello", 2, 1])


def test_a_call_that_hangs_is_refused_after_a_signal(door: threading.Event) -> None:
    def script(client: Client) -> None:
        client.say(request(1, "tools/call", hook_params(EPISODE[1])), request(2, "ping"))
        client.hear(2)
        os.kill(os.getpid(), signal.SIGTERM)
        (refusal,) = client.hear()
        door.set()
        assert refusal["error"]["message"] == "Connection closed"

    code, heard = conversed(GREETING, script=script, hooks=made(), load=refusing)
    assert (code, ids(heard)) == (143, ["hello", 2, 1])


# ----------------------------------------------------------------- shapes

CALL: Message = hook_params(EPISODE[1])
EVENT: Message = CALL["arguments"]["events"][0]


def changed(**arguments: Any) -> Message:
    return {"name": "reflect", "arguments": {**CALL["arguments"], **arguments}}


OTHERS: list[Message] = [
    {**CALL, "name": "get_insights"},
    {**CALL, "more": 1},
    {"name": "reflect"},
    {"name": "reflect", "arguments": []},
    {"name": "reflect", "arguments": {"question": "a", "answer": "b"}},
    changed(lesson="a"),
    changed(question=1),
    changed(answer="a" * 200_001),
    changed(conversation_id=None),
    changed(project="a" * 65),
    changed(events=[]),
    changed(events="[]"),
    changed(events=[EVENT] * 201),
    changed(events=[EVENT, "a"]),
    changed(events=[EVENT, {**EVENT, "hook": ""}]),
    changed(events=[{"type": "tool_call"}]),
]


@each_row("params", OTHERS)
def test_a_call_with_anything_else_in_it_is_left_to_the_sdk(params: Message) -> None:
    assert hook_call(params) is None


@each_row("event", EPISODE)
def test_every_call_of_the_plugin_is_one_of_a_hook(event: dict[str, Any]) -> None:
    read = hook_call({**hook_params(event), "_meta": {"progressToken": 1}})
    assert read is not None
    assert read.conversation_id == event["session_id"]
