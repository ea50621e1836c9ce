"""SQLite's errors, and the system's, as this package's exceptions.

Rule of this module: the table decides; an error that is not in it is `StoreUnavailable` when SQLite
reports about the outside world and stays what it is, a bug, when SQLite reports about our
statement.
"""

import errno
import sqlite3

from reflection_mcp.store.columns import damaged
from reflection_mcp.store.errors import (
    StoreBusy,
    StoreCorrupt,
    StoreError,
    StoreFull,
    StoreReadOnly,
    StoreUnavailable,
)

NAMES: dict[str, tuple[type[StoreError], str, str]] = {
    "SQLITE_BUSY": (StoreBusy, "another process holds the store", "try again"),
    "SQLITE_LOCKED": (StoreBusy, "the store is locked", "try again"),
    "SQLITE_READONLY": (
        StoreReadOnly,
        "the store cannot be written",
        "give its file and folder write permission, or set another location",
    ),
    "SQLITE_FULL": (
        StoreFull,
        "no space left on the disk",
        "free some space, then try again; what was stored before can still be read",
    ),
    "SQLITE_IOERR_WRITE": (
        StoreFull,
        "the system refused to write the store: disk, quota or file-size limit",
        "free some space or raise the limit, then try again",
    ),
    "SQLITE_CORRUPT": (
        StoreCorrupt,
        "the store is damaged",
        "run `reflection-mcp doctor`, then restore a backup or move the file away",
    ),
    "SQLITE_NOTADB": (
        StoreCorrupt,
        "the file is not a database, or its header is damaged",
        "run `reflection-mcp doctor`, then restore a backup or move the file away",
    ),
    "SQLITE_CANTOPEN": (
        StoreUnavailable,
        "the store cannot be opened",
        "check that its folder exists and may be entered, and the limit of open files (ulimit -n)",
    ),
    "SQLITE_IOERR": (
        StoreUnavailable,
        "the system could not read or write the store",
        "check the disk, then start the server again",
    ),
    "SQLITE_NOMEM": (StoreUnavailable, "no memory left for the store", "free some memory"),
    "SQLITE_INTERRUPT": (StoreUnavailable, "the store is closed", "open it again"),
}
"""Exceptions by extended name; for a name that is not here the last part is dropped."""


_OF_DAMAGE = (
    "Could not decode to UTF-8",  # Python's, about a text that is none
    "no such column", "no such table", "has no column named", "no such tokenizer",
    "unrecognized option",
    "invalid fts5 file format",
    "constructor failed",  # of the word index
)  # fmt: skip
"""SQLite's messages for a schema that is not the one we made; our statements never vary."""


def named(error: sqlite3.Error) -> StoreError | None:
    """The store's error for one of SQLite's, or None when it is a bug of ours."""
    if isinstance(error, sqlite3.OperationalError) and any(
        words in str(error) for words in _OF_DAMAGE
    ):
        return damaged()
    name = error.sqlite_errorname if hasattr(error, "sqlite_errorname") else ""
    while name.count("_"):
        if name in NAMES:
            kind, message, hint = NAMES[name]
            return kind(message, hint)
        name = name.rpartition("_")[0]
    return None


def of_the_system(error: OSError) -> StoreError:
    """The store's error for one of the system's."""
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return StoreUnavailable(
            "too many files are open to open the store",
            "raise the limit of open files (ulimit -n) and start the server again",
        )
    if error.errno == errno.ENAMETOOLONG:
        return StoreUnavailable(
            "the name of the store is too long for its file system", "set a shorter one"
        )
    reason = (error.strerror or "refused by the system").lower()
    return StoreUnavailable(
        f"the store cannot be used: {reason}", "check its folder, or set another location"
    )


def is_busy(error: sqlite3.Error) -> bool:
    """Return True if trying again may help."""
    return isinstance(named(error), StoreBusy)
