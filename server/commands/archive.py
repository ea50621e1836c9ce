"""`export` and `import`: lessons as files.

Rule: an export is written beside its destination and put in place when it is whole, so that a file
in git is never half a file. An import is cleaned row by row (`file_import`), merged by signature,
and changes nothing when it is repeated; one that cannot go on keeps what came before, and says so.
"""

import argparse
import os
import stat
import sys
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Literal, TextIO

from reflection_mcp.server.commands.place import Place
from reflection_mcp.server.settings.private_file import replacing
from reflection_mcp.server.wording import counted
from reflection_mcp.store import archive, archive_markdown
from reflection_mcp.store.errors import StoreError
from reflection_mcp.store.maintenance import Adopted, StoredReflection
from reflection_mcp.store.open import file_of
from reflection_mcp.store.records import Kind
from reflection_mcp.tools.errors import InvalidInput
from reflection_mcp.tools.learning import file_import
from reflection_mcp.tools.learning.stored_rows import PAGE, rows_of
from reflection_mcp.tools.untrusted import StoredText, escaped

WRONG = 1
Format = Literal["jsonl", "markdown"]


async def export_lessons(place: Place, arguments: argparse.Namespace) -> int:
    """`export`: every row of the project, in the order of the ids."""
    form = _format(arguments.format, arguments.output)
    written: Counter[Kind] = Counter()
    with (
        _written(arguments.output, file_of(place.settings.store)) as stream,
        place.progress() as progress,
    ):
        stream.write(_beginning(form, place))
        async for row in rows_of(place.store, place.scope, progress.stage, "exporting"):
            stream.write(f"{_entry(form, row, to_a_terminal=stream.isatty())}\n")
            written[row.reflection.kind] += 1
    if arguments.output and place.as_json:
        place.give({"exported": written.total(), "file": arguments.output})
    elif arguments.output:
        lessons, strategies = written["reflection"], written["strategy"]
        rules = f" and {counted(strategies, 'strategy')}" if strategies else ""
        place.say(f"{counted(lessons, 'lesson')}{rules} written to {arguments.output}")
    return 0


def _entry(form: Format, row: StoredReflection, *, to_a_terminal: bool) -> str:
    """A row in the form asked for. A terminal would obey what only a machine reads, and a reader of
    it would take a line of a lesson for one of ours: there texts are quoted line by line."""
    if form == "jsonl":
        return escaped(archive.line_of(row))
    said = stored_line if to_a_terminal else str
    return archive_markdown.entry_of(row, said)


def stored_line(text: str) -> str:
    """A line or a fact of a stored text as a quotation; an empty one stays empty."""
    return f"{StoredText(text)}" if text.strip() else ""


def _beginning(form: Format, place: Place) -> str:
    make = archive.header if form == "jsonl" else archive_markdown.header
    return f"{make(place.scope)}\n"


@contextmanager
def _written(name: str | None, store: Path | None) -> Generator[TextIO]:
    """A stream that becomes the file when everything was written; a device or a pipe is written to
    as it is."""
    if name in (None, "-"):
        yield sys.stdout
        return
    path = Path(os.path.realpath(name))  # what a link leads to is replaced, not the link
    if store is not None and _belongs_to(path, store):
        raise InvalidInput("that file is the store itself", "pass another path")
    special = path.exists() and not path.is_file()
    try:
        with path.open("w", encoding="utf-8") if special else replacing(path) as stream:
            yield stream
    except OSError as failure:
        raise InvalidInput(
            f"the file cannot be written ({failure.strerror})", "pass another path"
        ) from failure


def _belongs_to(path: Path, store: Path) -> bool:
    """Whether a file is one of those that make up a store."""
    real = Path(os.path.realpath(store))
    if path.parent != real.parent:
        return False
    end = path.name.removeprefix(real.name)
    return path.name.startswith(real.name) and end in ("", "-wal", "-shm", ".gate")


async def import_lessons(place: Place, arguments: argparse.Namespace) -> int:
    """`import`: merge the rows of a file, a page in one transaction.

    Trouble in the middle of it ends it there: what came before stays, and both are said.
    """
    form = _format(arguments.format, arguments.file)
    done, empty, trouble = Adopted(), 0, None
    try:
        with (
            _read(arguments.file) as (lines, size),
            place.progress("importing", size, is_size=size is not None) as progress,
        ):
            progress(0)
            for page, skipped in _pages(_rows(form, lines, place), place):
                empty += skipped
                done += await place.store.adopt(place.scope, page, by_hand=form == "markdown")
                progress(_met(done) if size is None else lines.buffer.tell())
    except (InvalidInput, StoreError) as failure:
        if not _met(done):
            raise
        trouble = failure
    if place.as_json:
        stopped = {"stopped_because": trouble.message} if trouble else {}
        place.give({**asdict(done), "empty": empty, **stopped})
    else:
        summary = f"{done.created:,} new, {done.changed:,} merged, {done.unchanged:,} already known"
        place.say(summary + (f", {empty:,} empty and left out" if empty else ""))
    if trouble is None:
        return 0
    kept = (
        f"imported before that: {counted(_met(done), 'lesson')}; "
        "importing the file again does not count them twice"
    )
    place.talk(f"reflection-mcp: {trouble.message}: {trouble.hint}; {kept}")
    return WRONG


def _met(done: Adopted) -> int:
    """How many rows of a file are in the store."""
    return done.created + done.changed + done.unchanged


def _rows(form: Format, lines: Iterable[str], place: Place) -> Iterator[StoredReflection]:
    if form == "jsonl":
        return archive.rows_of_lines(lines)
    return archive_markdown.rows_of_markdown(lines, place.services.clock())


def _pages(
    rows: Iterator[StoredReflection], place: Place
) -> Iterator[tuple[list[StoredReflection], int]]:
    """Cleaned rows by the page, with the number of those that held nothing.

    Where a file cannot be read any further, the page that was begun comes before the failure.
    """
    page: list[StoredReflection] = []
    skipped = 0
    try:
        for row in rows:
            try:
                page.append(file_import.clean_row(row, place.services.limits))
            except file_import.EmptyRow:
                skipped += 1
            if len(page) == PAGE:
                yield page, skipped
                page, skipped = [], 0
    except (archive.UnreadableLine, UnicodeDecodeError, OSError):
        yield page, skipped
        raise
    yield page, skipped


@contextmanager
def _read(name: str) -> Generator[tuple[TextIO, int | None]]:
    """The lines of a file, and its size in bytes if it has one."""
    source = sys.stdin.fileno() if name == "-" else name
    try:
        with open(source, encoding="utf-8-sig", newline="\n", closefd=name != "-") as stream:
            known = os.fstat(stream.fileno())
            yield stream, known.st_size if stat.S_ISREG(known.st_mode) else None
    except OSError as failure:
        raise InvalidInput(
            f"the file cannot be read ({failure.strerror})", "pass the path of a file"
        ) from failure
    except UnicodeDecodeError as failure:
        raise InvalidInput(
            "the file is not UTF-8 text", "save it as UTF-8 and import again"
        ) from failure
    except archive.UnreadableLine as wrong:
        raise InvalidInput(
            f"line {wrong.line} cannot be read: {wrong.reason}", "correct it and import again"
        ) from wrong


def _format(asked: Format | None, name: str | None) -> Format:
    """The form that was asked for, else what the name says, else JSON Lines."""
    if asked is not None:
        return asked
    return "markdown" if name is not None and name.endswith((".md", ".markdown")) else "jsonl"
