"""Code of answers that is run in child processes."""

import os
from pathlib import Path
from typing import Any

import anyio
import pytest

from reflection_mcp.server.application import application_for
from reflection_mcp.server.settings.settings import Settings
from reflection_mcp.server.trials import child_processes as trials
from reflection_mcp.server.trials import trial_child
from reflection_mcp.server.trials.child_processes import ChildProcesses
from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.execution.snippets import findings, snippets_of
from reflection_mcp.tools.ports import Snippet, Trial
from reflection_mcp.tools.reflect.assess import findings_of_execution
from tests.requirements import requirement
from tests.rows import each_row

pytestmark = pytest.mark.anyio


async def run(code: str, *, language: str = "python", **more: Any) -> Trial:
    return await ChildProcesses().run(Snippet(language=language, code=code, **more))


async def judged(answer: str, tmp_path: Path, *, on: bool = True) -> list[Check]:
    settings = Settings(store=str(tmp_path / "r.db"), run_code=on)
    application = application_for(settings, tmp_path)
    services = await application.services()
    found = await findings_of_execution(services, Case(answer=answer))
    await application.close()
    return list(found)


@requirement("run:asked")
async def test_nothing_is_run_unless_the_owner_asks_for_it(tmp_path: Path) -> None:
    answer = "```python\nassert 1 == 2\n```"
    assert await judged(answer, tmp_path, on=False) == []
    assert await judged("no code", tmp_path) == []
    (one,) = await judged(answer, tmp_path)
    assert (one.kind, one.status, one.severity) == ("execution:python", "wrong", "hard")
    assert "assert 1 == 2" in one.why


@requirement("run:asked")
async def test_what_an_answer_says_of_its_own_function_is_tried(tmp_path: Path) -> None:
    code = "def is_even(n):\n    return n % 2 == 0\n"
    (wrong,) = await judged(f"```python\n{code}```\n\n`is_even(3)` returns True.", tmp_path)
    assert (wrong.status, "gives False, not True" in wrong.why) == ("wrong", True)
    (right,) = await judged(f"```python\n{code}is_even(4)  # -> True\n```", tmp_path)
    assert (right.status, "is_even(4)" in right.why) == ("ok", True)


async def test_doctests_are_run_as_they_stand() -> None:
    said = '"""\n    >>> f(2)\n    5\n    >>> f(None)\n    0\n    """'
    code = f"def f(x):\n    {said}\n    return x * 2\n"
    trial = await run(code)
    assert trial.faults == ("f(2) gives '4', not '5'",)
    assert "doctests" in trial.ran


@each_row(
    "code",
    [
        "import socket\nsocket.socket()",
        "import os\nos.system('true')",
        "import subprocess\nsubprocess.run(['true'])",
        "open('/tmp/somewhere-else', 'w')",
        "x = 'a' * 10**10",
        "import module_that_nobody_has",
    ],
)
@requirement("run:limits")
async def test_what_is_refused_proves_nothing(code: str) -> None:
    trial = await run(f"{code}\nassert 1 == 2")
    assert (trial.ran, trial.faults) == ("", ())
    assert "it stops with" in trial.why
    assert "CPU" in trial.limits


@requirement("run:limits")
async def test_the_folder_is_empty_and_gone_afterwards_and_the_environment_is_bare(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SECRET_OF_MINE", "1")
    code = "import os\nopen('own.txt', 'w').close()\nassert os.listdir() == ['own.txt']\n"
    trial = await run(f"{code}assert 'SECRET_OF_MINE' not in os.environ\nassert os.getcwd() == ''")
    assert trial.faults == ("an assert fails: assert os.getcwd() == ''",)


@requirement("run:limits")
async def test_a_child_ends_with_its_time_and_with_the_call() -> None:
    slow = Snippet(language="python", code="while True: pass")
    assert "too long" in (await ChildProcesses(0.2).run(slow)).why
    seen: list[int] = []
    opened = anyio.open_process

    async def noted(*given: Any, **more: Any) -> Any:
        process = await opened(*given, **more)
        seen.append(process.pid)
        return process

    with pytest.MonkeyPatch.context() as patch, anyio.move_on_after(0.2):
        patch.setattr(anyio, "open_process", noted)
        await ChildProcesses().run(slow)
    with pytest.raises(ProcessLookupError):
        os.kill(seen[0], 0)


async def test_too_much_output_ends_a_child() -> None:
    trial = await run("def f(): ...", examples=(("'a' * 300000", "''"),))
    assert trial.faults  # cut to a line
    noisy = "import os\nos.write(1, b'x' * 200_000)"
    assert "too long" in (await run(noisy)).why


@each_row(
    ("language", "code", "fault"),
    [
        ("bash", "if true; then\n  echo 1\n", "syntax error"),
        ("bash", "for f in *; do echo $f; done", ""),
        ("javascript", "function f() {", "Unexpected end of input"),
        ("javascript", "const a = 1;", ""),
        ("javascript", "import a from 'a';\nawait a();", ""),
    ],
)
async def test_shell_and_javascript_are_parsed_and_not_run(
    language: str, code: str, fault: str
) -> None:
    trial = await run(code, language=language)
    if "not installed" in trial.why:
        pytest.skip(trial.why)
    assert fault in "".join(trial.faults)
    assert bool(trial.faults) is bool(fault)


async def test_a_piece_of_javascript_is_not_called_wrong() -> None:
    trial = await run("render() { return <b>1</b> }", language="javascript")
    assert trial.faults == ()
    assert trial.why


async def test_a_program_that_is_missing_or_stopped_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(trials, "which", dict[str, str]().get)
        assert (await run("x", language="bash")).why == "bash is not installed"
    with monkeypatch.context() as patch:
        patch.setattr(trials, "PROGRAMS", {"bash": ("tail", "-f")})
        stopped = await ChildProcesses(0.3).run(Snippet(language="bash", code="x"))
        assert "too long" in stopped.why
        patch.setattr(trials, "PROGRAMS", {"bash": ("false", "-n")})
        assert (await run("x", language="bash")).faults == ("false -n ended with 1",)


def test_what_the_child_does_with_code() -> None:
    assert trial_child.tried("def f():\n    assert 1 == 2\nf()\n", [])["faults"] == [
        "an assert fails: assert 1 == 2"
    ]
    told = trial_child.tried("def f(x): return x\n", [["f(1)", "2"], ["f()", "1"], ["f(3)", "3"]])
    assert told["faults"] == ["f(1) gives 1, not 2"]
    assert told["ran"] == "f(1), f(3)"
    assert trial_child.tried("raise AssertionError", [])["faults"]
    assert trial_child.tried("exec('assert 0')", [])["faults"] == [
        "an assert fails: exec('assert 0')"
    ]


@each_row(
    ("answer", "languages"),
    [
        ("```bash\nls\n```", ["bash"]),
        ("```bash\n$ ls\nfile\n```", []),
        ("```bash\nrm <file>\n```", []),
        ("```sh\n\n```\n```bash\nls", []),
        ("```js\nlet a = 1\n```", ["javascript"]),
        ("```python\nx = 1\n```", []),
        ("```python\nassert f(\n```", []),
        ("```python\ndef f(): ...\n```\n`f()` returns what you want. `g()` is 1.", []),
        ("```python\ndef f(): ...\nf()  # None\n```", ["python"]),
        ("```ruby\nputs 1\n```", []),
    ],
)
def test_what_can_be_run_is_chosen(answer: str, languages: list[str]) -> None:
    assert [one.language for one in snippets_of(Case(answer=answer))] == languages


def test_what_was_run_is_said() -> None:
    snippet = Snippet(language="bash", code="ls")
    (ran,) = findings([snippet], [Trial(ran="bash -n", limits="5 s of CPU")])
    assert (ran.status, ran.why) == ("ok", "Ran bash -n (5 s of CPU).")
    (not_run,) = findings([snippet], [Trial(why="bash is not installed")])
    assert (not_run.status, not_run.why) == ("unchecked", "Not run: bash is not installed.")
