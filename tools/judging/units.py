"""Does a quantity stay the same when it is given in another unit?

Rules of this module: factors are exact and written in `UNITS`; where a name has several meanings
(a gallon, a gigabyte, a month) each is accepted; between units of one system a conversion must be
exact to the digits shown, between systems (miles and kilometres) `LOOSE` is allowed. Only two
quantities that a text puts side by side as equal are compared.
"""

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import pairwise, product
from typing import NamedTuple

from reflection_mcp.store.records import Check, Status
from reflection_mcp.tools.judging.arithmetic_rounding import shown
from reflection_mcp.tools.judging.case import Case

KIND = "unit"
LOOSE = Fraction(5, 100)
"""Between systems people round freely: "5 km is about 3 miles" is 3.4 % off."""


class Unit(NamedTuple):
    """What it measures, in which system, how many base units it may be, how it is written."""

    dimension: str
    system: str
    factors: tuple[Fraction, ...]
    names: str


def _unit(dimension: str, system: str, factors: str, names: str) -> Unit:
    return Unit(dimension, system, tuple(Fraction(f) for f in factors.split()), names)


UNITS: tuple[Unit, ...] = (
    # Several factors are several meanings, in one order: US, UK, metric; 1000, 1024; a year of 365,
    # 365.25, 360 and 336 days. Two units of one statement are taken in the same meaning.
    # Base units: metre, gram, second, litre, byte, square metre, cent, joule.
    _unit("length", "metric", "1/1000000000", "nm nanometer nanometre"),
    _unit("length", "metric", "1/1000000", "\u00b5m micrometer micrometre micron"),
    _unit("length", "metric", "1/1000", "mm millimeter millimetre"),
    _unit("length", "metric", "1/100", "cm centimeter centimetre"),
    _unit("length", "metric", "1/10", "dm decimeter decimetre"),
    _unit("length", "metric", "1", "m meter metre"),
    _unit("length", "metric", "1000", "km kilometer kilometre"),
    _unit("length", "imperial", "0.0254", "in inch inches"),
    _unit("length", "imperial", "0.3048", "ft foot feet"),
    _unit("length", "imperial", "0.9144", "yd yard"),
    _unit("length", "imperial", "1609.344", "mi mile"),
    _unit("mass", "metric", "1/1000000", "\u00b5g mcg microgram"),
    _unit("mass", "metric", "1/1000", "mg milligram"),
    _unit("mass", "metric", "1", "g gram gramme"),
    _unit("mass", "metric", "1000", "kg kilogram kilo"),
    _unit("mass", "metric", "1000000", "tonne"),
    _unit("mass", "imperial", "28.349523125", "oz ounce"),
    _unit("mass", "imperial", "453.59237", "lb lbs pound"),
    _unit("mass", "imperial", "6350.29318", "stone"),
    _unit("mass", "imperial", "907184.74 1016046.9088 1000000", "ton"),
    _unit("time", "time", "1/1000000000", "ns nanosecond"),
    _unit("time", "time", "1/1000000", "\u00b5s microsecond"),
    _unit("time", "time", "1/1000", "ms millisecond"),
    _unit("time", "time", "1", "s sec secs second"),
    _unit("time", "time", "60", "min mins minute"),
    _unit("time", "time", "3600", "h hr hrs hour"),
    _unit("time", "time", "86400", "day"),
    _unit("time", "time", "604800", "wk week"),
    _unit("time", "time", "1209600", "fortnight"),
    _unit("time", "year", "31536000 31557600 31104000 29030400 31622400 31449600", "yr yrs year"),
    _unit("time", "year", "2628000 2629800 2592000 2419200 2678400 2505600", "month"),
    _unit("time", "year", "315360000 315576000 311040000", "decade"),
    _unit("time", "year", "3153600000 3155760000 3110400000", "century centuries"),
    _unit("volume", "metric", "1/1000", "ml milliliter millilitre"),
    _unit("volume", "metric", "1/100", "cl centiliter centilitre"),
    _unit("volume", "metric", "1/10", "dl deciliter decilitre"),
    _unit("volume", "metric", "1", "l liter litre"),
    _unit("volume", "imperial", "3.785411784 4.54609", "gal gallon"),
    _unit("volume", "imperial", "0.946352946 1.1365225", "qt quart"),
    _unit("volume", "imperial", "0.473176473 0.56826125", "pint"),
    _unit("volume", "imperial", "0.2365882365 0.284130625 0.24 0.25", "cup"),
    _unit("volume", "imperial", "0.0295735295625 0.0284130625 0.03", "floz"),
    _unit("volume", "imperial", "0.01478676478125 0.0177581714 0.015", "tbsp tablespoon"),
    _unit("volume", "imperial", "0.00492892159375 0.00591938802 0.005", "tsp teaspoon"),
    _unit("area", "metric", "10000", "ha hectare"),
    _unit("area", "imperial", "4046.8564224", "acre"),
    _unit("data", "data", "1", "byte"),
    _unit("data", "data", "1000 1024", "kb kilobyte"),
    _unit("data", "data", "1024", "kib kibibyte"),
    _unit("data", "data", "1000000 1048576", "mb megabyte"),
    _unit("data", "data", "1048576", "mib mebibyte"),
    _unit("data", "data", "1000000000 1073741824", "gb gigabyte"),
    _unit("data", "data", "1073741824", "gib gibibyte"),
    _unit("data", "data", "1000000000000 1099511627776", "tb terabyte"),
    _unit("data", "data", "1/8", "bit"),
    _unit("energy", "energy", "1", "joule"),
    _unit("energy", "energy", "1000", "kj kilojoule"),
    _unit("energy", "energy", "3600000", "kwh"),
    _unit("energy", "food", "4184", "kcal"),
    _unit("money", "money", "1", "cent penny pennies"),
    _unit("money", "money", "5", "nickel"),
    _unit("money", "money", "10", "dime"),
    _unit("money", "money", "100", "dollar usd euro eur"),
)  # fmt: skip

_BY_NAME: dict[str, Unit] = {
    form: unit
    for unit in UNITS
    for name in unit.names.split()
    for form in ((name, f"{name}s") if len(name) > 2 else (name,))
}
_LONGEST = max(map(len, _BY_NAME))


def unit_of(word: str) -> Unit | None:
    """The unit that a word names, in the singular or plural; None if it names none."""
    return _BY_NAME.get(word.lower()) if len(word) <= _LONGEST else None


def same_quantity(
    left: Fraction, left_words: Iterable[str], right: Fraction, right_words: Iterable[str]
) -> bool:
    """Whether two numbers are the same amount once their units are taken into account."""
    ours = [unit for word in left_words if (unit := unit_of(word))]
    theirs = [unit for word in right_words if (unit := unit_of(word))]
    return any(
        abs(left * a - right * b) <= abs(left * a) / 10**6
        for mine in ours
        for other in theirs
        if mine.dimension == other.dimension and mine != other
        for a, b in _meanings(mine, other)
    )


def _meanings(one: Unit, other: Unit) -> list[tuple[Fraction, Fraction]]:
    """The factors of two units, each pair in one meaning."""
    if len(one.factors) == 1 or len(other.factors) == 1:
        return [(a, b) for a in one.factors for b in other.factors]
    return list(zip(one.factors, other.factors, strict=False))


def kinds_of_unit(words: Iterable[str]) -> frozenset[str]:
    """The different units of one dimension among some words; the largest such set."""
    groups: dict[str, set[str]] = {}
    for word in words:
        unit = unit_of(word)
        if unit is not None:
            groups.setdefault(unit.dimension, set()).add(unit.names)
    return frozenset(max(groups.values(), key=len) if groups else ())


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
    r"|that is|or)|to [a-z]{1,12} (?:gives|is|are|equals|makes)|(?:in|into) [a-z]{1,12} (?:gives|is))"
    r"(?: (?:about|approximately|roughly))?\s{0,2}"
)
_JOINT = re.compile(r",? (?:and )?")
_OPERATOR_BEFORE = re.compile(
    r"(?:[-+*/\u00d7\u00b7\u00f7^<>]|\b(?:x|times|plus|minus|per|every|each|by|of|than|another|for))\s{0,2}$"
)
_OPERATOR_AFTER = re.compile(
    r"\s{0,2}(?:[-+*/\u00d7\u00b7\u00f7^%]|\bx\b"
    r"|(?:per|times|plus|minus|more|less|fewer|longer|shorter|from|away|apart|each|ago|later|before"
    r"|after)\b)"
)


_DOZENS = re.compile(
    r"(?<![\w.,:/^$*x+-])(?<![*x+-] )(?P<dozens>\d{1,6}) dozens?(?: (?P<noun>[a-z]{2,20}))?"
    r"(?: ?= ?| (?:is|are|equals|makes) |,? i\.e\.,? | ?\((?:i\.e\. |= ?|that is )?)(?P<count>\d{1,9})"
    r"(?! ?[-+*/x%.,:]\d| ?[-+*/\u00d7] )(?: (?P<other>[a-z]{2,20}))?(?P<end>[).,;!\n]|$)"
)
_THINGS = frozenset({"items", "pieces", "units", "things", "total", "individual", "of"})


def check(case: Case) -> Iterator[Check]:
    """Every pair of quantities that the answer puts as equal."""
    if not any(digit in case.prose for digit in "123456789"):
        return
    yield from _dozens(case)
    quantities = _merged(case.prose, list(_quantities(case.prose)))
    for first, second in pairwise(quantities):
        between = case.prose[first.end : second.start]
        if first.unit is second.unit or first.unit.dimension != second.unit.dimension:
            continue
        if len(between) > 40 or not _EQUAL.fullmatch(between):
            continue
        if "(" in between and case.prose[second.end : second.end + 1] != ")":
            continue
        if _OPERATOR_BEFORE.search(case.prose, max(0, first.start - 12), first.start):
            continue
        if _OPERATOR_AFTER.match(case.prose, second.end):
            continue
        yield _compared(case, first, second)


def _dozens(case: Case) -> Iterator[Check]:
    """3 dozen eggs are 36: the only count that has a name of its own in everyday use."""
    for match in _DOZENS.finditer(case.prose):
        if match["other"] not in (None, match["noun"], *_THINGS):
            continue
        expected, stated = 12 * int(match["dozens"]), int(match["count"])
        why = "" if expected == stated else f"{match['dozens']} dozen are {expected}."
        yield Check(
            kind=KIND, status="wrong" if why else "ok", start=match.start(), end=match.end("count"),
            quote=case.answer[match.start() : match.end("count")], stated=str(stated),
            expected=str(expected), why=why,
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
            pairs = _meanings(last.unit, quantity.unit)
            first, rest = last.amounts[0] / pairs[0][0], quantity.amounts[0] / pairs[0][1]
            amounts = tuple(first * a + rest * b for a, b in pairs)
            # Written in full, so to be met in full: 126 minutes are not 2 hours 5 minutes.
            merged[-1] = last._replace(end=quantity.end, amounts=amounts, decimals=9)
        else:
            merged.append(quantity)
    return merged


def _compared(case: Case, first: _Quantity, second: _Quantity) -> Check:
    between = case.prose[first.end : second.start]
    ours, theirs = first.amounts, second.unit.factors
    both = len(ours) > 1 and len(theirs) > 1
    pairs = zip(ours, theirs, strict=False) if both else product(ours, theirs)
    expected = [amount / factor for amount, factor in pairs]
    stated = second.amounts[0] / theirs[0]
    loose = first.unit.system != second.unit.system or "\u2248" in between or "about" in between
    unit = Fraction(1, 10**second.decimals)
    status: Status = "wrong"
    for value in expected:
        exact = (value / unit).denominator == 1
        gap = abs(value - stated)
        if gap == 0 or (not exact and gap < unit):
            status = "ok"
        elif loose and gap <= LOOSE * value and status != "ok":
            status = "unchecked"
    return Check(
        kind=KIND,
        status=status,
        start=first.start,
        end=second.end,
        quote=case.answer[first.start : second.end],
        stated=shown(stated),
        expected=shown(expected[0]),
        why=""
        if status == "ok"
        else f"{case.answer[first.start : first.end]} is {shown(expected[0])} "
        f"{second.unit.names.split()[-1]}, not {shown(stated)}.",
    )
