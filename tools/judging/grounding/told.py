"""The numbers that a source tells, as they stand there.

Rules of this module: a source is read once, each kind of number when it is first asked for. What
comes of the numbers is the business of `derivation`.
"""

import re
from collections.abc import Iterator
from functools import cached_property
from itertools import islice

from reflection_mcp.tools.judging.texts.numbers import (
    SCALES,
    TENS,
    UNITS,
    scale_after,
    spelled,
    values,
)

MOST = 250
"""Numbers of the source that are combined at all."""
AROUND = 60
"""Characters around a number in which what belongs to it stands."""

PERCENTAGES = 20
"""Percentages and times of the day that are combined."""
SPELLED = 30
"""Characters before the word "years" in which their number is spelled out."""

# Expressions over a source begin with what they seldom meet, one digit or sign, and look back from
# there: only so does the search skip all other letters at once.
_NUMBER = re.compile(
    r"\d(?<![A-Za-z].)(?:\d{0,2}(?:,\d{3}){1,5}(?:\.\d{1,6})?|\d{0,11}(?:\.\d{1,6})?)"
)
_WORDS = (*UNITS, *TENS, *SCALES)
_SPAN = re.compile(r"y(?<=[ -]y)ears?\b|d(?<=[ -]d)ecades?\b")
_YEARS_TOLD = re.compile(r"(?<!\w)\d{1,3}\Z")
_SPAN_BEFORE = re.compile(r"\d\s?(?:-|\u2013|to|and)\s?[$\u20ac\u00a3]?[\d.,]{1,12}\s?$")
_AGE = re.compile(r"(\d(?<!\w.)\d?)(?=[,.;]| and\b)")
_AGED = re.compile(
    r"\b(?:aged?|turned|(?:he|she|they|who) was|at (?:the age of )?)\s?$", re.IGNORECASE
)
_LETTER = re.compile(r"\w")
SCALE_WORDS = {"k": 1e3, "thousand": 1e3, "m": 1e6, "mn": 1e6, "million": 1e6, "bn": 1e9,
               "billion": 1e9}  # fmt: skip
_CURRENCIES = ("usd", "eur", "gbp", "chf", "sek", "jpy")
# By what must stand in the text in small letters, so that it is worth the search.
_COUNTED_IN = (
    (("$", "\u20ac", "\u00a3"), re.compile(r"[$\u20ac\u00a3]\s?(m|mn|bn|k)\b")),
    (_CURRENCIES, re.compile(rf"\b(?:{'|'.join(_CURRENCIES)})\s?(m|mn|bn|k)\b")),
    (("thousands", "millions", "billions"), re.compile(r"\bin (thousand|million|billion)s\b")),
)
_PERCENTAGE = re.compile(r"(\d(?<![\d.,].)\d{0,2}(?:\.\d{1,4})?)\s?(?:%|per ?cent\b)")
_CLOCK = re.compile(r"(\d(?<![\d:.].)\d?)[:.]([0-5]\d)(?![\d:])")
DAY = 1440
"""Minutes."""


class Told:
    """The numbers of one source."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._read: dict[int, frozenset[float]] = {}

    @cached_property
    def known(self) -> frozenset[float]:
        """Every value that a number of the source may have been meant as."""
        return values(self.text)

    @cached_property
    def ascending(self) -> list[float]:
        """The known values from small to large."""
        return sorted(self.known)

    @cached_property
    def small(self) -> str:
        """The text in small letters, each in its place."""
        # No other capital becomes two letters.
        return self.text.replace("\u0130", "I").lower()

    @cached_property
    def order(self) -> list[float]:
        """The numbers in the order in which they stand there, at most `MOST`."""
        found: list[float] = []
        open_ten, last = False, -1
        for start, end, word in sorted((*self._in_words(), *self._in_figures())):
            # "forty-two" is one number, "forty, two" are two.
            joined = open_ten and self.text[last:start] in ("-", " ")
            open_ten, last = word in TENS, end
            if word[0].isdigit():
                # A word behind it is a match of its own; "bn" is none.
                scale, scale_end = scale_after(self.text, end)
                own = self.text[end:scale_end].strip(" -").lower() not in SCALES
                found.append(float(word.replace(",", "")) * (scale if own else 1))
            elif word in UNITS and joined:
                found[-1] += UNITS[word]
            elif word in UNITS or word in TENS:
                found.append(float(UNITS.get(word, TENS.get(word, 0))))
            elif found:
                found[-1] *= SCALES[word]
                # "from 120 to 138 billion" counts both in billions.
                if len(found) > 1 and _SPAN_BEFORE.search(
                    self.text, max(0, start - SPELLED), start
                ):
                    found.append(found[-2] * SCALES[word])
                    found[-2:] = found[-1], found[-2]
            if len(found) >= MOST:
                break
        return found

    def _in_figures(self) -> Iterator[tuple[int, int, str]]:
        for figure in islice(_NUMBER.finditer(self.text), MOST):
            yield *figure.span(), figure[0]

    def _in_words(self) -> Iterator[tuple[int, int, str]]:
        text = self.small
        for word in _WORDS:
            end = 0
            while (start := text.find(word, end)) >= 0:
                end = start + len(word)
                if not _LETTER.match(text, start - 1, start) and not _LETTER.match(text, end):
                    yield start, end, word

    @cached_property
    def scale_of_columns(self) -> float:
        """What the numbers are counted in, where a heading says so: "USD m", "in thousands"."""
        text = self.small
        told = [
            (found.start(), SCALE_WORDS[found[1]])
            for signs, counted_in in _COUNTED_IN
            if any(sign in text for sign in signs) and (found := counted_in.search(text))
        ]
        return min(told)[1] if told else 1.0

    @cached_property
    def years(self) -> list[float]:
        """The values that may be years, from small to large."""
        return [year for year in self.ascending if 1000 <= year <= 2100][:MOST]

    @cached_property
    def percentages(self) -> list[float]:
        """The percentages as shares of one."""
        told = islice(_PERCENTAGE.finditer(self.text), PERCENTAGES)
        return [float(found[1]) / 100 for found in told if 0 < float(found[1]) < 100]

    @cached_property
    def minutes(self) -> frozenset[float]:
        """The minutes between any two times of the day."""
        told = islice(_CLOCK.finditer(self.text), PERCENTAGES)
        times = [60 * int(found[1]) + int(found[2]) for found in told]
        return frozenset(float((late - early) % DAY) for early in times for late in times)

    @cached_property
    def spans(self) -> list[tuple[float, int]]:
        """The numbers of years in the source, and where they stand."""
        places: list[tuple[float, int]] = []
        for found in _SPAN.finditer(self.small):
            end = found.start() - 1
            before = self.text[max(0, end - SPELLED) : end]
            if before[-1:].isalpha():
                told = [value for _, last, value in spelled(before) if last == len(before)]
                places += [(value, end) for value in told]
            elif found[0][0] == "y" and (years := _YEARS_TOLD.search(before)):
                places.append((float(years[0]), end - len(years[0])))
        for found in _AGE.finditer(self.text):
            aged = _AGED.search(self.text, max(0, found.start() - SPELLED), found.start())
            if aged:
                places.append((float(found[1]), aged.start()))
        return [(span, place) for span, place in places[:MOST] if 1 < span < 200]

    def near(self, place: int) -> frozenset[float]:
        """Return the values that stand around a place."""
        if place not in self._read:
            around = self.text[max(0, place - 2 * AROUND) : place + 2 * AROUND]
            self._read[place] = values(around)
        return self._read[place]
