"""The store as a whole: counts, texts that no database likes, closing, health."""

from dataclasses import replace
from typing import Any

import pytest

from reflection_mcp.store.contract import Store
from reflection_mcp.store.errors import StoreUnavailable
from reflection_mcp.store.records import Check, Key, Observation, Pattern, Scope, Score
from reflection_mcp.store.scrub import scrub, scrubbed
from reflection_mcp.store.state import Stats
from tests.contract.samples import HERE, asked, at, learned, met, said, tried

pytestmark = pytest.mark.anyio


async def test_an_empty_store_counts_nothing(store: Store) -> None:
    assert await store.stats(HERE) == Stats()


async def test_everything_is_counted(store: Store) -> None:
    await store.add_attempt(HERE, tried("one", minute=5, quality=0.5), event_id="e1")
    await store.add_attempt(HERE, tried("two", minute=1, quality=1.0), event_id="e2")
    await store.add_attempt(HERE, tried("three", minute=2), event_id="e3")
    await store.record(HERE, met(learned("lock", minute=3), "e1"))
    await store.record(HERE, met(learned("lock", minute=9), "e2"))
    await store.record(HERE, met(learned("rule", minute=3, kind="strategy"), "e3"))
    await store.log_lookup(HERE, asked("1", minute=4, verdict="same", shown=("ref-lock",)))
    await store.log_lookup(HERE, asked("2", minute=4, matched_id="ref-lock"))
    await store.log_lookup(HERE, asked("3", minute=4, signature="else"))
    await store.apply_feedback(HERE, said("positive", "ref-lock"))
    await store.apply_feedback(HERE, said("negative", "ref-rule"))
    assert await store.stats(HERE) == Stats(
        attempts=3,
        mean_quality=0.75,
        reflections=1,
        strategies=1,
        occurrences=2,
        lookups=3,
        lookups_by_verdict={"same": 1, "new": 2},
        shown=1,
        helped=1,
        failed=1,
        recurred=1,
        feedback=2,
        first_at=at(1),
        last_at=at(9),
    )


async def test_the_rows_of_exactly_one_scope_are_counted_by_kind(store: Store) -> None:
    await store.record(HERE, met(learned("lock"), "e1"))
    await store.record(HERE, met(learned("lock"), "e2"))
    await store.record(HERE, met(learned("rule", kind="strategy"), "e3"))
    everywhere = Scope(tenant=HERE.tenant)
    for name in ("one", "two"):
        await store.record(everywhere, met(learned(name), name))
    assert [await store.count(HERE, kind) for kind in ("reflection", "strategy")] == [1, 1]
    assert await store.count(everywhere, "reflection") == 2
    await store.forget(HERE, "ref-lock")
    assert await store.count(HERE, "reflection") == 0
    assert await store.count(Scope(tenant="nobody"), "strategy") == 0


NASTY = "a\0b\ud800c"
CLEAN = "ab\ufffdc"


async def test_no_text_that_a_database_or_a_protocol_refuses_is_kept(store: Store) -> None:
    scope = Scope(tenant=NASTY, project=NASTY)
    row = replace(
        learned(NASTY),
        lesson=NASTY,
        tags=(NASTY,),
        pattern=Pattern(version=NASTY, lines=(NASTY,)),
    )
    observation = Observation(
        reflection=row,
        event_id=NASTY,
        source=NASTY,
        keys=(Key(kind=NASTY, digest=NASTY),),
        same_as=NASTY,
    )
    stored = (await store.record(scope, observation)).reflection
    assert (stored.id, stored.lesson, stored.tags) == (f"ref-{CLEAN}", CLEAN, (CLEAN,))
    assert stored.pattern == Pattern(version=CLEAN, lines=(CLEAN,))
    assert stored.scope == Scope(tenant=CLEAN, project=CLEAN)
    assert await store.reflection(scope, f"ref-{NASTY}") == stored
    assert [hit.key for hit in await store.find(scope, [NASTY])] == [Key(kind=CLEAN, digest=CLEAN)]
    assert len(await store.reflections(scope, tags=[NASTY])) == 1
    assert len(await store.search(scope, [NASTY])) == 1

    attempt = tried(
        NASTY,
        conversation=NASTY,
        checks=(Check(kind=NASTY, status="ok"),),
        confidence=Score(source=NASTY),
        metadata={NASTY: NASTY},
    )
    added = await store.add_attempt(scope, attempt, event_id=NASTY)
    assert (added.metadata, added.checks[0].kind) == ({CLEAN: CLEAN}, CLEAN)
    assert await store.attempts(scope, conversation_id=NASTY) == [added]

    await store.log_lookup(scope, asked(NASTY, signature=NASTY, shown=(f"ref-{NASTY}",)))
    lookup = await store.lookup(scope, f"look-{NASTY}")
    assert lookup is not None
    assert (lookup.signature, lookup.shown) == (CLEAN, (f"ref-{CLEAN}",))
    effect = await store.apply_feedback(scope, said("wrong_match", f"look-{NASTY}", by=NASTY))
    assert effect.vetoed == ((CLEAN, f"ref-{CLEAN}"),)
    assert await store.vetoes(scope, NASTY) == {f"ref-{CLEAN}": f"look-{CLEAN}"}
    assert await store.forget(scope, f"ref-{NASTY}")


def test_what_is_clean_is_not_copied() -> None:
    row = learned("lock", tags=("x",))
    assert scrubbed(row) is row
    assert scrub("größe") == "größe"


async def test_a_mapping_that_its_owner_changes_later_does_not_change_the_store(
    store: Store,
) -> None:
    metadata: dict[str, str | int | float | bool | None] = {"tokens": 1}
    await store.add_attempt(HERE, tried("one", metadata=metadata), event_id="e1")
    metadata["tokens"] = 2
    attempt = await store.attempt(HERE, "att-one")
    assert attempt is not None
    assert attempt.metadata == {"tokens": 1}


async def test_a_new_store_is_healthy(store: Store) -> None:
    health = await store.health()
    assert health.problems == ()
    assert health.writable
    assert health.backend in ("memory", "sqlite", "postgresql")
    assert health.location


async def test_a_closed_store_refuses_by_name(store: Store) -> None:
    await store.close()
    await store.close()
    calls: list[Any] = [
        store.health(),
        store.stats(HERE),
        store.attempt(HERE, "x"),
        store.find(HERE, ["x"]),
        store.forget(HERE, "x"),
        store.log_lookup(HERE, asked("1")),
        store.record(HERE, met(learned("lock"), "e1")),
    ]
    for call in calls:
        with pytest.raises(StoreUnavailable, match="closed") as refusal:
            await call
        assert refusal.value.hint


async def test_who_is_in_a_hurry_sees_and_changes_the_same_store(store: Store) -> None:
    await store.record(HERE, met(learned("lock"), "e1"))
    hasty = store.hasty(60)
    assert [row.id for row in await hasty.reflections(HERE)] == ["ref-lock"]
    await hasty.log_lookup(HERE, asked("1"))
    assert await store.lookup(HERE, "look-1") == asked("1")
    await store.close()
    with pytest.raises(StoreUnavailable):
        await store.hasty(60).stats(HERE)
