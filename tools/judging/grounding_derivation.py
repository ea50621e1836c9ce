"""Whether a number follows from the numbers of a source in one step.

Rules of this module: one step is a sum, a difference, a product, a ratio or a percentage of two
numbers that stand close together, a change of unit, or a rounding. What can be derived is not
proved, only no longer provably absent: it makes a finding unchecked.
"""

import re
from collections.abc import Iterator

from reflection_mcp.tools.judging.numbers import SCALES, UNITS, key

WINDOW = 8
"""Numbers of the source that are combined with each one before them."""
MOST = 600
"""Numbers of the source that are combined at all."""
TOLERANCE = 0.006
"""Relative error of a derived number: results are usually rounded to three digits."""

# How many of a smaller unit make a larger one, by what is measured; both ways are tried.
TIME_FACTORS = (60.0, 24.0, 7.0, 12.0, 52.0, 365.0, 30.0, 10.0, 100.0, 3600.0, 1440.0)
MEASURE_FACTORS = (
    10.0, 100.0, 1000.0, 12.0, 1.609344, 0.3048, 2.54, 0.9144, 0.45359, 28.3495, 3.78541, 4.54609,
    0.404686, 2.58999, 16.0, 1024.0, 1e6, 1e9,
)  # fmt: skip
PLAIN_FACTORS = (60.0, 12.0, 7.0)
"""Minutes, dozens and weeks, which need no unit to be named."""

_NUMBER = re.compile(r"\d{1,3}(?:,\d{3}){1,5}(?:\.\d{1,6})?|\d{1,12}(?:\.\d{1,6})?")


def sequence(text: str) -> list[float]:
    """Return the numbers of a source in the order in which they stand there."""
    found: list[float] = []
    for match in re.finditer(rf"{_NUMBER.pattern}|[A-Za-z]+", text):
        word = match[0]
        if word[0].isdigit():
            found.append(float(word.replace(",", "")))
        elif word.lower() in UNITS:
            found.append(float(UNITS[word.lower()]))
        elif word.lower() in SCALES and found:
            found[-1] *= SCALES[word.lower()]
        if len(found) >= MOST:
            break
    return found


def derivable(
    value: float, numbers: list[float], factors: tuple[float, ...] = (), *, loose: bool = False
) -> bool:
    """Tell whether a number comes from those of a source in one step.

    Args:
        value: the number of the answer.
        numbers: those of the source, in order.
        factors: between units that may have been changed.
        loose: it speaks of a reckoning, so that a quotient or a changed unit may be rounded.
    """
    exact = any(_equal(value, other) for other in _exact_steps(numbers))
    close = _close if loose else _equal
    return exact or any(close(value, other) for other in _rounding_steps(numbers, factors))


def rounded(value: float, known: frozenset[float]) -> bool:
    """Tell whether a round number is a number of the source, rounded."""
    digits = f"{value:.10g}".replace(".", "").lstrip("0").rstrip("0")
    if value < 100 and float(value).is_integer():
        return False
    return any(_same_rounded(value, other, max(1, len(digits))) for other in known)


def _same_rounded(value: float, other: float, digits: int) -> bool:
    if not 0.5 < (other / value if value else 0) < 2:
        return False
    return key(float(f"{other:.{digits}g}")) == value or 0 <= other / value - 1 < 0.05


def _close(value: float, other: float) -> bool:
    if value < 1000 and value == int(value):
        return round(other) == value and abs(other - value) <= 0.5
    return abs(value - other) <= TOLERANCE * abs(value)


def _equal(value: float, other: float) -> bool:
    return abs(value - other) <= 1e-9 * abs(value)


def _pairs(numbers: list[float]) -> Iterator[tuple[float, float]]:
    for place, first in enumerate(numbers):
        for second in numbers[place + 1 : place + 1 + WINDOW]:
            yield first, second


def _exact_steps(numbers: list[float]) -> Iterator[float]:
    for number in numbers:
        yield 100 - number
    for first, second in _pairs(numbers):
        yield first + second
        yield abs(first - second)
        yield first * second


def _rounding_steps(numbers: list[float], factors: tuple[float, ...]) -> Iterator[float]:
    for number in numbers:
        for factor in factors:
            yield number * factor
            yield number / factor
        if factors is MEASURE_FACTORS:
            yield (number - 32) / 1.8
            yield number * 1.8 + 32
    for first, second in _pairs(numbers):
        for up, down in ((first, second), (second, first)):
            if down:
                yield up / down
                yield 100 * up / down
                yield 100 * (up - down) / down
