"""Did advice help?"""

import random
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.store.records import Reflection, Scope
from reflection_mcp.tools.advice import why_withheld
from reflection_mcp.tools.learning.track_record import (
    is_harmful,
    lower_bound,
    proven,
    ranked,
    summary,
    vote_factor,
)
from tests.requirements import requirement
from tests.tools.stage import NOON

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


LIVES = 1000


def _votes(chance: random.Random, rhythm: list[bool], rounds: int) -> list[bool]:
    """So many rounds of four showings, each in an order of its own."""
    votes: list[bool] = []
    for _ in range(rounds):
        four = rhythm.copy()
        chance.shuffle(four)
        votes += four
    return votes


def test_advice_that_fails_three_of_four_times_is_withheld_within_four_showings() -> None:
    chance = random.Random(5)
    lives = [_life(_votes(chance, [False, False, False, True], 1)) for _ in range(LIVES)]
    assert all(any(is_harmful(row) for row in life) for life in lives)


def test_advice_that_works_three_of_four_times_is_never_withheld() -> None:
    chance = random.Random(5)
    lives = [_life(_votes(chance, [True, True, True, False], 10)) for _ in range(LIVES)]
    assert not any(is_harmful(row) for life in lives for row in life)


def test_one_good_word_brings_withheld_advice_back() -> None:
    withheld = replace(LESSON, helped=1, failed=3)
    assert is_harmful(withheld)
    assert not is_harmful(replace(withheld, helped=2))
    assert "bring it back once it has failed at most one time more" in why_withheld(withheld)


def test_advice_shown_again_and_again_without_a_good_word_fades_and_stays() -> None:
    tired = replace(LESSON, id="a-tired", shown=30)
    assert [r.id for r in ranked([tired, LESSON], NOON)] == ["ref-1", "a-tired"]
    thanked = replace(tired, helped=1)
    assert [r.id for r in ranked([LESSON, thanked], NOON)] == ["a-tired", "ref-1"]


def test_votes_lift_and_lower_a_lesson_that_fits() -> None:
    assert vote_factor(LESSON) == 1.0
    assert vote_factor(replace(LESSON, failed=1)) == pytest.approx(0.8)
    assert 1.0 < vote_factor(replace(LESSON, helped=1)) < vote_factor(replace(LESSON, helped=9))
    assert vote_factor(replace(LESSON, helped=9)) < 1.2


def _life(votes: list[bool]) -> list[Reflection]:
    """The lesson after each vote."""
    rows: list[Reflection] = []
    row = LESSON
    for good in votes:
        row = replace(row, helped=row.helped + good, failed=row.failed + (not good))
        rows.append(row)
    return rows


def test_the_record_of_advice_is_told_in_words() -> None:
    assert summary(LESSON) == "not tried yet"
    assert summary(replace(LESSON, shown=2)) == "no feedback yet"
    assert summary(replace(LESSON, helped=3, failed=1)) == "helped 3 of 4 times"


# --------------------------------------------------------------------- whom a lesson comes from

counts = st.integers(0, 6)
records = st.fixed_dictionaries(
    {
        "helped": counts,
        "failed": counts,
        "shown": counts,
        "recurred": counts,
        "importance": st.floats(0, 1),
        "last_seen": st.integers(0, 4000).map(lambda days: NOON - timedelta(days=days)),
    }
)


@requirement("team:two-people")
@given(records, st.integers(1, 9), st.integers(1, 9))
def test_all_else_equal_what_more_people_say_ranks_first(
    record: dict[str, Any], few: int, more: int
) -> None:
    by_few = replace(LESSON, id="a-few", sources=few, **record)
    by_more = replace(LESSON, id="b-more", sources=few + more, **record)
    assert [row.id for row in ranked([by_few, by_more], NOON)] == ["b-more", "a-few"]
    assert proven(by_more) > proven(by_few)


@requirement("team:two-people")
@given(records, st.integers(0, 4000))
def test_a_lesson_of_the_project_ranks_before_one_of_the_tenant_that_is_as_well_proven(
    record: dict[str, Any], days: int
) -> None:
    own = replace(LESSON, id="z-own", **record)
    seen = NOON - timedelta(days=days)
    wide = replace(own, id="a-wide", scope=Scope(), last_seen=seen)
    assert [row.id for row in ranked([wide, own], NOON)] == ["z-own", "a-wide"]
