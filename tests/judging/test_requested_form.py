import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.completeness import refusal, truncation
from reflection_mcp.tools.judging.requests import request_check as requested_form
from reflection_mcp.tools.judging.requests.request_check import check
from reflection_mcp.tools.judging.syntax import syntax_check as syntax


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


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
    ("question", "answer", "order"),
    [
        ("Write at least 9 words.", "Two words.", "write at least 9 words"),
        ("Write at most 1 word.", "Two words.", "write at most 1 word"),
        ("Explain it in 2 to 4 sentences.", "A cat sleeps.", "write 2 to 4 sentences"),
        ("Explain it in exactly 1 sentence.", "A cat sleeps.", "write exactly 1 sentence"),
        ("Explain it in 50 words.", "A cat sleeps.", "write about 50 words"),
        ("Reply in Thai.", "x", "write it in Thai"),
        ("Return it as JSON.", "x", "answer in JSON"),
        ("Avoid using the word 'very'.", "It is very nice.", "leave out 'very'"),
        ("Avoid the words. Do not use the words 'so' or 'very'.", "very", "leave out 'very'"),
        ("Use the words 'sun' and 'sea'.", "The sun", "use 'sun' and 'sea'"),
        ("Use the words 'sun' or 'sea'.", "A cat", "use 'sun' or 'sea'"),
    ],
)
def test_what_is_expected_is_an_order_that_can_be_obeyed(
    question: str, answer: str, order: str
) -> None:
    assert [found.expected for found in check(Case(question, answer))] == [order]


def test_a_long_demand_is_cut_where_it_is_told() -> None:
    found = one(f"Use the words {' '.join(repr(f'word{n}') for n in range(20))}.", "none")
    assert "\u2026" in found.why


def test_an_empty_answer_is_left_to_refusal() -> None:
    assert list(check(Case("List three cats.", "  "))) == []


@pytest.mark.parametrize(
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


SNOW = "Snow fell all night. The roofs turned white. Nobody went out of the door."


@pytest.mark.parametrize(
    ("question", "answer", "expected"),
    [
        ("Write exactly 2 sentences.", SNOW, ("wrong", "hard")),
        ("Write 2 sentences.", SNOW, ("wrong", "hint")),
        ("Write 5 sentences.", SNOW, ("wrong", "hard")),
        ("Write 3 sentences.", "Title\n" + SNOW, ("ok", "hard")),
        ("Write 3 sentences.", "```\nx\n```", ("unchecked", "hard")),
        (
            "Write 3 sentences.",
            "Es schneit. Das ist gut und die Kinder sind froh.",
            ("unchecked", "hard"),
        ),
        ("Write 2 paragraphs.", SNOW, ("wrong", "hard")),
        ("Write 2 paragraphs.", f"{SNOW}\n\n---\n\n{SNOW} And so on.", ("ok", "hard")),
        ("Write 2 paragraphs.", "```\nx\n```", ("unchecked", "hard")),
        ("Write 2 lines.", "One line", ("wrong", "hard")),
        ("Write 2 lines.", "One / two", ("ok", "hard")),
        ("Write 2 lines.", "```\nx\n```", ("unchecked", "hard")),
        ("Write a text of 100 words.", SNOW, ("wrong", "hard")),
        ("Write a text of 100 words.", SNOW * 30, ("wrong", "hint")),
        ("Write a text of 20 words.", SNOW, ("ok", "hard")),
        ("Write at most 5 words.", SNOW, ("wrong", "hard")),
        ("Write at most 5 words.", "\u6cb3\u6d41" * 40, ("unchecked", "hard")),
        ("Write at most 50 characters.", SNOW, ("wrong", "hard")),
        ("Write at least 500 characters.", SNOW, ("wrong", "hard")),
    ],
)
def test_lengths(question: str, answer: str, expected: tuple[str, str]) -> None:
    assert status(question, answer) == expected


def test_of_two_pieces_of_work_a_limit_may_bind_one() -> None:
    question = "Write a story about rain. Write a poem in at most 5 words."
    assert status(question, SNOW) == ("wrong", "hint")


@pytest.mark.parametrize(
    ("question", "good", "bad"),
    [
        ("Return it as JSON.", "true", "It is true."),
        ("Return it as JSON.", "[1]", "one"),
        ("Use the words 'criticize' and 'war'.", "Criticism of war", "Praise of war"),
        ("Do not use the words 'very' or 'e'.", "so", "very"),
        ("Do not use the words 'very' or 'e'.", "so", "the"),
        ("Reply in Thai.", "\u0e2a\u0e27\u0e31\u0e2a\u0e14\u0e35", "Hello"),
    ],
)
def test_formats_and_words(question: str, good: str, bad: str) -> None:
    assert status(question, good) == ("ok", "hard")
    assert status(question, bad) == ("wrong", "hard")


def test_a_language_may_be_asked_for_in_latin_letters() -> None:
    question = "Say good day with its pronunciation. Reply in Thai."
    assert status(question, "sawasdee") == ("unchecked", "hard")
    assert status("Reply in French.", "Bonjour") == ("unchecked", "hard")
    assert status("Translate it to French.", "Good day to all.") == ("unchecked", "hard")


DATA = Path(__file__).parent / "data" / "text_form.jsonl"
ROWS = [json.loads(line) for line in DATA.read_text("utf-8").splitlines()]
FAMILIES = (refusal.check, truncation.check, requested_form.check, syntax.check)


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


@settings(derandomize=True, deadline=None, max_examples=150)
@given(st.sampled_from([str(row["question"]) for row in ROWS]), st.text(max_size=300))
def test_no_answer_makes_a_check_raise_and_every_place_is_inside(
    question: str, answer: str
) -> None:
    case = Case(question, answer)
    for family in FAMILIES:
        for found in family(case):
            if found.start is not None and found.end is not None:
                assert 0 <= found.start <= found.end <= len(answer)
