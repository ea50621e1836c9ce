"""Adds and removes one entry below a top-level key of a YAML document, line by line.

Rule: only plain block style is edited: `key:` in the first column, its entries indented by spaces.
Everything else (flow style, tabs, anchors, several documents) is refused, because without a parser
nobody can say what a change to it would mean.

Why not a library (measured on 13 odd files, most of them in `tests/hosts/test_editing.py`):
ruamel.yaml 0.19 gave 3 of them back byte for byte after an entry was added and removed again, this
module 12 and the last with a line end behind its last line; it moves comments, indentation and line
ends of what is not ours.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

_INDENT = "  "
_ODD = re.compile(r"---[ \t]*\S|\.\.\.|[ ]*\t|[\[{]")  # beginnings of lines in another style


_WORDS = re.compile(r"[ ]+(?:(?:cmd|args)[ ]*:|-)(.*)")


class NotPlain(ValueError):
    """The document is not in plain block style."""


def block_of(text: str, path: Sequence[str]) -> str | None:
    """The lines of the entry at `path` (a top-level key and a name in it), None without one.

    Raises:
        NotPlain: the document cannot be edited line by line.
    """
    lines = text.splitlines(keepends=True)
    span = _entry(lines, path)
    return None if span is None else "".join(lines[span[0] : span[1]])


def words_of(block: str) -> list[str]:
    """Return the command line of an entry, as far as lines show it: `cmd` and the items of
    lists."""
    told = [found[1].strip() for line in block.splitlines() if (found := _WORDS.match(line))]
    words = [word.strip(" \"'") for each in told for word in each.strip("[]").split(",")]
    return [word for word in words if word]


def added(text: str, path: Sequence[str], entry: Mapping[str, Any]) -> str:
    """The text with a new entry behind the others."""
    newline = "\r\n" if "\r\n" in text else "\n"
    lines = text.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += newline
    top = _top(lines, path[0])
    if top is None:
        return "".join([*lines, f"{path[0]}:{newline}", _rendered(path[1], entry, newline)])
    first, end = top
    indent = _indent(lines[first + 1 : end])
    return "".join([*lines[:end], _rendered(path[1], entry, newline, indent), *lines[end:]])


def removed(text: str, path: Sequence[str]) -> str:
    """The text without the entry, and without the top-level key when nothing is left below it."""
    lines = text.splitlines(keepends=True)
    span = _entry(lines, path)
    top = _top(lines, path[0])
    assert span is not None and top is not None
    if span == (top[0] + 1, top[1]):
        span = top
    return "".join(lines[: span[0]] + lines[span[1] :])


def rendered(path: Sequence[str], entry: Mapping[str, Any]) -> str:
    """Return the entry below its key, as it would be in a file of its own."""
    return f"{path[0]}:\n{_rendered(path[1], entry, chr(10))}"


def _top(lines: Sequence[str], key: str) -> tuple[int, int] | None:
    """The line of a top-level key and the end of what is below it."""
    told = [line for line in lines if line.strip() and not line.startswith("#")]
    if any(_ODD.match(line) for line in told) or any(line[:3] == "---" for line in told[1:]):
        raise NotPlain
    found = [n for n, line in enumerate(lines) if re.match(rf"[\"']?{re.escape(key)}\b", line)]
    if not found:
        return None
    start = found[0]
    if len(found) > 1 or not re.fullmatch(rf"{re.escape(key)}:[ ]*(#.*)?", lines[start].rstrip()):
        raise NotPlain
    end = start + 1
    for place in range(start + 1, len(lines)):
        if lines[place].strip() and not lines[place].startswith((" ", "#")):
            break
        if lines[place].startswith(" ") and lines[place].strip():
            end = place + 1
    return start, end


def _entry(lines: Sequence[str], path: Sequence[str]) -> tuple[int, int] | None:
    top = _top(lines, path[0])
    if top is None:
        return None
    first, end = top
    indent = _indent(lines[first + 1 : end])
    name = re.compile(rf"{indent}[\"']?{re.escape(path[1])}[\"']?[ ]*:")
    start = next((n for n in range(first + 1, end) if name.match(lines[n])), None)
    if start is None:
        return None
    for place in range(start + 1, end):
        line = lines[place]
        if line.strip() and not line.startswith(f"{indent} "):
            return start, place
    return start, end


def _indent(lines: Sequence[str]) -> str:
    """The indentation of the first entry."""
    for line in lines:
        if line.strip() and not line.lstrip().startswith("#"):
            return line[: len(line) - len(line.lstrip(" "))]
    return _INDENT


def _rendered(name: str, entry: Mapping[str, Any], newline: str, indent: str = _INDENT) -> str:
    lines = [f"{indent}{name}:"]
    for key, value in entry.items():
        if isinstance(value, (list, tuple)) and value:
            items = cast("Sequence[Any]", value)
            lines.append(f"{indent * 2}{key}:")
            lines += [f"{indent * 2}- {_scalar(one)}" for one in items]
        else:
            lines.append(f"{indent * 2}{key}: {_scalar(value)}")
    return "".join(line + newline for line in lines)


def _scalar(value: Any) -> str:
    """JSON, which YAML is a superset of; a plain word stays bare."""
    if isinstance(value, str) and re.fullmatch(r"[A-Za-z][A-Za-z0-9_/.-]{0,60}", value):
        words = ("true", "false", "null", "yes", "no", "on", "off", "y", "n")
        if value.lower() not in words:
            return value
    return json.dumps(value)
