"""Answers to contexts in which nearly every word has a capital: notices, boards, menus, minutes.

The right ones are true in words of their own: told with initials, the state of a town, a day, a
column of a table added up. Those that give in full what a board cuts short were flagged at first;
the rule that leaves them alone was made for them.
"""

import json
from pathlib import Path

import pytest

from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.grounding import check as grounding

DATA = Path(__file__).parent / "data" / "ground_capitals.jsonl"
GROUPS = [json.loads(line) for line in DATA.read_text("utf-8").splitlines()]
NOTICE = "THE MILL OF GRETA WAS SOLD.{0} LATER THE OWNER HOLM SAW TO IT THAT IT WAS CLOSED."
FAR = " IT WAS A WET SPRING, AND FOR WEEKS NOTHING ELSE WAS SPOKEN OF IN THE WHOLE OF THE VALLEY."


def _rows(verdict: str) -> list[tuple[str, str, str]]:
    return [
        (group["context"], question, answer)
        for group in GROUPS
        for question, answer in group[verdict]
    ]


def _found(context: str, question: str, answer: str, status: str) -> list[str]:
    found = grounding.check(Case(question, answer, context))
    return [one.quote for one in found if one.status == status]


def test_a_right_answer_to_a_text_of_capitals_is_left_alone() -> None:
    assert [(row, found) for row in _rows("right") if (found := _found(*row, "wrong"))] == []


def test_what_a_text_of_capitals_lacks_is_found() -> None:
    assert [row for row in _rows("wrong") if not _found(*row, "wrong")] == []


@pytest.mark.parametrize("context", ["HALIFAX WON.", "Halifax Won."])
def test_one_name_decides(context: str) -> None:
    assert _found(context, "", "It was won by Tampere.", "wrong") == ["Tampere"]


@pytest.mark.parametrize(
    ("name", "status"),
    [
        pytest.param("Manchester United", "unchecked", id="the beginning, and letters of it"),
        pytest.param("Manchester Rovers", "wrong", id="one of its words is not cut short"),
        pytest.param("Memphis", "wrong", id="other letters"),
        pytest.param("Thessaloniki", "wrong", id="a general word is no short form"),
    ],
)
def test_a_name_that_may_be_cut_short(name: str, status: str) -> None:
    board = "STANDINGS: THE LEADERS ARE MAN UTD WITH 20, NEXT IS LEEDS"
    assert _found(board, "", f"The best of them is {name}.", status) == [name]


def test_no_name_is_cut_short_in_a_text_of_small_letters() -> None:
    told = "The man of the town won, and Leeds was next."
    assert _found(told, "", "The best of them is Manchester.", "wrong") == ["Manchester"]


def test_letters_and_figures_may_stand_apart() -> None:
    told = "Flight HV 318 leaves Zurich at noon."
    assert _found(told, "", "They took the HV318 at noon.", "wrong") == []
    assert _found(told, "", "They took the HV319 at noon.", "wrong") == ["HV319"]


def test_a_capital_that_every_word_has_tells_of_no_other_name() -> None:
    answer = "The mill was closed by Greta Holm."
    assert _found(NOTICE.format(FAR), "", answer, "wrong") == []
