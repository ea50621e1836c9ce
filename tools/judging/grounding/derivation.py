"""The numbers of a source, and what follows from them in one step.

Rules of this module: one step is a sum, a difference, a product, a quotient or a percentage of two
numbers that stand close together, a change of unit, a rounding, or some years before or after a
year. What can be derived is not proved, only no longer provably absent: it makes a finding
unchecked. What is asked of every number is looked up in sorted numbers of the source; the results
of its pairs are worked out once, when the first number needs them.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import accumulate, islice

from reflection_mcp.tools.judging.grounding.told import AROUND, DAY, MOST, PERCENTAGES, Told
from reflection_mcp.tools.judging.texts.numbers import key

WINDOW = 5
"""Numbers of the source that are combined with each one before them."""
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
# How many of a smaller unit make a larger one, by what is measured; both ways are tried.
TIME_FACTORS = (60.0, 24.0, 7.0, 12.0, 52.0, 365.0, 30.0, 10.0, 100.0, 3600.0, 1440.0)
MEASURE_FACTORS = (
    10.0, 100.0, 1000.0, 12.0, 1.609344, 0.3048, 2.54, 0.9144, 0.45359, 28.3495, 3.78541, 4.54609,
    0.404686, 2.58999, 16.0, 1024.0, 1e6, 1e9,
)  # fmt: skip
PLAIN_FACTORS = (60.0, 12.0, 7.0)
"""Minutes, dozens and weeks, which need no unit to be named."""

# "After leaving in 1979" says nothing of 1980; "the year after" does.
_NEAR = re.compile(
    r"\b(?:following|next|previous|subsequent|preceding|later|earlier|ago|last|prior|"
    r"(?:year|season|spring|summer|autumn|fall|winter|months?|weeks?|annual\w{0,2}) "
    r"(?:before|after))\b",
    re.IGNORECASE,
)
_PER_HUNDRED = re.compile(r"\bper 100\b")
DERIVED = 0.02
"""Relative error of a rough number that was worked out."""
# Fields and columns, whose numbers belong together: price and quantity.
_STRUCTURED = re.compile(r"[{|\t]")

SHORT = 12
"""Numbers of a source up to which what two neighbours come to is hardly chance."""


class Ledger(Told):
    """All numbers of one source."""

    @cached_property
    def _in_size(self) -> list[float]:
        return sorted(self.order)

    @cached_property
    def _pairs(self) -> list[tuple[float, float]]:
        return [
            (first, second)
            for place, first in enumerate(self.order)
            for second in self.order[place + 1 : place + 1 + WINDOW]
        ]

    @cached_property
    def is_short(self) -> bool:
        """Whether the source holds few numbers."""
        return len(self.order) <= SHORT

    @cached_property
    def _differences(self) -> frozenset[float]:
        """What two numbers that stand close together come to, added or taken from each other."""
        sums = {one + other for one, other in self._pairs}
        return frozenset(sums | {abs(one - other) for one, other in self._pairs})

    @cached_property
    def few_steps(self) -> frozenset[float]:
        """What a product of two numbers and a third come to, besides their differences."""
        plain = [number for number in self.order if number < COMBINED]
        products = {one * other for one, other in self._pairs if max(one, other) < COMBINED}
        found = {result for one in products for two in plain for result in (one + two, one - two)}
        return frozenset(map(key, self._differences | products | found))

    @cached_property
    def _exact(self) -> frozenset[float]:
        """Sums, differences, products, and what is missing to a hundred."""
        found = self._differences | {100 - number for number in self.order}
        found |= {first * second for first, second in self._pairs}
        # hours with minutes
        found |= {60 * first + second for first, second in self._pairs if second < 60}
        return frozenset(found | {round(number, 4) for number in found if number % 1})

    @cached_property
    def _near(self) -> list[float]:
        return sorted(self._differences | self.known)

    @cached_property
    def _share_factors(self) -> frozenset[float]:
        """By what the percentages of the source change a number: taken of it, added, taken off."""
        shares = self.percentages
        taken = {by for share in shares for by in (share, 1 + share, 1 - share)}
        return frozenset(taken | {1 / by for share in shares for by in (1 + share, 1 - share)})

    @cached_property
    def _per_hundred(self) -> list[float]:
        told = "per 100" in self.small and _PER_HUNDRED.search(self.small)
        few = self.order[:PERCENTAGES] if told else []
        return sorted(one * other / 100 for one in few for other in few)

    @cached_property
    def _ratios(self) -> list[float]:
        """The quotients of two numbers that stand close together, both ways."""
        found = [one / other for one, other in self._pairs if other]
        return sorted(found + [other / one for one, other in self._pairs if one])

    def _is_share(self, least: float, most: float) -> bool:
        """Tell whether a number changed by a percentage of the source lies between two."""
        return _holds(self._per_hundred, least, most) or any(
            _holds(self._in_size, least / by, most / by) for by in self._share_factors
        )

    def _is_quotient(self, least: float, most: float) -> bool:
        """Tell whether a quotient lies between two, as it is, as a percentage, or as a change."""
        return (
            _holds(self._ratios, least, most)
            or _holds(self._ratios, least / 100, most / 100)
            or _holds(self._ratios, 1 + least / 100, 1 + most / 100)
            or _holds(self._ratios, 1 - most / 100, 1 - least / 100)
        )

    def _changes_unit(self, factors: tuple[float, ...], least: float, most: float) -> bool:
        """Tell whether a number in another unit lies between two."""
        numbers = self._in_size
        if any(
            _holds(numbers, least / by, most / by) or _holds(numbers, least * by, most * by)
            for by in factors
        ):
            return True
        return factors is MEASURE_FACTORS and (
            _holds(numbers, 1.8 * least + 32, 1.8 * most + 32)
            or _holds(numbers, (least - 32) / 1.8, (most - 32) / 1.8)
        )

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
        if round(value, 4) in self._exact or (value < DAY and value in self.minutes):
            return True
        error = 1e-9 * value
        if loose:
            error = 0.5 if value < 1000 and value == int(value) else TOLERANCE * value
        least, most = value - error, value + error
        if rough:
            below, above = ((bound - 1) * value for bound in rough)
            near = value + below, value + above
            if _holds(self._near, *near) or self._is_share(*near):
                return True
            half = max(min(_last_place(value) / 2, max(above, -below)), DERIVED * value)
            least = min(least, value + max(below, -half))
            most = max(most, value + min(above, half))
        return (
            self._is_share(least, most)
            or self._is_quotient(least, most)
            or self._changes_unit(factors, least, most)
        )

    def spans_years(self, value: float, unit: int = 1) -> bool:
        """Tell whether so many years lie between two years of the source, in full or nearly so.

        Args:
            value: how many.
            unit: years in one of what is counted: 10 for decades, 100 for centuries.
        """
        least = max(1.0, value * unit)
        most = (value + 1) * unit
        return any(_holds(self.years, early + least, early + most) for early in self.years)

    def adds_up_to(self, value: float, rough: tuple[float, float] | None = None) -> bool:
        """Tell whether neighbours make the value: their sum, or the sum of their products."""
        least, most = value - CENT, value + CENT
        if rough:
            near = _last_place(value) / 2
            least, most = max(rough[0] * value, value - near), min(rough[1] * value, value + near)
        if _holds(self._totals, least, most):
            return True
        large = [number for number in self._without_years if number * ALIKE >= value]
        if len(large) <= SUMMANDS and any(least <= total <= most for total in _subset_sums(large)):
            return True
        return any(
            round(value - product, 4) in self._products or round(value - product, 4) in self.known
            for product in self._products
        )

    @cached_property
    def _without_years(self) -> list[float]:
        years = frozenset(self.years)
        return [number for number in self.order if number not in years]

    @cached_property
    def _totals(self) -> list[float]:
        """What numbers in a row come to, with and without the years among them."""
        return sorted(
            total
            for order in (self.order, self._without_years)
            for first in range(len(order))
            for total in islice(accumulate(_alike(order[first : first + ADDED])), 1, None)
        )

    @cached_property
    def _products(self) -> frozenset[float]:
        """The products of neighbours, where the source has fields or columns."""
        pairs = self._pairs if _STRUCTURED.search(self.text) else ()
        return frozenset(round(one * other, 4) for one, other in pairs)

    def is_years_from(self, year: float, spans: frozenset[float]) -> bool:
        """Tell whether a year lies some years from one of the source: "two years after 1492"."""
        return any(
            _holds(self.years, one, one)
            for span in spans
            if 0 < span < MOST
            for one in (year + span, year - span)
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
            near = _between(self.ascending, value - 0.5, value + 0.5)
            return any(other != int(other) for other in near)
        digits = max(1, digits)
        # No number is rounded by more than half of the last digit that is kept; 0.6 is on the safe
        # side of it.
        most = 0.6 * 10.0 ** (1 - digits) * value
        near = _between(self.ascending, value - most, value + most)
        return any(_same_rounded(value, other, digits) for other in near)

    def leads_to_year(self, year: float) -> bool:
        """Tell whether a year may be meant by one next to it, or by a number of years from one."""
        for span, place in self.spans:
            others = {year - span, year + span}
            # What stands near is read only where it may hold one of them.
            held = not others.isdisjoint(self.known)
            if held and not others.isdisjoint(self.near(place)):
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


def _between(numbers: list[float], least: float, most: float) -> list[float]:
    """Return what of a sorted list lies between two."""
    return numbers[bisect_left(numbers, least) : bisect_right(numbers, most)]


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
