"""What the server says on stderr, and what it never says."""

import io
import json
import os
import select
import threading
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.server.log import Level, Log, level_of, outcome_of, safe_fact
from reflection_mcp.tools.ports import Emit
from tests.requirements import requirement
from tests.rows import each_row

NOON = datetime(2026, 11, 21, 12, 0, 0, 250_000, tzinfo=UTC)


def noon() -> datetime:
    return NOON


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


@requirement("trace:logged")
def test_each_stage_is_one_line_of_json() -> None:
    stream = io.StringIO()
    log: Emit = Log(clock=noon, stream=stream)
    log(
        "reflection_stored", {"project": "shop-1f3a9c2b", "occurrences": 2, "ms": 1.5, "new": False}
    )
    log("reflection_generation_failed", {"error": "StoreBusy", "cost_usd": None})
    assert lines(stream) == [
        {
            "time": "2026-11-21T12:00:00.250Z",
            "level": "info",
            "event": "reflection_stored",
            "project": "shop-1f3a9c2b",
            "occurrences": 2,
            "ms": 1.5,
            "new": False,
        },
        {
            "time": "2026-11-21T12:00:00.250Z",
            "level": "error",
            "event": "reflection_generation_failed",
            "error": "StoreBusy",
            "cost_usd": None,
        },
    ]


def test_a_line_of_text_says_the_same() -> None:
    stream = io.StringIO()
    Log(clock=noon, stream=stream, style="text")("loop_step", {"iteration": 2, "why": "converged"})
    assert stream.getvalue() == (
        '2026-11-21T12:00:00.250Z info loop_step iteration=2 why="converged"\n'
    )


def test_times_are_told_in_utc() -> None:
    stream = io.StringIO()
    east = timezone(timedelta(hours=9))
    Log(clock=lambda: NOON.astimezone(east), stream=stream)("error_recalled", {})
    assert lines(stream)[0]["time"] == "2026-11-21T12:00:00.250Z"


@each_row("style", ["json", "text"])
def test_a_fact_cannot_pass_itself_off_as_the_event(style: Any) -> None:
    stream = io.StringIO()
    Log(clock=noon, stream=stream, style=style)("error_recalled", {"event": "other", "level": "x"})
    assert "error_recalled" in stream.getvalue()
    assert "other" not in stream.getvalue()


# ------------------------------------------------------------------------- what may be said

SAID = (
    "",  # nothing to say: no stop yet, no model
    True,
    3,
    0.25,
    None,
    "exact",
    "ref-7k3f9q2m4x",
    "sig1:0f52aa0011bb22cc",
    "claude-haiku-5-5",
    "github.com-acme-shop-1f3a9c2b",
    "ModuleNotFoundError",
    "TS2304",
    "ORA-00942",
    "quality_improvement",
)
WITHHELD = (
    ("What is 2 + 2?", "14 characters"),
    ("ghp_0123456789abcdefghijABCDEFGHIJ012345", "40 characters"),
    ("AKIA0123456789ABCDEF", "20 characters"),
    ("sk-ant-api03-" + "aB3" * 25, "88 characters"),
    ("0123456789abcdef" * 2, "32 characters"),
    ("/home/user/shop", "15 characters"),
    ("a" * 41, "41 characters"),
    ("naïve", "5 characters"),
    ("\ud800", "1 characters"),
    (["a question", "another"], "2 items"),
    ({"question": "?"}, "1 items"),
    (Path("/home/user/shop"), "a PosixPath"),
    (float("nan"), "nan"),
    (float("inf"), "inf"),
)


@each_row("value", SAID, ids=str)
def test_numbers_and_names_out_of_the_program_are_said(value: object) -> None:
    assert safe_fact(value) == value


@each_row(("value", "said"), WITHHELD, ids=ascii)
def test_of_anything_else_only_the_size_is_said(value: object, said: str) -> None:
    told = safe_fact(value)
    assert (told if not isinstance(value, Path) else "a PosixPath") == said


@given(st.text(min_size=1), st.text(min_size=1, max_size=200))
def test_a_sentence_never_reaches_a_line(first: str, second: str) -> None:
    stream = io.StringIO()
    sentence = f"{first} {second} of the user"
    Log(clock=noon, stream=stream)("error_recalled", {"text": sentence})
    assert lines(stream)[0]["text"] == f"{len(sentence)} characters"


# ------------------------------------------------------------------------- levels


@each_row(
    ("event", "level"),
    [
        ("reflection_generation_failed", "error"),
        ("reflection_generation_started", "info"),
        ("store_unavailable", "error"),
        ("store_opened", "info"),
        ("loop_not_stored", "warning"),
        ("lookup_not_logged", "warning"),
        ("reflections_evicted", "warning"),
    ],
)
def test_the_end_of_its_name_gives_an_event_its_level(event: str, level: Level) -> None:
    assert level_of(event) == level


@each_row(("level", "written"), [("info", 3), ("warning", 2), ("error", 1), ("off", 0)])
def test_what_is_below_the_level_is_not_written(level: Level, written: int) -> None:
    stream = io.StringIO()
    log = Log(clock=noon, stream=stream, level=level)
    for event in ("reflection_stored", "reflections_evicted", "reflection_generation_failed"):
        log(event, {})
    assert len(lines(stream)) == written


# ------------------------------------------------------------------------- streams and listeners


class BrokenPipe(io.StringIO):
    def write(self, text: str, /) -> int:
        raise BrokenPipeError


def closed() -> io.StringIO:
    stream = io.StringIO()
    stream.close()
    return stream


@each_row("stream", [None, closed(), BrokenPipe()], ids=["none", "closed", "broken"])
def test_a_stderr_that_is_gone_stops_nothing(stream: Any) -> None:
    heard: list[str] = []
    log = Log(clock=noon, stream=stream, listeners=[lambda event, facts: heard.append(event)])
    log("reflection_stored", {})
    assert heard == ["reflection_stored"]


def test_a_host_that_does_not_read_its_pipe_does_not_hang_the_server() -> None:
    if not hasattr(select, "poll"):
        return  # Windows cannot tell that a pipe is full
    read_end, write_end = os.pipe()
    with os.fdopen(read_end) as reader, os.fdopen(write_end, "w") as stream:
        log = Log(clock=noon, stream=stream)
        while not log.dropped:  # a pipe holds 64 kB, some 700 lines
            log("loop_step", {"iteration": 1})
        log("loop_step", {"iteration": 2})
        os.read(read_end, 65_536)
        log("loop_step", {"iteration": 3})
        assert log.dropped == 0
        stream.close()
        last = json.loads(reader.read().splitlines()[-1])
    assert (last["iteration"], last["dropped"]) == (3, 2)


def test_where_nobody_can_tell_whether_a_pipe_is_full_lines_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("select.poll")
    with (tmp_path / "log").open("w") as stream:
        Log(clock=noon, stream=stream)("loop_step", {})
    assert "loop_step" in (tmp_path / "log").read_text()


@requirement("loop:callbacks")
def test_a_listener_hears_every_event_with_its_safe_facts() -> None:
    heard: list[tuple[str, dict[str, Any]]] = []
    log = Log(clock=noon, stream=None, level="off")
    log.listeners.append(lambda event, facts: heard.append((event, facts)))
    log("loop_step", {"iteration": 1, "draft": "My answer is four."})
    assert heard == [("loop_step", {"iteration": 1, "draft": "18 characters"})]


def test_what_a_listener_does_to_the_facts_stays_with_it() -> None:
    heard: list[dict[str, Any]] = []

    def spoiler(event: str, facts: dict[str, Any]) -> None:
        facts.clear()

    log = Log(clock=noon, stream=None, listeners=[spoiler])
    log.listeners.append(lambda event, facts: heard.append(facts))
    log("loop_step", {"iteration": 1})
    assert heard == [{"iteration": 1}]


def test_the_fault_of_a_listener_is_its_owners_to_see() -> None:
    def faulty(event: str, facts: dict[str, Any]) -> None:
        raise LookupError

    with pytest.raises(LookupError):
        Log(clock=noon, stream=None, listeners=[faulty])("loop_step", {})


def test_lines_of_several_threads_do_not_run_into_each_other() -> None:
    stream = io.StringIO()
    log = Log(clock=noon, stream=stream)

    def work() -> None:
        for number in range(50):
            log("loop_step", {"iteration": number})

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(lines(stream)) == 200


@each_row(
    ("event", "outcome"),
    [
        ("reflection_generation_started", "pending"),
        ("loop_step", "pending"),
        ("insights_given", "success"),
        ("lookup_not_logged", "partial"),
        ("model_failed", "failure"),
        ("store_unavailable", "failure"),
    ],
)
def test_the_name_of_an_event_says_how_its_stage_went(event: str, outcome: str) -> None:
    assert outcome_of(event) == outcome
