"""One side of an equation in one unknown, as an exact quotient of two polynomials.

Rules of this module: coefficients are fractions; degrees, sizes and brackets are bounded; a side
with two different letters, a function, or a word that is no name of an unknown is `Unreadable`.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import zip_longest
from typing import NamedTuple

from reflection_mcp.tools.judging.expressions.exact import Unreadable
from reflection_mcp.tools.judging.expressions.tokens import Token

Polynomial = tuple[Fraction, ...]
"""Coefficients, the constant first, without zeros at the end; () is zero."""

_NOUGHT = Fraction(0)
ONE: Polynomial = (Fraction(1),)
"""The usual divisor of a side, which is passed on instead of multiplied."""

HIGHEST_DEGREE = 6
LONGEST_SIDE = 60
DEEPEST = 12
LARGEST_COEFFICIENT = 512
"""Bits."""


def add(one: Polynomial, other: Polynomial, factor: int = 1) -> Polynomial:
    """`one + factor * other`."""
    added = other if factor == 1 else [factor * coefficient for coefficient in other]
    return _trimmed([a + b for a, b in zip_longest(one, added, fillvalue=_NOUGHT)])


def multiply(one: Polynomial, other: Polynomial) -> Polynomial:
    """The product.

    Raises:
        Unreadable: its degree or a coefficient is out of bounds.
    """
    if one is ONE or other is ONE:
        return other if one is ONE else one
    if not one or not other:
        return ()
    if len(one) + len(other) - 2 > HIGHEST_DEGREE:
        raise Unreadable("a degree too high")
    product = [_NOUGHT] * (len(one) + len(other) - 1)
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            product[i + j] += a * b
    return _trimmed(product)


def at(polynomial: Polynomial, value: Fraction) -> Fraction:
    """Its value."""
    result = _NOUGHT
    for coefficient in reversed(polynomial):
        result = result * value + coefficient
    return result


def _trimmed(coefficients: list[Fraction]) -> Polynomial:
    while coefficients and not coefficients[-1]:
        coefficients.pop()
    if any(
        c.numerator.bit_length() > LARGEST_COEFFICIENT
        or c.denominator.bit_length() > LARGEST_COEFFICIENT
        for c in coefficients
    ):
        raise Unreadable("a number too large")
    return tuple(coefficients)


class Quotient(NamedTuple):
    """`top / bottom`; `bottom` is never zero."""

    top: Polynomial
    bottom: Polynomial = ONE

    def plus(self, other: "Quotient", factor: int = 1) -> "Quotient":
        """The sum, or the difference for a factor of -1."""
        if self.bottom == other.bottom:
            return Quotient(add(self.top, other.top, factor), self.bottom)
        top = add(multiply(self.top, other.bottom), multiply(other.top, self.bottom), factor)
        return Quotient(top, multiply(self.bottom, other.bottom))

    def times(self, other: "Quotient") -> "Quotient":
        """The product."""
        return Quotient(multiply(self.top, other.top), multiply(self.bottom, other.bottom))

    def over(self, other: "Quotient") -> "Quotient":
        """The quotient."""
        if not other.top:
            raise Unreadable("a division by zero")
        return Quotient(multiply(self.top, other.bottom), multiply(self.bottom, other.top))


def read_side(row: Sequence[Token], start: int, end: int) -> tuple[Quotient, str]:
    """`row[start:end]` and the letter of its unknown, or an empty text for a plain number.

    Raises:
        Unreadable: it is not algebra in one unknown.
    """
    if end - start > LONGEST_SIDE:
        raise Unreadable("a very long side")
    reader = _Reader(row, start, end)
    side = reader.sum()
    if reader.at != end:
        raise Unreadable("something else on the side")
    return side, reader.letter


class _Reader:
    """Recursive descent; one instance reads one side once."""

    def __init__(self, row: Sequence[Token], start: int, end: int) -> None:
        self.row, self.at, self.end = row, start, end
        self.letter = ""
        self.depth = 0

    def sum(self) -> Quotient:
        total = self.product()
        while (sign := self._take("+-")) is not None:
            total = total.plus(self.product(), 1 if sign == "+" else -1)
        return total

    def product(self) -> Quotient:
        product = self.signed()
        while True:
            sign = self._take("*/")
            if sign is None and not self._implied():
                return product
            if sign == "/":
                self._refuse_long_divisor(product)
            factor = self.signed() if sign else self.power()
            product = product.over(factor) if sign == "/" else product.times(factor)

    def _refuse_long_divisor(self, product: Quotient) -> None:
        """1/2x is half of x, but 10/2x is likely 10 divided by 2x."""
        divisor, after = self._next(), self.row[self.at + 1] if self.at + 1 < self.end else None
        glued = after is not None and divisor is not None and after.start == divisor.end
        if divisor is None or divisor.kind != "number" or not glued or after is None:
            return
        small = len(product.top) == 1 and abs(product.top[0]) < divisor.value
        if after.kind in ("word", "open") and not small:
            raise Unreadable("a divisor of several factors")

    def signed(self) -> Quotient:
        sign = 1
        while (taken := self._take("+-")) is not None:
            sign = -sign if taken == "-" else sign
        power = self.power()
        return power if sign > 0 else Quotient(()).plus(power, -1)

    def power(self) -> Quotient:
        base = self.atom()
        if self._take("^") is None:
            return base
        exponent = self.atom()
        if len(exponent.top) > 1 or len(exponent.bottom) > 1:
            raise Unreadable("an exponent with an unknown")
        number = at(exponent.top, Fraction(0)) / at(exponent.bottom, Fraction(0))
        if number.denominator != 1 or not 0 <= number <= HIGHEST_DEGREE:
            raise Unreadable("an exponent out of bounds")
        result = Quotient(ONE)
        for _ in range(int(number)):
            result = result.times(base)
        return result

    def atom(self) -> Quotient:
        token = self._next()
        if token is None:
            raise Unreadable("an operator without a number")
        self.at += 1
        if token.kind == "number":
            value = token.value
            if (after := self._next()) is not None and after.kind == "percent":
                self.at += 1
                value /= 100
            return Quotient((value,) if value else ())
        if token.kind == "word":
            return self._unknown(token)
        if token.kind == "open":
            return self._bracket()
        if token.kind == "frac":
            return self._group().over(self._group())
        raise Unreadable(f"'{token.text[:20]}'")

    def _unknown(self, token: Token) -> Quotient:
        if len(token.text) != 1 or self.letter not in ("", token.text):
            raise Unreadable("more than one unknown")
        self.letter = token.text
        after = self._next()
        if after is not None and after.kind == "open" and after.start == token.end:
            self._refuse_function(token.text)
        return Quotient((Fraction(0), Fraction(1)))

    def _refuse_function(self, letter: str) -> None:
        """x(x + 1) is a product, p(1) is a value of a function."""
        depth = 0
        for place in range(self.at, self.end):
            token = self.row[place]
            depth += (token.kind == "open") - (token.kind == "close")
            if depth == 0:
                break
            if token.text == letter:
                return
        raise Unreadable("a function")

    def _group(self) -> Quotient:
        token = self._next()
        if token is None or token.text != "{":
            raise Unreadable("a fraction without braces")
        self.at += 1
        return self._bracket()

    def _bracket(self) -> Quotient:
        self.depth += 1
        if self.depth > DEEPEST:
            raise Unreadable("too many brackets")
        inner = self.sum()
        closing = self._next()
        if closing is None or closing.kind != "close":
            raise Unreadable("a bracket that is not closed")
        self.at += 1
        self.depth -= 1
        return inner

    def _implied(self) -> bool:
        """2x, 3(x + 1), (x + 1)(x - 1), x(x + 1): a product without a sign."""
        token, before = self._next(), self.row[self.at - 1]
        if token is None or before.kind not in ("number", "word", "close"):
            return False
        glued = before.end == token.start
        if token.kind == "word":
            return len(token.text) == 1 and (glued or before.kind == "close")
        if token.kind in ("open", "frac"):
            if token.text == "{":
                return False
            if before.kind == "number" and token.kind == "frac":
                raise Unreadable("a mixed number or a product")
            return glued or token.kind == "frac"
        if token.kind == "number":
            raise Unreadable("two numbers side by side")
        return False

    def _next(self) -> Token | None:
        return self.row[self.at] if self.at < self.end else None

    def _take(self, signs: str) -> str | None:
        token = self._next()
        if token is None or token.kind != "operator" or token.text not in signs:
            return None
        self.at += 1
        return token.text
