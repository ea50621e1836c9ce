"""Hints about numbers from nowhere and numbers left out."""

import pytest

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.expressions_tokens import tokens
from reflection_mcp.tools.judging.operands import (
    MOST_HINTS,
    PROVENANCE,
    UNUSED,
    check,
    named_numbers,
)

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
