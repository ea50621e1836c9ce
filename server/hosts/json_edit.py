"""Adds and removes one member of a JSON document, and touches nothing else in it.

Rule: what is inserted follows the look of its neighbours (indentation, one line or several), and
taking it out again gives back the text that was there.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from reflection_mcp.server.hosts.json_text import Member, Node, read

_INDENT = "  "


def value_of(text: str) -> Mapping[str, Any] | None:
    """The document as data, None when it is another value than an object; no text is `{}`."""
    root = read(text)
    if root is None:
        return {}
    return root.value if root.is_object else None


def added(text: str, path: Sequence[str], entry: Mapping[str, Any]) -> str:
    """The text with `entry` as a new member at `path`, whose parents are made when missing."""
    root = read(text)
    newline = _newline(text)
    if root is None:
        body = _pretty(_nested(path, entry), _INDENT, "", newline)
        return f"{text}{body}{newline}"
    parent, rest = _deepest(root, path)
    return _inserted(text, root, parent, rest, entry, newline)


def removed(text: str, path: Sequence[str]) -> str:
    """The text without the member at `path`, which is there."""
    root = read(text)
    assert root is not None
    parent, rest = _deepest(root, path[:-1])
    member = parent.member(path[-1])
    assert not rest and member is not None
    return _cut(text, parent, member)


def _deepest(root: Node, path: Sequence[str]) -> tuple[Node, Sequence[str]]:
    """The last object of the path that exists, and the keys below it that do not."""
    node = root
    for place, key in enumerate(path):
        member = node.member(key)
        if member is None:
            return node, path[place:]
        node = member.node
    return node, ()


def _inserted(
    text: str, root: Node, parent: Node, path: Sequence[str], entry: Mapping[str, Any], newline: str
) -> str:
    key, value = path[0], _nested(path[1:], entry)
    inline = parent.members or (parent is not root and _on_one_line(text, root))
    if inline and _on_one_line(text, parent):
        piece = f"{json.dumps(key)}: {json.dumps(value, ensure_ascii=False)}"
        return _joined(text, parent, f" {piece}" if parent.members else piece)
    unit = _unit(text, root)
    outer = _line_indent(text, parent.start)
    inner = _line_indent(text, parent.members[0].start) if parent.members else outer + unit
    body = _pretty(value, unit, inner, newline)
    closing = "" if "\n" in text[parent.tail : parent.end] else f"{newline}{outer}"
    return _joined(text, parent, f"{newline}{inner}{json.dumps(key)}: {body}", closing)


def _joined(text: str, parent: Node, piece: str, closing: str = "") -> str:
    """The text with a piece before the closing brace, and commas as the object has them."""
    last = parent.members[-1] if parent.members else None
    end = parent.tail
    if last is None:
        return text[:end] + piece + closing + text[end:]
    if last.comma is not None:
        return f"{text[:end]}{piece},{closing}{text[end:]}"
    here = last.node.end
    return f"{text[:here]},{text[here:end]}{piece}{closing}{text[end:]}"


def _cut(text: str, parent: Node, member: Member) -> str:
    start = len(text[: member.start].rstrip())
    end = member.node.end if member.comma is None else member.comma + 1
    if len(parent.members) == 1 and not text[parent.start + 1 : start].strip():
        inside = text[end : parent.end - 1]
        return text[:start] + (inside if inside.strip() else "") + text[parent.end - 1 :]
    before = [other for other in parent.members if other.start < member.start]
    if member.comma is None and before:
        comma = before[-1].comma
        assert comma is not None
        return text[:comma] + text[comma + 1 : start] + text[end:]
    return text[:start] + text[end:]


# --------------------------------------------------------------------------- how it looks


def _nested(path: Sequence[str], value: Any) -> Any:
    for key in reversed(path):
        value = {key: value}
    return value


def _pretty(value: Any, unit: str, indent: str, newline: str) -> str:
    text = json.dumps(value, indent=unit, ensure_ascii=False)
    return text.replace("\n", newline + indent)


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _on_one_line(text: str, node: Node) -> bool:
    end = node.members[0].start if node.members else node.end
    return "\n" not in text[node.start : end]


def _unit(text: str, root: Node) -> str:
    """One step of indentation: that of the first member of the document."""
    step = _line_indent(text, root.members[0].start) if root.members else ""
    return step or _INDENT


def _line_indent(text: str, place: int) -> str:
    """The white space at the beginning of the line of a place."""
    line = text[text.rfind("\n", 0, place) + 1 : place]
    return line[: len(line) - len(line.lstrip())]
