"""The family that follows arithmetic: what it flags, where, and what it leaves alone."""

from fractions import Fraction

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.maths.arithmetic import check
from reflection_mcp.tools.judging.maths.doubts import DOUBTS
from reflection_mcp.tools.judging.maths.rounding import shown
from reflection_mcp.tools.judging.maths.suspect import Doubt
from tests.rows import each_row


def found(answer: str, question: str = "") -> list[Check]:
    return list(check(Case(question=question, answer=answer)))


def wrong(answer: str, question: str = "") -> list[Check]:
    return [one for one in found(answer, question) if one.status == "wrong"]


def test_a_wrong_product_is_located() -> None:
    answer = "15 x 12.99 = 195.00. Shipping is 195.00 + 5 = 200.00. Then 195 / 3 = 65."
    (flag,) = wrong(answer)
    assert (flag.stated, flag.expected) == ("195.00", "194.85")
    assert flag.quote == "15 x 12.99 = 195.00" == answer[flag.start : flag.end]
    assert flag.why == "15 x 12.99 comes to 194.85, not 195.00."


@each_row("row", DOUBTS, ids=lambda row: row.name)
def test_each_doubt_spares_its_example_and_not_its_counter_example(row: Doubt) -> None:
    for example, counter in row.pairs:
        assert [one.status for one in found(example)] != []
        assert not wrong(example)
        assert wrong(counter)


@each_row(
    "answer",
    [
        "100/3 = 33.33, and 33.33 * 3 = 100.",
        "2/3 = 0.66 and 2/3 = 0.67.",
        "7/2 = 4, or 7/2 = 3",
        "11.5098 * 720 = 8287.05",
        "350 / 12 = about 29",
        "22/7 \u2248 3.1",
        "1000/7 = ~143",
        "\\sqrt{2} = 1.414",
        "0.7 * 100 = 70%",
        "48 / 12 = 4 dozen",
        "5000000 / 2 = 2.5 million",
        "1/3 + 1/3 = 0.333 * 2",
        "0 * 5 = 0%",
        "12 * 3 equals 36, and 4 + 4 is equal to 8",
        "the sum of 3 + 4 = 7",
        "= 5",
        "x\n5 * 3\n= 15",
        "decreased by 2 * 3 = 6",
        "3 * 12 = 36 and 36 - 6 = 30",
        "4200 * 3 = 12600 from 2007 to 2010",
        "30 - 3 = 27 with nothing left",
        "(for both 5 + 3 = 8)",
        "\u221a(16) + 2 = 6",
        "the cost of 3 + 4 = 7",
        "1 / (0.334 - 0.333) = 1001",
        "a 5 + 3 = 8",
        "We have 61 = 25 + 36.",
        "0.333 * 0.333 * 0.333 * 0.333 * 0.333 * 0.333 * 0.333 = 0.000454",
        "2 ft^2 * 3 = 6 ft^2",
        "\\frac{1}{2}^{2} = 0.25",
        "2\\sqrt{9} = 6 and \\sqrt 9 + 1 = 4 and 2^{2} = 4",
    ],
)
def test_a_right_statement_is_ok(answer: str) -> None:
    assert {one.status for one in found(answer)} <= {"ok"}


@each_row(
    ("answer", "why"),
    [
        ("half of 10 + 4 = 9", "'of' something"),
        ("3 boxes of 4 + 5 = 9", "'of' something"),
        ("3 times the sum of 4 + 5 = 27", "a comparison before it"),
        ("twice as much as 4 * 3 = 24", "a comparison before it"),
        ("She is not more, so as 4 * 3 = 24", ""),
        ("5 more than 3 * 4 = 17", "the word 'than' before it"),
        ("multiplied by 3 * 4 = 60", "the word 'by' before it"),
        ("5 feet 3 inches + 4 inches = 67", "a number before it"),
        ("between 5 and 3 + 4 = 12", "a number before it"),
        ("y 3 + 4 = 12", "an unknown before it"),
        ("20% 3 + 4 = 12", "'%' before it"),
        ("2/3 : 4/5 = 5/6", "a ratio"),
        ("3 + 4 = 5 : 6", "a ratio"),
        ("f(3 + 4 = 12)", "a bracket that belongs to a name"),
        ("f(3 + 4) = 12", "a function"),
        ("Day 2 = 5 + 3", "a definition"),
        ("10 years ago = 40 - 20", "a change of units"),
        ("5! = 6", ""),
        ("6 + 1 = 3!", "a factorial"),
        ("8 + 9 = 2 (mod 3)", "a modulus"),
        ("5 + 4 = 3(4)", ""),
        ("5 + 4 = 20%(3)", "a bracket after it"),
        ("3 times the number of 4 + 5 = 27", "a comparison before it"),
        ("6 * 6 = 36 and 5 " + "of them are here " * 5, "two numbers after each other"),
        ("5 + 4 = 2\\left(x\\right)", "'x' where a number should be"),
        ("17 / 5 = 3 remainder 2", "a remainder or a power"),
        ("2^100 = 1267650...", "digits left out"),
        ("7 - 2 = 4 ... and so on", ""),
        ("from $20 to $45 + $20 = $64", "a number before it"),
        ("17 / 5 = 3 with a remainder of 2", "a remainder or a power"),
        ("100 / 60 = 1 hour 40 minutes", "two numbers after each other"),
        ("100 / 60 = 1 hour and 40 minutes", "two quantities"),
        ("9 / 4 = 2 and 1/4.", "two numbers after each other"),
        ("5 + 4 = 3x", "the unknown 'x'"),
        ("5 + 4 = 2 < 3", "'<' after it"),
        ("x + 5 = 4", "an operator without a number before it"),
        ("1 + " * 80 + "1 = 3", "a very long expression"),
        ("8 + 5) = 4", ""),
        ("(8 5) + 3 = 4", "two numbers side by side"),
        ("}{2} + 3 = 4", ""),
    ],
)
def test_where_a_side_ends_must_be_clear(answer: str, why: str) -> None:
    for one in found(answer):
        if one.status != "ok":
            assert (one.status, one.why) == ("unchecked", why) or not why
    assert not why or any(one.why == why for one in found(answer))


def test_a_false_result_on_its_own_line_is_placed_there() -> None:
    answer = "x = 5 * 3\n= 16"
    (flag,) = wrong(answer)
    assert flag.quote == "= 16"
    assert flag.why == "This comes to 15, not 16."


def test_after_many_false_statements_the_rest_is_unchecked() -> None:
    answer = "".join(f"{n} + 1 = {n + 3}. " for n in range(1000))
    checks = found(answer)
    assert 300 < sum(one.status == "wrong" for one in checks) < 1000
    assert checks[-1].status == "unchecked"


@each_row(
    ("value", "text"),
    [
        (Fraction(36), "36"),
        (Fraction(1, 4), "0.25"),
        (Fraction(1, 3), "0.333333"),
        (Fraction(10**40), "1e+40"),
        (Fraction(10**400), "a number of about 401 digits"),
    ],
)
def test_a_number_is_shown_as_one_writes_it(value: Fraction, text: str) -> None:
    assert shown(value) == text


@each_row(
    "answer",
    [
        "2 + 2 = 5 ist falsch.",
        "2 + 2 = 5 \u2717",
    ],
)
def test_a_mistake_may_be_named_in_another_language(answer: str) -> None:
    assert not wrong(answer)
    assert wrong("2 + 2 = 5")


@each_row(
    "answer",
    [
        "5 m\u00e1s que 3 * 4 = 17 manzanas para el ni\u00f1o",
        "el doble de 4 * 3 = 24 manzanas para el ni\u00f1o",
        "das Doppelte von 4 + 3 = 11 und das ist nicht viel",
    ],
)
def test_words_of_another_language_may_take_part(answer: str) -> None:
    assert [one.status for one in found(answer)] == ["unchecked"]


def test_a_power_at_the_limit_is_still_judged_in_another_language() -> None:
    assert wrong("el resultado es 2^2000 = 5 para el ni\u00f1o")


@each_row(
    "answer",
    [
        "3.000 + 500 = 3.500 Euro insgesamt",
        "1.200 + 350 = 1.550 euro",
        "1.000 + 250 = 1.250 TL",
        "El 21% de 1.500 es 315. Total: 1.500 + 315 = 1.815 euros",
        "1.500 + 500 = 2.000 \u0111\u1ed3ng",
        "1.000 / 3 + 100 = 433 euros",
        "200 + 10% = 220",
        "50 + 150 - 10% = 180 euros",
        "100 + 10% + 10% = 121",
        "$50 + 8% tax = $54.00",
        "\u201c2 + 2 = 5\u201d is the slogan.",
        "The slogan \u00ab2 + 2 = 5\u00bb is known.",
    ],
)
def test_a_statement_that_may_be_meant_otherwise_is_unchecked(answer: str) -> None:
    assert "unchecked" in {one.status for one in found(answer)}
    assert not wrong(answer)


@each_row(
    "answer",
    [
        "1.5 + 525 = 3.025 euros",
        "0.500 + 525 = 1.025 euros",
        "2.500 ^ 400 = 3.025",
        "2 ^ 1.500 = 3",
        "200 + 10% = 230",
        "200 + 10% + 5 = 226",
        "(10% + 200) = 230",
        "10% + 5% = 16%",
        "5 * -10% = 3",
        "1 / (5 - 5) + 10% = 3",
        '6" boards: 3 + 4 = 8 and so on.',
    ],
)
def test_another_reading_does_not_excuse_everything(answer: str) -> None:
    assert all(one.status != "ok" for one in found(answer))


def test_an_equation_of_the_question_is_not_claimed_by_the_answer() -> None:
    answer = "2 + 2 = 5 is a slogan from a novel."
    assert not wrong(answer, "Why is 2+2=5 famous?")
    assert wrong(answer, "Why is 12 + 2 = 5 famous?")


def test_a_question_that_redefines_its_signs_is_answered_in_its_own_terms() -> None:
    answer = "The rule is a + ab, so 8 + 11 = 96."
    assert not wrong(answer, "If 1 + 4 = 5, 2 + 5 = 12 and 3 + 6 = 21, what is 8 + 11?")
    assert wrong(answer, "If 1 + 4 = 5, 2 + 5 = 12 and 3 + 6 = 9, what is 8 + 11?")
    assert wrong(answer, "If 1 + 4 = 5, 2 + 5 = 7 and 3 + 6 = 9, what is 8 + 11?")


@each_row(
    ("answer", "stated", "expected"),
    [
        ("84 / 12 = 6 dozen eggs", "6", "7"),
        ("5 * 3 million = 16 million", "16", "15"),
        ("0.25 * 2 = 40%", "40", "50"),
        ("12 * 100 = $1,100.00", "1,100.00", "1200"),
        ("12 - 5 = 0", "0", "7"),
        ("12 - 5 = -6", "-6", "7"),
        ("1'000 + 500 = 1'600 CHF", "1'600", "1500"),
        ("1\u202f000 + 500 = 1\u00a0600 EUR", "1\u00a0600", "1500"),
        ("12 - 5 = 2 * 4", "2 * 4", "7"),
        ("2 * (9 + 40) = 12 * 49 = 98", "12 * 49", "98"),
        ("$2 \\cdot 49 = 12 \\times 49 = 98$", "12 \\times 49", "98"),
        ("raised by $20 to $45 + $20 = $64", "64", "65"),
        ("360 square feet / 9 feet = 50 feet", "50", "40"),
        ("$1000 + $350 = $1357 at 5 pm", "1357", "1350"),
        ("Each student gets 12 / 3 = 5 apples.", "5", "4"),
    ],
)
def test_a_result_is_told_as_it_is_written(answer: str, stated: str, expected: str) -> None:
    (flag,) = wrong(answer)
    assert (flag.stated, flag.expected) == (stated, expected)


@each_row(
    "answer",
    [
        "330\u00b0 + 60\u00b0 = 30\u00b0",
        "The student wrote 7 * 8 = 54.",
        "Das sind 3 Mio. / 2 = 1500 Tsd. und so weiter.",
        "1 mil + 500 = 1.500",
        "1.5\u5104 + 5000\u4e07 = 2\u5104",
    ],
)
def test_what_starts_over_is_quoted_or_multiplied_is_no_fault(answer: str) -> None:
    assert not wrong(answer)


def test_a_percentage_of_percentages_is_no_excuse() -> None:
    assert wrong("40% - 80% = 20%")
