"""Writes of one scope at the same time: together, in the order in which they came, each for itself.

The queue is asked without a store; what the store makes of it is asked of a real PostgreSQL.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field

import pytest
from anyio.lowlevel import checkpoint

from reflection_mcp.store.errors import StoreBusy, StoreError
from reflection_mcp.store.open import open_store
from reflection_mcp.store.postgres import counts
from reflection_mcp.store.postgres.connections import PostgresDb
from reflection_mcp.store.postgres.store import PostgresStore
from reflection_mcp.store.postgres.write_queue import MOST_TOGETHER, UNDER_WAY, WriteQueue
from reflection_mcp.store.records import Observation, RecordResult
from tests.contract.samples import HERE, learned, met
from tests.requirements import requirement
from tests.rows import enough

pytestmark = pytest.mark.anyio

# pyright: reportPrivateUsage=false


@dataclass
class Desk:
    """A queue whose work waits until `open` is set, and what was done in it."""

    open: asyncio.Event = field(default_factory=asyncio.Event)
    groups: list[list[int]] = field(default_factory=list[list[int]])
    single: list[int] = field(default_factory=list[int])
    trouble: Exception | None = None
    at_once: int = 0

    def __post_init__(self) -> None:
        self.queue: WriteQueue[str, int, str] = WriteQueue(self.together)

    async def together(self, key: str, writes: Sequence[int]) -> list[str | None]:
        self.groups.append(list(writes))
        self.at_once += 1
        assert self.at_once <= UNDER_WAY
        try:
            await self.open.wait()
        finally:
            self.at_once -= 1
        if self.trouble is not None:
            raise self.trouble
        return [None if each < 0 else f"{key}{each}" for each in writes]

    def write(
        self, number: int, *, key: str = "k", name: object = None, wait: float = 60
    ) -> asyncio.Task[str]:
        async def alone() -> str:
            await self.open.wait()
            self.single.append(number)
            return f"alone {number}"

        named = number if name is None else name
        return asyncio.create_task(self.queue.done(key, number, named, wait, alone))


@pytest.fixture
def desk() -> Desk:
    return Desk()


async def test_one_is_done_by_itself_and_those_behind_it_together(desk: Desk) -> None:
    tasks = [desk.write(number) for number in range(5)]
    await checkpoint()
    await checkpoint()
    desk.open.set()
    assert await asyncio.gather(*tasks) == ["alone 0", "k1", "k2", "k3", "k4"]
    assert desk.groups == [[1, 2, 3, 4]]
    assert desk.queue._queues == {}


async def test_writes_of_different_keys_do_not_wait_for_each_other(desk: Desk) -> None:
    tasks = [desk.write(1, key="a"), desk.write(2, key="b")]
    desk.open.set()
    assert await asyncio.gather(*tasks) == ["alone 1", "alone 2"]


async def test_a_group_has_a_size_and_two_are_under_way_in_the_order_of_arrival(desk: Desk) -> None:
    count = 3 * MOST_TOGETHER
    tasks = [desk.write(number) for number in range(count)]
    await checkpoint()
    desk.open.set()
    await asyncio.gather(*tasks)
    assert [each for group in desk.groups for each in group] == list(range(1, count))
    assert max(map(len, desk.groups)) == MOST_TOGETHER


async def test_no_group_has_two_of_the_same_name(desk: Desk) -> None:
    tasks = [desk.write(number, name=number // 2) for number in range(5)]
    await checkpoint()
    desk.open.set()
    await asyncio.gather(*tasks)
    assert desk.groups == [[1, 2, 4], [3]]


async def test_what_a_group_cannot_do_is_done_by_itself(desk: Desk) -> None:
    tasks = [desk.write(number) for number in (0, 1, -2, 3)]
    await checkpoint()
    desk.open.set()
    assert await asyncio.gather(*tasks) == ["alone 0", "k1", "alone -2", "k3"]


async def test_trouble_of_one_does_not_hit_the_others(desk: Desk) -> None:
    desk.trouble = ValueError("one of them")
    tasks = [desk.write(number) for number in range(3)]
    await checkpoint()
    desk.open.set()
    assert await asyncio.gather(*tasks) == ["alone 0", "alone 1", "alone 2"]


async def test_trouble_of_the_store_reaches_everybody_in_the_group(desk: Desk) -> None:
    desk.trouble = StoreBusy("another writer was faster", "try again")
    tasks = [desk.write(number) for number in range(3)]
    await checkpoint()
    desk.open.set()
    first, *others = await asyncio.gather(*tasks, return_exceptions=True)
    assert first == "alone 0"
    assert [type(each) for each in others] == [StoreBusy] * 2


async def test_who_is_cancelled_before_its_turn_is_left_out(desk: Desk) -> None:
    tasks = [desk.write(number) for number in range(4)]
    await checkpoint()
    tasks[2].cancel()
    await checkpoint()
    desk.open.set()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert desk.groups == [[1, 3]]


async def test_who_is_cancelled_in_its_turn_disturbs_nobody(desk: Desk) -> None:
    tasks = [desk.write(number) for number in range(3)]
    while not desk.groups:
        await checkpoint()
    tasks[1].cancel()
    desk.open.set()
    first, cancelled, third = await asyncio.gather(*tasks, return_exceptions=True)
    assert (first, third) == ("alone 0", "k2")
    assert isinstance(cancelled, asyncio.CancelledError)


async def test_who_has_waited_too_long_is_refused_and_nothing_is_done(desk: Desk) -> None:
    tasks = [desk.write(1), desk.write(2, wait=-1), desk.write(3)]
    await checkpoint()
    desk.open.set()
    first, refused, third = await asyncio.gather(*tasks, return_exceptions=True)
    assert (first, third) == ("alone 1", "k3")
    assert isinstance(refused, StoreError)
    assert desk.groups == [[3]]


async def test_where_all_have_gone_there_is_nothing_to_do(desk: Desk) -> None:
    tasks = [desk.write(1), desk.write(2, wait=-1)]
    await checkpoint()
    desk.open.set()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert (desk.groups, desk.queue._queues) == ([], {})


async def test_nobody_waits_for_a_group_that_was_cancelled(desk: Desk) -> None:
    tasks = [desk.write(number) for number in range(3)]
    while not desk.groups:
        await checkpoint()
    for group in [*desk.queue._tasks]:
        group.cancel()
    desk.open.set()
    first, *others = await asyncio.gather(*tasks, return_exceptions=True)
    assert first == "alone 0"
    assert all(isinstance(each, asyncio.CancelledError) for each in others)
    assert desk.queue._queues == {}


# --------------------------------------------------------------------- in PostgreSQL


@pytest.fixture
async def stores(postgres_store: str) -> AsyncIterator[list[PostgresStore]]:
    """Two stores, as two processes would have them."""
    opened = [await open_store(postgres_store) for _ in range(2)]
    yield [each for each in opened if isinstance(each, PostgresStore)]
    for each in opened:
        await each.close()


@pytest.fixture
def together(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of the groups that were counted by one statement."""
    sizes: list[int] = []
    real = counts.together

    async def seen(
        db: PostgresDb, observations: Sequence[Observation]
    ) -> list[RecordResult | None]:
        done = await real(db, observations)
        sizes.append(sum(each is not None for each in done))
        return done

    monkeypatch.setattr(counts, "together", seen)
    return sizes


@requirement("team:exact")
async def test_counts_that_share_statements_are_exact(
    stores: list[PostgresStore], together: list[int]
) -> None:
    rows = [learned(f"{number}", lesson=f"lesson {number}") for number in range(7)]
    for turn in range(2):  # the second one finds that it says nothing new
        for row in rows:
            await stores[0].record(HERE, met(row, f"{row.id}-{turn}", by="a/one"))
    chance = random.Random(5)
    count = enough(100, 300)
    events = [(number, chance.choice(rows), chance.choice("abcd")) for number in range(count)]
    sent = [*events, *chance.sample(events, count // 5)]
    done = await asyncio.gather(
        *(
            stores[number % 2].record(HERE, met(row, f"e{number}", by="a/one"))
            if by == "a"
            else stores[number % 2].record(HERE, met(row, f"e{number}", by=f"{by}/one"))
            for number, row, by in sent
        )
    )
    assert sum(each.counted for each in done) == count
    assert max(together) > 1
    for row in rows:
        stored = await stores[0].reflection(HERE, row.id)
        assert stored is not None
        said_by = [by for _, each, by in events if each is row]
        assert stored.occurrences == 2 + len(said_by)
        assert stored.sources == len({"a", *said_by})
        assert sum(each.times for each in stored.wordings) == stored.occurrences
    assert (await stores[0].stats(HERE)).occurrences == 14 + count


async def test_an_event_that_no_index_takes_is_refused_alone(
    stores: list[PostgresStore], together: list[int]
) -> None:
    store, row = stores[0], learned("lock")
    for turn in range(2):
        await store.record(HERE, met(row, f"first-{turn}"))
    endless = random.Random(1).randbytes(6000).hex()
    events = ["e0", "e1", endless, "e2"]
    outcomes = await asyncio.gather(
        *(store.record(HERE, met(row, event)) for event in events), return_exceptions=True
    )
    assert [isinstance(each, RecordResult) for each in outcomes] == [True, True, False, True]
    assert "index row" in str(outcomes[2])
    stored = await store.reflection(HERE, row.id)
    assert stored is not None
    assert stored.occurrences == 5
