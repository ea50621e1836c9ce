"""Trouble, a task, or something new?"""

import pytest

from reflection_mcp.tools.data_files import DataRow, rules
from reflection_mcp.tools.learning.intent import intent_of

ROWS = rules("reflection_mcp.tools.learning", "intent.rules")


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_example_of_a_row_has_its_intent(row: DataRow) -> None:
    assert set(map(intent_of, row.matches)) == {row["intent"]}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_counter_example_of_a_row_does_not(row: DataRow) -> None:
    assert row.keeps and all(intent_of(text) != row["intent"] for text in row.keeps)


def test_who_wants_something_new_and_tells_of_trouble_has_trouble() -> None:
    assert intent_of("write a test that fails when the date is wrong") == "trouble"


def test_a_query_that_shows_nothing_is_a_task() -> None:
    assert intent_of("rename a column") == "task"
