"""Many writers at one PostgreSQL: counters are exact, and what is acknowledged outlives a crash."""

import asyncio
import signal
from collections.abc import AsyncIterator, Awaitable
from typing import TypeVar

import pytest

from reflection_mcp.store.contract import Writes
from reflection_mcp.store.errors import StoreError
from reflection_mcp.store.open import open_store
from reflection_mcp.store.postgres import schema, tallies
from reflection_mcp.store.postgres.connections import PostgresDb
from reflection_mcp.store.postgres.store import PostgresStore
from reflection_mcp.store.records import Observation, RecordResult
from reflection_mcp.store.sql.db import Statement
from tests.contract.samples import HERE, asked, learned, met, said
from tests.postgres_server import DURABLE, NoPostgres, running
from tests.requirements import requirement
from tests.rows import enough

pytestmark = pytest.mark.anyio

# pyright: reportPrivateUsage=false

T = TypeVar("T")


@pytest.fixture
async def stores(postgres_store: str) -> AsyncIterator[list[PostgresStore]]:
    """Two stores, as two processes would have them: with 32 connections in all."""
    opened = [await open_store(postgres_store) for _ in range(2)]
    assert all(isinstance(each, PostgresStore) for each in opened)
    yield [each for each in opened if isinstance(each, PostgresStore)]
    for each in opened:
        await each.close()


async def at_once(work: list[Awaitable[T]]) -> list[T]:
    async with asyncio.timeout(90):
        return await asyncio.gather(*work)


@requirement("team:exact")
async def test_five_deliveries_of_each_event_to_a_row_that_is_not_there_count_once(
    stores: list[PostgresStore],
) -> None:
    count = enough(40, 200)
    events = [f"e{number}" for number in range(count)] * 5
    row = learned("lock")
    done = await at_once(
        [
            stores[number % 2].record(HERE, met(row, event, keys=("k1",)))
            for number, event in enumerate(events)
        ]
    )
    assert (sum(each.created for each in done), sum(each.counted for each in done)) == (1, count)
    stored = await stores[0].reflection(HERE, "ref-lock")
    assert stored is not None
    assert (stored.occurrences, stored.sources) == (count, 1)
    assert [each.times for each in stored.wordings] == [count]
    assert (await stores[0].stats(HERE)).occurrences == count


@requirement("team:exact")
async def test_sources_lessons_and_keys_of_many_writers_are_all_there(
    stores: list[PostgresStore],
) -> None:
    def observation(number: int) -> Observation:
        row = learned("lock", lesson=f"lesson {number % 4}", tags=(f"t{number % 8}",))
        return met(
            row,
            f"e{number}",
            by=f"s{number % 8}",
            keys=(f"k{number % 16}",),
            features=(number % 8,),
        )

    count = enough(32, 96)
    await at_once([stores[n % 2].record(HERE, observation(n)) for n in range(count)])
    (row,) = await stores[0].stored(HERE)
    assert (row.reflection.occurrences, row.reflection.sources) == (count, 8)
    assert {key.digest for key in row.keys} == {f"k{n}" for n in range(16)}
    assert set(row.features) == set(range(8))
    assert set(row.reflection.tags) == {f"t{n}" for n in range(8)}
    assert sum(each.times for each in row.reflection.wordings) == count
    for number in range(16):
        assert [hit.reflection.id for hit in await stores[1].find(HERE, [f"k{number}"])] == [
            "ref-lock"
        ]


async def test_one_event_that_names_two_errors_at_once_makes_one_row(
    stores: list[PostgresStore],
) -> None:
    both = [met(learned(name), "e1") for name in ("a", "b") * 8]
    done = await at_once([stores[n % 2].record(HERE, each) for n, each in enumerate(both)])
    assert sum(each.created for each in done) == 1
    assert len({each.reflection.id for each in done}) == 1
    assert len(await stores[0].reflections(HERE)) == 1


async def test_transactions_that_make_the_same_rows_leave_one_of_each(
    stores: list[PostgresStore],
) -> None:
    def episode(number: int) -> object:
        def work(writes: Writes) -> RecordResult:
            writes.record(met(learned("rule", kind="strategy"), f"e{number}"))
            return writes.record(met(learned("lock"), f"e{number}"))

        return work

    await at_once([stores[n % 2].transaction(HERE, episode(n)) for n in range(24)])  # type: ignore[arg-type]
    stats = await stores[0].stats(HERE)
    assert (stats.reflections, stats.strategies, stats.occurrences) == (1, 1, 24)


@requirement("team:exact")
async def test_look_ups_and_votes_on_the_same_lessons_are_all_counted(
    stores: list[PostgresStore],
) -> None:
    names = [f"ref-{n}" for n in range(5)]
    errors = enough(15, 40)
    for n in range(5):
        await stores[0].record(HERE, met(learned(str(n)), f"e{n}"))
    looks = [
        stores[n % 2].log_lookup(
            HERE,
            asked(
                str(n),
                signature=f"sig1:{n % errors}",
                verdict="same",
                matched_id=names[0],
                shown=(*names[n % 5 :], *names[: n % 5]),
            ),
        )
        for n in range(3 * errors)
    ]
    votes = [
        stores[n % 2].apply_feedback(HERE, said("positive", names[n % 5], by=f"p{n}", said_in="x"))
        for n in range(errors)
    ]
    await at_once([*looks, *votes])
    rows = await stores[0].reflections(HERE)
    assert [row.shown for row in rows] == [3 * errors] * 5
    assert sum(row.helped for row in rows) == errors
    stats = await stores[0].stats(HERE)
    assert (stats.shown, stats.helped, stats.lookups) == (15 * errors, errors, 3 * errors)
    # Each error is looked up three times; look-ups at one moment do not follow each other.
    assert 0 < stats.recurred <= 2 * errors
    assert sum(row.recurred for row in rows) == 5 * stats.recurred


@requirement("team:exact")
async def test_counters_that_are_folded_while_others_write_lose_nothing(
    stores: list[PostgresStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tallies, "FOLD_EVERY", 8)
    monkeypatch.setattr(tallies, "MOST_FOLDED", 16)
    await stores[0].record(HERE, met(learned("lock"), "e"))
    await at_once([stores[n % 2].record(HERE, met(learned("lock"), f"e{n}")) for n in range(300)])
    left = Statement("SELECT count(*) FROM tally_delta d WHERE d.tenant = $1")

    async def counted(db: PostgresDb) -> int:
        return int((await db.rows(left))[0][0])

    assert await stores[0].near(HERE, counted) < 301
    assert (await stores[0].stats(HERE)).occurrences == 301
    assert await stores[0].count(HERE, "reflection") == 1


@pytest.mark.slow
@requirement("team:exact")
async def test_what_was_acknowledged_before_a_crash_is_there_after_it() -> None:
    try:
        with running(DURABLE) as server:
            await schema.upgrade(server.dsn())
            store = await open_store(server.dsn())
            acknowledged = 0
            crashed = asyncio.Event()

            async def count(number: int) -> None:
                nonlocal acknowledged
                try:
                    await store.record(HERE, met(learned(f"{number % 16}"), f"e{number}"))
                except StoreError:
                    return
                acknowledged += 1
                if acknowledged == 500:
                    crashed.set()

            async def write(writer: int) -> None:
                for number in range(writer, 2000, 16):
                    await count(number)

            async with asyncio.timeout(90):
                writing = asyncio.gather(*map(write, range(16)))
                await crashed.wait()
                await asyncio.to_thread(server.stop, signal.SIGQUIT)
                await writing
            before = acknowledged
            await asyncio.to_thread(server.start)
            rows = await store.reflections(HERE, limit=16)
            assert 500 <= before <= sum(row.occurrences for row in rows) < 2000
            # what was not acknowledged is delivered again, and counts once
            again = [met(learned(f"{n % 16}"), f"e{n}") for n in range(2000)]
            await at_once([store.record(HERE, each) for each in again])
            assert (await store.stats(HERE)).occurrences == 2000
            await store.close()
    except NoPostgres as reason:
        pytest.skip(str(reason))
