"""Places and quotes of findings, and the known wrong cases of the checks of text."""

import json
from pathlib import Path
from typing import Any

from reflection_mcp.tools.judging import check_answer
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.completeness import placeholder, requested_form, truncation
from reflection_mcp.tools.judging.finding import QUOTE_LIMIT, at, remedy, short, told, whole
from reflection_mcp.tools.judging.grounding import grounding_check as grounding
from reflection_mcp.tools.judging.syntax import syntax_check as syntax
from tests.rows import each_row

CHECKS = {
    "grounding": grounding.check,
    "placeholder": placeholder.check,
    "requested_form": requested_form.check,
    "syntax": syntax.check,
    "truncation": truncation.check,
}
DATA = Path(__file__).parent / "data" / "text_wrong_cases.jsonl"
ROWS = [json.loads(line) for line in DATA.read_text("utf-8").splitlines()]


@each_row("row", ROWS, ids=lambda row: row["why"])
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
        for family in CHECKS.values()
        for one in family(case)
        if one.status == "wrong" and one.severity == "hard"
    }
    return sorted(faults)


def test_answers_that_were_written_after_the_rules() -> None:
    assert {row["id"]: _wrong(row) for row in LATER} == {row["id"]: row["wrong"] for row in LATER}


@each_row(
    ("answer", "quote", "why"),
    [
        ("$5 + $6 = $12", "$5 + $6 = $12", "$5 + $6 comes to 11, not 12."),
        ("So \u20ac5 * 3 = \u20ac16.", "\u20ac5 * 3 = \u20ac16",
         "\u20ac5 * 3 comes to 15, not 16."),
        ("$2 + 2 = 5$", "2 + 2 = 5", "2 + 2 comes to 4, not 5."),  # a formula
        (
            "1.5M + \u20ac0.5M = \u20ac3M",
            "1.5M + \u20ac0.5M = \u20ac3M",
            "1.5M + \u20ac0.5M comes to 2M, not 3M.",
        ),
        ("\u20ac5M + \u20ac6M = \u20ac12M", "\u20ac5M + \u20ac6M = \u20ac12M",
         "\u20ac5M + \u20ac6M comes to 11M, not 12M."),
    ],
)  # fmt: skip
def test_a_quote_keeps_the_sign_of_money_before_its_first_number(
    answer: str, quote: str, why: str
) -> None:
    (one,) = (one for one in check_answer("", answer) if one.status == "wrong")
    assert (one.quote, one.why) == (quote, why)
    assert answer[one.start : one.end] == quote


def test_what_is_missed_by_the_form_says_what_to_do() -> None:
    order = whole("completeness:keyword", "wrong", "'very' stands in it.", expected="leave it out")
    assert told(order) == "'very' stands in it: leave it out"
    count = whole("completeness:count", "wrong", "3 of 5 items.", expected="5")
    assert told(count) == "3 of 5 items"
    assert remedy(whole("evidence:claim", "wrong", "It failed.")) == "correct this: It failed"
    sum_ = whole("arithmetic", "wrong", "They differ.", stated="8", expected="6")
    assert remedy(sum_) == "the sides differ: 6 and 8; find out which one is wrong"
    named = whole("grounding:name", "wrong", "It is not there.")
    assert remedy(named) == "say what the context says, or leave it out"
