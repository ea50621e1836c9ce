"""The units of everyday answers and their exact factors.

Rules of this module: factors are exact and written out; a name with several meanings has several
factors, in one order: US, UK, metric; 1000, 1024; a year of 365, 365.25, 360 and 336 days. Two
units of one statement are taken in the same meaning.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple


class Unit(NamedTuple):
    """A unit: its quantity and system, its possible sizes in base units, its spelling."""

    dimension: str
    system: str
    factors: tuple[Fraction, ...]
    names: str


def _unit(dimension: str, system: str, factors: str, names: str) -> Unit:
    return Unit(dimension, system, tuple(Fraction(f) for f in factors.split()), names)


UNITS: tuple[Unit, ...] = (
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
    _unit("data", "data", "125 128", "kbit kilobit"),
    _unit("data", "data", "125000 131072", "mbit megabit"),
    _unit("data", "data", "125000000 134217728", "gbit gigabit"),
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
    """Return True if two numbers are the same amount once their units are taken into account."""
    ours = [unit for word in left_words if (unit := unit_of(word))]
    theirs = [unit for word in right_words if (unit := unit_of(word))]
    return any(
        abs(left * a - right * b) <= abs(left * a) / 10**6
        for mine in ours
        for other in theirs
        if mine.dimension == other.dimension and mine != other
        for a, b in meanings(mine, other)
    )


def converted(left: Fraction, right: Fraction, words: Iterable[str]) -> bool:
    """Return True if a bare number became the other one by a change to a unit among some words.

    Ten times too much is a slip of the decimal point rather than a change of units.
    """
    return left not in (10 * right, right / 10) and any(
        left * other.factors[0] == right * unit.factors[0]
        for unit in map(unit_of, words)
        if unit is not None
        for other in UNITS
        if (other.dimension, other.system) == (unit.dimension, unit.system) and other != unit
    )


def meanings(one: Unit, other: Unit) -> list[tuple[Fraction, Fraction]]:
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
