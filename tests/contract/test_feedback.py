"""Feedback: a person outranks every score, is heard once, and may change their mind."""

import pytest

from reflection_mcp.store.contract import Store
from reflection_mcp.store.records import Attempt, Effect, FeedbackKind
from tests.contract.samples import EVERYWHERE, HERE, asked, learned, met, said, tried

pytestmark = pytest.mark.anyio


async def _attempt(store: Store, name: str) -> Attempt:
    attempt = await store.attempt(HERE, f"att-{name}")
    assert attempt is not None
    return attempt


async def _votes(store: Store, name: str = "lock") -> tuple[int, int]:
    row = await store.reflection(HERE, f"ref-{name}")
    assert row is not None
    return row.helped, row.failed


@pytest.mark.parametrize(
    ("kind", "judged", "expected"),
    [
        ("positive", None, 0.7),
        ("positive", 0.2, 0.7),
        ("positive", 0.9, 0.9),
        ("negative", None, 0.3),
        ("negative", 0.9, 0.3),
        ("negative", 0.1, 0.1),
    ],
)
async def test_feedback_lifts_or_lowers_the_quality_of_an_attempt(
    store: Store, kind: FeedbackKind, judged: float | None, expected: float
) -> None:
    attempt = tried("one", judged_quality=judged, quality=judged)
    await store.add_attempt(HERE, attempt, event_id="e1")
    effect = await store.apply_feedback(HERE, said(kind, "att-one"))
    assert [(a.quality, a.feedback) for a in effect.attempts] == [(expected, kind)]
    stored = await _attempt(store, "one")
    assert (stored.quality, stored.feedback, stored.judged_quality) == (expected, kind, judged)
    assert effect.found


async def test_a_quality_that_nobody_judged_is_lifted_from_where_it_is(store: Store) -> None:
    await store.add_attempt(HERE, tried("one", quality=0.8), event_id="e1")
    effect = await store.apply_feedback(HERE, said("positive", "att-one"))
    assert [attempt.quality for attempt in effect.attempts] == [0.8]


async def test_a_person_who_changes_their_mind_is_not_stuck(store: Store) -> None:
    attempt = tried("one", judged_quality=0.9, quality=0.9)
    await store.add_attempt(HERE, attempt, event_id="e1")
    await store.apply_feedback(HERE, said("negative", "att-one"))
    await store.apply_feedback(HERE, said("positive", "att-one"))
    assert (await _attempt(store, "one")).quality == 0.9


async def test_feedback_on_a_conversation_reaches_each_of_its_attempts(store: Store) -> None:
    for name, conversation in (("one", "talk"), ("two", "talk"), ("else", "chat")):
        await store.add_attempt(HERE, tried(name, conversation=conversation), event_id=name)
    effect = await store.apply_feedback(HERE, said("negative", conversation="talk"))
    assert {attempt.id for attempt in effect.attempts} == {"att-one", "att-two"}
    assert (await _attempt(store, "else")).quality is None
    again = await store.apply_feedback(HERE, said("negative", conversation="talk"))
    assert (again.attempts, again.repeated) == ((), True)
    await store.add_attempt(HERE, tried("three"), event_id="three")
    more = await store.apply_feedback(HERE, said("negative", conversation="talk"))
    assert [attempt.id for attempt in more.attempts] == ["att-three"]
    assert not more.repeated


async def test_each_source_has_one_vote_and_may_move_it(store: Store) -> None:
    await store.record(HERE, met(learned("lock"), "e1"))
    steps: tuple[tuple[str, FeedbackKind, tuple[int, int]], ...] = (
        ("ann", "positive", (1, 0)),
        ("ann", "positive", (1, 0)),
        ("bob", "positive", (2, 0)),
        ("ann", "negative", (1, 1)),
        ("ann", "negative", (1, 1)),
        ("bob", "negative", (0, 2)),
        ("ann", "positive", (1, 1)),
    )
    before = (0, 0)
    for source, kind, expected in steps:
        effect = await store.apply_feedback(HERE, said(kind, "ref-lock", by=source))
        assert await _votes(store) == expected
        assert effect.repeated == (expected == before)
        assert [(r.helped, r.failed) for r in effect.reflections] == (
            [] if expected == before else [expected]
        )
        before = expected
    assert (await store.stats(HERE)).feedback == 2


async def test_feedback_on_a_look_up_rates_what_it_offered(store: Store) -> None:
    for name in ("lock", "rule", "other"):
        await store.record(HERE, met(learned(name), name))
    lookup = asked("1", matched_id="ref-lock", shown=("ref-rule", "ref-lock", "ref-gone"))
    await store.log_lookup(HERE, lookup)
    effect = await store.apply_feedback(HERE, said("positive", "look-1"))
    assert {row.id for row in effect.reflections} == {"ref-lock", "ref-rule"}
    assert await _votes(store, "other") == (0, 0)
    assert (await store.apply_feedback(HERE, said("positive", "look-1"))).repeated


@pytest.mark.parametrize("kind", ["positive", "negative", "wrong_match", "forget"])
async def test_feedback_on_nothing_has_no_effect(store: Store, kind: FeedbackKind) -> None:
    for feedback in (said(kind, "ref-none"), said(kind, conversation="none")):
        effect = await store.apply_feedback(HERE, feedback)
        assert effect == Effect()
        assert not effect.found


async def test_a_wrong_match_vetoes_all_that_the_look_up_offered(store: Store) -> None:
    lookup = asked("1", verdict="same", matched_id="ref-lock", shown=("ref-rule",))
    await store.log_lookup(HERE, lookup)
    effect = await store.apply_feedback(HERE, said("wrong_match", "look-1"))
    assert effect.vetoed == (("sig1:lock", "ref-lock"), ("sig1:lock", "ref-rule"))
    assert await store.vetoes(HERE, "sig1:lock") == {"ref-lock", "ref-rule"}
    assert await store.vetoes(HERE, "sig1:other") == frozenset()
    again = await store.apply_feedback(HERE, said("wrong_match", "look-1", by="bob"))
    assert (again.vetoed, again.repeated) == ((), True)
    assert (await store.stats(HERE)).feedback == 2


async def test_a_wrong_match_of_a_reflection_means_its_last_look_up(store: Store) -> None:
    await store.log_lookup(HERE, asked("1", signature="old", shown=("ref-lock",)))
    await store.log_lookup(HERE, asked("2", signature="new", shown=("ref-a", "ref-lock")))
    await store.log_lookup(HERE, asked("3", signature="else", matched_id="ref-a"))
    effect = await store.apply_feedback(HERE, said("wrong_match", "ref-lock"))
    assert effect.vetoed == (("new", "ref-lock"),)
    effect = await store.apply_feedback(HERE, said("wrong_match", "ref-a"))
    assert effect.vetoed == (("else", "ref-a"),)


async def test_a_wrong_match_of_a_conversation_means_its_last_answer(store: Store) -> None:
    await store.log_lookup(HERE, asked("1", signature="old", shown=("ref-a",)))
    await store.log_lookup(HERE, asked("2", signature="new", shown=("ref-b",)))
    await store.log_lookup(HERE, asked("3", signature="none"))
    await store.log_lookup(HERE, asked("4", shown=("ref-c",), conversation="chat"))
    effect = await store.apply_feedback(HERE, said("wrong_match", conversation="talk"))
    assert effect.vetoed == (("new", "ref-b"),)


async def test_a_global_veto_holds_in_every_project(store: Store) -> None:
    await store.log_lookup(EVERYWHERE, asked("1", shown=("ref-lock",)))
    await store.apply_feedback(EVERYWHERE, said("wrong_match", "look-1"))
    assert await store.vetoes(HERE, "sig1:lock") == {"ref-lock"}


async def test_forget_names_what_it_deleted(store: Store) -> None:
    await store.record(HERE, met(learned("lock"), "e1"))
    effect = await store.apply_feedback(HERE, said("forget", "ref-lock"))
    assert effect.forgotten == ("ref-lock",)
    assert await store.reflection(HERE, "ref-lock") is None


async def test_forgetting_a_conversation_deletes_its_attempts_and_look_ups(
    store: Store,
) -> None:
    for name, conversation in (("one", "talk"), ("two", "chat")):
        await store.add_attempt(HERE, tried(name, conversation=conversation), event_id=name)
        await store.log_lookup(HERE, asked(name, conversation=conversation))
    effect = await store.apply_feedback(HERE, said("forget", conversation="talk"))
    assert set(effect.forgotten) == {"att-one", "look-one"}
    assert await store.attempt(HERE, "att-two") is not None
    assert await store.lookup(HERE, "look-two") is not None
