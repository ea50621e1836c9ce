"""Phrases of an English sentence, looked up word by word in the lists of `claims.toml`."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from sys import intern
from typing import Any

from reflection_mcp.tools.judging.evidence.rows import read, tool_rows

Phrase = tuple[str, ...]


class Lexicon:
    """Phrases that are looked up at a place of a sentence, the longest first."""

    def __init__(self, phrases: Iterable[tuple[str, str]]) -> None:
        self._rows: dict[str, list[tuple[Phrase, set[str]]]] = {}
        merged: dict[Phrase, set[str]] = {}
        for text, label in phrases:
            merged.setdefault(tuple(map(intern, words(text))), set()).add(label)
        shared: dict[frozenset[str], set[str]] = {}  # of thousands of phrases a few dozen differ
        for phrase, labels in sorted(merged.items(), key=lambda row: -len(row[0])):
            one = shared.setdefault(frozenset(labels), labels)
            self._rows.setdefault(phrase[0], []).append((phrase, one))

    def at(self, row: Sequence[str], place: int) -> tuple[int, set[str]]:
        """Return how many words of the phrase stand here, and its labels; 0 for none."""
        if place < len(row):
            for phrase, labels in self._rows.get(row[place], ()):
                if tuple(row[place : place + len(phrase)]) == phrase:
                    return len(phrase), labels
        return 0, set()

    def anywhere(self, row: Sequence[str]) -> bool:
        """Return True if one of the phrases stands in a row of words."""
        return any(self.at(row, place)[0] for place in range(len(row)))


_WORDS = re.compile(r"\u2026\w{1,40}\u2026|[a-z\d]+(?:[-'\u2019.][a-z\d]+)*|[^\s\w]")


def words(text: str) -> list[str]:
    """Return the words and signs of a text in lower case; "don't" ends in a word of its own."""
    row: list[str] = []
    for word in _WORDS.findall(text.lower().replace("\u2019", "'")):
        for ending in ("n't", "'ll", "'d", "'ve", "'s"):
            if word.endswith(ending) and word != ending:
                row += [word.removesuffix(ending), ending]
                break
        else:
            row.append(word)
    return row


def _phrases(text: str) -> list[str]:
    return [phrase.strip() for phrase in text.replace("\n", " ").split(",") if phrase.strip()]


@cache
def lexicon(*path: str) -> Lexicon:
    """Return the phrases of one table of `claims.toml`, labelled with the name of their list."""
    table: Any = read("claims")
    for name in path:
        table = table[name]
    lists: Mapping[str, str] = {"": table} if isinstance(table, str) else table
    return Lexicon((phrase, label) for label, text in lists.items() for phrase in _phrases(text))


PLAIN = frozenset("make yarn cargo ninja helm rails cmake biome black".split())
"""Tools whose names are words, too: read as a tool only in code."""


@cache
def tool_words() -> Lexicon:
    """Return the commands of the tools that are known, labelled with the tools."""
    names = ((text, row.name) for row in tool_rows() for text in row.commands)
    return Lexicon((t, n) for t, n in names if " " in t or (len(t) > 3 and t not in PLAIN))
