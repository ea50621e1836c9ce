"""The state of one process with a store's file: its connections, the gate, and its rights.

Rules of this module. Everything here blocks; `sqlite.py` decides in which thread. Each write is one
`BEGIN IMMEDIATE` under the gate, and is acknowledged only after the commit is durable, the file
still has its name, and the mark is set. Whatever fails in between is rolled back and named.

A store is never emptied by accident: a file that has fewer writes than the mark, that has vanished,
or that belongs to another program is refused when it is opened.
"""

import math
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

from reflection_mcp.store.columns import damaged
from reflection_mcp.store.errors import (
    StoreCorrupt,
    StoreError,
    StoreReadOnly,
    StoreTooNew,
    StoreUnavailable,
)
from reflection_mcp.store.sqlite import file, schema
from reflection_mcp.store.sqlite.errors import NAMES, is_busy, named, of_the_system
from reflection_mcp.store.sqlite.process_lock import ProcessLock
from reflection_mcp.store.sqlite.recognition import acknowledged, recognised
from reflection_mcp.store.sqlite.store_worker import Unattended, WorkerTurn, busy
from reflection_mcp.store.sqlite.transaction import (
    Body,
    in_transaction,
    lightly,
    roll_back,
    scour,
    snapshot,
)

T = TypeVar("T")

READ_WRITE = "mode=rw"
"""The mode of a writable file; SQLite itself never creates it."""

POLL = 0.05
"""Seconds that SQLite polls for a lock before we look whether anybody still waits for us."""

SEARCH_MODULE = "fts5"

PAUSE = 0.001
"""Seconds between two tries to begin; 0.2 to 2 ms were measured to be fair."""

_READ_ONLY = NAMES["SQLITE_READONLY"]
_TOO_NEW = (
    StoreTooNew,
    "the store was written by a later version of this program; it can only be read",
    "update reflection-mcp",
)
_REPLACED = (
    "the file of the store was removed or replaced while it was in use",
    "start the server again",
)


class Session:
    """The open file. `write` from one thread at a time; `near` and `far` each under its lock."""

    def __init__(self, path: Path, *, read_only: bool, locked: float = math.inf) -> None:
        self.path = path
        self.schema = 0
        self.journal = ""
        self.notes: list[str] = []
        self._asked_read_only = read_only
        self._locked = locked
        self._refusal: tuple[type[StoreError], str, str] | None = None
        self._gate: ProcessLock | None = None
        self._writer: sqlite3.Connection | None = None
        self._near: sqlite3.Connection | None = None
        self._far: sqlite3.Connection | None = None
        self._near_lock = threading.Lock()
        self._identity: file.Identity | None = None
        self._read_mode = READ_WRITE
        self._busy_since: float | None = None

    # ----------------------------------------------------------------- opening

    def open(self, turn: WorkerTurn) -> None:
        """Open the file, make or upgrade its schema, and see that nothing is missing."""
        try:
            self._patiently(turn, lambda: self._open(turn), self._locked)
            if not turn.start():
                raise Unattended
        except OSError as error:
            self.close()
            raise of_the_system(error) from error
        except BaseException:
            self.close()
            raise

    def _open(self, turn: WorkerTurn) -> None:
        self.close()
        self.notes.clear()
        file.check_name(self.path)
        if not self._asked_read_only:
            file.make_folder(self.path.parent)
            file.make_file(self.path)
        self._identity = file.inspect(self.path)
        writable = not self._asked_read_only and file.may_write(self.path)
        gate = ProcessLock(self.path.with_name(f"{self.path.name}.gate"), writable=writable)
        self._gate = gate
        marked = gate.marked()
        if writable:
            db = file.connect(self.path, mode=READ_WRITE, wait=POLL, writing=True)
            self._writer = db
            self.schema = recognised(db, marked)
            if self.schema < schema.version():
                self._upgrade(turn, db, gate, marked)
            elif self.schema > schema.version():
                self._refusal = _TOO_NEW
            self._keep_log(db, gate)
            self._near = self._reader(0.0)
        else:
            self._refusal = _READ_ONLY
            self._near = db = self._read_only_reader()
            self.schema = recognised(db, marked)
            if self.schema < schema.version():
                raise StoreReadOnly(*_READ_ONLY[1:])
        if (writes := acknowledged(db)) < marked:
            raise StoreCorrupt(
                f"{marked - writes} acknowledged writes are missing from the store:"
                " its -wal file was deleted or damaged, or the store was replaced by an older copy",
                f"restore the -wal or a backup; to go on with what is left,"
                f" delete {gate.path.name}",
            )
        if writes and not marked:
            self.notes.append(
                f"{gate.path.name} was missing beside the store, as it is after a copy; it was made"
                " again, and you need to do nothing. Whether the last writes before that are all in"
                " the store is not known"
            )
            gate.mark(writes)

    def _upgrade(
        self, turn: WorkerTurn, db: sqlite3.Connection, gate: ProcessLock, marked: int
    ) -> None:
        """Make the schema or bring it up to date; the second of two processes finds it done."""
        modules = "SELECT 1 FROM pragma_module_list WHERE name = ?"
        if not db.execute(modules, (SEARCH_MODULE,)).fetchall():
            raise StoreUnavailable(
                "this SQLite was built without full-text search (FTS5)",
                "use a Python whose SQLite has it, such as one from python.org or uv",
            )
        with gate:
            if not turn.start():
                raise Unattended
            if recognised(db, marked) > 0:
                self._back_up(db)
            file.switch_to_log(db)
            db.execute("BEGIN IMMEDIATE")
            try:
                if recognised(db, marked) < schema.version():
                    schema.migrate(db)
                db.execute("COMMIT")
            except BaseException:
                roll_back(db)
                raise
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        self.schema = recognised(db, marked)

    def _back_up(self, db: sqlite3.Connection) -> None:
        """Store a copy of the old version next to the file."""
        version = recognised(db, 0)
        if version == schema.version():
            return
        copy = self.path.with_name(f"{self.path.name}.v{version}.backup")
        copy.unlink(missing_ok=True)
        file.make_file(copy)
        db.execute("VACUUM INTO ?", (str(copy),))

    def _keep_log(self, db: sqlite3.Connection, gate: ProcessLock) -> None:
        """Write-ahead logging, or a note where the file system cannot do it."""
        self.journal = db.execute("PRAGMA journal_mode").fetchall()[0][0]
        if self.journal != "wal":
            with gate:
                self.journal = file.switch_to_log(db)
        if self.journal != "wal":
            self.notes.append(
                f"no write-ahead log on this file system (journal_mode={self.journal}):"
                " readers and writers wait for each other"
            )

    def _reader(self, wait: float) -> sqlite3.Connection:
        return file.connect(self.path, mode=self._read_mode, wait=wait, writing=False)

    def _read_only_reader(self) -> sqlite3.Connection:
        """Return a reader for a file or folder that cannot be written.

        The log needs a -shm file next to it. Where it cannot be made, the file can still be read as
        it is on the disk, unless the log has a part of it.
        """
        self._read_mode = "mode=ro"
        try:
            return self._proven_reader()
        except sqlite3.OperationalError as error:
            log = self.path.with_name(f"{self.path.name}-wal")
            if is_busy(error) or (log.exists() and log.stat().st_size):
                raise
        self._read_mode = "mode=ro&immutable=1"
        return self._proven_reader()

    def _proven_reader(self) -> sqlite3.Connection:
        db = self._reader(POLL)
        try:
            db.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchall()
        except sqlite3.Error:
            db.close()
            raise
        return db

    # ----------------------------------------------------------------- writing

    def check_rights(self) -> None:
        """Refuse to write what may only be read."""
        if self._refusal is not None:
            kind, message, hint = self._refusal
            raise kind(message, hint)

    def write(self, turn: WorkerTurn, body: Body[T], *, light: bool = False) -> T:
        """Run `body` in one transaction; what it returns has been made durable.

        A light one outlives the death of this process, and a power cut only after the next write:
        half of its time would go into waiting for the disk.
        """
        return self.write_all(turn, _once_attended(turn, body), light=light)

    def write_all(self, turn: WorkerTurn, body: Body[tuple[T, int]], *, light: bool = False) -> T:
        """Run a body that also returns its number of writes; otherwise like `write`."""
        return self._written(turn, lambda: self._transact(body, light=light))

    def erase(self, turn: WorkerTurn, body: Body[T]) -> T:
        """The same for a body that deletes: afterwards no file holds what it deleted."""
        attended = _once_attended(turn, body)
        return self._written(turn, lambda: self._transact(attended, then=scour))

    def _written(self, turn: WorkerTurn, step: Callable[[], T]) -> T:
        def watched() -> T:
            begun = time.monotonic()
            try:
                return step()
            except sqlite3.Error as error:
                if is_busy(error) and self._busy_since is None:
                    self._busy_since = begun
                raise

        try:
            return self._patiently(turn, watched)
        finally:
            self._busy_since = None

    def _transact(
        self, body: Body[tuple[T, int]], then: Body[None] | None = None, *, light: bool = False
    ) -> T:
        self.check_rights()
        db, gate = self._writer, self._gate
        assert db is not None and gate is not None
        with gate:
            self._still_there()
            # What may be lost must not be counted: the mark would miss it after a power cut.
            result, mark = in_transaction(db, body) if not light else lightly(db, body)
            self._still_there()
            if mark is not None:
                gate.mark(mark)
            if then is not None:
                then(db)
        return result

    def _still_there(self) -> None:
        if file.identity(self.path) != self._identity:
            raise StoreCorrupt(*_REPLACED)

    def _patiently(self, turn: WorkerTurn, step: Callable[[], T], most: float = math.inf) -> T:
        """Try again while another process holds the file, for a limited time from the first try,
        and while somebody waits for us."""
        met = 0.0
        while True:
            try:
                return step()
            except sqlite3.Error as error:
                if not is_busy(error):
                    if (known := named(error)) is not None:
                        raise known from error
                    raise
                met = met or time.monotonic()
                if time.monotonic() >= min(turn.until, met + most):
                    raise busy() from error
            except UnicodeDecodeError as error:  # SQLite quotes a damaged schema as it is
                raise damaged() from error
            time.sleep(PAUSE)

    # ----------------------------------------------------------------- reading

    def near(self, body: Body[T], *, whole: bool = False) -> T:
        """A short read, at once; `whole` for one that takes several statements.

        Raises:
            sqlite3.OperationalError: busy; the caller asks `far`.
        """
        assert self._near is not None
        with self._near_lock:
            return snapshot(self._near, body) if whole else body(self._near)

    def far(self, turn: WorkerTurn, body: Body[T]) -> T:
        """A read that may take long or has to wait, in one thread at a time."""
        if not turn.start():
            raise Unattended
        return self._patiently(turn, lambda: snapshot(self._far_reader(), body))

    def _far_reader(self) -> sqlite3.Connection:
        if self._far is None:
            self._still_there()
            self._far = self._reader(POLL)
        return self._far

    def interrupt(self) -> None:
        """End a long read that is under way in another thread."""
        if self._far is not None:
            self._far.interrupt()

    # ----------------------------------------------------------------- closing, health

    def close_readers(self) -> None:
        """Close what `near` and `far` use, in the thread of `far`."""
        with self._near_lock:
            for db in (self._near, self._far):
                if db is not None:
                    db.close()
            self._near = self._far = None

    def close_writer(self, turn: WorkerTurn) -> None:
        """Close the last connections; the last process moves the log into the file."""
        assert self._gate is not None
        with self._gate:
            turn.start()
            self.close()

    def close(self) -> None:
        """Close everything at once. Idempotent."""
        self.close_readers()
        if self._writer is not None:
            self._writer.close()
            self._writer = None
        if self._gate is not None:
            self._gate.close()
            self._gate = None

    @property
    def hindered(self) -> float:
        """Seconds for which another process has been in the way of what we write, or 0."""
        since = self._busy_since or (self._gate and self._gate.waiting_since)
        return time.monotonic() - since if since else 0.0

    @property
    def writable(self) -> bool:
        """Return True if a write has a chance."""
        return self._refusal is None and self.intact

    @property
    def intact(self) -> bool:
        """Return True if the open file still has its name."""
        return file.identity(self.path) == self._identity

    @property
    def gate_notes(self) -> list[str]:
        """Return the messages of the gate."""
        return [] if self._gate is None else list(self._gate.notes)

    def size(self) -> int:
        """Bytes of the file and its log."""
        sizes = 0
        for path in (self.path, self.path.with_name(f"{self.path.name}-wal")):
            with suppress(OSError):
                sizes += path.stat().st_size
        return sizes


def _once_attended(turn: WorkerTurn, body: Body[T]) -> Body[tuple[T, int]]:
    """A body that counts as one write, and does nothing once nobody waits for it."""

    def begun(db: sqlite3.Connection) -> tuple[T, int]:
        if not turn.start():
            raise Unattended
        return body(db), 1

    return begun
