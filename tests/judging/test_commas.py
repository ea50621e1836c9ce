"""Calculations that write their decimals behind a comma: they are not read, and left alone."""

import json
from pathlib import Path
from typing import Any

from reflection_mcp.tools.judging import check_answer
from tests.rows import each_row

DATA = Path(__file__).parent / "data"


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


@each_row("row", rows("comma_right.jsonl"), ids=lambda row: row["id"])
def test_a_right_calculation_with_commas_is_left_alone(row: dict[str, Any]) -> None:
    assert not [one for one in check_answer("", row["answer"]) if one.status == "wrong"]


@each_row(
    "answer",
    [
        "In cases 1,5 + 9 = 14",  # 5 + 9
        "The sum of 1,5 + 9 = 15",  # 1 + 5 + 9
        "2 * (12,18) = 7",  # a function or a pair
        "0,85 + 1.20 = 2.50",
        "1,5 * 1,250 = 1,87",
        "0,125 * 8 = 1",
        "4 * 0,85 \u20ac = 3,20 \u20ac",
        f"0,{'1' * 60} + 1 = 7",
    ],
)
def test_a_comma_before_decimals_makes_a_statement_unread(answer: str) -> None:
    assert {one.status for one in check_answer("", answer)} <= {"unchecked"}


@each_row("text", ["x = 1,2", "The answer is 1,2", "f(1,2) = 3", "Steps 1,2 are done"])
def test_a_list_without_a_calculation_is_no_decimal(text: str) -> None:
    assert not [one for one in check_answer("Solve it: 3 + 4 = x", text) if one.status == "wrong"]
