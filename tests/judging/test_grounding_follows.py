"""Numbers that the context does not hold but leads to; all rows written for these rules."""

import pytest

from reflection_mcp.tools.judging import check_answer
from reflection_mcp.tools.judging.grounding.bounds import side

TIMEOUT = "The timeout is 30 seconds."
FIRM = "The company has 1,250 employees and 14 offices."
SALES = "Sales were 480 units in May and 520 units in June. The price is $25."
TANK = "The tank holds 420 litres."
MUSEUM = "The museum had 38,412 visitors in 2023."


def faulted(question: str, answer: str, context: str) -> list[str]:
    found = check_answer(question, answer, context)
    hard = [one for one in found if one.status == "wrong" and one.severity == "hard"]
    return [one.stated for one in hard if one.kind.startswith("grounding")]


@pytest.mark.parametrize(
    ("answer", "context", "wrong"),
    [
        ("30 s, i.e. 30000 milliseconds.", TIMEOUT, []),
        ("It is 30000 ms (30 s), so set it to 30000.", TIMEOUT, []),
        ("That is 30 * 1000 = 30000 milliseconds.", TIMEOUT, []),
        ("The timeout is 45 s, i.e. 45000 milliseconds.", TIMEOUT, ["45", "45000"]),
        ("The timeout is 45000 milliseconds.", TIMEOUT, ["45000"]),
        ("It has 1000 employees.", TIMEOUT, ["1000"]),
        ("The timeout is 5 * 11 = 55 seconds.", TIMEOUT, ["55"]),
        ("480 * 25 = 12,000 and 12,000 * 12 = 144,000.", SALES, []),
        ("They sold 480 * 37 = 17,760.", SALES, ["37"]),
        ("3 * 359 = 1,077 dollars.", "It costs 349 dollars.", ["359", "1,077"]),
        ("2 kg is 2000 g of flour, and 3500 g of sugar.", "Take 2 kg of flour.", ["3500"]),
        ("Nothing is worked out in 45 words.", TIMEOUT, ["45"]),
    ],
)
def test_what_a_statement_that_holds_leads_to_is_not_made_up(
    answer: str, context: str, wrong: list[str]
) -> None:
    assert faulted("", answer, context) == wrong


@pytest.mark.parametrize(
    ("question", "answer", "context", "wrong"),
    [
        ("Timeout twice as long?", "60 seconds", TIMEOUT, []),
        ("What would half of the timeout be?", "15 seconds", TIMEOUT, []),
        ("What if we triple the timeout?", "90 seconds", TIMEOUT, []),
        ("Timeout three times as long?", "90 s", TIMEOUT, []),
        ("Timeout three times as long?", "95 s", TIMEOUT, ["95"]),
        ("How long is the timeout?", "60 seconds", TIMEOUT, ["60"]),
        ("How many employees if the company doubles?", "2,500", FIRM, []),
        ("How many employees if the company doubles?", "3,100", FIRM, ["3,100"]),
        ("", "A timeout twice that long would be 60 seconds.", TIMEOUT, []),
        ("How many times did it fail?", "It failed 75 times.", TIMEOUT, ["75"]),
        ("What is half the capacity?", "210 litres", TANK, []),
        ("How long is a double shift?", "890 minutes", "A shift takes 495 minutes.", ["890"]),
    ],
)
def test_a_multiple_that_is_asked_for_may_be_worked_out(
    question: str, answer: str, context: str, wrong: list[str]
) -> None:
    assert faulted(question, answer, context) == wrong


@pytest.mark.parametrize(
    ("answer", "context", "wrong"),
    [
        ("more than 1,000 employees", FIRM, []),
        ("fewer than 2,000", FIRM, []),
        ("at least 1,000", FIRM, []),
        ("Under 1,500 people work there.", FIRM, []),
        ("Between 1,000 and 1,500.", FIRM, []),
        ("no more than 1,300 employees", FIRM, []),
        ("no more than 1,020 employees", FIRM, ["1,020"]),
        ("more than 2,000 employees", FIRM, ["2,000"]),
        ("fewer than 1,000", FIRM, ["1,000"]),
        ("more than 3,400", FIRM, ["3,400"]),
        ("exactly 1,000", FIRM, ["1,000"]),
        ("It has more than 900 offices.", FIRM, ["900"]),
        ("It exceeds 25 seconds.", TIMEOUT, []),
        ("Fewer than 40,000 visitors came.", MUSEUM, []),
        ("Fewer than 4,000,000 visitors came.", MUSEUM, ["4,000,000"]),  # nobody would say so
        ("More than 30,000 in all.", "It had 38,412 in 2023.", []),  # no thing is counted
    ],
)
def test_a_bound_is_right_where_the_context_is_on_that_side_of_it(
    answer: str, context: str, wrong: list[str]
) -> None:
    assert faulted("How many employees?", answer, context) == wrong


def test_a_bound_is_called_one_directly_before_it() -> None:
    assert side("it has more than ") == "above"
    assert side("it has never been more than ") == "below"
    assert side("between 10 and ") == "below"
    assert side("more than before, ") is None


@pytest.mark.parametrize(
    ("answer", "context", "wrong"),
    [
        ("1.250", FIRM, []),
        ("1 250", FIRM, []),
        ("1\u00a0250 employees.", FIRM, []),
        ("\u20ac1.250", "It costs \u20ac1,250.", []),
        ("12 500 000 people live there.", "It has 12,500,000 inhabitants.", []),
        ("120 000 copies", "It sold 120,000 copies.", []),
        ("12 000 units", SALES, []),  # what it may be worked out from is looked for as well
        ("1.350", FIRM, ["1.350"]),
        ("1 350", FIRM, ["350"]),
        ("130 000 copies", "It sold 120,000 copies.", ["130"]),
        ("38 142 visitors", MUSEUM, ["38", "142"]),
    ],
)
def test_a_number_is_known_with_other_signs_between_its_thousands(
    answer: str, context: str, wrong: list[str]
) -> None:
    assert faulted("How many?", answer, context) == wrong
