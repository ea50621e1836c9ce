"""Many processes: every write counts once, every start succeeds, a kill loses nothing."""

import asyncio
import os
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from reflection_mcp.store.contract import Store
from reflection_mcp.store.errors import StoreUnavailable
from reflection_mcp.store.open import open_store
from reflection_mcp.store.sqlite import schema as sqlite_schema
from tests.contract.samples import HERE, learned, met
from tests.store.crowd import PATIENCE
from tests.store.faults import fill, filled, sound

pytestmark = pytest.mark.anyio

ROOT = Path(__file__).parents[2]


def crowd(task: str, path: Path, workers: int, times: int = 0) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "tests.store.crowd", task, str(path), str(workers), str(times)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def finished(process: subprocess.Popen[bytes]) -> bytes:
    printed, complaints = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, complaints.decode()
    return printed


def occurrences(path: Path) -> int:
    async def ask() -> int:
        store = await open_store(str(path))
        row = await store.reflection(HERE, "ref-lock")
        await store.close()
        return 0 if row is None else row.occurrences

    return asyncio.run(ask())


def test_eight_processes_count_one_signature_exactly(path: Path) -> None:
    assert finished(crowd("count", path, 8, 50)) == b"." * 400
    assert occurrences(path) == 400
    assert sound(path)


def test_sixteen_processes_may_open_a_new_store_at_once(path: Path) -> None:
    finished(crowd("open", path, 16))
    assert sound(path)


@pytest.mark.slow
def test_sixteen_processes_may_upgrade_a_store_at_once(path: Path) -> None:
    asyncio.run(filled(path, 3))
    finished(crowd("upgrade", path, 16))
    backups = [each.name for each in path.parent.glob("*.backup")]
    assert backups == [f"store.db.v{sqlite_schema.version()}.backup"]
    assert sound(path)


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=pytest.mark.slow) for seed in (1, 2))]
)
def test_writers_that_are_killed_lose_no_acknowledged_write(path: Path, seed: int) -> None:
    asyncio.run(filled(path, 0))
    writers = crowd("count", path, 4, 100_000)
    assert writers.stdout is not None
    acknowledged = len(os.read(writers.stdout.fileno(), 1))
    threading.Event().wait(random.Random(seed).uniform(0.02, 0.3))
    os.killpg(writers.pid, signal.SIGKILL)
    acknowledged += len(writers.communicate(timeout=PATIENCE)[0])
    assert acknowledged <= occurrences(path) <= acknowledged + 4
    assert sound(path)


def test_a_writer_that_is_told_to_end_leaves_no_lock_behind(path: Path) -> None:
    writer = crowd("count", path, 1, 100_000)
    assert writer.stdout is not None
    assert os.read(writer.stdout.fileno(), 1) == b"."
    os.killpg(writer.pid, signal.SIGTERM)
    printed, _ = writer.communicate(timeout=PATIENCE)
    asyncio.run(filled(path, 1))
    assert 1 + len(printed) <= occurrences(path)
    assert sound(path)


async def test_threads_with_loops_of_their_own_may_share_a_store(store: Store) -> None:
    def work(worker: int) -> None:
        async def count() -> None:
            for number in range(10):
                observation = met(learned("lock"), f"e{worker}-{number}", by=f"thread {worker}")
                await store.record(HERE, observation)
                assert await store.reflection(HERE, "ref-lock") is not None
                assert (await store.stats(HERE)).reflections == 1

        asyncio.run(count())

    await asyncio.gather(*(asyncio.to_thread(work, worker) for worker in range(16)))
    row = await store.reflection(HERE, "ref-lock")
    assert row is not None
    assert (row.occurrences, row.sources) == (160, 16)


async def test_tasks_of_one_process_may_write_at_once(store: Store) -> None:
    observations = [met(learned("lock"), f"e{n}", by=f"{n % 4}") for n in range(50)]
    await asyncio.gather(*(store.record(HERE, observation) for observation in observations))
    row = await store.reflection(HERE, "ref-lock")
    assert row is not None
    assert (row.occurrences, row.sources) == (50, 4)


async def test_the_same_event_delivered_at_once_counts_once(store: Store, path: Path) -> None:
    other = await open_store(str(path))
    deliveries = [s.record(HERE, met(learned("lock"), "e1")) for s in (store, other) * 5]
    results = await asyncio.gather(*deliveries)
    assert sorted(result.counted for result in results) == [False] * 9 + [True]
    assert {result.reflection.occurrences for result in results} == {1}
    await other.close()


async def test_a_forked_process_is_refused_and_the_parent_goes_on(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fill(store, 1)
    with monkeypatch.context() as child:
        child.setattr(os, "getpid", lambda: -1)
        for call in (store.stats(HERE), store.find(HERE, ["k0"]), fill(store, 1, start=1)):
            with pytest.raises(StoreUnavailable, match="forked") as refusal:
                await call
            assert "open it again" in refusal.value.hint
    await fill(store, 1, start=1)
    assert (await store.stats(HERE)).reflections == 2


async def test_closing_in_a_forked_process_leaves_the_files_to_the_parent(
    store: Store, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await fill(store, 1)
    with monkeypatch.context() as child:
        child.setattr(os, "getpid", lambda: -1)
        await store.close()
    assert path.with_name("store.db-wal").stat().st_size > 0
    await fill(store, 1, start=1)


@pytest.mark.slow
def test_a_process_that_really_forks_goes_on_writing(path: Path) -> None:
    finished(crowd("fork", path, 2, 20))
    assert occurrences(path) == 40
    assert sound(path)
