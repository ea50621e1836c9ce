"""Synonyms: words of the field that mean the same to somebody who looks for help.

Rules: a group holds what one person writes where another writes something else about the same
trouble: abbreviations, British and American spelling, irregular forms, names of one thing. A group
is no dictionary: words that only go together (`docker`, `kubernetes`) are not in one. Synonyms
count less than the word itself. The groups are in `synonyms.txt`.
"""

from collections.abc import Mapping
from functools import cache

from reflection_mcp.tools.data_files import table
from reflection_mcp.tools.learning.words import stem

SYNONYM_WEIGHT = 0.8
"""The weight of a synonym relative to the word itself."""


@cache
def groups() -> tuple[tuple[str, ...], ...]:
    """Return the groups of words that mean the same."""
    rows = table("reflection_mcp.tools.learning", "synonyms.txt")
    return tuple(tuple(words.split()) for words, _, _ in rows)


@cache
def related() -> Mapping[str, frozenset[str]]:
    """Return for each stem the stems that may replace it, itself left out."""
    found: dict[str, set[str]] = {}
    for group in groups():
        stems = set(map(stem, group))
        for member in stems:
            found.setdefault(member, set()).update(stems - {member})
    return {member: frozenset(others) for member, others in found.items()}


@cache
def _spelled() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for word in (word for group in groups() for word in group):
        found.setdefault(stem(word), set()).add(word)
    return {root: frozenset(words) for root, words in found.items()}


def spellings(root: str) -> frozenset[str]:
    """Return the words of the table that have this stem."""
    return _spelled()[root]
