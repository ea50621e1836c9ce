"""The calls of a session as its host wrote them down, and how each of them ended."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.tools.learning.transcript import TranscriptReader
from tests.rows import each_row

ERROR = "ModuleNotFoundError: No module named 'yaml'"
AT = "2026-11-21T12:00:00.000Z"


def read(*records: object) -> tuple[TranscriptReader, list[tuple[str, str, str]]]:
    """The reader after these records, and the calls: tool, content, error."""
    reader = TranscriptReader()
    calls = [call for record in records for call in reader.take(record)]
    return reader, [(call.tool, call.content, call.error) for call in calls]


def claude(name: str, given: Any, result: Any, **more: Any) -> list[dict[str, Any]]:
    facts = {key: more.pop(key) for key in ("is_error",) if key in more}
    use = {"type": "tool_use", "id": "toolu_1", "name": name, "input": given}
    end = {"type": "tool_result", "tool_use_id": "toolu_1", "content": result, **facts}
    base = {"sessionId": "s-1", "timestamp": AT, **more}
    return [
        {"type": "assistant", "message": {"role": "assistant", "content": [use]}, **base},
        {"type": "user", "message": {"role": "user", "content": [end]}, **base},
    ]


def codex(payload: dict[str, Any], output: Any) -> list[dict[str, Any]]:
    kind = f"{payload['type']}_output"
    end = {
        "type": kind.replace("local_shell_call", "function_call"),
        "call_id": "c",
        "output": output,
    }
    records = ({"call_id": "c", **payload}, end)
    return [{"timestamp": AT, "type": "response_item", "payload": each} for each in records]


def shell(*words: str) -> dict[str, Any]:
    arguments = json.dumps({"command": list(words)})
    return {"type": "function_call", "name": "shell", "arguments": arguments}


def gemini(name: str, given: Any, status: str, response: Any) -> dict[str, Any]:
    reply = {"functionResponse": {"id": "g", "name": name, "response": response}}
    call = {"id": "g", "name": name, "args": given, "status": status, "result": [reply]}
    return {"id": "m", "type": "gemini", "timestamp": AT, "toolCalls": [call]}


@each_row(
    ("records", "expected"),
    [
        (
            claude("Bash", {"command": "make"}, f"Exit code 1\n{ERROR}", is_error=True),
            ("Bash", "make", f"Exit code 1\n{ERROR}"),
        ),
        (claude("Bash", {"command": "make"}, "done"), ("Bash", "make", "")),
        (
            claude(
                "Edit", {"file_path": "/a/b.py"}, [{"type": "text", "text": "no"}], is_error=True
            ),
            ("Edit", "/a/b.py", "no"),
        ),
        (claude("NotebookEdit", {"notebook_path": "/a.ipynb"}, "ok"), ("Edit", "/a.ipynb", "")),
        (
            claude("Bash", {"command": "false"}, "", is_error=True),
            ("Bash", "false", "it failed without a word"),
        ),
    ],
)
def test_claude_code(records: list[Any], expected: tuple[str, str, str]) -> None:
    reader, calls = read(*records)
    assert (reader.host, reader.session, calls) == ("Claude Code", "s-1", [expected])


@each_row(
    "records",
    [
        claude("Read", {"file_path": "/a"}, "text"),
        claude("Bash", {"command": "make"}, "", toolUseResult={"interrupted": True}),
        claude("Bash", {"command": "make &"}, "", toolUseResult={"backgroundTaskId": "b"}),
        claude("Bash", {"command": "rm x"}, "The user doesn't want to proceed", is_error=True),
        claude("Bash", {"command": "make"}, "ok", isSidechain=True),
        claude("Bash", {"command": "make"}, "ok")[:1],
        claude("Bash", {"command": "make"}, "ok")[1:],
    ],
    ids=["reads", "interrupted", "background", "refused", "subagent", "no result", "no call"],
)
def test_what_tells_nothing_is_passed_over(records: list[Any]) -> None:
    assert read(*records)[1] == []


OLD = json.dumps({"output": ERROR, "metadata": {"exit_code": 1, "duration_seconds": 0.1}})
NEW = f"Chunk ID: 1\nWall time: 0.1 seconds\nProcess exited with code 2\nOutput:\n{ERROR}\n"
PATCH = "*** Begin Patch\n*** Update File: src/a.py\n@@\n*** Add File: src/b.py\n*** End Patch"


@each_row(
    ("records", "expected"),
    [
        (codex(shell("bash", "-lc", "make all"), OLD), ("Bash", "make all", ERROR)),
        (codex(shell("make", "all"), OLD.replace("1,", "0,", 1)), ("Bash", "make all", "")),
        (
            codex(
                {"type": "function_call", "name": "exec_command", "arguments": '{"cmd": "make"}'},
                NEW,
            ),
            ("Bash", "make", ERROR),
        ),
        (
            codex(
                {"type": "local_shell_call", "action": {"command": ["make"]}}, "Exit code: 0\nok"
            ),
            ("Bash", "make", ""),
        ),
        (
            codex({"type": "custom_tool_call", "name": "apply_patch", "input": PATCH}, "Done!"),
            ("Edit", "src/a.py src/b.py", ""),
        ),
        (
            codex(shell("make"), {"content": ERROR, "success": False}),
            ("Bash", "make", ERROR),
        ),
    ],
)
def test_codex(records: list[Any], expected: tuple[str, str, str]) -> None:
    meta = {"type": "session_meta", "payload": {"id": "s-2", "cwd": "/repo"}}
    reader, calls = read(meta, *records)
    assert (reader.host, reader.session, calls) == ("Codex", "s-2", [expected])


@each_row(
    "records",
    [
        codex(shell("make"), "Process running with session ID 73"),
        codex({"type": "function_call", "name": "view_image", "arguments": "{}"}, "ok"),
        codex({"type": "function_call", "name": "shell", "arguments": "not json"}, "ok"),
        [{"type": "response_item", "payload": {"type": "reasoning"}}],
    ],
    ids=["still running", "another tool", "no arguments", "no call"],
)
def test_of_codex_what_tells_nothing_is_passed_over(records: list[Any]) -> None:
    reader, calls = read(*records)
    assert (reader.host, calls) == ("Codex", [])


PRINTED = (
    f"Command: make\nDirectory: (root)\nOutput: {ERROR}\nError: (none)\nExit Code: 1\nSignal: 9"
)


@each_row(
    ("record", "expected"),
    [
        (
            gemini("run_shell_command", {"command": "make"}, "success", {"output": PRINTED}),
            ("Bash", "make", f"{ERROR}\nExit Code: 1\nSignal: 9"),
        ),
        (
            gemini("run_shell_command", {"command": "make"}, "success", {"output": "Output: ok"}),
            ("Bash", "make", ""),
        ),
        (
            gemini("replace", {"file_path": "/a.py"}, "error", {"error": "no match"}),
            ("Edit", "/a.py", "no match"),
        ),
    ],
)
def test_gemini_cli(record: dict[str, Any], expected: tuple[str, str, str]) -> None:
    whole = {"sessionId": "s-3", "messages": [{"type": "user", "content": "go"}, record]}
    reader, calls = read(whole)
    assert (reader.host, reader.session, calls) == ("Gemini CLI", "s-3", [expected])
    assert read(record)[1] == [expected]
    assert read(record, record)[1] == [expected], "a message that is written again"


def test_of_gemini_cli_what_tells_nothing_is_passed_over() -> None:
    cancelled = gemini("run_shell_command", {"command": "make"}, "cancelled", {})
    reads = gemini("read_file", {"path": "a"}, "success", {"output": "text"})
    assert read(cancelled, reads)[1] == []


def test_what_is_said_beside_a_call_is_passed_over() -> None:
    said = {"role": "assistant", "content": [{"type": "text", "text": "Now make."}]}
    assert read({"type": "assistant", "message": said})[1] == []


@each_row("record", [None, 3, "x", [], {}, {"type": "user"}, {"type": "user", "message": "hello"}])
def test_another_record_is_passed_over(record: object) -> None:
    assert read(record)[1] == []


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                "type message content payload toolCalls messages name input id call_id output "
                "arguments args status result timestamp tool_use_id toolUseResult action".split()
            )
            | st.text(max_size=4),
            inner | st.sampled_from(["user", "assistant", "response_item", "tool_use", "Bash"]),
            max_size=5,
        )
    ),
    max_leaves=25,
)


@given(st.lists(_json, max_size=5))
def test_any_json_is_taken(records: list[Any]) -> None:
    read(*records)


EDITED = {"file_path": "app.py", "old_string": "import os\nimport yml\n", "new_string": ""}


@each_row(
    ("records", "expected"),
    [
        (
            claude("Edit", {**EDITED, "new_string": "import os\nimport yaml\n"}, "ok"),
            "app.py: import yml -> import yaml",
        ),
        (claude("Edit", EDITED, "ok"), "app.py: import os / import yml -> (nothing)"),
        (
            claude("Write", {"file_path": "requirements.txt", "content": "pyyaml\n"}, "ok"),
            "requirements.txt: (nothing) -> pyyaml",
        ),
        (
            claude(
                "MultiEdit",
                {"file_path": "a.py", "edits": [{"old_string": "a", "new_string": "b"}] * 2},
                "ok",
            ),
            "a.py: a / a -> b / b",
        ),
        (
            codex(
                {
                    "type": "custom_tool_call",
                    "name": "apply_patch",
                    "input": "*** Begin Patch\n*** Update File: a.py\n@@\n-x = 1\n+x = 2\n",
                },
                json.dumps({"output": "Done", "metadata": {"exit_code": 0}}),
            ),
            "a.py: x = 1 -> x = 2",
        ),
        (
            [gemini("replace", EDITED, "success", {"output": "ok"})],
            "app.py: import os / import yml -> (nothing)",
        ),
        (claude("Write", {"file_path": "a.py", "content": "x = 1\n" * 99}, "ok"), "a.py"),
        (claude("Edit", {"file_path": "a.py", "old_string": "a", "new_string": "a"}, "ok"), "a.py"),
    ],
)
def test_an_edit_of_a_few_lines_says_what_it_changed(records: list[Any], expected: str) -> None:
    assert read(*records)[1] == [("Edit", expected, "")]
