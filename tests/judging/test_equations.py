"""Solutions put back into their equations, exactly and without a computer algebra system."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.maths.equations import check
from reflection_mcp.tools.judging.maths.evaluation import side
from reflection_mcp.tools.judging.maths.exact import Linear, Unreadable
from reflection_mcp.tools.judging.maths.tokens import tokens
from tests.rows import each_row


def found(answer: str) -> list[Check]:
    return list(check(Case(answer=answer)))


def read(text: str) -> Linear:
    row = tokens(text)
    return side(row, 0, len(row))[0]


@each_row(
    ("text", "slope", "constant"),
    [
        ("2x + 3", 2, 3),
        ("3(x - 2)", 3, -6),
        ("\\frac{x}{4}", Fraction(1, 4), 0),
        ("1/2 + 1/2", 0, 1),
        ("1/2x", Fraction(1, 2), 0),
        ("x / 2 / 4", Fraction(1, 8), 0),
        ("50% * x", Fraction(1, 2), 0),
        ("(2)x", 2, 0),
        ("x\\frac{1}{2}", Fraction(1, 2), 0),
        ("0 - -x", 1, 0),
        ("3 * x / 3", 1, 0),
        ("x - x", 0, 0),
        ("0 * x", 0, 0),
        ("5 - (3 - 2x)", 2, 2),
        ("2^2 - x", -1, 4),
    ],
)
def test_a_side_becomes_a_slope_and_a_constant(
    text: str, slope: Fraction | int, constant: Fraction | int
) -> None:
    assert read(text) == Linear(Fraction(slope), Fraction(constant))


@each_row(
    ("text", "why"),
    [
        ("x + y", "more than one unknown"),
        ("2 apples", "something else"),
        ("apples", "more than one unknown"),
        ("p(1)", "a function"),
        ("2 3", "two numbers"),
        ("2\\frac{1}{2}", "a mixed number"),
        ("\\frac 1 2", "without braces"),
        ("x^2", "a power"),
        ("2^x", "a power"),
        ("(x + 1)(x - 1)", "a square"),
        ("x / 0", "a division by zero"),
        ("2 / x", "a divisor with an unknown"),
        ("(x", "a bracket"),
        ("10/2x", "a divisor"),
        ("x +", "an operator without a number"),
        ("\u221a(x)", "the root of an unknown"),
        ("(" * 50 + "x" + ")" * 50, "too many brackets"),
    ],
)
def test_what_is_not_linear_in_one_unknown_is_refused(text: str, why: str) -> None:
    with pytest.raises(Unreadable, match=why):
        read(text)


terms = st.builds(Linear, *[st.integers(-9, 9).map(Fraction)] * 2)


@given(terms, terms, st.integers(-9, 9).map(Fraction))
def test_sums_with_an_unknown_add_and_multiply_like_their_values(
    one: Linear, other: Linear, value: Fraction
) -> None:
    def at(term: Linear) -> Fraction:
        return term.slope * value + term.constant

    assert at(one - other) == at(one) - at(other)
    assert at(value - one) == value - at(one)
    assert at(one * value) == at(value * one) == at(one) * value


@each_row(
    "text",
    [
        "3x + 5 = 20, so x = 5.",
        "7(x + 19) = 168\nx = 5",
        "If 6y - 7 = 5 then y = 2",
        "7x = 10, so x = 1.43.",
        "7x = 10, so x \u2248 1.4.",
        "8x = 100 gives x \u2248 12.3",
        "x/100 * 50 = 10, hence x = 20%.",
        "5x = 3x + 8, 2x = 8, x = 4",
        "2x = 0, x = 0",
        "2x = 5, x = 5/2",
        "If x = 3 then 2x + 1 = 7, x = 3. If x = 5 then 2x + 1 = 11, x = 5.",
        "x + x/3 = 1.33x",
        "2x = 8, x = 4. x = 5: 2x = 10, x = 5.",
    ],
)
def test_a_right_solution_is_ok(text: str) -> None:
    assert {one.status for one in found(text)} == {"ok"}


@each_row(
    ("text", "quote", "expected"),
    [
        ("3x + 5 = 20, so x = 6.", "x = 6", "5"),
        ("If 4y - 19 = 25 then y = 12", "y = 12", "11"),
        ("5x - 4 = 26, so 5x = 22 and x = 4.4.", "5x = 22", "30"),
        ("280 - 2.8x = 168, so x = 50.", "x = 50", "40"),
        ("\\[ \\frac{x}{4} = 9 \\quad x = 32 \\]", "x = 32", "36"),
        ("0 = 2x - 8, x = 5", "x = 5", "4"),
        ("6x + 4x = 20x, which is what they have.", "6x + 4x = 20x", "10x"),
        ("5 + (4x - 13) = 6x - 8", "5 + (4x - 13) = 6x - 8", "4x - 8"),
        ("2(3 - x) - x = 2x + 6", "2(3 - x) - x = 2x + 6", "-3x + 6"),
        ("x + x/3 = 1.44x", "x + x/3 = 1.44x", "1.33333x"),
        ("3x = 9, so 2x = 8. From 2x = 8 we get x = 4.", "2x = 8", "6"),
        ("x + 3x - 8 = 24, 4x = 30, x = 8.", "4x = 30", "32"),
        ("3x = 9, so 2x + 3 = x + 7.", "2x + 3 = x + 7", "3"),
    ],
)
def test_a_wrong_solution_is_flagged_where_it_stands(text: str, quote: str, expected: str) -> None:
    flags = [one for one in found(text) if one.status == "wrong"]
    assert [(one.quote, one.expected) for one in flags] == [(quote, expected)]
    assert flags[0].start == text.index(quote)
    assert expected in flags[0].why


def test_two_sides_that_never_meet_are_flagged() -> None:
    (flag,) = found("They have (x - 16 + 100) - 25 = x + 69 - 25 left.")
    assert (flag.status, flag.stated, flag.expected) == ("wrong", "x + 69 - 25", "x + 59")
    assert "every x" in flag.why


def test_what_follows_from_a_wrong_equation_is_not_told_again() -> None:
    found_wrong = [
        one for one in found("2x = 8, 3x = 15, 6x = 30, x = 5, x = 6") if one.status == "wrong"
    ]
    assert [(one.stated, one.expected) for one in found_wrong] == [("15", "12")]


@each_row(
    "text",
    [
        "3x = 9, so x = 4. Wait, that is wrong.",
        "3x = 9, the student claimed x = 4.",
        "Wir haben 3x = 9 und das ist x = 4.",
        "2x + 3 = 2x + 5 has no solution.",
        "Suppose 2x + 3 = 2x + 5.",
        "2x + 3 = 2x + 5. That is not what we want.",
        "3x + 2x = 6x only if x = 0.",
        "Suppose 3x + 2x = 6x.",
        "3x + 2x = 6x. Wait, that is wrong.",
        "Wir haben 3x + 2x = 6x und das ist alles.",
    ],
)
def test_what_is_not_linear_or_not_claimed_is_unchecked(text: str) -> None:
    assert {one.status for one in found(text)} == {"unchecked"}


@each_row(
    "text",
    [
        "no equations",
        "x^2 = 16, x = 5",
        "x^2 - 5x + 6 = 0, x = 4",
        "2 / x = 4, so x = 2.",
        "2x = 1.000, so x = 501",
        "x = 5",
        "5 + 3 = 8",
        "Plan A: 5x + 20 = 70, x = 10. Plan B: 8x = 64, x = 8.",
        "5x = 50, x = 10, and for two x = 10 * 2 = 20",
        "= 5",
        "x =",
        "3x = 9. Let y be 5: x = 4",
        "3x = 9. When x = 0, y = 1.",
        "3x = 9, x = 2/3 of 30",
        "36 - x = 0, x = 3 dozen",
        "3x = 1 mod 7, x = 5",
        "3x = 12 or 5, x = 4",
        "2x = 160, x = 1 hour 20 minutes",
        "3x = 9 (mod 5), x = 4",
        "x = x + 1",
        "1/x = 1/x + 1",
        "half of 3x = 9, x = 4",
        "60\u00b0 + x = 70, x = 5",
        "\\cancel{2} x = 9, x = 5",
        "3x = 3y, x = 2",
        "x + 1 = x + 1",
        "2(x = 3",
        "(2x = 3), x = 7",
        "f(2) = 5, f = 3",
        "2x = 8; x = 5: that is another case",
    ],
)
def test_what_is_not_an_equation_of_its_own_is_not_judged(text: str) -> None:
    assert [one for one in found(text) if one.status != "ok"] == []


def test_a_letter_whose_value_was_found_may_stand_for_something_else_later() -> None:
    assert [one.status for one in found("2x = 8, x = 4, x = 9")] == ["ok"]
