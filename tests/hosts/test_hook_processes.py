"""Hooks that are processes of their own: each host's documented events, and the answers it reads.

The events are those of the vendors' pages that `server/hosts/hooks.toml` names, with a failure in
the place of their examples.
"""

import io
import json
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from reflection_mcp.server import cli, hook_process
from reflection_mcp.server.application import Application
from reflection_mcp.server.hosts.hook_rows import hook_rows
from tests.requirements import requirement

ERROR = "ModuleNotFoundError: No module named 'yaml'"
LESSON = "The package that provides yaml is called PyYAML and was not installed."
FAILED, FIX = "python app.py", "pip install pyyaml"
PROMPT = "the import of yaml fails, install what provides yaml"
Json = dict[str, Any]
Ask = Callable[[str, str, Json], Json]


def cursor(kind: str, command: str, error: str) -> tuple[str, Json]:
    common = {
        "conversation_id": "c-1", "generation_id": "g-1", "model": "m", "cursor_version": "2.4.0",
        "workspace_roots": ["."], "user_email": None, "transcript_path": None,
    }  # fmt: skip
    if kind == "prompt":
        return "sessionStart", {**common, "session_id": "c-1", "composer_mode": "agent"}
    result = {"exitCode": int(bool(error)), "stdout": "", "stderr": error}
    call = {"tool_name": "Shell", "tool_input": {"command": command, "working_directory": "."}}
    ended = {"tool_output": json.dumps(result), "tool_use_id": "", "cwd": ".", "duration": 5432}
    return "postToolUse", {**common, **call, **ended}


def gemini(kind: str, command: str, error: str) -> tuple[str, Json]:
    common = {"session_id": "s-1", "transcript_path": "/t.json", "cwd": ".", "timestamp": "2026"}
    if kind == "prompt":
        return "BeforeAgent", {**common, "hook_event_name": "BeforeAgent", "prompt": PROMPT}
    told = f"Command: {command}\nDirectory: (root)\nOutput: {error or 'ok'}\n"
    told += "Exit Code: 1" if error else "Exit Code: 0"
    call = {"tool_name": "run_shell_command", "tool_input": {"command": command}}
    response = {"tool_response": {"llmContent": told, "returnDisplay": error}}
    return "AfterTool", {**common, "hook_event_name": "AfterTool", **call, **response}


def qwen(kind: str, command: str, error: str) -> tuple[str, Json]:
    common = {"session_id": "s-1", "transcript_path": "/t.json", "cwd": ".", "timestamp": "2026"}
    if kind == "prompt":
        return "UserPromptSubmit", {**common, "prompt": "expanded", "submitted_prompt": PROMPT}
    call = {"tool_name": "run_shell_command", "tool_input": {"command": command}}
    call |= {"permission_mode": "default", "tool_use_id": ""}
    if kind == "before":
        return "PreToolUse", {**common, **call}
    if error:
        return "PostToolUseFailure", {**common, **call, "error": error, "is_interrupt": False}
    return "PostToolUse", {**common, **call, "tool_response": {"output": "ok"}}


def copilot(kind: str, command: str, error: str) -> tuple[str, Json]:
    common = {"sessionId": "s-1", "timestamp": 1704614400000, "cwd": "."}
    if kind == "prompt":
        return "sessionStart", {**common, "source": "new", "initialPrompt": PROMPT}
    call = {"toolName": "bash", "toolArgs": {"command": command, "description": "go"}}
    if kind == "failed tool":
        return "postToolUseFailure", {**common, **call, "error": error}
    # as 1.0.102 says it, also of a command that failed
    told = f"{error or 'ok'}\n<shellId: 0 completed with exit code {int(bool(error))}>"
    result = {"resultType": "success", "textResultForLlm": told}
    return "postToolUse", {**common, **call, "toolResult": result}


def cline(kind: str, command: str, error: str) -> tuple[str, Json]:
    common = {
        "clineVersion": "3.36", "timestamp": "0", "taskId": "t-1", "workspaceRoots": ["."],
        "userId": "u",
    }  # fmt: skip
    if kind == "prompt":
        return "UserPromptSubmit", {**common, "userPromptSubmit": {"prompt": PROMPT}}
    call: Json = {"toolName": "execute_command", "parameters": {"command": command}}
    if kind == "before":
        return "PreToolUse", {**common, "preToolUse": call}
    if kind == "failed tool":
        call |= {"result": error or "ok", "success": not error, "executionTimeMs": 3200}
        return "PostToolUse", {**common, "postToolUse": call}
    # as 3.0.65 says it
    told = f"[Command exited with code 1]\n\n[stderr]\n{error}\n" if error else "ok"
    output = {"query": command, "result": told, "success": not error}
    ended = {"name": "run_commands", "input": {"commands": [command]}, "output": [output]}
    said = {"toolName": "run_commands", "result": json.dumps([output]), "success": True}
    return "PostToolUse", {**common, "tool_result": ended, "postToolUse": said}


EVENTS = {"cursor": cursor, "gemini": gemini, "qwen": qwen, "copilot": copilot, "cline": cline}
ANSWERS = {
    "cursor": ("additional_context",),
    "gemini": ("hookSpecificOutput", "additionalContext"),
    "qwen": ("hookSpecificOutput", "additionalContext"),
    "copilot": ("additionalContext",),
    "cline": ("contextModification",),
}
"""Where the documentation of each host has the text for the model."""
WARNED = ("qwen", "cline")
"""The hosts that take a text before an action."""
every_host = pytest.mark.parametrize("host", EVENTS)


@pytest.fixture
def ask(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: Any) -> Ask:
    """Ask the hook of a host, as a process of its own would be asked."""
    monkeypatch.setenv("REFLECTION_STORE", str(tmp_path / "store.db"))
    monkeypatch.setenv("REFLECTION_CONFIG", str(tmp_path / "none.toml"))
    monkeypatch.setenv("REFLECTION_LOG_LEVEL", "off")
    (tmp_path / "none.toml").write_text("")
    monkeypatch.chdir(tmp_path)

    def asked(host: str, event: str, payload: Json) -> Json:
        given = io.TextIOWrapper(io.BytesIO(json.dumps(payload).encode()))
        monkeypatch.setattr("sys.stdin", given)
        assert hook_process.run_hook((host, event)) == 0
        answer: Json = json.loads(capsysbinary.readouterr().out)
        return answer

    return asked


def learned() -> None:
    assert cli.main(["add", LESSON, "--error", ERROR]) == 0


def text_in(host: str, answer: Mapping[str, Any]) -> str:
    """What the model is told, empty when the hook is silent."""
    found: Any = answer
    for key in ANSWERS[host]:
        found = found.get(key, {})
    return found or ""


def test_every_host_of_the_table_has_its_documented_events_here() -> None:
    assert hook_rows().keys() == EVENTS.keys()
    kinds = {"prompt": "", "before": "", "failure": ERROR, "after": "", "failed tool": ERROR}
    for host, row in hook_rows().items():
        played = {EVENTS[host](kind, FAILED, error)[0] for kind, error in kinds.items()}
        assert {event for event, kind in row.events.items() if kind != "unheard"} <= played


@every_host
@requirement("hooks:hosts")
def test_a_failure_is_told_once_in_full_and_no_answer_decides(
    host: str, ask: Ask, capsysbinary: Any
) -> None:
    failure = EVENTS[host]("failure", FAILED, ERROR)
    silence = ask(host, *failure)
    assert text_in(host, silence) == ""
    assert "PyYAML" not in json.dumps(silence)
    learned()
    capsysbinary.readouterr()
    again = {**failure[1], "session_id": "s-2", "sessionId": "s-2", "taskId": "s-2"}
    again["conversation_id"] = "s-2"
    told = [ask(host, failure[0], again) for _ in range(3)]
    texts = [text_in(host, each) for each in told]
    assert texts[0].startswith("Seen before (")
    assert "PyYAML" in texts[0]
    assert "was shown before, and the error came back" in texts[1]
    assert told[2] == silence
    assert not re.search(r"allow|deny|block|permission|cancel.: true", json.dumps(told))


@every_host
@requirement("hooks:hosts")
def test_work_begins_with_a_briefing_once_in_a_conversation(
    host: str, ask: Ask, capsysbinary: Any
) -> None:
    prompt = EVENTS[host]("prompt", "", "")
    silence = ask(host, *prompt)
    learned()
    capsysbinary.readouterr()
    assert "PyYAML" in text_in(host, ask(host, *prompt))
    assert ask(host, *prompt) == silence
    named = text_in(host, ask(host, *EVENTS[host]("failure", FAILED, ERROR)))
    assert named.endswith("shown above, is about this")


@every_host
def test_what_works_after_a_failure_is_a_candidate_in_the_next_conversation(
    host: str, ask: Ask
) -> None:
    for kind, command, error in (
        ("failure", FAILED, ERROR),
        ("after", FIX, ""),
        ("after", FAILED, ""),
    ):
        assert text_in(host, ask(host, *EVENTS[host](kind, command, error))) == ""
    event, payload = EVENTS[host]("failure", "pytest", ERROR)
    elsewhere = {"session_id": "s-2", "sessionId": "s-2", "taskId": "s-2", "conversation_id": "s-2"}
    told = text_in(host, ask(host, event, {**payload, **elsewhere}))
    assert told.startswith("Candidate fix, not confirmed [cand-")
    assert FIX in told


@pytest.mark.parametrize("host", WARNED)
def test_a_known_mistake_is_named_before_it_is_made_again(
    host: str, ask: Ask, capsysbinary: Any
) -> None:
    ask(host, *EVENTS[host]("failure", FAILED, ERROR))
    learned()
    capsysbinary.readouterr()
    event, payload = EVENTS[host]("before", FAILED, "")
    told = text_in(host, ask(host, event, {**payload, "session_id": "s-2", "taskId": "s-2"}))
    assert told.startswith("This failed here before.")


@pytest.mark.parametrize("host", ["copilot", "cline"])
def test_a_tool_that_failed_as_a_whole_is_a_failure_too(
    host: str, ask: Ask, capsysbinary: Any
) -> None:
    learned()
    capsysbinary.readouterr()
    event, payload = EVENTS[host]("failed tool", FAILED, ERROR)
    if "toolArgs" in payload:
        payload["toolArgs"] = json.dumps(payload["toolArgs"])
    assert "PyYAML" in text_in(host, ask(host, event, payload))


def test_a_failure_whose_answer_is_dropped_is_stored_and_nothing_counts_as_shown(
    ask: Ask, capsysbinary: Any
) -> None:
    call = {"tool_name": "Shell", "tool_input": {"command": FAILED}, "conversation_id": "c-1"}
    failure = {**call, "error_message": ERROR, "failure_type": "error", "is_interrupt": False}
    learned()
    capsysbinary.readouterr()
    assert ask("cursor", "postToolUseFailure", failure) == {}
    event, payload = cursor("failure", FAILED, ERROR)
    assert "PyYAML" in text_in("cursor", ask("cursor", event, payload))


@pytest.mark.parametrize(
    ("event", "payload"),
    [
        ("PreCompact", {}),
        ("PostToolUse", {"tool_name": "read_file", "tool_input": {"path": "a"}}),
        ("PostToolUse", []),
        ("PostToolUseFailure", {"is_interrupt": True, "error": "x", "tool_name": "edit"}),
        ("PostToolUse", {"tool_name": "run_shell_command", "tool_input": None}),
    ],
)
def test_an_event_of_no_use_is_answered_with_silence(event: str, payload: Any, ask: Ask) -> None:
    assert ask("qwen", event, payload) == {}


def test_an_event_that_is_no_json_is_answered_with_silence_and_a_line_on_stderr(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, capsysbinary: Any
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\xff{")))
    assert hook_process.run_hook(("cline", "PreToolUse")) == 0
    told = capsysbinary.readouterr()
    assert json.loads(told.out) == {"cancel": False}
    assert b"the hook failed" in told.err


def test_a_server_that_is_switched_off_is_silent(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, capsysbinary: Any
) -> None:
    learned()
    capsysbinary.readouterr()
    monkeypatch.setenv("REFLECTION_ENABLED", "0")
    assert ask("gemini", *gemini("prompt", "", "")) == {}
    event, payload = gemini("failure", FAILED, ERROR)
    assert ask("gemini", event, payload) == {}


def test_a_folder_that_is_gone_lends_no_lessons_of_another(ask: Ask, capsysbinary: Any) -> None:
    learned()
    capsysbinary.readouterr()
    event, payload = cursor("failure", FAILED, ERROR)
    gone = {**payload, "workspace_roots": ["/gone"]}
    assert ask("cursor", event, {**gone, "cwd": "/gone/too"}) == {}
    assert LESSON in text_in("cursor", ask("cursor", event, gone))


def test_an_event_that_is_too_long_is_read_to_its_end_and_a_full_disk_fails_nothing(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, capsysbinary: Any
) -> None:
    given = io.BytesIO(b"{" + b" " * 100)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(given))
    monkeypatch.setattr(hook_process, "LONGEST", 10)
    with Path("/dev/full").open("w") as full:
        monkeypatch.setattr("sys.stdout", full)
        assert hook_process.run_hook(("cline", "PreToolUse")) == 0
    assert given.read() == b""


def test_a_host_that_waits_no_more_and_an_event_that_is_too_long_fail_nothing(
    tmp_path: Path,
) -> None:
    environment = {"REFLECTION_STORE": str(tmp_path / "store.db"), "HOME": str(tmp_path)}
    long = b" " * (hook_process.LONGEST + 1_000_000)
    program = [sys.executable, "-m", "reflection_mcp.server", "hook", "cline", "PreToolUse"]
    with subprocess.Popen(
        program, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdout.close()
        process.stdin.write(long)  # breaks where the pipe is closed before its end
        process.stdin.close()
        assert process.wait(60) == 0


@pytest.mark.parametrize("words", [("elsewhere", "x"), ("cursor",), ()])
def test_a_wrong_call_prints_the_usage(
    words: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert hook_process.run_hook(words) == 1
    assert "hook HOST EVENT" in capsys.readouterr().err


def test_the_command_line_names_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"{}")))
    assert cli.main(["hook", "cline", "PreCompact"]) == 0
    assert json.loads(capsys.readouterr().out) == {"cancel": False}


def test_flags_before_the_command_count(
    ask: Ask, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    event, payload = gemini("failure", FAILED, ERROR)
    (tmp_path / "work").mkdir()
    (tmp_path / "own.toml").write_text('project = "of-the-file"\n')
    given = json.dumps({**payload, "cwd": str(tmp_path / "work")}).encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(given)))
    own = str(tmp_path / "own.db")
    flags = ["--store", own, "--config", "own.toml"]
    assert cli.main([*flags, "hook", "gemini", event]) == 0
    assert not (tmp_path / "store.db").exists()
    with closing(sqlite3.connect(own)) as db:
        assert db.execute("SELECT project FROM lookup").fetchall() == [("of-the-file",)]


def test_the_end_of_a_hook_waits_a_moment_for_others(
    ask: Ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    waits: list[float] = []

    async def close(_: Application, wait: float) -> None:
        waits.append(wait)

    monkeypatch.setattr(Application, "close", close)
    ask("gemini", *gemini("failure", FAILED, ERROR))
    assert waits == [hook_process.FAREWELL]


def test_a_process_loads_neither_the_sdk_nor_the_command_line(tmp_path: Path) -> None:
    event, payload = gemini("failure", FAILED, ERROR)
    environment = {
        "REFLECTION_STORE": str(tmp_path / "store.db"),
        "REFLECTION_LOG_LEVEL": "off",
        "HOME": str(tmp_path),
    }
    run = [sys.executable, "-X", "importtime", "-m", "reflection_mcp.server", "hook"]
    done = subprocess.run(
        [*run, "gemini", event], input=json.dumps({**payload, "cwd": str(tmp_path)}),
        capture_output=True, text=True, env=environment, check=True, timeout=60,
    )  # fmt: skip
    assert done.stdout == "{}\n"
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert not loaded & {"mcp", "mcp_types", "argparse", "reflection_mcp.server.cli", "anthropic"}
    assert (tmp_path / "store.db").exists()
