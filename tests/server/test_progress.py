"""Progress of long commands: on a real terminal, at its width, and nowhere else."""

import gzip
import io
import json
import os
import re
from collections.abc import Iterator
from contextlib import redirect_stderr
from pathlib import Path

import pytest

from reflection_mcp.server import cli
from reflection_mcp.server.commands.progress import Progress
from reflection_mcp.store.contract import Store
from tests.contract.samples import learned, met
from tests.learning.test_signature_renewal import OLD
from tests.requirements import requirement
from tests.server.test_commands import SHOP, Fill, Run, fill, location, run, two_lessons
from tests.server.test_commands_transcripts import records, written

__all__ = ["fill", "location", "run"]

pytestmark = pytest.mark.skipif(not hasattr(os, "openpty"), reason="no pseudo-terminals here")
CLEAR = "\r\x1b[K"
END = "\x00"  # nothing else writes it


class Screen:
    """A real terminal: what is written to it, and how wide it is."""

    def __init__(self) -> None:
        self._reads, writes = os.openpty()
        self.stream = os.fdopen(writes, "w", encoding="utf-8")

    def widen(self, columns: int) -> None:
        """Give it a width; without one nobody knows it."""
        import fcntl
        import struct
        import termios

        size = struct.pack("HHHH", 24, columns, 0, 0)
        fcntl.ioctl(self.stream.fileno(), termios.TIOCSWINSZ, size)

    def drawn(self) -> list[str]:
        """The lines that were drawn, one over the other, since the last look."""
        print(END, end="", file=self.stream, flush=True)
        text = ""
        while END not in text:
            text += os.read(self._reads, 65_536).decode()
        return text.removesuffix(END).split(CLEAR)

    def close(self) -> None:
        """Close both ends."""
        self.stream.close()
        os.close(self._reads)


@pytest.fixture
def screen() -> Iterator[Screen]:
    one = Screen()
    yield one
    one.close()


def main(screen: Screen, *argv: str) -> None:
    """Run a command whose messages go to the terminal."""
    with redirect_stderr(screen.stream):
        assert cli.main(argv) == 0


def stages(screen: Screen) -> list[str]:
    """What was done, as the terminal was told, in its order; the line is cleared at the end."""
    before, *lines, last = screen.drawn()
    assert before == ""
    assert not last.startswith(("reading", "importing", "deleting"))
    return [re.split(r" \[| \d", line)[0] for line in lines if line]


@requirement("overview:progress")
@pytest.mark.parametrize(
    ("command", "told"),
    [
        (["export", "--output", "{folder}/lessons.jsonl"], ["exporting"]),
        (["import", "{folder}/given.md"], ["importing"]),
        (
            ["consolidate"],
            ["reading", "looking for duplicates", "looking for contradictions", "writing"],
        ),
        (["forget", "--all", "--yes"], ["reading", "deleting"]),
        (["list", "--outcome", "timeout"], ["reading"]),
        (["errors"], ["reading"]),
        (["forget", "ref-yaml", "--yes"], ["reading", "deleting"]),
        (["prune", "--max-entries", "1", "--yes"], ["reading", "deleting"]),
        (["learn", "{folder}/session.jsonl"], ["reading session.jsonl", "comparing"]),
    ],
)
def test_a_command_that_may_take_long_says_how_far_it_is(
    run: Run, fill: Fill, screen: Screen, tmp_path: Path, command: list[str], told: list[str]
) -> None:
    async def lessons(store: Store) -> None:
        await two_lessons(store)
        twin = learned(
            "twin", lesson="The yaml module comes from PyYAML", scope=SHOP,
            error_type="ModuleNotFoundError",
        )  # fmt: skip
        await store.record(SHOP, met(twin, "twin"))

    fill(lessons)
    (tmp_path / "given.md").write_text("## new\n\n### lesson\n\nClose the file first.\n")
    written(tmp_path, *records())
    main(screen, *(part.format(folder=tmp_path) for part in command))
    seen = stages(screen)
    assert [each for each in dict.fromkeys(seen) if each in told] == told


def test_signatures_are_renewed_under_a_bar_for_each_project(location: str, screen: Screen) -> None:
    Path(location).parent.mkdir(mode=0o700)
    Path(location).write_bytes(gzip.decompress(OLD.read_bytes()))
    main(screen, "doctor", "--rekey")
    assert [*dict.fromkeys(stages(screen))] == ["reading shop", "reading global"]


def test_an_import_from_a_pipe_is_counted_without_a_bar(
    run: Run, fill: Fill, screen: Screen, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(two_lessons)
    line = json.dumps(
        {"id": "ref-new", "kind": "reflection", "signature": "sig1:new", "lesson": "Close it.",
         "first_seen": "2026-11-21T08:00:00Z", "source": "ann"}
    )  # fmt: skip
    reads, writes = os.pipe()
    os.write(writes, f"{line}\n".encode())
    os.close(writes)
    with os.fdopen(reads) as pipe:
        monkeypatch.setattr("sys.stdin", pipe)
        main(screen, "import", "-")
    assert stages(screen)[0] == "importing"


def test_a_bar_is_drawn_over_itself_and_goes_away(screen: Screen) -> None:
    times = iter([0.0, 0.0, 0.05, 1.0, 1.0])
    with Progress("reading", 10, screen.stream, clock=lambda: next(times)) as progress:
        progress(0)
        progress(4)
        progress(5)
    assert screen.drawn() == [
        "", f"reading [{'.' * 30}] 0 of 10", f"reading [{'#' * 15}{'.' * 15}] 5 of 10", "",
    ]  # fmt: skip


def test_each_part_of_the_work_is_told_when_it_begins(screen: Screen) -> None:
    with Progress("", None, screen.stream, clock=lambda: 0.0) as progress:
        progress.stage("reading", 2)(1)
        progress.stage("writing", 1)
    lines = [line.partition("]")[0].rstrip(".") for line in screen.drawn()]
    assert lines == ["", "reading [", "writing [", ""]


def test_bytes_are_told_as_megabytes(screen: Screen) -> None:
    Progress("reading", 4_000_000, screen.stream, is_size=True)(1_500_000)
    assert screen.drawn()[-1].endswith("] 1.5 of 4.0 MB")


def test_a_line_is_no_longer_than_the_terminal_is_wide(screen: Screen) -> None:
    screen.widen(20)
    Progress("reading a name that is long", 4, screen.stream)(1)
    assert screen.drawn() == ["", "reading a name that"]


def test_without_a_total_it_counts_and_without_a_person_it_is_silent(screen: Screen) -> None:
    Progress("reading", None, screen.stream)(1500)
    assert screen.drawn() == ["", "reading 1,500"]
    log = io.StringIO()
    with Progress("reading", None, log) as progress:
        progress(1)
        progress.stage("writing", 3)
    assert log.getvalue() == ""
    with Progress("reading", None, screen.stream):
        """Nothing is done, nothing is drawn."""
    assert screen.drawn() == [""]
