"""Answers as people write them: right ones are left alone, wrong ones are found, by all checks.

Numbers of many countries, units, dates, tables, LaTeX, code, counts asked for, other languages.
A row of `text_right.jsonl` was written to catch a check in a wrong flag.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from reflection_mcp.tools.judging import check_answer

DATA = Path(__file__).parent / "data"
Row = Mapping[str, Any]


def rows(name: str) -> list[Row]:
    lines = (DATA / name).read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


def flags(row: Row) -> set[str]:
    found = check_answer(row["question"], row["answer"], row["context"])
    return {one.kind for one in found if one.status == "wrong" and one.severity == "hard"}


def test_a_right_answer_is_left_alone() -> None:
    assert {row["id"]: found for row in rows("text_right.jsonl") if (found := flags(row))} == {}


def test_a_wrong_answer_is_found() -> None:
    wrong = rows("text_wrong.jsonl")
    assert {row["id"]: flags(row) for row in wrong} == {
        row["id"]: set(row["kinds"]) for row in wrong
    }
