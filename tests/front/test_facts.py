"""What is known of settings before they are read: only what holds, and never a refusal less."""

import json
import os
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from reflection_mcp.server.front.facts import facts_file, facts_of, known_facts
from reflection_mcp.server.front.snapshot import Snapshot, current
from reflection_mcp.server.settings.settings import Settings, load
from tests.e2e.wire import ENVELOPE, python
from tests.forked import ran
from tests.front.conversation import answers

HOST = {**ENVELOPE, "io.modelcontextprotocol/clientInfo": {"name": "claude-code", "version": "2"}}


def line(number: int, method: str, **params: object) -> str:
    """A request as Claude Code makes it."""
    asked = {"jsonrpc": "2.0", "id": number, "method": method, "params": {**params, "_meta": HOST}}
    return json.dumps(asked)


EVENT = {"hook": "UserPromptSubmit", "type": "tool_call", "content": "go"}
PROMPT = {"question": "UserPromptSubmit", "answer": "", "events": [EVENT]}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with nothing in it but a snapshot."""
    for name in [name for name in os.environ if name.startswith(("XDG_", "REFLECTION_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    kept = current()
    assert kept is not None
    assert kept.write(answers())
    return tmp_path


def started(*lines: str, **environment: str) -> "subprocess.CompletedProcess[str]":
    """A server that is told these lines and the end, with its imports on stderr."""
    command = python("reflection_mcp.server")
    return subprocess.run(
        [command[0], "-X", "importtime", *command[1:]],
        input="".join(f"{each}\n" for each in lines),
        env={**os.environ, **environment},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def loaded(run: "subprocess.CompletedProcess[str]") -> set[str]:
    """The modules that a start imported."""
    rows = [row for row in run.stderr.splitlines() if row.startswith("import time:")]
    return {row.rpartition("|")[2].strip() for row in rows}


def test_a_later_start_answers_lists_and_a_prompt_without_reading_the_settings(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = (line(1, "tools/list"), line(2, "tools/call", name="reflect", arguments=PROMPT))
    first, later = started(*lines), started(*lines)
    assert sorted(first.stdout.splitlines()) == sorted(later.stdout.splitlines())
    assert '{"text":"{}","type":"text"}' in later.stdout
    assert "reflection_mcp.server.settings.settings" in loaded(first)
    heavy = {"settings.settings", "application", "worker", "mcp.hook_text"}
    assert not loaded(later) & {f"reflection_mcp.server.{name}" for name in heavy}
    for name in [name for name in os.environ if "COV" in name]:
        monkeypatch.delenv(name)  # what measures lines loads these itself
    unmeasured = loaded(started(*lines))
    assert not unmeasured & {"dataclasses", "typing", "pathlib", "platformdirs", "logging"}


def test_a_start_that_reads_the_settings_loads_nothing_of_the_store(place: Path) -> None:
    run = started(line(1, "tools/list"), REFLECTION_PROJECT="shop@ann")
    assert "reflection_mcp.server.settings.options" in loaded(run)
    assert not [each for each in loaded(run) if each.startswith("reflection_mcp.store")]


def test_a_setting_that_cannot_be_used_stops_every_start(place: Path) -> None:
    for _ in range(2):
        run = started(line(1, "tools/list"), REFLECTION_MODE="wrong")
        assert (run.returncode, run.stdout) == (2, "")
        assert "the setting mode (environment REFLECTION_MODE) cannot be used" in run.stderr


def test_settings_that_cannot_be_used_any_more_are_refused_by_the_first_call(place: Path) -> None:
    """Nothing in this file is followed that a setting may come to rest on later."""
    kept = current()
    assert kept is not None
    bad = {**os.environ, "REFLECTION_MODE": "wrong"}
    file = facts_file(kept, {}, bad)
    assert facts_of(Settings(store=str(place / "s.db")), file).mode == "lite"
    call = line(2, "tools/call", name="get_insights", arguments={})
    run = ran(["reflection_mcp.server"], env=bad, given=f"{line(1, 'tools/list')}\n{call}\n")
    assert run.returncode == 2
    assert len(run.stdout.splitlines()) == 1
    assert "reflection-mcp: the setting mode" in run.stderr
    assert "Traceback" not in run.stderr


def known_for(flags: Mapping[str, str], environment: Mapping[str, str]) -> str | None:
    """The file of the facts for these settings."""
    return facts_file(Snapshot("/cache/definitions-1", b"basis"), flags, environment)


def test_whatever_settings_depend_on_makes_other_facts(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = {known_for({}, {})}
    assert known_for({}, {"PATH": "/bin"}) in seen
    settings = place / ".config" / "reflection-mcp" / "config.toml"
    settings.parent.mkdir(parents=True)

    def file() -> str | None:
        settings.write_text("max_retries = 1\n")
        return known_for({}, {})

    def later() -> str | None:
        os.utime(settings, ns=(1, 1))
        return known_for({}, {})

    def elsewhere() -> str | None:
        monkeypatch.chdir("/")
        return known_for({"store": "x.db"}, {})

    changes: list[Callable[[], str | None]] = [
        lambda: known_for({}, {"REFLECTION_MODE": "full"}),
        lambda: known_for({}, {"REFLECTION_VIEWS": "full"}),
        lambda: known_for({}, {"HOME": "/home/ann"}),
        lambda: known_for({"mode": "full"}, {}),
        lambda: known_for({"store": "x.db"}, {}),
        file,
        later,
        elsewhere,
        lambda: facts_file(Snapshot("/cache/definitions-1", b"other"), {}, {}),
    ]
    for number, change in enumerate(changes):
        found = change()
        assert found is not None and found not in seen, number
        seen.add(found)


def test_a_settings_file_that_somebody_names_is_read_every_time(place: Path) -> None:
    assert known_for({"config": "/etc/r.toml"}, {}) is None
    assert known_for({}, {"REFLECTION_CONFIG": "/etc/r.toml"}) is None


def test_a_settings_file_that_cannot_be_looked_at_is_read_every_time(place: Path) -> None:
    (place / ".config").write_text("")
    assert known_for({}, {}) is None


def test_only_plain_files_and_settings_without_a_warning_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "cache" / "settings-1"
    odd = load({}, {"REFLECTION_MOOD": "1", "REFLECTION_STORE": str(tmp_path / "s.db")}, None)
    assert odd.warnings
    for settings in (odd, Settings(store="memory:"), Settings(store="postgresql://a:b@c/d")):
        assert facts_of(settings, str(file)).store == settings.store
        assert not file.exists()
    plain = Settings(store=str(tmp_path / "a\nb.db"), views="text", mode="full")
    facts_of(plain, None)
    assert not file.exists()
    facts_of(plain, str(file))
    known = known_facts(str(file))
    assert known is not None
    assert (known.views, known.mode, known.store) == ("text", "full", str(tmp_path / "a\nb.db"))


@pytest.mark.parametrize("content", [b"", b"auto", b"auto\nlite", b"\xff\nlite\n/s.db"])
def test_damaged_facts_are_none(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "settings-1"
    assert known_facts(str(file)) is None
    file.write_bytes(content)
    assert known_facts(str(file)) is None
