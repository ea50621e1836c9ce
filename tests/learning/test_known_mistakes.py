"""Whether an action is one that failed before, in whatever wording."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from reflection_mcp.store.interactions import FailedAction
from reflection_mcp.tools.learning.action_forms import forms
from reflection_mcp.tools.learning.known_mistakes import (
    action_id,
    failed_form,
    is_usual,
    repeated,
)
from tests.bench import before_action as bench
from tests.rows import each_row, enough, sample

AT = datetime(2026, 11, 21, 12, tzinfo=UTC)


def rows(told: str, error: str, tool: str = "Bash") -> list[FailedAction]:
    form = failed_form(tool, told, error)
    if form is None:
        return []
    action = FailedAction(
        id=action_id(form), heading=form.heading, tool=tool, told=told, error=error,
        conversation_id="talk", at=AT,
    )  # fmt: skip
    return [action]


def is_known(told: str, error: str, again: str, tool: str = "Bash") -> bool:
    return any(repeated(rows(told, error, tool), forms(tool, again)))


MISSING = "bash: docker-compose: command not found"
PROTECTED = "error: failed to push some refs\n ! [remote rejected] main -> main (protected)"
LEVEL = "error: invalid value '22' for '--level <LEVEL>': 22 is not in 1..=19"


@each_row(
    ("told", "error", "again"),
    [
        ("npm test", 'Missing script: "test"', "cd x && CI=1 npm --silent test"),
        ("docker-compose up -d", MISSING, "docker-compose ps"),
        ("mvn test", "command not found: mvn", "mvn -q package"),
        ("gradle test", "'gradle' is not recognized as a command", "gradle build"),
        ("git push origin main", PROTECTED, "git push -u origin main"),
        ("cargo run pack --level 22 a", LEVEL, "cargo run pack b --level=22"),
        ("yq -i '.a = 1' x.yaml", "Error: unknown flag: -i", "yq -i '.b = 2' y.yaml"),
        ("cargo +nightly fmt", "toolchain 'nightly-x86_64' is not installed", "cargo +nightly doc"),
        ("npm ci && npm run lint", "Missing script: lint", "npm run lint"),
        ("git commit -m 'one thing'", "hook failed: pre-commit", "git commit -m 'another thing'"),
    ],
)
def test_a_mistake_worded_anew_is_known(told: str, error: str, again: str) -> None:
    assert is_known(told, error, again)


@each_row(
    ("told", "error", "again"),
    [
        ("npm test", "ENOENT: no such file", "npm install"),
        ("npm install", "EUNSUPPORTEDPROTOCOL", "npm install react"),
        ("git push origin main", PROTECTED, "git push origin fix"),
        ("cargo run pack --level 22 a", LEVEL, "cargo run pack --level 19 a"),
        ("cargo run pack --level 22 a", LEVEL, "cargo build --level 22"),
        ("go test ./...", "dial tcp: connection refused", "go test ./pkg/router"),
        ("docker build -f Dockerfile.ci .", "denied", "docker build -t web ."),
        (
            "sed -i s/a/b/ api/x.proto",
            "couldn't open temporary file api/sedX",
            "sed -i s/a/b/ y.go",
        ),
        ("pytest tests/test_a.py", "no apps", "pytest tests/test_a.py tests/test_b.py"),
        ("pytest -x tests/test_a.py", "no apps", "pytest tests/test_b.py"),
        ("pytest tests/test_a.py", "tests/test_a.py: no apps", "pytest tests/test_b.py"),
        ("echo 'open", "unexpected EOF", "echo open"),
    ],
)
def test_another_action_is_not(told: str, error: str, again: str) -> None:
    assert not is_known(told, error, again)


def test_an_edit_is_known_by_its_file_and_a_call_by_what_the_error_names() -> None:
    assert is_known("/a/src/x.py", "Permission denied: x.py", "/b/src/x.py", "Edit")
    assert not is_known("/a/src/x.py", "Permission denied: x.py", "/a/lib/x.py", "Edit")
    call = '{"base": "master", "repo": "shop", "depth": 4}'
    tool = "mcp__hub__open"
    assert is_known(call, "no branch master", '{"base": "master", "repo": "web"}', tool)
    assert not is_known(call, "no branch master", '{"base": "main", "repo": "shop"}', tool)
    assert is_known(call, "depth must not exceed 3", '{"depth": 4}', tool)
    assert not is_known(call, "a timeout", '{"base": "master", "repo": "web"}', tool)


def test_what_worked_as_often_as_it_failed_is_no_mistake() -> None:
    (row,) = rows("make", "no rule")
    assert is_usual(row)
    assert not is_usual(replace(row, worked=1))


@pytest.mark.anyio
async def test_known_mistakes_are_named_and_ordinary_work_is_left_alone() -> None:
    result = bench.Result()
    for part in ("first", "second"):
        for project in sample(bench.projects(part), 4):
            await bench.play(project, "memory:", result)
    assert (result.known, result.ordinary) == (enough(50, 200), enough(256, 1018))
    assert len(result.misses) <= 0.2 * result.known
    assert len(result.false) <= 0.02 * result.ordinary
