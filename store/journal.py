"""The undo journal of a project: undoes its last consolidation; a file beside the store.

Rules: each project has a file of its own (`….undo`, mode 0600, JSON Lines: a row before, a row
after), which is put in place before the plan is applied, so that a crash in between cannot leave a
change that nothing undoes. Its date says when a consolidation of the project last ran, also one
that found nothing to do. What is deleted for good is taken out of it, too. A store in PostgreSQL
keeps the same lines in a row (`postgres/journal.py`); any other that is no file has no journal:
nothing is remembered.
"""

import json
import os
from collections.abc import Callable, Collection, Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field
from datetime import UTC, datetime
from pathlib import Path

from reflection_mcp.store.errors import StoreCorrupt, StoreUnavailable
from reflection_mcp.store.maintenance import Change, placed
from reflection_mcp.store.record import record
from reflection_mcp.store.records import Scope

ENDING = ".undo"


def journal_beside(store: Path | None, scope: Scope) -> "Journal":
    """The journal of a scope, beside the file of its store."""
    # No name of a project or tenant holds an @.
    own = f"{scope.project}@{scope.tenant}{ENDING}"
    return Journal(
        path=None if store is None else store.with_name(f"{store.name}.{own}"), scope=scope
    )


def journal_of(store: object, file: Path | None, scope: Scope) -> "Journal":
    """The journal of a scope: the store's own, if it has one, else that beside its file."""
    own: Callable[[Scope], Journal] | None = getattr(store, "journal", None)
    return journal_beside(file, scope) if own is None else own(scope)


@record(frozen=True, slots=True, kw_only=True)
class Journal:
    """The journal of one scope; its methods raise nothing but a `StoreError`."""

    path: Path | None = None
    scope: Scope = field(default_factory=Scope)

    @property
    def kept(self) -> bool:
        """True if the store has a journal."""
        return self.path is not None

    async def write(self, changes: Sequence[Change]) -> None:
        """Store what these changes undo, in place of what was there before."""
        if self.path is None:
            return
        with _writing(self.path):
            partial = self.path.with_name(f"{self.path.name}.partial")
            descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
                stream.write(f"{self._head()}\n")
                stream.writelines(lines_of(changes))
                stream.flush()
                os.fsync(stream.fileno())
            partial.replace(self.path)

    async def read(self) -> list[Change]:
        """The changes that undo the last consolidation; none if there was none.

        Raises:
            StoreCorrupt: the file cannot be read.
        """
        try:
            return [change.reversed for change in await self._changes()]
        except (OSError, ValueError) as damage:
            where = self.path or "database"
            raise StoreCorrupt(
                f"the undo of the last consolidation cannot be read: {where}",
                "restore it from a backup; the lessons were not changed",
            ) from damage

    async def leave_out(self, ids: Collection[str]) -> None:
        """Take out rows that were deleted for good; the date stays.

        A file that cannot be read undoes nothing, and nobody knows what it holds: it is removed.
        """
        if self.path is None or not self.path.is_file():
            return
        with _writing(self.path):
            ran = self.path.stat()
            try:
                changes = list(await self._changes())
            except ValueError:
                self.path.unlink()
                return
            left = [change for change in changes if change.before.reflection.id not in ids]
            if len(left) < len(changes):
                await self.write(left)
                os.utime(self.path, ns=(ran.st_atime_ns, ran.st_mtime_ns))

    async def mark_run(self) -> None:
        """Note that a consolidation runs now; what undoes the last one stays."""
        if self.path is None:
            return
        if self.path.exists():
            with _writing(self.path):
                self.path.touch()
        else:
            await self.write(())

    async def last_run(self) -> datetime | None:
        """The time at which a consolidation last ran, or None."""
        if self.path is None:
            return None
        try:
            return datetime.fromtimestamp(self.path.stat().st_mtime, UTC)
        except OSError:
            return None

    def _head(self) -> str:
        """The first line: a file system that takes Shop for shop gives both the same file."""
        return json.dumps({"tenant": self.scope.tenant, "project": self.scope.project})

    async def _changes(self) -> Sequence[Change]:
        if self.path is None or not self.path.exists():
            return ()
        head, *lines = self.path.read_text(encoding="utf-8").splitlines()
        changes = changes_in(lines, self.scope)
        return changes if head == self._head() else ()


def lines_of(changes: Sequence[Change]) -> Iterator[str]:
    """Each change in two lines: a row before, and after."""
    from reflection_mcp.store import archive  # seldom

    for change in changes:
        yield f"{archive.line_of(change.before)}\n"
        yield f"{archive.line_of(change.after)}\n"


def changes_in(lines: Sequence[str], scope: Scope) -> Sequence[Change]:
    """The changes of a scope that some lines hold.

    Raises:
        ValueError: they hold something else.
    """
    from reflection_mcp.store import archive

    rows = [placed(scope, row) for row in archive.rows_of_lines(lines)]
    pairs = zip(rows[::2], rows[1::2], strict=True)
    return [Change(before=before, after=after) for before, after in pairs]


@contextmanager
def _writing(path: Path) -> Generator[None]:
    """Report the system's errors as the store's."""
    try:
        yield
    except OSError as error:
        reason = (error.strerror or "refused by the system").lower()
        raise StoreUnavailable(
            f"the undo of a consolidation cannot be written ({reason}): {path}",
            "free some space or give write permission; without it nothing is consolidated",
        ) from error
