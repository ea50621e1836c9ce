"""Attempts: appended once, returned as they were, listed by what was asked."""

from typing import Any

import pytest

from reflection_mcp.store.contract import Store
from reflection_mcp.store.records import Attempt, Check, Score
from tests.contract.samples import HERE, THERE, at, tried
from tests.requirements import requirement

pytestmark = pytest.mark.anyio

FULL = Attempt(
    id="att-full",
    conversation_id="talk",
    iteration=2,
    at=at(3.25),
    question="how many?",
    answer_hash="ab12",
    confidence=Score(value=0.25, basis="measured", source="tests"),
    relevance=Score(value=1.0, basis="judged", source="model"),
    completeness=Score(value=0.5, basis="self_reported", source="caller"),
    judged_quality=0.6,
    quality=0.65,
    feedback=None,
    retry=True,
    checks=(
        Check(kind="sum", status="wrong", start=1, end=4, quote="2+2", stated="5", expected="4"),
        Check(kind="unit", status="unchecked", severity="hint", why="no unit was given"),
    ),
    issues=("the sum is wrong",),
    improvements=("add again", "show the steps"),
    outcome="partial",
    error_signature="sig1:lock",
    reflection_id="ref-lock",
    tags=("sums", "größe"),
    source="desktop",
    judge="caller",
    prompt_version="3",
    metadata={"tokens": 12, "cost": 0.5, "cached": True, "model": None, "name": "m"},
)


async def test_an_attempt_comes_back_as_it_was_added(store: Store) -> None:
    assert await store.add_attempt(HERE, FULL, event_id="e1") == FULL
    assert await store.attempt(HERE, "att-full") == FULL


async def test_an_unknown_attempt_is_none(store: Store) -> None:
    assert await store.attempt(HERE, "att-none") is None


async def test_an_event_that_is_delivered_again_returns_the_attempt_it_made(store: Store) -> None:
    first = await store.add_attempt(HERE, tried("one"), event_id="e1")
    again = await store.add_attempt(HERE, tried("two"), event_id="e1")
    assert again == first
    assert await store.attempt(HERE, "att-two") is None


async def test_an_event_id_of_another_scope_is_another_event(store: Store) -> None:
    await store.add_attempt(HERE, tried("one"), event_id="e1")
    await store.add_attempt(THERE, tried("two"), event_id="e1")
    assert await store.attempt(THERE, "att-two") is not None


async def test_an_id_cannot_name_two_attempts(store: Store) -> None:
    await store.add_attempt(HERE, tried("one"), event_id="e1")
    with pytest.raises(ValueError, match="already names"):
        await store.add_attempt(HERE, tried("one", minute=1), event_id="e2")
    assert await store.attempt(HERE, "att-one") == tried("one")


async def test_attempts_are_listed_newest_first_and_ties_by_id(store: Store) -> None:
    for name, minute in (("b", 1), ("a", 1), ("old", 0), ("new", 2)):
        await store.add_attempt(HERE, tried(name, minute=minute), event_id=name)
    listed = await store.attempts(HERE)
    assert [attempt.id for attempt in listed] == ["att-new", "att-a", "att-b", "att-old"]


@requirement("loop:attempts-stored")
async def test_attempts_are_chosen_by_conversation_quality_and_time(store: Store) -> None:
    for name, quality, minute, conversation in (
        ("bad", 0.2, 1, "talk"),
        ("edge", 0.6, 2, "talk"),
        ("none", None, 3, "talk"),
        ("else", 0.1, 4, "chat"),
    ):
        attempt = tried(name, minute=minute, conversation=conversation, quality=quality)
        await store.add_attempt(HERE, attempt, event_id=name)

    async def ids(**chosen: Any) -> list[str]:
        return [a.id[4:] for a in await store.attempts(HERE, **chosen)]

    assert await ids(conversation_id="talk") == ["none", "edge", "bad"]
    assert await ids(max_quality=0.6) == ["else", "bad"]
    assert await ids(since=at(3)) == ["else", "none"]
    assert await ids(conversation_id="talk", max_quality=0.6, since=at(1)) == ["bad"]
    assert await ids(limit=1) == ["else"]
    assert await ids(limit=0) == []
    assert await ids(limit=-1) == []
