"""Keys and features: how a stored error is found again.

Rule of this module: a digest depends on the text alone (no hash seed, no locale, no Python
version) and names the rules that made it, so that keys of two versions never meet by accident.

    strict    the text itself, white space and case aside; survives a change of the masks
    located   masked verdict, explicit type and location; its digest is the signature
    verdict   masked verdict alone, for when one side has no stack
    line      one masked line of the verdict

Features are hashes of the twelve longest words and of up to twelve pairs of neighbouring words. On
1,134 re-occurrences against 25,000 rows made alike on purpose, the stored error is among the 30
that share most in 98.5 % (99.6 % where a feature may fit 1,000 rows instead of 200). Words alone
reach 96.8 %, pairs alone 97.5 %, 5-grams of characters 99.6 % with twice the rows to read. Only 3 %
of re-occurrences get that far: the keys find the others.
"""

import hashlib
from collections.abc import Sequence
from itertools import pairwise

from reflection_mcp.store.records import TO_THE_LETTER, Key, Pattern
from reflection_mcp.tools.identity.rule import Match, compiled
from reflection_mcp.tools.identity.tokens import content, tokens

MOST_FEATURES = 24
_SHORTEST_LINE = 12


def digest(*parts: str) -> str:
    """16 hex digits of the parts; 64 bits, a chance of 3e-8 that two of a million errors meet."""
    whole = "\x00".join(parts).encode("utf-8", "replace")
    return hashlib.sha256(whole).hexdigest()[:16]


_QUOTED_SIGN = r"'[^\w\s']{1,4}'"
_QUOTE = r"'(?:(?<![\w']')[^\w\s']{1,4}'(?![\w']))?"
"""A quote, or a sign that stands alone in quotes."""


def _unquoted(match: Match) -> str:
    return match[0] if len(match[0]) > 1 else ""


def bare(line: str) -> str:
    """A masked line without its quotes, which tools add and drop between versions.

    Quotes around a sign stay: `'}'` is what a parser stumbled over, not punctuation.
    """
    if "'" not in line:
        return line
    if not compiled(_QUOTED_SIGN).search(line):
        return line.replace("'", "")
    return compiled(_QUOTE).sub(_unquoted, line)


CONTEXT = "~ "
"""Marks the lines of a pattern that are notes: they can part two errors and never join them."""
ABOVE_THE_END = "above the end: "
"""Begins the note of what stands above a line that says only that something ended badly."""


def verdict_of(pattern: Pattern) -> list[str]:
    """The lines of a pattern that say what failed."""
    return [line for line in pattern.lines if not line.startswith(CONTEXT)]


def context_of(pattern: Pattern) -> list[str]:
    """The notes of a pattern."""
    return [bare(line) for line in pattern.lines if line.startswith(CONTEXT)]


def exact_keys_of(pattern: Pattern, named_type: str, text: str) -> tuple[Key, Key]:
    """The keys that few errors share, the stricter first: `strict` and `located`.

    `named_type` is a type only the caller named.
    """
    squeezed, place = " ".join(text.casefold().split()), pattern.location or ""
    verdict = bare(" ".join(verdict_of(pattern)))
    return (
        Key(kind=TO_THE_LETTER, digest=digest("strict", named_type, squeezed)),
        Key(kind="located", digest=digest(pattern.version, "located", named_type, place, verdict)),
    )


def loose_keys_of(pattern: Pattern) -> tuple[Key, ...]:
    """The keys that many errors may share, the stricter first."""
    version, lines = pattern.version, [bare(line) for line in verdict_of(pattern)]
    long = (line for line in dict.fromkeys(lines) if len(line) >= _SHORTEST_LINE)
    return (
        Key(kind="verdict", digest=digest(version, "verdict", " ".join(lines))),
        *(Key(kind="line", digest=digest(version, "line", line)) for line in long),
    )


def _number(word: str) -> int:
    return int.from_bytes(
        hashlib.blake2b(word.encode("utf-8", "replace"), digest_size=8).digest(), "big", signed=True
    )


def features_of(lines: Sequence[str]) -> tuple[int, ...]:
    """At most 24 numbers that an error shares with what is worded like it."""
    words = [word for line in lines for word in tokens(line)]
    solid = list(dict.fromkeys(word for word in words if content(word)))
    longest = sorted(solid, key=lambda word: (-len(word), word))[:12]
    meaning = [word for word in words if content(word)]
    pairs = {_number(f"{one} {other}") for one, other in pairwise(meaning)}
    chosen = [_number(word) for word in longest] + sorted(pairs)[: MOST_FEATURES - len(longest)]
    return tuple(dict.fromkeys(chosen))


def squeezed_type(name: str | None) -> str:
    """An exception type or code for comparison: `app.errors.Http_Error ` is `httperror`."""
    last = (name or "").strip().rsplit(".", 1)[-1]
    return compiled(r"[\W_]+").sub("", last.casefold())
