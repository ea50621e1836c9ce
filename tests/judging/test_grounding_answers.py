"""Whole answers over odd contexts: mails, tables, code, logs, other languages, long sums."""

import json
from pathlib import Path

from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.grounding import check as grounding
from reflection_mcp.tools.judging.grounding import citations

DATA = Path(__file__).parent / "data"


def _rows(name: str) -> list[tuple[str, str, str]]:
    lines = (DATA / name).read_text("utf-8").splitlines()
    groups = [json.loads(line) for line in lines]
    return [
        (group["context"], question, answer)
        for group in groups
        for question, answer in group["answers"]
    ]


def _faults(context: str, question: str, answer: str) -> list[str]:
    case = Case(question, answer, context)
    found = [*grounding.check(case), *citations.check(case)]
    return [one.stated for one in found if one.status == "wrong"]


# Two steps of reckoning, or a unit that comes of another number than the nearest ones.
WRONGLY_FAULTED = frozenset(
    ("That is a difference of 0.67 ounces.", "He will be free in 2027 at the earliest.")
)
# What a place or a reckoning may excuse, or a word that other words of the context allow.
MISSED = frozenset(
    (
        "Ghana",
        "The Berlin Philharmonic filled the hall.",
        "The total is 91.75.",
        "Paulo Duarte placed the order.",
        "The West sold 980 in the first quarter.",
        "Sales in the north rose by 27%.",
        "The flight took fourteen hours.",
        "Both are insect species.",
        "See https://b.example.net/report for more.",
    )
)


def test_a_right_answer_is_left_alone() -> None:
    right = _rows("ground_right.jsonl")
    assert {row[-1] for row in right if _faults(*row)} == WRONGLY_FAULTED


def test_what_is_true_and_told_in_words_of_its_own_is_left_alone() -> None:
    rows = _rows("ground_paraphrases.jsonl")
    assert [row[-1] for row in rows if _faults(*row)] == []


def test_a_wrong_answer_is_found() -> None:
    wrong = _rows("ground_wrong.jsonl")
    assert {row[-1] for row in wrong if not _faults(*row)} == MISSED
