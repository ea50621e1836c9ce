"""Does a stated solution satisfy the equation it was found from?

Rules of this module: only equations in one unknown with plain numbers; a solution is put back into
the equations of that unknown that stand before it in the same case; one linear equation after
another must keep its solution. Where a text starts anew (a case, a guess, another problem) the
equations before are forgotten. Roots may be rounded.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from reflection_mcp.store.records import Check, Status
from reflection_mcp.tools.judging import finding
from reflection_mcp.tools.judging.arithmetic_hedges import supposed, taken_back
from reflection_mcp.tools.judging.arithmetic_rounding import shown
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.equations_algebra import (
    LONGEST_SIDE,
    Polynomial,
    add,
    at,
    multiply,
    read_side,
)
from reflection_mcp.tools.judging.expressions import Unreadable
from reflection_mcp.tools.judging.expressions_tokens import Token
from reflection_mcp.tools.judging.expressions_words import MATH_WORDS, SCALES

KIND = "equation"
WINDOW = 120
MOST_EQUATIONS = 1000

ROUNDED = Fraction(2, 100)
"""A root may be given rounded; more than that off is another number."""


@dataclass(frozen=True, slots=True)
class Equation:
    """`difference = 0` in the unknown `letter`; for `x = 5` the `value` is 5.

    `start` and `end` are offsets into the text; `roots` holds the one root of a linear equation.
    """

    start: int
    end: int
    letter: str
    difference: Polynomial
    bottom: Polynomial
    value: Fraction | None
    decimals: int
    approximate: bool

    @property
    def root(self) -> Fraction | None:
        """The solution of a linear equation."""
        if len(self.difference) != 2:
            return None
        return -self.difference[0] / self.difference[1]


def check(case: Case) -> Iterator[Check]:
    """Every stated solution, and every linear equation that follows another one."""
    if "=" not in case.prose:
        return
    known: dict[str, list[Equation]] = {}
    last_end = 0
    for equation in equations(case.row):
        between = case.prose[last_end : equation.start]
        last_end = equation.end
        if _ANEW.search(between):
            known.clear()
        before = known.setdefault(equation.letter, [])
        if before:
            yield _put_back(case, equation, before[-1])
        if equation.value is None:
            before.append(equation)


_ANEW = re.compile(
    r"\b(?:let (?!us)|cases?|suppose|assume|try|trying|either|or|where|another|"
    r"alternatively|otherwise|instead|check|verify|plug\w*"
    r"|example|problem|guess|test|system|option)\b|\u00b1|\\pm",
    re.I,
)


def _put_back(case: Case, equation: Equation, earlier: Equation) -> Check:
    value = equation.value if equation.value is not None else equation.root
    if value is None or earlier.root is None:
        if value is not None and at(earlier.difference, value) == 0:
            return _told(case, equation, "ok", value)
        return _told(case, equation, "unchecked", value, why="not linear")
    if _same(value, earlier.root, equation):
        return _told(case, equation, "ok", value, earlier.root)
    after = case.prose[equation.end : equation.end + WINDOW]
    before = case.prose[max(0, equation.start - WINDOW) : equation.start]
    if taken_back(after) or supposed(before):
        return _told(case, equation, "unchecked", value, earlier.root, "not claimed")
    source = finding.short(case.answer[earlier.start : earlier.end])
    why = f"{source} gives {equation.letter} = {shown(earlier.root)}, not {shown(value)}."
    return _told(case, equation, "wrong", value, earlier.root, why)


def _told(
    case: Case,
    equation: Equation,
    status: Status,
    stated: Fraction | None,
    expected: Fraction | None = None,
    why: str = "",
) -> Check:
    return finding.at(
        case, equation.start, equation.end, KIND, status, why,
        stated="" if stated is None else shown(stated),
        expected="" if expected is None else shown(expected),
    )  # fmt: skip


def _same(value: Fraction, root: Fraction, equation: Equation) -> bool:
    gap = abs(value - root)
    # A percentage is given with or without its sign: x/100 * 50 = 10 and x = 20%.
    if gap == 0 or root in (100 * value, value / 100):
        return True
    unit = Fraction(1, 10**equation.decimals)
    if equation.value is None or (root / unit).denominator != 1:
        return gap < unit or gap <= ROUNDED * abs(root)
    return equation.approximate and gap <= ROUNDED * abs(root)


# ---- finding equations --------------------------------------------------------------------------


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
        if before.kind == "bad" or before.text in _NAME_BEFORE:
            return None
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
    if len(gap) < 2:
        return None
    value = decimals = None
    if place - first == 1 and not other:
        if before is not None and before.text in _ASSIGNING:
            return None
        value = right.top[0] / right.bottom[0] if right.top else Fraction(0)
        decimals = row[place + 1].decimals if last == place + 2 else 9
    return Equation(
        row[first].start, row[last - 1].end, letter, gap, multiply(left.bottom, right.bottom),
        value, decimals if decimals is not None else 9, row[place].text == "~",
    )  # fmt: skip


def _goes_on(row: Sequence[Token], last: int) -> bool:
    """x = 2/3 of 30, x = 3 dozen, x = 1 hour 20 minutes, x = 5 or 6: the side is not all."""
    after = row[last]
    if after.kind != "word":
        return after.kind in ("bad", "number", "close", "open")
    if after.text in _NAME_BEFORE or after.text in MATH_WORDS or after.text in SCALES:
        return True
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
