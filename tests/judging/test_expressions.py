"""Reading arithmetic out of prose, Markdown and LaTeX, and computing it exactly."""

import operator
import re
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.tools.judging.maths.evaluation import AS_WRITTEN, Put, evaluate, evaluate_prefix
from reflection_mcp.tools.judging.maths.exact import Unreadable
from reflection_mcp.tools.judging.maths.statements import statements
from reflection_mcp.tools.judging.maths.tokens import may_relate, tokens
from tests.hostile import EXPRESSIONS, repeated
from tests.rows import each_row


def value(text: str, put: Put = AS_WRITTEN) -> Fraction:
    row = tokens(text)
    return evaluate(row, 0, len(row), put).number


def kinds(text: str) -> list[str]:
    return [f"{token.kind}:{token.text}" for token in tokens(text)]


@each_row(
    ("text", "expected"),
    [
        ("2 + 3 * 4", 14),
        ("$8.00/4", 2),
        ("15 x 12.99", Fraction("194.85")),
        ("3x4", 12),
        ("2 boxes x $6", 12),
        ("3 \u00d7 4 \u00f7 2 \u2212 1", 5),
        ("2 * -3", -6),
        ("5 - -3", 8),
        ("-2^2", -4),
        ("(-2)^2", 4),
        ("2 ** 3", 8),
        ("2^{10}", 1024),
        ("2^-1", Fraction(1, 2)),
        ("3\u00b2 + 4\u00b2", 25),
        ("3(4)", 12),
        ("(3)(4)", 12),
        ("(3 + 4)[2]", 14),
        ("12 \\times (4 \\div 2)", 24),
        ("\\frac{12 + 8}{4}", 5),
        ("\\frac12 + \\dfrac{1}{2}", 1),
        ("5\\left(3 + 1\\right)", 20),
        ("sqrt(144) + 1", 13),
        ("\\sqrt{16} + \u221a9", 7),
        ("2\\sqrt{16}", 8),
        ("\\sqrt{\\frac{1}{4}}", Fraction(1, 2)),
        ("12{,}000 + 1,200 + 1,00,000", 113200),
        ("1 1/2 + 2\u00bd + \u00bc", Fraction(17, 4)),
        ("12 3/2", None),
        ("1.5e3 + 2e-1", Fraction(15002, 10)),
        (".5 * 10", 5),
        ("20% * 50", 10),
        ("20 percent * 50", 10),
        ("5 thousand + 2 dozen", 5024),
        ("$2k", 2000),
        ("6 stars/row * 2 rows", 12),
        ("$3/day x 31 days", 93),
        ("5 m^2 * 3", 15),
        ("5 (apples) + 3 (ripe pears)", 8),
        ("$40 for packs of gauze + 2", 42),
        ("$5 a day * 7", 35),
        ("5\u0e1a\u0e32\u0e17 * 2", 10),
        ("12 \u5143 * 2", 24),
        ("30\u00b0 + 60^{\\circ}", 90),
        ("USD 45 + Rs. 5 + US$5", 55),
        ("\\$5 + \\$7", 12),
        ("5 \\text{ apples} + \\boxed{3}", 8),
        ("**5** + *3* * 2", 11),
        ("12 \\* 3", 36),
    ],
)
def test_an_expression_comes_to_its_value(text: str, expected: Fraction | int | None) -> None:
    if expected is None:
        with pytest.raises(Unreadable):
            value(text)
    else:
        assert value(text) == expected


@each_row(
    ("text", "why"),
    [
        ("2x", "the unknown 'x'"),
        ("3 a", "the unknown 'a'"),
        ("3 n + 2", "the unknown 'n'"),
        ("(3)y", "the unknown 'y'"),
        ("5 5", "two numbers side by side"),
        ("3 +", "an operator without a number"),
        ("3 + apples", "'apples' where a number should be"),
        ("sin 30", "'sin' where a number should be"),
        ("5 of 6", "stops at 'of'"),
        ("4 / 0", "a division by zero"),
        ("0^-1", "a division by zero"),
        ("4^(1/2)", "a broken exponent"),
        ("9**9**9", "a power too large"),
        ("(3", "a bracket that is not closed"),
        ("(3, 4)", "a bracket that is not closed"),
        ("\\frac{3", "a bracket that is not closed"),
        ("2^{3)", "brackets that do not match"),
        ("\\frac 3 4", "a fraction without braces"),
        ("\\frac{3} 4", "a fraction without braces"),
        ("\\frac .5", "a fraction without braces"),
        ("\\frac", "a fraction without braces"),
        ("2\\frac{1}{2}", "a mixed number or a product"),
        ("\\sqrt x", "a root of something unwritten"),
        ("\\sqrt{-4}", "the root of a negative number"),
        ("\\sqrt{9^999 * 9^999}", "a number too large"),
        ("5 apples^2", "a power of a word"),
        ("5 ()", "stops at '('"),
        ("5 (x) + 3", "stops at '('"),
        ("5 (one two three four five six seven) + 3", "stops at '('"),
        ("(" * 60 + "1" + ")" * 60, "too many brackets"),
        ("+".join(["1"] * 200), "an operator without a number"),
    ],
)
def test_what_is_not_plain_arithmetic_is_refused_with_a_reason(text: str, why: str) -> None:
    with pytest.raises(Unreadable, match=re.escape(why)):
        value(text)


def test_a_prefix_ends_where_the_sentence_goes_on() -> None:
    row = tokens("= 14/row, which is fine")
    found = evaluate_prefix(row, 1, len(row))
    assert found.number == 14
    assert row[found.end].text == ","


@each_row(
    ("text", "put", "expected"),
    [
        ("5 + 3", {2: Fraction(4)}, 9),
        ("\\sqrt{9}", {2: Fraction(16)}, 4),
    ],
)
def test_another_number_gives_another_value(text: str, put: Put, expected: int) -> None:
    assert value(text, put) == expected


@each_row(
    ("text", "expected"),
    [
        ("12,5 1.234,56 1.2.3 6:00 2024-01-15", ["bad"] * 5),
        ("1.234 and 12,50 here", ["bad", "word", "bad", "word"]),
        ("1" * 60, ["bad"]),
        ("a \\cancel{4}", ["word", "bad", "bad", "number"]),
        ("see https://x.org/?a=5 now", ["word", "bad", "word"]),
        ("5 <<2*3=6>> 6", ["number", "number"]),
        ("x == 5 => 6 -> 7 >= 8 != 9", "word equals number stop number stop number bad number bad "
         "number".split()),
        ("5 --- 6 ... 7", ["number", "stop", "number", "stop", "number"]),
        ("\\begin{align*} 5 \\quad 6 \\end{align*}", ["stop", "number", "stop", "number", "stop"]),
        ("| 5 | 6 |", ["stop", "number", "stop", "number", "stop"]),
        ("5 | 6", ["number", "bad", "number"]),
        ("5} 6", ["number", "bad", "number"]),
        ("{5} 6", ["bad", "number", "number"]),
        ("apples * now", ["word", "operator", "word"]),
        ("apples *3", ["word", "bad", "number"]),
        ("x 5", ["word", "number"]),
        ("3x (4)", ["number", "word", "open", "number", "close"]),
        ("\\unknown 5", ["bad", "number"]),
    ],
)  # fmt: skip
def test_a_sign_of_doubtful_meaning_is_a_bad_token(text: str, expected: list[str]) -> None:
    assert [token.kind for token in tokens(text)] == expected


@each_row(
    ("text", "expected"),
    [
        ("x = 5\n= 6", "equals"),
        ("5 + 1 \\\\\n&= 6", "equals"),
        ("a 5\n- 3", "bad"),
        ("a 5\n- 3 b\n- 4 c", "stop"),
        ("- 5\n- 3", "stop"),
        ("a\n- 3", "stop"),
        ("a 5\n1. 3", "stop"),
        ("a 5\n\nno digits here\nnor here\n6", "stop"),
    ],
)
def test_a_line_end_separates_unless_the_next_line_goes_on(text: str, expected: str) -> None:
    row = tokens(text)
    assert expected in [token.kind for token in row if token.text == "\n" or token.kind == "equals"]
    assert ("bad" in [token.kind for token in row]) is (expected == "bad")


def test_lines_without_numbers_are_passed_over() -> None:
    row = tokens("5\nthis line\nand this one\n6 end")
    assert [token.text for token in row] == ["5", "\n", "\n", "6", "end"]


def test_tokens_know_their_place() -> None:
    text = "He paid **$12.50** \u00d7 3\u00b2 = \\frac{1}{2}."
    for token in tokens(text):
        assert 0 <= token.start <= token.end <= len(text)
        if token.kind == "number":
            assert text[token.start : token.end] == token.text


OPERATIONS: dict[str, Callable[[Fraction, Fraction], Fraction]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
}


@st.composite
def trees(draw: st.DrawFn, depth: int = 4) -> tuple[str, Fraction]:
    if depth == 0 or draw(st.booleans()):
        number = draw(st.integers(0, 999))
        return str(number), Fraction(number)
    left, ours = draw(trees(depth - 1))
    right, theirs = draw(trees(depth - 1))
    sign = draw(st.sampled_from(sorted(OPERATIONS)))
    return f"({left} {sign} {right})", OPERATIONS[sign](ours, theirs)


@given(trees())
def test_any_expression_agrees_with_exact_fractions(tree: tuple[str, Fraction]) -> None:
    text, expected = tree
    assert value(text) == expected


RELATING = ["1 ", "+ 2 ", "3 ", "= ", "== ", "=~ ", "\u2248", "\u2243 ", "\u2245 ", "\\approx ",
            "\\simeq ", "equals ", "Equals ", "is Equal to ", "about ", ". ", "\n"]  # fmt: skip


@given(st.lists(st.sampled_from(RELATING), max_size=12).map("".join))
def test_what_states_something_holds_a_relation(text: str) -> None:
    assert may_relate(text) or not [*statements(tokens(text))]


@given(st.text(alphabet="12.,/()*+-=x \n{}\\$%^frac", max_size=60))
def test_no_text_makes_the_reader_fail(text: str) -> None:
    row = tokens(text)
    try:
        evaluate(row, 0, len(row))
    except Unreadable as reason:
        assert str(reason)


@each_row("piece", EXPRESSIONS)
def test_a_long_repetition_is_refused_with_a_reason(piece: str) -> None:
    row = tokens(repeated(piece, 30_000))
    with pytest.raises(Unreadable, match=r"."):
        evaluate(row, 0, len(row))
