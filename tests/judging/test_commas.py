"""Calculations that write their decimals behind a comma: German, French, Spanish, Italian, ...

The rows were written before the rule. `read` is false, and `found` is, where nothing is said of a
row: known misses, which fail here once they are no longer any.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging import check_answer
from reflection_mcp.tools.judging.arithmetic.arithmetic_check import check
from reflection_mcp.tools.judging.case import Case

DATA = Path(__file__).parent / "data"


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def told(answer: str) -> list[Check]:
    return list(check(Case(answer=answer)))


@pytest.mark.parametrize("row", rows("comma_right.jsonl"), ids=lambda row: row["id"])
def test_a_right_calculation_with_commas_is_read_and_left_alone(row: dict[str, Any]) -> None:
    found = check_answer("", row["answer"])
    assert not [one for one in found if one.status == "wrong"]
    assert any((one.kind, one.status) == ("arithmetic", "ok") for one in found) == row["read"]


@pytest.mark.parametrize("row", rows("comma_wrong.jsonl"), ids=lambda row: row["id"])
def test_a_wrong_calculation_with_commas_is_found(row: dict[str, Any]) -> None:
    flags = [one.expected for one in told(row["answer"]) if one.status == "wrong"]
    assert flags == [row["expected"]] * bool(row["found"])


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("In cases 1,5 + 9 = 14", "unchecked"),  # 5 + 9
        ("The sum of 1,5 + 9 = 15", "unchecked"),  # 1 + 5 + 9
        ("In cases 2 * 7 = 14,2", "unchecked"),
        ("In cases 2 * 7 = 15,2", "wrong"),
        ("2 * (12,18) = 7", "unchecked"),  # a function or a pair
        ("0,85 + 1.20 = 2.50", "unchecked"),
        ("1,5 * 1,250 = 1,875", "ok"),
        ("1,5 * 1,250 = 1,87", "unchecked"),
        ("1,5 / (1,250 - 1,25) = 7", "wrong"),
        ("0,5 + 1.250 = 1.250,5", "ok"),
        ("0,5 + 1.250 = 1.251,5", "wrong"),
        ("2 * 1.250.000,00 = 2.500.000", "ok"),
        ("1234,567 + 0,001 = 1234,568", "ok"),
        ("1,2345 * 2 = 2,469", "unchecked"),
        ("1,2345 * 2 = 2,4690", "ok"),
        ("0,850 + 0,150 = 1", "ok"),
    ],
)
def test_a_calculation_is_wrong_only_under_every_consistent_reading(
    answer: str, status: str
) -> None:
    assert [one.status for one in told(answer)] == [status]


def test_what_is_told_is_the_reading_that_is_nearest() -> None:
    (flag,) = told("1.250 \u20ac + 750 \u20ac = 2.100 \u20ac")
    assert (flag.stated, flag.expected) == ("2.100", "2000")
    (flag,) = told("1.250 + 0.5 * 1.500 = 2.100")
    assert flag.expected == "2"


@pytest.mark.parametrize(
    "text", ["x = 1,2", "The answer is 1,2", "f(1,2) = 3", "Steps 1,2 are done"]
)
def test_a_list_without_a_calculation_is_no_decimal(text: str) -> None:
    assert not [one for one in check_answer("Solve it: 3 + 4 = x", text) if one.status == "wrong"]


def test_a_number_of_many_digits_behind_a_comma_is_not_read() -> None:
    assert [one.status for one in told(f"0,{'1' * 60} + 1 = 7")] == ["unchecked"]
