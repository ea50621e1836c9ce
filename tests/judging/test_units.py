"""Units, by their names and their sizes."""

from fractions import Fraction

from reflection_mcp.tools.judging.maths.units import are_mixed, may_be_the_same, unit_of


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
