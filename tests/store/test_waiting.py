"""Waiting: with a deadline, in nobody's way, and given up at any moment without a trace."""

import asyncio
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import cast

import pytest
from anyio import fail_after
from anyio.lowlevel import checkpoint

from reflection_mcp.store.contract import Store
from reflection_mcp.store.errors import StoreBusy, StoreFull, StoreReadOnly, StoreUnavailable
from reflection_mcp.store.interactions import Lookup, Step
from reflection_mcp.store.open import open_store
from reflection_mcp.store.records import RecordResult
from reflection_mcp.store.sqlite.db import SqliteDb, now
from reflection_mcp.store.sqlite.session import POLL, Session
from reflection_mcp.store.sqlite.store_worker import StoreWorker, WorkerTurn
from tests.contract.samples import HERE, asked, at, learned, met, said
from tests.new_store import placed
from tests.store.faults import fill, filled, gate_file, gate_held, sound, transaction_held

pytestmark = pytest.mark.anyio


async def test_work_with_sqlite_waits_for_nothing_else() -> None:
    with pytest.raises(AssertionError, match="waited"):
        now(checkpoint())


HOLDS = {
    "the gate": (
        "import fcntl, sys; file = open(sys.argv[1] + '.gate'); fcntl.flock(file, fcntl.LOCK_EX);"
        "print('held', flush=True); sys.stdin.read()"
    ),
    "a transaction": (
        "import sqlite3, sys; db = sqlite3.connect(sys.argv[1], isolation_level=None);"
        "db.execute('BEGIN IMMEDIATE'); print('held', flush=True); sys.stdin.read()"
    ),
}


@pytest.mark.parametrize("held", HOLDS)
async def test_a_stopped_process_makes_writers_give_up_and_readers_go_on(
    path: Path, held: str
) -> None:
    await filled(path, 1)
    store, hasty = await open_store(str(path)), await open_store(str(path), wait=0.2)
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLDS[held], str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    with holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"held\n"
        os.kill(holder.pid, signal.SIGSTOP)
        with pytest.raises(StoreBusy) as refusal:
            await hasty.record(HERE, met(learned("lock"), "e"))
        assert refusal.value.retryable
        assert refusal.value.hint
        assert len(await store.find(HERE, ["k0"])) == 1
        assert (await store.stats(HERE)).reflections == 1
        another = await open_store(str(path))
        assert len(await another.find(HERE, ["k0"])) == 1
        os.kill(holder.pid, signal.SIGKILL)
        holder.wait()
        assert (await store.record(HERE, met(learned("lock"), "e"))).created
        await another.close()
    await hasty.close()
    await store.close()
    assert sound(path)


async def test_a_write_that_was_given_up_never_happens(
    store: Store, hasty: Store, path: Path
) -> None:
    with gate_held(path):
        for number in range(3):
            with pytest.raises(StoreBusy):
                await hasty.record(HERE, met(learned("lock"), f"e{number}"))
    assert (await store.record(HERE, met(learned("lock"), "e9"))).created


async def test_a_write_that_was_cancelled_behind_the_gate_never_happens(
    store: Store, path: Path
) -> None:
    with gate_held(path):
        writing = asyncio.create_task(store.record(HERE, met(learned("lock"), "e1")))
        await checkpoint()
        writing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await writing
    assert (await store.record(HERE, met(learned("lock"), "e2"))).created


async def test_a_write_may_be_cancelled_at_any_moment(store: Store, path: Path) -> None:
    acknowledged = 0
    for turns in range(60):
        writing = asyncio.create_task(store.record(HERE, met(learned("lock"), f"e{turns}")))
        for _ in range(turns * 8):
            await checkpoint()
        writing.cancel()
        (outcome,) = await asyncio.gather(writing, return_exceptions=True)
        assert isinstance(outcome, RecordResult | asyncio.CancelledError)
        acknowledged += isinstance(outcome, RecordResult)
    row = (await store.record(HERE, met(learned("lock"), "last"))).reflection
    assert acknowledged + 1 <= row.occurrences <= 61
    with gate_held(path), transaction_held(path):
        pass
    await store.close()
    assert sound(path)


async def test_a_read_may_be_cancelled(store: Store) -> None:
    await fill(store, 3)
    for turns in range(10):
        reading = asyncio.create_task(store.stats(HERE))
        for _ in range(turns):
            await checkpoint()
        reading.cancel()
        await asyncio.gather(reading, return_exceptions=True)
    assert (await store.stats(HERE)).reflections == 3


async def test_reads_do_not_wait_behind_a_write(store: Store, path: Path) -> None:
    await fill(store, 1)
    with gate_held(path):
        writing = asyncio.create_task(store.record(HERE, met(learned("lock"), "e1")))
        await checkpoint()
        assert len(await store.find(HERE, ["k0"])) == 1
        assert (await store.stats(HERE)).reflections == 1
        assert not writing.done()
    assert (await writing).created


async def test_a_new_store_behind_a_held_gate_is_busy_and_left_for_later(path: Path) -> None:
    path.parent.mkdir()
    gate_file(path).touch()
    with gate_held(path), pytest.raises(StoreBusy):
        await open_store(str(path), wait=0.05)
    store = await open_store(str(path))
    assert (await store.health()).problems == ()
    await store.close()


async def test_closing_does_not_wait_for_a_stopped_process(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reflection_mcp.store.sqlite.store.FAREWELL", 0.05)
    await filled(path, 1)
    store = await open_store(str(path), wait=0.05)
    with gate_held(path):
        await store.close()
    again = await open_store(str(path))
    assert (await again.stats(HERE)).reflections == 1
    await again.close()


async def test_closing_lets_a_write_that_has_begun_finish(path: Path) -> None:
    store = await open_store(str(path))
    writing = asyncio.create_task(store.record(HERE, met(learned("lock"), "e1")))
    await checkpoint()
    await store.close()
    assert (await writing).created


# --------------------------------------------------------------------- notes wait for nobody


@contextmanager
def held(path: Path, by: str) -> Generator[None]:
    """Another is in the way: at the gate, or with SQLite's own lock."""
    with gate_held(path) if by == "the gate" else transaction_held(path, kind=by):
        yield


def step(name: str) -> Step:
    return Step(id=name, conversation_id="talk", at=at(1), tool="Bash", told=name, error="")


@pytest.mark.parametrize("by", ["the gate", "IMMEDIATE", "EXCLUSIVE"])
async def test_look_ups_and_steps_are_noted_later(store: Store, path: Path, by: str) -> None:
    await store.record(HERE, met(learned("lock"), "e1"))
    await store.add_step(HERE, step("first"))
    assert [each.id for each in await store.steps(HERE, "talk")] == ["first"]
    with held(path, by):
        await store.log_lookup(HERE, asked("1", shown=("ref-lock",)))
        await store.add_step(HERE, step("second"))
        await store.add_step(HERE, replace(step("else"), conversation_id="chat"))
        assert "3 notes wait for another process" in (await store.health()).notes
        judged = asyncio.create_task(store.apply_feedback(HERE, said("positive", "look-1")))
        await checkpoint()
    effect = await judged
    assert [(row.helped, row.shown) for row in effect.reflections] == [(1, 1)]
    assert await store.lookup(HERE, "look-1") == asked("1", shown=("ref-lock",))
    assert [each.id for each in await store.steps(HERE, "talk")] == ["first", "second"]
    assert not any("wait" in note for note in (await store.health()).notes)


async def test_what_waits_when_a_store_is_closed_is_written_or_counted(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("reflection_mcp.store.sqlite.store.FAREWELL", 0.05)
    monkeypatch.setattr("reflection_mcp.store.sqlite.notes.MOST_WAITING", 2)
    store = await open_store(placed(path))
    with transaction_held(path):
        for name in "12":
            await store.log_lookup(HERE, asked(name))
        with pytest.raises(StoreBusy, match="2 notes wait"):
            await store.log_lookup(HERE, asked("3"))
        assert "1 notes were dropped" in (await store.health()).notes
        await store.close()
    assert [each.getMessage() for each in caplog.records] == [
        "3 look-ups and steps were not logged: the store could not be written"
    ]
    again = await open_store(str(path))
    assert (await again.stats(HERE)).lookups == 0
    await again.close()


async def test_a_hasty_close_does_not_wait(
    path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("reflection_mcp.store.sqlite.store.FAREWELL", 600)
    store = await open_store(placed(path))
    with transaction_held(path), fail_after(60):
        await store.log_lookup(HERE, asked("1"))
        await store.hasty(0.0).close()
    assert "1 look-ups and steps were not logged" in caplog.text


async def test_a_hasty_close_loses_no_note_unless_a_process_is_in_the_way(path: Path) -> None:
    store = await open_store(placed(path))
    for name in map(str, range(20)):
        await store.log_lookup(HERE, asked(name))
    await store.hasty(0.0).close()
    again = await open_store(str(path))
    assert (await again.stats(HERE)).lookups == 20
    await again.close()


async def test_a_note_that_cannot_be_written_for_another_reason_is_refused(path: Path) -> None:
    await filled(path, 1)
    store = await open_store(str(path), read_only=True)
    with pytest.raises(StoreReadOnly):
        await store.log_lookup(HERE, asked("1"))
    await store.close()


async def test_a_note_that_could_not_be_written_is_told_by_the_next_one(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def full(db: SqliteDb, lookup: Lookup) -> None:
        raise StoreFull("the disk is full", "make room")

    with monkeypatch.context() as patch:
        patch.setattr("reflection_mcp.store.sqlite.statements.log", full)
        await store.log_lookup(HERE, asked("1"))
        assert "1 notes were dropped" in (await store.health()).notes
    with pytest.raises(StoreFull):
        await store.log_lookup(HERE, asked("2"))
    await store.log_lookup(HERE, asked("3"))
    assert [each.id for each in await store.lookups(HERE)] == ["look-2", "look-3"]


async def test_nobody_waits_for_a_note(store: Store, path: Path) -> None:
    noting = asyncio.create_task(store.log_lookup(HERE, asked("1")))
    await checkpoint()
    assert noting.done()
    await store.close()
    again = await open_store(str(path))
    assert (await again.stats(HERE)).lookups == 1
    await again.close()


async def test_another_process_is_in_the_way_from_the_first_try_on(path: Path) -> None:
    await filled(path, 1)
    session = Session(path, read_only=False)

    class Turn:
        """Nobody waits once the first try has failed."""

        hindered = 0.0

        @property
        def until(self) -> float:
            self.hindered = session.hindered
            return 0.0

        def start(self) -> bool:
            return True

    turn = Turn()
    session.open(cast("WorkerTurn", turn))
    with transaction_held(path), pytest.raises(StoreBusy):
        session.write(cast("WorkerTurn", turn), lambda db: None)
    session.close()
    assert turn.hindered >= POLL


async def test_a_note_is_written_although_nobody_asks(store: Store, path: Path) -> None:
    await store.log_lookup(HERE, asked("1"))
    with fail_after(60), closing(sqlite3.connect(path)) as other:
        while not other.execute("SELECT id FROM lookup").fetchall():
            await checkpoint()


async def test_who_is_in_a_hurry_waits_no_longer_than_that(store: Store, path: Path) -> None:
    await store.record(HERE, met(learned("lock"), "e1"))
    with transaction_held(path), pytest.raises(StoreBusy):
        await store.hasty(0.05).record(HERE, met(learned("lock"), "e2"))
    assert (await store.record(HERE, met(learned("lock"), "e3"))).reflection.occurrences == 2


# --------------------------------------------------------------------- where something is missing


async def test_a_gate_file_that_is_deleted_in_use_is_made_again(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reflection_mcp.store.sqlite.process_lock.LOOK_EVERY", 0.0)
    store = await open_store(str(path))
    await fill(store, 1)
    gate_file(path).unlink()
    other = await open_store(str(path))
    await asyncio.gather(fill(store, 5, start=1), fill(other, 5, start=6))
    assert gate_file(path).read_text().endswith("00011\n")
    assert (await store.stats(HERE)).reflections == 11
    assert any("deleted while in use" in note for note in (await store.health()).notes)
    await other.close()
    await store.close()


async def test_a_gate_file_that_cannot_be_made_again_costs_no_write(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reflection_mcp.store.sqlite.process_lock.LOOK_EVERY", 0.0)
    store = await open_store(str(path))
    await fill(store, 1)
    gate_file(path).unlink()
    gate_file(path).mkdir()
    await fill(store, 5, start=1)
    assert (await store.stats(HERE)).reflections == 6
    assert any("cannot be opened" in note for note in (await store.health()).notes)
    await store.close()


async def test_without_flock_writers_take_turns_by_retrying(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "fcntl", None)
    stores = [await open_store(str(path), wait=60) for _ in range(3)]
    await asyncio.gather(*(fill(s, 10, start=10 * n) for n, s in enumerate(stores)))
    assert (await stores[0].stats(HERE)).occurrences == 30
    assert any("no flock" in note for note in (await stores[0].health()).notes)
    for store in stores:
        await store.close()


async def test_a_file_system_without_shared_memory_gets_another_journal_and_a_note(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "reflection_mcp.store.sqlite.session.READ_WRITE", "mode=rw&vfs=unix-dotfile"
    )
    store = await open_store(str(path), wait=0.4)
    other = await open_store(str(path), wait=60)
    await fill(store, 3)
    assert any("no write-ahead log" in note for note in (await store.health()).notes)
    assert len(await other.find(HERE, ["k0", "k1", "k2"])) == 3
    with transaction_held(path, "unix-dotfile", "EXCLUSIVE"):
        with pytest.raises(StoreBusy):
            await store.find(HERE, ["k0"])
        waiting = asyncio.create_task(other.find(HERE, ["k0"]))
        await checkpoint()
        assert not waiting.done()
    assert len(await waiting) == 1
    await store.close()
    await other.close()


# --------------------------------------------------------------------- the worker itself


async def test_an_error_in_the_lane_is_raised_where_the_work_was_asked_for() -> None:
    worker = StoreWorker("test", lambda pieces: None)

    def fail(turn: WorkerTurn) -> None:
        raise KeyError("a bug")

    with pytest.raises(KeyError):
        await worker.run(fail, 1)
    assert await worker.run(lambda turn: turn.start() and turn.start(), 1)
    worker.stop()
    with pytest.raises(StoreUnavailable, match="closed"):
        await worker.run(fail, 1)
