"""Paths and URLs that a person gave, and the folders of the user.

The rule: a place is absolute, or it is refused. Hosts start a server in whatever folder they like,
and a memory at a relative path is another memory in each of them.
"""

import os
from pathlib import Path
from urllib.parse import unquote

from reflection_mcp.server.settings.user_folder import user_folder
from reflection_mcp.tools.errors import InvalidInput

_SQLITE = "sqlite:///"


def data_folder() -> Path:
    """The folder in which the user's programs keep their data.

    Raises:
        InvalidInput: the user has no home, or `XDG_DATA_HOME` is relative.
    """
    folder = Path(user_folder("data"))
    if not folder.is_absolute():
        raise InvalidInput(
            "the user's data folder is not known", "set REFLECTION_STORE to an absolute path"
        )
    return folder


def config_folder() -> Path:
    """The folder for the user's settings; for a user without a home, one that does not exist."""
    folder = Path(user_folder("config"))
    return folder if folder.is_absolute() else Path(os.devnull)


def working_folder() -> Path | None:
    """The folder the process works in; None when it was deleted meanwhile."""
    try:
        return Path.cwd()
    except FileNotFoundError:
        return None


def here() -> Path:
    """The folder whose project is meant: the one the process works in, else the root."""
    return working_folder() or Path(Path.home().anchor)


def located(place: str, base: Path | None, *, url_allowed: bool = True) -> str | None:
    """A place made absolute, `base` being where a relative one starts; None when it cannot be.

    `sqlite:///PATH` is the path; any other URL is left as it is, or None if none is allowed.
    """
    text = place.strip()
    if text.startswith(_SQLITE) and url_allowed:
        text = unquote(text.removeprefix(_SQLITE))
    elif _is_url(text):
        return text if url_allowed else None
    path = expanded(text)
    if path.is_absolute():
        return str(path)
    return None if base is None else os.path.normpath(base / path)


def expanded(path: str) -> Path:
    """A path with its `~` replaced; without a home it stays as it is, which is relative."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return Path(path)


def has_password(place: str) -> bool:
    """Whether a place is a URL that carries a password, before its host or in its query."""
    credentials = place.partition("://")[2].rpartition("@")[0]
    return ":" in credentials or (_is_url(place) and "password=" in place.lower())


def printable(place: str) -> str:
    """A path as it is; a URL without credentials and without its query, which may hold some."""
    scheme, separator, rest = place.partition("://")
    if not separator:
        return place
    credentials, at, address = rest.partition("?")[0].rpartition("@")
    hidden = "***" if credentials else ""
    return f"{scheme}://{hidden}{at}{address}"


def _is_url(text: str) -> bool:
    return "://" in text or text in ("memory:", ":memory:")
