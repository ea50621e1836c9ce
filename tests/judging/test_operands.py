"""Hints about numbers from nowhere and numbers left out."""

import pytest

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.arithmetic.operands import (
    MOST_HINTS,
    PROVENANCE,
    UNUSED,
    check,
    named_numbers,
)
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.expressions.tokens import tokens

QUESTION = "Tom buys 13 pens at $17 each with a 15% discount. How much does he pay?"


def found(answer: str, question: str = QUESTION) -> list[Check]:
    return list(check(Case(question=question, answer=answer)))


def test_a_number_from_nowhere_is_a_hint_at_its_place() -> None:
    answer = "He pays 14 * 17 = 238 dollars, less 15%."
    hints = found(answer)
    assert [(one.kind, one.severity) for one in hints] == [
        (PROVENANCE, "hint"),
        (UNUSED, "hint"),
    ]
    assert answer[hints[0].start : hints[0].end] == "14"
    assert hints[1].expected == "13"
    assert hints[1].start is None


@pytest.mark.parametrize(
    "answer",
    [
        "13 * 17 = 221, and 221 * 0.85 = 187.85.",
        "13 * 17 = 221. The rest is 100 - 15 = 85 percent: 221 * 0.85 = 187.85",
        "Thirteen pens: 13 * 17 = 221; then 85 / 100 * 221 = 187.85",
        "One third is 17 / 3 = 5.67, and 13 * 5.667 = 73.67, times 15%",
    ],
)
def test_what_is_given_computed_or_usual_is_no_hint(answer: str) -> None:
    assert [one for one in found(answer) if one.kind == PROVENANCE] == []


@pytest.mark.parametrize(
    ("answer", "question"),
    [
        ("14 * 17 = 238", ""),
        ("14 * 17 = 238", "How many?"),
        ("no numbers at all", QUESTION),
    ],
)
def test_without_numbers_on_both_sides_there_is_nothing_to_say(answer: str, question: str) -> None:
    assert found(answer, question) == []


def test_hints_are_few() -> None:
    answer = " ".join(f"{n} * {n} = {n * n}." for n in range(201, 241, 2))
    assert len([one for one in found(answer) if one.kind == PROVENANCE]) == MOST_HINTS


def test_numbers_in_words_are_put_together() -> None:
    assert {25, 47, 200, 12} <= named_numbers(
        tokens("twenty-five and forty seven, two hundred, a dozen")
    )


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("1000 at 5% for 3 years", "1000 \u00d7 1.05^3 = 1157.63"),
        ("1000 at 5% for 3 years", "1000 \u00d7 1.05\u00b3 = 1157.63"),
        ("1000 at 5% for 3 years", "1000 * 1.05 * 1.05 * 1.05 = 1157.63"),
        ("1000 at 5% for 3 years", "1000 * (1 + five / 100), cubed, is 1157.63; 1 + 1 = 2"),
        ("40 pens, 5% are broken", "40 * 0.95 = 38"),
        ("40 pens, 5% are broken", "95 percent of 40 are 0.95 * 40 = 38"),
        ("60 pens shared by 8 people", "60 * 0.125 = 7.5"),
        ("60 pens shared by 3 people", "60 * 0.33 = 20"),
        ("A walk of 8 km at 4 km per hour", "8000 m / 4000 m = 2"),
        ("It runs 8 times in 90 minutes", "8 / 1.5 h = 5.33"),
        ("8 trains from 6 on", "At 6:00 there are 4 + 4 = 8."),
        ("8 trains of 17 cars", "4 + 4 = 8\n```\ncars = 17\n```"),
    ],
)
def test_a_given_number_in_any_usual_form_is_used(question: str, answer: str) -> None:
    assert [one.expected for one in found(answer, question) if one.kind == UNUSED] == []


def test_of_an_answer_that_is_read_in_part_nothing_is_said_to_be_unused() -> None:
    answer = "14 * 17 = 238"
    assert [one.expected for one in found(answer) if one.kind == UNUSED] == ["13", "15"]
    assert [one for one in found(answer + " " * 20_000) if one.kind == UNUSED] == []
