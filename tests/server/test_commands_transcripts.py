"""`learn`: what a session file proposes, and the one line for a file that cannot be used."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from reflection_mcp.server import cli
from reflection_mcp.server.commands import transcripts
from tests.requirements import requirement

ERROR = "Exit code 1\nModuleNotFoundError: No module named 'yaml'"
Run = Callable[..., tuple[str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    monkeypatch.setenv("REFLECTION_STORE", str(tmp_path / "store" / "r.db"))
    monkeypatch.setenv("REFLECTION_PROJECT", "shop")
    monkeypatch.setenv("REFLECTION_CONFIG", str(tmp_path / "none.toml"))
    (tmp_path / "none.toml").write_text("")

    def runs(*argv: str, code: int = 0) -> tuple[str, str]:
        assert cli.main(argv) == code
        out = capsys.readouterr()
        return out.out, out.err

    return runs


def records(error: str = ERROR, step: str = "pip install pyyaml") -> list[dict[str, Any]]:
    """A session of Claude Code: a command fails, a step is taken, the command works."""
    found: list[dict[str, Any]] = [{"type": "summary", "summary": "a session"}]
    for number, (command, printed) in enumerate(
        [("python app.py", error), (step, ""), ("python app.py", "")]
    ):
        call = f"toolu_{number}"
        use = {"type": "tool_use", "id": call, "name": "Bash", "input": {"command": command}}
        end = {
            "type": "tool_result",
            "tool_use_id": call,
            "content": printed,
            "is_error": bool(printed),
        }
        for kind, part in (("assistant", use), ("user", end)):
            found.append({"type": kind, "sessionId": "s-1", "message": {"content": [part]}})
    return found


def written(folder: Path, *lines: object) -> str:
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    (folder / "session.jsonl").write_text("\n".join(texts), encoding="utf-8")
    return str(folder / "session.jsonl")


@requirement("learn:transcripts")
def test_a_session_proposes_what_mended_a_failure_and_review_confirms_it(
    tmp_path: Path, run: Run
) -> None:
    file = written(tmp_path, *records())
    out, err = run("learn", file)
    assert "Claude Code, 3 steps, 1 failure, 1 new candidate" in out
    assert "“Bash: python app.py” failed, and worked after “Bash: pip install pyyaml”" in out
    assert (
        "none of these is a lesson yet: confirm or reject each with `reflection-mcp review`" in err
    )
    assert json.loads(run("list", "--json")[0]) == []
    (waiting,) = json.loads(run("review", "--json")[0])
    assert waiting["reason"] == "candidate"
    out, err = run("learn", file)
    assert "0 new candidates, 1 already known" in out
    assert "nothing is a lesson yet" not in err
    run("review", waiting["id"], "confirm")
    assert len(json.loads(run("list", "--json", "--kind", "reflection")[0])) == 1


def test_a_program_gets_all_as_json(tmp_path: Path, run: Run) -> None:
    (told,) = json.loads(run("learn", written(tmp_path, *records()), "--json")[0])
    (candidate,) = told.pop("candidates")
    file = str(tmp_path / "session.jsonl")
    assert told == {
        "file": file, "host": "Claude Code", "session": "s-1", "steps": 3, "failures": 1,
        "known": 0, "unread_lines": 0,
    }  # fmt: skip
    assert candidate["steps"] == ["Bash: pip install pyyaml"]
    assert candidate["error"] == ERROR


def test_lines_that_cannot_be_read_are_counted_and_passed_over(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transcripts, "LONGEST_LINE", 2_000)
    first, *rest = records()
    long = json.dumps({"type": "user", "picture": "x" * 9_000})
    nested = "[" * 1_500
    last = json.dumps(rest[-1])[:40]
    file = written(tmp_path, first, "", "{not json", long, nested, *rest, last)
    out, err = run("learn", file)
    assert "1 new candidate" in out
    assert "4 lines could not be read and were skipped" in err


def test_a_document_over_several_lines_is_read(tmp_path: Path, run: Run) -> None:
    def call(number: int, command: str, output: str) -> dict[str, Any]:
        reply = {"functionResponse": {"response": {"output": output}}}
        return {"id": f"g{number}", "name": "run_shell_command", "args": {"command": command},
                "status": "success", "result": [reply]}  # fmt: skip

    failed = f"Output: {ERROR}\nExit Code: 1"
    calls = [call(1, "make", failed), call(2, "pip install pyyaml", ""), call(3, "make", "")]
    message = {"type": "gemini", "toolCalls": calls}
    file = tmp_path / "session.json"
    file.write_text(json.dumps({"sessionId": "s-3", "messages": [message]}, indent=2))
    assert "Gemini CLI, 3 steps, 1 failure, 1 new candidate" in run("learn", str(file))[0]


@pytest.mark.parametrize(
    "content",
    [b"", b"\x00\xff\x00" * 2_000, b"hello\nworld\n", b'{"a": 1}\n', b'{\n"a": ', b"[1, 2]"],
    ids=["empty", "binary", "text", "another json", "cut short", "a list"],
)
def test_a_file_that_is_no_transcript_gets_one_line(
    tmp_path: Path, run: Run, content: bytes
) -> None:
    file = tmp_path / "x.jsonl"
    file.write_bytes(content)
    out, err = run("learn", str(file), code=2)
    assert out == ""
    assert "x.jsonl is not a transcript: pass a session file of Claude Code, Codex or" in err
    assert err.count("\n") == 1


@pytest.mark.parametrize("name", ["", "none.jsonl"])
def test_a_file_that_cannot_be_read_gets_one_line(tmp_path: Path, run: Run, name: str) -> None:
    out, err = run("learn", str(tmp_path / name), code=2)
    assert "cannot be read: " in err
    assert (out, err.count("\n")) == ("", 1)
