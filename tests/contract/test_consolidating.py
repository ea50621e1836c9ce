"""The undo of a consolidation, and whose turn it is to consolidate."""

from dataclasses import replace
from datetime import timedelta

import pytest

from reflection_mcp.store.contract import Store
from reflection_mcp.store.maintenance import Change
from reflection_mcp.store.records import Scope
from tests.contract.samples import EVERYWHERE, HERE, STRANGER, THERE, at, learned, met, said

pytestmark = pytest.mark.anyio

DAY = timedelta(days=1)


async def retired(store: Store, scope: Scope, *names: str) -> None:
    """Rows that a plan has retired."""
    for name in names:
        await store.record(scope, met(learned(name, scope=scope), f"e-{name}"))
    rows = await store.stored(scope)
    changes = [
        Change(before=row, after=replace(row, reflection=replace(row.reflection, retired=True)))
        for row in rows
    ]
    assert await store.rewrite(scope, changes, consolidated=at(1)) == ()


async def undoes(store: Store, scope: Scope = HERE) -> list[str]:
    return [each.after.reflection.id for each in await store.changes_undone(scope)]


async def test_a_consolidation_is_undone_once_and_in_its_own_scope_only(store: Store) -> None:
    await retired(store, HERE, "a", "b")
    for scope in (THERE, EVERYWHERE, STRANGER, replace(HERE, project="Shop")):
        assert await undoes(store, scope) == []
        assert await store.undo(scope) == (0, ())
    assert await undoes(store) == ["ref-a", "ref-b"]
    assert await store.undo(HERE) == (2, ())
    assert not any(row.reflection.retired for row in await store.stored(HERE))
    assert await undoes(store) == []
    assert await store.undo(HERE) == (0, ())


async def test_what_was_changed_since_stays_as_it_is(store: Store) -> None:
    await retired(store, HERE, "a", "b")
    await store.record(HERE, met(learned("a", lesson="another lesson"), "e9", by="zoe"))
    assert await store.undo(HERE) == (1, ("ref-a",))


async def test_a_change_that_is_no_consolidation_leaves_its_undo_alone(store: Store) -> None:
    await retired(store, HERE, "a")
    (row,) = await store.stored(HERE)
    tagged = replace(row, reflection=replace(row.reflection, tags=("x",)))
    assert await store.rewrite(HERE, [Change(before=row, after=tagged)]) == ()
    assert await undoes(store) == ["ref-a"]
    hindered = await store.rewrite(HERE, [Change(before=row, after=row)], consolidated=at(2))
    assert (hindered, await undoes(store)) == (("ref-a",), ["ref-a"])


async def test_what_is_deleted_or_moved_is_not_in_the_undo_any_more(store: Store) -> None:
    await retired(store, HERE, "a", "b", "c", "d")
    await store.forget(HERE, "ref-a")
    await store.apply_feedback(HERE, said("forget", "ref-b"))
    await store.move(HERE, ["ref-c"], THERE.project)
    await store.forget(HERE, "ref-z")
    assert await undoes(store) == ["ref-d"]


async def test_one_consolidation_a_day_is_claimed_in_each_scope(store: Store) -> None:
    async def claimed(minute: int, scope: Scope = HERE) -> bool:
        now = at(minute)
        return await store.claim_consolidation(scope, at=now, since=now - DAY)

    assert await claimed(0)
    assert not await claimed(1439)
    assert await claimed(0, THERE)
    assert await claimed(1440)
    assert not await claimed(1441)


async def test_a_consolidation_counts_as_claimed_and_a_claim_keeps_its_undo(store: Store) -> None:
    await retired(store, HERE, "a")
    assert not await store.claim_consolidation(HERE, at=at(2), since=at(0))
    assert await store.claim_consolidation(HERE, at=at(2), since=at(1))
    assert await undoes(store) == ["ref-a"]
