"""How the real server ends: at any import, and right behind its first calls."""

import json
import os
import signal
import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TextIO

import pytest

from tests.e2e.wire import Silence, Wire

TRANSPORT = "reflection_mcp.server.transport.stdio"
BEFORE_IT_LISTENS = [
    pytest.param("reflection_mcp.server.cli", signal.SIGINT, marks=pytest.mark.slow),
    pytest.param("argparse", signal.SIGTERM, marks=pytest.mark.slow),
    pytest.param("mcp", signal.SIGINT),
    pytest.param(TRANSPORT, signal.SIGTERM, marks=pytest.mark.slow),
]
IN_THE_FIRST_CALL = ["reflection_mcp.tools.reflect.reflect", "reflection_mcp.store.sqlite.store"]


@contextmanager
def gated(tmp_path: Path, module: str, cache: str = "") -> Generator[tuple[Wire, TextIO, TextIO]]:
    """The server that stops at an import, what tells that it has, and what lets it go on.

    Without a `cache` there is no snapshot, so the SDK loads before the server listens.
    """
    told, telling = os.pipe()
    hearing, opening = os.pipe()
    environment = {
        **os.environ,
        "REFLECTION_STORE": str(tmp_path / "store.db"),
        "XDG_CACHE_HOME": str(cache or tmp_path / "cache"),
        "GATE": module,
        "GATE_TELLS": str(telling),
        "GATE_HEARS": str(hearing),
    }
    with (
        os.fdopen(told) as tells,
        os.fdopen(opening, "w") as opens,
        Wire(
            ["tests.server.gate"],
            stderr=tmp_path / "stderr",
            env=environment,
            era="2026-07-28",
            pass_fds=(telling, hearing),
            imports=True,
        ) as wire,
    ):
        os.close(telling)
        os.close(hearing)
        yield wire, tells, opens


def reflecting(wire: Wire, count: int) -> list[bytes]:
    """Calls that each teach another lesson."""
    return [
        wire.line(
            "tools/call",
            {
                "name": "reflect",
                "arguments": {
                    "question": f"Why did step {number} fail?",
                    "answer": f"Step {number} had no key.",
                    "outcome": "success",
                    "lesson": f"Step number {number} needs its key before it starts",
                },
            },
        )
        for number in range(count)
    ]


def attempts(tmp_path: Path) -> int:
    """How many attempts are in the store."""
    with closing(sqlite3.connect(tmp_path / "store.db")) as store:
        (count,) = store.execute("SELECT count(*) FROM attempt").fetchone()
    return int(count)


@pytest.mark.parametrize(("module", "number"), BEFORE_IT_LISTENS)
def test_a_signal_at_any_import_ends_the_start(
    tmp_path: Path, module: str, number: signal.Signals
) -> None:
    with gated(tmp_path, module) as (wire, tells, _):
        assert tells.readline() == "at the gate\n"
        wire.process.send_signal(number)
        assert wire.code() == 128 + number
        assert wire.talk() == ""


@pytest.mark.slow
@pytest.mark.parametrize("module", IN_THE_FIRST_CALL)
def test_a_signal_in_the_imports_of_the_first_call_ends_it_with_an_answer(
    tmp_path: Path, module: str
) -> None:
    with gated(tmp_path, module) as (wire, tells, _):
        (call,) = reflecting(wire, 1)
        wire.write(call)
        assert tells.readline() == "at the gate\n"
        wire.process.send_signal(signal.SIGTERM)
        assert wire.read()["error"]["message"] == "Connection closed"
        assert wire.code() == 128 + signal.SIGTERM
        assert wire.talk() == ""


def test_input_that_ends_right_behind_the_first_calls_is_answered_and_kept(tmp_path: Path) -> None:
    with gated(tmp_path, IN_THE_FIRST_CALL[0]) as (wire, tells, opens):
        wire.write(b"".join(reflecting(wire, 20)))
        wire.hang_up()
        assert tells.readline() == "at the gate\n"
        opens.close()
        answers = [wire.read() for _ in range(20)]
        assert sorted(answer["id"] for answer in answers) == list(range(1, 21))
        assert not any(answer["result"].get("isError") for answer in answers)
        assert wire.code() == 0
    assert attempts(tmp_path) == 20


@pytest.mark.slow
def test_a_signal_behind_the_first_calls_lets_them_be_answered_and_kept(tmp_path: Path) -> None:
    with gated(tmp_path, IN_THE_FIRST_CALL[0]) as (wire, tells, opens):
        wire.write(b"".join(reflecting(wire, 5)))
        assert tells.readline() == "at the gate\n"
        wire.process.send_signal(signal.SIGTERM)
        opens.close()
        kept = sum("result" in wire.read() for _ in range(5))
        with pytest.raises(Silence, match="the server has ended"):
            wire.read()
        assert wire.code() == 128 + signal.SIGTERM
    # On a machine that is busy enough the rest was answered with an error, kept or not.
    assert kept <= attempts(tmp_path) <= 5


@pytest.mark.slow
def test_a_client_that_is_asked_and_hangs_up_still_gets_its_answer(tmp_path: Path) -> None:
    with Wire(
        ["reflection_mcp.server"],
        stderr=tmp_path / "stderr",
        env={**os.environ, "REFLECTION_STORE": "memory:"},
    ) as wire:
        hello: dict[str, object] = {
            "protocolVersion": wire.era,
            "capabilities": {"sampling": {}},
            "clientInfo": {"name": "wire", "version": "0"},
        }
        wire.request("initialize", hello)
        asked = {"name": "reflect", "arguments": {"question": "Why is it so?", "answer": "Rust."}}
        line = wire.line("tools/call", asked)
        wire.write(line)
        assert wire.read()["method"] == "sampling/createMessage"
        wire.hang_up()
        assert "result" in wire.answer_to(json.loads(line)["id"])
        assert wire.code() == 0
