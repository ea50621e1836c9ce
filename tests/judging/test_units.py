"""Quantities that a text puts as equal in two units."""

from fractions import Fraction

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.budget import Budget
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.maths.unit_changes import PAIR, check
from reflection_mcp.tools.judging.maths.units import are_mixed, may_be_the_same, unit_of
from tests.rows import each_row


def found(answer: str, question: str = "") -> list[Check]:
    return list(check(Case(question=question, answer=answer)))


@each_row(
    "text",
    [
        "1 mile = 5280 feet",
        "2.5 kg is 2500 grams",
        "7 weeks (49 days)",
        "That is 3 hours, i.e. 180 minutes.",
        "100 cm is the same as 1 m",
        "2 hours and 5 minutes = 125 minutes",
        "125 minutes = 2 hours 5 minutes",
        "6,250 seconds is 1 hour 44 minutes",
        "100 minutes = 1.67 hours",
        "1,760 yards = 1 mile",
        "60 min = 1 h, 120 min = 2 h",
        "100 cm = 1 m, 50 cm = 0.5 m",
        "90 minutes are 1.5 hours, 135 min is 2 h 15 min",
    ],
)
def test_a_right_conversion_is_ok(text: str) -> None:
    assert {one.status for one in found(text)} == {"ok"}


@each_row(
    ("text", "expected"),
    [
        ("1 mile = 5820 feet", "5280"),
        ("7 weeks (490 days)", "49"),
        ("2.5 days = 26.5 hours", "60"),
        ("2 hours 5 minutes = 126 minutes", "125"),
        ("126 minutes = 2 hours 5 minutes", "126"),
        ("95 minutes is 1 h 45 min", "95"),
        ("I read that 12 weeks = 19 days.", "84"),
        ("5 km = 6,000 m", "5000"),
    ],
)
def test_a_wrong_conversion_is_flagged(text: str, expected: str) -> None:
    flag = next(one for one in found(text) if one.status == "wrong")
    assert flag.severity == "hard"
    assert flag.quote in text
    assert expected in flag.why or flag.expected == expected


@each_row(
    ("text", "question"),
    [
        ("4 weeks is 20 days, since she works 5 days a week", ""),
        ("3 days is 24 hours", "How long is his shift?"),
        ("52 weeks = 365 days", ""),
        ("1 cm = 5 km on this map", ""),
        ("40 h = 5 days for 1 FTE", ""),
        ("2 days is about 50 hours", ""),
    ],
)
def test_what_may_be_rounded_or_a_working_week_is_unchecked(text: str, question: str) -> None:
    assert [one.status for one in found(text, question)] == ["unchecked"]


@each_row(
    "text",
    [
        "5 km = 30 minutes",
        "5 km = 3 km",
        "50 km is 30 miles",
        "3 * 20 minutes = 1 hour",
        "60 miles per 2 hours = 90 minutes",
        "1 hour = 60 minutes * 1",
        "The box is 2 m (30 cm wide).",
        "The first 10 minutes is 5 seconds faster than before",
        "5 apples = 3 pears",
        "1 hour and 90 minutes = 1.5 hours",
        "1 gallon = 5 quarts",
        "4 GB = 5000 MB",
        "5 km = 5.000 m",
        "5 km = 5'000 m",
        "1,5 h = 90 min",
        "4 500 ml = 2 l",
        "42,195 km = 42.195 m",
        "no numbers",
    ],
)
def test_what_is_not_put_as_equal_or_has_two_readings_is_not_read(text: str) -> None:
    assert found(text) == []


def test_of_very_many_pairs_the_first_are_compared() -> None:
    pairs = Case(answer="1 km = 900 m; " * 600, budget=Budget(10 * PAIR))
    assert len(list(check(pairs))) == 10


def test_a_unit_is_found_by_each_of_its_names() -> None:
    assert unit_of("hours") is unit_of("hr") is unit_of("h")
    assert unit_of("a very long word indeed") is None
    assert unit_of("") is None


def test_the_same_amount_in_two_units_is_recognised() -> None:
    assert may_be_the_same(Fraction(60), ["minutes"], Fraction(1), ["hour"])
    assert may_be_the_same(Fraction(2), [], Fraction(120), ["minutes"])
    assert may_be_the_same(Fraction(2), ["years"], Fraction(9), ["months"])
    assert not may_be_the_same(Fraction(60), ["minutes"], Fraction(2), ["hours"])
    assert not may_be_the_same(Fraction(60), ["apples"], Fraction(60), ["minutes"])


def test_units_of_one_dimension_are_mixed() -> None:
    assert are_mixed(["feet", "inches", "minutes", "apples"])
    assert not are_mixed(["feet", "minutes"])
