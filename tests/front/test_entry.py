"""Which starts are served at once, and which are left to the command line."""

import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from reflection_mcp.server.front.entry import serve_at_once
from reflection_mcp.server.front.loader import Loader
from reflection_mcp.server.front.snapshot import current
from reflection_mcp.server.settings.settings import Settings
from tests.front.conversation import answers
from tests.rows import each_row


def is_none(descriptor: int) -> bool:
    return descriptor < 0


def is_one(descriptor: int) -> bool:
    return descriptor >= 0


@pytest.fixture(autouse=True)
def an_input_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "isatty", is_none)


ODD: list[Sequence[str]] = [
    ["doctor"],
    ["serve", "--http"],
    ["serve", "serve"],
    ["--store", "--mode"],
    ["--version"],
    ["-h"],
    ["--mode", "wrong"],
    ["--mode=wrong", "serve"],
    ["--store"],
    ["--config", "/nowhere/settings.toml"],
]


@each_row("argv", ODD)
def test_what_is_out_of_the_ordinary_is_left_to_the_command_line(argv: Sequence[str]) -> None:
    kept = current()
    assert kept is not None
    kept.write(answers())
    assert serve_at_once(argv) is None


def test_without_a_snapshot_the_command_line_serves() -> None:
    kept = current()
    assert kept is not None
    Path(kept.file).unlink(missing_ok=True)
    assert serve_at_once([]) is None


def test_at_a_terminal_the_command_line_serves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "isatty", is_one)
    assert serve_at_once([]) is None


def test_without_an_input_the_command_line_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    really = os.fstat

    def closed(descriptor: int) -> os.stat_result:
        if descriptor == 0:
            raise OSError
        return really(descriptor)

    monkeypatch.setattr(os, "fstat", closed)
    assert serve_at_once([]) is None


def test_tools_are_rehearsed_where_they_are_switched_on() -> None:
    Loader(lambda: Settings(store="memory:")).rehearse()
