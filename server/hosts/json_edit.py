"""Adds and removes one member of a JSON document that may hold comments and trailing commas, or one
element of a list in it.

Rules: what is added goes in front of its neighbours, where no comma or comment can be in the way,
and looks like them; taking it out again gives back the text that was there. Values are read by the
`json` module alone, from a text in which comments are spaces and every character keeps its offset.

Why not a library (November 2026): those with many users read such texts, but have no way to put a
member in; json-five 1.1 accepts what no host reads; those that edit have none.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reflection_mcp.tools.errors import InvalidInput

_STRING = r'"(?:[^"\\]|\\.)*\\?(?:"|\Z)'  # one that is not closed is read once, up to the end
_COMMENT = re.compile(rf"{_STRING}|(?P<out>//[^\n]*|/\*.*?\*/)|/\*.*", re.DOTALL)
_SPARE = re.compile(rf"{_STRING}|(?P<out>,)(?=\s*[}}\]])", re.DOTALL)
_COMMA = re.compile(r"\s*,")
_SKIPPED = re.compile(r"[\s,]*")
_KEY = re.compile(rf"[\s,]*(?P<key>{_STRING})\s*:\s*", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Member:
    """`text[start:end]` is a key and its value, which begins at `value`, or an element of a list,
    whose key is empty."""

    key: str
    start: int
    value: int
    end: int


def value_of(text: str) -> Any:
    """The value of a document; no text is `{}`.

    Raises:
        InvalidInput: it is no JSON.
    """
    bare = _bare(text)
    try:
        return json.loads(bare) if bare.strip() else {}
    except json.JSONDecodeError as fault:
        raise InvalidInput(
            f"line {fault.lineno} cannot be parsed", "correct the file first"
        ) from fault
    except RecursionError as fault:
        raise InvalidInput("it is nested too deeply", "correct the file first") from fault


def with_element(text: str, path: Sequence[str], element: Mapping[str, Any]) -> str:
    """The text with an element in front of those of the list at `path`, which is made when
    missing."""
    bare = _bare(text)
    found = _list(bare, path)
    if found is None or not _members(bare, found):
        return edited(text, path, [element])
    root, opening = bare.index("{"), found + 1
    space = _space(text, opening)
    step = "\n" + space.rpartition("\n")[2]
    shown = _pretty(element, _unit(text, root), step) if "\n" in space else _flat(element)
    return f"{text[:opening]}{space}{shown},{text[opening:]}"


def without_element(text: str, path: Sequence[str | int], place: int) -> str:
    """The text without an element of the list at `path`, or without a list that had no other; a
    list within a list keeps at least one."""
    bare = _bare(text)
    found = _list(bare, path)
    members = [] if found is None else _members(bare, found)
    if len(members) == 1:
        return edited(text, [str(key) for key in path], None)
    return _cut(text, bare, found or 0, members[place])


def _list(bare: str, path: Sequence[str | int]) -> int | None:
    """The offset of the list at a path, None without one; a number leads into a list."""
    place = bare.find("{")
    for key in path:
        if isinstance(key, int):
            place = _members(bare, place)[key].value
            continue
        there = _member(bare, place, key) if place >= 0 else None
        if there is None:
            return None
        place = there.value
    return place if bare[place] == "[" else None


def edited(text: str, path: Sequence[str], entry: object) -> str:
    """The text with `entry` at `path`, whose parents are made when missing; for None without it."""
    bare = _bare(text)
    if not bare.strip():
        return f"{text}{_pretty(_nested(path, entry), '  ')}\n"
    root = parent = bare.index("{")
    while (there := _member(bare, parent, path[0])) and len(path) > 1:
        parent, path = there.value, path[1:]
    if there:
        text = _cut(text, bare, parent, there)
    return text if entry is None else _put(text, root, parent, path[0], _nested(path[1:], entry))


def _put(text: str, root: int, parent: int, key: str, value: Any) -> str:
    """The text with a member in front of those of the object that begins at `parent`."""
    bare, opening = _bare(text), parent + 1
    space = _space(text, opening)
    if _KEY.match(bare, opening):
        step = "\n" + space.rpartition("\n")[2]
        shown = _pretty(value, _unit(text, root), step) if "\n" in space else _flat(value)
        return f"{text[:opening]}{space}{json.dumps(key)}: {shown},{text[opening:]}"
    line = text[text.rfind("\n", 0, parent) + 1 : parent]
    outer = "\n" + line[: len(line) - len(line.lstrip())]
    inner = outer + _unit(text, root)
    _, end = json.JSONDecoder().raw_decode(bare, parent)
    closing = "" if "\n" in text[opening:end] else outer
    shown = _pretty(value, _unit(text, root), inner)
    return f"{text[:opening]}{inner}{json.dumps(key)}: {shown}{closing}{text[opening:]}"


def _cut(text: str, bare: str, parent: int, member: _Member) -> str:
    start, end = len(text[: member.start].rstrip()), member.end
    comma = _COMMA.match(_blanked(_COMMENT, text), end)
    before = [each.end for each in _members(bare, parent) if each.end < member.start]
    if comma:
        return text[:start] + text[comma.end() :]
    if before:  # whose comma goes instead
        at = bare.index(",", before[-1])
        return text[:at] + text[at + 1 : start] + text[end:]
    return text[:start] + text[end:]


# --------------------------------------------------------------------------- reading


def _bare(text: str) -> str:
    return _blanked(_SPARE, _blanked(_COMMENT, text))


def _blanked(pattern: re.Pattern[str], text: str) -> str:
    """The text with spaces for what the group `out` matches; lines stay lines."""
    return pattern.sub(
        lambda found: re.sub(r"[^\r\n]", " ", found[0]) if found["out"] else found[0], text
    )


def _members(bare: str, place: int) -> list[_Member]:
    """The members of the object, or the elements of the list, that begins at a place."""
    found: list[_Member] = []
    is_list, place = bare[place] == "[", place + 1
    while is_list and (start := _SKIPPED.match(bare, place)) and bare[start.end()] != "]":
        _, place = json.JSONDecoder().raw_decode(bare, start.end())
        found.append(_Member("", start.end(), start.end(), place))
    while not is_list and (key := _KEY.match(bare, place)):
        _, place = json.JSONDecoder().raw_decode(bare, key.end())
        found.append(_Member(json.loads(key["key"]), key.start("key"), key.end(), place))
    return found


def _member(bare: str, place: int, key: str) -> _Member | None:
    """The member with this key; of several the last, which is the one that counts."""
    return next((each for each in reversed(_members(bare, place)) if each.key == key), None)


# --------------------------------------------------------------------------- how it looks


def _nested(path: Sequence[str], value: Any) -> Any:
    for key in reversed(path):
        value = {key: value}
    return value


def _flat(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _pretty(value: Any, unit: str, newline: str = "\n") -> str:
    return json.dumps(value, indent=unit, ensure_ascii=False).replace("\n", newline)


def _unit(text: str, root: int) -> str:
    """One step of indentation: that of the first member of the document."""
    return _space(text, root + 1).rpartition("\n")[2] or "  "


def _space(text: str, place: int) -> str:
    """The white space at a place."""
    return text[place : len(text) - len(text[place:].lstrip())]
