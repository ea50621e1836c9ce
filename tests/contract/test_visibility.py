"""Lessons of one person's own: whose they are, and how they become everybody's."""

import asyncio
from dataclasses import replace

import pytest

from reflection_mcp.store.contract import Store
from reflection_mcp.store.lesson_versions import first_id, second_opinions
from reflection_mcp.store.records import Link, Reflection, Scope
from tests.contract.samples import EVERYWHERE, HERE, MINE, THERE, asked, learned, met, said, tried

pytestmark = pytest.mark.anyio

ANN, BOB = "ann/editor", "bob/editor"


async def _row(store: Store, scope: Scope, name: str = "ref-lock") -> Reflection:
    row = await store.reflection(scope, name)
    assert row is not None, (scope, name)
    return row


async def _ids(store: Store, scope: Scope) -> set[str]:
    return {row.id for row in await store.reflections(scope, include_retired=True)}


async def test_of_one_id_the_nearest_is_meant(store: Store) -> None:
    for scope in (EVERYWHERE, HERE):
        lesson = f"of {scope.project}"
        await store.record(scope, met(learned("lock", lesson=lesson), "e1"))
        await store.add_attempt(scope, tried("one", question=scope.project), event_id="e1")
    assert (await _row(store, MINE)).lesson == "of shop"
    attempt = await store.attempt(MINE, "att-one")
    assert attempt is not None and attempt.question == "shop"
    await store.record(MINE, met(learned("lock", lesson="of ann"), "e1"))
    assert (await _row(store, MINE)).lesson == "of ann"
    assert (await _row(store, HERE)).lesson == "of shop"


async def test_a_shared_lesson_is_counted_and_rated_from_a_place_of_ones_own(store: Store) -> None:
    await store.record(HERE, met(learned("lock"), "e1", by=BOB))
    await store.log_lookup(MINE, asked("1", shown=("ref-lock",), verdict="same"))
    await store.apply_feedback(MINE, said("positive", "ref-lock", by="ann"))
    row = await _row(store, HERE)
    assert (row.shown, row.helped) == (1, 1)
    assert not await store.forget(MINE, "ref-lock")
    assert not list(await store.lookups(HERE)), "what one person asked is theirs"


async def test_a_lesson_moves_with_all_that_hangs_on_it(store: Store) -> None:
    for event in ("e1", "e2"):
        await store.record(
            MINE, met(learned("lock", tags=("db",)), event, by=ANN, keys=("k1",), features=(7,))
        )
    await store.log_lookup(MINE, asked("1", shown=("ref-lock",), verdict="same"))
    await store.apply_feedback(MINE, said("positive", "ref-lock", by="ann"))
    before = await _row(store, MINE)
    assert await store.move(MINE, ["ref-lock", "ref-none"], "shop") == {"ref-lock": "ref-lock"}
    assert await _row(store, HERE) == replace(before, scope=HERE) == await _row(store, MINE)
    (kept,) = await store.stored(HERE)
    assert kept.author == ANN
    assert not await store.stored(MINE)
    for ids in (
        {hit.reflection.id for hit in await store.find(HERE, ["k1"])},
        {row.id for row in await store.shortlist(HERE, [7])},
        {row.id for row, _ in await store.search(HERE, ["lesson"])},
        {row.id for row in await store.reflections(HERE, tags=["db"])},
    ):
        assert ids == {"ref-lock"}
    again = await store.apply_feedback(MINE, said("positive", "ref-lock", by="ann"))
    assert again.repeated, "her vote went along"
    assert [vote.target_id for vote in await store.votes(HERE)] == ["ref-lock"]
    counts = {name: each.reflections for name, each in (await store.places("acme")).items()}
    assert counts == {"shop": 1, "shop@ann": 0}, "the look-up stays with her"
    assert (await store.stats(HERE)).helped == 1


async def test_a_lesson_that_is_known_already_becomes_an_opinion_beside_it(store: Store) -> None:
    await store.record(HERE, met(learned("b", signature="sig1:lock", lesson="wait"), "e1", by=BOB))
    await store.apply_feedback(HERE, said("positive", "ref-b", by="bob"))
    for event in ("e1", "e2"):
        await store.record(MINE, met(learned("lock", lesson="use a file"), event, by=ANN))
    await store.apply_feedback(MINE, said("positive", "ref-lock", by="ann"))
    assert await store.move(MINE, ["ref-lock"], "shop") == {"ref-lock": "ref-b"}
    row = await _row(store, HERE, "ref-b")
    assert (row.lesson, row.helped, row.occurrences, row.sources) == ("wait", 1, 3, 2)
    (opinion,) = second_opinions(row)
    assert (opinion.lesson.text, opinion.source) == ("use a file", ANN)
    assert (opinion.times, opinion.helped) == (2, 1)
    assert await _ids(store, MINE) == {"ref-b"}
    again = await store.apply_feedback(
        MINE,
        said("positive", f"ref-b{first_id(learned('lock', lesson='use a file'))[8:]}", by="ann"),
    )
    assert again.repeated, "her vote is on her words, under the id that they have now"


async def test_the_same_words_of_two_people_are_added_up(store: Store) -> None:
    for scope, name, by in ((HERE, "b", BOB), (MINE, "lock", ANN)):
        row = learned(name, signature="sig1:lock", lesson="wait", strategy="")
        await store.record(scope, met(row, f"e-{name}", by=by))
        await store.apply_feedback(scope, said("positive", row.id, by=by.partition("/")[0]))
    await store.move(MINE, ["ref-lock"], "shop")
    row = await _row(store, HERE, "ref-b")
    assert (row.helped, row.occurrences, row.sources) == (2, 2, 2)
    assert {(each.source, each.times) for each in row.wordings} == {(ANN, 1), (BOB, 1)}
    await store.record(HERE, met(learned("x", signature="sig1:lock"), "e9", by="ann/other"))
    assert (await _row(store, HERE, "ref-b")).sources == 2, "she is counted already"


async def test_those_who_met_a_lesson_without_a_word_are_counted_once(store: Store) -> None:
    await store.record(HERE, met(learned("lock", lesson="wait"), "e1", by=BOB))
    await store.record(HERE, met(learned("lock", lesson=""), "e2", by=ANN))
    await store.record(MINE, met(learned("lock", lesson="wait"), "e1", by=ANN))
    await store.move(MINE, ["ref-lock"], "shop")
    row = await _row(store, HERE)
    assert (row.sources, row.occurrences) == (2, 3)


async def test_links_follow_a_lesson_that_has_another_id_now(store: Store) -> None:
    await store.record(HERE, met(learned("b", signature="sig1:lock"), "e1", by=BOB))
    await store.record(MINE, met(learned("lock"), "e1", by=ANN))
    link = Link(kind="strategy_of", target_id="ref-lock")
    rule = learned("rule", kind="strategy", links=(link,))
    rest = learned("rest", links=(replace(link, kind="same_tag"),))
    await store.record(MINE, met(rule, "e2", by=ANN))
    await store.record(MINE, met(rest, "e3", by=ANN))
    moved = await store.move(MINE, ["ref-lock", "ref-rule"], "shop")
    assert moved == {"ref-lock": "ref-b", "ref-rule": "ref-rule"}
    for scope, name in ((HERE, "ref-rule"), (MINE, "ref-rest")):
        assert [each.target_id for each in (await _row(store, scope, name)).links] == ["ref-b"]


async def test_an_id_that_another_lesson_has_there_gets_a_number(store: Store) -> None:
    await store.record(HERE, met(learned("lock", signature="sig1:other"), "e1", by=BOB))
    await store.record(MINE, met(learned("lock"), "e1", by=ANN))
    assert await store.move(MINE, ["ref-lock"], "shop") == {"ref-lock": "ref-lock-2"}
    assert await _ids(store, HERE) == {"ref-lock", "ref-lock-2"}


async def test_a_lesson_may_move_to_the_whole_tenant(store: Store) -> None:
    await store.record(MINE, met(learned("lock"), "e1", by=ANN))
    await store.move(MINE, ["ref-lock"], "global")
    assert (await _row(store, THERE)).scope == EVERYWHERE


async def test_nothing_moves_to_where_it_is_or_out_of_anothers_place(store: Store) -> None:
    await store.record(MINE, met(learned("lock"), "e1", by=ANN))
    assert await store.move(MINE, ["ref-lock"], MINE.project) == {}
    assert await store.move(HERE, ["ref-lock"], "global") == {}
    assert await store.move(HERE.of("bob"), ["ref-lock"], "shop") == {}
    assert (await _row(store, MINE)).occurrences == 1


async def test_what_many_share_at_the_same_time_is_one_lesson_and_nothing_is_lost(
    store: Store,
) -> None:
    people = [f"p{number}" for number in range(8)]
    for person in people:
        own = HERE.of(person)
        row = learned(person, signature="sig1:lock", lesson=f"as {person} says", scope=own)
        await store.record(own, met(row, "e1", by=f"{person}/editor", keys=("k1",)))
        await store.apply_feedback(own, said("positive", row.id, by=person))
    moved = await asyncio.gather(
        *(store.move(HERE.of(person), [f"ref-{person}"], "shop") for person in people)
    )
    (name,) = {new for each in moved for new in each.values()}
    row = await _row(store, HERE, name)
    assert (row.occurrences, row.sources) == (8, 8)
    assert sorted(each.lesson.text for each in row.wordings) == [f"as {p} says" for p in people]
    stats = await store.stats(HERE)
    assert (stats.reflections, stats.occurrences, stats.helped) == (1, 8, 8)
    assert [(await store.stats(HERE.of(person))).reflections for person in people] == [1] * 8
