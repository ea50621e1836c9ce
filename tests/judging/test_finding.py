"""Places and quotes of findings, and the known wrong cases of the checks of text."""

import json
from pathlib import Path
from typing import Any

import pytest

from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.completeness import refusal, truncation
from reflection_mcp.tools.judging.finding import QUOTE_LIMIT, at, short, whole
from reflection_mcp.tools.judging.grounding import check as grounding
from reflection_mcp.tools.judging.grounding import citations
from reflection_mcp.tools.judging.requests import check as requested_form
from reflection_mcp.tools.judging.syntax import check as syntax

CHECKS = {
    "grounding": grounding.check,
    "refusal": refusal.check,
    "requested_form": requested_form.check,
    "syntax": syntax.check,
    "truncation": truncation.check,
}
DATA = Path(__file__).parent / "data" / "text_wrong_cases.jsonl"
ROWS = [json.loads(line) for line in DATA.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["why"])
def test_a_known_wrong_case_is_still_as_it_was(row: dict[str, Any]) -> None:
    case = Case(row["question"], row["answer"], row["context"])
    faults = {
        one.kind
        for one in CHECKS[row["family"]](case)
        if one.status == "wrong" and one.severity == "hard"
    }
    assert sorted(faults) == row["actual"]


def test_a_finding_quotes_its_place() -> None:
    one = at(Case("", "abc def"), 4, 7, "kind", "wrong", "why", stated="s", expected="e")
    assert (one.quote, one.start, one.end, one.severity) == ("def", 4, 7, "hard")
    everything = whole("kind", "ok", "why", severity="hint")
    assert (everything.start, everything.quote, everything.severity) == (None, "", "hint")


def test_a_long_quote_keeps_its_head() -> None:
    assert short("x" * 500) == "x" * (QUOTE_LIMIT - 1) + "\u2026"
    assert short("abc") == "abc"


SECOND = DATA.with_name("text_second.jsonl")
LATER = [json.loads(line) for line in SECOND.read_text("utf-8").splitlines()]


def _wrong(row: dict[str, Any]) -> list[str]:
    case = Case(row["question"], row["answer"], row["context"])
    faults = {
        one.kind
        for family in (*CHECKS.values(), citations.check)
        for one in family(case)
        if one.status == "wrong" and one.severity == "hard"
    }
    return sorted(faults)


def test_answers_that_were_written_after_the_rules() -> None:
    assert {row["id"]: _wrong(row) for row in LATER} == {row["id"]: row["wrong"] for row in LATER}
