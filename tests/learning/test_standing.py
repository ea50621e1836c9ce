"""Which lessons stand out by their meaning?"""

from dataclasses import replace

import pytest

from reflection_mcp.tools.learning.standing import LEAST_OTHERS, meant, standing
from tests.learning.test_recall import LESSON

ROWS = [replace(LESSON, id=f"r{n}") for n in range(LEAST_OTHERS)]


def test_what_is_far_above_the_others_stands_out_and_what_is_below_does_not() -> None:
    stands = standing(ROWS, [0.9, 0.1, *[0.2, 0.3] * (LEAST_OTHERS // 2 - 1)])
    assert stands["r0"] > 4
    assert stands["r1"] == 0
    assert 0 < stands["r3"] < 1


def test_among_a_few_lessons_or_equal_ones_nothing_stands_out() -> None:
    assert standing(ROWS[1:], [0.9, *[0.1] * (LEAST_OTHERS - 2)]) == {}
    assert standing(ROWS, [0.5] * LEAST_OTHERS) == {}


def test_a_query_twice_as_near_to_everything_makes_nobody_stand_out_more() -> None:
    likeness = [0.4, *[0.1, 0.2] * (LEAST_OTHERS // 2 - 1), 0.1]
    doubled = standing(ROWS, [2 * each for each in likeness])
    assert doubled == pytest.approx(standing(ROWS, likeness))


def test_all_that_was_learned_is_compared() -> None:
    row = replace(LESSON, strategy="Pin it.", question="", example="KeyError", tags=("a", "b"))
    assert meant(row) == f"{LESSON.lesson} Pin it. KeyError a b"
