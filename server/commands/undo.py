"""The way back from the last consolidation, kept beside the store.

Rules: each project has a file of its own (`….undo`, mode 0600, JSON Lines: a row before, a row
after), which is put in place before the plan is applied, so that a crash in between cannot leave a
change without its way back. Its date says when a consolidation of the project last ran, also one
that found nothing to do. What is deleted for good is taken out of it, too.
"""

import json
import os
from collections.abc import Collection, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from reflection_mcp.store import archive
from reflection_mcp.store.open import file_of
from reflection_mcp.store.records import Scope
from reflection_mcp.store.upkeep import Change, placed
from reflection_mcp.tools.errors import InvalidInput

ENDING = ".undo"


def undo_file(location: str, scope: Scope) -> Path | None:
    """Where the last plan of a project is kept; None for a store that is no file."""
    file = file_of(location)
    # No name of a project or tenant holds an @.
    own = f"{scope.project}@{scope.tenant}{ENDING}"
    return None if file is None else file.with_name(f"{file.name}.{own}")


def remember(path: Path, scope: Scope, changes: Sequence[Change]) -> None:
    """Keep what takes these changes back, in place of what was kept before."""
    partial = path.with_name(f"{path.name}.partial")
    descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        stream.write(f"{_head(scope)}\n")
        for change in changes:
            stream.write(f"{archive.line_of(change.before)}\n{archive.line_of(change.after)}\n")
        stream.flush()
        os.fsync(stream.fileno())
    partial.replace(path)


def remembered(path: Path | None, scope: Scope) -> tuple[Path, list[Change]]:
    """Where it is kept and what takes the last consolidation of this scope back.

    Raises:
        InvalidInput: there is none, it was of another project, or its file cannot be read.
    """
    if path is None or not path.exists():
        raise _nothing()
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        if len(lines) < 2:
            raise _nothing()
        of_this = lines[0] == _head(scope)
        changes = [change.reversed for change in _changes(scope, lines[1:])]
    except (OSError, ValueError) as damage:
        raise InvalidInput(
            f"the way back from the last consolidation cannot be read: {path}",
            "restore that file from a backup; the lessons themselves are not touched",
        ) from damage
    if not of_this:
        raise InvalidInput(
            "the last consolidation was of another project", f"see the first line of {path.name}"
        )
    return path, changes


def leave_out(path: Path | None, scope: Scope, ids: Collection[str]) -> None:
    """Take rows that were deleted for good out of the way back, too; its date stays.

    A file that cannot be read leads back nowhere, and nobody knows what it holds: it is removed.
    """
    if path is None or not path.is_file():
        return
    ran = path.stat()
    try:
        head, *lines = path.read_text(encoding="utf-8").splitlines()
        if head != _head(scope):
            return
        changes = list(_changes(scope, lines))
    except ValueError:
        path.unlink()
        return
    left = [change for change in changes if change.before.reflection.id not in ids]
    if len(left) < len(changes):
        remember(path, scope, left)
        os.utime(path, ns=(ran.st_atime_ns, ran.st_mtime_ns))


def _head(scope: Scope) -> str:
    """Whose it is: a file system that takes Shop for shop gives both the same file."""
    return json.dumps({"tenant": scope.tenant, "project": scope.project})


def _nothing() -> InvalidInput:
    return InvalidInput("there is no consolidation to take back", "run `consolidate` first")


def _changes(scope: Scope, lines: Sequence[str]) -> Iterator[Change]:
    rows = [placed(scope, row) for row in archive.rows_of_lines(lines)]
    for before, after in zip(rows[::2], rows[1::2], strict=True):
        yield Change(before=before, after=after)


def mark_run(path: Path, scope: Scope) -> None:
    """Note that a consolidation runs now; the way back from the last one stays."""
    if path.exists():
        path.touch()
    else:
        remember(path, scope, ())


def last_run(path: Path | None) -> datetime | None:
    """When a consolidation last ran, or None."""
    if path is None or not path.exists():
        return None
    return datetime.fromtimestamp(path.stat().st_mtime, UTC)
