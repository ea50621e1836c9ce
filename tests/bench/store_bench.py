"""The store beside raw `sqlite3`: `python -m tests.bench.store_bench [PART ...]`.

Parts: look-up, record, mixed, processes, wait, kills, open, near. Rounds of the two sides are
interleaved, since the speed of a disk changes by the minute; the minimum and the median of the
rounds are printed, and ratios of equals (minimum to minimum, median to median). `core` is the
backend without the hop to its thread, `contract` what a use case gets. Put `--folder` on a disk,
not on tmpfs, where a commit costs nothing.
"""

import argparse
import asyncio
import os
import random
import shutil
import signal
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, cast

from reflection_mcp.store.open import open_store
from reflection_mcp.store.records import Key, Observation, RecordResult, Reflection, Scope
from reflection_mcp.store.sql import recording
from reflection_mcp.store.sqlite import session as sqlite_session
from reflection_mcp.store.sqlite import statements
from reflection_mcp.store.sqlite.session import Session
from reflection_mcp.store.sqlite.store import body_of
from tests.contract.samples import HERE, at, learned

HOT = 100
"""Signatures that are met again and again."""

FEATURES, KEYS = 28, 6
WRITERS = 16


class Patient:
    """A turn that nobody gives up."""

    until = float("inf")

    def start(self) -> bool:
        """Yes."""
        return True


PATIENT = Patient()


def recorded(db: sqlite3.Connection, each: Observation, scope: Scope = HERE) -> RecordResult:
    """Record in an open transaction."""
    return body_of(scope, lambda it: recording.record(it, each))(db)


# --------------------------------------------------------------------- material

_WORDS = [
    f"{thing}{trouble}"
    for thing in ("connect", "read", "write", "parse", "lock", "index", "cache", "token")
    for trouble in ("Error", "Failed", "Timeout", "Refused", "Missing", "Denied", "Closed", "Bad")
]


def observation(number: int, event: str, *, minute: float = 0.0) -> Observation:
    """An error among many: some features common, most rare, one lesson and one example."""
    chance = random.Random(number)
    rare = [chance.getrandbits(63) for _ in range(FEATURES - 8)]
    common = [chance.randrange(400) for _ in range(4)] + [
        chance.randrange(20_000) for _ in range(4)
    ]
    words = " ".join(chance.choices(_WORDS, k=12))
    reflection: Reflection = learned(
        f"{number}",
        minute=minute,
        lesson=f"{words}: close the file before it is renamed",
        strategy="use a context manager for every file",
        example=f"PermissionError: {words} {number} " + "at app.py:save " * 10,
        error_type="PermissionError",
        tags=("files",),
    )
    return Observation(
        reflection=reflection,
        event_id=event,
        source="bench",
        keys=tuple(Key(kind=f"k{n}", digest=f"{number * KEYS + n:016x}") for n in range(KEYS)),
        features=tuple(rare + common),
    )


def _record(each: Observation, db: sqlite3.Connection) -> object:
    return recorded(db, each)


def fill(session: Session, count: int, *, start: int = 0) -> None:
    """Record that many different errors, a thousand in each transaction."""
    for first in range(start, count, 1000):
        rows = range(first, min(first + 1000, count))

        def some(db: sqlite3.Connection, rows: range = rows) -> None:
            for number in rows:
                recorded(db, observation(number, f"new-{number}"))

        session.write(PATIENT, some)


def opened(path: Path) -> Session:
    """The backend without its threads."""
    session = Session(path, read_only=False)
    session.open(PATIENT)
    return session


def raw_store(path: Path) -> sqlite3.Connection:
    """What the figures are held against: one table, the same pragmas that a commit costs by."""
    db = sqlite3.connect(path, isolation_level=None, timeout=30)
    db.execute("PRAGMA journal_mode=WAL")
    db.execute("PRAGMA synchronous=FULL")
    db.execute(
        "CREATE TABLE IF NOT EXISTS t(signature TEXT PRIMARY KEY, n INTEGER NOT NULL, text TEXT)"
    )
    return db


RAW_UPSERT = "INSERT INTO t VALUES(?, 1, ?) ON CONFLICT(signature) DO UPDATE SET n = n + 1"


def raw_upsert(db: sqlite3.Connection, signature: str) -> None:
    """The bare loop: begin, one upsert of a row of 512 bytes, commit."""
    db.execute("BEGIN IMMEDIATE")
    db.execute(RAW_UPSERT, (signature, "x" * 512))
    db.execute("COMMIT")


# --------------------------------------------------------------------- measuring

Side = Callable[[], float]


def interleaved(sides: dict[str, Side], rounds: int) -> dict[str, list[float]]:
    """Each side once in each round; a side returns what it took."""
    taken: dict[str, list[float]] = {name: [] for name in sides}
    for _ in range(rounds):
        for name, side in sides.items():
            taken[name].append(side())
    return taken


def report(title: str, taken: dict[str, list[float]], unit: str, scale: float) -> None:
    """One line for each side: minimum, median, and both beside the first side."""
    base = next(iter(taken.values()))
    print(f"\n{title} (n={len(base)} rounds)")
    for name, values in taken.items():
        low, middle = min(values), statistics.median(values)
        print(
            f"  {name:<34} min {low * scale:9.1f} {unit}  median {middle * scale:9.1f} {unit}"
            f"   beside the first: {low / min(base):5.2f} / {middle / statistics.median(base):5.2f}"
            f"   throughput {min(base) / low:5.2f} / {statistics.median(base) / middle:5.2f}"
        )


def spent(clock: Callable[[], float], times: int, work: Callable[[int], object]) -> float:
    """Seconds for one piece of work."""
    began = clock()
    for number in range(times):
        work(number)
    return (clock() - began) / times


# --------------------------------------------------------------------- the parts


async def look_up(folder: Path, rounds: int) -> None:
    """A point select of one wide row by its unique key, and our look-up by key."""
    rows, times = 10_000, 1000
    path = folder / "look-up.db"
    session = opened(path)
    fill(session, rows)
    store = await open_store(str(path))
    picks = [random.Random(1).randrange(rows) for _ in range(times)]
    digests = [[f"{pick * KEYS:016x}"] for pick in picks]
    plain = sqlite3.connect(path, isolation_level=None)
    select = (
        "SELECT * FROM reflection WHERE tenant = ? AND project = ? AND kind = ? AND signature = ?"
    )

    def raw() -> float:
        def one(number: int) -> object:
            place = (HERE.tenant, HERE.project, "reflection", f"sig1:{picks[number]}")
            return plain.execute(select, place).fetchall()

        return spent(time.process_time, times, one)

    def core() -> float:
        def one(number: int) -> object:
            wanted = digests[number]
            return session.near(body_of(HERE, lambda it: statements.found(it, wanted, "", 50)))

        return spent(time.process_time, times, one)

    taken: dict[str, list[float]] = {"raw select by key": [], "core find": [], "contract find": []}
    for _ in range(rounds):
        taken["raw select by key"].append(raw())
        taken["core find"].append(core())
        began = time.process_time()
        for wanted in digests:
            await store.find(HERE, wanted)
        taken["contract find"].append((time.process_time() - began) / times)
    report(f"look-up by key, {rows} rows, CPU", taken, "us", 1e6)
    plain.close()
    session.close()
    await store.close()


def _events() -> Iterator[str]:
    number = 0
    while True:
        number += 1
        yield f"{number:032x}"


async def record(folder: Path, rounds: int, *, new: float = 0.0) -> None:
    """A bare upsert loop, and recording errors of which a part is new."""
    times, chance, events = 300, random.Random(2), _events()
    name = f"record-{new}"
    session = opened(folder / f"{name}.db")
    fill(session, HOT)
    store = await open_store(str(folder / f"{name}.db"))
    plain = raw_store(folder / f"{name}-raw.db")
    made = HOT

    def batch() -> list[Observation]:
        nonlocal made
        known = [observation(n, "") for n in range(HOT)]
        chosen: list[Observation] = []
        for number in range(times):
            if chance.random() < new:
                made += 1
                chosen.append(observation(made, next(events)))
            else:
                hot = known[number % HOT]
                later = replace(hot.reflection, last_seen=at(made + number / times))
                chosen.append(replace(hot, event_id=next(events), reflection=later))
        return chosen

    def raw() -> float:
        def one(number: int) -> None:
            fresh = new and chance.random() < new
            raw_upsert(plain, f"{next(events)}" if fresh else f"{number % HOT}")

        return spent(time.perf_counter, times, one)

    def core(observations: Sequence[Observation]) -> float:
        def one(number: int) -> None:
            each = observations[number]
            session.write(PATIENT, partial(_record, each))

        return spent(time.perf_counter, times, one)

    async def alone(observations: Sequence[Observation]) -> float:
        began = time.perf_counter()
        for each in observations:
            await store.record(HERE, each)
        return (time.perf_counter() - began) / times

    async def eight(observations: Sequence[Observation]) -> float:
        queue = iter(observations)

        async def work() -> None:
            for each in queue:
                await store.record(HERE, each)

        began = time.perf_counter()
        await asyncio.gather(*(work() for _ in range(8)))
        return (time.perf_counter() - began) / times

    taken: dict[str, list[float]] = {
        "raw BEGIN IMMEDIATE upsert": [],
        "core record": [],
        "contract record, one at a time": [],
        "contract record, eight in flight": [],
    }
    for _ in range(rounds):
        taken["raw BEGIN IMMEDIATE upsert"].append(raw())
        taken["core record"].append(core(batch()))
        taken["contract record, one at a time"].append(await alone(batch()))
        taken["contract record, eight in flight"].append(await eight(batch()))
    report(f"recording, {new:.0%} new, wall", taken, "us", 1e6)
    plain.close()
    session.close()
    await store.close()


def workers(count: int, work: Callable[[int], str]) -> tuple[float, list[str]]:
    """Fork that many, let them begin at once; how long they took, and what each one said."""
    start, go = os.pipe()
    pipes: list[int] = []
    for worker in range(count):
        answer, say = os.pipe()
        if os.fork() == 0:
            code = 1
            try:
                os.close(go)
                os.write(say, work(worker).encode())
                code = 0
            finally:
                os._exit(code)
        os.close(say)
        pipes.append(answer)
    began = time.perf_counter()
    os.close(go)
    os.close(start)
    answers: list[str] = []
    for answer in pipes:
        with os.fdopen(answer, "rb") as pipe:
            answers.append(pipe.read().decode())
    for _ in range(count):
        assert os.wait()[1] == 0
    return time.perf_counter() - began, answers


def _writes(path: Path, worker: int, times: int, run: str) -> str:
    """Open the store, record hot errors; the first and last moment, and the longest wait."""
    session = opened(path)
    known = [observation(n, "") for n in range(HOT)]
    longest, first = 0.0, time.monotonic()
    for number in range(times):
        each = replace(known[(worker + number) % HOT], event_id=f"{run}-{worker}-{number}")
        began = time.monotonic()
        session.write(PATIENT, partial(_record, each))
        longest = max(longest, time.monotonic() - began)
    last = time.monotonic()
    session.close()
    return f"{first} {last} {longest}"


def _spread(answers: Sequence[str]) -> tuple[float, float]:
    """From the first write of any to the last one of all, and the longest wait."""
    rows = [tuple(map(float, answer.split())) for answer in answers]
    return max(r[1] for r in rows) - min(r[0] for r in rows), max(r[2] for r in rows)


async def processes(folder: Path, rounds: int) -> None:
    """The same number of writes by one process and by sixteen."""
    path, total, runs = folder / "processes.db", 1600, _events()
    session = opened(path)
    fill(session, HOT)
    session.close()

    def by(count: int) -> float:
        run = next(runs)
        _, answers = workers(count, lambda w: _writes(path, w, total // count, run))
        return _spread(answers)[0] / total

    taken = interleaved({"1 process": lambda: by(1), "16 processes": lambda: by(16)}, rounds)
    report("writes by one and by sixteen processes, core, wall", taken, "us", 1e6)


async def wait(folder: Path, rounds: int) -> None:
    """The longest that one of sixteen saturated writers waits, with the gate and without it."""
    path, times, runs = folder / "wait.db", 60, _events()
    session = opened(path)
    fill(session, HOT)
    session.close()

    def gated() -> float:
        run = next(runs)
        _, answers = workers(WRITERS, lambda w: _writes(path, w, times, run))
        return _spread(answers)[1]

    def alone(worker: int, run: str) -> str:
        sqlite_session.POLL = 30.0  # SQLite's own busy handler, nothing else
        # As on a system without flock: by the language, None here makes `import fcntl` fail.
        sys.modules.update(fcntl=cast("Any", None))
        return _writes(path, worker, times, run)

    def ungated() -> float:
        run = next(runs)
        _, answers = workers(WRITERS, lambda w: alone(w, run))
        return _spread(answers)[1]

    taken = interleaved({"without the gate": ungated, "with the gate": gated}, rounds)
    report(f"longest wait of {WRITERS} saturated writers", taken, "ms", 1e3)


async def kills(folder: Path, rounds: int) -> None:
    """Writers killed at random moments: what was acknowledged and what is there."""
    chance, acknowledged, stored, broken = random.Random(3), 0, 0, 0
    for number in range(rounds * 3):
        path = folder / f"kills-{number}.db"
        opened(path).close()
        told, tell = os.pipe()
        children: list[int] = []
        for worker in range(4):
            child = os.fork()
            if child == 0:
                session = opened(path)
                for event in range(10**6):
                    each = observation(event % 7, f"{worker}-{event}")
                    session.write(PATIENT, partial(_record, each))
                    os.write(tell, b".")
            children.append(child)
        os.close(tell)
        with os.fdopen(told, "rb") as pipe:
            acked = len(pipe.read(chance.randrange(1, 200)))  # the moment: so many acknowledged
            for child in children:
                os.kill(child, signal.SIGKILL)
                os.waitpid(child, 0)
            acked += len(pipe.read())
        opened(path).close()
        with closing(sqlite3.connect(path)) as db:
            ((there,),) = db.execute("SELECT total(occurrences) FROM reflection").fetchall()
            ((events,),) = db.execute("SELECT count(*) FROM event").fetchall()
            sound = db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        broken += not (acked <= there <= acked + 4 and there == events and sound)
        acknowledged += acked
        stored += int(there)
    print(
        f"\nkills: {rounds * 3} rounds of 4 writers, {acknowledged} acknowledged,"
        f" {stored} stored, {broken} rounds with a loss or damage"
    )


async def opening(folder: Path, rounds: int) -> None:
    """Opening a store that is current."""
    path = folder / "opening.db"
    session = opened(path)
    fill(session, 1000)
    session.close()

    async def once() -> float:
        began = time.perf_counter()
        store = await open_store(str(path))
        took = time.perf_counter() - began
        await store.close()
        return took

    report("opening a current store, wall", {"open_store": [await once() for _ in range(rounds)]},
           "ms", 1e3)  # fmt: skip


def quantiles(values: list[float]) -> str:
    """The middle and the tail."""
    values.sort()
    low, high = values[len(values) // 2], values[min(len(values) - 1, len(values) * 99 // 100)]
    return f"p50 {low * 1e3:8.3f} ms  p99 {high * 1e3:8.3f} ms  (n={len(values)})"


async def near(folder: Path, rounds: int, *, rows: int) -> None:
    """Find, shortlist, search and list through the contract, in a store of many rows."""
    path = folder / f"near-{rows}.db"
    session = opened(path)
    began = time.perf_counter()
    fill(session, rows)
    print(f"\n{rows} rows, {path.stat().st_size / rows:.0f} bytes each,"
          f" {(time.perf_counter() - began) / rows * 1e6:.0f} us each to fill")  # fmt: skip
    store = await open_store(str(path))
    chance = random.Random(4)
    queries = [observation(chance.randrange(rows), "") for _ in range(100 * rounds)]
    for kind, some in (
        ("find, hit", queries),
        ("find, no hit", queries),
        ("shortlist", queries),
        ("search, 3 words", queries[:20]),
        ("newest ten", queries[:20]),
        ("stats", queries[:9]),
    ):
        taken: list[float] = []
        found = 0
        for query in some:
            began = time.perf_counter()
            match kind:
                case "find, hit":
                    found += len(await store.find(HERE, [key.digest for key in query.keys]))
                case "find, no hit":
                    found += len(await store.find(HERE, [f"x{k.digest}" for k in query.keys]))
                case "shortlist":
                    worn = (*query.features[:14], *range(10**9, 10**9 + 14))
                    best = await store.shortlist(HERE, worn)
                    found += bool(best) and best[0].id == query.reflection.id
                case "search, 3 words":
                    words = query.reflection.lesson.split()[:3]
                    found += len(await store.search(HERE, words))
                case "newest ten":
                    found += len(await store.reflections(HERE))
                case _:
                    found += (await store.stats(HERE)).reflections
            taken.append(time.perf_counter() - began)
        print(f"  {kind:<18} {quantiles(taken)}  found {found / len(some):.2f} each")
    await store.close()
    session.close()


class Options(argparse.Namespace):
    """What was asked for."""

    parts: list[str]
    rounds: int
    rows: int
    folder: Path


async def main() -> None:
    """Do the parts that were asked for."""
    parser = argparse.ArgumentParser(description="The store beside raw sqlite3.")
    parser.add_argument("parts", nargs="*", help="default: all but near")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--rows", type=int, default=10_000, help="for the part near")
    parser.add_argument("--folder", type=Path, default=Path(".bench"), help="on a real disk")
    options = parser.parse_args(namespace=Options())
    options.folder.mkdir(exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=options.folder.absolute()))
    parts = {
        "look-up": lambda: look_up(folder, options.rounds),
        "record": lambda: record(folder, options.rounds),
        "mixed": lambda: record(folder, options.rounds, new=0.3),
        "processes": lambda: processes(folder, options.rounds),
        "wait": lambda: wait(folder, options.rounds),
        "kills": lambda: kills(folder, options.rounds),
        "open": lambda: opening(folder, options.rounds),
        "near": lambda: near(folder, options.rounds, rows=options.rows),
    }
    print(f"SQLite {sqlite3.sqlite_version}, Python {sys.version.split()[0]}")
    try:
        chosen = options.parts or [name for name in parts if name != "near"]
        for part in chosen:
            await parts[part]()
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    asyncio.run(main())
