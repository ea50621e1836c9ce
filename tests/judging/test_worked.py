"""The checks of worked solutions together, on solutions written in many styles.

`worked_correct.jsonl` must not be flagged at all; `worked_wrong.jsonl` must be flagged, first at
the quoted place; `worked_audit.jsonl` says of flags on public data why they are right after all.
"""

import json
from collections.abc import Iterator
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.maths import arithmetic, equations
from tests.hostile import WORKED, repeated
from tests.rows import each_row

FAMILIES = (arithmetic, equations)
DATA = Path(__file__).parent / "data"


def findings(question: str, answer: str) -> Iterator[Check]:
    case = Case(question=question, answer=answer)
    for family in FAMILIES:
        yield from family.check(case)


def flags(question: str, answer: str) -> list[Check]:
    return [
        one
        for one in findings(question, answer)
        if one.status == "wrong" and one.severity == "hard"
    ]


def rows(name: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines()]


def test_a_right_solution_is_left_alone() -> None:
    right = rows("worked_correct.jsonl")
    faulted = {
        row["id"]: found for row in right if (found := flags(row["question"], row["answer"]))
    }
    assert faulted == {}


@each_row("row", rows("worked_wrong.jsonl"), ids=lambda row: row["id"])
def test_a_wrong_solution_is_flagged_where_it_goes_wrong(row: dict[str, str]) -> None:
    found = sorted(flags(row["question"], row["answer"]), key=lambda one: one.start or 0)
    assert found[0].quote == row["quote"]
    assert found[0].why


@each_row("row", rows("worked_audit.jsonl"), ids=lambda row: row["id"])
def test_a_flag_on_public_data_has_been_read(row: dict[str, str]) -> None:
    found = flags("", row["text"])
    assert bool(found) is (row["flagged"] == "yes")
    assert row["reason"]


@each_row("name", ["worked_correct.jsonl", "worked_wrong.jsonl"])
def test_every_finding_quotes_its_place(name: str) -> None:
    for row in rows(name):
        for one in findings(row["question"], row["answer"]):
            assert (one.start is None) is (one.end is None)
            if one.start is not None:
                assert row["answer"][one.start : one.end].startswith(one.quote.rstrip("\u2026"))


# 25 kB each: long enough to tell a square from a line, short enough to run with the others.
MATERIAL = st.sampled_from(
    """= + - * / ^ ( ) { } $ % . , : ; ! ? x X y \\frac{ } \\sqrt{ \\times ** 3 12 0 2.5 1,000 1e99
    9^9
    half of is the answer #### \\boxed{ days after km miles 2024-02-30 January percent off from to
    total cost per dozen = 5 **""".split(" ")
) | st.just("\n")


@given(st.lists(MATERIAL, max_size=40))
def test_no_text_makes_a_check_fail(pieces: list[str]) -> None:
    for glue in (" ", ""):
        answer = glue.join(pieces)
        for one in findings("Of 5 and 7?", answer):
            if one.start is not None and one.end is not None:
                assert 0 <= one.start <= one.end <= len(answer)


SUM = {("arithmetic", "wrong"), ("arithmetic", "unchecked")}  # too much or too large is left
FOUND: dict[str, set[tuple[str, str]]] = {
    "towers": SUM,
    "long numbers": {("arithmetic", "wrong")},
    "wrong statements": SUM,
    "answers": {("arithmetic", "ok")},
}
"""What is found in a hostile text: kinds and results; nothing in those that are not here."""


@each_row("name", WORKED)
def test_a_hostile_text_is_judged_like_any_other(name: str) -> None:
    text = repeated(WORKED[name], 10_000)  # shorter ones stay within the bounds
    found = list(findings("How many of 5 and 7?", text))
    assert {(one.kind, one.status) for one in found} == FOUND.get(name, set())
    for one in found:
        assert one.start is not None
        assert text[one.start : one.end] == one.quote


@each_row("row", rows("worked_known.jsonl"), ids=lambda row: row["id"])
def test_a_known_miss_is_still_one(row: dict[str, str]) -> None:
    """When this fails the check has learned something: move the row to `worked_wrong.jsonl`."""
    assert row["desired"] in row["text"]
    assert [one.quote for one in flags("", row["text"])] == []
