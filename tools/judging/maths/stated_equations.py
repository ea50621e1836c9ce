"""Linear equations in one unknown that a text states.

Rules of this module: a side extends as far as numbers, operators and single letters; when the text
continues in a way that may belong to the side ("x = 2/3 of 30", "x = 3 dozen"), or inserts a value
instead of finding one ("when x = 0"), there is no equation. Equations in two letters are not read.
"""

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import islice
from typing import NamedTuple

from reflection_mcp.tools.judging.maths.evaluation import side
from reflection_mcp.tools.judging.maths.exact import Linear, Unreadable
from reflection_mcp.tools.judging.maths.tokens import Token
from reflection_mcp.tools.judging.maths.words import MATH_WORDS, SCALES

COMPUTED = 9
"""Decimals of a value that is still an expression (x = 10 / 2), and so is exact."""
MOST_EQUATIONS = 1000
"""Relation signs of one text that are looked at."""
LONGEST_SIDE = 60
"""Tokens of one side."""
_POINTED = re.compile(r"[1-9]\d{0,2}\.\d{3}")
"""A number that a point may part into thousands."""


class Equation(NamedTuple):
    """`left = stated` in the unknown `letter`, at `text[start:end]`, its right side at `right`.

    For `x = 5` the `value` is 5, shown with so many `decimals`. `root` is the solution; where there
    is none, no value makes the two sides equal. `simplifies` says that both sides are in the
    unknown and the left one is written with an operator; `digits` are the most decimals of a number
    on the right.
    """

    start: int
    end: int
    right: int
    letter: str
    left: Linear
    stated: Linear
    simplifies: bool
    digits: int
    root: Fraction | None
    value: Fraction | None
    decimals: int
    approximate: bool


def equations(row: Sequence[Token]) -> Iterator[Equation]:
    """Yield the equations in one unknown that a text states, in order."""
    relations = (place for place, token in enumerate(row) if token.kind == "equals")
    for place in islice(relations, MOST_EQUATIONS):
        first, last = _left(row, place), _right(row, place)
        if _stands_alone(row, first, place, last):
            try:
                equation = _equation(row, first, place, last)
            except Unreadable:
                continue
            if equation is not None:
                yield equation


_NAME_BEFORE = frozenset({"of", "by", "times", "plus", "minus", "than", "from", "half", "twice"})
_ASSIGNING = frozenset(
    """when at for if let set setting where with put using plug plugging substitute substituting
    given take taking choose choosing say try trying into assume assuming once""".split()
)
"""Words before "x = 0" that put a value in instead of finding it."""


def _stands_alone(row: Sequence[Token], first: int, place: int, last: int) -> bool:
    """Return True if two sides with a letter are all that the text says of them."""
    if first == place or last == place + 1 or (last < len(row) and _goes_on(row, last)):
        return False
    if not any(token.kind == "word" for token in row[first:last]):
        return False
    before = row[first - 1] if first else None
    if before is None:
        return True
    named = before.kind == "word" and place - first == 1 and row[first].kind == "number"
    if named or before.kind in ("bad", "sqrt") or before.text in _NAME_BEFORE:
        return False  # "section 2 = x + 200" speaks of section 2
    return row[first].kind != "operator" or before.kind in ("stop", "equals")


def _equation(row: Sequence[Token], first: int, place: int, last: int) -> Equation | None:
    (left, one), (right, other) = side(row, first, place), side(row, place + 1, last)
    letter = one or other
    slope, gap = left.slope - right.slope, right.constant - left.constant
    if (one and other and one != other) or (not slope and not gap):
        return None
    bare = place - first == 1 or last == place + 2
    if not slope and (not (one and other) or bare):
        return None  # x = x + 1 is a step of a program
    value, decimals = None, COMPUTED
    if place - first == 1 and one and not other:
        label = last < len(row) and row[last].text == ":"  # "x = 4: 2x = 8"
        if label or (first and row[first - 1].text in _ASSIGNING):
            return None
        value = right.constant
        decimals = row[place + 1].decimals if last == place + 2 else COMPUTED
    operators = any(token.kind == "operator" for token in row[first + 1 : place])
    return Equation(
        start=row[first].start,
        end=row[last - 1].end,
        right=row[place + 1].start,
        letter=letter,
        left=left,
        stated=right,
        simplifies=bool(one and other and operators),
        digits=max(token.decimals for token in row[place + 1 : last]),
        root=gap / slope if slope else None,
        value=value,
        decimals=decimals,
        approximate=row[place].text == "~",
    )


def _goes_on(row: Sequence[Token], last: int) -> bool:
    """x = 2/3 of 30, x = 3 dozen, x = 1 hour 20 minutes, x = 5 or 6: the side is not all."""
    after, follows = row[last], row[last + 1].kind if last + 1 < len(row) else "stop"
    if after.kind != "word":
        return after.kind in ("bad", "number", "close", "open")
    if after.text in _NAME_BEFORE or after.text in MATH_WORDS or after.text in SCALES:
        return True
    return after.text == "or" or follows in ("operator", "number")  # "30 feet / 6"


def _part(token: Token) -> bool:
    if token.kind == "word":
        return len(token.text) == 1
    if token.kind == "number" and _POINTED.fullmatch(token.text):
        return False
    return token.kind in ("number", "operator", "open", "close", "frac", "percent")


def _left(row: Sequence[Token], place: int) -> int:
    first, depth = place, 0
    while first > 0 and place - first <= LONGEST_SIDE and _part(row[first - 1]):
        depth += (row[first - 1].kind == "close") - (row[first - 1].kind == "open")
        if depth < 0:
            break
        first -= 1
    return first


def _right(row: Sequence[Token], place: int) -> int:
    last, depth = place + 1, 0
    while last < len(row) and last - place <= LONGEST_SIDE and _part(row[last]):
        depth += (row[last].kind == "open") - (row[last].kind == "close")
        if depth < 0:
            break
        last += 1
    return last
