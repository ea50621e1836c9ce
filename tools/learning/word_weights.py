"""The weight of a word: how much it says about what a text is about.

Rules: a stop word counts nothing; an everyday word counts little, since it occurs in every other
text about programs; so does a word of trouble, since every lesson is about trouble; the name of a
technology says what a text is about and not what went wrong there, so that no such word alone makes
a match. Every other word counts fully. The words are in `word_weights.words`.
"""

from functools import cache, lru_cache

from reflection_mcp.tools.data_files import words
from reflection_mcp.tools.learning.words import stem

SILENT, FAINT, NAMING, FULL, NUMBERED = 0.0, 0.5, 0.9, 1.0, 1.5
CODE = 3  # digits from which a word is the number of an error or the like: 413, e0599, cp1252


@lru_cache(maxsize=16_384)
def weight(word: str) -> float:
    """Return the weight of a lower-case word or its stem: 0 for a stop word, 1 for most, more for a
    code."""
    if word in stop_words() or len(word) < 2:
        return SILENT
    if sum(map(str.isdigit, word)) >= CODE:
        return NUMBERED
    root = stem(word)
    if root in _stems("topics") or word in _stems("topics"):
        return NAMING
    faint = _stems("everyday") | _stems("trouble")
    return FAINT if root in faint or word in faint else FULL


def stop_words() -> frozenset[str]:
    """Return the words that count nothing."""
    return words("reflection_mcp.tools.learning", "word_weights.words")["stop"]


@cache
def _stems(section: str) -> frozenset[str]:
    found = words("reflection_mcp.tools.learning", "word_weights.words")[section]
    return frozenset(map(stem, found))
