"""The numbers of a source, and what follows from them in one step.

Rules of this module: one step is a sum, a difference, a product, a quotient or a percentage of two
numbers that stand close together, a change of unit, a rounding, or some years before or after a
year. What can be derived is not proved, only no longer provably absent: it makes a finding
unchecked. Each set of results is worked out once for a source, when the first number needs it.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator
from functools import cached_property

from reflection_mcp.tools.judging.numbers import SCALES, UNITS, key, spelled, values

WINDOW = 5
"""Numbers of the source that are combined with each one before them."""
MOST = 250
"""Numbers of the source that are combined at all."""
TOLERANCE = 0.006
"""Relative error of a rounded result: usually it is given to three digits."""
AROUND = 60
"""Characters around a number in which what belongs to it stands."""

# How many of a smaller unit make a larger one, by what is measured; both ways are tried.
TIME_FACTORS = (60.0, 24.0, 7.0, 12.0, 52.0, 365.0, 30.0, 10.0, 100.0, 3600.0, 1440.0)
MEASURE_FACTORS = (
    10.0, 100.0, 1000.0, 12.0, 1.609344, 0.3048, 2.54, 0.9144, 0.45359, 28.3495, 3.78541, 4.54609,
    0.404686, 2.58999, 16.0, 1024.0, 1e6, 1e9,
)  # fmt: skip
PLAIN_FACTORS = (60.0, 12.0, 7.0)
"""Minutes, dozens and weeks, which need no unit to be named."""

_NUMBER = re.compile(r"\d{1,3}(?:,\d{3}){1,5}(?:\.\d{1,6})?|\d{1,12}(?:\.\d{1,6})?")
_WORDS = (*UNITS, *SCALES)
# The look at the first letter spares most words of a text the long alternation.
_IN_ORDER = re.compile(
    rf"{_NUMBER.pattern}|\b(?=[{''.join({word[0] for word in _WORDS})}])(?:{'|'.join(_WORDS)})\b",
    re.IGNORECASE,
)
# "After leaving in 1979" says nothing of 1980; "the year after" does.
_NEAR = re.compile(
    r"\b(?:following|next|previous|subsequent|preceding|later|earlier|ago|last|prior|"
    r"(?:year|season|spring|summer|autumn|fall|winter|months?|weeks?|annual\w{0,2}) "
    r"(?:before|after))\b",
    re.IGNORECASE,
)
_YEARS = re.compile(r"\b(\d{1,3})[ -]years?\b", re.IGNORECASE)
_SPAN = re.compile(r"[ -](?:years?|decades?)\b", re.IGNORECASE)
SPELLED = 30
"""Characters before the word "years" in which their number is spelled out."""


class Ledger:
    """All numbers of one source."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def known(self) -> frozenset[float]:
        """Every value that a number of the source may have been meant as."""
        return values(self.text)

    @cached_property
    def order(self) -> list[float]:
        """The numbers in the order in which they stand there, at most `MOST`."""
        found: list[float] = []
        for match in _IN_ORDER.finditer(self.text):
            word = match[0].lower()
            if word[0].isdigit():
                found.append(float(word.replace(",", "")))
            elif word in UNITS:
                found.append(float(UNITS[word]))
            elif found:
                found[-1] *= SCALES[word]
            if len(found) == MOST:
                break
        return found

    def _pairs(self) -> Iterator[tuple[float, float]]:
        for place, first in enumerate(self.order):
            for second in self.order[place + 1 : place + 1 + WINDOW]:
                yield first, second

    @cached_property
    def _exact(self) -> frozenset[float]:
        """Sums, differences, products, and what is missing to a hundred."""
        found = {round(100 - number, 4) for number in self.order}
        for first, second in self._pairs():
            found.update((round(first + second, 4), round(abs(first - second), 4)))
            found.add(round(first * second, 4))
        return frozenset(found)

    @cached_property
    def _quotients(self) -> list[float]:
        found: list[float] = []
        for first, second in self._pairs():
            if first and second:
                up, down = first / second, second / first
                found += (up, down, 100 * up, 100 * down, 100 * (up - 1), 100 * (down - 1))
        return sorted(found)

    @cached_property
    def _changed(self) -> dict[tuple[float, ...], list[float]]:
        return {}

    def _changed_units(self, factors: tuple[float, ...]) -> list[float]:
        if factors not in self._changed:
            found = [number * factor for number in self.order for factor in factors]
            found += [number / factor for number in self.order for factor in factors]
            if factors is MEASURE_FACTORS:
                found += [(number - 32) / 1.8 for number in self.order]
                found += [number * 1.8 + 32 for number in self.order]
            self._changed[factors] = sorted(found)
        return self._changed[factors]

    def leads_to(
        self, value: float, factors: tuple[float, ...] = PLAIN_FACTORS, *, loose: bool = False
    ) -> bool:
        """Tell whether a number comes from those of the source in one step.

        Args:
            value: the number of the answer.
            factors: between units that may have been changed.
            loose: it speaks of a reckoning: a quotient or a changed unit may have been rounded.
        """
        if round(value, 4) in self._exact:
            return True
        error = 1e-9 * value
        if loose:
            error = 0.5 if value < 1000 and value == int(value) else TOLERANCE * value
        results = (self._quotients, self._changed_units(factors))
        return any(_holds(numbers, value, error) for numbers in results)

    def joins(self, value: float, other: float) -> bool:
        """Tell whether a number of the source and another number make the value."""
        steps = [value - other, other - value, value + other]
        if other:
            steps += [value / other, value * other]
        if value:
            steps.append(other / value)
        return any(key(step) in self.known for step in steps if step)

    def rounds_to(self, value: float) -> bool:
        """Tell whether a round number is one of the source, rounded."""
        digits = len(f"{value:.10g}".replace(".", "").lstrip("0").rstrip("0"))
        if value < 100 and value == int(value):
            return False
        return any(_same_rounded(value, other, max(1, digits)) for other in self.known)

    @cached_property
    def _spans(self) -> list[tuple[float, frozenset[float]]]:
        """The numbers of years in the source, each with the values that stand near it."""
        places = [(found.start(), float(found[1])) for found in _YEARS.finditer(self.text)]
        for found in _SPAN.finditer(self.text):
            before = self.text[max(0, found.start() - SPELLED) : found.start()]
            told = [value for _, end, value in spelled(before) if end == len(before)]
            places += [(found.start(), value) for value in told]
        return [
            (span, values(self.text[max(0, place - 2 * AROUND) : place + 2 * AROUND]))
            for place, span in places[:MOST]
            if 1 < span < 200
        ]

    def leads_to_year(self, year: float) -> bool:
        """Tell whether a year may be meant by one next to it, or by a number of years from one."""
        if any(year - span in near or year + span in near for span, near in self._spans):
            return True
        return any(
            _NEAR.search(self.text, max(0, found.start() - AROUND), found.end() + AROUND)
            for step in (-1, 1)
            if year + step in self.known
            for found in re.finditer(rf"{int(year) + step}", self.text)
        )


def _holds(numbers: list[float], value: float, error: float) -> bool:
    """Tell whether a sorted list holds a number that is the value within the error."""
    place = bisect_left(numbers, value - error)
    return place < len(numbers) and numbers[place] <= value + error


def _same_rounded(value: float, other: float, digits: int) -> bool:
    if not 0.5 * value < other < 2 * value:
        return False
    return key(float(f"{other:.{digits}g}")) == value or 0 <= other / value - 1 < 0.05
