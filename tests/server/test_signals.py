"""How a server process ends."""

import faulthandler
import json
import os
import signal
import subprocess
import threading
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TextIO

import anyio
import pytest

from reflection_mcp.server import exchange, signals, stdio
from reflection_mcp.server.protocol import ReflectionServer
from reflection_mcp.server.signals import Ending
from tests.e2e.wire import ENVELOPE, PATIENCE, Era, Silence, Wire, python, text_of

NUMBERS = [signal.SIGINT, signal.SIGTERM]


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@contextmanager
def probe(tmp_path: Path, *patient: str, era: Era = "2025-11-25") -> Generator[tuple[Wire, TextIO]]:
    """The probe server, greeted, and the lines it tells of itself, which end when it does.

    `patient` names the limits of its end that it is not to reach, however busy the machine is.
    """
    reading, writing = os.pipe()
    limits = [f"{name}={PATIENCE}" for name in patient]
    command = python("tests.e2e.probe", str(writing), *limits)
    with (
        os.fdopen(reading) as told,
        Wire(command, stderr=tmp_path / "stderr", era=era, pass_fds=(writing,)) as wire,
    ):
        os.close(writing)
        wire.greet()
        assert told.readline() == "opened\n"
        yield wire, told


def start(wire: Wire, tool: str, told: TextIO) -> None:
    """Call a tool and wait until it runs."""
    wire.write(wire.line("tools/call", {"name": tool}))
    assert told.readline()


# --------------------------------------------------------------------------- processes


def test_the_end_of_input_ends_the_process_after_its_last_answers(tmp_path: Path) -> None:
    with probe(tmp_path, "MOMENT", "LATE", "HUNG", era="2026-07-28") as (wire, told):
        calls = [wire.line("tools/call", {"name": "echo", "arguments": {"text": t}}) for t in "ab"]
        wire.write(b"".join(calls)[:-1])  # the last line lacks its end
        wire.hang_up()
        answers = {text_of(wire.read()["result"]) for _ in calls}
        assert answers == {"a", "b"}
        assert wire.code() == 0
        assert told.read() == "closed\n"
        assert wire.talk() == ""


def test_stray_output_never_reaches_the_wire(tmp_path: Path) -> None:
    with probe(tmp_path, "LATE", "HUNG") as (wire, _):
        assert text_of(wire.call("chatter")) == "quiet"
        wire.hang_up()
        with pytest.raises(Silence, match="the server has ended"):
            wire.read()
        assert sorted(wire.talk().splitlines()) == [
            "child ''",  # and a child finds its input empty
            "left in the buffer",
            "print",
            "write",
        ]


@pytest.mark.parametrize("number", NUMBERS)
def test_a_signal_ends_the_process_and_what_it_was_doing(
    tmp_path: Path, number: signal.Signals
) -> None:
    with probe(tmp_path, "LATE", "HUNG") as (wire, told):
        start(wire, "wait", told)
        wire.process.send_signal(number)
        assert wire.code() == 128 + number
        assert told.read() == "cancelled\nclosed\n"
        assert wire.talk() == ""


def test_a_thread_that_cannot_be_stopped_holds_up_neither_the_store_nor_the_end(
    tmp_path: Path,
) -> None:
    with probe(tmp_path, "CLOSING", "HUNG") as (wire, told):
        start(wire, "block", told)
        wire.process.send_signal(signal.SIGTERM)
        assert told.read() == "closed\n"
        assert wire.code() == 128 + signal.SIGTERM


def test_a_second_signal_ends_the_process_at_once(tmp_path: Path) -> None:
    with probe(tmp_path, "LATE", "HUNG") as (wire, told):
        start(wire, "block", told)
        wire.process.send_signal(signal.SIGINT)
        wire.process.send_signal(signal.SIGTERM)
        assert wire.code() in (128 + signal.SIGINT, 128 + signal.SIGTERM)
        assert told.read() == ""


def test_a_loop_that_hangs_is_ended_with_a_traceback(tmp_path: Path) -> None:
    with probe(tmp_path) as (wire, told):
        start(wire, "hang", told)
        wire.process.send_signal(signal.SIGTERM)
        assert wire.code() == 1
        assert "in hang" in wire.talk()
        assert told.read() == ""


def test_a_client_that_no_longer_listens_is_an_end_like_any_other(tmp_path: Path) -> None:
    told, telling = os.pipe()
    unheard, output = os.pipe()
    os.close(unheard)
    with (tmp_path / "stderr").open("wb") as talk:
        process = subprocess.Popen(
            python("tests.e2e.probe", str(telling), f"HUNG={PATIENCE}"),
            stdin=subprocess.PIPE,
            stdout=output,
            stderr=talk,
            pass_fds=(telling,),
        )
    os.close(telling)
    os.close(output)
    assert process.stdin is not None
    with process.stdin, os.fdopen(told) as lines:
        process.stdin.write(b"no message\n")
        process.stdin.flush()
        assert process.wait(PATIENCE) == 0
        assert lines.read() == "opened\nclosed\n"
    assert (tmp_path / "stderr").read_text() == ""


# --------------------------------------------------------------------------- the parts


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the watchdog from ending the tests themselves on a slow machine."""
    monkeypatch.setattr(signals, "HUNG", 600)


@pytest.mark.anyio
@pytest.mark.usefixtures("patient")
async def test_the_end_begins_once() -> None:
    ending = Ending(kill=lambda _: None)
    with anyio.fail_after(60), ending.on_signals():
        ending.begin(3)
        ending.begin(4)
        await ending.begun()
    assert ending.code == 3


@pytest.mark.anyio
@pytest.mark.usefixtures("patient")
async def test_the_first_signal_begins_the_end_and_the_second_is_the_end() -> None:
    codes: list[int] = []
    ending = Ending(kill=codes.append)
    with anyio.fail_after(60), ending.on_signals():
        signal.raise_signal(signal.SIGTERM)
        await ending.begun()
        assert (ending.code, codes) == (143, [])
        signal.raise_signal(signal.SIGINT)
        assert codes == [130]
        ending.now()
        assert codes == [130, 143]


@pytest.mark.anyio
async def test_handlers_are_put_back() -> None:
    before = [signal.getsignal(number) for number in NUMBERS]
    with Ending().on_signals():
        assert [signal.getsignal(number) for number in NUMBERS] != before
    assert [signal.getsignal(number) for number in NUMBERS] == before


@pytest.mark.usefixtures("patient")
def test_an_end_after_the_loop_has_ended_is_no_error() -> None:
    async def made() -> Ending:
        return Ending(kill=lambda _: None)

    ending = anyio.run(made)
    try:
        ending.begin()
    finally:
        faulthandler.cancel_dump_traceback_later()
    assert ending.code == 0


@contextmanager
def input_of(descriptor: int) -> Generator[None]:
    """Let this process read its input from a descriptor."""
    before = os.dup(0)
    os.dup2(descriptor, 0)
    try:
        yield
    finally:
        os.dup2(before, 0)
        os.close(before)


@pytest.mark.anyio
@pytest.mark.usefixtures("patient")
async def test_what_cannot_be_stopped_is_left_behind_with_the_store_closed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(stdio, "LATE", 0)
    monkeypatch.setattr(stdio, "CLOSING", PATIENCE)
    monkeypatch.setattr(exchange, "MOMENT", 0)
    steps: list[object] = []
    released = threading.Event()
    out, into = os.pipe()

    @asynccontextmanager
    async def lifespan(_: object) -> AsyncGenerator[None]:
        yield
        steps.append("closed")

    def stuck() -> None:
        os.close(into)
        released.wait(PATIENCE)

    def kill(code: int) -> None:
        steps.append(code)
        released.set()

    server = ReflectionServer[None]("stuck", lifespan=lifespan, log_level="ERROR")
    server.add_tool(stuck, structured_output=False)
    call = {"name": "stuck", "arguments": {}, "_meta": ENVELOPE}
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    os.write(into, json.dumps(request).encode() + b"\n")
    with anyio.fail_after(PATIENCE), input_of(out):
        monkeypatch.setattr(stdio, "Ending", lambda: Ending(kill=kill))
        await server.run_stdio_async()
    os.close(out)
    assert steps == ["closed", 0]
