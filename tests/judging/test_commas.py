"""Calculations that write their decimals behind a comma."""

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
    ("answer", "expected"),
    [
        ("7 \u00d7 12,40 \u20ac = 88,80 \u20ac", "86,80"),
        ("4 * 0,85 \u20ac = 3,20 \u20ac", "3,40"),
        ("Cela fait 3 \u00d7 2,40 \u20ac = 7,40 \u20ac.", "7,20"),
        ("1.250,00 \u20ac + 750,00 \u20ac = 2.100,00 \u20ac", "2000,00"),
        ("1.250 \u00d7 1,50 \u20ac = 1.885 \u20ac", "1875"),
        ("O total \u00e9 5 * 2,30 = 12,50 euros.", "11,50"),
        ("\u20ac 50,00 - \u20ac 27,35 = \u20ac 23,65", "22,65"),
    ],
)
def test_a_text_of_amounts_with_commas_is_read_so(answer: str, expected: str) -> None:
    (one,) = [one for one in check_answer("", answer) if one.status == "wrong"]
    assert one.expected == expected


@each_row(
    ("answer", "right"),
    [
        ("1.800 kWh \u00d7 0,32 Euro + 12 \u00d7 12 Euro = 576 Euro + 144 Euro = 720 Euro", 2),
        ("99,90 \u20ac - 83,25 \u20ac = 16,65 \u20ac; 16,65 \u00f7 83,25 \u00d7 100 = 20", 2),
        ("L'IVA \u00e8 100,00 \u20ac * 0,22 = 22,00 \u20ac.", 1),
        ("9,90 \u20ac: 2 * 1.50 = 3.10", 0),
    ],
)
def test_a_right_calculation_with_amounts_is_read(answer: str, right: int) -> None:
    told = [one.status for one in check_answer("", answer) if one.kind == "arithmetic"]
    assert told.count("ok") == right


@each_row(
    "answer",
    [
        "In cases 1,5 + 9 = 14",  # 5 + 9
        "The sum of 1,5 + 9 = 15",  # 1 + 5 + 9
        "2 * (12,18) = 7",  # a function or a pair
        "0,85 + 1.20 = 2.50",
        "1,5 * 1,250 = 1,87",
        "0,125 * 8 = 1",
        "4 * 0,85 \u20ac = 3,20 \u20ac, not 3.40",
        f"0,{'1' * 60} + 1 = 7",
    ],
)
def test_a_comma_before_decimals_makes_a_statement_unread(answer: str) -> None:
    assert {one.status for one in check_answer("", answer)} <= {"unchecked"}


@each_row("text", ["x = 1,2", "The answer is 1,2", "f(1,2) = 3", "Steps 1,2 are done"])
def test_a_list_without_a_calculation_is_no_decimal(text: str) -> None:
    assert not [one for one in check_answer("Solve it: 3 + 4 = x", text) if one.status == "wrong"]
