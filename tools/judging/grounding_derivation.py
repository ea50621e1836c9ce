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
from itertools import accumulate, islice

from reflection_mcp.tools.judging.numbers import (
    SCALES,
    TENS,
    UNITS,
    key,
    scale_after,
    spelled,
    values,
)

WINDOW = 5
"""Numbers of the source that are combined with each one before them."""
MOST = 250
"""Numbers of the source that are combined at all."""
TOLERANCE = 0.006
"""Relative error of a rounded result: usually it is given to three digits."""
ALIKE = 1_000
"""How many times one number may be another that it is added to."""
CENT = 0.005
COMBINED = 1_000
"""Numbers below this are multiplied and then added to others; years and sums of money are not."""
SUMMANDS = 10
"""Numbers of a source of which any may be added up."""
ADDED = 12
"""Numbers in a row that are added up."""
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
_WORDS = (*UNITS, *TENS, *SCALES)
# The look at the first letter spares most words of a text the long alternation.
_IN_ORDER = re.compile(
    rf"(?<![A-Za-z])(?:{_NUMBER.pattern})"
    rf"|\b(?=[{''.join({word[0] for word in _WORDS})}])(?:{'|'.join(_WORDS)})\b",
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
_SPAN_BEFORE = re.compile(r"\d\s?(?:-|\u2013|to|and)\s?[$\u20ac\u00a3]?[\d.,]{1,12}\s?$")
_AGE = re.compile(
    r"\b(?:aged?|turned|(?:he|she|they|who) was|at (?:the age of )?)\s?(\d{1,2})\b(?=[,.;]| and\b)",
    re.IGNORECASE,
)
SCALE_WORDS = {"k": 1e3, "thousand": 1e3, "m": 1e6, "mn": 1e6, "million": 1e6, "bn": 1e9,
               "billion": 1e9}  # fmt: skip
_COUNTED_IN = re.compile(
    r"(?:\b(?:USD|EUR|GBP|CHF|SEK|JPY)|[$\u20ac\u00a3])\s?(?P<scale>m|mn|bn|k)\b"
    r"|\bin (?P<words>thousand|million|billion)s\b",
    re.IGNORECASE,
)
_PERCENTAGE = re.compile(r"(?<![\d.,])(\d{1,3}(?:\.\d{1,4})?)\s?(?:%|per ?cent\b)")
_CLOCK = re.compile(r"(?<![\d:.])(\d{1,2})[:.]([0-5]\d)(?![\d:])")
_PER_HUNDRED = re.compile(r"\bper 100\b", re.IGNORECASE)
PERCENTAGES = 20
"""Percentages and times of the day that are combined."""
DERIVED = 0.02
"""Relative error of a rough number that was worked out."""
# Fields and columns, whose numbers belong together: price and quantity.
_STRUCTURED = re.compile(r"[{|\t]")

SPELLED = 30
"""Characters before the word "years" in which their number is spelled out."""
SHORT = 12
"""Numbers of a source up to which what two neighbours come to is hardly chance."""


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
        open_ten, end = False, -1
        for match in _IN_ORDER.finditer(self.text):
            word = match[0].lower()
            # "forty-two" is one number, "forty, two" are two.
            joined = open_ten and self.text[end : match.start()] in ("-", " ")
            open_ten, end = word in TENS, match.end()
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
                    self.text, max(0, match.start() - SPELLED), match.start()
                ):
                    found.append(found[-2] * SCALES[word])
                    found[-2:] = found[-1], found[-2]
            if len(found) >= MOST:
                break
        return found

    @cached_property
    def scale_of_columns(self) -> float:
        """What the numbers are counted in, where a heading says so: "USD m", "in thousands"."""
        told = _COUNTED_IN.search(self.text)
        return SCALE_WORDS[(told["scale"] or told["words"]).lower()] if told else 1.0

    def _pairs(self) -> Iterator[tuple[float, float]]:
        for place, first in enumerate(self.order):
            for second in self.order[place + 1 : place + 1 + WINDOW]:
                yield first, second

    @cached_property
    def is_short(self) -> bool:
        """Whether the source holds few numbers."""
        return len(self.order) <= SHORT

    @cached_property
    def differences(self) -> frozenset[float]:
        """What two numbers that stand close together come to, added or taken from each other."""
        return frozenset(
            key(result)
            for one, other in self._pairs()
            for result in (one + other, abs(one - other))
        )

    @cached_property
    def few_steps(self) -> frozenset[float]:
        """What a product of two numbers and a third come to, besides their differences."""
        plain = [number for number in self.order if number < COMBINED]
        products = {one * other for one, other in self._pairs() if max(one, other) < COMBINED}
        found = {result for one in products for two in plain for result in (one + two, one - two)}
        return self.differences | frozenset(map(key, products | found))

    @cached_property
    def _exact(self) -> frozenset[float]:
        """Sums, differences, products, and what is missing to a hundred."""
        found = {round(100 - number, 4) for number in self.order}
        for first, second in self._pairs():
            found.update((round(first + second, 4), round(abs(first - second), 4)))
            found.add(round(first * second, 4))
            if second < 60:  # hours with minutes
                found.add(round(60 * first + second, 4))
        return frozenset(found)

    @cached_property
    def _near(self) -> list[float]:
        return sorted(self.differences | self._shares | self.known)

    @cached_property
    def _shares(self) -> frozenset[float]:
        """The percentages of the source, taken of each of its numbers, and added or taken off."""
        found: set[float] = set()
        for share in self._percentages:
            for number in self.order:
                found.update((number * share, number * (1 + share), number * (1 - share)))
                found.update((number / (1 + share), number / (1 - share)))
        if _PER_HUNDRED.search(self.text):
            few = self.order[:PERCENTAGES]
            found.update(one * other / 100 for one in few for other in few)
        return frozenset(found)

    @cached_property
    def _percentages(self) -> list[float]:
        told = islice(_PERCENTAGE.finditer(self.text), PERCENTAGES)
        return [float(found[1]) / 100 for found in told if 0 < float(found[1]) < 100]

    @cached_property
    def _quotients(self) -> list[float]:
        found: list[float] = []
        for one, other in self._pairs():
            for first, second in ((one, other), (other, one)):
                if second:
                    ratio = first / second
                    found += (ratio, 100 * ratio, 100 * (ratio - 1), 100 * (1 - ratio))
        return sorted((*found, *self._shares))

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
        self,
        value: float,
        factors: tuple[float, ...] = PLAIN_FACTORS,
        *,
        loose: bool = False,
        rough: tuple[float, float] | None = None,
    ) -> bool:
        """Tell whether a number comes from those of the source in one step.

        Args:
            value: the number of the answer.
            factors: between units that may have been changed.
            loose: it speaks of a reckoning: a quotient or a changed unit may have been rounded.
            rough: it is called a rough one: from which to which share of it will do.
        """
        if round(value, 4) in self._exact or value in self._shares or value in self._minutes:
            return True
        error = 1e-9 * value
        if loose:
            error = 0.5 if value < 1000 and value == int(value) else TOLERANCE * value
        least, most = value - error, value + error
        if rough:
            below, above = ((bound - 1) * value for bound in rough)
            if _holds(self._near, value + below, value + above):
                return True
            half = max(min(_last_place(value) / 2, max(above, -below)), DERIVED * value)
            least = min(least, value + max(below, -half))
            most = max(most, value + min(above, half))
        results = (self._quotients, self._changed_units(factors))
        return any(_holds(numbers, least, most) for numbers in results)

    @cached_property
    def _minutes(self) -> frozenset[float]:
        """The minutes between any two times of the day."""
        told = islice(_CLOCK.finditer(self.text), PERCENTAGES)
        times = [60 * int(found[1]) + int(found[2]) for found in told]
        return frozenset(float((late - early) % 1440) for early in times for late in times)

    def spans_years(self, value: float, unit: int = 1) -> bool:
        """Tell whether so many years lie between two years of the source, in full or nearly so.

        Args:
            value: how many.
            unit: years in one of what is counted: 10 for decades, 100 for centuries.
        """
        spans = {late - early for early in self._years for late in self._years if early < late}
        least = value * unit
        return any(least <= span <= least + unit for span in spans)

    @cached_property
    def _years(self) -> frozenset[float]:
        years = sorted(year for year in self.known if 1000 <= year <= 2100)
        return frozenset(years[:MOST])

    def adds_up_to(self, value: float, rough: tuple[float, float] | None = None) -> bool:
        """Tell whether neighbours make the value: their sum, or the sum of their products."""
        least, most = value - CENT, value + CENT
        if rough:
            near = _last_place(value) / 2
            least, most = max(rough[0] * value, value - near), min(rough[1] * value, value + near)
        without_years = [number for number in self.order if number not in self._years]
        for order in (self.order, without_years):
            for first in range(len(order)):
                sums = accumulate(_alike(order[first : first + ADDED]))
                if any(least <= total <= most for total in islice(sums, 1, None)):
                    return True
        large = [number for number in without_years if number * ALIKE >= value]
        if len(large) <= SUMMANDS and any(least <= total <= most for total in _subset_sums(large)):
            return True
        if not _STRUCTURED.search(self.text):
            return False
        products = {round(one * other, 4) for one, other in self._pairs()}
        return any(
            round(value - product, 4) in products or round(value - product, 4) in self.known
            for product in products
        )

    def is_years_from(self, year: float, spans: frozenset[float]) -> bool:
        """Tell whether a year lies some years from one of the source: "two years after 1492"."""
        return any(
            year + span in self._years or year - span in self._years
            for span in spans
            if 0 < span < MOST
        )

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
            # 61.7 is 62 to the next whole number; 61 is not 60.
            return any(other != int(other) and abs(other - value) <= 0.5 for other in self.known)
        return any(_same_rounded(value, other, max(1, digits)) for other in self.known)

    @cached_property
    def _spans(self) -> list[tuple[float, frozenset[float]]]:
        """The numbers of years in the source, each with the values that stand near it."""
        places = [(found.start(), float(found[1])) for found in _YEARS.finditer(self.text)]
        for found in _SPAN.finditer(self.text):
            before = self.text[max(0, found.start() - SPELLED) : found.start()]
            told = [value for _, end, value in spelled(before) if end == len(before)]
            places += [(found.start(), value) for value in told]
        places += [(found.start(), float(found[1])) for found in _AGE.finditer(self.text)]
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


def _alike(numbers: list[float]) -> Iterator[float]:
    """Yield numbers as long as they are of one kind: 48,213 and 18 are an order and a day."""
    for number in numbers:
        if not numbers[0] <= ALIKE * number <= ALIKE**2 * numbers[0]:
            return
        yield number


def _subset_sums(numbers: list[float]) -> set[float]:
    """Return what any of a few numbers add up to, so that a column may skip those of another."""
    sums = {0.0}
    for number in numbers:
        sums |= {total + number for total in sums}
    return sums


def _holds(numbers: list[float], least: float, most: float) -> bool:
    """Tell whether a sorted list holds a number between two."""
    place = bisect_left(numbers, least)
    return place < len(numbers) and numbers[place] <= most


def _last_place(value: float) -> float:
    """Return the worth of the last digit of a number that is no zero: 100 for 1,100."""
    digits = f"{value:.10g}"
    if "." in digits:
        return 10.0 ** -len(digits.split(".")[1])
    return 10.0 ** (len(digits) - len(digits.rstrip("0")))


def _same_rounded(value: float, other: float, digits: int) -> bool:
    if not 0.5 * value < other < 2 * value:
        return False
    if key(float(f"{other:.{digits}g}")) == value:
        return True
    # "Over 1,200" for 1,238; 1,337 is no round number.
    return digits <= 2 and 0 <= other / value - 1 < 0.05
