"""The steps of a conversation: what was done in it, while it goes on."""

from dataclasses import replace

import pytest

from reflection_mcp.store.contract import Store
from reflection_mcp.store.interactions import Step
from reflection_mcp.store.terms import MOST_STEPS, STEPS_LAST
from tests.contract.samples import EVERYWHERE, HERE, STRANGER, THERE, at

pytestmark = pytest.mark.anyio

STEP = Step(
    id="step-1", conversation_id="talk", at=at(0), tool="Bash", told="make", error="Error 2"
)


def steps(count: int, *, minute: float = 0, talk: str = "talk") -> list[Step]:
    return [
        replace(STEP, id=f"{talk}-{n}", at=at(minute), conversation_id=talk, told=f"step {n}")
        for n in range(count)
    ]


async def told(store: Store, talk: str = "talk") -> list[str]:
    return [step.told for step in await store.steps(HERE, talk)]


async def test_steps_come_back_as_they_were_told_in_their_order(store: Store) -> None:
    worked = replace(STEP, id="step-2", at=at(-1), told="pip install ünlocked", error="")
    await store.add_step(HERE, STEP)
    await store.add_step(HERE, worked)
    assert await store.steps(HERE, "talk") == [STEP, worked]
    assert await store.steps(HERE, "another") == []


async def test_a_step_that_is_told_twice_is_one_step(store: Store) -> None:
    await store.add_step(HERE, STEP)
    await store.add_step(HERE, replace(STEP, told="something else"))
    assert await store.steps(HERE, "talk") == [STEP]


async def test_no_other_scope_sees_a_trail(store: Store) -> None:
    await store.add_step(EVERYWHERE, STEP)
    for scope in (HERE, THERE, STRANGER):
        assert await store.steps(scope, "talk") == []


async def test_of_a_long_conversation_the_newest_steps_stay(store: Store) -> None:
    for step in steps(3, talk="other"):
        await store.add_step(HERE, step)
    for step in steps(MOST_STEPS + 5):
        await store.add_step(HERE, step)
    assert await told(store) == [f"step {n}" for n in range(5, MOST_STEPS + 5)]
    assert len(await told(store, "other")) == 3


async def test_a_step_is_forgotten_after_some_days_and_not_before(store: Store) -> None:
    days = STEPS_LAST.total_seconds() / 60
    for scope in (HERE, THERE):
        await store.add_step(scope, replace(STEP, id="old"))
        await store.add_step(scope, replace(STEP, id="young", at=at(1), told="young"))
    await store.add_step(HERE, replace(STEP, id="new", at=at(days + 1), conversation_id="later"))
    assert await told(store) == ["young"]
    assert len(await store.steps(THERE, "talk")) == 2, "another project keeps its own"


async def test_what_no_store_can_carry_is_scrubbed(store: Store) -> None:
    await store.add_step(HERE, replace(STEP, told="a\0b\ud800", conversation_id="talk\0"))
    (step,) = await store.steps(HERE, "talk\0")
    assert step.told == "ab\ufffd"
