"""What a number may stand for."""

from fractions import Fraction

import pytest

from reflection_mcp.tools.judging.texts.numbers_written import written


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("12", ["12"]),
        ("1.5", ["1.5"]),
        ("1,5", ["1.5"]),
        ("5.000", ["5", "5000"]),
        ("5,000", ["5000", "5"]),
        ("1234.567", ["1234.567"]),
        ("1.234.567", ["1234567"]),
        ("1,234.567", ["1234.567"]),
        ("1.234,5", ["1234.5"]),
        ("1,00,000", ["100000"]),
        ("5'000", ["5000"]),
        ("5\u2019000.5", ["5000.5"]),
        ("2 500", ["2500", "500", "1000"]),
        ("2\u202f500,25", ["2500.25"]),
    ],
)
def test_each_value_a_number_may_have_is_read_the_usual_one_first(
    text: str, values: list[str]
) -> None:
    assert [value for value, _ in written(text)] == [Fraction(value) for value in values]


def test_the_decimals_are_those_of_the_reading() -> None:
    assert [decimals for _, decimals in written("5.000")] == [3, 0]
