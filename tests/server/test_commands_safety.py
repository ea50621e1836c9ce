"""What a careless or hostile user of the command line meets: a sentence, and nothing is lost."""

import io
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import anyio
import pytest

from reflection_mcp.server import cli
from reflection_mcp.store.contract import Store
from reflection_mcp.store.maintenance import StoredReflection
from reflection_mcp.store.open import open_store
from tests.contract.samples import learned, met
from tests.server.test_commands import SHOP, Fill, Run, fill, location, nothing, run, two_lessons

__all__ = ["fill", "location", "run"]

NEEDS_A_STORE = [
    ["list"], ["today"], ["edit", "ref-1"], ["show", "ref-1"], ["search", "yaml"], ["stats"],
    ["export"], ["consolidate"], ["prune", "--yes"], ["forget", "--all", "--yes"],
]  # fmt: skip


# --------------------------------------------------------------------- where the store is


@pytest.mark.parametrize("command", NEEDS_A_STORE, ids=lambda command: command[0])
def test_a_mistyped_path_is_said_and_no_store_is_made_there(
    run: Run, tmp_path: Path, command: list[str]
) -> None:
    wrong = tmp_path / "stroe" / "r.db"
    told = f"there is no store at {wrong} (no such file or directory): correct the path (flag)"
    assert run(*command, "--store", str(wrong), code=2, said=told) == ""
    assert not wrong.parent.exists()


def test_where_the_mistyped_path_comes_from_is_said(run: Run) -> None:
    run("list", code=2, said="correct the path (environment REFLECTION_STORE)")


def test_who_has_no_store_yet_is_told_when_it_is_made(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("REFLECTION_STORE")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    run("export", code=2, said="it is created when something is first learned or imported")


@pytest.mark.parametrize("command", [["list"], ["stats"], ["search", "yaml"], ["today"]])
def test_who_looks_before_the_first_use_is_told_that_nothing_is_stored_yet(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, command: list[str]
) -> None:
    monkeypatch.delenv("REFLECTION_STORE")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    run(*command, said="nothing stored yet")
    assert json.loads(run(*command, "--json", said="nothing stored yet")) is not None
    assert not (tmp_path / "data").exists()


def test_a_path_of_several_lines_is_told_on_one(run: Run, tmp_path: Path) -> None:
    run("list", "--store", f"{tmp_path}/a\nb.db", code=2, said="/a\\nb.db' (no such file")


def test_a_store_in_memory_is_always_there(run: Run) -> None:
    assert run("list", "--json", "--store", "memory:") == "[]\n"


def test_a_folder_is_no_store_and_is_named(run: Run, tmp_path: Path) -> None:
    told = f"the store is not a plain file ({tmp_path}): set"
    run("list", "--store", str(tmp_path), code=2, said=told)


# --------------------------------------------------------------------- numbers


@pytest.mark.parametrize(
    "flags",
    [
        ["list", "--limit", "-1"],
        ["search", "x", "--limit", "-1"],
        ["prune", "--max-entries", "-1"],
        ["list", "--min-importance", "nan"],
        ["list", "--min-importance", "1.5"],
        ["list", "--limit", "many"],
    ],
)
def test_a_number_out_of_bounds_is_refused(
    flags: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(flags)
    assert ended.value.code == 2
    assert flags[-2] in capsys.readouterr().err


def test_zero_is_no_limit(run: Run, fill: Fill) -> None:
    async def many(store: Store) -> None:
        for number in range(450):
            await store.record(SHOP, met(learned(f"{number}", scope=SHOP), f"e{number}"))

    fill(many)
    assert len(json.loads(run("list", "--json", "--limit", "0"))) == 450
    assert len(json.loads(run("list", "--json"))) == 20
    found = [json.loads(run("search", "lesson", "--json", "--limit", n)) for n in ("0", "1")]
    assert (len(found[0]) > 10, len(found[1])) == (True, 1)


# --------------------------------------------------------------------- files


def test_an_export_never_replaces_the_store_itself(run: Run, fill: Fill, location: str) -> None:
    fill(two_lessons)
    for end in ("", "-wal", ".gate"):
        run("export", "--output", f"{location}{end}", code=2, said="that file is the store itself")
    assert len(json.loads(run("list", "--json"))) == 2


def test_an_export_writes_through_a_link_and_into_a_pipe(
    run: Run, fill: Fill, tmp_path: Path
) -> None:
    fill(two_lessons)
    link, target, pipe = tmp_path / "link.jsonl", tmp_path / "target.jsonl", tmp_path / "pipe"
    link.symlink_to(target)
    run("export", "--output", str(link))
    assert link.is_symlink()
    os.mkfifo(pipe)
    with subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE) as reader:
        run("export", "--output", str(pipe))
        assert reader.communicate(timeout=60)[0] == target.read_bytes()
    assert pipe.is_fifo()


def test_a_folder_is_no_file_to_export_to(run: Run, fill: Fill, tmp_path: Path) -> None:
    fill(two_lessons)
    for name in (str(tmp_path), f"{tmp_path}/", ""):
        run("export", "--output", name, code=2, said="the file cannot be written (Is a directory)")


def test_a_file_in_another_encoding_is_refused_and_nothing_of_it_is_kept(
    run: Run, tmp_path: Path
) -> None:
    file = tmp_path / "latin.md"
    file.write_bytes("## x\n\n### lesson\n\nDas Café schließt.\n".encode("latin-1"))
    run("import", str(file), code=2, said="the file is not UTF-8 text")
    assert run("list", said="nothing found") == ""


def test_a_file_from_an_editor_that_ends_lines_its_own_way_is_read(
    run: Run, tmp_path: Path
) -> None:
    text = "## x\r\n\r\n### Lesson:\r\n\r\nWear a hat.\r\n\r\n### strategy \r\n\r\nBuy one.\r\n"
    file = tmp_path / "windows.md"
    file.write_bytes(b"\xef\xbb\xbf" + text.encode())
    run("import", str(file))
    (row,) = json.loads(run("list", "--json"))
    assert (row["lesson"], row["strategy"]) == ("Wear a hat.", "Buy one.")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("## x\n\nWear a hat.\n", "line 3 cannot be read: it is in no section"),
        ("## x\n\n### lessons\n\nWear a hat.\n", "line 3 cannot be read: it is in no section"),
        ("## x\n\n### lesson\n\nHat.\n\n##y\n", "line 7 cannot be read: an entry has no name"),
    ],
)
def test_what_would_be_left_out_of_a_hand_written_file_is_refused(
    run: Run, tmp_path: Path, text: str, says: str
) -> None:
    file = tmp_path / "odd.md"
    file.write_text(text)
    run("import", str(file), code=2, said=says)


# --------------------------------------------------------------------- the console


def printed(
    store: str, *argv: str, encoding: str = "ascii"
) -> "subprocess.CompletedProcess[bytes]":
    """A command in a process of its own, on a console of its own."""
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("REFLECTION_")
    }
    return subprocess.run(
        [sys.executable, "-m", "reflection_mcp.server", *argv, "--project", "shop"],
        env={**environment, "REFLECTION_STORE": store, "PYTHONIOENCODING": encoding},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=60,
        check=False,
    )


def test_a_console_without_a_letter_gets_it_spelled_and_programs_get_utf_8(
    tmp_path: Path,
) -> None:
    store, lesson = str(tmp_path / "r.db"), "The café closes “early”."

    async def work() -> None:
        opened = await open_store(store)
        await opened.record(SHOP, met(learned("cafe", lesson=lesson, scope=SHOP), "e1"))
        await opened.close()

    anyio.run(work)
    assert rb"\u201cThe caf\xe9 closes " in printed(store, "list").stdout
    assert json.loads(printed(store, "list", "--json").stdout)[0]["lesson"] == lesson
    assert lesson.encode() in printed(store, "export").stdout


def test_a_console_that_is_no_stream_of_bytes_is_left_as_it_is(
    run: Run, fill: Fill, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(nothing)
    console = io.StringIO()
    monkeypatch.setattr(sys, "stdout", console)
    assert cli.main(["list", "--json"]) == 0
    assert console.getvalue() == "[]\n"


def test_an_interrupt_ends_long_work_with_one_line_and_no_half_a_file(
    run: Run, fill: Fill, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from reflection_mcp.store import archive

    fill(two_lessons)
    line_of = archive.line_of

    def interrupted(row: StoredReflection) -> str:
        signal.raise_signal(signal.SIGINT)
        return line_of(row)

    monkeypatch.setattr(archive, "line_of", interrupted)
    run("export", "--output", str(tmp_path / "all.jsonl"), code=130, said="interrupted")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["none.toml", "store"]
