"""The numbers that a source tells, as they stand there.

Rules of this module: a source is read once, each kind of number when it is first asked for. What
comes of the numbers is the business of `derivation`.
"""

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import islice

from reflection_mcp.tools.judging.expressions.units import unit_of
from reflection_mcp.tools.judging.texts.digits import at_figures
from reflection_mcp.tools.judging.texts.numbers import (
    SCALES,
    TENS,
    UNITS,
    scale_after,
    values,
)
from reflection_mcp.tools.judging.texts.source import Source
from reflection_mcp.tools.judging.texts.wording import STOP, stem

MOST = 250
"""Numbers of the source that are combined at all."""
AROUND = 60
"""Characters around a number in which what belongs to it stands."""

PERCENTAGES = 20
"""Percentages and times of the day that are combined."""
SPELLED = 30
"""Characters before a number or a unit in which the other number stands that belongs to it."""

# Expressions about figures are tried where digits begin; what must not stand before is looked for
# from there.
_NUMBER = re.compile(
    r"\d(?<![A-Za-z].)(?:\d{0,2}(?:,\d{3}){1,5}(?!\d)(?:\.\d{1,6})?|\d{0,11}(?:\.\d{1,6})?)"
)
_WORDS = (*UNITS, *TENS, *SCALES)
_SPAN_BEFORE = re.compile(r"\d\s?(?:-|\u2013|to|and)\s?[$\u20ac\u00a3]?[\d.,]{1,12}\s?$")
_LETTER = re.compile(r"\w")
SCALE_WORDS = {
    "k": 1e3, "thousand": 1e3, "thousands": 1e3, "m": 1e6, "mn": 1e6, "million": 1e6,
    "millions": 1e6, "bn": 1e9, "billion": 1e9, "billions": 1e9,
}  # fmt: skip
_CURRENCIES = ("usd", "eur", "gbp", "chf", "sek", "jpy")
_COUNTED_IN = re.compile(
    rf"(?:[$\u20ac\u00a3]|\b(?:{'|'.join(_CURRENCIES)}))\s?(m|mn|bn|k)\b"
    r"|\bin (thousands|millions|billions)\b"
)
_PERCENTAGE = re.compile(r"(\d(?<![\d.,].)\d{0,2}(?:\.\d{1,4})?)\s?(?:%|per ?cent\b)")
_CLOCK = re.compile(r"(\d(?<![\d:.].)\d?)[:.]([0-5]\d)(?![\d:])")
_THINGS = re.compile(r"[ -]?([^\W\d_]{1,30})(?:[ -]([^\W\d_]{1,30}))?")
DAY = 1440
"""Minutes."""


class Told:
    """The numbers of one source."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = source.text
        # Written with their thousands apart, as no year is.
        self._parted: set[float] = set()
        self._ends_of_order: list[int] = []

    def _figures(self, pattern: re.Pattern[str], most: int) -> Iterator[re.Match[str]]:
        return islice(at_figures(pattern, self.text, self.source.figure_starts), most)

    @cached_property
    def known(self) -> frozenset[float]:
        """Every value that a number of the source may have been meant as."""
        return values(self.text, self.source.words, self.source.figure_starts)

    @cached_property
    def ascending(self) -> list[float]:
        """The known values from small to large."""
        return sorted(self.known)

    @cached_property
    def order(self) -> list[float]:
        """The numbers in the order in which they stand there, at most `MOST`."""
        found: list[float] = []
        open_ten, last = False, -1
        for start, end, word in sorted((*self._in_words(), *self._in_figures())):
            if len(found) >= MOST:
                break
            if word[0].isdigit():
                open_ten = False
                scale, scale_end = scale_after(self.text, end)
                # A word behind it is a match of its own; "bn" is none.
                if scale_end > end and self.text[end:scale_end].strip(" -").lower() in SCALES:
                    scale = 1.0
                if "," in word:
                    word = word.replace(",", "")
                    self._parted.add(float(word) * scale)
                found.append(float(word) * scale)
                self._ends_of_order.append(end)
                continue
            # "forty-two" is one number, "forty, two" are two.
            joined = open_ten and self.text[last:start] in ("-", " ")
            open_ten, last = word in TENS, end
            if word in UNITS and joined:
                found[-1] += UNITS[word]
            elif word in UNITS or word in TENS:
                found.append(float(UNITS.get(word, TENS.get(word, 0))))
                self._ends_of_order.append(end)
            elif found:
                found[-1] *= SCALES[word]
                # "from 120 to 138 billion" counts both in billions.
                if len(found) > 1 and _SPAN_BEFORE.search(
                    self.text, max(0, start - SPELLED), start
                ):
                    found.append(found[-2] * SCALES[word])
                    found[-2:] = found[-1], found[-2]
                    self._ends_of_order.append(end)
        return found

    def _in_figures(self) -> Iterator[tuple[int, int, str]]:
        for figure in self._figures(_NUMBER, MOST):
            yield *figure.span(), figure[0]

    def _in_words(self) -> Iterator[tuple[int, int, str]]:
        text, words = self.source.small, self.source.words
        for word in words.intersection(_WORDS):
            end = 0
            while (start := text.find(word, end)) >= 0:
                end = start + len(word)
                if not _LETTER.match(text, start - 1, start) and not _LETTER.match(text, end):
                    yield start, end, word

    @cached_property
    def counted(self) -> dict[str, list[float]]:
        """The numbers by what they count: the stem of a word, or what a unit measures.

        Those of units are in base units, in each meaning the unit may have.
        """
        found: dict[str, list[float]] = defaultdict(list)
        for end, number in self._ends():
            behind = _THINGS.match(self.source.small, end)
            for word in behind.groups() if behind else ():
                for name, factor in kinds_of(word or ""):
                    found[name].append(number * factor)
        return found

    def _ends(self) -> Iterator[tuple[int, float]]:
        """Yield where each number ends, and the number."""
        for figure in self._figures(_NUMBER, MOST):
            scale, end = scale_after(self.text, figure.end())
            yield end, scale * float(figure[0].replace(",", ""))
        for _, end, word in islice(self._in_words(), MOST):
            if word not in SCALES:
                yield end, float(UNITS.get(word, TENS.get(word, 0)))

    @cached_property
    def scale_of_columns(self) -> float:
        """What the numbers are counted in, where a heading says so: "USD m", "in thousands"."""
        text, words = self.source.small, self.source.words
        if words.isdisjoint(SCALE_WORDS) and not self.source.begins_any(_CURRENCIES):
            return 1.0
        found = _COUNTED_IN.search(text)
        return SCALE_WORDS[found[1] or found[2]] if found else 1.0

    @cached_property
    def years(self) -> list[float]:
        """The values that may be years, from small to large."""
        return [year for year in self.ascending if 1000 <= year <= 2100][:MOST]

    @cached_property
    def percentages(self) -> list[float]:
        """The percentages as shares of one."""
        if "%" not in self.text and "cent" not in self.source.small:
            return []
        told = self._figures(_PERCENTAGE, PERCENTAGES)
        return [float(found[1]) / 100 for found in told if 0 < float(found[1]) < 100]

    @cached_property
    def minutes(self) -> frozenset[float]:
        """The minutes between any two times of the day."""
        joined = at_figures(_CLOCK, self.text, self.source.joined_figures)
        told = islice(joined, PERCENTAGES)
        times = [60 * int(found[1]) + int(found[2]) for found in told]
        return frozenset(float((late - early) % DAY) for early in times for late in times)


@lru_cache(maxsize=1024)
def kinds_of(word: str) -> tuple[tuple[str, float], ...]:
    """Return what a word behind a number counts: a name of the kind, and how many of its base."""
    # "3 in ten" are no inches.
    unit = unit_of(word) if word != "in" else None
    if unit is None:
        return () if word in STOP or not word else ((stem(word), 1.0),)
    return tuple((unit.dimension, float(factor)) for factor in unit.factors)


def holds(numbers: list[float], least: float, most: float) -> bool:
    """Tell whether a sorted list holds a number between two."""
    place = bisect_left(numbers, least)
    return place < len(numbers) and numbers[place] <= most
