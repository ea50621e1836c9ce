"""Other meanings of the points and commas in a statement that writes its decimals behind a comma.

Rules of this module: within one statement a mark means one thing. Where a comma opens the decimals
of one number, it may still part two others, or open three decimals; a point may then not open any.
Whoever flags such a statement has every consistent reading against him.
"""

import re
from collections.abc import Sequence
from fractions import Fraction

from reflection_mcp.tools.judging.arithmetic.suspect import Suspect
from reflection_mcp.tools.judging.expressions.evaluation import Reading, evaluate
from reflection_mcp.tools.judging.expressions.exact import Unreadable
from reflection_mcp.tools.judging.expressions.tokens import DECIMAL_COMMA, Token

_TWO = re.compile(r"(\d{1,12}),(\d{1,12})")
_THREE = re.compile(r"(\d{1,3})[.,](\d{3})")
_NEARLY = Fraction(1, 100)
"""The most by which two sides may differ that agree under another reading."""


def parted_by_commas(suspect: Suspect) -> bool:
    """In cases 1,5 + 9 = 14, of 1,5 + 9 = 15, or 2 * (12,18) = 7: the comma parts two numbers."""
    row, commas = suspect.row, _with_comma(suspect)
    if any(_alone_in_brackets(row[place - 1 : place + 2]) for place in commas):
        return True
    first, last = suspect.left.value.numbers[0], suspect.right.value.numbers[-1]
    if not commas or not commas <= {first, last}:
        return False
    # Of two numbers at an end of the statement the inner one belongs to it.
    parts = {place: _TWO.fullmatch(row[place].text) for place in commas}
    inner = {
        place: Fraction(two[2 if place == first else 1]) for place, two in parts.items() if two
    }
    both = {place: Fraction(two[1]) + int(two[2]) for place, two in parts.items() if two}
    return len(inner) == len(commas) and (_agrees(suspect, inner) or _agrees(suspect, both))


def mixed(suspect: Suspect) -> bool:
    """0,85 + 1.20 = 2.50: points and commas before decimals in one statement."""
    return bool(_with_comma(suspect)) and any(
        token.decimals and "." in token.text and "," not in token.text
        for token in _numbers(suspect).values()
    )


def three_decimals(suspect: Suspect) -> bool:
    """1,5 * 1,250 = 1,875: a comma that might stand before thousands opens the decimals as well."""
    if not _with_comma(suspect):
        return False
    threes = {
        place: Fraction(f"{three[1]}.{three[2]}")
        for place, token in _numbers(suspect).items()
        if (three := _THREE.fullmatch(token.text))
    }
    return bool(threes) and _agrees(suspect, threes)


def _numbers(suspect: Suspect) -> dict[int, Token]:
    places = (*suspect.left.value.numbers, *suspect.right.value.numbers)
    return {place: suspect.row[place] for place in places}


def _with_comma(suspect: Suspect) -> set[int]:
    """Return the offsets of numbers in the statement whose comma can only be a decimal one."""
    numbers = _numbers(suspect).items()
    return {place for place, token in numbers if DECIMAL_COMMA.fullmatch(token.text)}


def _alone_in_brackets(around: Sequence[Token]) -> bool:
    return [token.kind for token in around] == ["open", "number", "close"]


def _agrees(suspect: Suspect, put: dict[int, Fraction]) -> bool:
    sides = (suspect.left, suspect.right)
    reading = Reading(put=put)
    try:
        left, right = (evaluate(suspect.row, one.first, one.last, reading).number for one in sides)
    except Unreadable:
        return False  # a division by nought, or it has become too large
    return abs(left - right) < _NEARLY
