"""Adds and removes one table of a TOML document, and touches nothing else in it.

Rule: a new table goes to the end, because there it cannot change what the lines before it mean. A
table is found by its header lines; what they say is read by `tomllib`, not by us.

Why not a library (measured on 11 odd files, all of them in `tests/hosts/test_editing.py`): tomlkit
0.15 gave 2 of them back byte for byte after a table was added and removed again, this module 9 and
the other two with a line end behind their last line; it leaves empty lines of its own, and refuses
a byte order mark.
"""

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any, cast

_BARE = re.compile(r"[A-Za-z0-9_-]{1,100}")


def value_of(text: str) -> Mapping[str, Any]:
    """The document as data.

    Raises:
        tomllib.TOMLDecodeError: it is not TOML.
    """
    return tomllib.loads(text.removeprefix("\ufeff"))


def added(text: str, path: Sequence[str], entry: Mapping[str, Any]) -> str:
    """The text with the table `path` at its end."""
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = [f"[{'.'.join(map(_key, path))}]"]
    lines += [f"{_key(key)} = {_value(value)}" for key, value in entry.items()]
    gap = "" if not text.strip() else newline if text.endswith("\n") else newline * 2
    return text + gap + newline.join(lines) + newline


def removed(text: str, path: Sequence[str]) -> str:
    """The text without the table `path`, the tables in it, and the empty line before each."""
    kept: list[str] = []
    inside = False
    waiting: list[str] = []  # empty lines and comments: of the next table, unless ours goes on
    for line in text.splitlines(keepends=True):
        header = _header(line)
        if header is not None:
            inside = header[: len(path)] == tuple(path)
            if inside and kept and not kept[-1].strip() and not waiting:
                kept.pop()
            kept += waiting if not inside else []
            waiting = []
        if not inside:
            kept.append(line)
        elif header is None:
            blank = not line.strip() or line.lstrip().startswith("#")
            waiting = [*waiting, line] if blank else []
    return "".join(kept + waiting)


def _header(line: str) -> tuple[str, ...] | None:
    """The path that a header line names, None for any other line."""
    if not line.lstrip().startswith("["):
        return None
    try:
        node: Any = tomllib.loads(line)
    except tomllib.TOMLDecodeError:
        return None
    path: list[str] = []
    while isinstance(node, dict) and node:
        ((key, node),) = cast("dict[str, Any]", node).items()
        path.append(key)
    return tuple(path)


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _text(value: str) -> str:
    # What JSON escapes, TOML escapes alike, but for DEL, which TOML alone refuses.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any) -> str:
    match value:
        case bool() | int():
            return json.dumps(value)
        case Mapping():
            pairs = cast("Mapping[str, Any]", value).items()
            return f"{{ {', '.join(f'{_key(key)} = {_value(one)}' for key, one in pairs)} }}"
        case list() | tuple():
            return f"[{', '.join(map(_value, cast('Sequence[Any]', value)))}]"
        case _:
            return _text(str(value))
