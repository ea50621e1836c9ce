"""The key that signs loop tokens: made once, kept beside the store, readable by its owner alone.

A token has to be good in the next process too, because nothing is kept in memory between calls. A
key that cannot be kept is made for this process only, and says so nowhere: a token that outlives it
is refused with a line that tells the caller to start the loop again.
"""

import os
import secrets
from pathlib import Path

KEY_BYTES = 32
FILE_NAME = "loop.key"


def signing_key(store: str) -> bytes:
    """The key of the installation that keeps its store at `store`; any other place has its own."""
    folder = Path(store).parent
    if not folder.is_absolute():  # a store in memory, or on a server: nothing is kept here
        return secrets.token_bytes(KEY_BYTES)
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        return _read(folder / FILE_NAME) or new_key(folder / FILE_NAME)
    except OSError:
        return secrets.token_bytes(KEY_BYTES)


def _read(path: Path) -> bytes | None:
    try:
        key = path.read_bytes()
    except FileNotFoundError:
        return None
    return key if len(key) == KEY_BYTES else None


def new_key(path: Path) -> bytes:
    """A new key, or the one that another process made at the same moment."""
    key = secrets.token_bytes(KEY_BYTES)
    # Written whole under another name and then linked, so that nobody ever reads half a key.
    draft = path.with_name(f".{FILE_NAME}.{secrets.token_hex(8)}")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(key)
        os.link(draft, path)
    except FileExistsError:
        return _read(path) or key
    finally:
        draft.unlink()
    return key
