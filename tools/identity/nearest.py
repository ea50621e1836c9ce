"""The nearest of several stored errors that all have the message of a text.

Rule of this module: it decides nothing that keys or a veto decide. What counts is all that was
printed: first what the masks leave of it, then what they hide (a port, a time).
"""

from collections.abc import Sequence
from functools import lru_cache

from reflection_mcp.store.records import Reflection
from reflection_mcp.tools.identity.clean.text import clean
from reflection_mcp.tools.identity.mask.line import masked

EXAMPLE = 2_000
"""Characters of its text that a stored error keeps, and of a text that are held against it."""

_Words = tuple[frozenset[str], frozenset[str]]


def nearest(text: str, stored: Sequence[Reflection]) -> Reflection:
    """The one whose first text is nearest to this one; the first of those that are equally near.

    A word of this text that the other lacks counts before any number of words that only the other
    has: most texts are cut short, and few are met with more than was stored.
    """
    if len(stored) == 1:
        return stored[0]
    mine = _words(text)
    return min(stored, key=lambda each: _distance(mine, each.example))


def _distance(mine: _Words, example: str) -> list[tuple[int, int]]:
    """Words that only this text has, and only the other; with the masks and without."""
    pairs = zip(mine, _words(example), strict=True)
    return [(len(here - there), len(there - here)) for here, there in pairs]


@lru_cache(maxsize=64)
def _words(text: str) -> _Words:
    """Cached: what is met again is held against the same stored errors again."""
    lines = clean(text[:EXAMPLE])
    return _of([masked(line) for line in lines]), _of(lines)


def _of(lines: Sequence[str]) -> frozenset[str]:
    return frozenset(word for line in lines for word in line.casefold().split())
