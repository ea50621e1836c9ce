"""JSON as hosts keep it, with comments and trailing commas, read with the place of every value.

Rule: nothing is understood that is not needed to know where a value begins and ends. Values are
decoded by the `json` module from their own slice, so that both always agree on what they are.

Why not a library (measured on 14 odd files, most of them in `tests/hosts/test_editing.py`):
json-five 1.1 gives all of them back unchanged, but has no way to put a member in or take it out:
commas, comments and indentation around it would be ours to write all the same, on a tree that lacks
their places; and it takes for JSON what no host reads (single quotes, bare keys).
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

DEEPEST = 100  # levels; a configuration has five
_SPACE = re.compile(r"[ \t\r\n\ufeff]+")  # a byte order mark is no white space to JSON, but there
_STRING = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_SCALAR = re.compile(r"[-+.\w]+")


class NotJson(ValueError):
    """The text is not JSON; `place` is where reading stopped."""

    def __init__(self, place: int) -> None:
        super().__init__(f"not JSON at character {place}")
        self.place = place


@dataclass(frozen=True, slots=True)
class Node:
    """A value and its position: `text[start:end]`."""

    start: int
    end: int
    value: Any
    members: "tuple[Member, ...]" = ()
    tail: int = 0
    """In an object: behind its last character that is not white space, before the brace."""

    @property
    def is_object(self) -> bool:
        """True if it is an object."""
        return isinstance(self.value, Mapping)

    def member(self, key: str) -> "Member | None":
        """The member with this key; of several the last, which is the one that counts."""
        found = [member for member in self.members if member.key == key]
        return found[-1] if found else None


@dataclass(frozen=True, slots=True)
class Member:
    """A key with its value; `comma` is the place of the comma behind it, or None."""

    key: str
    start: int
    node: Node
    comma: int | None


@dataclass(slots=True)
class _Reader:
    text: str
    place: int = 0
    depth: int = 0
    solid: int = field(default=0)
    """Behind the last comment that was skipped, or the place before the space."""

    def pass_blank(self) -> None:
        """Go on to the next character that is neither white space nor comment."""
        self.solid = self.place
        while True:
            space = _SPACE.match(self.text, self.place)
            if space:
                self.place = space.end()
            elif self.text.startswith("//", self.place):
                line = self.text.find("\n", self.place)
                self.place = self.solid = len(self.text) if line < 0 else line
                if self.text[self.place - 1] == "\r":
                    self.solid -= 1
            elif self.text.startswith("/*", self.place):
                end = self.text.find("*/", self.place + 2)
                if end < 0:
                    raise NotJson(self.place)
                self.place = self.solid = end + 2
            else:
                return

    def at(self) -> str:
        """The next character, empty at the end."""
        return self.text[self.place : self.place + 1]

    def value(self) -> Node:
        self.depth += 1
        if self.depth > DEEPEST:
            raise NotJson(self.place)
        match self.at():
            case "{":
                node = self.object()
            case "[":
                node = self.array()
            case '"':
                node = self.scalar(_STRING)
            case _:
                node = self.scalar(_SCALAR)
        self.depth -= 1
        return node

    def scalar(self, form: re.Pattern[str]) -> Node:
        found = form.match(self.text, self.place)
        if found is None:
            raise NotJson(self.place)
        try:
            value = json.loads(found[0])
        except ValueError as error:
            raise NotJson(self.place) from error
        start, self.place = self.place, found.end()
        return Node(start, self.place, value)

    def comma(self, closing: str) -> int | None:
        """Return the offset of a comma before the next element; the reader moves past it."""
        self.pass_blank()
        if self.at() == ",":
            self.place += 1
            return self.place - 1
        if self.at() != closing:
            raise NotJson(self.place)
        return None

    def array(self) -> Node:
        start = self.place
        self.place += 1
        values: list[Any] = []
        self.pass_blank()
        while self.at() != "]":
            values.append(self.value().value)
            self.comma("]")
            self.pass_blank()
        self.place += 1
        return Node(start, self.place, values)

    def object(self) -> Node:
        start = self.place
        self.place += 1
        members: list[Member] = []
        self.pass_blank()
        while self.at() != "}":
            key = self.scalar(_STRING)
            self.pass_blank()
            if self.at() != ":":
                raise NotJson(self.place)
            self.place += 1
            self.pass_blank()
            node = self.value()
            members.append(Member(cast("str", key.value), key.start, node, self.comma("}")))
            if members[-1].comma is not None:
                self.pass_blank()
        tail, self.place = self.solid, self.place + 1
        whole = {member.key: member.node.value for member in members}
        return Node(start, self.place, whole, tuple(members), tail)


def read(text: str) -> Node | None:
    """The value of a document, or None when it holds none.

    Raises:
        NotJson: it is neither.
    """
    reader = _Reader(text)
    reader.pass_blank()
    if reader.place == len(text):
        return None
    node = reader.value()
    reader.pass_blank()
    if reader.place != len(text):
        raise NotJson(reader.place)
    return node
