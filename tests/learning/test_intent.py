"""Trouble, a task, or something new?"""

import pytest

from reflection_mcp.tools.learning.intent import SIGNS, IntentCue, intent_of


@pytest.mark.parametrize("sign", SIGNS, ids=lambda sign: sign.name)
def test_the_example_of_a_sign_shows_its_intent(sign: IntentCue) -> None:
    assert intent_of(sign.example) == sign.intent


@pytest.mark.parametrize("sign", SIGNS, ids=lambda sign: sign.name)
def test_the_counter_example_of_a_sign_does_not(sign: IntentCue) -> None:
    assert intent_of(sign.counter_example) != sign.intent


def test_who_wants_something_new_and_tells_of_trouble_has_trouble() -> None:
    assert intent_of("write a test that fails when the date is wrong") == "trouble"


def test_a_query_that_shows_nothing_is_a_task() -> None:
    assert intent_of("rename a column") == "task"
