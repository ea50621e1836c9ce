"""The units of everyday answers and their exact sizes.

Rule of this module: a unit with several meanings (a gallon, a month, a kilobyte) has no size, so
that nothing that is said of it is called wrong.
"""

from collections.abc import Collection, Iterable
from fractions import Fraction
from typing import NamedTuple


class Unit(NamedTuple):
    """A unit: its dimension, the system in which people stay exact, its size in base units."""

    dimension: str
    system: str
    size: Fraction | None
    name: str


# Base units: metre, gram, second, litre, kibibyte, cent, joule; "?" for a size that is not one.
_TABLE = {
    ("length", "metric"): """1/1000000000 nm nanometer nanometre; 1/1000000 \u00b5m micrometer
        micrometre micron; 1/1000 mm millimeter millimetre; 1/100 cm centimeter centimetre;
        1/10 dm decimeter decimetre; 1 m meter metre; 1000 km kilometer kilometre""",
    ("length", "imperial"): "0.0254 in inch inches; 0.3048 ft foot feet; 0.9144 yd yard; "
    "1609.344 mi mile",
    ("mass", "metric"): """1/1000000 \u00b5g mcg microgram; 1/1000 mg milligram; 1 g gram gramme;
        1000 kg kilogram kilo; 1000000 tonne""",
    ("mass", "imperial"): "28.349523125 oz ounce; 453.59237 lb lbs pound; 6350.29318 stone; ? ton",
    ("time", "time"): """1/1000000000 ns nanosecond; 1/1000000 \u00b5s microsecond; 1/1000 ms
        millisecond; 1 s sec secs second; 60 min mins minute; 3600 h hr hrs hour; 86400 day;
        604800 wk week; 1209600 fortnight; ? month; ? yr yrs year; ? decade; ? century centuries""",
    ("volume", "metric"): "1/1000 ml milliliter millilitre; 1/100 cl centiliter centilitre; "
    "1/10 dl deciliter decilitre; 1 l liter litre",
    ("volume", "kitchen"): "? gal gallon; ? qt quart; ? pint; ? cup; ? floz; ? tbsp tablespoon; "
    "? tsp teaspoon",
    ("area", "area"): "10000 ha hectare; ? acre",
    ("data", "data"): """? bit; ? byte; ? kb kilobyte; 1 kib kibibyte; ? mb megabyte; 1024 mib
        mebibyte; ? gb gigabyte; 1048576 gib gibibyte; ? tb terabyte; ? kbit kilobit; ? mbit
        megabit; ? gbit gigabit""",
    ("energy", "energy"): "1 joule; 1000 kj kilojoule; 3600000 kwh; ? kcal",
    ("money", "money"): "1 cent penny pennies; 5 nickel; 10 dime; 100 dollar usd euro eur",
}


def _units() -> Iterable[tuple[str, Unit]]:
    for (dimension, system), rows in _TABLE.items():
        for size, *names in map(str.split, rows.split(";")):
            unit = Unit(dimension, system, None if size == "?" else Fraction(size), names[-1])
            for name in names:
                yield from ((form, unit) for form in (name, f"{name}s"[: 99 * (len(name) > 2)]))


_BY_NAME: dict[str, Unit] = dict(_units())
_LONGEST = max(map(len, _BY_NAME))


def unit_of(word: str) -> Unit | None:
    """The unit that a word names, in the singular or plural; None if it names none."""
    return _BY_NAME.get(word.lower()) if 0 < len(word) <= _LONGEST else None


def units_among(words: Iterable[str]) -> frozenset[Unit]:
    """The units that some words name."""
    return frozenset(unit for word in words if (unit := unit_of(word)))


def may_be_the_same(
    left: Fraction, left_words: Collection[str], right: Fraction, right_words: Collection[str]
) -> bool:
    """Return True if two numbers may be one amount, counted in two units.

    A bare number may have been in any unit; ten times too much is a slip of the decimal point.
    """
    ours, theirs = units_among(left_words), units_among(right_words)
    if not left_words and left not in (10 * right, right / 10):
        theirs = frozenset(unit for unit in theirs if unit.size)
        systems = {unit.system for unit in theirs}
        ours = frozenset(one for one in _BY_NAME.values() if one.size and one.system in systems)
    return any(_agree(left, mine, right, other) for mine in ours for other in theirs)


def _agree(left: Fraction, mine: Unit, right: Fraction, other: Unit) -> bool:
    if mine == other or mine.dimension != other.dimension:
        return False
    if mine.size is None or other.size is None:
        return True
    mine_amount, other_amount = left * mine.size, right * other.size
    return abs(mine_amount - other_amount) <= abs(mine_amount) / 10**6


def are_mixed(words: Iterable[str]) -> bool:
    """Return True if some words name two units of one dimension."""
    units = units_among(words)
    return len({unit.dimension for unit in units}) < len(units)
