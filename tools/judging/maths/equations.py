"""Check that a stated solution satisfies its equation.

Rules of this module: only linear equations in one unknown; a solution is put back into
the equations of that unknown that stand before it in the same case; one linear equation after
another must keep its solution; 6x + 4x = 20x is taken for a sum gone wrong unless zero is said to
solve it. Where a text starts anew (a case, a guess, another problem) the equations before are
forgotten. Roots may be rounded. Stated is what stands on the right, expected what belongs there.
"""

import re
from collections.abc import Iterator
from fractions import Fraction

from reflection_mcp.store.records import Check, Status
from reflection_mcp.tools.judging import finding
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.maths.exact import Linear
from reflection_mcp.tools.judging.maths.hedges import phrases, supposed, taken_back
from reflection_mcp.tools.judging.maths.prose import row_of
from reflection_mcp.tools.judging.maths.rounding import shown
from reflection_mcp.tools.judging.maths.stated_equations import COMPUTED, Equation, equations

KIND = "equation"
WINDOW = 120
"""Characters before and after an equation in which it may be taken back."""

EQUATION = 200
"""Work to read and to judge an equation."""
ROUNDED = Fraction(2, 100)
"""A root may be given rounded; more than that off is another number."""


def check(case: Case) -> Iterator[Check]:
    """Every stated solution, and every linear equation that follows another one."""
    known: dict[str, Equation] = {}
    solved: set[str] = set()
    split = False
    last_end = 0
    for equation in case.budget.afford(equations(case.view(row_of)), lambda _: EQUATION):
        between = case.prose[last_end : equation.start]
        last_end = equation.end
        if parts(between) or _begins_anew(between):
            known.clear()
            solved.clear()
            split = False
        elif known and _SPLITS.search(between):
            split = True  # two cases: it is unclear which one a solution belongs to
        if split:
            continue
        if equation.root is None:
            yield _contradiction(case, equation)
            continue
        if equation.simplifies and equation.root == 0:
            yield _like_terms(case, equation)
            continue
        earlier = known.get(equation.letter)
        found = _put_back(case, equation, earlier) if earlier else None
        if found and (found.status != "wrong" or equation.letter not in solved):
            yield found
        if found and found.status == "wrong":
            # What follows is not reported again; of one that was found the letter is another now.
            del known[equation.letter]
        elif equation.value is None:
            known[equation.letter] = equation
        elif found and found.status == "ok" and equation.decimals < COMPUTED:
            solved.add(equation.letter)  # "x = 5"; "x = 10 / 2" is still on its way


# The look at the first letter spares most words the long alternation.
_ANEW = re.compile(
    r"\b(?=[a-z])(?:(?=[acegiloprstvw])(?:let (?!us)|cases?|suppose|assume|try|trying|either|or"
    r"|where|another|alternatively|otherwise|instead|check|verify|plug\w*"
    r"|example|problem|guess|test|system|option)\b"
    r"|(?:if|when|for|at|with) \$?[a-z] ?=|[a-z] ?= ?-?[\d.]{1,12}:)",
    re.I,
)


_SPLITS = re.compile(r"\b(?:or|and|either|respectively)\b|\\lor", re.IGNORECASE)
_PARTS = re.compile(r"[.!?](?=[\s*_)\"'\\$]|$)|\n[ \t]{0,12}\n|\\\]|\$\$|\n[^\n]*\n|\bcase\b", re.I)


def parts(between: str) -> bool:
    """Return True if what stands between two equations ends a sentence or an aligned block."""
    return _PARTS.search(between) is not None


def _begins_anew(text: str) -> bool:
    return "\u00b1" in text or "\\pm" in text or _ANEW.search(text) is not None


def _put_back(case: Case, equation: Equation, earlier: Equation) -> Check:
    value = equation.value if equation.value is not None else equation.root
    assert value is not None and earlier.root is not None  # others are no solutions
    if _same(value, earlier.root, equation):
        return _told(case, equation, "ok", value, earlier.root)
    after = case.prose[equation.end : equation.end + WINDOW]
    before = case.prose[max(0, equation.start - WINDOW) : equation.start]
    if taken_back(after) or supposed(before):
        return _told(case, equation, "unchecked", value, earlier.root, "not claimed")
    if not case.english:  # whether a new problem begins is said in words
        return _told(case, equation, "unchecked", value, earlier.root, "not in English")
    source = finding.short(case.answer[earlier.start : earlier.end])
    why = f"{source} gives {equation.letter} = {shown(earlier.root)}, not {shown(value)}"
    if equation.value is not None:
        return _misstated(case, equation, shown(earlier.root), f"{why}.")
    if equation.stated.slope:
        return _told(case, equation, "wrong", value, earlier.root, f"{why}.")
    expected = shown(equation.left.slope * earlier.root + equation.left.constant)
    return _misstated(case, equation, expected, f"{why}; the right side comes to {expected}.")


def _misstated(case: Case, equation: Equation, expected: str, why: str) -> Check:
    stated = case.answer[equation.right : equation.end]
    start = finding.with_currency(case.answer, equation.start, equation.end)
    return finding.at(
        case, start, equation.end, KIND, "wrong", why, stated=stated, expected=expected
    )


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
    return _misstated(case, equation, _in_letters(equation.left, equation.letter), why)


_NOUGHT = re.compile(
    r"= ?\$?0(?![\d.,]\d|\d)|\b(?:zero|nought|trivial|only|solve[sd]?|solution)\b", re.I
)


def _like_terms(case: Case, equation: Equation) -> Check:
    """6x + 4x = 20x: true for zero only, so one side is a wrong sum."""
    left, stated = equation.left, equation.stated
    if equation.digits and abs(left.slope - stated.slope) < Fraction(1, 10**equation.digits):
        return _told(case, equation, "ok", None)
    before = case.prose[max(0, equation.start - WINDOW) : equation.start]
    after = case.prose[equation.end : equation.end + 2 * WINDOW]
    doubtful = _NOUGHT.search(f"{case.question} {before} {after}") or not case.english
    if doubtful or supposed(before) or taken_back(after[:WINDOW]):
        return _told(case, equation, "unchecked", None, why="it may be about zero")
    sums = [_in_letters(side, equation.letter) for side in (left, stated)]
    start = finding.with_currency(case.answer, equation.start, equation.end)
    written = case.answer[start : equation.right].rstrip(f" =\u2248{finding.CURRENCIES}")
    source = finding.short(written)
    why = f"{source} comes to {sums[0]}, not {sums[1]}."
    return _misstated(case, equation, sums[0], why)


def _in_letters(side: Linear, letter: str) -> str:
    """6x - 8."""
    size = "" if abs(side.slope) == 1 else shown(abs(side.slope))
    terms = f"{'-' if side.slope < 0 else ''}{size}{letter}" if side.slope else ""
    if not side.constant or not terms:
        return terms or shown(side.constant)
    return f"{terms} {'-' if side.constant < 0 else '+'} {shown(abs(side.constant))}"


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
