"""Answers as a careful engineer writes them over pasted material, and faulty ones beside them."""

import json
from pathlib import Path
from typing import Any

from reflection_mcp.tools.judging import check_answer
from tests.requirements import requirement
from tests.rows import each_row

LINES = (Path(__file__).parent / "data" / "answers_over_contexts.jsonl").read_text("utf-8")
ROWS: list[dict[str, Any]] = [json.loads(line) for line in LINES.splitlines()]


def faults(row: dict[str, Any], said: dict[str, str]) -> list[str]:
    found = check_answer(said["question"], said["answer"], row["context"])
    return sorted({f.kind for f in found if f.status == "wrong" and f.severity == "hard"})


@each_row("row", ROWS, ids=lambda row: row["context"].strip()[:30])
@requirement("evidence:honest")
def test_a_right_answer_over_a_context_has_no_fault(row: dict[str, Any]) -> None:
    assert [said["answer"] for said in row["right"] if faults(row, said)] == []


@each_row("row", ROWS, ids=lambda row: row["context"].strip()[:30])
@requirement("evidence:claims")
def test_a_faulty_one_is_found_for_its_reason(row: dict[str, Any]) -> None:
    for said in row["wrong"]:
        assert faults(row, said) == said["kinds"], said["answer"]


@each_row("row", ROWS, ids=lambda row: row["context"].strip()[:30])
def test_what_cannot_be_proven_is_missed_and_not_guessed(row: dict[str, Any]) -> None:
    assert [said["answer"] for said in row["missed"] if faults(row, said)] == []
