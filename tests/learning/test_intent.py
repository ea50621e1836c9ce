"""Trouble, a task, or something new?"""

from reflection_mcp.tools.learning.intent import intent_of


def test_who_wants_something_new_and_tells_of_trouble_has_trouble() -> None:
    assert intent_of("write a test that fails when the date is wrong") == "trouble"


def test_a_query_that_shows_nothing_is_a_task() -> None:
    assert intent_of("rename a column") == "task"
