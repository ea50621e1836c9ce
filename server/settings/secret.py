"""The key that signs loop tokens: made once, kept beside the store, readable by its owner alone.

A token has to be good in the next process too, because nothing is kept in memory between calls. A
key that cannot be kept is made for this process only, and says so nowhere: a token that outlives it
is refused with a line that tells the caller to start the loop again.
"""

import secrets
from pathlib import Path

from reflection_mcp.server.settings.private_file import kept_private
from reflection_mcp.tools.errors import InvalidInput

KEY_BYTES = 32
FILE_NAME = "loop.secret"


def signing_key(store: str) -> bytes:
    """The key of the installation that keeps its store at `store`; any other place has its own."""
    folder = Path(store).parent
    if folder.is_absolute():  # else a store in memory, or on a server: nothing is kept here
        try:
            return bytes.fromhex(kept_private(folder / FILE_NAME, _new_key))
        except (InvalidInput, ValueError):
            pass
    return secrets.token_bytes(KEY_BYTES)


def _new_key() -> str:
    return secrets.token_hex(KEY_BYTES)
