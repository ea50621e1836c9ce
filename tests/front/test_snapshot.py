"""The snapshot: equal to what the SDK says, never stale, and no harm when it cannot be had."""

import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.server.cli import main
from reflection_mcp.server.front import recording, snapshot
from reflection_mcp.server.front.recording import (
    answers_of,
    record,
    record_beside,
    record_for_the_next_start,
)
from reflection_mcp.server.front.replies import Replies
from reflection_mcp.server.front.snapshot import Snapshot, current
from tests.e2e.wire import ERAS, Era, Message, Wire
from tests.forked import Forked
from tests.front.conversation import answers, new_server
from tests.rows import each_row

# Each with its name and what it says that it can do.
OLD_CLIENT: tuple[Message, Message] = ({"name": "Cline Core", "version": "1"}, {})  # gets one view
NEW_CLIENT: tuple[Message, Message] = (
    {"name": "claude-code", "version": "2", "title": "C", "icons": [{"src": "https://x/i.png"}]},
    {
        "sampling": {},
        "roots": {"listChanged": True},
        "elicitation": {"form": {}, "url": {}},
        "extensions": {"io.modelcontextprotocol/ui": {"mimeTypes": {}}},
        "experimental": {"x": {}},
    },
)
VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
LISTS = ("tools/list", "prompts/list", "resources/list", "resources/templates/list")


def environment(folder: Path, cache: Path) -> dict[str, str]:
    return {**os.environ, "REFLECTION_STORE": str(folder / "s.db"), "XDG_CACHE_HOME": str(cache)}


def lines_for(version: str, client: Message, capabilities: Message) -> list[Message]:
    """What a client of a version asks for before it calls anything."""
    if version in VERSIONS:
        hello = {"protocolVersion": version, "capabilities": capabilities, "clientInfo": client}
        asked: list[tuple[str, Message]] = [("initialize", hello), ("ping", {})]
        asked += [(method, {}) for method in LISTS]
    else:
        meta = {
            "io.modelcontextprotocol/protocolVersion": version,
            "io.modelcontextprotocol/clientInfo": client,
            "io.modelcontextprotocol/clientCapabilities": capabilities,
            "io.modelcontextprotocol/logLevel": "debug",
            "progressToken": 1,
        }
        asked = [(method, {"_meta": meta}) for method in ("server/discover", *LISTS)]
        wished: Message = {"toolsListChanged": True, "resourceSubscriptions": ["a:b"]}
        asked.append(("subscriptions/listen", {"_meta": meta, "notifications": wished}))
    return [
        {"jsonrpc": "2.0", "id": f"é{number}" if number % 2 else number, "method": m, "params": p}
        for number, (m, p) in enumerate(asked)
    ]


@pytest.mark.costly
@pytest.mark.parametrize(
    "conversations",
    [
        [(VERSIONS[-1], OLD_CLIENT), ("2026-07-28", NEW_CLIENT)],
        pytest.param(
            list(product((*VERSIONS, "2026-07-28"), (OLD_CLIENT, NEW_CLIENT))),
            marks=pytest.mark.slow,
        ),
    ],
    ids=["the newest of both eras", "every version"],
)
def test_the_front_says_what_the_sdk_says_byte_for_byte(
    tmp_path: Path, conversations: list[tuple[str, tuple[Message, Message]]]
) -> None:
    """A process of the SDK alone is asked the same."""
    for version, (client, capabilities) in conversations:
        lines = lines_for(version, client, capabilities)
        sdk = Forked(["reflection_mcp.server"], env=environment(tmp_path, Path(os.devnull)))
        with closing(sdk):
            sdk.stdin.write("".join(f"{json.dumps(line)}\n" for line in lines).encode())
            sdk.stdin.flush()
            by_sdk = [sdk.stdout.readline() for _ in lines]
        replies = Replies(answers())
        said: list[bytes] = []
        for line in lines:
            assert replies.opens(line["method"], line["params"])
            answer = replies.to(line["id"], line["method"], line["params"])
            assert answer is not None, line["method"]
            said.append(answer)
        # The SDK works on all of them at once.
        assert sorted(said) == sorted(by_sdk)


SETTINGS: list[dict[str, Any]] = [
    {"enabled": False},
    {"mode": "full", "tenant": "acme", "project": "shop"},
    {"evaluator": "embedded", "run_code": True, "project_names": False},
    {"views": "text"},
    {"evaluator": "sampling", "insight_tokens": 100, "response_chars": 700, "max_retries": 0},
]


@each_row("settings", SETTINGS)
def test_no_setting_changes_a_definition(settings: dict[str, Any]) -> None:
    assert anyio.run(answers_of, new_server(**settings)) == answers()


def test_what_was_written_is_read(tmp_path: Path) -> None:
    kept = Snapshot(str(tmp_path / "cache" / "definitions-1"), b"basis\nof two lines")
    assert kept.read() is None
    assert kept.write(answers())
    assert kept.read() == answers()
    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["definitions-1"]


def test_a_snapshot_made_of_anything_else_is_none(tmp_path: Path) -> None:
    Snapshot(str(tmp_path / "s"), b"basis").write({"v": {"m": "{}"}})
    for other in (b"basi", b"basis\n", b"Basis", b""):
        assert Snapshot(str(tmp_path / "s"), other).read() is None


@given(place=st.integers(0, 10_000), byte=st.integers(0, 255), cut=st.booleans())
def test_a_damaged_snapshot_is_none(place: int, byte: int, cut: bool) -> None:
    with TemporaryDirectory() as folder:
        kept = Snapshot(str(Path(folder) / "s"), b"basis")
        assert kept.write({"2025-11-25": {"ping": "{}"}})
        data = bytearray(Path(kept.file).read_bytes())
        place %= len(data)
        if cut:
            del data[place:]
        elif data[place] == byte:
            return
        else:
            data[place] = byte
        Path(kept.file).write_bytes(data)
        assert kept.read() is None


def test_whatever_the_answers_depend_on_makes_another_snapshot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    product_ = tmp_path / "reflection_mcp"
    for room in snapshot.ROOMS:
        (product_ / room / "__pycache__").mkdir(parents=True)
    module = product_ / "server" / "texts.py"
    module.write_text("a")
    monkeypatch.setattr(snapshot, "__file__", str(product_ / "server" / "front" / "snapshot.py"))
    monkeypatch.setattr(sys, "path", [str(tmp_path), str(tmp_path / "gone")])

    def basis() -> bytes:
        kept = current()
        assert kept is not None
        return kept.basis

    seen = {basis()}
    (product_ / "server" / "__pycache__" / "texts.pyc").write_text("")
    assert basis() in seen
    for change in (
        lambda: module.write_text("ab"),
        lambda: os.utime(module, ns=(1, 1)),
        lambda: (product_ / "store" / "skill.md").write_text("x"),
        lambda: (tmp_path / "mcp-2.3.0.dist-info").mkdir(),
        lambda: (tmp_path / "mcp-2.3.0.dist-info").rename(tmp_path / "mcp-2.3.1.dist-info"),
        lambda: monkeypatch.setattr(sys, "version", "3.99"),
    ):
        change()
        assert basis() not in seen
        seen.add(basis())


def test_a_user_without_a_folder_for_it_has_no_snapshot(monkeypatch: pytest.MonkeyPatch) -> None:
    import platformdirs

    def relative(app: str, *, appauthor: bool) -> Path:
        return Path("~", app)

    monkeypatch.setattr(platformdirs, "user_cache_path", relative)
    for name in ("HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    assert current() is None
    assert not record_for_the_next_start()


def test_where_nothing_can_be_kept_nothing_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert not Snapshot(str(tmp_path / "file" / "s"), b"basis").write({})
    assert not record(new_server(), Snapshot(str(tmp_path / "file" / "s"), b"basis"))


def test_an_sdk_that_cannot_be_asked_leaves_no_snapshot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(server: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(recording, "answers_of", broken)
    kept = Snapshot(str(tmp_path / "s"), b"basis")
    thread = record_beside(new_server(), kept)
    thread.join()
    assert kept.read() is None


def test_a_host_that_is_told_of_the_server_finds_a_snapshot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.chdir(tmp_path)
    assert main(["install", "cursor", "--print"]) == 0
    kept = current()
    assert kept is not None
    assert kept.read() is None
    assert main(["install", "cursor"]) == 0
    assert kept.read() == answers()
    assert record_for_the_next_start()


def test_what_an_installation_left_long_ago_is_removed(tmp_path: Path) -> None:
    old, young = tmp_path / "definitions-old", tmp_path / "definitions-young"
    for path in (old, young):
        path.write_text("x")
    os.utime(old, (1, 1))
    Snapshot(str(tmp_path / "definitions-new"), b"basis").write({})
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "definitions-new",
        "definitions-young",
    ]


# ----------------------------------------------------------------- processes


def asked(folder: Path, cache: Path, era: Era, name: str = "wire") -> tuple[list[bytes], str]:
    """The answers of a process to a list and a call, and what it said on stderr."""
    with Wire(
        ["reflection_mcp.server"],
        stderr=folder / f"{name}.txt",
        env=environment(folder, cache),
        era=era,
    ) as wire:
        answers = [json.dumps(wire.greet()), json.dumps(wire.request("tools/list"))]
        found = wire.call("has_seen_error_before", {"error": "KeyError: 'a'"})
        answers.append(str(found["structuredContent"]["verdict"]))
        wire.hang_up()
        assert wire.code() == 0
        return [answer.encode() for answer in answers], wire.talk()


@pytest.mark.slow
@pytest.mark.costly
@pytest.mark.parametrize("era", ERAS)
def test_a_first_start_and_a_later_one_say_the_same(tmp_path: Path, era: Era) -> None:
    cache = tmp_path / "cache"
    first, _ = asked(tmp_path, cache, era)
    assert len(list((cache / "reflection-mcp").iterdir())) == 1
    later, _ = asked(tmp_path, cache, era)
    assert first == later


@pytest.mark.slow
@pytest.mark.costly
def test_two_first_starts_at_once_leave_one_snapshot_that_holds(tmp_path: Path) -> None:
    cache = tmp_path / "cache"
    with ThreadPoolExecutor(2) as pool:
        ends = [pool.submit(asked, tmp_path, cache, ERAS[0], name) for name in ("one", "two")]
    assert ends[0].result()[0] == ends[1].result()[0]
    (file,) = (cache / "reflection-mcp").glob("definitions-*")
    kept = current()
    assert kept is not None
    assert Snapshot(str(file), kept.basis).read() == answers()


@pytest.mark.costly
@pytest.mark.parametrize(
    "trouble", ["damaged", pytest.param("a folder that is a file", marks=pytest.mark.slow)]
)
def test_without_a_snapshot_a_start_is_as_it_always_was(tmp_path: Path, trouble: str) -> None:
    cache = tmp_path / "cache"
    kept = current()
    assert kept is not None
    file = cache / "reflection-mcp" / Path(kept.file).name
    if trouble == "damaged":
        Snapshot(str(file), kept.basis).write(answers())
        file.write_bytes(file.read_bytes()[:-1])
    else:
        cache.write_text("")
    said, talk = asked(tmp_path, cache, ERAS[1])
    assert b"has_seen_error_before" in said[1]
    assert all(line.startswith('{"time"') for line in talk.splitlines())
    if trouble == "damaged":
        assert Snapshot(str(file), kept.basis).read() == answers()
