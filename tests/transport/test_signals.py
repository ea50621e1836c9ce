"""How a server process ends."""

import os
import signal
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import TextIO

import anyio
import pytest

from reflection_mcp.server.transport.patience import Patience
from reflection_mcp.server.transport.signals import Ending, order_within
from tests.e2e.wire import PATIENCE, Era, Silence, Wire, python, text_of
from tests.rows import each_row

pytestmark = pytest.mark.costly

NUMBERS = [signal.SIGINT, signal.SIGTERM]
PATIENT = f"AT_SIGNAL={PATIENCE}"
AT_ONCE = ("AT_SIGNAL=0", "CLOSING=0")


@contextmanager
def probe(tmp_path: Path, *limits: str, era: Era = "2025-11-25") -> Generator[tuple[Wire, TextIO]]:
    """The probe server, greeted, and the lines it tells of itself, which end when it does."""
    reading, writing = os.pipe()
    os.mkfifo(tmp_path / "door")
    with (
        os.fdopen(reading) as told,
        Wire(
            ["tests.e2e.probe", str(writing), *limits],
            stderr=tmp_path / "stderr",
            env={**os.environ, "PROBE_DOOR": str(tmp_path / "door")},
            era=era,
            pass_fds=(writing,),
        ) as wire,
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
    with probe(tmp_path, era="2026-07-28") as (wire, told):
        calls = [wire.line("tools/call", {"name": "echo", "arguments": {"text": t}}) for t in "ab"]
        wire.write(b"".join(calls)[:-1])  # the last line lacks its end
        wire.hang_up()
        answers = {text_of(wire.read()["result"]) for _ in calls}
        assert answers == {"a", "b"}
        assert wire.code() == 0
        assert told.read() == "ending\nclosed\n"
        assert wire.talk() == ""


@pytest.mark.parametrize("number", [pytest.param(None, marks=pytest.mark.slow), signal.SIGINT])
def test_a_call_that_was_read_is_answered_before_the_end(
    tmp_path: Path, number: signal.Signals | None
) -> None:
    with probe(tmp_path, PATIENT) as (wire, told):
        start(wire, "knock", told)
        if number is None:
            wire.hang_up()
        else:
            wire.process.send_signal(number)
        assert told.readline() == "ending\n"
        (tmp_path / "door").write_text("open")
        assert text_of(wire.read()["result"]) == "open"
        assert wire.code() == (0 if number is None else 128 + number)
        assert told.read() == "closed\n"


@pytest.mark.slow
def test_a_signal_after_the_end_of_input_is_what_ends_the_process(tmp_path: Path) -> None:
    with probe(tmp_path, *AT_ONCE) as (wire, told):
        start(wire, "wait", told)
        wire.hang_up()
        assert told.readline() == "ending\n"
        wire.process.send_signal(signal.SIGTERM)
        assert wire.code() == 128 + signal.SIGTERM


def test_stray_output_never_reaches_the_wire(tmp_path: Path) -> None:
    with probe(tmp_path) as (wire, _):
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


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM])
def test_a_call_that_would_not_end_is_answered_with_an_error_at_a_signal(
    tmp_path: Path, number: signal.Signals
) -> None:
    with probe(tmp_path, "AT_SIGNAL=0", f"CLOSING={PATIENCE}") as (wire, told):
        start(wire, "wait", told)
        wire.process.send_signal(number)
        assert wire.read()["error"]["message"] == "Connection closed"
        assert wire.code() == 128 + number
        assert sorted(told.read().split()) == ["cancelled", "closed", "ending"]
        assert wire.talk() == ""


@pytest.mark.slow
def test_a_thread_that_cannot_be_stopped_holds_up_neither_the_store_nor_the_end(
    tmp_path: Path,
) -> None:
    with probe(tmp_path, "AT_SIGNAL=0", f"CLOSING={PATIENCE}") as (wire, told):
        start(wire, "block", told)
        wire.process.send_signal(signal.SIGTERM)
        assert told.read() == "ending\nclosed\n"
        assert wire.code() == 128 + signal.SIGTERM


def test_a_second_signal_ends_the_process_at_once(tmp_path: Path) -> None:
    with probe(tmp_path, PATIENT) as (wire, told):
        start(wire, "block", told)
        wire.process.send_signal(signal.SIGINT)
        assert told.readline() == "ending\n"
        wire.process.send_signal(signal.SIGTERM)
        assert wire.code() == 128 + signal.SIGTERM
        assert told.read() == ""


@pytest.mark.slow
@pytest.mark.parametrize("loop", ["hang", "hang_wire"])
def test_a_loop_that_hangs_ends_with_the_code_of_the_signal_and_no_dump(
    tmp_path: Path, loop: str
) -> None:
    with probe(tmp_path, *AT_ONCE) as (wire, told):
        start(wire, loop, told)
        wire.process.send_signal(signal.SIGTERM)
        assert wire.code() == 128 + signal.SIGTERM
        assert "Traceback" not in wire.talk() and "File" not in wire.talk()


@pytest.mark.slow
def test_while_a_call_computes_another_one_is_answered(tmp_path: Path) -> None:
    with probe(tmp_path, *AT_ONCE) as (wire, told):
        start(wire, "hang", told)  # what is answered beside it owes nothing to its end
        assert wire.request("ping")["result"] == {}
        wire.process.send_signal(signal.SIGTERM)
        assert wire.code() == 128 + signal.SIGTERM


@pytest.mark.slow
def test_once_nobody_reads_the_answers_none_is_waited_for(tmp_path: Path) -> None:
    told, telling = os.pipe()
    with (tmp_path / "stderr").open("wb") as talk:
        process = subprocess.Popen(
            python("tests.e2e.probe", str(telling)),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=talk,
            pass_fds=(telling,),
        )
    os.close(telling)
    assert process.stdin is not None and process.stdout is not None
    with os.fdopen(told) as lines:
        assert lines.readline() == "opened\n"
        wire = Wire.__new__(Wire)
        wire.era, wire.last_id = "2026-07-28", 0
        process.stdin.write(wire.line("tools/call", {"name": "wait"}))
        process.stdin.flush()
        assert lines.readline() == "waiting\n"
        process.stdout.close()
        process.stdin.close()
        assert process.wait(PATIENCE) == 0


@pytest.mark.slow
def test_a_client_that_no_longer_listens_is_an_end_like_any_other(tmp_path: Path) -> None:
    told, telling = os.pipe()
    unheard, output = os.pipe()
    os.close(unheard)
    with (tmp_path / "stderr").open("wb") as talk:
        process = subprocess.Popen(
            python("tests.e2e.probe", str(telling)),
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


@pytest.mark.anyio
async def test_the_first_signal_begins_the_end_and_the_second_is_the_end() -> None:
    codes: list[int] = []
    ending = Ending(kill=codes.append)
    with anyio.fail_after(60), ending.on_signals():
        ending.begin()
        signal.raise_signal(signal.SIGTERM)
        ending.begin()  # input that ends now makes no difference
        await ending.begun()
        assert (ending.code, codes) == (143, [])
        signal.raise_signal(signal.SIGINT)
        assert codes == [130]


@pytest.mark.anyio
async def test_what_does_not_end_when_it_is_late_is_killed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reflection_mcp.server.transport.signals.AT_SIGNAL", Patience(0, 0))
    monkeypatch.setattr("reflection_mcp.server.transport.signals.CLOSING", Patience(0, 0))
    codes: SimpleQueue[int] = SimpleQueue()
    ending = Ending(kill=codes.put)
    with anyio.fail_after(60), ending.on_signals():
        signal.raise_signal(signal.SIGTERM)
        await ending.late()
        assert codes.get(timeout=60) == 143


@pytest.mark.anyio
async def test_handlers_are_put_back() -> None:
    before = [signal.getsignal(number) for number in NUMBERS]
    with Ending().on_signals():
        assert [signal.getsignal(number) for number in NUMBERS] != before
    assert [signal.getsignal(number) for number in NUMBERS] == before


def test_an_end_after_the_loop_has_ended_is_no_error() -> None:
    async def made() -> Ending:
        return Ending(kill=lambda _: None)

    ending = anyio.run(made)
    ending.begin()
    assert ending.code == 0


NEVER = Patience(600, 600)


def test_the_next_order_is_what_is_waited_for() -> None:
    orders: SimpleQueue[Patience | None] = SimpleQueue()
    orders.put(None)
    assert order_within(Patience(0, 0), orders, lambda: True) is None


@each_row(
    ("patience", "deserted"),
    [
        pytest.param(Patience(0, 600), False, id="enough was computed"),
        pytest.param(Patience(600, 0), False, id="nothing computes"),
        pytest.param(NEVER, True, id="nobody reads"),
    ],
)
def test_patience_ends(patience: Patience, deserted: bool) -> None:
    with pytest.raises(Empty):
        order_within(patience, SimpleQueue(), lambda: deserted)
