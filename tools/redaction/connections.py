"""Passwords with spaces in a connection string: `Server=db;User Id=sa;Password=two words;`.

Rules of this module:

- In such a string a value ends at the semicolon, or at the quotes around the whole string. So the
  spaces belong to the password, and so does the text after the first of them.
- A semicolon also ends a statement of a shell (`PASSWORD=x ./run all; echo`) and half a sentence.
  So another pair has to be adjacent, or the name has to be spelled as in these strings and the line
  has to end; a value with words of a sentence is none.

A value without spaces is read as under any other name (`labels`).
"""

import re
from collections.abc import Iterator
from functools import cache

from reflection_mcp.tools.redaction.values import Filter, is_code, is_secret, is_sentence

NAMES = ("password", "pwd")
WRITTEN = ("Password", "Pwd", "PWD")
"""Names as connection strings write them, unlike variables."""
NEAR = 240
"""Characters before a name in which the string has to begin, or the pair before it."""

_WORD = r"[^\s;\"'`<>]{1,64}"
_VALUE = rf"\w{{3,8}}[ ]?=[ ]?(?P<value>{_WORD}(?:[ ]{_WORD}){{1,8}})[ ]?(?P<end>[;\"'])"
_PAIR_BEHIND = r"[A-Za-z][\w ]{0,40}=|[ ][A-Z][\w ]{0,40}="
_LINE_ENDS = r"[ \t]{0,8}(?:[\"'`)\r\n]|\Z)"


def connection_passwords(text: str, folded: str) -> Iterator[tuple[str, int, int]]:
    """Yield kind, start and end of each password with spaces in a connection string."""
    rules = _rules()
    for name in NAMES:
        at = folded.find(name)
        while at >= 0:
            match = rules.value.match(text, at)
            if match and _stands_in_a_string(text, at, match, name) and _convinces(match["value"]):
                yield "password", *match.span("value")
            at = folded.find(name, at + len(name))


def _stands_in_a_string(text: str, at: int, match: re.Match[str], name: str) -> bool:
    if text[max(0, at - 1) : at].isalnum() or text[at - 1 : at] in ("_", "-", "$", "."):
        return False
    rules, written = _rules(), text[at : at + len(name)] in WRITTEN
    before = text[max(0, at - NEAR) : at]
    string = before[max(map(before.rfind, "\"'`\n")) + 1 :]
    opened = before[: len(before) - len(string)][-1:]
    pairs, semicolon, beside = string.rpartition(";")
    follows = bool(semicolon) and "=" in pairs and (written or not beside.startswith(" "))
    if match["end"] != ";":
        return follows and opened == match["end"]
    if rules.pair.match(text, match.end()):
        return written or follows or text[match.end()] != " "
    return (written or follows) and rules.line_ends.match(text, match.end()) is not None


def _convinces(value: str) -> bool:
    first = value.split(" ", 1)[0]
    if is_sentence(value) or is_code(first):
        return False
    return is_secret(first, Filter.ANYTHING) and is_secret(value, Filter.ANYTHING)


class _Rules:
    """The expressions of this module, compiled at first use."""

    def __init__(self) -> None:
        self.value = re.compile(_VALUE)
        self.pair = re.compile(_PAIR_BEHIND)
        self.line_ends = re.compile(_LINE_ENDS)


@cache
def _rules() -> _Rules:
    return _Rules()
