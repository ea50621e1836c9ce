"""Whether a question asks for an answer from its context alone, and what follows from that."""

import json
from pathlib import Path

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging import check_answer
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.grounding.grounding_check import is_prose
from reflection_mcp.tools.judging.texts.closed_world import QUESTION, Row, asked_for, rows
from tests.rows import each_row

ROWS = rows("row") + rows("open")
GOOD = Path(__file__).parent / "data" / "context_good.jsonl"


@each_row("row", ROWS, ids=lambda row: row.name)
def test_a_row_finds_its_examples_and_leaves_the_others(row: Row) -> None:
    assert row.examples
    assert row.counter_examples
    assert all(row.pattern.search(text.lower()) for text in row.examples)
    assert not any(row.pattern.search(text.lower()) for text in row.counter_examples)


@each_row(
    ("question", "closed"),
    [
        ("According to the article, who won?", True),
        ("According to the article, why did she win?", False),
        ("Answer only from the context: why did she win?", True),
        ("Summarise the log and suggest a fix.", False),
        ("Summarise the log.", True),
        ("Why did the build fail?", False),
        ("", False),
    ],
)
def test_reasons_and_advice_open_the_world_unless_it_is_closed_in_so_many_words(
    question: str, closed: bool
) -> None:
    assert asked_for(question) is closed
    assert Case(question, "", "").closed_world is closed


def test_the_caller_may_close_the_world_and_open_it() -> None:
    assert Case("Why?", "", "", only_context=True).closed_world
    assert not Case("Summarise it.", "", "", only_context=False).closed_world


def test_a_long_question_is_read_at_both_ends() -> None:
    assert asked_for("x " * QUESTION + ". Summarise the text.")
    assert not asked_for("x " * QUESTION + ". Summarise the text. " + "y " * QUESTION)


def faults(question: str, answer: str, context: str, closed: bool | None = None) -> list[Check]:
    found = check_answer(question, answer, context, closed_world=closed)
    return [one for one in found if one.status == "wrong" and one.severity == "hard"]


LOG = "The command 'setup.sh' returned a non-zero code: 137"
PAGE = (
    "The Lindqvist Bridge in Varberg was opened in 1932. It is 412 metres long and was built by "
    "Olof Strand."
)


def test_an_explanation_may_say_more_than_its_context() -> None:
    answer = "Exit code 137 is 128 + 9, so the process got SIGKILL. Give Docker more memory."
    assert faults("The build fails. What happened?", answer, LOG) == []


def test_in_a_closed_world_what_the_context_lacks_is_a_fault() -> None:
    answer = "The bridge was opened in 1987 by Karin Blom."
    found = faults("According to the page, who opened it?".replace("page", "article"), answer, PAGE)
    assert [one.quote for one in found] == ["1987", "Karin Blom"]
    assert faults("Who opened it?", answer, PAGE) == []
    assert [one.quote for one in faults("Who opened it?", answer, PAGE, True)] == [
        "1987", "Karin Blom",
    ]  # fmt: skip


def test_names_are_held_against_prose_only() -> None:
    plan = "Gather (cost=1000.00..2154.18 rows=38)\n  ->  Seq Scan on orders (rows=16)"
    assert is_prose(PAGE)
    assert not is_prose(plan)
    assert faults("", "It is a plan of PostgreSQL.", plan, True) == []


@each_row(
    "answer",
    [
        "The page does not say that Karin Blom opened it.",
        "It does not mention the year 1987.",
        "Who paid is not stated; Karin Blom is unknown here.",
        "So fiel die Entscheidung des Rates von Hallstad, und das ist nicht die beste.",
    ],
)
def test_what_the_answer_itself_says_is_not_told_is_no_fault(answer: str) -> None:
    assert faults("", answer, PAGE, True) == []


@each_row("line", GOOD.read_text("utf-8").splitlines())
def test_a_good_answer_over_a_log_a_plan_or_a_page_is_left_alone(line: str) -> None:
    row = json.loads(line)
    assert faults(row["question"], row["answer"], row["context"]) == []
