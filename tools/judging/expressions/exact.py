"""Quotients, powers and roots of fractions, bounded, so that a hostile text costs no more.

Rule of this module: what has no exact value in bounds is `Unreadable` with a reason.
"""

from fractions import Fraction
from math import isqrt

LARGEST_POWER = 4096
"""Bits of a power's result."""
ROOT_DIGITS = 30


class Unreadable(Exception):
    """A text is not plain arithmetic; the message says what stands in the way."""


def quotient(above: Fraction, below: Fraction) -> Fraction:
    """One number over another."""
    if not below:
        raise Unreadable("a division by zero")
    return above / below


def power(base: Fraction, exponent: Fraction) -> Fraction:
    """A number to a whole power."""
    if exponent.denominator != 1:
        raise Unreadable("a broken exponent")
    size = max(base.numerator.bit_length(), base.denominator.bit_length())
    if abs(exponent) * size > LARGEST_POWER:
        raise Unreadable("a power too large")
    if not base and exponent < 0:
        raise Unreadable("a division by zero")
    return base ** int(exponent)


def square_root(number: Fraction) -> tuple[Fraction, bool]:
    """The root, to thirty digits where it is irrational, and whether it had to be rounded."""
    if number < 0:
        raise Unreadable("the root of a negative number")
    if number.numerator.bit_length() > LARGEST_POWER:
        raise Unreadable("a number too large")
    exact = Fraction(isqrt(number.numerator), isqrt(number.denominator))
    if exact * exact == number:
        return exact, False
    unit = 10**ROOT_DIGITS
    return Fraction(isqrt(int(number * unit * unit)), unit), True
