"""The final answer against what the solution computed."""

import pytest

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.arithmetic.final_answer import check
from reflection_mcp.tools.judging.case import Case


def found(answer: str, question: str = "") -> list[Check]:
    return list(check(Case(question=question, answer=answer)))


@pytest.mark.parametrize(
    "text",
    [
        "3 * 12 = 36.\n#### 36",
        "3 * 12 = 36. The answer is: $36.00",
        "100 / 7 = 14.2857. The final answer is 14.29.",
        "3/4 = 0.75. The answer is 75%.",
        "5 - 9 = -4. The answer is 4.",
        "$2 + 3 = \\boxed{5}$",
        "1200 * 3 = 3600. Answer: 3,600",
        "3 + 4 = 7. The answer is 7.\n5 * 6 = 30. The answer is 30.",
        "3 * 5 = 15, eight are left. The answer is 8",
        "3 * 12 = 36.\n#### -36",
        "3 * 12 = 36. The answer is\n36",
        "3 + 5 = 8, so \\boxed{3}, \\boxed{5}",
        "3 + 5 = 8.\n#### 3\nand for the second part the answer is 5",
    ],
)
def test_an_answer_that_was_found_is_ok(text: str) -> None:
    assert [one.status for one in found(text)] == ["ok"]


def test_an_answer_from_the_question_is_ok() -> None:
    assert [one.status for one in found("3 * 2 = 6. The answer is 40", "Of 40?")] == ["ok"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("3 * 12 = 36 and 36 - 6 = 30.\nThe answer is: 45", "30"),
        ("3 * 12 = 36.\n#### 36\nThe answer is: 38", "36"),
    ],
)
def test_an_answer_from_nowhere_is_flagged(text: str, expected: str) -> None:
    (flag,) = found(text)
    assert (flag.status, flag.severity, flag.expected) == ("wrong", "hard", expected)
    assert flag.quote == text[flag.start : flag.end]


@pytest.mark.parametrize(
    "text",
    [
        "The answer is 5",
        "3 * 5 = 15 and Ann has 20. The answer is 35.",
        "3 * 12 = 36. The answer is 45. Wait, that is wrong.",
    ],
)
def test_what_cannot_be_followed_is_unchecked(text: str) -> None:
    assert [one.status for one in found(text)] == ["unchecked"]


@pytest.mark.parametrize(
    "text",
    [
        "3 * 5 = 15",
        "3 * 5 = 15. The answer is 3/4",
        "3 * 5 = 15. The answer is 2x",
        "3 * 5 = 15. The answer is 2 to 3",
        "3 * 5 = 15. The answer is blue",
        "3 * 5 = 15. The answer is -",
        "3 * 5 = 15. The answer is",
        "3 * 5 = 15. \\boxed{\\frac{1}{2}}",
        "3 * 5 = 15. The answer is 4(5)",
    ],
)
def test_an_answer_that_is_no_plain_number_is_not_read(text: str) -> None:
    assert found(text) == []
