"""Check that a quantity stays the same when it is given in another unit.

Rules of this module: only two quantities that a text puts side by side as equal are compared; each
meaning of a name (a gallon, a gigabyte, a month) is accepted, and each of a number as it is written
(5.000 is five or five thousand); within one system a conversion must be exact to the digits shown,
between systems (miles and kilometres) `LOOSE` is allowed.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice, pairwise, product
from typing import NamedTuple

from reflection_mcp.store.records import Check, Status
from reflection_mcp.tools.judging import finding
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.expressions.rounding import shown
from reflection_mcp.tools.judging.expressions.units import Unit, meanings, unit_of
from reflection_mcp.tools.judging.texts.numbers_written import written

KIND = "unit"
MOST_FINDINGS = 500
"""Pairs of one answer that are compared; an honest answer has fewer."""
MOST_QUANTITIES = 1000
"""Quantities of one answer that are read; an honest answer of 100 kB has fewer."""
MOST_READINGS = 9
"""Readings of one quantity: two numbers, each with three of its own."""
LOOSE = Fraction(5, 100)
"""Between systems people round freely: "5 km is about 3 miles" is 3.4 % off."""


class _Quantity(NamedTuple):
    """A number with its unit at `text[start:end]`, or several that add up (2 hours 5 minutes).

    Of several `finest` is the last unit, in base units; else zero.
    """

    start: int
    end: int
    unit: Unit
    amounts: tuple[Fraction, ...]  # in base units, one for each meaning of the unit
    decimals: int
    finest: Fraction = Fraction(0)


class _Named(NamedTuple):
    """A number with its unit as it is found."""

    match: re.Match[str]
    unit: Unit


_Meant = tuple[_Quantity, ...]
"""A quantity with every value that its number may have, the usual one first."""

# Begins with the digit itself, to which a search can leap, and looks before it only then.
_QUANTITY = re.compile(
    r"(\d(?<![\w.,:/^$\u20ac\u00a3-].)"
    r"(?:\d{0,2}(?:[.,'\u2019 \u00a0\u202f]\d{3}){1,4}(?:[.,]\d{1,9})?"
    r"|\d{0,2}(?:,\d{2}){1,3},\d{3}(?:\.\d{1,9})?|\d{0,11}(?:[.,]\d{1,9})?))"
    r"[ \u00a0\u202f-]?([A-Za-z\u00b5]{1,12})(?![\w^\u00b2\u00b3])"
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
    r"\b(?=[wscbjptnf])(?:work|shift|school|class|business|weekday|job|practi|train|night|billing|billable|FTE)",
    re.I,
)
"""A working week has five days and a working day eight hours: then days and weeks are no units."""
_DRAWN = re.compile(
    r"\b(?=[msdb])(?:maps?|scaled?|drawings?|blueprints?|models?|miniatures?)\b", re.I
)
"""On a map a centimetre is a kilometre."""
_YEAR = {Fraction(52 * 604800), Fraction(365 * 86400), Fraction(366 * 86400)}
"""The usual lengths of a year in weeks and in days, in seconds."""
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
    pairs = (
        (first, second)
        for quantities in _put_together(case.prose)
        for first, second in pairwise(_merged(case.prose, quantities))
        if _comparable(first[0].unit, second[0].unit)
        and _put_as_equal(case.prose, first[0], second[0])
    )
    for first, second in islice(pairs, MOST_FINDINGS):
        yield _compared(case, first, second)


def _put_together(text: str) -> Iterator[list[_Meant]]:
    """The quantities that follow each other directly, if any is put as equal to the next one.

    Only their numbers are worked out: most of them occur once and are compared to none.
    """
    group: list[_Named] = []
    equal = False
    for one in islice(_named(text), MOST_QUANTITIES):
        if group:
            last = group[-1].match.end(), one.match.start()
            told = last[1] - last[0] <= 40 and _EQUAL.fullmatch(text, *last) is not None
            if not (told or _JOINT.fullmatch(text, *last)):
                if equal:
                    yield [*map(_meant, group)]
                group, equal = [], False
            equal = equal or told
        group.append(one)
    if equal:
        yield [*map(_meant, group)]


def _comparable(one: Unit, other: Unit) -> bool:
    return one is not other and one.dimension == other.dimension


def _put_as_equal(text: str, first: _Quantity, second: _Quantity) -> bool:
    """Return True if the text says that the first quantity is the second one, and no more than
    that."""
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
    told = _DOZENS.finditer(case.prose) if " dozen" in case.prose else ()
    for match in told:
        if match["other"] not in (None, match["noun"], *_THINGS):
            continue
        expected, stated = 12 * int(match["dozens"]), int(match["count"])
        right = expected == stated
        yield finding.at(
            case, match.start(), match.end("count"), KIND, "ok" if right else "wrong",
            "" if right else f"{match['dozens']} dozen are {expected}, not {stated}.",
            stated=str(stated), expected=str(expected),
        )  # fmt: skip


def _named(text: str) -> Iterator[_Named]:
    for match in _QUANTITY.finditer(text):
        unit = unit_of(match[2])
        if unit is not None:
            yield _Named(match, unit)


def _meant(named: _Named) -> _Meant:
    unit = named.unit
    return tuple(
        _Quantity(*named.match.span(), unit, tuple(number * f for f in unit.factors), decimals)
        for number, decimals in written(named.match[1])
    )


def _merged(text: str, quantities: list[_Meant]) -> list[_Meant]:
    """2 hours and 5 minutes are one quantity, in the smaller unit.

    Behind a comma or an `and` a quantity that is put as equal to another may begin a statement of
    its own ("60 min = 1 h, 120 min = 2 h"), so that each of the two is a reading, too.
    """
    merged: list[_Meant] = []
    for place, meant in enumerate(quantities):
        last, quantity = merged[-1][0] if merged else None, meant[0]
        joint = _JOINT.fullmatch(text, last.end, quantity.start) if last else None
        if (
            last
            and joint
            and last.unit.dimension == quantity.unit.dimension
            and last.unit.factors[0] > quantity.unit.factors[0]
            and quantity.start - last.end <= 6
        ):
            before = merged[-1]
            both = islice(product(before, meant), MOST_READINGS)
            sums = tuple(_sum(one, other) for one, other in both)
            follows = quantities[place + 1][0].start if place + 1 < len(quantities) else 0
            apart = joint[0].strip() and _EQUAL.fullmatch(text, quantity.end, follows)
            merged[-1] = (*sums, *before, *meant) if apart else sums
        else:
            merged.append(meant)
    return merged


def _sum(one: _Quantity, other: _Quantity) -> _Quantity:
    first, rest = one.amounts[0] / one.unit.factors[0], other.amounts[0] / other.unit.factors[0]
    amounts = tuple(first * a + rest * b for a, b in meanings(one.unit, other.unit))
    # Written in full, so to be met in full: 126 minutes are not 2 hours 5 minutes. What is finer
    # than the last unit may be left out: 6,250 seconds are 1 hour 44 minutes.
    return one._replace(end=other.end, amounts=amounts, decimals=9, finest=other.unit.factors[0])


_GOODNESS: tuple[Status, ...] = ("ok", "unchecked", "wrong")


def _compared(case: Case, first: _Meant, second: _Meant) -> Check:
    """Return the values of the two numbers under the reading that brings them closest, in the usual
    spelling."""
    one, other = first[0], second[0]
    expected, stated = _expected(one, other)[0], other.amounts[0] / other.unit.factors[0]
    readings = {_status(case, a, b) for a, b in product(first, second)}
    status: Status = next(kindest for kindest in _GOODNESS if kindest in readings)
    unit = other.unit.names.split()[-1]
    why = f"{case.answer[one.start : one.end]} is {shown(expected)} {unit}, not {shown(stated)}."
    return finding.at(
        case, one.start, other.end, KIND, status, "" if status == "ok" else why,
        stated=shown(stated), expected=shown(expected),
    )  # fmt: skip


def _expected(first: _Quantity, second: _Quantity) -> list[Fraction]:
    """The first quantity in the unit of the second, in each meaning of the two units."""
    ours, theirs = first.amounts, second.unit.factors
    both = len(ours) > 1 and len(theirs) > 1
    pairs = zip(ours, theirs, strict=False) if both else product(ours, theirs)
    return [amount / factor for amount, factor in pairs]


def _status(case: Case, first: _Quantity, second: _Quantity) -> Status:
    expected, stated = _expected(first, second), second.amounts[0] / second.unit.factors[0]
    last_digit = Fraction(1, 10**second.decimals)
    gaps = [(abs(value - stated), value) for value in expected]
    if 0 < first.unit.factors[0] < second.finest and any(
        gap * second.unit.factors[0] < second.finest for gap, _ in gaps
    ):
        return "ok"
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
    if {first.amounts[0], second.amounts[0]} <= _YEAR:
        return "unchecked"
    if first.unit.dimension == "length" and _DRAWN.search(around):
        return "unchecked"
    if first.unit.dimension == "time" and _WORKING.search(case.question[: 10 * _AROUND] + around):
        return "unchecked"
    return "wrong"
