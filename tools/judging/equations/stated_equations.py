"""Equations in one unknown that a text states.

Rules of this module: a side extends as far as numbers, operators and single letters; when the text
continues in a way that may belong to the side ("x = 2/3 of 30", "x = 3 dozen"), or inserts a value
instead of finding one ("when x = 0"), there is no equation. Equations in two letters are not read.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import islice
from typing import NamedTuple

from reflection_mcp.tools.judging.equations.algebra import (
    LONGEST_SIDE,
    ONE,
    Polynomial,
    Quotient,
    add,
    multiply,
    read_side,
)
from reflection_mcp.tools.judging.expressions.exact import Unreadable
from reflection_mcp.tools.judging.expressions.tokens import Token
from reflection_mcp.tools.judging.expressions.words import MATH_WORDS, SCALES

COMPUTED = 9
"""Decimals of a value that is still an expression (x = 10 / 2), and so is exact."""
MOST_EQUATIONS = 1000
"""Relation signs of one text that are looked at."""


class Equation(NamedTuple):
    """`difference = 0` in the unknown `letter`, at `text[start:end]`, its right side at `right`.

    For `x = 5` the `value` is 5, shown with so many `decimals`. A constant difference that is not
    zero means that no value makes the two sides equal. `left` and `stated` are the two sides where
    they are polynomials; `root` is the solution of a linear one; `simplifies` says that both sides
    are in the unknown and the left one is written with an operator; `digits` are the most decimals
    of a number on the right.
    """

    start: int
    end: int
    right: int
    letter: str
    left: Polynomial | None
    stated: Polynomial | None
    simplifies: bool
    digits: int
    difference: Polynomial
    root: Fraction | None
    value: Fraction | None
    decimals: int
    approximate: bool


def equations(row: Sequence[Token]) -> list[Equation]:
    """The equations in one unknown that a text states, in order."""
    found: list[Equation] = []
    relations = (place for place, token in enumerate(row) if token.kind == "equals")
    for place in islice(relations, MOST_EQUATIONS):
        try:
            equation = _equation(row, place)
        except Unreadable:
            continue
        if equation is not None:
            found.append(equation)
    return found


_NAME_BEFORE = frozenset({"of", "by", "times", "plus", "minus", "than", "from", "half", "twice"})


def _claims_identity(left: Quotient, right: Quotient, letter: str) -> bool:
    """Return True if two sides that are never equal were meant to be: both with the unknown,
    neither just it."""
    bare = Quotient((Fraction(0), Fraction(1)))
    whole = len(left.bottom) == 1 == len(right.bottom)
    return bool(letter) and whole and bare not in (left, right)


_ASSIGNING = frozenset(
    """when at for if let set setting where with put using plug plugging substitute substituting
    given take taking choose choosing say try trying into assume assuming once""".split()
)
"""Words before "x = 0" that put a value in instead of finding it."""


def _equation(row: Sequence[Token], place: int) -> Equation | None:
    first, last = _left(row, place), _right(row, place)
    if first == place or last == place + 1:
        return None
    if not any(token.kind == "word" for token in row[first:last]):
        return None
    before = row[first - 1] if first else None
    if before is not None:
        if before.kind in ("bad", "sqrt") or before.text in _NAME_BEFORE:
            return None
        if before.kind == "word" and place - first == 1 and row[first].kind == "number":
            return None  # "section 2 = x + 200" speaks of section 2
        if row[first].kind == "operator" and before.kind not in ("stop", "equals"):
            return None
    if last < len(row) and _goes_on(row, last):
        return None
    left, one = read_side(row, first, place)
    right, other = read_side(row, place + 1, last)
    letter = one or other
    if not letter or (one and other and one != other):
        return None
    gap = add(multiply(left.top, right.bottom), multiply(right.top, left.bottom), -1)
    if not gap or (len(gap) == 1 and not _claims_identity(left, right, one and other)):
        return None
    value, decimals = None, COMPUTED
    if place - first == 1 and not other:
        label = last < len(row) and row[last].text == ":"  # "x = 4: 2x = 8"
        if label or (before is not None and before.text in _ASSIGNING):
            return None
        value = right.top[0] / right.bottom[0] if right.top else Fraction(0)
        decimals = row[place + 1].decimals if last == place + 2 else COMPUTED
    operators = {token.kind for token in row[first + 1 : place]} & {"operator"}
    return Equation(
        start=row[first].start,
        end=row[last - 1].end,
        right=row[place + 1].start,
        letter=letter,
        left=_polynomial(left),
        stated=_polynomial(right),
        simplifies=bool(one and other and operators),
        digits=max(token.decimals for token in row[place + 1 : last]),
        difference=gap,
        root=-gap[0] / gap[1] if len(gap) == 2 else None,
        value=value,
        decimals=decimals,
        approximate=row[place].text == "~",
    )


def _polynomial(side: Quotient) -> Polynomial | None:
    if side.bottom is ONE:
        return side.top
    if len(side.bottom) != 1:
        return None
    return tuple(coefficient / side.bottom[0] for coefficient in side.top)


def _goes_on(row: Sequence[Token], last: int) -> bool:
    """x = 2/3 of 30, x = 3 dozen, x = 1 hour 20 minutes, x = 5 or 6: the side is not all."""
    after = row[last]
    if after.kind != "word":
        return after.kind in ("bad", "number", "close", "open")
    if after.text in _NAME_BEFORE or after.text in MATH_WORDS or after.text in SCALES:
        return True
    if last + 1 < len(row) and row[last + 1].kind == "operator":
        return True  # "30 feet / 6"
    return after.text == "or" or (last + 1 < len(row) and row[last + 1].kind == "number")


def _part(row: Sequence[Token], place: int) -> bool:
    token = row[place]
    if token.kind == "word":
        return len(token.text) == 1
    return token.kind in ("number", "operator", "open", "close", "frac", "percent")


def _left(row: Sequence[Token], place: int) -> int:
    first, depth = place, 0
    while first > 0 and place - first <= LONGEST_SIDE and _part(row, first - 1):
        token = row[first - 1]
        depth += (token.kind == "close") - (token.kind == "open")
        if depth < 0:
            break
        first -= 1
    return first


def _right(row: Sequence[Token], place: int) -> int:
    last, depth = place + 1, 0
    while last < len(row) and last - place <= LONGEST_SIDE and _part(row, last):
        depth += (row[last].kind == "open") - (row[last].kind == "close")
        if depth < 0:
            break
        last += 1
    return last
