"""The command line: what it prints where, and how it exits."""

import errno
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from inspect import unwrap
from pathlib import Path

import pytest

from reflection_mcp.server import cli
from reflection_mcp.server.settings.places import here
from reflection_mcp.server.settings.settings import load
from reflection_mcp.tools.errors import InvalidInput
from tests.forked import ran

pytestmark = pytest.mark.costly

ENVIRONMENT = {
    name: value for name, value in os.environ.items() if not name.startswith("REFLECTION_")
}


def run(tmp_path: Path, *arguments: str, **settings: str) -> "subprocess.CompletedProcess[str]":
    """The command in a process of its own, with a store in `tmp_path`."""
    return ran(
        ["reflection_mcp.server", *arguments],
        cwd=tmp_path,
        env={**ENVIRONMENT, "REFLECTION_STORE": str(tmp_path / "store.db"), **settings},
    )


@pytest.fixture
def alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No setting of the user reaches this process; its store is in `tmp_path`."""
    for name in os.environ.keys() - ENVIRONMENT.keys():
        monkeypatch.delenv(name)
    monkeypatch.setenv("REFLECTION_STORE", str(tmp_path / "store.db"))


def test_without_a_sub_command_it_serves_until_its_input_ends(tmp_path: Path) -> None:
    done = run(tmp_path, XDG_CACHE_HOME=str(tmp_path / "cache"))  # without a snapshot
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.usefixtures("alone")
def test_the_doctor_prints_where_each_setting_comes_from_and_finds_nothing_wrong(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("REFLECTION_TENANT", "acme")
    code, told = cli.main(["doctor"]), capsys.readouterr().out
    assert code == 0, told
    assert "acme  (environment REFLECTION_TENANT)" in told
    assert "everything works" in told


@pytest.mark.usefixtures("alone")
def test_the_doctor_prints_json_that_names_what_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "store.db").write_text("no database at all" * 100)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "fake-key")
    monkeypatch.setenv("REFLECTION_MOOD", "1")
    assert cli.main(["doctor", "--json"]) == 1
    done = capsys.readouterr()
    lines = json.loads(done.out)
    assert [line["part"] for line in lines if line["state"] == "wrong"] == ["Store"]
    assert any("a key is set" in line["value"] for line in lines)
    assert any(line["name"] == "warning" for line in lines)
    assert "fake-key" not in done.out + done.err


def test_the_help_says_what_each_exit_code_means(tmp_path: Path) -> None:
    told = " ".join(run(tmp_path, "--help").stdout.split())
    for code in (
        "0 done",
        "1 problems found",
        "2 nothing done",
        "130 interrupted",
        "143 terminated",
    ):
        assert code in told


def test_a_setting_that_cannot_be_used_is_one_line_and_exit_code_2(tmp_path: Path) -> None:
    done = run(tmp_path, "list", REFLECTION_MODE="sometimes")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "mode" in done.stderr


def test_http_is_refused_on_an_address_that_others_can_reach(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["serve", "--http", "--host", "0.0.0.0"]) == 2
    assert "--host 127.0.0.1" in capsys.readouterr().err


def test_a_reader_that_has_seen_enough_ends_the_command_quietly(tmp_path: Path) -> None:
    command = f'"{sys.executable}" -m reflection_mcp.server stats | true; echo ${{PIPESTATUS[0]}}'
    done = subprocess.run(
        ["bash", "-c", command],
        env={**ENVIRONMENT, "REFLECTION_STORE": "memory:", "PYTHONUNBUFFERED": "1"},
        cwd=tmp_path,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert done.stdout.strip() == "0"
    assert "Traceback" not in done.stderr


def test_an_unknown_sub_command_is_exit_code_2(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["dance"])
    assert ended.value.code == 2
    assert "argument COMMAND: invalid choice: 'dance'" in capsys.readouterr().err


@pytest.mark.usefixtures("alone")
def test_the_doctor_finds_nothing_wrong_where_its_folder_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    code = cli.main(["doctor"])
    assert code == 0, capsys.readouterr().out


def test_a_process_starts_and_works_where_its_folder_is_gone(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    command = f'rmdir "{gone}"; exec "{sys.executable}" -m reflection_mcp.server import -'
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=gone,
        env={**ENVIRONMENT, "REFLECTION_STORE": str(tmp_path / "store.db")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_where_the_folder_is_gone_it_starts_at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    def gone() -> Path:
        raise FileNotFoundError

    monkeypatch.setattr(Path, "cwd", gone)
    assert here() == Path(Path.home().anchor)
    assert load({"store": "/kept/r.db"}, {}, None).store == str(Path("/kept/r.db"))
    with pytest.raises(InvalidInput, match="store"):
        load({"store": "r.db"}, {}, None)


def demo_that(crash: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    """Put this in the place of the demo, in a command line of one's own."""
    monkeypatch.setattr(cli, "_demo", crash)
    monkeypatch.setattr(cli, "parser", unwrap(cli.parser))


def test_one_broken_pipe_is_not_an_error_but_one_among_other_errors_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def of(*failures: Exception) -> None:
        def crash(*_: object, **__: object) -> None:
            raise ExceptionGroup("from a task group", failures)

        demo_that(crash, monkeypatch)

    def nothing(*_: int) -> None:
        """Stands in for a call that would close stdout under pytest."""

    monkeypatch.setattr(os, "dup2", nothing)
    of(BrokenPipeError())
    assert cli.main(["demo"]) == 0
    of(BrokenPipeError(), ValueError())
    with pytest.raises(ExceptionGroup):
        cli.main(["demo"])


def test_an_error_that_nobody_foresaw_keeps_its_traceback(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def crash(*_: object, **__: object) -> None:
        raise ExceptionGroup("two", [ValueError("a"), ValueError("b")])

    demo_that(crash, monkeypatch)
    with pytest.raises(ExceptionGroup):
        cli.main(["demo"])


def test_too_many_open_files_are_said_in_one_line_and_other_trouble_is_a_bug(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def crash_with(number: int) -> None:
        def crash(*_: object, **__: object) -> None:
            raise OSError(number, os.strerror(number))

        demo_that(crash, monkeypatch)

    crash_with(errno.EMFILE)
    assert cli.main(["demo"]) == 2
    assert "too many files are open: raise the limit" in capsys.readouterr().err
    crash_with(errno.EIO)
    with pytest.raises(OSError, match="Input/output"):
        cli.main(["demo"])


# --------------------------------------------------------------------------- a person at a terminal


@pytest.mark.parametrize(
    ("typed", "meant"),
    [(["lst"], "list"), (["docter"], "doctor"), (["list", "--order", "neweast"], "newest")],
)
def test_a_mistyped_word_is_answered_with_the_nearest_one(
    typed: list[str], meant: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(typed)
    assert ended.value.code == 2
    said = f"'{typed[-1]}' is not known; did you mean '{meant}'?"
    assert capsys.readouterr().err.rstrip().endswith(said)


@pytest.mark.parametrize("typed", [["xyzzy"], ["show"], ["list", "--limit", "no"]])
def test_without_a_near_word_the_parser_says_what_it_takes(
    typed: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        cli.main(typed)
    assert "did you mean" not in capsys.readouterr().err


def test_what_a_sub_command_does_not_take_is_refused_with_its_usage(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit):
        cli.main(["export", "lessons.jsonl"])
    said = capsys.readouterr().err
    assert "[--output FILE]" in said
    assert said.endswith("reflection-mcp export: error: unrecognized arguments: lessons.jsonl\n")


def test_the_version_says_whose_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["--version"])
    assert re.fullmatch(r"reflection-mcp \d+\.\d+\.\d+\n", capsys.readouterr().out)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_completion_script_knows_every_sub_command(
    shell: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["completion", shell]) == 0
    script = capsys.readouterr().out
    assert all(name in script for name in ("doctor", "consolidate", "completion"))


def test_typed_at_a_terminal_it_says_what_it_waits_for(tmp_path: Path) -> None:
    terminal, ours = os.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "reflection_mcp", "--project", "shop"],
        env={**ENVIRONMENT, "REFLECTION_STORE": str(tmp_path / "store.db")},
        stdin=ours,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    ) as server:
        assert server.stderr is not None
        assert server.stderr.readline() == cli.AT_A_TERMINAL + "\n"
        server.terminate()
        assert server.wait(timeout=60) == 143
    os.close(ours)
    os.close(terminal)
