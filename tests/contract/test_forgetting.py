"""Forgetting: gone with all that hangs on it, and as new when it is met again."""

import pytest

from reflection_mcp.store.contract import Store
from reflection_mcp.store.records import Link
from tests.contract.samples import EVERYWHERE, HERE, STRANGER, THERE, asked, learned, met, said
from tests.contract.samples import tried as tried_once

pytestmark = pytest.mark.anyio


async def test_what_is_not_there_cannot_be_forgotten(store: Store) -> None:
    assert await store.forget(HERE, "ref-none") is False


async def test_a_forgotten_reflection_is_found_in_no_way(store: Store) -> None:
    row = learned("lock", tags=("x",), links=(Link(kind="same_tag", target_id="ref-b"),))
    await store.record(HERE, met(row, "e1", keys=("k1",), features=(1, 2)))
    assert await store.forget(HERE, "ref-lock") is True
    assert await store.forget(HERE, "ref-lock") is False
    assert await store.reflection(HERE, "ref-lock") is None
    assert not await store.reflections(HERE, tags=["x"])
    assert not await store.find(HERE, ["k1"])
    assert not await store.shortlist(HERE, [1, 2])
    assert not await store.search(HERE, ["lesson"])
    assert (await store.stats(HERE)).reflections == 0


async def test_a_forgotten_reflection_that_is_met_again_is_new(store: Store) -> None:
    for event, source in (("e1", "ann"), ("e2", "bob")):
        await store.record(HERE, met(learned("lock"), event, by=source))
    await store.apply_feedback(HERE, said("positive", "ref-lock"))
    await store.forget(HERE, "ref-lock")
    again = await store.record(HERE, met(learned("lock"), "e1"))
    assert (again.created, again.counted) == (True, True)
    assert (again.reflection.occurrences, again.reflection.sources) == (1, 1)
    assert [wording.times for wording in again.reflection.wordings] == [1]
    effect = await store.apply_feedback(HERE, said("positive", "ref-lock"))
    assert [row.helped for row in effect.reflections] == [1]


async def test_links_to_a_forgotten_reflection_go_with_it_in_the_whole_tenant(
    store: Store,
) -> None:
    link = Link(kind="strategy_of", target_id="ref-lock")
    await store.record(EVERYWHERE, met(learned("lock"), "e1"))
    for scope in (HERE, THERE, STRANGER):
        await store.record(scope, met(learned("rule", links=(link,)), "e2"))
    await store.forget(EVERYWHERE, "ref-lock")
    left = {scope: await store.reflection(scope, "ref-rule") for scope in (HERE, THERE, STRANGER)}
    assert [row.links for row in left.values() if row is not None] == [(), (), (link,)]


async def test_vetoes_against_a_forgotten_reflection_go_with_it(store: Store) -> None:
    await store.record(HERE, met(learned("lock"), "e1"))
    await store.log_lookup(HERE, asked("1", shown=("ref-lock", "ref-b")))
    await store.apply_feedback(HERE, said("wrong_match", "look-1"))
    await store.forget(HERE, "ref-lock")
    assert set(await store.vetoes(HERE, "sig1:lock")) == {"ref-b"}


async def test_a_forgotten_attempt_may_be_added_again(store: Store) -> None:
    await store.add_attempt(HERE, tried_once("one"), event_id="e1")
    await store.add_attempt(HERE, tried_once("two"), event_id="e2")
    await store.apply_feedback(HERE, said("positive", "att-one"))
    assert await store.forget(HERE, "att-one")
    assert await store.attempt(HERE, "att-one") is None
    assert (await store.stats(HERE)).feedback == 0
    await store.add_attempt(HERE, tried_once("one"), event_id="e1")
    assert await store.attempt(HERE, "att-one") == tried_once("one")
    assert await store.attempt(HERE, "att-two") == tried_once("two")


async def test_a_forgotten_look_up_leaves_what_it_counted(store: Store) -> None:
    await store.record(HERE, met(learned("lock"), "e1"))
    await store.log_lookup(HERE, asked("1", shown=("ref-lock",)))
    assert await store.forget(HERE, "look-1")
    assert await store.lookup(HERE, "look-1") is None
    row = await store.reflection(HERE, "ref-lock")
    assert row is not None
    assert row.shown == 1


async def test_forgetting_one_reflection_leaves_the_others_alone(store: Store) -> None:
    for name in ("a", "b"):
        observation = met(learned(name, tags=("x",)), name, keys=("k1",), features=(1,))
        await store.record(HERE, observation)
    await store.forget(HERE, "ref-a")
    assert [hit.reflection.id for hit in await store.find(HERE, ["k1"])] == ["ref-b"]
    assert [row.id for row in await store.shortlist(HERE, [1])] == ["ref-b"]
    assert [row.id for row, _ in await store.search(HERE, ["lesson"])] == ["ref-b"]
    assert (await store.record(HERE, met(learned("b"), "b"))).counted is False


async def test_a_lesson_takes_the_strategies_along_that_came_with_no_other(store: Store) -> None:
    def of(*names: str) -> tuple[Link, ...]:
        return tuple(Link(kind="strategy_of", target_id=f"ref-{name}") for name in names)

    for name in ("lock", "door"):
        await store.record(HERE, met(learned(name), name))
    rules = (("own", of("lock")), ("both", of("lock", "door")), ("free", ()), ("b", of("lock")))
    for name, links in rules:
        await store.record(HERE, met(learned(name, kind="strategy", links=links), name))
    await store.record(THERE, met(learned("own", kind="strategy", links=of("lock")), "own"))
    effect = await store.apply_feedback(HERE, said("forget", "ref-lock"))
    assert effect.forgotten == ("ref-lock", "ref-b", "ref-own")
    left = await store.reflections(HERE, kind="strategy")
    assert {row.id for row in left} == {"ref-both", "ref-free"}
    assert await store.reflection(THERE, "ref-own") is not None
    assert (await store.apply_feedback(HERE, said("forget", "ref-door"))).forgotten == (
        "ref-door",
        "ref-both",
    )
    assert (await store.apply_feedback(HERE, said("forget", "ref-free"))).forgotten == ("ref-free",)
