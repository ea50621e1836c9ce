"""Whole answers over odd contexts: mails, tables, code, logs, other languages, long sums."""

import json
from pathlib import Path

import pytest

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


RIGHT, WRONG = _rows("ground_right.jsonl"), _rows("ground_wrong.jsonl")
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


@pytest.mark.parametrize(("context", "question", "answer"), RIGHT, ids=lambda text: text[:40])
def test_a_right_answer_is_left_alone(context: str, question: str, answer: str) -> None:
    assert bool(_faults(context, question, answer)) is (answer in WRONGLY_FAULTED)


@pytest.mark.parametrize(("context", "question", "answer"), WRONG, ids=lambda text: text[:40])
def test_a_wrong_answer_is_found(context: str, question: str, answer: str) -> None:
    assert bool(_faults(context, question, answer)) is (answer not in MISSED)
