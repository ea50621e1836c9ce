"""The result of parsing a block of code.

Rule of this module: a block is `broken` only when no parser of that language could accept it;
whatever is usual in a snippet but no part of the language makes it `unclear`.
"""

import re
from typing import Literal, NamedTuple


class ParseResult(NamedTuple):
    """The result for one block: `line` counts from 1 inside it, `message` says what is amiss."""

    result: Literal["whole", "broken", "unclear"]
    message: str = ""
    line: int = 1


WHOLE = ParseResult("whole")

# What writers put where code was left out or is to be filled in. Not a part of any language here.
_ELISION = re.compile(
    r"\.\.\.|\u2026|<[A-Za-z][\w .-]{0,60}>|\{\{|\{%|\$\{|<%|\[(?:your|insert|rest)\b",
    re.IGNORECASE,
)


def unclear(message: str) -> ParseResult:
    """Return a reading that says why nothing can be said."""
    return ParseResult("unclear", message)


def elided(text: str) -> bool:
    """Return True if the text holds an ellipsis or a placeholder to be filled in."""
    return bool(_ELISION.search(text))


def line_of(body: str, line: int) -> str:
    """Return one line of a block, counted from 1; empty when there is no such line."""
    lines = body.split("\n")
    return lines[line - 1] if 0 < line <= len(lines) else ""
