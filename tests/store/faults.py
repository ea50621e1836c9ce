"""What can be done to a store's file, and what can be asked of it from outside."""

import fcntl
import os
import resource
import shutil
import sqlite3
import tempfile
from collections.abc import Generator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

from reflection_mcp.store.contract import Store
from reflection_mcp.store.open import open_store
from tests.contract.samples import HERE, learned, met

NOBODY = 65534


def gate_file(path: Path) -> Path:
    return path.with_name(path.name + ".gate")


def log_file(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


@contextmanager
def gate_held(path: Path) -> Generator[None]:
    """Stand in the gate, as another process would."""
    with gate_file(path).open() as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def transaction_held(path: Path, vfs: str = "unix", kind: str = "IMMEDIATE") -> Generator[None]:
    """Hold SQLite's own lock, as a program that knows nothing of the gate would."""
    with closing(
        sqlite3.connect(f"{path.as_uri()}?vfs={vfs}", uri=True, isolation_level=None)
    ) as db:
        db.execute(f"BEGIN {kind}")
        yield
        db.execute("ROLLBACK")


@contextmanager
def files_limited_to(size: int) -> Generator[None]:
    """No file of this process may grow beyond `size` bytes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def as_nobody() -> Generator[Path]:
    """A folder of a user whom permissions bind: root becomes nobody for a while."""
    folder = Path(tempfile.mkdtemp(dir="/tmp"))
    user, group = os.geteuid(), os.getegid()
    if user == 0:
        os.chown(folder, NOBODY, NOBODY)
        os.setegid(NOBODY)
        os.seteuid(NOBODY)
    try:
        yield folder
    finally:
        with suppress(OSError):
            os.seteuid(user)
            os.setegid(group)
        for each in (folder, *folder.rglob("*")):
            each.chmod(0o700)
        shutil.rmtree(folder)


def copy_of(path: Path, folder: Path) -> Path:
    """The files as a killed process would have left them."""
    folder.mkdir()
    for each in (path, log_file(path), gate_file(path)):
        shutil.copyfile(each, folder / each.name)
    return folder / path.name


def sound(path: Path) -> bool:
    """Whether SQLite finds nothing wrong, and counters agree with the events they count."""
    with closing(sqlite3.connect(path)) as db:
        checked = db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        db.execute("INSERT INTO words(words, rank) VALUES('integrity-check', 1)")
        counted = db.execute("SELECT total(occurrences) FROM reflection").fetchall()
        events = db.execute("SELECT 1.0 * count(*) FROM event").fetchall()
        met_by = db.execute("SELECT total(sources) FROM reflection").fetchall()
        sources = db.execute("SELECT 1.0 * count(*) FROM source").fetchall()
        tally = db.execute(_TALLY.format("reflections", "tally")).fetchall()
        rows = db.execute(_TALLY.format("1", "reflection")).fetchall()
    return checked and counted == events and met_by == sources and tally == rows


_TALLY = (
    "SELECT tenant, project, kind, sum({0}), sum(occurrences), sum(shown), sum(helped),"
    " sum(failed), sum(recurred) FROM {1} GROUP BY tenant, project, kind HAVING sum({0}) > 0"
)


async def fill(store: Store, count: int, *, start: int = 0) -> None:
    """Record as many reflections with about 600 bytes of text each."""
    for number in range(start, start + count):
        row = learned(f"{number}", lesson=f"lesson {number} " + "x" * 600)
        await store.record(HERE, met(row, f"e{number}", keys=(f"k{number}",), features=(number,)))


async def filled(path: Path, count: int) -> None:
    """A closed store with as many reflections."""
    store = await open_store(str(path))
    await fill(store, count)
    await store.close()
