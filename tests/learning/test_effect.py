"""Did advice help?"""

import random
from dataclasses import replace
from datetime import timedelta

import pytest

from reflection_mcp.store.records import Reflection, Scope
from reflection_mcp.tools.learning.effect import is_harmful, lower_bound, ranked, record
from tests.tools.workshops import NOON

LESSON = Reflection(
    id="ref-1",
    scope=Scope(project="shop"),
    kind="reflection",
    signature="sig1:0000000000000000",
    lesson="Pin the version.",
    first_seen=NOON,
    last_seen=NOON,
)


def test_a_rate_without_observations_has_no_lower_bound_above_zero() -> None:
    assert lower_bound(0, 0) == 0.0


def test_more_evidence_for_the_same_rate_raises_its_lower_bound() -> None:
    assert 0 < lower_bound(3, 4) < lower_bound(30, 40) < 0.75


def test_advice_that_helped_ranks_before_untried_before_failed() -> None:
    helped = replace(LESSON, id="helped", helped=3)
    failed = replace(LESSON, id="failed", failed=1)
    order = ranked([failed, LESSON, helped], NOON)
    assert [r.id for r in order] == ["helped", "ref-1", "failed"]


def test_coming_back_after_it_was_shown_counts_against_advice() -> None:
    recurred = replace(LESSON, id="recurred", recurred=2)
    assert [r.id for r in ranked([recurred, LESSON], NOON)] == ["ref-1", "recurred"]


def test_newer_advice_ranks_first_when_all_else_is_equal() -> None:
    old = replace(LESSON, id="a-old", last_seen=NOON - timedelta(days=400))
    assert [r.id for r in ranked([old, LESSON], NOON)] == ["ref-1", "a-old"]


def test_advice_of_equal_worth_keeps_an_order_that_never_changes() -> None:
    rows = [replace(LESSON, id=name) for name in "cab"]
    assert [r.id for r in ranked(rows, NOON)] == ["a", "b", "c"]


@pytest.mark.parametrize("seed", range(20))
def test_advice_that_fails_three_of_four_is_withheld_within_four_showings(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(50):
        votes = [False, False, False, True]
        chance.shuffle(votes)
        assert any(is_harmful(row) for row in _life(votes))


@pytest.mark.parametrize("seed", range(20))
def test_advice_that_works_three_of_four_times_is_never_withheld(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(50):
        votes: list[bool] = []
        for _ in range(10):
            four = [True, True, True, False]
            chance.shuffle(four)
            votes += four
        assert not any(is_harmful(row) for row in _life(votes))


def _life(votes: list[bool]) -> list[Reflection]:
    """The lesson after each vote."""
    rows: list[Reflection] = []
    row = LESSON
    for good in votes:
        row = replace(row, helped=row.helped + good, failed=row.failed + (not good))
        rows.append(row)
    return rows


def test_the_record_of_advice_is_told_in_words() -> None:
    assert record(LESSON) == "not tried yet"
    assert record(replace(LESSON, shown=2)) == "no feedback yet"
    assert record(replace(LESSON, helped=3, failed=1)) == "helped 3 of 4 times"
