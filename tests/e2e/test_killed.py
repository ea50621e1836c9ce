"""A server that is killed at any moment leaves a store in which each call is whole or not there."""

import json
import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.wire import Silence, Wire
from tests.new_store import placed
from tests.requirements import requirement
from tests.store.faults import sound

ERROR = "Exit code 1\nModuleNotFoundError: No module named 'yaml'"
HELLO: dict[str, Any] = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "killed", "version": "1"},
}
IN_FLIGHT = 8


def call(number: int) -> dict[str, Any]:
    return {
        "name": "reflect",
        "arguments": {
            "question": f"Mend import number {number}",
            "answer": f"Done, way {number}.",
            "error": ERROR,
            "outcome": "success",
            "lesson": "The package that provides yaml is called PyYAML.",
            "strategy": "Look for the name of the package before installing it.",
        },
    }


@pytest.mark.costly
@requirement("trust:whole-calls")
@pytest.mark.parametrize("kills", [1, pytest.param(3, marks=pytest.mark.slow)])
def test_a_killed_server_leaves_no_error_counted_without_its_attempt(
    tmp_path: Path, kills: int
) -> None:
    path = tmp_path / "store.db"
    env = {**os.environ, "REFLECTION_STORE": placed(path), "REFLECTION_PROJECT": "shop"}
    acknowledged = 0
    for kill in range(kills):
        with Wire(["reflection_mcp.server"], stderr=tmp_path / "stderr", env=env) as wire:
            wire.request("initialize", HELLO)
            for number in range(IN_FLIGHT):
                wire.write(wire.line("tools/call", call(kill * IN_FLIGHT + number)))
            for _ in range(kill + 1):
                acknowledged += not wire.read()["result"].get("isError", False)
            wire.process.kill()
            wire.process.wait()
            with suppress(Silence, json.JSONDecodeError):  # what was on its way, and half a line
                while True:
                    acknowledged += "result" in wire.read()
    with closing(sqlite3.connect(path)) as db:
        attempts = {name for (name,) in db.execute("SELECT id FROM attempt")}
        events = dict(db.execute("SELECT kind, group_concat(event_id) FROM event GROUP BY kind"))
        rows = db.execute("SELECT kind, occurrences FROM reflection ORDER BY kind").fetchall()
    assert acknowledged <= len(attempts) <= kills * IN_FLIGHT
    assert set(events["reflection"].split(",")) == attempts
    assert {each.removesuffix("/strategy") for each in events["strategy"].split(",")} == attempts
    assert rows == [("reflection", len(attempts)), ("strategy", len(attempts))]
    assert sound(path)
