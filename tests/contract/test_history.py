"""The logs of a store, read out row by row and brought into another one."""

from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest

from reflection_mcp.store.contract import Store
from reflection_mcp.store.history import LOGS, Log, LogRow
from reflection_mcp.store.interactions import FailedAction
from reflection_mcp.store.sqlite.memory import MemoryStore
from reflection_mcp.tools.learning.store_copy import Copied, copy_scope
from tests.contract.samples import HERE, STRANGER, THERE, asked, at, learned, met, said, tried

pytestmark = pytest.mark.anyio


@pytest.fixture
async def other() -> AsyncIterator[Store]:
    opened = MemoryStore()
    yield opened
    await opened.close()


def ignored(rows: int) -> None:
    """Ignore the progress."""


async def lived(store: Store) -> None:
    """Let a bit of everything happen that leaves an entry in a log."""
    await store.record(HERE, met(learned("a", strategy="do it"), "e1", keys=("k1",)))
    await store.record(HERE, met(learned("a", lesson="another"), "e2", by="bob"))
    await store.record(HERE, met(learned("b"), "e3"))
    for minute, name in enumerate("xyz"):
        await store.add_attempt(HERE, tried(name, minute=minute, quality=0.5), event_id=f"t{name}")
    await store.log_lookup(HERE, asked("one", shown=("ref-a",), matched_id="ref-a", verdict="same"))
    again = asked("two", minute=1, shown=("ref-a",), matched_id="ref-a", verdict="same")
    await store.log_lookup(HERE, again)
    await store.apply_feedback(HERE, said("positive", "ref-a"))
    await store.apply_feedback(HERE, said("negative", "att-x"))
    await store.apply_feedback(HERE, said("wrong_match", "look-two"))
    await store.count_action(
        HERE,
        FailedAction(
            id="act", heading="git", tool="Bash", told="git push", error="rejected",
            conversation_id="talk", at=at(3),
        ),
    )  # fmt: skip


async def all_of(store: Store, log: Log) -> Sequence[LogRow]:
    return await store.history(HERE, log)


async def views(store: Store) -> list[Any]:
    """All that people can see of a scope."""
    return [
        await store.stored(HERE),
        await store.attempts(HERE, limit=100),
        await store.lookups(HERE),
        await store.votes(HERE),
        sorted(await store.vetoes(HERE, "sig1:lock")),
        await store.failed_actions(HERE, ["git"]),
        await store.activity(HERE, at(0).date(), at(0).date()),
        await store.daily_lookups(HERE, ["ref-a"], since=at(0)),
        await store.track_records(HERE, since=at(0)),
        await store.met(HERE, "sig1:lock"),
        await store.stats(HERE),
    ]


async def test_a_log_is_read_by_the_page_in_the_order_of_its_key(store: Store) -> None:
    await lived(store)
    first = await store.history(HERE, "attempt", limit=2)
    assert [row[0] for row in first] == ["att-x", "att-y"]
    rest = await store.history(HERE, "attempt", after=first[-1], limit=2)
    assert [row[0] for row in rest] == ["att-z"]
    assert list(await store.history(HERE, "attempt", after=rest[-1])) == []
    assert list(await store.history(HERE, "vote", limit=0)) == []


async def test_a_log_belongs_to_exactly_one_scope(store: Store) -> None:
    await lived(store)
    for log in LOGS:
        assert await all_of(store, log)
        assert list(await store.history(THERE, log)) == []
        assert list(await store.history(STRANGER, log)) == []


async def test_a_copy_shows_all_that_the_original_shows(store: Store, other: Store) -> None:
    await lived(store)
    await copy_scope(store, other, HERE, ignored)
    assert await views(other) == await views(store)


async def test_what_is_brought_in_from_memory_is_there_as_it_was(
    store: Store, other: Store
) -> None:
    await lived(other)
    await copy_scope(other, store, HERE, ignored)
    assert await views(store) == await views(other)


async def test_the_same_copy_again_changes_nothing(store: Store, other: Store) -> None:
    await lived(other)
    first = await copy_scope(other, store, HERE, ignored)
    assert (first.lessons.created, first.entries) == (2, 10)
    before = await views(store)
    again = await copy_scope(other, store, HERE, ignored)
    assert again.entries == again.lessons.created == again.lessons.changed == 0
    assert await views(store) == before


async def test_a_copy_that_was_broken_off_goes_on(store: Store, other: Store) -> None:
    await lived(other)
    rows = await all_of(other, "attempt")
    assert await store.restore(HERE, "attempt", rows[:1]) == 1
    assert await store.restore(HERE, "attempt", rows) == len(rows) - 1
    assert await all_of(store, "attempt") == list(rows)


async def test_feedback_on_a_copy_counts_on_from_what_was_said_before(
    store: Store, other: Store
) -> None:
    await lived(other)
    await copy_scope(other, store, HERE, ignored)
    assert (await store.apply_feedback(HERE, said("positive", "ref-a"))).repeated


async def test_two_copies_are_added_up() -> None:
    assert Copied(entries=1) + Copied(entries=2) == Copied(entries=3)
