"""Shares and changes by a share that are told as facts."""

import pytest

from reflection_mcp.tools.judging.arithmetic.percent import check
from reflection_mcp.tools.judging.case import Case


def faults(answer: str) -> list[tuple[str, str]]:
    found = check(Case(answer=answer))
    return [(one.stated, one.expected) for one in found if one.status == "wrong"]


@pytest.mark.parametrize(
    ("answer", "stated", "expected"),
    [
        ("15% of 80 is 15.", "15", "12"),
        ("So 20 percent of 50 equals 11.", "11", "10"),
        ("7.5% of $1,200 = $95.50 in all.", "95.50", "90"),
        ("It rose from 80 by 15% to 90.", "90", "92"),
        ("It fell from 200 by 10 per cent to 190.", "190", "180"),
        ("33% of 10 is 4.", "4", "3.3"),
    ],
)
def test_a_share_that_is_another_one_is_found(answer: str, stated: str, expected: str) -> None:
    assert faults(answer) == [(stated, expected)]


@pytest.mark.parametrize(
    "answer",
    [
        "15% of 80 is 12.",
        "7.5% of 1,299.90 is 97.49.",
        "7.5% of 1,299.90 is 97.5.",
        "33% of 10 is 3.",
        "It rose from 80 by 15% to 92, or fell from 80 by 15% to 68.",
        "15% of 80 is 15 times as much.",
        "15% of 80 is 15 or so.",
        "100 - 20% of 100 = 80, and $80 - 10% of $80 = $72.",
        "Suppose 15% of 80 is 15.",
        "15% of 80 is 15? No.",
        "15% of 80 is 15. That is wrong.",
        "```\n15% of 80 is 15\n```",
    ],
)
def test_a_right_one_and_what_is_no_claim_are_left_alone(answer: str) -> None:
    assert faults(answer) == []


def test_a_right_share_was_checked() -> None:
    assert [one.status for one in check(Case(answer="15% of 80 is 12."))] == ["ok"]
