"""What is done on a page leaves the store as the tool or the command leaves it, row by row.

Each action is done twice: by a form in one store, by the tool or command in another. Both stores
are read whole, table by table; ids, times and the names of who acted are the only differences.
"""

import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client

from reflection_mcp.server import cli
from reflection_mcp.server.app import build
from reflection_mcp.server.application import Application
from reflection_mcp.server.settings.settings import Settings
from tests.dashboard.conftest import NOON, Open, Visitor
from tests.dashboard.invented import filled
from tests.new_store import placed
from tests.requirements import requirement

Act = Callable[[Visitor], object]
SAME_NAME = re.compile(r"(?:dashboard|command line|mcp|client):[\w-]+|conv-[2-9a-z]{10}|\bann\b")
NEW_ID = re.compile(r"\b(ref|str|evt|att|look)-[2-9a-z]{10}\b")
ERESOLVE = "npm ERR! code ERESOLVE"


def page(path: str, **fields: str) -> Act:
    """A form that is sent."""
    return lambda visitor: visitor.post(path, **fields)


def undone(path: str, **fields: str) -> Act:
    """A form that is sent, and the undo that its answer offers."""

    def act(visitor: Visitor) -> None:
        found = re.search(r'action="(/undo/[\w-]+)"', visitor.post(path, **fields))
        assert found is not None
        visitor.post(found[1])

    return act


def signature(visitor: Visitor) -> str:
    found = re.search(r'action="/unresolved/(sig4%3A\w+)/lesson"', visitor.get("/unresolved"))
    assert found is not None
    return found[1]


def written(visitor: Visitor) -> None:
    visitor.post(
        f"/unresolved/{signature(visitor)}/lesson",
        lesson="Two packages want different versions of react.",
        strategy="Look at both with npm ls.",
        error=ERESOLVE,
    )


EDITED = ("The file was open in another process.", "Close the file in a finally block.")


def edited(visitor: Visitor) -> None:
    seen = re.search(r'name="seen" value="(\w+)"', visitor.get("/errors/ref-lock"))
    assert seen is not None
    visitor.post(
        "/errors/ref-lock/edit", seen=seen[1], lesson=EDITED[0], strategy=EDITED[1],
        tags="files, windows", situations="a file is renamed\r\n",
    )  # fmt: skip


def tool(**arguments: str) -> tuple[tuple[str, Any], ...]:
    return (("record_feedback", arguments),)


def command(*lines: str) -> tuple[tuple[str, Any], ...]:
    return tuple(("", line.split("|")) for line in lines)


CASES: dict[str, tuple[Act, tuple[tuple[str, Any], ...]]] = {
    "helped": (
        page("/errors/ref-yaml/verdict", kind="positive"),
        tool(feedback="positive", id="ref-yaml"),
    ),
    "failed, with a comment": (
        page("/errors/ref-price/verdict", kind="negative", comment="Ask the catalogue service."),
        tool(feedback="negative", id="ref-price", comment="Ask the catalogue service."),
    ),
    "wrong match": (
        page("/errors/ref-lock/verdict", kind="wrong_match", about="look-lock-3"),
        tool(feedback="wrong_match", id="look-lock-3"),
    ),
    "forget": (
        page("/errors/ref-lock/forget", typed="ref-lock"),
        tool(feedback="forget", id="ref-lock"),
    ),
    "edit": (
        edited,
        command(
            f"edit|ref-lock|--lesson|{EDITED[0]}|--strategy|{EDITED[1]}|--tag|files|--tag|windows"
            "|--situation|a file is renamed"
        ),
    ),
    "retire": (page("/errors/ref-lock/retire"), command("edit|ref-lock|--retire")),
    "restore": (page("/errors/ref-deps/restore"), command("edit|ref-deps|--restore")),
    "confirm": (page("/review/ref-deps/confirm"), command("review|ref-deps|confirm")),
    "confirm one of two opposites": (
        page("/review/ref-always/confirm"),
        command("review|ref-always|confirm"),
    ),
    "reject": (page("/review/ref-never/reject"), command("review|ref-never|reject")),
    "merge": (page("/review/ref-always/merge"), command("review|ref-always|merge")),
    "write a lesson": (
        written,
        command(
            "add|Two packages want different versions of react.|--strategy|Look at both with "
            f"npm ls.|--error|{ERESOLVE}"
        ),
    ),
    "undo": (
        undone("/review/ref-always/merge"),
        command("review|ref-always|merge", "consolidate|--undo"),
    ),
}


def tables(path: Path) -> dict[str, list[str]]:
    """Every row of every table of a store, as text."""
    with closing(sqlite3.connect(path)) as db:
        names = [
            name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        ]
        return {
            name: sorted(repr(row) for row in db.execute(f"SELECT * FROM [{name}]"))
            for name in sorted(names)
            # One counts transactions, the other tells `consolidate --undo` of the last merger.
            if name not in ("meta", "consolidation")
        }


def comparable(found: dict[str, list[str]], before: dict[str, list[str]]) -> dict[str, list[str]]:
    """The rows without what no two runs share: new ids, new times, who acted."""
    old = set(re.findall(r"\b\d{16}\b", repr(before)))

    def plain(text: str) -> str:
        text = re.sub(r"\b\d{16}\b", lambda at: at[0] if at[0] in old else "then", text)
        text = NEW_ID.sub(r"\1-new", SAME_NAME.sub("who", text))
        return re.sub(r"who,? \d{4}-\d\d-\d\d(?: \d\d:\d\d:\d\d UTC)?", "who then", text)

    return {name: sorted(map(plain, rows)) for name, rows in found.items()}


@pytest.mark.parametrize("name", CASES)
@requirement("dashboard:same-rows")
def test_an_action_leaves_the_store_as_the_tool_or_command_does(
    name: str, opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    act, done = CASES[name]
    there, other = tmp_path / "page.db", tmp_path / "tool.db"
    visitor = opened(name=there.name)
    before = tables(there)
    act(visitor)
    placed(other)
    other.write_bytes(filled(NOON))
    monkeypatch.setenv("REFLECTION_STORE", str(other))
    monkeypatch.setenv("REFLECTION_PROJECT", "shop")
    for called, arguments in done:
        if called:
            anyio.run(_call, str(other), called, arguments)
        else:
            assert cli.main(arguments) == 0
    found, wanted = tables(there), tables(other)
    if name == "confirm":  # who and when stand in the evidence, which is searched by words
        found, wanted = (
            {n: r for n, r in each.items() if n[:6] != "words_"} for each in (found, wanted)
        )
    assert comparable(found, before) == comparable(wanted, before)
    assert found != before or name == "undo"


async def _call(store: str, name: str, arguments: dict[str, str]) -> None:
    application = Application(settings=Settings(store=store), project="shop", clock=lambda: NOON)
    async with Client(build(application)) as client:
        assert not (await client.call_tool(name, arguments)).is_error
    await application.close()
