"""Check that a quantity stays the same when it is given in another unit.

Rules of this module: only two quantities that a text puts side by side as equal are compared, in
units that mean one thing; a conversion must be exact to the digits shown, but what is finer than
the last unit may be left out (6,250 seconds are 1 hour 44 minutes). Between systems people round.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging import finding
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.maths.rounding import shown
from reflection_mcp.tools.judging.maths.units import Unit, unit_of

KIND = "unit"
PAIR = 60
"""Work to compare two quantities."""
WINDOW, LONGEST = 20_000, 400
"""Characters that one search reads, which nobody else can interrupt, and those of a statement."""

_NUMBER = r"\d{1,3}(?:,\d{3}){1,4}(?:\.\d{1,9})?|\d{1,12}(?:\.\d{1,9})?"
_ONE = rf"(?:{_NUMBER})[ \u00a0\u202f-]?[A-Za-z\u00b5]{{1,12}}(?![\w^\u00b2\u00b3])"
_SUM = rf"{_ONE}(?: (?:and )?{_ONE}){{0,2}}"
_EQUAL = (
    r"\s{0,2}(?:=|\u2248|\\approx|equals|(?:is|are) (?:equal|equivalent) to|(?:is|are) the same as"
    r"|is|are|,? ?i\.e\.,?|,? ?that is,?|,? ?which (?:is|equals)|\(|\((?:=|i\.e\.,?|equals"
    r"|that is|or))(?: (?:about|approximately|roughly))?\s{0,2}"
)
# Begins with the digit itself, to which a search can leap, and looks before it only then.
_SAID = re.compile(
    rf"(?=\d)(?<![\w.,:/^$\u20ac\u00a3-])(?<!\d[ '\u2019\u00a0\u202f])"
    rf"({_SUM})({_EQUAL})(?=({_SUM}))"
)
_PART = re.compile(rf"({_NUMBER})[ \u00a0\u202f-]?([A-Za-z\u00b5]{{1,12}})")
_OPERATOR_BEFORE = re.compile(
    r"(?:[-+*/\u00d7\u00b7\u00f7^<>]"
    r"|\b(?:x|times|plus|minus|per|every|each|by|of|than|another|for))\s{0,2}$"
)
_GOES_ON = re.compile(
    r"[.,']\d|\s{0,2}(?:[-+*/\u00d7\u00b7\u00f7^%]|x\b|(?:per|times|plus|minus|more|less|fewer|longer"
    r"|shorter|[a-z]{2,12} than|from|away|apart|each|ago|later|before|after)\b)"
)
_NOT_LITERALLY = re.compile(
    r"\b(?:52 weeks\b|work|shift|school|class|business|weekday|job|practi|train|night|bill"
    r"|FTE|maps?\b|scaled?\b|drawings?\b|blueprints?\b|models?\b|miniatures?\b)",
    re.I,
)
"""A working day has eight hours, and on a map a centimetre is a kilometre."""
_POINTED = re.compile(r"\d{1,3}\.\d{3}")
"""Five, or five thousand."""
_AROUND = 400
"""Characters around a statement, and ten times as many of the question, that say so."""


class _Quantity(NamedTuple):
    """A number with its unit, or several that add up, in base units; `finest` is the last unit."""

    amount: Fraction
    finest: Unit
    decimals: int
    parts: int
    length: int


def _said(text: str) -> Iterator[re.Match[str]]:
    at = 0
    for end in range(WINDOW, len(text) + WINDOW, WINDOW):
        for match in _SAID.finditer(text, at, end + LONGEST):
            if match.start() >= end:
                break
            yield match
            at = match.end()
        at = max(at, end)


def check(case: Case) -> Iterator[Check]:
    """Every pair of quantities that the answer puts as equal."""
    for match in case.budget.afford(_said(case.prose), lambda _: PAIR):
        first, second = _quantity(match[1]), _quantity(match[3])
        if not first or not second or first.length < len(match[1]):
            continue
        start, end = match.start(), match.start(3) + second.length
        same = first.finest == second.finest and first.parts == second.parts
        if same or first.finest[:2] != second.finest[:2]:
            continue
        alone = not _OPERATOR_BEFORE.search(case.prose, max(0, start - 12), start)
        closed = "(" not in match[2] or case.prose[end : end + 1] == ")"
        if alone and closed and not _GOES_ON.match(case.prose, end):
            yield _compared(case, match, first, second, end)


def _quantity(text: str) -> _Quantity | None:
    """Return the sum of the parts that get smaller; None where a unit has no size."""
    found: _Quantity | None = None
    for part in _PART.finditer(text):
        unit, written = unit_of(part[2]), Fraction(part[1].replace(",", ""))
        if unit is None or unit.size is None or _POINTED.fullmatch(part[1]):
            return None
        amount, parts = written * unit.size, 1
        if found:
            last = found.finest
            if unit.dimension != last.dimension or amount >= (last.size or 0):
                break
            amount, parts = amount + found.amount, found.parts + 1
        found = _Quantity(amount, unit, len(part[1].partition(".")[2]), parts, part.end())
    return found


def _compared(
    case: Case, match: re.Match[str], first: _Quantity, second: _Quantity, end: int
) -> Check:
    size, finer = second.finest.size or Fraction(1), first.finest.size or Fraction(1)
    expected, stated = first.amount / size, second.amount / size
    last_digit = Fraction(1, 10**second.decimals)
    gap = abs(expected - stated)
    rounded = gap < last_digit and (expected / last_digit).denominator != 1
    left_out = second.parts > 1 and finer < size and gap < 1
    around = case.prose[max(0, match.start() - _AROUND) : end + _AROUND]
    place = (case, match.start(), end, KIND)
    if gap == 0 or rounded or left_out:
        return finding.at(*place, "ok", "")
    if _NOT_LITERALLY.search(case.question[: 10 * _AROUND] + around) or "about" in match[2]:
        return finding.at(*place, "unchecked", "the units may be meant otherwise")
    why = f"{match[1]} is {shown(expected)} {second.finest.name}, "
    why += f"not {case.answer[match.start(3) : end]}."
    return finding.at(*place, "wrong", why, stated=shown(stated), expected=shown(expected))
