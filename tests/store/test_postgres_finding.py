"""What only PostgreSQL has: numbers for digests, remembered crowds, limits of its text search."""

from collections.abc import AsyncIterator
from typing import Any, cast

import pytest

from reflection_mcp.store.contract import Store
from reflection_mcp.store.open import open_store
from reflection_mcp.store.postgres import crowds as postgres_crowds
from reflection_mcp.store.postgres import reflections
from reflection_mcp.store.postgres.connections import PostgresDb
from reflection_mcp.store.sql import attempts, maintenance, recording
from reflection_mcp.store.sql.db import Raced
from tests.contract.samples import HERE, learned, met, tried

pytestmark = pytest.mark.anyio


@pytest.fixture
async def store(postgres_store: str) -> AsyncIterator[Store]:
    opened = await open_store(postgres_store)
    yield opened
    await opened.close()


async def test_a_digest_is_found_whether_or_not_it_is_a_number(store: Store) -> None:
    digests = ("00000000000000ff", "ffffffffffffffff", "FFFFFFFFFFFFFFFF", "not a number at all")
    for name, digest in enumerate(digests):
        await store.record(HERE, met(learned(str(name)), f"e{name}", keys=(digest,)))
    for name, digest in enumerate(digests):
        (hit,) = await store.find(HERE, [digest])
        assert (hit.reflection.id, hit.key.digest) == (f"ref-{name}", digest)


async def test_features_that_all_are_crowded_find_nothing_and_are_not_asked_for_again(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reflections, "CROWDED", 2)
    for name in "abc":
        await store.record(HERE, met(learned(name), name, features=(1,)))
    assert list(await store.shortlist(HERE, [1])) == []
    monkeypatch.setattr(reflections, "CROWDED", 1000)
    assert [row.id for row in await store.shortlist(HERE, [1])] == [], "it is remembered"


def test_crowds_are_forgotten_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    crowds = postgres_crowds.Crowds()
    crowds.add([1, 2])
    assert crowds.without([1, 2, 3]) == [3]
    monkeypatch.setattr(postgres_crowds, "MOST_CROWDS", 2)
    crowds.add([3])
    assert crowds.without([1, 2, 3]) == [1, 2]


async def test_all_that_share_a_feature_are_found_past_many_retired_ones(store: Store) -> None:
    for number in range(6):
        row = learned(f"{number}", retired=number > 1)
        await store.record(HERE, met(row, f"e{number}", features=(1,)))
    assert [row.id for row in await store.shortlist(HERE, [1], limit=2)] == ["ref-1", "ref-0"]


async def test_a_text_may_have_a_word_that_no_index_takes(store: Store) -> None:
    long = "x" * 5000
    await store.record(HERE, met(learned("lock", lesson=f"before {long} after"), "e1"))
    assert [row.id for row, _ in await store.search(HERE, ["after"])] == ["ref-lock"]
    assert list(await store.search(HERE, [long])) == []


async def test_a_strategy_cannot_take_the_id_of_another_row(store: Store) -> None:
    await store.record(HERE, met(learned("lock"), "e1"))
    rule = learned("lock", kind="strategy", signature="sig1:other")
    with pytest.raises(ValueError, match="already names another"):
        await store.record(HERE, met(rule, "e2"))


async def test_what_was_forgotten_meanwhile_is_looked_for_again() -> None:
    class Nothing:
        place = 1

        async def rows(self, *_: object) -> list[Any]:
            return []

        async def whole(self, *_: object) -> list[Any]:
            return []

        async def lock(self, *_: object) -> None: ...

        @property
        def statements(self) -> "Nothing":
            return self

    db = cast("PostgresDb", Nothing())
    with pytest.raises(Raced):
        await attempts.add(db, tried("one"), event_id="e1")
    with pytest.raises(Raced):
        await recording.whole(db, 1)
    with pytest.raises(Raced):
        await maintenance.locked(db, [1])
