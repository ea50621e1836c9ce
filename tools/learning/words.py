"""Tokens and stems of words, for comparing what users type with lessons.

Rules: no language model and nothing that has to be downloaded; the same text gives the same
stems on every machine and for every store. A stem is a beginning of the word, so that an index can
look for it by prefix, wherever English spelling allows. Words with digits and words of other
scripts stay whole. Two words that share a stem count as one word, which costs a little precision;
the threshold of `ranking` makes up for it.
"""

import re
import unicodedata
from functools import lru_cache

from reflection_mcp.tools.data_files import words as word_file

LOOKED_AT = 4_000  # characters of one text
SHORTEST = 3  # letters that a stem keeps

_TOKEN = re.compile(r"[^\W_]{1,64}")
_HUMP = re.compile(r"[A-Z]?[a-z]{2,}|[A-Z]{2,}(?![a-z])|\d+")

ENDINGS: tuple[tuple[str, str, str], ...] = (
    ("izations", "organizations", "organ"),
    ("ization", "normalization", "normal"),
    ("isation", "normalisation", "normal"),
    ("ations", "migrations", "migr"),
    ("ation", "migration", "migr"),
    ("ating", "migrating", "migr"),
    ("ators", "iterators", "iter"),
    ("ator", "iterator", "iter"),
    ("ated", "migrated", "migr"),
    ("ates", "updates", "upd"),
    ("ate", "migrate", "migr"),
    ("izing", "normalizing", "normal"),
    ("ising", "normalising", "normal"),
    ("ized", "normalized", "normal"),
    ("ised", "normalised", "normal"),
    ("ize", "normalize", "normal"),
    ("ise", "normalise", "normal"),
    ("ments", "arguments", "argu"),
    ("ment", "deployment", "deploy"),
    ("ness", "slowness", "slow"),
    ("ings", "settings", "set"),
    ("ing", "installing", "install"),
    ("ions", "connections", "connect"),
    ("ion", "connection", "connect"),
    ("ies", "queries", "quer"),
    ("ied", "retried", "retr"),
    ("ers", "workers", "work"),
    ("ors", "errors", "err"),
    ("er", "worker", "work"),
    ("or", "error", "err"),
    ("ed", "installed", "install"),
    ("es", "caches", "cach"),
    ("ly", "slowly", "slow"),
    ("al", "conditional", "condition"),
    ("e", "cache", "cach"),
    ("y", "query", "quer"),
    ("s", "tags", "tag"),
)
"""Endings that do not change what a word means, longest first: ending, a word, its stem."""


def tokens(text: str) -> tuple[str, ...]:
    """Return the words of a text in their order, case and accents removed.

    `NullPointerException` and `max_tokens` give their parts as well as, for the first, the whole.
    """
    plain = text[:LOOKED_AT]
    if not plain.isascii():
        decomposed = unicodedata.normalize("NFKD", plain)
        plain = "".join(char for char in decomposed if not unicodedata.combining(char))
    found: list[str] = []
    for token in _TOKEN.findall(plain):
        found.append(token.casefold())
        humps = _HUMP.findall(token)
        if len(humps) > 1 and sum(map(len, humps)) == len(token):
            found += [hump.casefold() for hump in humps if len(hump) > 1]
    return tuple(found)


def stop_words() -> frozenset[str]:
    """Return the words that say nothing of what a text is about."""
    return word_file("reflection_mcp.tools.learning", "query.words")["stop"]


def telling_words(text: str) -> tuple[str, ...]:
    """Return the words of a text that count when texts are compared, in their order."""
    return tuple(word for word in tokens(text) if len(word) > 1 and word not in stop_words())


def is_about_making(query: str) -> bool:
    """Return True for a query that asks to explain or to make something new."""
    said = query[:200].casefold().removeprefix("please ").split()[:2]
    begins = {"-".join(said), *said[:1]}
    return not begins.isdisjoint(
        word_file("reflection_mcp.tools.learning", "query.words")["making"]
    )


def as_written(text: str) -> tuple[str, ...]:
    """Return the words of a text with letters beyond ASCII, as written, each once.

    A word without an accent that an index would drop too (a Korean syllable, a voiced kana, a Greek
    or a Bengali vowel) is found in that index by nothing else.
    """
    return tuple(
        dict.fromkeys(word for word in _TOKEN.findall(text[:LOOKED_AT]) if not word.isascii())
    )


@lru_cache(maxsize=4_096)
def stem(word: str) -> str:
    """Return the part of a lower-case word that carries its meaning."""
    if len(word) <= SHORTEST or not word.isascii() or not word.isalpha():
        return word
    if word.endswith(("us", "is")) or (word.endswith("ss") and not word.endswith("ness")):
        return word
    for ending, _, _ in ENDINGS:
        left = len(word) - len(ending)
        if left >= SHORTEST and word.endswith(ending):
            return _undoubled(word[:left])
    return word


def _undoubled(word: str) -> str:
    """Return `stop` for `stopp`; `install` keeps its two letters, as its verb does."""
    if len(word) > SHORTEST and word[-1] == word[-2] and word[-1] not in "lsz":
        return word[:-1]
    return word
