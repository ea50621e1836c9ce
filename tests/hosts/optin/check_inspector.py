"""The inspector of the protocol's makers: schemas, the skill's digests, and many calls at once.

    uv run pytest tests/hosts/optin/check_inspector.py

Installs the inspector and Node 24 from npm (300 MB) below REFLECTION_OUTSIDE: about two minutes.
"""

import json
from pathlib import Path

import pytest

from reflection_mcp.server.front.snapshot import current
from tests.front.conversation import answers
from tests.hosts.optin.programs import RUNNING_S, our_server, program, run

VERSION = "2.12.0"
ERAS = ("legacy", "modern")
ARGUMENTS = {
    "has_seen_error_before": {"error": "ValueError: x"},
    "reflect": {"question": "What is 12 x 12?", "answer": "12 x 12 = 145"},
    "answer_with_reflection": {"question": "What is 2 + 2?", "draft": "2 + 2 = 5"},
    "record_feedback": {"feedback": "negative"},
    "get_insights": {},
}


@pytest.fixture(autouse=True, params=["the SDK", "the front"])
def first_answer(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a snapshot the SDK answers everything, with one the front answers first."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    kept = current()
    assert kept is not None
    if request.param == "the front":
        assert kept.write(answers())


def inspect(home: Path, *words: str) -> str:
    """What the inspector prints about our server; it must end well."""
    inspector = program("@modelcontextprotocol/inspector", VERSION, "mcp-inspector")
    server, _ = our_server(home)  # the inspector hands on only HOME and PATH
    # Its own limit of 15 s is for an idle machine: without a snapshot the SDK is loaded first.
    patient = ["--connect-timeout", str(RUNNING_S * 1000)]
    done = run([*inspector, "--cli", *server, *patient, *words], home)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


@pytest.mark.parametrize("era", ERAS)
def test_the_schemas_are_portable(era: str, tmp_path: Path) -> None:
    listed = inspect(tmp_path, "--protocol-era", era, "--method", "tools/list", "--strict")
    assert len(json.loads(listed)["tools"]) == len(ARGUMENTS)


@pytest.mark.parametrize("era", ERAS)
@pytest.mark.parametrize("tool", ["has_seen_error_before", "reflect", "answer_with_reflection"])
def test_a_tool_can_be_called(tool: str, era: str, tmp_path: Path) -> None:
    given = json.dumps(ARGUMENTS[tool])
    words = ["--method", "tools/call", "--tool-name", tool, "--tool-args-json", given]
    assert "structuredContent" in inspect(tmp_path, "--protocol-era", era, *words)


def test_what_the_skill_says_of_itself_is_true(tmp_path: Path) -> None:
    words = ["--protocol-era", "modern", "--method", "skills/list", "--verify"]
    assert '"outcome":"verified"' in inspect(tmp_path, *words).replace(" ", "")


def test_many_calls_at_once_are_all_answered(tmp_path: Path) -> None:
    call = ["--method", "tools/call", "--tool-name", "has_seen_error_before", "--tool-arg"]
    load = ["--load", "--load-requests", "500", "--load-concurrency", "10"]
    report = json.loads(inspect(tmp_path, *call, "error=ValueError: x", *load))
    assert report["ok"] == 500
    assert report["errors"] == report["toolErrors"] == 0
