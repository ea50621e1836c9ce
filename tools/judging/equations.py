"""Does a stated solution satisfy the equation it was found from?

Rules of this module: only equations in one unknown with plain numbers; a solution is put back into
the equations of that unknown that stand before it in the same case; one linear equation after
another must keep its solution. Where a text starts anew (a case, a guess, another problem) the
equations before are forgotten. Roots may be rounded.
"""

import re
from collections.abc import Iterator
from fractions import Fraction

from reflection_mcp.store.records import Check, Status
from reflection_mcp.tools.judging import finding
from reflection_mcp.tools.judging.arithmetic_hedges import phrases, supposed, taken_back
from reflection_mcp.tools.judging.arithmetic_rounding import shown
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.equations_algebra import at
from reflection_mcp.tools.judging.equations_stated import COMPUTED, Equation, equations

KIND = "equation"
WINDOW = 120
"""Characters before and after an equation in which it may be taken back."""

ROUNDED = Fraction(2, 100)
"""A root may be given rounded; more than that off is another number."""


def check(case: Case) -> Iterator[Check]:
    """Every stated solution, and every linear equation that follows another one."""
    if "=" not in case.prose:
        return
    known: dict[str, Equation] = {}
    solved: set[str] = set()
    last_end = 0
    for equation in equations(case.row):
        between = case.prose[last_end : equation.start]
        last_end = equation.end
        if _ANEW.search(between):
            known.clear()
            solved.clear()
        if len(equation.difference) == 1:
            yield _contradiction(case, equation)
            continue
        earlier = known.get(equation.letter)
        found = _put_back(case, equation, earlier) if earlier else None
        if found and found.status == "wrong" and equation.letter in solved:
            # The unknown had been found: from here on its letter stands for something else.
            solved.discard(equation.letter)
        elif found:
            yield found
        if equation.value is None:
            known[equation.letter] = equation
        elif found and found.status == "ok" and equation.decimals < COMPUTED:
            solved.add(equation.letter)  # "x = 5"; "x = 10 / 2" is still on its way


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
    if not case.english:  # whether a new problem begins is said in words
        return _told(case, equation, "unchecked", value, earlier.root, "not in English")
    source = finding.short(case.answer[earlier.start : earlier.end])
    why = f"{source} gives {equation.letter} = {shown(earlier.root)}, not {shown(value)}."
    return _told(case, equation, "wrong", value, earlier.root, why)


_UNSOLVABLE = phrases(
    """
    no solution*
    no real
    no such
    never
    parallel
    contradict*
    inconsisten*
    impossible
    not possible
    absurd
    false
    infinite*
    """
)


def _contradiction(case: Case, equation: Equation) -> Check:
    """3x + 13 - 10 = 3x + 5: no value of the unknown makes the two sides equal."""
    around = case.prose[max(0, equation.start - WINDOW) : equation.end + 2 * WINDOW]
    doubtful = _UNSOLVABLE.search(around) or supposed(case.prose[: equation.start][-WINDOW:])
    if doubtful or taken_back(case.prose[equation.end : equation.end + WINDOW]):
        return _told(case, equation, "unchecked", None, why="said to have no solution")
    why = f"The two sides differ for every {equation.letter}."
    return _told(case, equation, "wrong", None, why=why)


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
