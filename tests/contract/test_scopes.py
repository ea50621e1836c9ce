"""Scopes: a reader sees its project and the tenant's global one, a writer touches its own."""

import pytest

from reflection_mcp.store.contract import Store
from reflection_mcp.store.records import Scope
from tests.contract.samples import (
    EVERYWHERE,
    HERE,
    MINE,
    STRANGER,
    THERE,
    asked,
    learned,
    met,
    said,
    tried,
)
from tests.requirements import requirement

pytestmark = pytest.mark.anyio


async def _fill(store: Store, scope: Scope, name: str) -> None:
    await store.add_attempt(scope, tried(name), event_id=name)
    row = learned(name, signature="sig1:lock", tags=("x",))
    await store.record(scope, met(row, name, keys=("k1",), features=(1,)))
    await store.log_lookup(scope, asked(name, shown=(f"ref-{name}",), verdict="same"))
    await store.apply_feedback(scope, said("wrong_match", f"look-{name}"))


async def _seen(store: Store, scope: Scope, name: str) -> set[bool]:
    """What each way of reading says about whether the record of this name is there."""
    wanted = f"ref-{name}"
    return {
        await store.attempt(scope, f"att-{name}") is not None,
        await store.reflection(scope, wanted) is not None,
        await store.lookup(scope, f"look-{name}") is not None,
        f"att-{name}" in {attempt.id for attempt in await store.attempts(scope)},
        wanted in {row.id for row in await store.reflections(scope)},
        wanted in {row.id for row in await store.reflections(scope, tags=["x"])},
        wanted in {hit.reflection.id for hit in await store.find(scope, ["k1"])},
        wanted in {row.id for row in await store.shortlist(scope, [1])},
        wanted in {row.id for row, _ in await store.search(scope, ["lesson"])},
        wanted in await store.vetoes(scope, "sig1:lock"),
    }


@requirement("trace:scope")
async def test_a_reader_sees_its_project_and_the_global_one_and_nothing_else(
    store: Store,
) -> None:
    scopes = {
        "here": HERE, "there": THERE, "all": EVERYWHERE, "rival": STRANGER,
        "mine": MINE, "bobs": HERE.of("bob"), "elsewhere": THERE.of("ann"),
        "allmine": EVERYWHERE.of("ann"), "namesake": STRANGER.of("ann"),
    }  # fmt: skip
    for name, scope in scopes.items():
        await _fill(store, scope, name)
    for reader, sees in (
        ("here", {"here", "all"}),
        ("there", {"there", "all"}),
        ("all", {"all"}),
        ("rival", {"rival"}),
        ("mine", {"mine", "here", "all"}),
        ("bobs", {"bobs", "here", "all"}),
        ("elsewhere", {"elsewhere", "there", "all"}),
        ("allmine", {"allmine", "all"}),
        ("namesake", {"namesake", "rival"}),
    ):
        for name in scopes:
            assert await _seen(store, scopes[reader], name) == {name in sees}, (reader, name)
        stats = await store.stats(scopes[reader])
        counts = (stats.attempts, stats.reflections, stats.lookups, stats.feedback)
        assert counts == (len(sees),) * 4


async def test_equal_signatures_and_ids_of_two_projects_are_two_rows(store: Store) -> None:
    for scope in (HERE, THERE, EVERYWHERE):
        assert (await store.record(scope, met(learned("lock"), "e1"))).created
    row = await store.reflection(HERE, "ref-lock")
    assert row is not None
    assert (row.scope, row.occurrences) == (HERE, 1)


async def test_nothing_of_another_tenant_or_project_can_be_forgotten_or_rated(
    store: Store,
) -> None:
    await _fill(store, THERE, "there")
    await _fill(store, STRANGER, "rival")
    for target in ("ref-there", "att-there", "look-there", "ref-rival", "att-rival"):
        assert not await store.forget(HERE, target)
        for kind in ("positive", "negative", "wrong_match", "forget"):
            assert not (await store.apply_feedback(HERE, said(kind, target))).found
    assert await _seen(store, THERE, "there") == {True}


async def test_a_global_lesson_can_be_rated_and_counted_from_a_project(store: Store) -> None:
    await store.record(EVERYWHERE, met(learned("lock"), "e1"))
    await store.log_lookup(HERE, asked("1", shown=("ref-lock",), verdict="same"))
    effect = await store.apply_feedback(HERE, said("positive", "ref-lock"))
    assert [(row.helped, row.shown) for row in effect.reflections] == [(1, 1)]
    elsewhere = await store.apply_feedback(THERE, said("positive", "ref-lock"))
    assert elsewhere.repeated, "one source has one vote, from whatever project it speaks"


async def test_a_global_lesson_cannot_be_deleted_from_a_project(store: Store) -> None:
    await store.record(EVERYWHERE, met(learned("lock"), "e1"))
    assert not await store.forget(HERE, "ref-lock")
    assert await store.forget(EVERYWHERE, "ref-lock")


async def test_the_projects_own_record_hides_a_global_one_of_the_same_id(store: Store) -> None:
    for scope in (EVERYWHERE, HERE):
        lesson = f"lesson of {scope.project}"
        await store.record(scope, met(learned("lock", lesson=lesson), "e1"))
        question = scope.project
        await store.add_attempt(scope, tried("one", question=question), event_id="e1")
        await store.log_lookup(scope, asked("one", summary=scope.project))
    row = await store.reflection(HERE, "ref-lock")
    attempt = await store.attempt(HERE, "att-one")
    lookup = await store.lookup(HERE, "look-one")
    assert row is not None and attempt is not None and lookup is not None
    assert (row.lesson, attempt.question) == ("lesson of shop", "shop")
    assert lookup.summary == "shop"
