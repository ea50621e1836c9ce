"""A row of a rule table: what it finds, what becomes of it, and what proves it.

Rule of this module: patterns are kept as text and compiled when first needed, so that importing
the tables costs nothing; a row that cannot apply is skipped by a plain substring test, which is a
hundred times cheaper than a regular expression.
"""

import re
from collections.abc import Callable, Iterable
from functools import cache
from typing import NamedTuple

ANY_DIGIT = "0-9"
"""Begins `Rule.needs` of a row that can only apply to text with a digit in it."""

Match = re.Match[str]
Replacement = str | Callable[[Match], str]


class Rule(NamedTuple):
    """One replacement.

    `needs` is text without which the pattern cannot match (casefolded; any one of several,
    separated by bars; empty: always try). `0-9` before it, with a blank between, asks for a digit
    too. `example` becomes `becomes`; `keeps` is left as it is.
    """

    name: str
    needs: str
    pattern: str
    replacement: Replacement
    example: str
    becomes: str
    keeps: str


class Shape(NamedTuple):
    """One kind of line: `example` has it, `other` looks like it and has not."""

    name: str
    pattern: str
    example: str
    other: str


@cache
def compiled(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """The compiled form of a pattern, made once."""
    return re.compile(pattern, flags)


@cache
def any_of(shapes: tuple[Shape, ...], before: str = "", after: str = "") -> re.Pattern[str]:
    """One pattern that matches what any of the shapes does."""
    return re.compile(before + "(?:" + "|".join(shape.pattern for shape in shapes) + ")" + after)


@cache
def _needed(needs: str) -> tuple[bool, tuple[str, ...]]:
    """Whether a digit is needed, and the texts one of which is; no texts: nothing else."""
    texts = needs.removeprefix(ANY_DIGIT)
    digit = texts != needs
    texts = texts.removeprefix(" ") if digit else texts
    return digit, tuple(texts.split("|")) if texts else ()


def apply(rules: Iterable[Rule], text: str) -> str:
    """Apply the rows in order, skipping those whose `needs` the text does not hold."""
    lowered = text.casefold()
    has_digit = compiled("[0-9]").search(text) is not None
    for rule in rules:
        digit, texts = _needed(rule.needs)
        if digit and not has_digit:
            continue
        for one in texts:
            if one in lowered:
                break
        else:
            if texts:
                continue
        text = compiled(rule.pattern).sub(rule.replacement, text)
    return text
