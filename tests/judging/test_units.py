"""Quantities that a text puts as equal in two units."""

from fractions import Fraction

import pytest

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.expressions.units import (
    UNITS,
    kinds_of_unit,
    same_quantity,
    unit_of,
)
from reflection_mcp.tools.judging.quantities.unit_check import MOST_FINDINGS, check


def found(answer: str, question: str = "") -> list[Check]:
    return list(check(Case(question=question, answer=answer)))


@pytest.mark.parametrize(
    "text",
    [
        "1 mile = 5280 feet",
        "2.5 kg is 2500 grams",
        "7 weeks (49 days)",
        "That is 3 hours, i.e. 180 minutes.",
        "4 GB = 4096 MB and 4 GB = 4000 MB",
        "1 gallon = 4 quarts, and 1 quart = 4 cups",
        "2 years = 24 months, 1 month = 30 days",
        "100 cm is the same as 1 m",
        "2 hours and 5 minutes = 125 minutes",
        "125 minutes = 2 hours 5 minutes",
        "100 minutes = 1.67 hours",
        "Converting 5 km to meters gives 5000 m",
        "3 dozen = 36, 3 dozen eggs = 36 eggs, 2 dozen (24 items)",
        "3 feet equals 0.914 m",
        "1,760 yards = 1 mile",
        "5 km = 5.000 m",
        "1,5 h = 90 min",
        "1.5 km = 1.500 m",
        "3 t = 5 kg, 3 kg = 3'000 g and 3 km = 3\u2019000 m",
        "12 km = 12 000 m = 12\u202f000\u00a0m",
        "24 500 ml = 12 l",
        "4 500 ml = 2 l",
        "42,195 km = 42.195 m",
        "1,00,000 g = 100 kg",
        "1 GB = 1.024 MB",
        "1,5 hours 30 minutes = 120 minutes",
        "8000 Mbit = 1 GB",
        "60 min = 1 h, 120 min = 2 h",
        "100 cm = 1 m, 50 cm = 0.5 m",
        "90 minutes are 1.5 hours, 135 min is 2 h 15 min",
        "150 cm = 1 m, 50 cm",
    ],
)
def test_a_right_conversion_is_ok(text: str) -> None:
    assert {one.status for one in found(text)} == {"ok"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 mile = 5820 feet", "5280"),
        ("7 weeks (490 days)", "49"),
        ("2.5 days = 26.5 hours", "60"),
        ("2 hours 5 minutes = 126 minutes", "125"),
        ("126 minutes = 2 hours 5 minutes", "2.1"),
        ("170 cm = 1 m, 45 cm", "1.7"),
        ("95 minutes is 1 h 45 min", "1.58333"),
        ("5 gallons = 24 quarts", "20"),
        ("3 dozen (360 items)", "36"),
        ("10 kg is 30 pounds", "22.0462"),
        ("4 GB equals 5000 MB", "4000"),
        ("I read that 12 weeks = 19 days.", "84"),
        ("5 km = 6.000 m", "5000"),
        ("5 km = 6'000 m", "5000"),
        ("5 km = 6 000 m", "5000"),
        ("1,5 h = 95 min", "90"),
        ("1.234.567 g = 1.335 kg", "1234.567"),
    ],
)
def test_a_wrong_conversion_is_flagged(text: str, expected: str) -> None:
    (flag,) = found(text)
    assert (flag.status, flag.severity, flag.expected) == ("wrong", "hard", expected)
    assert flag.quote in text


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("50 km is 30 miles", ""),
        ("4 weeks is 20 days, since she works 5 days a week", ""),
        ("3 days is 24 hours", "How long is his shift?"),
        ("52 weeks = 365 days", ""),
        ("1 cm = 5 km on this map", ""),
        ("40 h = 5 days for 1 FTE", ""),
    ],
)
def test_what_may_be_rounded_or_a_working_week_is_unchecked(text: str, question: str) -> None:
    assert [one.status for one in found(text, question)] == ["unchecked"]


@pytest.mark.parametrize(
    "text",
    [
        "5 km = 30 minutes",
        "5 km = 3 km",
        "3 * 20 minutes = 1 hour",
        "60 miles per 2 hours = 90 minutes",
        "1 hour = 60 minutes * 1",
        "The box is 2 m (30 cm wide).",
        "The first 10 minutes is 5 seconds faster than before",
        "2 hours and the whole way up to the very end of it is 30 minutes",
        "5 apples = 3 pears",
        "2 dozen = 5 boxes",
        "no numbers",
    ],
)
def test_what_is_not_put_as_equal_is_not_read(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    "text", ["2 hours 5 minutes. Later 1 km = 900 m", "1 km = 900 m. Later 2 hours 5 minutes"]
)
def test_only_what_stands_together_is_compared(text: str) -> None:
    assert [(one.status, one.quote) for one in found(text)] == [("wrong", "1 km = 900 m")]


def test_of_very_many_pairs_the_first_are_compared() -> None:
    assert len(found("1 km = 900 m; " * 600)) == MOST_FINDINGS


def test_a_quantity_in_very_many_units_has_few_readings() -> None:
    units = "decade month fortnight week day h min s ms ns".split()
    quantity = " ".join(f"5 000 {unit}" for unit in units)
    told = found(f"{quantity} = 5 000 year; " * 50)
    assert {(one.status, one.expected) for one in told} == {("wrong", "50718.6")}


def test_every_unit_is_found_by_each_of_its_names() -> None:
    for unit in UNITS:
        for name in unit.names.split():
            assert unit_of(name) is unit
    assert unit_of("hours") is unit_of("hr")
    assert unit_of("a very long word indeed") is None


def test_the_same_amount_in_two_units_is_recognised() -> None:
    assert same_quantity(Fraction(60), ["minutes"], Fraction(1), ["hour"])
    assert not same_quantity(Fraction(60), ["minutes"], Fraction(2), ["hours"])
    assert not same_quantity(Fraction(60), ["apples"], Fraction(60), ["minutes"])


def test_different_units_of_one_dimension_are_counted() -> None:
    assert len(kinds_of_unit(["feet", "inches", "minutes", "apples"])) == 2
    assert kinds_of_unit([]) == frozenset()
