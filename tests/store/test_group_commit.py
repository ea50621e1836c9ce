"""Writes that wait at the same time: one transaction, and each of them for itself."""

import asyncio
import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from anyio.lowlevel import checkpoint

from reflection_mcp.store.contract import Store
from reflection_mcp.store.errors import StoreCorrupt, StoreFull
from reflection_mcp.store.records import Observation, RecordResult, Reflection
from reflection_mcp.store.sql import recording
from reflection_mcp.store.sqlite.db import SqliteDb
from reflection_mcp.store.sqlite.store_worker import GROUP, StoreJob, StoreWorker
from tests.contract.samples import HERE, asked, learned, met, tried
from tests.store.faults import files_limited_to, fill, gate_held, log_file, sound

pytestmark = pytest.mark.anyio


async def behind_the_gate(
    store: Store, path: Path, rows: Sequence[Reflection]
) -> list[asyncio.Task[RecordResult]]:
    """Record these while nobody can write, so that they wait together."""
    with gate_held(path):
        tasks = [
            asyncio.create_task(store.record(HERE, met(row, f"e{number}")))
            for number, row in enumerate(rows)
        ]
        await checkpoint()
    return tasks


async def test_all_that_waited_is_written(store: Store, path: Path) -> None:
    rows = [learned(f"{number % 7}") for number in range(3 * GROUP)]
    tasks = await behind_the_gate(store, path, rows)
    results = await asyncio.gather(*tasks)
    assert sum(result.created for result in results) == 7
    assert (await store.stats(HERE)).occurrences == 3 * GROUP
    await store.close()
    assert sound(path)


async def test_other_work_keeps_its_place_among_the_writes(store: Store, path: Path) -> None:
    await fill(store, 2)
    with gate_held(path):
        work = [
            store.record(HERE, met(learned("a"), "a")),
            store.forget(HERE, "ref-0"),
            store.add_attempt(HERE, tried("one"), event_id="one"),
            store.log_lookup(HERE, asked("1")),
            store.forget(HERE, "ref-1"),
        ]
        tasks = [asyncio.ensure_future(each) for each in work]
        await checkpoint()
    await asyncio.gather(*tasks)
    assert [row.id for row in await store.reflections(HERE)] == ["ref-a"]
    assert (await store.stats(HERE)).lookups == 1


async def test_only_writes_that_stand_next_to_each_other_are_done_together() -> None:
    done: list[object] = []

    def together(pieces: Sequence[StoreJob[Any]]) -> None:
        done.append(len(pieces))
        for piece in pieces:
            piece.finish(None)

    worker, opened = StoreWorker("test", together), threading.Event()
    work = [
        worker.run(lambda turn: opened.wait(60), 60),
        worker.write(lambda db: None, 60),
        worker.write(lambda db: None, 60),
        worker.run(lambda turn: done.append("other work"), 60),
        worker.write(lambda db: None, 60),
    ]
    tasks = [asyncio.ensure_future(each) for each in work]
    await checkpoint()
    worker.stop()
    opened.set()
    await asyncio.gather(*tasks)
    assert done == [2, "other work", 1]


async def test_one_that_is_refused_takes_none_of_the_others_along(store: Store, path: Path) -> None:
    rows = [learned("a"), learned("b", id="ref-a"), learned("c")]
    tasks = await behind_the_gate(store, path, rows)
    first, refused, third = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(first, RecordResult)
    assert isinstance(refused, ValueError)
    assert isinstance(third, RecordResult)
    assert {row.id for row in await store.reflections(HERE)} == {"ref-a", "ref-c"}


async def test_one_that_was_cancelled_is_left_out(store: Store, path: Path) -> None:
    with gate_held(path):
        tasks = [
            asyncio.create_task(store.record(HERE, met(learned(name), name))) for name in "abc"
        ]
        await checkpoint()
        tasks[1].cancel()
        await checkpoint()
    await asyncio.gather(*tasks, return_exceptions=True)
    assert {row.id for row in await store.reflections(HERE)} == {"ref-a", "ref-c"}


async def test_trouble_of_one_is_named_for_that_one(
    store: Store, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record: Any = vars(recording)["_merged"]

    async def fragile(db: SqliteDb, observation: Observation) -> RecordResult:
        result: RecordResult = await record(db, observation)
        if observation.event_id == "e1":
            error = sqlite3.DatabaseError("malformed")
            error.sqlite_errorname = "SQLITE_CORRUPT_INDEX"
            raise error
        return result

    monkeypatch.setattr(recording, "_merged", fragile)
    tasks = await behind_the_gate(store, path, [learned(name) for name in "abc"])
    first, damaged, third = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(first, RecordResult)
    assert isinstance(damaged, StoreCorrupt)
    assert isinstance(third, RecordResult)
    assert {row.id for row in await store.reflections(HERE)} == {"ref-a", "ref-c"}


async def test_without_room_for_all_of_them_none_is_written(store: Store, path: Path) -> None:
    await fill(store, 3)
    rows = [learned(name, lesson="x" * 9000) for name in "abcdef"]
    with files_limited_to(log_file(path).stat().st_size + 20_000):
        tasks = await behind_the_gate(store, path, rows)
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    refused = [outcome for outcome in outcomes if isinstance(outcome, StoreFull)]
    assert refused
    assert (await store.stats(HERE)).reflections == 3 + len(rows) - len(refused)
    await store.close()
    assert sound(path)


async def test_one_that_meets_a_full_disk_inside_ends_the_transaction_for_all(
    store: Store, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record: Any = vars(recording)["_merged"]

    async def cramped(db: SqliteDb, observation: Observation) -> RecordResult:
        if observation.event_id == "e2":
            db.execute("ROLLBACK")  # as SQLite does by itself when the disk is full
            error = sqlite3.OperationalError("full")
            error.sqlite_errorname = "SQLITE_FULL"
            raise error
        result: RecordResult = await record(db, observation)
        return result

    monkeypatch.setattr(recording, "_merged", cramped)
    with gate_held(path):
        ahead = asyncio.create_task(store.forget(HERE, "ref-none"))  # shares with no write
        tasks = [
            asyncio.create_task(store.record(HERE, met(learned(f"{number}"), f"e{number}")))
            for number in range(4)
        ]
        await checkpoint()
    assert not await ahead
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [StoreFull] * 4
    assert (await store.stats(HERE)).reflections == 0


async def test_a_look_up_is_logged_at_once_and_not_counted_as_acknowledged(
    store: Store, path: Path
) -> None:
    """What a power cut may take must not be missed afterwards as an acknowledged write."""
    gate = path.with_name(f"{path.name}.gate")
    await store.record(HERE, met(learned("lock"), "e1"))
    before = gate.read_bytes()
    await store.log_lookup(HERE, asked("1"))
    assert (await store.stats(HERE)).lookups == 1
    assert gate.read_bytes() == before
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as other:
        assert other.execute("SELECT id FROM lookup").fetchall() == [("look-1",)]
    await store.record(HERE, met(learned("lock"), "e2"))
    assert gate.read_bytes() != before
