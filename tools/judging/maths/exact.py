"""Exact values: fractions, sums with one unknown, and their quotients, powers and roots in bounds.

Rules of this module: what has no exact value in bounds is `Unreadable` with a reason, so that a
hostile text costs no more than others; a sum with an unknown stays linear or is not read.
"""

from dataclasses import dataclass
from fractions import Fraction
from math import isqrt

LARGEST_POWER = 4096
"""Bits of a power's result."""
ROOT_DIGITS = 30


class Unreadable(Exception):
    """A text is not plain arithmetic; the message says what stands in the way."""


@dataclass(frozen=True, slots=True)
class Linear:
    """`slope` times the unknown, and a constant."""

    slope: Fraction
    constant: Fraction

    def __add__(self, other: "Term") -> "Linear":
        """The sum."""
        more = linear(other)
        return Linear(self.slope + more.slope, self.constant + more.constant)

    __radd__ = __add__

    def __neg__(self) -> "Linear":
        """The negative of this value."""
        return Linear(-self.slope, -self.constant)

    def __sub__(self, other: "Term") -> "Linear":
        """The difference."""
        return self + -other

    def __rsub__(self, other: "Term") -> "Linear":
        """The difference from a number."""
        return -self + other

    def __mul__(self, other: "Term") -> "Linear":
        """The product with a number."""
        more = linear(other)
        if self.slope and more.slope:
            raise Unreadable("a square")
        slope = self.slope * more.constant + more.slope * self.constant
        return Linear(slope, self.constant * more.constant)

    __rmul__ = __mul__


Term = Fraction | Linear
"""The value of an expression."""


def linear(term: Term) -> Linear:
    """A number as a sum without the unknown."""
    return term if isinstance(term, Linear) else Linear(Fraction(0), term)


def quotient(above: Term, below: Term) -> Term:
    """One number or sum over a number."""
    if isinstance(below, Linear):
        raise Unreadable("a divisor with an unknown")
    if not below:
        raise Unreadable("a division by zero")
    return above * (1 / below) if isinstance(above, Linear) else above / below


def power(base: Term, exponent: Term) -> Term:
    """A number to a whole power."""
    if isinstance(base, Linear) or isinstance(exponent, Linear):
        raise Unreadable("a power with an unknown")
    if exponent.denominator != 1:
        raise Unreadable("a broken exponent")
    size = max(base.numerator.bit_length(), base.denominator.bit_length())
    if abs(exponent) * size > LARGEST_POWER:
        raise Unreadable("a power too large")
    if not base and exponent < 0:
        raise Unreadable("a division by zero")
    return base ** int(exponent)


def square_root(number: Term) -> tuple[Fraction, bool]:
    """The root, to thirty digits where it is irrational, and whether it had to be rounded."""
    if isinstance(number, Linear):
        raise Unreadable("the root of an unknown")
    if number < 0:
        raise Unreadable("the root of a negative number")
    if number.numerator.bit_length() > LARGEST_POWER:
        raise Unreadable("a number too large")
    exact = Fraction(isqrt(number.numerator), isqrt(number.denominator))
    if exact * exact == number:
        return exact, False
    unit = 10**ROOT_DIGITS
    return Fraction(isqrt(int(number * unit * unit)), unit), True
