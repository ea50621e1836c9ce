"""PostgreSQL's errors, the driver's and the network's, as this package's exceptions.

Rule of this module: the table decides, by the longest beginning of a SQLSTATE; an error that is not
in it is a bug and stays what it is.
"""

import asyncio
from typing import Any

from reflection_mcp.store.columns import damaged
from reflection_mcp.store.errors import (
    StoreBusy,
    StoreError,
    StoreFull,
    StoreReadOnly,
    StoreUnavailable,
)

_GONE = (
    StoreUnavailable,
    "the database cannot be reached",
    "check that it runs and that the location of the store names it, then try again",
)
_DENIED = (
    StoreUnavailable,
    "the database refuses this user",
    "check the user, the password and the database in the location of the store",
)
_NO_TABLES = (
    StoreUnavailable,
    "the database has no tables of the store, or those of another version",
    "run `reflection-mcp migrate --to URL` as their owner",
)
NAMES: dict[str, tuple[type[StoreError], str, str]] = {
    "08": _GONE,
    "57P0": _GONE,
    "28": _DENIED,
    "3D000": _DENIED,
    "40001": (StoreBusy, "another writer was faster", "try again"),
    "40P01": (StoreBusy, "another writer was faster", "try again"),
    "55P03": (StoreBusy, "another writer holds the row", "try again"),
    "57014": (StoreBusy, "the database took longer than the caller waits", "try again"),
    "53300": (
        StoreBusy,
        "the database takes no more connections",
        "try again; if the error stays, raise its max_connections",
    ),
    "53100": (
        StoreFull,
        "no space left on the disk of the database",
        "free some space, then try again; what was stored before can still be read",
    ),
    "53200": (StoreUnavailable, "no memory left in the database", "try again later"),
    "25006": (
        StoreReadOnly,
        "the database can only be read",
        "name its primary server, or turn default_transaction_read_only off",
    ),
    "42501": (
        StoreReadOnly,
        "the user of the database may not do this",
        "as the owner of the tables, run `reflection-mcp migrate --to URL --grant USER`",
    ),
    "3F000": _NO_TABLES,
    "42P01": _NO_TABLES,
    "42703": _NO_TABLES,
    "XX00": (type(damaged()), damaged().message, "restore a backup of the database"),
}
"""Exceptions by the beginning of a SQLSTATE."""

TRIED_AGAIN = ("40001", "40P01", "08", "57P0")
"""The errors that a second try may cure, so that nobody hears of a failover or of a deadlock."""


def gone() -> StoreError:
    """The error of a server that does not answer."""
    kind, message, hint = _GONE
    return kind(message, hint)


def sqlstate(error: BaseException) -> str:
    """The SQLSTATE of an error; that of a lost connection for what the network says."""
    state: Any = getattr(error, "sqlstate", None)
    if isinstance(state, str):
        return state
    lost = isinstance(error, OSError | EOFError | asyncio.IncompleteReadError)
    return "08006" if lost else ""


def named(error: BaseException) -> StoreError | None:
    """The store's error for one of PostgreSQL's or the network's, or None when it is a bug."""
    state = sqlstate(error)
    for length in range(len(state), 1, -1):
        if state[:length] in NAMES:
            kind, message, hint = NAMES[state[:length]]
            return kind(message, hint)
    return None
