"""The file of a store and the connections to it.

Rules of this module: the folder is 0700 and the file 0600 before the first byte is written; a
symbolic link or a file of another user is refused; every connection is set up by `connect` and by
nothing else; memory mapping is never used, since a page that fails to load would end the process.
"""

import os
import sqlite3
import stat
from contextlib import suppress
from pathlib import Path

from reflection_mcp.store.errors import StoreReadOnly, StoreUnavailable

NEEDED_SQLITE = (3, 37, 0)
"""STRICT tables; `RETURNING` came with 3.35."""

Identity = tuple[int, int]

COMPANIONS = len(".v99.backup")
"""Bytes of the longest name that is made out of the name of a store by adding to it."""
LONGEST_NAME = 255
"""Bytes of a file's name on every file system that is in use, where the system does not say."""


def check_name(path: Path) -> None:
    """Check that the names of the files next to the store are possible.

    Raises:
        StoreUnavailable: its name is too long.
    """
    longest = LONGEST_NAME
    with suppress(OSError, ValueError, AttributeError):  # no such folder yet; Windows
        longest = os.pathconf(path.parent, "PC_NAME_MAX")
    most = longest - COMPANIONS
    if (length := len(os.fsencode(path.name))) > most:
        raise StoreUnavailable(
            f"the name of the store is too long: {length} bytes",
            f"set one of at most {most}, because files beside it have longer names",
        )


def make_folder(folder: Path) -> None:
    """The folder, for this user alone if it has to be made."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise _unusable(error) from error


def make_file(path: Path) -> None:
    """An empty file that only its owner may read, unless there is a file already.

    The descriptor is closed before SQLite opens the file: closing one later would drop the locks
    that SQLite holds on it, as POSIX locks belong to the process.
    """
    flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    try:
        os.close(os.open(path, flags, 0o600))
    except FileExistsError:
        pass
    except OSError as error:
        raise _unusable(error) from error


def _unusable(error: OSError) -> StoreUnavailable | StoreReadOnly:
    reason = (error.strerror or "refused by the system").lower()
    if isinstance(error, PermissionError):
        return StoreReadOnly(
            f"the folder of the store cannot be written: {reason}",
            "give it write permission, or set another location",
        )
    return StoreUnavailable(
        f"the store cannot be created: {reason}", "check its folder, or set another location"
    )


def inspect(path: Path) -> Identity:
    """Return the identity of the file, once it is known to be a plain file of this user.

    Raises:
        StoreUnavailable: it does not exist, is not a plain file, or belongs to somebody else.
    """
    try:
        found = path.lstat()
    except OSError as error:
        raise StoreUnavailable(
            f"there is no store at this location: {(error.strerror or '').lower()}",
            "check the location of the store",
        ) from error
    if not stat.S_ISREG(found.st_mode):
        raise StoreUnavailable(
            "the store is not a plain file", "set a location that is neither a link nor a folder"
        )
    mine = getattr(os, "geteuid", lambda: found.st_uid)()
    if found.st_uid != mine:
        raise StoreUnavailable(
            "the store belongs to another user", "set a location of your own for the store"
        )
    if stat.S_IMODE(found.st_mode) & 0o077:
        with suppress(OSError):  # a file system that is mounted read-only
            path.chmod(0o600)
    return found.st_dev, found.st_ino


def identity(path: Path) -> Identity | None:
    """Return the identity of the file that has this name now."""
    try:
        found = path.lstat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def may_write(path: Path) -> bool:
    """Return True if this user may change the file and make others next to it (its -wal and
    -shm)."""
    effective = os.access in os.supports_effective_ids
    return all(os.access(p, os.W_OK, effective_ids=effective) for p in (path, path.parent))


def connect(path: Path, *, mode: str, wait: float, writing: bool) -> sqlite3.Connection:
    """A connection that commits nothing by itself and may change threads.

    Args:
        path: an absolute path of an existing file.
        mode: SQLite's URI parameters. A reader needs `mode=rw` too, to take its place in the -shm.
        wait: seconds that SQLite itself polls for a lock.
        writing: False makes it refuse to change anything.
    """
    if sqlite3.sqlite_version_info < NEEDED_SQLITE:
        raise StoreUnavailable(
            f"SQLite {sqlite3.sqlite_version} is too old", "use a Python with SQLite 3.37 or later"
        )
    db = sqlite3.connect(
        f"{path.as_uri()}?{mode}",
        uri=True,
        timeout=wait,
        isolation_level=None,
        check_same_thread=False,
        cached_statements=256,
    )
    try:
        for pragma in _ALWAYS + (_WRITING if writing else _READING):
            db.execute(f"PRAGMA {pragma}")
    except sqlite3.Error:
        db.close()
        raise
    return db


def connect_memory() -> sqlite3.Connection:
    """A connection to a database that ends with it."""
    db = sqlite3.connect(
        ":memory:", isolation_level=None, check_same_thread=False, cached_statements=256
    )
    for pragma in _ALWAYS:
        db.execute(f"PRAGMA {pragma}")
    return db


_ALWAYS = ("foreign_keys=ON", "trusted_schema=OFF", "cell_size_check=ON")
_WRITING = (
    "synchronous=FULL", "secure_delete=ON", "wal_autocheckpoint=1000",
    "journal_size_limit=67108864",
)  # fmt: skip
_READING = ("query_only=ON",)


def switch_to_log(db: sqlite3.Connection) -> str:
    """Ask for write-ahead logging; SQLite answers with what it did, and fails if others are in."""
    answer: str = db.execute("PRAGMA journal_mode=WAL").fetchall()[0][0]
    return answer
