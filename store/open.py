"""Opening of the store that a location names.

Rule of this module: a location is `memory:`, a path, or a URL; anything else is refused by name,
never taken for a file name. Backends are imported when they are first used.
"""

import math
import re
from pathlib import Path
from urllib.parse import unquote

from reflection_mcp.store.contract import Store
from reflection_mcp.store.errors import StoreUnavailable

WAIT = 10.0
"""Seconds that a write waits for other processes before it gives up."""

_URL = re.compile(r"([a-z][a-z0-9+.]{1,20})://(.{0,4096})", re.DOTALL)


POSTGRES = ("postgresql", "postgres")
"""The schemes of the URL of a PostgreSQL database."""


def file_of(location: str) -> Path | None:
    """The file that a location names, absolute; None for a store that is no file.

    Args:
        location: `memory:`, a path, `sqlite:///` and a path (`sqlite:////` for an absolute one), or
            `postgresql://` and what follows it.

    Raises:
        StoreUnavailable: the location is not understood.
    """
    if location in ("memory:", ":memory:", "memory://"):
        return None
    url = _URL.fullmatch(location)
    path = location
    if url is not None:
        scheme, rest = url.groups()
        if scheme in POSTGRES:
            return None
        if scheme != "sqlite" or not rest.startswith("/"):
            raise StoreUnavailable(
                "the location of the store is not valid",
                "pass a path, sqlite:///PATH, postgresql://HOST/DATABASE or memory:",
            )
        path = unquote(rest[1:])
    if not path or "\0" in path or path == ".":
        raise StoreUnavailable("the location of the store is empty", "pass the path of a file")
    try:
        return Path(path).expanduser().absolute()
    except RuntimeError as error:
        raise StoreUnavailable(
            "the home folder in the location of the store is not known", "pass an absolute path"
        ) from error


def is_postgres(location: str) -> bool:
    """Return True for the URL of a PostgreSQL database."""
    return location.startswith(tuple(f"{scheme}://" for scheme in POSTGRES))


async def open_store(
    location: str, *, wait: float = WAIT, read_only: bool = False, locked: float = math.inf
) -> Store:
    """Open the store at `location`, and make it if it is not there.

    Args:
        location: as `file_of` understands it.
        wait: seconds that a write waits for other processes before `StoreBusy`.
        read_only: open an existing store without the right to change it.
        locked: seconds that opening waits for a process that holds the lock, which only matters
            where the store has to be made or upgraded first.

    Raises:
        StoreError: any of `reflection_mcp.store.errors`.
    """
    place = file_of(location)
    if is_postgres(location):
        from reflection_mcp.store.postgres import open_postgres

        return await open_postgres(location, wait=wait, read_only=read_only)
    if place is None:
        from reflection_mcp.store.sqlite.memory import MemoryStore

        return MemoryStore()
    from reflection_mcp.store.sqlite import open_sqlite

    return await open_sqlite(place, wait=wait, read_only=read_only, locked=locked)
