"""Rules of rounding: the written results that may represent a computed one.

Rules of this module: a result that could have been written out in full at the digits shown must be
exact (194.85 is not 195.00); else rounding and cutting off are both accepted; operands that were
themselves rounded earlier carry their uncertainty along; "about" allows `ABOUT`.
"""

from collections.abc import Collection, Sequence
from fractions import Fraction

from reflection_mcp.tools.judging.maths.evaluation import evaluate
from reflection_mcp.tools.judging.maths.exact import Unreadable
from reflection_mcp.tools.judging.maths.statements import Equality, Side
from reflection_mcp.tools.judging.maths.tokens import Token
from reflection_mcp.tools.judging.maths.words import SCALES

ABOUT = Fraction(5, 100)
"""The relative error that an approximate result may have: "about 60" for 58 is no error."""

NEGLIGIBLE = Fraction(1, 10**6)
"""Relative difference that no reader would call an error."""

FINE_DECIMALS = 3
"""A written operand with as many decimals is likely rounded (11.5098); money has two."""

THIRDS = frozenset({16, 17, 33, 34, 66, 67, 83})
"""Two decimals that nearly always stand for a third or a sixth (0.33 * 300 = 100)."""

PI = Fraction("3.14")

MOST_ROUNDED = 12
"""Rounded operands of one side whose uncertainty is followed."""

Rounded = Collection[Fraction]
"""Values that the text gave earlier as rounded results."""


def agrees(row: Sequence[Token], statement: Equality, rounded: Rounded = ()) -> bool:
    """Return True if the two sides of a statement are equal."""
    left, right = statement.left, statement.right
    expected, stated = left.value.number, right.value.number
    if expected == stated:
        return True
    gap = abs(expected - stated)
    if gap <= NEGLIGIBLE * abs(expected) or _named(row, right, expected):
        return True
    if statement.approximate and gap <= ABOUT * abs(expected):
        return True
    slack = _slack(row, left, rounded) + _slack(row, right, rounded)
    if not right.value.operations:
        return gap <= slack or _written(row, right, expected, stated, slack)
    return gap <= slack


def _named(row: Sequence[Token], right: Side, expected: Fraction) -> bool:
    """0.7 * 100 = 70% and 48 / 12 = 4 dozen: the sign or word only says what was counted."""
    if right.value.operations or not right.value.units:
        return False
    word = right.value.units[0]
    return (word == "%" or word in SCALES) and row[right.value.numbers[0]].value == expected


def _written(
    row: Sequence[Token], right: Side, expected: Fraction, stated: Fraction, slack: Fraction
) -> bool:
    """Return True if a plain number is `expected` written with that many digits."""
    token = row[right.value.numbers[0]]
    # Per cent and scale words move the point: the last digit of "2.5 million" is worth 100,000.
    factor = abs(stated / token.value) if token.value and stated else Fraction(1)
    unit = factor / 10**token.decimals
    if not right.value.root and (expected / unit).denominator == 1:
        return False  # it could have been written exactly, so it had to be
    return bool(abs(expected - stated) < unit + slack)


def _slack(row: Sequence[Token], side: Side, rounded: Rounded) -> Fraction:
    """Return the most by which the value may be off because its operands were rounded before."""
    places = [
        place
        for place in side.value.numbers
        if row[place].value in rounded or _looks_rounded(row[place])
    ]
    if not places or not side.value.operations or len(places) > MOST_ROUNDED:
        return Fraction(0)
    total = Fraction(0)
    base = side.value.number
    for place in places:
        token = row[place]
        moved = token.value + Fraction(1, 10**token.decimals)
        try:
            other = evaluate(row, side.first, side.last, {place: moved})
        except Unreadable:
            continue
        total += abs(other.number - base)
    return total


def _looks_rounded(token: Token) -> bool:
    if token.decimals == 2:
        return token.value == PI or token.value * 100 % 100 in THIRDS
    return FINE_DECIMALS <= token.decimals < 9  # nine is said of exact fractions such as 2 1/2


def shown(value: Fraction) -> str:
    """A number as a reader would write it: in full if it is short, else six digits."""
    if value.denominator == 1 and abs(value) < 10**15:
        return str(value.numerator)
    for decimals in range(1, 7):
        if (value * 10**decimals).denominator == 1 and abs(value) < 10**9:
            return f"{float(value):.{decimals}f}"
    try:
        return f"{float(value):.6g}"
    except OverflowError:
        # Python refuses to write out integers of more than 4300 digits.
        digits = int((value.numerator // value.denominator).bit_length() * 0.30103) + 1
        return f"a number of about {digits} digits"


def shown_like(value: Fraction, written: str) -> str:
    """Return a number for a reader, with a comma before its decimals if that is how one stands, and
    then with as many decimals where they are exact: 86,80 for 88,80."""
    point, comma = written.rfind("."), written.rfind(",")
    decimals = len(written) - comma - 1
    if comma <= point or decimals > 2:
        return shown(value)
    if (value * 10**decimals).denominator == 1 and abs(value) < 10**9:
        return f"{float(value):.{decimals}f}".replace(".", ",")
    return shown(value).replace(".", ",")
