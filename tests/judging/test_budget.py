"""The work that all checks of one answer may do together."""

from importlib import import_module

from reflection_mcp.tools.judging import FAMILIES, check_answer
from reflection_mcp.tools.judging.budget import Budget
from reflection_mcp.tools.judging.case import MOST_PIECES, Case
from tests.rows import each_row


def test_whoever_asks_for_more_than_is_left_is_granted_what_is_left() -> None:
    budget = Budget(10)
    assert budget.grant(3, 2) == 3
    assert budget.grant(9, 2) == 2
    assert budget.grant(1) == 0


def test_pieces_are_read_as_long_as_there_is_work_left() -> None:
    budget = Budget(5)
    assert [*budget.afford(["ab", "c", "def", "g"], len)] == ["ab", "c"]


@each_row("family", FAMILIES)
def test_no_family_fails_when_the_work_is_used_up(family: str) -> None:
    text = "Ann said 3 + 4 = 8, x = 5 and 1 km = 9 m. All tests pass.\n```json\n[1\n```\n"
    case = Case("Only from the context.", text, text, budget=Budget(0))
    check = import_module(f"reflection_mcp.tools.judging.{FAMILIES[family]}").check
    assert all(one.why or one.status == "ok" for one in check(case))


def test_a_long_answer_is_checked_at_its_beginning_and_said_to_be_too_long() -> None:
    found = check_answer("", "1 + 1 = 3. " + "7 + 7 = 15. " * 20_000)
    assert found[0].quote == "1 + 1 = 3"
    assert (found[-1].kind, found[-1].status) == ("length", "unchecked")
    assert all(one.kind != "length" for one in check_answer("", "7 + 7 = 15. " * 99))


PADDING = "\n" * MOST_PIECES
UNREAD = {
    "a sentence": ("", f"The first is good.{PADDING}And the"),
    "a list": ("List 3 animals.", f"- cat\n{PADDING}- dog\n- cow"),
    "JSON": ("Answer in JSON.", f"[1,{PADDING}2]"),
    "code": ("", f"```python\nimport a\na.b(usual)\n```\n{PADDING}```python\nusual = 3\n```"),
    "a number": ("", f"{PADDING[:-1]}1 + 1 = 2.5"),
}
"""Questions, and answers of which the end decides."""


@each_row("kind", UNREAD)
def test_no_finding_depends_on_the_unread_end_of_an_answer(kind: str) -> None:
    question, answer = UNREAD[kind]
    found = check_answer(question, answer)
    assert all(one.status != "wrong" for one in found)
    assert [one.kind for one in found if one.status == "unchecked"] == ["length"]


def test_an_answer_of_very_many_lines_is_checked_at_its_beginning() -> None:
    found = check_answer("", f"1 + 1 = 3.\n{PADDING}2 + 2 = 5.")
    assert [(one.kind, one.quote) for one in found] == [("arithmetic", "1 + 1 = 3"), ("length", "")]


def test_no_more_lines_and_sentences_are_read_than_the_limit() -> None:
    for text in ("\n" * 200_000, "a. " * 70_000, "1.5 " * 50_000):
        case = Case(answer=text)
        assert len(case.lines) + len(case.sentences) <= MOST_PIECES + 2
        assert case.budget.is_short
    assert Case(answer="a. b\n" * 9_000).is_whole
