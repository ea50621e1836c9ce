"""Feedback: a person outranks every score, is heard once, and may change their mind."""

from dataclasses import replace

import pytest

from reflection_mcp.store.contract import Store
from reflection_mcp.store.interactions import Effect, FeedbackKind
from reflection_mcp.store.records import Attempt
from tests.contract.samples import EVERYWHERE, HERE, asked, learned, met, said, tried
from tests.requirements import requirement

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


async def test_another_conversation_is_another_occasion(store: Store) -> None:
    await store.record(HERE, met(learned("lock"), "e1"))
    for conversation, expected in (("talk", (0, 1)), ("talk", (0, 1)), ("chat", (0, 2))):
        await store.apply_feedback(HERE, said("negative", "ref-lock", said_in=conversation))
        assert await _votes(store) == expected
    moved = await store.apply_feedback(HERE, said("positive", "ref-lock", said_in="talk"))
    assert [(row.helped, row.failed) for row in moved.reflections] == [(1, 1)]


async def test_advice_that_was_shown_again_on_another_day_is_judged_again(store: Store) -> None:
    await store.record(HERE, met(learned("lock"), "e1"))
    days = {"1": 0, "2": 5, "3": 24 * 60}  # the second within minutes: the error was still there
    expected = {"1": (0, 1), "2": (0, 1), "3": (0, 2)}
    for name, minute in days.items():
        await store.log_lookup(HERE, asked(name, shown=("ref-lock",), minute=minute))
        await store.apply_feedback(HERE, said("negative", f"look-{name}", minute=minute + 1))
        assert await _votes(store) == expected[name]
        # The lesson itself stands for its last look-up in this conversation.
        again = await store.apply_feedback(HERE, said("negative", "ref-lock", minute=minute + 2))
        assert again.repeated
    late = await store.apply_feedback(HERE, said("negative", "look-1", minute=3 * 24 * 60))
    assert late.repeated


async def test_no_source_gains_weight_by_talking_much(store: Store) -> None:
    await store.record(HERE, met(learned("lock"), "e1"))

    async def say(kind: FeedbackKind, times: int, begin: int) -> tuple[int, int]:
        for each in range(begin, begin + times):
            about = said(kind, "ref-lock", said_in=f"talk-{each}", minute=each)
            await store.apply_feedback(HERE, about)
        return await _votes(store)

    assert await say("positive", 9, 0) == (4, 0)
    assert await say("negative", 1, 9) == (3, 1)  # its newest four
    assert await say("negative", 9, 10) == (0, 4)
    assert await say("positive", 1, 3) == (0, 4)  # an old occasion, told again
    await store.apply_feedback(HERE, said("positive", "ref-lock", by="bob"))
    assert await _votes(store) == (1, 4)


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
    assert await store.vetoes(HERE, "sig1:lock") == {"ref-lock": "look-1", "ref-rule": "look-1"}
    assert await store.vetoes(HERE, "sig1:other") == {}
    again = await store.apply_feedback(HERE, said("wrong_match", "look-1", by="bob"))
    assert (again.vetoed, again.repeated) == ((), True)
    assert (await store.stats(HERE)).feedback == 2


async def test_a_wrong_match_of_a_reflection_means_its_last_look_up(store: Store) -> None:
    await store.log_lookup(HERE, asked("1", signature="old", shown=("ref-lock",)))
    await store.log_lookup(HERE, asked("2", signature="new", shown=("ref-a", "ref-lock")))
    await store.log_lookup(HERE, asked("3", signature="else", matched_id="ref-a"))
    effect = await store.apply_feedback(HERE, said("wrong_match", "ref-lock"))
    assert (effect.vetoed, effect.lookup_id) == ((("new", "ref-lock"),), "look-2")
    effect = await store.apply_feedback(HERE, said("wrong_match", "ref-a"))
    assert (effect.vetoed, effect.lookup_id) == ((("else", "ref-a"),), "look-3")


async def test_a_wrong_match_of_a_conversation_means_its_last_answer(store: Store) -> None:
    await store.log_lookup(HERE, asked("1", signature="old", shown=("ref-a",)))
    await store.log_lookup(HERE, asked("2", signature="new", shown=("ref-b",)))
    await store.log_lookup(HERE, asked("3", signature="none"))
    await store.log_lookup(HERE, asked("4", shown=("ref-c",), conversation="chat"))
    effect = await store.apply_feedback(HERE, said("wrong_match", conversation="talk"))
    assert (effect.vetoed, effect.lookup_id) == ((("new", "ref-b"),), "look-2")


@pytest.mark.parametrize("kind", ["positive", "negative"])
async def test_a_verdict_on_a_look_up_does_not_count_on_a_match_that_it_did_not_show(
    store: Store, kind: FeedbackKind
) -> None:
    await store.record(HERE, met(learned("lock"), "e1"))
    await store.log_lookup(HERE, asked("1", matched_id="ref-lock"))
    assert await store.apply_feedback(HERE, said(kind, "look-1")) == Effect()
    assert await _votes(store) == (0, 0)


async def test_praise_of_the_look_up_takes_a_wrong_match_back_whoever_said_it(
    store: Store,
) -> None:
    await store.record(HERE, met(learned("lock"), "e1"))
    await store.log_lookup(HERE, asked("1", matched_id="ref-lock", shown=("ref-lock",)))
    other = asked("2", matched_id="ref-lock", shown=("ref-lock",), signature="sig1:other")
    await store.log_lookup(HERE, other)
    await store.apply_feedback(HERE, said("positive", "look-2"))
    for look_up in ("look-1", "look-2"):
        await store.apply_feedback(HERE, said("wrong_match", look_up))
    effect = await store.apply_feedback(HERE, said("positive", "look-1", by="bob"))
    assert effect.restored == (("sig1:lock", "ref-lock"),)
    assert await store.vetoes(HERE, "sig1:lock") == {}
    assert await store.vetoes(HERE, "sig1:other") == {"ref-lock": "look-2"}
    # The same person need not have changed their vote for that.
    back = await store.apply_feedback(HERE, said("positive", "look-2"))
    assert (back.restored, back.reflections) == ((("sig1:other", "ref-lock"),), ())
    assert back.found
    assert not back.repeated
    again = await store.apply_feedback(HERE, said("positive", "look-2"))
    assert (again.restored, again.repeated) == ((), True)
    effect = await store.apply_feedback(HERE, said("wrong_match", "look-1"))
    assert effect.vetoed == (("sig1:lock", "ref-lock"),)


async def test_praise_of_the_lesson_or_blame_takes_no_wrong_match_back(store: Store) -> None:
    await store.record(HERE, met(learned("lock"), "e1"))
    await store.log_lookup(HERE, asked("1", shown=("ref-lock",)))
    await store.apply_feedback(HERE, said("wrong_match", "look-1"))
    for said_now in (said("negative", "look-1"), said("positive", "ref-lock")):
        assert (await store.apply_feedback(HERE, said_now)).restored == ()
    assert set(await store.vetoes(HERE, "sig1:lock")) == {"ref-lock"}


async def test_a_veto_names_the_last_look_up_that_offered_what_it_parts(store: Store) -> None:
    await store.log_lookup(HERE, asked("1", shown=("ref-lock",)))
    await store.log_lookup(HERE, asked("2", shown=("ref-lock",)))
    await store.log_lookup(HERE, asked("3", shown=("ref-other",)))
    await store.apply_feedback(HERE, said("wrong_match", "look-1"))
    assert await store.vetoes(HERE, "sig1:lock") == {"ref-lock": "look-2"}
    await store.forget(HERE, "look-1")
    await store.forget(HERE, "look-2")
    assert await store.vetoes(HERE, "sig1:lock") == {"ref-lock": ""}


async def test_a_global_veto_holds_in_every_project_and_is_taken_back_where_it_was_said(
    store: Store,
) -> None:
    await store.log_lookup(EVERYWHERE, asked("1", shown=("ref-lock",)))
    await store.apply_feedback(EVERYWHERE, said("wrong_match", "look-1"))
    assert await store.vetoes(HERE, "sig1:lock") == {"ref-lock": ""}
    assert await store.vetoes(EVERYWHERE, "sig1:lock") == {"ref-lock": "look-1"}
    await store.log_lookup(HERE, asked("2", shown=("ref-lock",)))
    await store.apply_feedback(HERE, said("wrong_match", "look-2"))
    assert await store.vetoes(HERE, "sig1:lock") == {"ref-lock": "look-2"}


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


async def _found(store: Store, signature: str) -> list[tuple[str, str]]:
    hits = await store.find(HERE, [signature.rpartition(":")[2]], signature=signature)
    return [(hit.reflection.id, hit.key.kind) for hit in hits]


@requirement("errors:asked-once")
async def test_praise_of_a_look_up_joins_what_it_asked_about_for_good(store: Store) -> None:
    await store.record(HERE, met(learned("lock"), "e1"))
    await store.log_lookup(HERE, asked("one", signature="sig1:aa", asked_id="ref-lock"))
    assert await _found(store, "sig1:aa") == []
    effect = await store.apply_feedback(HERE, said("positive", "look-one"))
    assert effect == Effect(joined=(("sig1:aa", "ref-lock"),))
    assert effect.found
    assert await _found(store, "sig1:aa") == [("ref-lock", "joined")]
    assert await _votes(store) == (0, 0)
    again = await store.apply_feedback(HERE, said("positive", "look-one"))
    assert again == Effect(repeated=True)


@requirement("errors:asked-once")
async def test_a_wrong_match_separates_what_was_asked_about_and_praise_joins_it(
    store: Store,
) -> None:
    await store.record(HERE, met(learned("lock"), "e1"))
    await store.log_lookup(HERE, asked("one", signature="sig1:aa", asked_id="ref-lock"))
    effect = await store.apply_feedback(HERE, said("wrong_match", "look-one"))
    assert effect.vetoed == (("sig1:aa", "ref-lock"),)
    assert await store.vetoes(HERE, "sig1:aa") == {"ref-lock": "look-one"}
    effect = await store.apply_feedback(HERE, said("positive", "look-one"))
    pair = (("sig1:aa", "ref-lock"),)
    assert (effect.restored, effect.joined) == (pair, pair)
    await store.apply_feedback(HERE, said("wrong_match", "look-one"))
    assert await _found(store, "sig1:aa") == []


async def test_what_was_asked_about_and_is_gone_or_of_another_project_is_not_joined(
    store: Store,
) -> None:
    await store.record(EVERYWHERE, met(learned("lock"), "e1"))
    for name, target in (("one", "ref-lock"), ("two", "ref-gone")):
        await store.log_lookup(HERE, asked(name, signature="sig1:aa", asked_id=target))
        effect = await store.apply_feedback(HERE, said("positive", f"look-{name}"))
        assert not effect.found
    assert await _found(store, "sig1:aa") == []


async def test_a_wrong_match_holds_for_a_neighbour_and_praise_of_it_joins_nothing(
    store: Store,
) -> None:
    await store.record(HERE, met(learned("lock"), "e1"))
    await store.log_lookup(HERE, asked("one", signature="sig1:aa", neighbour_id="ref-lock"))
    assert not (await store.apply_feedback(HERE, said("positive", "look-one"))).found
    effect = await store.apply_feedback(HERE, said("wrong_match", "look-one"))
    assert effect.vetoed == (("sig1:aa", "ref-lock"),)
    row = await store.reflection(HERE, "ref-lock")
    assert row is not None
    assert (row.shown, row.recurred) == (0, 0)


async def test_a_look_up_is_read_back_with_what_was_near(store: Store) -> None:
    logged = asked("one", neighbour_id="ref-a", asked_id="ref-b")
    await store.log_lookup(HERE, logged)
    assert await store.lookup(HERE, "look-one") == logged


@requirement("dashboard:undo")
async def test_a_vote_that_is_withdrawn_was_never_cast(store: Store) -> None:
    await store.record(HERE, met(learned("lock"), "e1"))
    await store.apply_feedback(HERE, said("positive", "ref-lock", minute=1, by="ann"))
    before = await store.stored(HERE), await store.votes(HERE), await store.stats(HERE)
    for kind in ("positive", "negative"):
        await store.apply_feedback(HERE, said(kind, "ref-lock", minute=2, by="bob"))
        back = replace(said(kind, "ref-lock", minute=2, by="bob"), kind="withdrawn")
        effect = await store.apply_feedback(HERE, back)
        assert [(each.helped, each.failed) for each in effect.reflections] == [(1, 0)]
        again = await store.apply_feedback(HERE, back)
        assert (again.repeated, again.reflections) == (True, ())
        assert before == (
            await store.stored(HERE), await store.votes(HERE), await store.stats(HERE),
        )  # fmt: skip


@requirement("dashboard:undo")
async def test_a_withdrawn_wrong_match_may_match_again_and_votes_on_it_stay(store: Store) -> None:
    await store.record(HERE, met(learned("lock"), "e1"))
    lookup = asked("1", matched_id="ref-lock", shown=("ref-lock",))
    await store.log_lookup(HERE, lookup)
    await store.apply_feedback(HERE, said("positive", "look-1", by="ann"))
    await store.apply_feedback(HERE, said("wrong_match", "look-1", by="ann"))
    back = replace(said("wrong_match", "look-1", by="ann"), kind="withdrawn")
    effect = await store.apply_feedback(HERE, back)
    assert effect.restored == ((lookup.signature, "ref-lock"),)
    assert await store.vetoes(HERE, lookup.signature) == {}
    assert [vote.kind for vote in await store.votes(HERE)] == ["positive"]


async def test_nothing_is_withdrawn_of_what_has_no_vote(store: Store) -> None:
    await store.add_attempt(HERE, tried("one", quality=0.5), event_id="one")
    await store.apply_feedback(HERE, said("positive", "att-one"))
    for target in ("att-one", "ref-none"):
        back = replace(said("positive", target), kind="withdrawn")
        assert await store.apply_feedback(HERE, back) == Effect()
    assert len(await store.votes(HERE)) == 1
