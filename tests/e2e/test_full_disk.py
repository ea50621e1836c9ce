"""A disk that is full, for real: what was not kept is said before everything else."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp_types import CallToolResult, TextContent

from reflection_mcp.server.app import build
from reflection_mcp.server.application import Application
from reflection_mcp.server.settings.settings import Settings
from tests.requirements import requirement
from tests.store.faults import files_limited_to

pytestmark = pytest.mark.anyio

LESSON = {
    "question": "Fix the import",
    "answer": "done",
    "error": "ModuleNotFoundError: No module named 'yaml'",
    "outcome": "success",
    "lesson": "The package that provides yaml is called PyYAML.",
}
DRAFT = {"question": "What do 15 pens at 12.99 cost?", "draft": "15 x 12.99 = 195.00"}


class Disk:
    """A small disk that can be filled to its last byte, and emptied again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._filler = folder / "filler"

    def fill(self) -> None:
        with suppress(OSError), self._filler.open("wb", buffering=0) as filler:
            while filler.write(bytes(4096)):
                pass

    def empty(self) -> None:
        self._filler.unlink()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """A disk of 2 MB in memory, which only the superuser can have."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = "mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)
    if not shutil.which("mount") or subprocess.run(command, check=False).returncode:
        pytest.skip("only root may mount a disk; everybody runs the test with a file-size limit")
    yield Disk(folder)
    subprocess.run(["umount", str(folder)], check=True)


def client(folder: Path) -> Client:
    settings = Settings(store=str(folder / "kept" / "store.db"))
    return Client(build(Application(settings=settings, project="shop")))


async def summary(client: Client, tool: str, arguments: dict[str, Any]) -> str:
    """What a result says first, which is the same in both views."""
    result: CallToolResult = await client.call_tool(tool, arguments)
    assert not result.is_error
    assert result.structured_content is not None
    (text,) = (part.text for part in result.content if isinstance(part, TextContent))
    said = str(result.structured_content["summary"])
    assert text.splitlines()[0] == said
    return said


@requirement("errors:store-fails")
async def test_on_a_full_disk_what_was_not_kept_is_said_first(disk: Disk) -> None:
    async with client(disk.folder) as opened:
        assert "kept" not in await summary(opened, "reflect", LESSON)
        disk.fill()
        lost: dict[str, str] = {}
        for number in range(3):
            lost = LESSON | {"question": f"{number}", "lesson": f"Number {number} is the lesson."}
            told = await summary(opened, "reflect", lost)
            assert told.startswith("Nothing was stored: no space left on the disk. ")
        told = await summary(opened, "answer_with_reflection", DRAFT)
        assert told.startswith("Nothing was stored: no space left on the disk. Not done")
        refused = await opened.call_tool("record_feedback", {"feedback": "positive"})
        assert refused.is_error
        disk.empty()
        assert "kept" not in await summary(opened, "reflect", lost)


async def test_on_a_disk_that_was_full_from_the_start_it_is_said_too(disk: Disk) -> None:
    disk.fill()
    async with client(disk.folder) as opened:
        for tool, arguments in (("reflect", LESSON), ("answer_with_reflection", DRAFT)):
            assert (await summary(opened, tool, arguments)).startswith("Nothing was stored: ")


async def test_beyond_the_limit_of_a_file_what_was_not_kept_is_said_first(tmp_path: Path) -> None:
    async with client(tmp_path) as opened:
        assert "kept" not in await summary(opened, "reflect", LESSON)
        size = (tmp_path / "kept" / "store.db").stat().st_size
        log = (tmp_path / "kept" / "store.db-wal").stat().st_size
        with files_limited_to(min(size, log)):
            lost = LESSON | {"question": "again", "lesson": "Another lesson of this."}
            told = await summary(opened, "reflect", lost)
            assert told.startswith("Nothing was stored: the system refused to write the store")
            told = await summary(opened, "answer_with_reflection", DRAFT)
            assert told.startswith("Nothing was stored: the system refused to write the store")


@pytest.mark.parametrize("place", ["a file in the way", "a folder in its place"])
async def test_at_a_place_that_cannot_be_it_is_said_first(tmp_path: Path, place: str) -> None:
    if place == "a file in the way":
        (tmp_path / "kept").touch()
    else:
        (tmp_path / "kept" / "store.db").mkdir(parents=True)
    async with client(tmp_path) as opened:
        for tool, arguments in (("reflect", LESSON), ("answer_with_reflection", DRAFT)):
            assert (await summary(opened, tool, arguments)).startswith(
                "Nothing was stored: the store "
            )
        bare = await summary(
            opened, "reflect", {"question": "2 + 2?", "answer": "It is 2 + 2 = 5."}
        )
        assert bare.startswith("1 proven fault"), "nothing was handed in to be kept"
