"""Check of blocks of YAML.

Rule of this module: there is no quick YAML reader among our dependencies, so only four faults that
no YAML reader forgives are looked for, and a block without them is unclear, never whole.
"""

import re
from collections.abc import Iterator

from reflection_mcp.tools.judging.syntax.reading import ParseResult, elided, unclear

LIMIT = 20_000
"""Characters that are read."""

_TAB = re.compile(r"\t[\t ]{0,40}(?:- |[\w.-]{1,80}:(?:\s|$))")
_ENTRY = re.compile(r" {0,200}(?:- {1,8}){0,8}(?:[\w./-]{1,80}: {1,40})?")
_SCALAR = re.compile(r"[|>][+-]?\d?[+-]?\s{0,20}(?:#.*)?$")
_TWICE = re.compile(r"[\w.-]{1,80}: {1,40}[^\s\"'|>{\[&*!#](?:[^#\"'\n]{0,200}?[\w)])?: +[\w\"']")


def read_yaml(body: str) -> ParseResult:
    """Look for what no YAML reader forgives: a tab as indentation, an open bracket or quote, and
    two keys on one line."""
    if len(body) > LIMIT:
        return unclear(f"longer than {LIMIT} characters")
    if re.search(r"\{\{|\{%|<%", body):
        return unclear("a template")
    if elided(body):
        return unclear("something was left out")
    lines = body.split("\n")
    inside = 0
    for number, line in _structure(lines):
        if number <= inside:
            continue
        if _TAB.match(line):
            return ParseResult("broken", "a tab is used for indentation", number)
        value = _ENTRY.match(line)
        column = value.end() if value else 0
        if line[column : column + 1] in ("[", "{", '"', "'"):
            inside = _closing_line(lines, number, column)
            if not inside:
                return ParseResult("broken", f"{line[column]} is never closed", number)
        elif _TWICE.match(line.lstrip().removeprefix("- ")):
            return ParseResult("broken", "a second key on the same line", number)
    return unclear("only indentation, brackets and quotes were looked at")


def _structure(lines: list[str]) -> Iterator[tuple[int, str]]:
    """Yield the lines that are no comment and stand in no block scalar, with their numbers."""
    depth: int | None = None
    for number, line in enumerate(lines, start=1):
        bare = line.strip()
        indent = len(line) - len(line.lstrip(" "))
        if not bare or bare.startswith(("#", "---", "%")):
            continue
        if depth is not None and indent > depth:
            continue
        depth = None
        yield number, line
        if _SCALAR.search(line[-60:]):
            depth = indent


def _closing_line(lines: list[str], line: int, column: int) -> int:
    """Return the number of the line on which the bracket or quote at that place closes, or 0."""
    quote, depth = "", 0
    for number in range(line, len(lines) + 1):
        text = lines[number - 1][column:]
        column, place = 0, 0
        while place < len(text):
            sign = text[place]
            if quote == '"' and sign == "\\":
                place += 1
            elif quote:
                quote = "" if sign == quote else quote
            elif sign == '"' or (sign == "'" and not text[max(0, place - 1)].isalnum()):
                quote = sign
            elif sign in "[{":
                depth += 1
            elif sign in "]}":
                depth -= 1
            if not quote and depth <= 0:
                return number
            place += 1
    return 0
