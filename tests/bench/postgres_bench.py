"""PostgreSQL beside SQLite, in one process and one run: `python -m tests.bench.postgres_bench`.

Every operation, or those that are named, is done by 1, 16 and 64 callers, each side in turn,
`--rounds` times; printed are the medians of the rounds, the least time, and PostgreSQL's beside
SQLite's. Both are as durable as they promise: the server syncs its log, and SQLite its file. The
server is reached by a Unix socket.
`--tally` compares counts of 64 callers with and without the sums of a project.
"""

import argparse
import asyncio
import os
import random
import re
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

from reflection_mcp.store.contract import Store
from reflection_mcp.store.open import open_store
from reflection_mcp.store.postgres import counts, schema
from reflection_mcp.store.records import Observation
from tests.bench.store_bench import HOT, observation
from tests.bench.store_fill import fill_database, fill_file
from tests.contract.samples import HERE, asked
from tests.postgres_server import DURABLE, running

CALLERS = (1, 16, 64)
Operation = Callable[[Store], Awaitable[object]]

SETTINGS = {**DURABLE, "shared_buffers": "1GB", "max_wal_size": "8GB"}
"""A quarter of a small server's memory, and no checkpoint in the middle of a round."""

_numbers = count(1)
_chance = random.Random(7)


def filling(number: int) -> Observation:
    """One of the errors that are stored before anything is measured."""
    return observation(number, f"new-{number}")


def operations(rows: int) -> dict[str, Operation]:
    """What is measured, by name."""
    hot = [observation(number, "e") for number in range(HOT)]

    def known(store: Store) -> Awaitable[object]:
        one = observation(_chance.randrange(rows), "e")
        return store.find(HERE, [key.digest for key in one.keys], signature="sig1:x")

    def unknown(store: Store) -> Awaitable[object]:
        digests = [f"{_chance.getrandbits(64) | 1 << 63:016x}" for _ in range(6)]
        return store.find(HERE, digests, signature="sig1:x")

    def shortlist(store: Store) -> Awaitable[object]:
        one = observation(_chance.randrange(rows), "e")
        return store.shortlist(HERE, one.features, limit=16)

    def counted(store: Store) -> Awaitable[object]:
        again = replace(_chance.choice(hot), event_id=f"c{next(_numbers)}")
        return store.record(HERE, again)

    def new(store: Store) -> Awaitable[object]:
        number = rows + next(_numbers)
        return store.record(HERE, observation(number, f"n{number}"))

    def log(store: Store) -> Awaitable[object]:
        number = next(_numbers)
        look = asked(f"{os.getpid()}-{number}", signature=f"sig1:{number % 5000}",
                     shown=(f"ref-{_chance.randrange(rows)}",))  # fmt: skip
        return store.log_lookup(HERE, look)

    return {
        "find known": known,
        "find unknown": unknown,
        "shortlist": shortlist,
        "count": counted,
        "new": new,
        "log": log,
    }


async def pace(
    store: Store, work: Operation, callers: int, seconds: float
) -> tuple[float, float, float]:
    """Operations a second, and the median and the least of their microseconds."""
    taken: list[float] = []
    end = time.perf_counter() + seconds

    async def call() -> None:
        while (begin := time.perf_counter()) < end:
            await work(store)
            taken.append(time.perf_counter() - begin)

    began = time.perf_counter()
    await asyncio.gather(*(call() for _ in range(callers)))
    paced = len(taken) / (time.perf_counter() - began)
    return paced, statistics.median(taken) * 1e6, min(taken) * 1e6


async def beside(
    sides: dict[str, Store], wanted: Sequence[str], rows: int, rounds: int, seconds: float
) -> None:
    """Print a line for each operation and number of callers; a least time is least disturbed."""
    heads = "".join(f"{name + '/s':>12}{'us':>9}{'min':>8}" for name in sides)
    print(f"{'':14}{'callers':>8}{heads}{'pace':>8}{'us':>7}{'min':>7}")
    every = operations(rows)
    for name in wanted or every:
        work = every[name]
        for callers in CALLERS:
            found: dict[str, list[tuple[float, ...]]] = {side: [] for side in sides}
            for _ in range(rounds):
                for side, store in sides.items():
                    found[side].append(await pace(store, work, callers, seconds))
            first, second = (
                [each(column) for each, column in zip(_MIDDLE, zip(*of, strict=True), strict=True)]
                for of in found.values()
            )
            sums = "".join(f"{each[0]:>12,.0f}{each[1]:>9,.0f}{each[2]:>8,.0f}"
                           for each in (first, second))  # fmt: skip
            pairs = zip(second, first, strict=True)
            ratios = [one / other for one, other in pairs]
            print(f"{name:14}{callers:>8}{sums}{ratios[0]:>8.2f}{ratios[1]:>7.2f}{ratios[2]:>7.2f}",
                  flush=True)  # fmt: skip


_MIDDLE: tuple[Callable[[tuple[float, ...]], float], ...] = (
    statistics.median,
    statistics.median,
    min,
)


async def against_no_tally(store: Store, rows: int, rounds: int, seconds: float) -> None:
    """Counts of 64 callers with the sums of a project, and with none at all."""
    names = ("_COUNTED", "_TOGETHER")
    with_sums = {name: counts.__dict__[name] for name in names}
    without = {
        name: re.sub(r", de AS .*?(FROM ev|GROUP BY d\.kind)\)", "", sql)
        for name, sql in with_sums.items()
    }
    work = operations(rows)["count"]
    found: dict[str, list[float]] = {"with": [], "without": []}
    for _ in range(rounds):
        for name, statements in (("with", with_sums), ("without", without)):
            for each, sql in statements.items():
                setattr(counts, each, sql)
            found[name].append((await pace(store, work, 64, seconds))[0])
    sums, none = statistics.median(found["with"]), statistics.median(found["without"])
    print(
        f"counts of 64 callers: with sums {sums:,.0f}/s, without {none:,.0f}/s: {sums / none:.2f}"
    )


async def main() -> None:
    """Fill both, measure, print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("operation", nargs="*", help="what to measure; everything if none is named")
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=0.5)
    parser.add_argument("--tally", action="store_true")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, running(SETTINGS) as server:
        url = server.dsn()
        await schema.upgrade(url)
        path = Path(folder) / "store.db"
        began = time.perf_counter()
        await fill_database(url, HERE, chosen.rows, filling)
        halfway = time.perf_counter()
        if not chosen.tally:
            fill_file(path, HERE, chosen.rows, filling)
        print(f"filled in {halfway - began:.0f} s and {time.perf_counter() - halfway:.0f} s")
        database = await open_store(url)
        print(
            f"{server.run('postgres', '--version').strip()}, {chosen.rows:,} rows,"
            f" {chosen.rounds} rounds of {chosen.seconds} s, load {os.getloadavg()[0]:.1f}"
        )
        if chosen.tally:
            await against_no_tally(database, chosen.rows, chosen.rounds, chosen.seconds)
        else:
            file = await open_store(str(path))
            sides: dict[str, Store] = {"sqlite": file, "postgres": database}
            await beside(sides, chosen.operation, chosen.rows, chosen.rounds, chosen.seconds)
            await file.close()
        await database.close()


if __name__ == "__main__":
    asyncio.run(main())
