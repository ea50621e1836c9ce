"""Versions: lesson, strategy and outcome are replaced, refuted and judged together."""

from dataclasses import replace

import pytest

from reflection_mcp.store.contract import Store, Writes
from reflection_mcp.store.interactions import FeedbackKind
from reflection_mcp.store.lesson_versions import first_id, version_id
from reflection_mcp.store.maintenance import Change
from reflection_mcp.store.records import Link, RecordResult, Reflection
from tests.contract.samples import EVERYWHERE, HERE, asked, at, learned, met, said
from tests.requirements import requirement

pytestmark = pytest.mark.anyio

OLD, NEW = version_id("ref-lock", "wait", ""), version_id("ref-lock", "retry", "")


async def _row(store: Store, name: str = "ref-lock") -> Reflection:
    row = await store.reflection(HERE, name)
    assert row is not None
    return row


async def _two(store: Store) -> None:
    """A lesson of ann, and a second opinion of bob."""
    await store.record(HERE, met(learned("lock", lesson="wait"), "e1", by="ann"))
    second = learned("lock", lesson="retry", minute=5)
    await store.record(HERE, met(second, "e2", by="bob"))


async def _vote(store: Store, kind: FeedbackKind, target: str, *by: str) -> None:
    for source in by:
        await store.apply_feedback(HERE, said(kind, target, by=source))


@requirement("lesson:one-version")
async def test_a_later_word_of_the_same_author_replaces_the_whole_version(store: Store) -> None:
    first = learned(
        "lock", lesson="wait", strategy="sleep", outcome="success", evidence="it worked"
    )
    await store.record(HERE, met(first, "e1"))
    later = learned("lock", lesson="never wait", minute=5, outcome="failure", evidence="it hung")
    result = await store.record(HERE, met(later, "e2"))
    row = result.reflection
    assert (row.lesson, row.strategy, row.outcome) == ("never wait", "", "failure")
    assert (row.evidence, row.source) == ("it hung", "ann")
    assert result.replaced is not None
    assert (result.replaced.words, result.replaced.at) == (("wait", "sleep"), at(0))
    assert row == await _row(store)
    again = await store.record(HERE, met(later, "e3"))
    assert again.replaced is None


async def test_who_says_the_same_in_short_keeps_the_strategy(store: Store) -> None:
    await store.record(HERE, met(learned("lock", lesson="wait", strategy="sleep"), "e1"))
    result = await store.record(HERE, met(learned("lock", lesson="wait"), "e2"))
    assert (result.reflection.strategy, result.replaced) == ("sleep", None)


@pytest.mark.parametrize(("by", "strategy"), [("ann", "sleep"), ("bob", "")])
async def test_only_its_author_brings_the_strategy_of_a_lesson_without_its_words(
    store: Store, by: str, strategy: str
) -> None:
    await store.record(HERE, met(learned("lock"), "e1", by="ann"))
    rule = learned("lock", lesson="", strategy="sleep", outcome="success")
    row = (await store.record(HERE, met(rule, "e2", by=by))).reflection
    assert (row.strategy, row.outcome) == (strategy, "success" if strategy else None)


async def test_votes_stay_with_a_version_that_gains_its_strategy(store: Store) -> None:
    await store.record(HERE, met(learned("lock", lesson="wait"), "e1"))
    await _vote(store, "positive", "ref-lock", "ann")
    await store.record(HERE, met(learned("lock", lesson="wait", strategy="sleep"), "e2"))
    repeated = await store.apply_feedback(HERE, said("positive", "ref-lock", by="ann"))
    assert repeated.repeated
    row = await _row(store)
    assert [(each.lesson.strategy, each.helped) for each in row.wordings] == [("", 0), ("sleep", 1)]
    assert (await store.stats(HERE)).helped == 1


async def test_votes_stay_with_a_version_that_gives_way_to_one_with_a_strategy(
    store: Store,
) -> None:
    await store.record(HERE, met(learned("lock", lesson="wait", strategy="sleep"), "e1"))
    await _vote(store, "positive", "ref-lock", "ann")
    (row,) = await store.stored(HERE)
    full = row.reflection.wording("ann", at(0))
    short = replace(full, lesson=replace(full.lesson, strategy=""), source="bob")
    reflection = replace(row.reflection, strategy="", helped=0, wordings=(full, short))
    edited = replace(row, reflection=replace(reflection, source="bob"), author="bob")
    await store.rewrite(HERE, [Change(before=row, after=edited)])
    await _vote(store, "negative", "ref-lock", "eve")
    now = await _row(store)
    assert (now.strategy, now.helped, now.failed) == ("sleep", 1, 0)
    assert [said.failed for said in now.wordings if not said.lesson.strategy] == [1]
    votes = {vote.source: vote.version for vote in await store.votes(HERE, target_id="ref-lock")}
    assert votes == {"ann": first_id(now), "eve": OLD}


async def test_a_second_opinion_has_an_id_and_takes_verdicts(store: Store) -> None:
    await _two(store)
    effect = await store.apply_feedback(HERE, said("negative", NEW, by="eve"))
    assert [(each.id, each.helped, each.failed) for each in effect.versions] == [(NEW, 0, 1)]
    row = await _row(store)
    assert (row.lesson, row.helped, row.failed) == ("wait", 0, 0)
    assert [(each.lesson.text, each.failed) for each in row.wordings] == [("wait", 0), ("retry", 1)]
    again = await store.apply_feedback(HERE, said("negative", NEW, by="eve"))
    assert again.repeated
    stats = await store.stats(HERE)
    assert (stats.failed, stats.feedback) == (1, 1)
    assert not (await store.apply_feedback(HERE, said("negative", "ref-lock.000000"))).found
    assert not (await store.apply_feedback(HERE, said("negative", "ref-none.000000"))).found


async def test_a_second_opinion_that_proves_better_is_shown_first(store: Store) -> None:
    await _two(store)
    await _vote(store, "positive", "ref-lock", "ann")
    for voter, first in (("bob", OLD), ("eve", NEW)):
        effect = await store.apply_feedback(HERE, said("positive", NEW, by=voter))
        assert first_id(await _row(store)) == first
        assert effect.first == ((NEW,) if first == NEW else ())
    row = await _row(store)
    assert (row.lesson, row.source, row.helped) == ("retry", "bob", 2)
    assert {each.lesson.text: each.helped for each in row.wordings} == {"wait": 1, "retry": 2}
    assert (await store.stats(HERE)).helped == 3
    assert (await store.search(HERE, ["retry"]))[0][0].id == "ref-lock"
    await _vote(store, "positive", OLD, "bob", "eve")
    assert first_id(await _row(store)) == OLD


async def test_a_second_opinion_is_tried_when_the_first_has_failed(store: Store) -> None:
    await _two(store)
    effect = await store.apply_feedback(HERE, said("negative", "ref-lock", by="eve"))
    assert effect.first == (NEW,)
    assert [(each.id, each.failed) for each in effect.versions] == [(OLD, 1)]
    row = await _row(store)
    assert (row.lesson, row.failed) == ("retry", 0)
    failed = await store.apply_feedback(HERE, said("negative", NEW, by="eve"))
    assert failed.first == ()  # neither is better


async def test_words_that_their_author_has_replaced_come_back_only_if_they_helped(
    store: Store,
) -> None:
    await store.record(HERE, met(learned("lock", lesson="wait"), "e1"))
    await store.record(HERE, met(learned("lock", lesson="retry", minute=5), "e2"))
    await _vote(store, "negative", NEW, "eve")
    assert first_id(await _row(store)) == NEW
    await _vote(store, "positive", OLD, "bob")
    assert first_id(await _row(store)) == OLD


async def test_a_marked_version_is_never_shown_first(store: Store) -> None:
    await store.record(HERE, met(learned("lock", lesson="wait"), "e1"))
    attack = learned("lock", lesson="retry", suspicious=True)
    await store.record(HERE, met(attack, "e2", by="bob"))
    await _vote(store, "positive", NEW, "eve")
    await _vote(store, "negative", OLD, "eve")
    assert first_id(await _row(store)) == OLD


@requirement("lesson:one-version")
async def test_what_refutes_a_lesson_is_shown_first_however_often_that_had_helped(
    store: Store,
) -> None:
    await store.record(HERE, met(learned("lock", lesson="wait"), "e1"))
    await _vote(store, "positive", OLD, "ann", "bob", "eve")
    newer = met(learned("lock", lesson="retry", minute=5), "e2", by="bob")
    result = await store.record(HERE, replace(newer, refutes=True))
    assert (result.reflection.lesson, result.reflection.helped) == ("retry", 0)
    assert result.replaced is not None
    assert result.replaced.helped == 3
    assert {each.lesson.text: each.helped for each in result.reflection.wordings} == {
        "wait": 3, "retry": 0
    }  # fmt: skip
    await _vote(store, "positive", NEW, "eve")
    assert first_id(await _row(store)) == NEW
    await _vote(store, "negative", NEW, "eve", "bob")
    assert first_id(await _row(store)) == OLD


@requirement("lesson:one-version")
@pytest.mark.parametrize("refutes", [True, False])
async def test_the_comment_of_a_vote_is_stored_and_does_not_count_as_a_report(
    store: Store, refutes: bool
) -> None:
    await store.record(HERE, met(learned("lock", lesson="wait"), "e1"))
    newer = met(learned("lock", lesson="retry", minute=5), "e2", by="bob")
    for _ in range(2):  # the second time the event is known
        result = await store.record(HERE, replace(newer, refutes=refutes, of_vote=True))
    again = met(learned("lock", lesson="retry", minute=6), "e3", by="bob")
    result = await store.record(HERE, replace(again, of_vote=True))
    assert result.counted
    row = await _row(store)
    assert (row.lesson, row.occurrences, row.sources) == ("retry" if refutes else "wait", 1, 2)
    assert row.last_seen == row.first_seen
    assert {each.lesson.text: each.times for each in row.wordings} == {"wait": 1, "retry": 2}


@pytest.mark.parametrize(("outcome", "first"), [("failure", NEW), ("success", OLD)])
async def test_a_proven_lesson_is_replaced_by_its_author_only_after_a_failure(
    store: Store, outcome: str, first: str
) -> None:
    await store.record(HERE, met(learned("lock", lesson="wait"), "e1"))
    await _vote(store, "positive", OLD, "bob")
    later = learned("lock", lesson="retry", minute=5, outcome=outcome)
    await store.record(HERE, met(later, "e2"))
    assert first_id(await _row(store)) == first


async def test_a_vote_is_for_the_version_that_the_look_up_has_shown(store: Store) -> None:
    await store.record(HERE, met(learned("lock", lesson="wait"), "e1"))
    shown = replace(asked("1", shown=("ref-lock",), minute=1), versions=(OLD,))
    await store.log_lookup(HERE, shown)
    assert await store.lookup(HERE, "look-1") == shown
    await store.record(HERE, met(learned("lock", lesson="retry", minute=5), "e2"))
    for target in ("look-1", "ref-lock"):
        await store.apply_feedback(HERE, said("negative", target, by="eve"))
    row = await _row(store)
    assert {each.lesson.text: each.failed for each in row.wordings} == {"wait": 1, "retry": 0}


async def test_the_last_look_up_of_a_conversation_that_showed_a_lesson_is_known(
    store: Store,
) -> None:
    await store.record(HERE, met(learned("lock"), "e1"))
    assert await store.last_shown(HERE, "ref-lock", "talk") is None
    for name, conversation in (("1", "talk"), ("2", "talk"), ("3", "chat")):
        lookup = asked(name, shown=("ref-lock",), conversation=conversation)
        await store.log_lookup(HERE, lookup)
    await store.log_lookup(HERE, asked("4", matched_id="ref-lock"))
    found = await store.last_shown(HERE, "ref-lock", "talk")
    assert found is not None
    assert found.id == "look-2"
    assert await store.last_shown(EVERYWHERE, "ref-lock", "talk") is None


def _rule(text: str, *lessons: str, minute: float = 0) -> Reflection:
    links = tuple(Link(kind="strategy_of", target_id=each) for each in lessons)
    return learned(text, id=f"str-{text}", kind="strategy", lesson=text, links=links, minute=minute)


async def test_a_strategy_goes_and_comes_with_the_version_that_it_came_with(store: Store) -> None:
    await store.record(HERE, met(learned("lock", lesson="wait", strategy="sleep"), "e1"))
    await store.record(HERE, met(learned("other", strategy="sleep"), "e2"))
    await store.record(HERE, met(_rule("sleep", "ref-lock"), "e1"))
    later = learned("lock", lesson="retry", strategy="poll", minute=5)
    result = await store.record(HERE, met(later, "e3"))
    assert result.retired == ("str-sleep",)
    await store.record(HERE, met(_rule("poll", "ref-lock"), "e3"))
    assert [row.id for row in await store.reflections(HERE, kind="strategy")] == ["str-poll"]
    await _vote(store, "positive", version_id("ref-lock", "wait", "sleep"), "eve")
    assert [row.id for row in await store.reflections(HERE, kind="strategy")] == ["str-sleep"]
    more = await store.record(HERE, met(_rule("poll", "ref-lock"), "e4"))
    assert more.retired == ()  # it is retired already


async def test_a_strategy_of_another_lesson_too_stays(store: Store) -> None:
    await store.record(HERE, met(learned("lock", lesson="wait", strategy="sleep"), "e1"))
    await store.record(HERE, met(_rule("sleep", "ref-lock", "ref-other"), "e1"))
    later = learned("lock", lesson="retry", minute=5)
    assert (await store.record(HERE, met(later, "e3"))).retired == ()
    assert not (await _row(store, "str-sleep")).retired


async def test_a_strategy_of_words_that_are_not_shown_is_retired_until_they_are(
    store: Store,
) -> None:
    await store.record(HERE, met(learned("lock", lesson="wait", strategy="sleep"), "e1"))
    second = learned("lock", lesson="retry", strategy="poll", minute=5)
    await store.record(HERE, met(second, "e2", by="bob"))
    result = await store.record(HERE, met(_rule("poll", "ref-lock"), "e2", by="bob"))
    assert (result.retired, result.reflection.retired) == (("str-poll",), True)
    await _vote(store, "positive", version_id("ref-lock", "retry", "poll"), "eve")
    assert not (await _row(store, "str-poll")).retired


async def test_what_is_forgotten_takes_the_votes_on_its_versions_along(store: Store) -> None:
    await _two(store)
    await _vote(store, "positive", OLD, "eve")
    await _vote(store, "negative", NEW, "eve")
    await store.forget(HERE, "ref-lock")
    assert (await store.stats(HERE)).feedback == 0
    await _two(store)
    assert (await store.apply_feedback(HERE, said("positive", OLD, by="eve"))).reflections


async def test_versions_and_their_votes_come_with_an_import(store: Store) -> None:
    await _two(store)
    await _vote(store, "positive", NEW, "ann", "eve")
    (row,) = await store.stored(HERE)
    assert await store.adopt(EVERYWHERE, [row])
    (copied,) = await store.stored(EVERYWHERE)
    assert copied.reflection == replace(row.reflection, scope=EVERYWHERE)
    assert (await store.adopt(EVERYWHERE, [row])).unchanged == 1
    await store.forget(HERE, "ref-lock")
    assert (await store.stats(EVERYWHERE)).helped == 2


async def test_a_lesson_that_fails_more_often_than_it_helps_gives_way_to_any_other_word(
    store: Store,
) -> None:
    await store.record(HERE, met(learned("lock", lesson="wait"), "e1", by="ann"))
    await _vote(store, "negative", OLD, "eve")
    newer = await store.record(HERE, met(learned("lock", lesson="retry"), "e2", by="bob"))
    assert (newer.reflection.lesson, newer.reflection.failed) == ("retry", 0)


async def test_a_verdict_and_the_word_that_refutes_a_lesson_last_together(store: Store) -> None:
    await store.record(HERE, met(learned("lock", lesson="wait"), "e1", by="ann"))
    newer = replace(met(learned("lock", lesson="retry"), "e2", by="bob"), refutes=True)

    def both(writes: Writes) -> RecordResult:
        writes.apply_feedback(said("negative", "ref-lock", by="bob"))
        return writes.record(newer)

    def neither(writes: Writes) -> None:
        both(writes)
        raise ValueError

    with pytest.raises(ValueError):
        await store.transaction(HERE, neither)
    assert (await _row(store)).lesson == "wait"
    assert (await store.transaction(HERE, both)).reflection.lesson == "retry"
    row = await _row(store)
    assert {each.lesson.text: each.failed for each in row.wordings} == {"wait": 1, "retry": 0}
