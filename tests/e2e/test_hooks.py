"""The hooks of the plugin and the real server: a process of its own, as a host runs it, where one
has to go on with what another has kept, in either direction; else a server within this process."""

import json
import sqlite3
import sys
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp_types import TextContent

from reflection_mcp.server.app import build
from reflection_mcp.server.application import Application
from reflection_mcp.server.settings.settings import Settings
from tests.hosts.hook_player import calls_for, played
from tests.requirements import requirement
from tests.rows import each_row
from tests.store.faults import transaction_held

pytestmark = pytest.mark.anyio

ERROR = "Exit code 1\nModuleNotFoundError: No module named 'yaml'"
LESSON = {
    "question": "install yaml",
    "answer": "done",
    "error": ERROR,
    "outcome": "success",
    "lesson": "The package that provides yaml is called PyYAML.",
}
SECRET = "AKIAIOSFODNN7EXAMPLE"


@asynccontextmanager
async def conversation(folder: Path, **variables: str) -> AsyncGenerator[Client]:
    """A server of its own on the store of this test."""
    settings = {
        "REFLECTION_STORE": str(folder / "store.db"),
        "REFLECTION_PROJECT": "shop",
        "REFLECTION_LOG_LEVEL": "off",
        **variables,
    }
    command = [sys.executable, "-m", "reflection_mcp.server"]
    server = StdioServerParameters(command=command[0], args=command[1:], env=settings, cwd=folder)
    async with Client(server) as client:
        yield client


@asynccontextmanager
async def connection(**settings: Any) -> AsyncGenerator[Client]:
    """A server within this process, which keeps nothing unless it is given a store.

    Two of them on one store know of each other as little as two processes do.
    """
    everything: dict[str, Any] = {"store": "memory:", **settings}
    chosen = Settings(**everything)
    async with Client(build(Application(settings=chosen, project="shop"))) as client:
        yield client


def ran(command: str, session: str, *, error: str = "", **response: Any) -> dict[str, Any]:
    """What Claude Code tells its hooks about a command that has ended."""
    event: dict[str, Any] = {
        "session_id": session,
        "tool_name": "Bash",
        "tool_input": {"command": command, "description": "as asked"},
        "tool_use_id": f"toolu_{session}_{command}_{error[:4]}",
    }
    if error:
        return {**event, "hook_event_name": "PostToolUseFailure", "error": error, **response}
    done = {"stdout": "ok", "stderr": "", "interrupted": False, "isImage": False, **response}
    return {**event, "hook_event_name": "PostToolUse", "tool_response": done}


WORDED_ANEW = ("cd /srv/app && DEBUG=1 python3 ./app.py", "python app.py", "python other.py")


def before(command: str) -> dict[str, Any]:
    """What Claude Code tells its hooks about a command that is about to run."""
    event = {key: value for key, value in ran(command, "two").items() if key != "tool_response"}
    return {**event, "hook_event_name": "PreToolUse"}


def edited(file: str, session: str) -> dict[str, Any]:
    return {
        "session_id": session,
        "hook_event_name": "PostToolUse",
        "tool_name": "Edit",
        "tool_input": {"file_path": file, "old_string": "a", "new_string": "b"},
        "tool_use_id": f"toolu_{session}_{file}",
        "tool_response": {"filePath": file},
    }


def said(answers: list[str]) -> str:
    """What the hooks put before the model, empty when they are all silent."""
    told = [json.loads(each).get("hookSpecificOutput", {}) for each in answers]
    return "\n".join(each["additionalContext"] for each in told if each)


async def fixed(client: Client, session: str, command: str, error: str = ERROR) -> list[str]:
    """A command fails, PyYAML is installed, the command works; what the hooks said of each."""
    events = [
        ran(command, session, error=error),
        edited("/app/requirements.txt", session),
        ran("pip install pyyaml", session),
        ran(command, session),
    ]
    return [said(await played(client, event)) for event in events]


async def test_a_fix_is_a_candidate_once_and_a_lesson_when_it_works_again(tmp_path: Path) -> None:
    async with conversation(tmp_path) as client:
        assert await fixed(client, "one", "python app.py") == ["", "", "", ""]
    async with connection(store=str(tmp_path / "store.db")) as client:
        told = await fixed(client, "two", "pytest tests/test_app.py")
        assert told[0].startswith("Candidate fix, not confirmed [cand-")
        assert (
            "it worked after: “Edit: /app/requirements.txt”; “Bash: pip install pyyaml”" in told[0]
        )
        assert told[1:] == ["", "", ""]
    async with connection(store=str(tmp_path / "store.db")) as client:
        (known, *_) = await fixed(client, "three", "make run")
    assert known.startswith("Seen before (exact). Stored lessons, as data; verify before use:")
    assert "Candidate" not in known
    assert "`Bash: python app.py` failed with this error and worked after" in known


@requirement("hooks:once")
async def test_ten_equal_failures_bring_the_lesson_once_and_one_line(tmp_path: Path) -> None:
    events = [ran("python app.py", "one", error=ERROR)] * 10
    async with connection(store=str(tmp_path / "store.db")) as client:
        await client.call_tool("reflect", LESSON)
        told = [said(await played(client, event)) for event in events[:5]]
    async with connection(store=str(tmp_path / "store.db")) as client:  # the same session, resumed
        told += [said(await played(client, event)) for event in events[5:]]
    assert told[0].startswith("Seen before (exact).")
    assert "was shown before, and the error came back" in told[1]
    assert told[2:] == [""] * 8


PROMPT = {"hook_event_name": "UserPromptSubmit", "session_id": "two", "prompt": "install yaml"}
NAMED = "shown above, is about this"


@each_row(
    "first, after",
    [
        ((PROMPT, before("python app.py")), ("PyYAML", NAMED)),
        ((PROMPT,), ("PyYAML",)),
        ((before("python app.py"),), ("This failed here before",)),
    ],
    ids=["briefing and before the action", "briefing", "before the action"],
)
@requirement("hooks:once")
async def test_a_lesson_is_shown_in_full_once_wherever_it_is_shown_first(
    first: Sequence[dict[str, Any]], after: Sequence[str]
) -> None:
    failed = ran("python app.py", "two", error=ERROR)
    async with connection() as client:
        await played(client, ran("python app.py", "one", error=ERROR))
        await client.call_tool("reflect", LESSON)
        told = [said(await played(client, event)) for event in (*first, *[failed] * 4)]
        seen = await client.call_tool("has_seen_error_before", {"error": ERROR})
    assert [words in each for words, each in zip(after, told, strict=False)] == [True] * len(after)
    assert sum(NAMED in each for each in told) == 1
    assert sum("PyYAML" in each for each in told) == 1
    assert told[-3:] == [""] * 3
    assert "failed 1" in json.dumps(seen.structured_content)  # it was told, and its error came back


@requirement("hooks:before")
async def test_a_known_mistake_is_named_before_it_is_made_again(tmp_path: Path) -> None:
    async with connection(store=str(tmp_path / "store.db")) as client:
        await played(client, ran("python app.py", "one", error=ERROR))
        await client.call_tool("reflect", LESSON)
    async with connection(store=str(tmp_path / "store.db")) as client:
        told = [said(await played(client, before(command))) for command in WORDED_ANEW]
    assert told[0].startswith("This failed here before. Stored data, verify before use: [ref-")
    assert told[1:] == ["", ""]


async def test_a_conversation_that_is_resumed_in_another_process_goes_on(tmp_path: Path) -> None:
    async with connection(store=str(tmp_path / "store.db")) as client:
        await played(client, ran("make", "one", error=ERROR))
    async with conversation(tmp_path) as client:
        await played(client, ran("pip install pyyaml", "one"))
        await played(client, ran("make", "one"))
        assert "not confirmed" in said(await played(client, ran("make", "x", error=ERROR)))


@requirement("trust:no-waiting")
@pytest.mark.parametrize("kind", ["IMMEDIATE", pytest.param("EXCLUSIVE", marks=pytest.mark.slow)])
async def test_recall_does_not_wait_for_a_writer_and_is_noted_later(
    tmp_path: Path, kind: str
) -> None:
    async with connection(store=str(tmp_path / "store.db")) as client:
        await client.call_tool("reflect", LESSON)
    async with connection(store=str(tmp_path / "store.db")) as client:
        with transaction_held(tmp_path / "store.db", kind=kind):
            told = said(await played(client, ran("make", "one", error=ERROR)))
            seen = await client.call_tool("has_seen_error_before", {"error": ERROR})
            found = await client.call_tool("get_insights", {"query": "install yaml"})
        assert told.startswith("Seen before (exact).")
        assert seen.structured_content is not None and found.structured_content is not None
        assert seen.structured_content["verdict"] == "exact"
        assert "notes" not in seen.structured_content
        assert len(found.structured_content["lessons"]) == 1
        given = {"feedback": "positive", "id": seen.structured_content["lookup_id"]}
        heard = await client.call_tool("record_feedback", given)
        assert not heard.is_error
    with closing(sqlite3.connect(tmp_path / "store.db")) as db:
        assert db.execute("SELECT count(*), sum(shown <> '[]') FROM lookup").fetchall() == [(2, 2)]
        assert db.execute("SELECT count(*) FROM step").fetchall() == [(1,)]


async def test_a_fix_that_cannot_be_kept_in_time_costs_the_turn_one_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reflection_mcp.server.mcp.hook_text.PATIENCE", 0.05)
    async with connection(store=str(tmp_path / "store.db")) as client:
        await played(client, ran("make", "one", error=ERROR))
        await played(client, ran("pip install pyyaml", "one"))
        with transaction_held(tmp_path / "store.db"):
            assert await played(client, ran("make", "one")) == ["{}"]
        found = await client.call_tool("has_seen_error_before", {"error": ERROR})
    assert found.structured_content is not None
    assert "candidates" not in found.structured_content


# --------------------------------------------------------------------------- within one process


async def test_what_is_kept_of_steps_is_redacted_and_nothing_is_kept_without_a_failure(
    tmp_path: Path,
) -> None:
    async with connection(store=str(tmp_path / "store.db")) as client:
        await played(client, ran(f"export AWS_ACCESS_KEY_ID={SECRET}", "one"))
        await played(client, ran("make", "one", error=f"{ERROR} {SECRET}"))
        await played(client, ran(f"aws configure set aws_access_key_id {SECRET}", "one"))
    with closing(sqlite3.connect(tmp_path / "store.db")) as db:
        told = db.execute("SELECT told FROM step").fetchall()
    assert len(told) == 2
    files = [path.read_bytes() for path in tmp_path.iterdir() if path.is_file()]
    assert not any(SECRET.encode() in content for content in files)


async def test_a_candidate_is_told_as_one_by_the_hook_and_in_both_views() -> None:
    async with connection() as client:
        await fixed(client, "one", "python app.py")
        hook = said(await played(client, ran("make", "two", error=ERROR)))
        seen = await client.call_tool("has_seen_error_before", {"error": ERROR})
    assert seen.structured_content is not None
    (candidate,) = seen.structured_content["candidates"]
    assert candidate["trust"] == "untrusted"
    assert candidate["id"] in hook
    (text,) = seen.content
    assert isinstance(text, TextContent)
    steps = "“Edit: /app/requirements.txt”; “Bash: pip install pyyaml”"
    line = f"- not confirmed: worked once after {steps} ({candidate['id']}, untrusted text)"
    assert line in text.text.splitlines()


async def test_the_assistant_confirms_a_candidate_by_its_id() -> None:
    async with connection() as client:
        await fixed(client, "one", "python app.py")
        seen = await client.call_tool("has_seen_error_before", {"error": ERROR})
        assert seen.structured_content is not None
        (candidate,) = seen.structured_content["candidates"]
        yes = {"feedback": "positive", "id": candidate["id"]}
        heard = await client.call_tool("record_feedback", yes)
        assert "confirmed, a lesson from now on" in json.dumps(heard.structured_content)
        again = await client.call_tool("has_seen_error_before", {"error": ERROR})
        assert again.structured_content is not None
        assert again.structured_content["seen"]
        assert "candidates" not in again.structured_content


@each_row(
    "last",
    [
        ran("python app.py", "one", backgroundTaskId="b1"),
        ran("python app.py", "one", interrupted=True),
        ran("python app.py | tail -1", "one"),
        {**ran("python app.py", "one"), "agent_id": "another"},
        ran("python app.py", "one", error=ERROR),
    ],
    ids=["in the background", "interrupted", "success of a pipe", "a subagent", "failed again"],
)
async def test_an_end_that_proves_nothing_pairs_nothing(last: dict[str, Any]) -> None:
    async with connection() as client:
        await played(client, ran("python app.py", "one", error=ERROR))
        await played(client, ran("pip install pyyaml", "one"))
        await played(client, last)
        assert said(await played(client, ran("make", "two", error=ERROR))) == ""


async def test_a_failure_that_the_user_made_is_none() -> None:
    async with connection() as client:
        stopped = ran("python app.py", "one", error=ERROR, is_interrupt=True)
        await played(client, stopped)
        await played(client, ran("pip install pyyaml", "one"))
        await played(client, ran("python app.py", "one"))
        assert said(await played(client, ran("make", "two", error=ERROR))) == ""


@pytest.mark.parametrize("trouble", ["switched off", "no store"])
async def test_trouble_is_silence(tmp_path: Path, trouble: str) -> None:
    settings = {"enabled": False} if trouble == "switched off" else {"store": str(tmp_path)}
    async with connection(**settings) as client:
        assert await fixed(client, "one", "make") == ["", "", "", ""]
        assert await fixed(client, "two", "make") == ["", "", "", ""]


def test_each_hook_can_be_left_out_by_itself() -> None:
    failed, worked = ran("make", "one", error=ERROR), ran("make", "one")
    assert [tool for tool, _ in calls_for(failed)] == ["reflect"]
    assert [tool for tool, _ in calls_for(worked)] == ["reflect"]
    assert [tool for tool, _ in calls_for(edited("a.py", "one"))] == ["reflect"]
    assert calls_for({**worked, "tool_name": "Read"}) == []
