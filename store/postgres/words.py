"""The words by which reflections are searched, in the forms of PostgreSQL's text search."""

import re
import unicodedata
from collections.abc import Iterable

from reflection_mcp.store.records import Reflection
from reflection_mcp.store.scrub import scrub

_WORD = re.compile(r"[^\W_]+")


def _texts(reflection: Reflection) -> tuple[str, ...]:
    """Everything that `search` looks into."""
    return (
        reflection.lesson,
        reflection.strategy,
        reflection.trigger,
        reflection.evidence,
        reflection.example,
        reflection.question,
        *reflection.tags,
        *reflection.situations,
    )


def _tokens_of(text: str) -> list[str]:
    """Runs of letters and digits without case and accents, as SQLite's `unicode61` cuts them."""
    plain = unicodedata.normalize("NFKD", scrub(text)).casefold()
    if not plain.isascii():
        plain = "".join(char for char in plain if not unicodedata.combining(char))
    return _WORD.findall(plain)


_MOST_WORDS = 16_000
_MOST_PLACES = 50
_LONGEST_WORD = 200
"""Limits of PostgreSQL's text search: words of a text, places of one word, characters of one."""


def lexeme(place: int) -> str:
    """A word that all rows of a place have and no other: the index is not kept by place."""
    return f"':{place}'"


def words_of(reflection: Reflection, place: int) -> str:
    """The words of a reflection and their places, as a `tsvector` is written."""
    found: dict[str, list[str]] = {}
    at = 0
    for part in _texts(reflection):
        for word in _tokens_of(part):
            at += 1
            if at < _MOST_WORDS and len(word) <= _LONGEST_WORD:
                found.setdefault(word, []).append(str(at))
        at += 1  # no phrase begins in one text and ends in another
    words = (f"'{word}':{','.join(places[:_MOST_PLACES])}" for word, places in found.items())
    return " ".join((lexeme(place), *words))


def query_of(words: Iterable[str]) -> str:
    """Plain words as a `tsquery`: any of them; empty if there is nothing to look for."""
    phrases = [_tokens_of(word) for word in words]
    return " | ".join(
        "(" + " <-> ".join(f"'{token}'" for token in tokens) + ")"
        for tokens in phrases
        if tokens and all(len(token) <= _LONGEST_WORD for token in tokens)
    )
