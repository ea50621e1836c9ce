"""One word for the kind of trouble."""

import pytest

from reflection_mcp.tools.learning.category import LOOKED_AT, RULES, CategoryRule, categorise


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.category)
def test_the_example_of_a_category_has_it(rule: CategoryRule) -> None:
    assert categorise(rule.example) == rule.category


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.category)
def test_the_counter_example_of_a_category_does_not_have_it(rule: CategoryRule) -> None:
    assert categorise(rule.counter_example) != rule.category


def test_a_text_that_shows_no_kind_of_trouble_is_unknown() -> None:
    assert categorise("the kettle is blue") == "unknown"


@pytest.mark.parametrize(
    ("text", "category"),
    [
        ("HTTP 404", "not_found"),
        ("HTTP/1.1 503 Service Unavailable", "network"),
        ("status code: 401", "auth"),
        ("it costs 404 dollars", "unknown"),
    ],
)
def test_a_number_is_a_status_only_where_it_is_called_one(text: str, category: str) -> None:
    assert categorise(text) == category


def test_of_a_long_text_both_ends_are_looked_at() -> None:
    filler = "x" * (2 * LOOKED_AT)
    assert categorise("KeyError: 'a'" + filler) == "data"
    assert categorise(filler + "KeyError: 'a'") == "data"
