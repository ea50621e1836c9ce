import json
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.completeness import placeholder, requested_form, truncation
from reflection_mcp.tools.judging.completeness.requested_form import check
from reflection_mcp.tools.judging.syntax import syntax_check as syntax
from tests.rows import each_row


def one(question: str, answer: str) -> Check:
    (found,) = check(Case(question, answer))
    return found


def status(question: str, answer: str) -> tuple[str, str]:
    found = one(question, answer)
    return found.status, found.severity


def test_a_count_is_told_in_bare_figures() -> None:
    found = one("List four reasons.", "1. a\n2. b")
    assert (found.kind, found.status) == ("completeness:count", "wrong")
    assert (found.stated, found.expected) == ("2", "4")
    found = one("List up to 2 reasons.", "1. a\n2. b\n3. c")
    assert (found.stated, found.expected) == ("3", "2")


@each_row(
    ("answer", "expected"),
    [
        ("Step 1: open. Step 2: pour. Step 3: drink.", "ok"),
        ("1) open 2) pour 3) drink", "ok"),
        ("a) open b) pour c) drink", "ok"),
        ("First open it. Second pour it. Third drink it.", "ok"),
        ("\u2022 open \u2022 pour \u2022 drink", "ok"),
        ("I. open II. pour III. drink", "ok"),
        ("Step 1 - open. Step 2 - pour. Step 3 - drink.", "ok"),
        ("IX. open XI. pour", "1 item"),
        ("1. open 1. pour 1. drink", "1 item"),
        ("Step 1: open.", "1 item"),
        ("Step 1: open. Step 2: pour.", "2 items"),
    ],
)
def test_items_on_one_line_are_counted(answer: str, expected: str) -> None:
    found = one("Give 3 steps.", answer)
    assert found.status == "ok" if expected == "ok" else found.why.endswith(f"has {expected}.")


def test_an_empty_answer_is_left_to_placeholder() -> None:
    assert list(check(Case("List three cats.", "  "))) == []


@each_row(
    ("answer", "expected"),
    [
        ("1. a\n2. b\n3. c", ("ok", "hard")),
        ("1. a\n2. b", ("wrong", "hard")),
        ("- a\n- b", ("wrong", "hard")),
        ("1. a\n2. b\n3. c\n4. d", ("wrong", "hint")),
        ("I. a\nII. b\nIII. c", ("ok", "hard")),
        ("Step 1: a\nStep 2: b\nStep 3: c", ("ok", "hard")),
        ("First, a.\nSecond, b.\nThird, c.", ("ok", "hard")),
        ("a, b and c", ("unchecked", "hard")),
        ("- one is a; another is b; a third is c", ("unchecked", "hard")),
        ("- a - b - c", ("unchecked", "hard")),
        ("- fruit: a, b\n- nuts: c, d", ("unchecked", "hard")),
        ("1. a\nb\nc\nd", ("unchecked", "hard")),
        ("- a\n- b\n\nA:\n1. c", ("unchecked", "hard")),
        ("1. a\n   - x\n   - y\n2. b\n   - x\n3. c", ("ok", "hard")),
        ("**a** x\n**b** y\n**c** z\n1. p", ("ok", "hard")),
        ("```\n1. a\n```", ("unchecked", "hard")),
    ],
)
def test_items(answer: str, expected: tuple[str, str]) -> None:
    assert status("List three cats.", answer) == expected


@each_row(
    ("question", "good", "bad"),
    [
        ("Return it as JSON.", "true", "It is true."),
        ("Return it as JSON.", "[1]", "one"),
    ],
)
def test_json(question: str, good: str, bad: str) -> None:
    assert status(question, good) == ("ok", "hard")
    assert status(question, bad) == ("wrong", "hard")


DATA = Path(__file__).parent / "data" / "text_form.jsonl"
ROWS = [json.loads(line) for line in DATA.read_text("utf-8").splitlines()]
FAMILIES = (placeholder.check, truncation.check, requested_form.check, syntax.check)


def _wrong(row: dict[str, Any]) -> list[str]:
    case = Case(row["question"], row["answer"])
    faults = {
        found.kind
        for family in FAMILIES
        for found in family(case)
        if found.status == "wrong" and found.severity == "hard"
    }
    return sorted(faults)


def test_answers_of_many_shapes() -> None:
    assert {row["id"]: _wrong(row) for row in ROWS} == {row["id"]: row["wrong"] for row in ROWS}


@given(st.sampled_from([str(row["question"]) for row in ROWS]), st.text(max_size=300))
def test_no_answer_makes_a_check_raise_and_every_place_is_inside(
    question: str, answer: str
) -> None:
    case = Case(question, answer)
    for family in FAMILIES:
        for found in family(case):
            if found.start is not None and found.end is not None:
                assert 0 <= found.start <= found.end <= len(answer)
