"""The undo journal of a project: what takes its last consolidation back, kept beside the store.

Rules: each project has a file of its own (`….undo`, mode 0600, JSON Lines: a row before, a row
after), which is put in place before the plan is applied, so that a crash in between cannot leave a
change that nothing undoes. Its date says when a consolidation of the project last ran, also one
that found nothing to do. What is deleted for good is taken out of it, too. A store that is no file
has no journal: nothing is remembered.
"""

import json
import os
from collections.abc import Collection, Generator, Iterator, Sequence
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


@record(frozen=True, slots=True, kw_only=True)
class Journal:
    """The journal of one scope; its methods raise nothing but a `StoreError`."""

    path: Path | None = None
    scope: Scope = field(default_factory=Scope)

    @property
    def kept(self) -> bool:
        """True if the store has a journal."""
        return self.path is not None

    def write(self, changes: Sequence[Change]) -> None:
        """Store what these changes undo, in place of what was there before."""
        if self.path is None:
            return
        with _writing(self.path):
            from reflection_mcp.store import archive  # seldom

            partial = self.path.with_name(f"{self.path.name}.partial")
            descriptor = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
                stream.write(f"{self._head()}\n")
                for change in changes:
                    lines = archive.line_of(change.before), archive.line_of(change.after)
                    stream.write("".join(f"{line}\n" for line in lines))
                stream.flush()
                os.fsync(stream.fileno())
            partial.replace(self.path)

    def read(self) -> list[Change]:
        """The changes that undo the last consolidation; none if there was none.

        Raises:
            StoreCorrupt: the file cannot be read.
        """
        try:
            return [change.reversed for change in self._changes()]
        except (OSError, ValueError) as damage:
            raise StoreCorrupt(
                f"the undo file of the last consolidation cannot be read: {self.path}",
                "restore that file from a backup; the lessons were not changed",
            ) from damage

    def leave_out(self, ids: Collection[str]) -> None:
        """Take out rows that were deleted for good; the date stays.

        A file that cannot be read undoes nothing, and nobody knows what it holds: it is removed.
        """
        if self.path is None or not self.path.is_file():
            return
        with _writing(self.path):
            ran = self.path.stat()
            try:
                changes = list(self._changes())
            except ValueError:
                self.path.unlink()
                return
            left = [change for change in changes if change.before.reflection.id not in ids]
            if len(left) < len(changes):
                self.write(left)
                os.utime(self.path, ns=(ran.st_atime_ns, ran.st_mtime_ns))

    def mark_run(self) -> None:
        """Note that a consolidation runs now; what undoes the last one stays."""
        if self.path is None:
            return
        if self.path.exists():
            with _writing(self.path):
                self.path.touch()
        else:
            self.write(())

    def last_run(self) -> datetime | None:
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

    def _changes(self) -> Iterator[Change]:
        if self.path is None or not self.path.exists():
            return
        head, *lines = self.path.read_text(encoding="utf-8").splitlines()
        from reflection_mcp.store import archive

        rows = [placed(self.scope, row) for row in archive.rows_of_lines(lines)]
        if head != self._head():
            return
        for before, after in zip(rows[::2], rows[1::2], strict=True):
            yield Change(before=before, after=after)


@contextmanager
def _writing(path: Path) -> Generator[None]:
    """Report the system's errors as the store's."""
    try:
        yield
    except OSError as error:
        reason = (error.strerror or "refused by the system").lower()
        raise StoreUnavailable(
            f"the way back from a consolidation cannot be written ({reason}): {path}",
            "make room or give write permission; without it nothing is consolidated",
        ) from error
