"""A caller that does what it is told mends wrong solutions, and right ones stay as they are."""

from dataclasses import replace

import pytest

from tests.answer.attempts import flaw
from tests.bench.loop_repair import Solution, corrupted, repaired, run
from tests.requirements import requirement
from tests.rows import each_row

pytestmark = pytest.mark.anyio

RIGHT = (
    Solution(
        name="pens",
        kind="none",
        question="There are 12 boxes of 3 pens and 4 loose ones. How many pens are there?",
        steps=("The boxes hold 12*3 = 36 pens.", "With the loose ones that is 36 + 4 = 40 pens."),
        label=-1,
    ),
    Solution(
        name="shirts",
        kind="none",
        question="A shirt costs $15 and is reduced by a fifth. What do 6 of them cost?",
        steps=(
            "A fifth of $15 is 15 / 5 = $3.",
            "So a shirt costs 15 - 3 = $12.",
            "Six of them cost 6 * 12 = $72.",
        ),
        label=-1,
    ),
)


@requirement("loop:verify-first")
@each_row("wrong", corrupted(RIGHT, 9, seed=1), ids=lambda one: one.name)
async def test_a_wrong_solution_is_mended_by_a_caller_that_does_what_it_is_told(
    wrong: Solution,
) -> None:
    ran = await run(wrong, attempts=4)
    assert (ran.found, ran.fixed) == (True, True)
    assert ran.text == wrong.original


@each_row("right", RIGHT, ids=lambda one: one.name)
async def test_a_right_solution_is_left_alone(right: Solution) -> None:
    ran = await run(right, attempts=4)
    assert (ran.found, ran.changed, ran.calls) == (False, False, 1)


def test_a_finding_without_a_place_or_a_value_changes_nothing() -> None:
    assert repaired("12*3 = 38", [flaw()], "") == "12*3 = 38"
    vague = replace(flaw(), start=0, end=9, expected="")
    assert repaired("12*3 = 38", [vague], "") == "12*3 = 38"
