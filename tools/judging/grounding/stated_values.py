"""The numbers of a text with what they count or measure, in one unit for each quantity.

Rules of this module: a number that is a part of a date, a version or an address is no value; a
time, a date and a version are values of their own, which only agree where they are written alike.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from reflection_mcp.tools.judging.texts.source import fold
from reflection_mcp.tools.judging.texts.wording import STOP

NEARLY = 0.03
"""Two values are the same within this share of the larger: a size may be rounded."""
UNIT_AMOUNTS: Mapping[str, tuple[str, float]] = {
    **dict.fromkeys(("ms", "msec", "milliseconds"), ("second", 0.001)),
    **dict.fromkeys(("s", "sec", "secs", "second", "seconds", "sekunden"), ("second", 1.0)),
    **dict.fromkeys(("m", "min", "mins", "minute", "minutes", "minuten"), ("second", 60.0)),
    **dict.fromkeys(("h", "hour", "hours", "stunden"), ("second", 3600.0)),
    **dict.fromkeys(("d", "day", "days", "tage", "tagen"), ("second", 86400.0)),
    **dict.fromkeys(("kb", "k", "kib", "ki", "ko"), ("byte", 1e3)),
    **dict.fromkeys(("mb", "mib", "mi", "mo"), ("byte", 1e6)),
    **dict.fromkeys(("gb", "g", "gib", "gi", "go"), ("byte", 1e9)),
    **dict.fromkeys(("tb", "t", "tib"), ("byte", 1e12)),
    **dict.fromkeys(("$", "dollar", "dollars"), ("$", 1.0)),
    **dict.fromkeys(("\u20ac", "euro", "euros"), ("\u20ac", 1.0)),
    "%": ("%", 1.0),
}
"""The quantity of a unit, and how many of the smallest unit it is."""
MEASURED = frozenset(kind for kind, _ in UNIT_AMOUNTS.values())
MONEY = ("$", "\u20ac")
WRITTEN = ("version", "clock", "date")
"""Kinds of values that agree only where they are written alike."""

_VALUE = re.compile(
    r"(?<![A-Za-z0-9_.,:/#-])(?:[<>=~^]{1,2})?(?P<sign>[$\u20ac])?"
    r"(?P<n>\d{1,3}(?:,\d{3}){1,4}|\d{1,12})(?P<d>\.\d{1,6})?(?![.,:/-]?\d)"
    r"\s?(?P<unit>[%\u20ac]|[^\W\d_]{1,24}(?:/[a-z]{1,6}\b)?)?"
)
_WRITTEN = re.compile(
    r"(?<![\w.,:/-])(?:(?P<version>v?\d{1,4}(?:\.\d{1,5}){2,3})|(?P<clock>\d{1,2}:\d{2})"
    r"|(?P<date>\d{4}-\d{2}(?:-\d{2})?))(?![\w:/-]|[.,]\d)"
)
_UNIT_WORDS = frozenset(UNIT_AMOUNTS)
_TYPED = re.compile(r"\b([A-Za-z]{3,12})\((\d{1,6})\)")
_DIGIT = re.compile(r"\d")
_WORD = re.compile(r"[^\W\d_]{3,30}")


class StatedValue(NamedTuple):
    """A number with what it counts or measures; `written` has no separators."""

    start: int
    end: int
    written: str
    kind: str
    amount: float = 0.0

    def agrees(self, other: "StatedValue") -> bool:
        """Return True if two values are the same, or one is the other one rounded."""
        if self.kind in WRITTEN or other.kind in WRITTEN or self.amount == other.amount:
            return self.written == other.written or self.amount == other.amount > 0
        near = abs(self.amount - other.amount) <= NEARLY * max(self.amount, other.amount) + 1e-12
        return near and _telling(self.written) != _telling(other.written)


def _telling(written: str) -> int:
    """Return the number of significant digits."""
    return len(written.replace(".", "").lstrip("0") if "." in written else written.strip("0"))


def values(text: str) -> list[StatedValue]:
    """Return the values of a text."""
    found: list[StatedValue] = []
    if not _DIGIT.search(text):
        return found
    for match in _VALUE.finditer(text):
        written = match["n"].replace(",", "") + (match["d"] or "")
        unit = match["sign"] or (match["unit"] or "").lower()
        kind, factor = UNIT_AMOUNTS.get(unit, (root(unit) if len(unit) > 3 else "", 1.0))
        amount = float(written) * factor
        found.append(StatedValue(match.start(), match.end(), written, kind, amount))
    for match in _TYPED.finditer(text):
        name, size = match[1].lower(), float(match[2])
        found.append(StatedValue(match.start(), match.end(), match[2], f"{name}()", size))
    for match in _WRITTEN.finditer(text):
        written = match[0].removeprefix("v")
        found.append(StatedValue(match.start(), match.end(), written, match.lastgroup or ""))
    return sorted(found)


@lru_cache(maxsize=2_048)
def root(word: str) -> str:
    """Return what the forms of a word share in most languages: Workers, Workern."""
    word = fold(word)
    for ending in ("ies", "en", "es", "er", "s", "n", "y", "e"):
        if word.endswith(ending) and len(word) > len(ending) + 3:
            word = word.removesuffix(ending)
            break
    return word[:7]


@lru_cache(maxsize=256)
def words(text: str) -> frozenset[str]:
    """Return the roots of the words that carry meaning, those of units aside."""
    small = (word.lower() for word in _WORD.findall(text))
    return frozenset(root(word) for word in small if word not in STOP | _UNIT_WORDS)


def _differences(one: str, other: str) -> Sequence[int]:
    """Return where two texts of one length differ; nothing for others."""
    if len(one) != len(other):
        return ()
    return [place for place in range(len(one)) if one[place] != other[place]]


def swapped_digits(one: str, other: str) -> bool:
    """Return True if two numbers differ by two digits that changed places."""
    places = _differences(one, other)
    return len(places) == 2 and all(one[a] == other[b] for a, b in (places, reversed(places)))


def one_slip(one: str, other: str) -> bool:
    """Return True if two numbers differ by one digit, or by two that changed places."""
    places = _differences(one, other)
    return swapped_digits(one, other) or (len(places) == 1 and places[0] < len(one) - 1)
