"""The numbers of a source, and what follows from them in one step.

Rules of this module: one step is a sum, a difference, a product, a quotient or a percentage of two
numbers that stand close together, a change of unit, a rounding, or some years before or after a
year. What can be derived is not proved, only no longer provably absent: it makes a finding
unchecked. What is asked of every number is looked up in sorted numbers of the source; the results
of its pairs are worked out once, when the first number needs them.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from functools import cached_property
from itertools import combinations, compress, filterfalse, pairwise, repeat
from operator import add, mul, sub

from reflection_mcp.tools.judging.grounding.told import (
    DAY,
    PERCENTAGES,
    holds,
    kinds_of,
)
from reflection_mcp.tools.judging.grounding.years import Years
from reflection_mcp.tools.judging.texts.numbers import key
from reflection_mcp.tools.judging.texts.wording import stem

WINDOW = 5
"""Numbers of the source that are combined with each one before them."""
TOLERANCE = 0.006
"""Relative error of a rounded result: usually it is given to three digits."""
ALIKE = 1_000
"""How many times one number may be another that it is added to."""
CENT = 0.005
COMBINED = 1_000
"""Numbers below this are multiplied and then added to others; years and sums of money are not."""
SENTENCE = 120
"""Characters within which two numbers of a sentence stand."""
_SENTENCE_END = re.compile(r"[.!?]\s")
COUNTS, TIMES = 100, 60
"""What two counts come to at most, and numbers of the source that it is multiplied with."""
OF_A_KIND = 30
"""Numbers of one thing that are put together."""
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

_PER_HUNDRED = re.compile(r"\bper 100\b")
DERIVED = 0.02
"""Relative error of a rough number that was worked out."""
# Fields and columns, whose numbers belong together: price and quantity.
_STRUCTURED = re.compile(r"[{|\t]")

SHORT = 12
"""Numbers of a source up to which what two neighbours come to is hardly chance."""


class Ledger(Years):
    """All numbers of one source."""

    @cached_property
    def _in_size(self) -> list[float]:
        return sorted(self.order)

    @cached_property
    def _pairs(self) -> tuple[list[float], list[float]]:
        """The first and the second of all two numbers that stand close together."""
        firsts, seconds = list[float](), list[float]()
        for apart in range(1, WINDOW + 1):
            firsts += self.order[:-apart]
            seconds += self.order[apart:]
        return firsts, seconds

    @cached_property
    def is_short(self) -> bool:
        """Whether the source holds few numbers."""
        return len(self.order) <= SHORT

    @cached_property
    def _sums(self) -> set[float]:
        """What two numbers that stand close together come to."""
        return set(map(add, *self._pairs))

    @cached_property
    def _differences(self) -> set[float]:
        """The same, and what is left of the one when the other is taken from it."""
        return self._sums.union(map(abs, map(sub, *self._pairs)))

    @cached_property
    def few_steps(self) -> frozenset[float]:
        """What a product of two numbers and a third come to, besides their differences."""
        plain = [number for number in self.order if number < COMBINED]
        pairs = zip(*self._pairs, strict=True)
        products = {one * other for one, other in pairs if max(one, other) < COMBINED}
        found = {result for one in products for two in plain for result in (one + two, one - two)}
        return frozenset(map(key, self._differences | products | found))

    @cached_property
    def _exact(self) -> set[float]:
        """Sums, differences and products, and hours with minutes."""
        firsts, seconds = self._pairs
        pairs = compress(zip(firsts, seconds, strict=True), map((60.0).__gt__, seconds))
        times = [60 * hours + minutes for hours, minutes in pairs]
        return self._also_rounded(self._differences.union(map(mul, firsts, seconds), times))

    @cached_property
    def _parts_of_hundred(self) -> set[float]:
        """One number, or two that stand close together: what else there is may make a hundred."""
        return self._also_rounded(self._sums.union(self.order))

    def _also_rounded(self, found: set[float]) -> set[float]:
        if all(map(float.is_integer, self.order)):
            return found  # nothing to round
        return found.union(map(round, filterfalse(float.is_integer, found), repeat(4)))

    def _comes_to(self, value: float) -> bool:
        """Tell whether two numbers make a third, or what it lacks to a hundred."""
        missing = round(100 - value, 4)
        return value in self._exact or (missing >= 0 and missing in self._parts_of_hundred)

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
        text = self.source.small
        told = "per 100" in text and _PER_HUNDRED.search(text)
        few = self.order[:PERCENTAGES] if told else []
        return sorted(one * other / 100 for one in few for other in few)

    @cached_property
    def _ratios(self) -> list[float]:
        """The quotients of two numbers that stand close together, the smaller by the larger."""
        return sorted(
            one / other if one < other else other / one
            for one, other in zip(*self._pairs, strict=True)
            if one or other
        )

    def _is_ratio(self, least: float, most: float) -> bool:
        """Tell whether a quotient of two numbers, either way, lies between two."""
        turned = most >= 1 and holds(self._ratios, 1 / most, 1 / max(least, 1))
        return turned or (most >= 0 and least <= 1 and holds(self._ratios, least, most))

    def _is_share(self, least: float, most: float) -> bool:
        """Tell whether a number changed by a percentage of the source lies between two."""
        numbers = self._in_size
        for by in self._share_factors:
            place = bisect_left(numbers, least / by)
            if place < len(numbers) and numbers[place] <= most / by:
                return True
        return holds(self._per_hundred, least, most)

    def _is_quotient(self, least: float, most: float) -> bool:
        """Tell whether a quotient lies between two, as it is, as a percentage, or as a change."""
        return (
            self._is_ratio(least, most)
            or self._is_ratio(least / 100, most / 100)
            or self._is_ratio(1 + least / 100, 1 + most / 100)
            or self._is_ratio(1 - most / 100, 1 - least / 100)
        )

    def _changes_unit(self, factors: tuple[float, ...], least: float, most: float) -> bool:
        """Tell whether a number in another unit lies between two."""
        numbers = self._in_size
        if any(
            holds(numbers, least / by, most / by) or holds(numbers, least * by, most * by)
            for by in factors
        ):
            return True
        return factors is MEASURE_FACTORS and (
            holds(numbers, 1.8 * least + 32, 1.8 * most + 32)
            or holds(numbers, (least - 32) / 1.8, (most - 32) / 1.8)
        )

    @cached_property
    def of_neighbours(self) -> frozenset[float]:
        """What two numbers of one sentence come to, added or one taken from the other."""
        order, ends = self.order, self._ends_of_order
        near = [
            place
            for place, (end, next_end) in enumerate(pairwise(ends))
            if next_end - end <= SENTENCE and not _SENTENCE_END.search(self.text, end, next_end)
        ]
        sums = {order[place] + order[place + 1] for place in near}
        return frozenset(map(key, sums | {abs(order[place] - order[place + 1]) for place in near}))

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
        if self._comes_to(round(value, 4)) or (value < DAY and value in self.minutes):
            return True
        error = 1e-9 * value
        if loose:
            error = 0.5 if value < 1000 and value == int(value) else TOLERANCE * value
        least, most = value - error, value + error
        if rough:
            below, above = ((bound - 1) * value for bound in rough)
            near = value + below, value + above
            if holds(self._near, *near) or self._is_share(*near):
                return True
            half = max(min(_last_place(value) / 2, max(above, -below)), DERIVED * value)
            least = min(least, value + max(below, -half))
            most = max(most, value + min(above, half))
        # The dearest last: there are many ways to take a share.
        return (
            self._is_quotient(least, most)
            or self._changes_unit(factors, least, most)
            or self._is_share(least, most)
        )

    def lasts(self, minutes: float) -> bool:
        """Tell whether the source gives a time of so many minutes, or leads to one."""
        return any(
            time in self.known or time in self.minutes or self._comes_to(time)
            for time in (minutes, minutes / 60)
        )

    def counts(self, things: Iterable[str]) -> bool:
        """Tell whether the source counts any of some things, which are no units."""
        return any(stem(thing) in self.counted for thing in things)

    def of_one_kind(
        self, value: float, things: Iterable[str], rough: tuple[float, float] | None = None
    ) -> bool:
        """Tell whether the source counts so many of a thing, in this or in another unit.

        Two numbers of the thing, one added to the other or taken from it, make a number as well.

        Args:
            value: how many.
            things: the words behind it; "2 fast boats" are two boats.
            rough: from which to which share of it will do.
        """
        below, above = rough or (1 - TOLERANCE, 1 + TOLERANCE)
        for thing in things:
            for name, factor in kinds_of(thing):
                numbers = self.counted.get(name, [])[:OF_A_KIND]
                made = {abs(one - other) for one in numbers for other in numbers}
                made.update(one + other for one, other in combinations(numbers, 2))
                least, most = below * value * factor, above * value * factor
                if any(least <= one <= most for one in made.union(numbers)):
                    return True
        return bool(value < DAY and value in self.minutes)

    def adds_up_to(self, value: float, rough: tuple[float, float] | None = None) -> bool:
        """Tell whether neighbours make the value: their sum, or the sum of their products."""
        least, most = value - CENT, value + CENT
        if rough:
            near = _last_place(value) / 2
            least, most = max(rough[0] * value, value - near), min(rough[1] * value, value + near)
        if holds(self._totals, least, most):
            return True
        large = [number for number in self._without_years if number * ALIKE >= value]
        if len(large) <= SUMMANDS and any(least <= total <= most for total in _subset_sums(large)):
            return True
        return self._sums_times(value) or any(
            round(value - product, 4) in self._products or round(value - product, 4) in self.known
            for product in self._products
        )

    def _sums_times(self, value: float) -> bool:
        """Tell whether what two counts come to, times a third number, makes the value.

        30 rates of 345.20 and six more are 36 times 345.20.
        """
        # No need to multiply each with each: only one count can be the right one for a number.
        tried = ((round(value / other), other) for other in self.order[:TIMES] if other)
        return any(
            count < COUNTS and count in self._differences and key(count * other) == value
            for count, other in tried
        )

    @cached_property
    def _without_years(self) -> list[float]:
        order = self.order
        years = frozenset(self.years) - self._parted
        return [number for number in order if number not in years]

    @cached_property
    def _totals(self) -> list[float]:
        """What numbers in a row come to, with and without the years among them."""
        with_years = _totals(self.order) if self.years else []
        return sorted(with_years + _totals(self._without_years))

    @cached_property
    def _products(self) -> frozenset[float]:
        """The products of neighbours, where the source has fields or columns."""
        if not _STRUCTURED.search(self.text):
            return frozenset()
        return frozenset(map(round, map(mul, *self._pairs), repeat(4)))

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
        if value < 100 and value == int(value):
            # 61.7 is 62 to the next whole number; 61 is not 60.
            near = _between(self.ascending, value - 0.5, value + 0.5)
            return any(other != int(other) for other in near)
        kept = max(1, digits(value))
        # No number is rounded by more than half of the last digit that is kept; 0.6 is on the safe
        # side of it.
        most = 0.6 * 10.0 ** (1 - kept) * value
        near = _between(self.ascending, value - most, value + most)
        return any(_same_rounded(value, other, kept) for other in near)


def digits(value: float) -> int:
    """Return how many digits of a number are not just zeros before or behind the others."""
    return len(f"{value:.10g}".replace(".", "").strip("0"))


def _totals(order: list[float]) -> list[float]:
    """Return what numbers in a row come to, as long as they are of one kind.

    48,213 and 18 are not: an order and a day.
    """
    found: list[float] = []
    for first, total in enumerate(order):
        least, most = total / ALIKE, total * ALIKE
        for number in order[first + 1 : first + ADDED]:
            if not least <= number <= most:
                break
            total += number
            found.append(total)
    return found


def _subset_sums(numbers: list[float]) -> set[float]:
    """Return what any of a few numbers add up to, so that a column may skip those of another."""
    sums = {0.0}
    for number in numbers:
        sums |= {total + number for total in sums}
    return sums


def _between(numbers: list[float], least: float, most: float) -> list[float]:
    """Return what of a sorted list lies between two."""
    return numbers[bisect_left(numbers, least) : bisect_right(numbers, most)]


def _last_place(value: float) -> float:
    """Return the worth of the last digit of a number that is no zero: 100 for 1,100."""
    digits = f"{value:.10g}"
    if "." in digits:
        return 10.0 ** -len(digits.split(".")[1])
    return 10.0 ** (len(digits) - len(digits.rstrip("0")))


ONE_DIGIT = 0.17
"""Relative error of a number that is rounded to its first digit."""


def _same_rounded(value: float, other: float, digits: int) -> bool:
    if not 0.5 * value < other < 2 * value:
        return False
    # Nobody calls 1.4 million one million.
    if key(float(f"{other:.{digits}g}")) == value and abs(other / value - 1) < ONE_DIGIT:
        return True
    # "Over 1,200" for 1,238; 1,337 is no round number.
    return digits <= 2 and 0 <= other / value - 1 < 0.05
