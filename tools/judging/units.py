"""Does a quantity stay the same when it is given in another unit?

Rules of this module: only two quantities that a text puts side by side as equal are compared; each
meaning of a name (a gallon, a gigabyte, a month) is accepted; within one system a conversion must
be exact to the digits shown, between systems (miles and kilometres) `LOOSE` is allowed.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import pairwise, product
from typing import NamedTuple

from reflection_mcp.store.records import Check, Status
from reflection_mcp.tools.judging import finding
from reflection_mcp.tools.judging.arithmetic_rounding import shown
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.units_table import Unit, meanings, unit_of

KIND = "unit"
LOOSE = Fraction(5, 100)
"""Between systems people round freely: "5 km is about 3 miles" is 3.4 % off."""


class _Quantity(NamedTuple):
    """A number with its unit at `text[start:end]`, or several that add up (2 hours 5 minutes)."""

    start: int
    end: int
    unit: Unit
    amounts: tuple[Fraction, ...]  # in base units, one for each meaning of the unit
    decimals: int


_QUANTITY = re.compile(
    r"(?<![\w.,:/^$\u20ac\u00a3-])"
    r"(\d{1,12}(?:,\d{3}){0,4}(?:\.\d{1,9})?)[ -]?([A-Za-z\u00b5]{1,12})"
    r"(?![\w^\u00b2\u00b3])"
)
_EQUAL = re.compile(
    r"\s{0,2}(?:=|\u2248|\\approx|equals|(?:is|are) (?:equal|equivalent) to|(?:is|are) the same as"
    r"|is|are|,? ?i\.e\.,?|,? ?that is,?|,? ?which (?:is|equals)|\(|\((?:=|i\.e\.,?|equals"
    r"|that is|or)|to [a-z]{1,12} (?:gives|is|are|equals|makes)"
    r"|(?:in|into) [a-z]{1,12} (?:gives|is))(?: (?:about|approximately|roughly))?\s{0,2}"
)
_JOINT = re.compile(r",? (?:and )?")
_OPERATOR_BEFORE = re.compile(
    r"(?:[-+*/\u00d7\u00b7\u00f7^<>]"
    r"|\b(?:x|times|plus|minus|per|every|each|by|of|than|another|for))\s{0,2}$"
)
_OPERATOR_AFTER = re.compile(
    r"\s{0,2}(?:[-+*/\u00d7\u00b7\u00f7^%]|x\b|(?:per|times|plus|minus|more|less|fewer|longer"
    r"|shorter|[a-z]{2,12} than|from|away|apart|each|ago|later|before|after)\b)"
)
_WORKING = re.compile(
    r"\b(?:work|shift|school|class|business|weekday|job|practi|train|night)", re.I
)
"""A working week has five days and a working day eight hours: then days and weeks are no units."""
_AROUND = 400
"""Characters around a statement, and ten times as many of the question, to look for `_WORKING`."""

_DOZENS = re.compile(
    r"(?<![\w.,:/^$*x+-])(?<![*x+-] )(?P<dozens>\d{1,6}) dozens?(?: (?P<noun>[a-z]{2,20}))?"
    r"(?: ?= ?| (?:is|are|equals|makes) |,? i\.e\.,? | ?\((?:i\.e\. |= ?|that is )?)"
    r"(?P<count>\d{1,9})(?! ?[-+*/x%.,:]\d| ?[-+*/\u00d7] )"
    r"(?: (?P<other>[a-z]{2,20}))?(?:[).,;!\n]|$)"
)
_THINGS = frozenset({"items", "pieces", "units", "things", "total", "individual"})


def check(case: Case) -> Iterator[Check]:
    """Every pair of quantities that the answer puts as equal."""
    if not any(digit in case.prose for digit in "123456789"):
        return
    yield from _dozens(case)
    quantities = _merged(case.prose, list(_quantities(case.prose)))
    for first, second in pairwise(quantities):
        if _comparable(first.unit, second.unit) and _put_as_equal(case.prose, first, second):
            yield _compared(case, first, second)


def _comparable(one: Unit, other: Unit) -> bool:
    return one is not other and one.dimension == other.dimension


def _put_as_equal(text: str, first: _Quantity, second: _Quantity) -> bool:
    """Whether the text says that the first quantity is the second one, and no more than that."""
    between = text[first.end : second.start]
    return (
        len(between) <= 40
        and _EQUAL.fullmatch(between) is not None
        and ("(" not in between or text[second.end : second.end + 1] == ")")
        and not _OPERATOR_BEFORE.search(text, max(0, first.start - 12), first.start)
        and not _OPERATOR_AFTER.match(text, second.end)
    )


def _dozens(case: Case) -> Iterator[Check]:
    """3 dozen eggs are 36: the only count that has a name of its own in everyday use."""
    for match in _DOZENS.finditer(case.prose):
        if match["other"] not in (None, match["noun"], *_THINGS):
            continue
        expected, stated = 12 * int(match["dozens"]), int(match["count"])
        right = expected == stated
        yield finding.at(
            case, match.start(), match.end("count"), KIND, "ok" if right else "wrong",
            "" if right else f"{match['dozens']} dozen are {expected}, not {stated}.",
            stated=str(stated), expected=str(expected),
        )  # fmt: skip


def _quantities(text: str) -> Iterator[_Quantity]:
    for match in _QUANTITY.finditer(text):
        unit = unit_of(match[2])
        if unit is None:
            continue
        number = Fraction(match[1].replace(",", ""))
        decimals = len(match[1].partition(".")[2])
        amounts = tuple(number * factor for factor in unit.factors)
        yield _Quantity(match.start(), match.end(), unit, amounts, decimals)


def _merged(text: str, quantities: list[_Quantity]) -> list[_Quantity]:
    """2 hours and 5 minutes are one quantity, in the smaller unit."""
    merged: list[_Quantity] = []
    for quantity in quantities:
        last = merged[-1] if merged else None
        if (
            last is not None
            and last.unit.dimension == quantity.unit.dimension
            and last.unit.factors[0] > quantity.unit.factors[0]
            and quantity.start - last.end <= 6
            and _JOINT.fullmatch(text, last.end, quantity.start)
        ):
            pairs = meanings(last.unit, quantity.unit)
            first = last.amounts[0] / last.unit.factors[0]
            rest = quantity.amounts[0] / quantity.unit.factors[0]
            amounts = tuple(first * a + rest * b for a, b in pairs)
            # Written in full, so to be met in full: 126 minutes are not 2 hours 5 minutes.
            merged[-1] = last._replace(end=quantity.end, amounts=amounts, decimals=9)
        else:
            merged.append(quantity)
    return merged


def _compared(case: Case, first: _Quantity, second: _Quantity) -> Check:
    stated = second.amounts[0] / second.unit.factors[0]
    ours, theirs = first.amounts, second.unit.factors
    both = len(ours) > 1 and len(theirs) > 1
    pairs = zip(ours, theirs, strict=False) if both else product(ours, theirs)
    expected = [amount / factor for amount, factor in pairs]
    status = _status(case, first, second, expected, stated)
    why = f"{case.answer[first.start : first.end]} is {shown(expected[0])}, not {shown(stated)}."
    return finding.at(
        case, first.start, second.end, KIND, status, "" if status == "ok" else why,
        stated=shown(stated), expected=shown(expected[0]),
    )  # fmt: skip


def _status(
    case: Case,
    first: _Quantity,
    second: _Quantity,
    expected: list[Fraction],
    stated: Fraction,
) -> Status:
    last_digit = Fraction(1, 10**second.decimals)
    gaps = [(abs(value - stated), value) for value in expected]
    if any(
        gap == 0 or (gap < last_digit and (value / last_digit).denominator != 1)
        for gap, value in gaps
    ):
        return "ok"
    between = case.prose[first.end : second.start]
    loose = first.unit.system != second.unit.system or "\u2248" in between or "about" in between
    if loose and any(gap <= LOOSE * value for gap, value in gaps):
        return "unchecked"
    around = case.prose[max(0, first.start - _AROUND) : second.end + _AROUND]
    if first.unit.dimension == "time" and _WORKING.search(case.question[: 10 * _AROUND] + around):
        return "unchecked"
    return "wrong"
