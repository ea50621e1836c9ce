"""What a page of many rows reads: `python -m tests.bench.store_reads [--rows N] [--folder F]`.

One project of that many rows (one in 77 met again, one in 50,000 of a rare error type), a tenth as
many look-ups and a hundredth as many votes over 90 days. Each read is done through the contract;
the figure is the CPU of the process, best and median of the rounds. Then counts and look-ups are
written with the indexes that the reads need, and without them, in turns: CPU of one write, without
the disk.
"""

import argparse
import asyncio
import random
import sqlite3
import statistics
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path

from reflection_mcp.store.columns import micros
from reflection_mcp.store.contract import Store
from reflection_mcp.store.open import open_store
from reflection_mcp.store.sqlite import statements
from reflection_mcp.store.sqlite.store import body_of
from tests.bench.store_bench import observation, recorded
from tests.bench.store_fill import fill_file
from tests.contract.samples import HERE, asked

DAYS = 90
TODAY = datetime(2026, 11, 21, 20, tzinfo=UTC)
SPREAD = """
UPDATE reflection SET occurrences = 2 + rid % 40 WHERE rid % 77 = 0;
UPDATE reflection SET error_type = 'RareError' WHERE rid % 50000 = 1;
UPDATE reflection SET error_type = NULL WHERE rid % 5 = 2;
UPDATE reflection SET importance = (rid % 17) / 17.0;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {rows} / 10)
INSERT INTO lookup(tenant, project, id, conversation_id, at, signature, verdict, source, summary,
  matched_id, shown, recurred)
SELECT 'acme', 'shop', 'look-' || i, 'talk', {last} - i * {span} / ({rows} / 10),
  'sig1:' || (i % 997), iif(i % 3, 'same', 'new'), 'bench', 'a summary',
  iif(i % 3, 'ref-' || (i % 997), NULL),
  iif(i % 3, '["ref-' || (i % 997) || '"]', '[]'), i % 3 = 1 FROM n;
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {rows} / 100)
INSERT INTO vote(tenant, project, target_id, source, occasion, kind, at, comment)
SELECT 'acme', 'shop', 'ref-' || (i % 997) || '.012345', 'ann', 'talk ' || i,
  iif(i % 4, 'positive', 'negative'), {last} - i * {span} / ({rows} / 100), '' FROM n;
"""
INDEXES = ("reflection_met", "reflection_type", "lookup_matched", "lookup_at", "lookup_logged")


def filled(path: Path, rows: int) -> None:
    """Make the store, if it is not there yet."""
    if path.exists():
        return
    part = path.with_suffix(".part")
    part.unlink(missing_ok=True)
    fill_file(part, HERE, rows, lambda n: observation(n, f"new-{n}", minute=n / 1000))
    with closing(sqlite3.connect(part)) as db:
        span = DAYS * 86_400_000_000
        db.executescript(SPREAD.format(rows=rows, last=micros(TODAY), span=span))
    part.rename(path)


async def read(store: Store, rounds: int) -> None:
    """Print what each read costs."""
    since = TODAY - timedelta(days=14)
    first, last = date(2026, 8, 24), date(2026, 11, 21)
    page = [row.id for row in await store.reflections(HERE, order="most_met", limit=50)]
    page = [*page[:25], *(f"ref-{n}" for n in range(25))]
    deep = (await store.reflections(HERE, limit=50_000))[-1]
    reads: dict[str, Callable[[], Awaitable[object]]] = {
        "newest 50": lambda: store.reflections(HERE, limit=50),
        "importance 50": lambda: store.reflections(HERE, order="importance", limit=50),
        "most met 50": lambda: store.reflections(HERE, order="most_met", limit=50),
        "rare error type 50": lambda: store.reflections(HERE, error_type="RareError", limit=50),
        "common error type 50": lambda: store.reflections(
            HERE, error_type="PermissionError", limit=50
        ),
        "50 behind 50,000 rows": lambda: store.reflections(HERE, limit=50, after=deep),
        "activity of 90 days": lambda: store.activity(HERE, first, last),
        "look-ups of a page by day": lambda: store.daily_lookups(HERE, page, since=since),
        "track records of 30 days": lambda: store.track_records(
            HERE, since=TODAY - timedelta(days=30)
        ),
        "look-ups of a row": lambda: store.lookups(HERE, matched_id="ref-7"),
        "newest 50 look-ups": lambda: store.lookups(HERE),
        "votes on a row": lambda: store.votes(HERE, target_id="ref-7"),
        "stats": lambda: store.stats(HERE),
        "places": lambda: store.places(HERE.tenant),
    }
    for name, one in reads.items():
        taken: list[float] = []
        for _ in range(rounds):
            began = time.process_time()
            await one()
            taken.append((time.process_time() - began) * 1e3)
        print(f"  {name:<24} best {min(taken):8.2f} ms  median {statistics.median(taken):8.2f} ms")


def write(path: Path, rows: int, rounds: int) -> None:
    """Print what a count and a look-up cost, with the indexes of the reads and without; nothing of
    it stays."""
    chance = random.Random(5)
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA cache_size=-200000")
        taken: dict[str, list[float]] = {}
        for number in range(rounds):
            for which in ("with", "without"):
                db.execute("BEGIN")
                for name in INDEXES if which == "without" else ():
                    kind = "TRIGGER" if name == "lookup_logged" else "INDEX"
                    db.execute(f"DROP {kind} {name}")
                for kind in ("count", "look-up"):
                    seconds = 0.0
                    for each in range(500):
                        name = f"{number}-{each}"
                        known = observation(77 * chance.randrange(rows // 77) + 76, name)
                        known = replace(
                            known, reflection=replace(known.reflection, last_seen=TODAY)
                        )
                        lookup = asked(name, signature=f"sig1:{each}", matched_id=f"ref-{each}")
                        began = time.process_time()
                        if kind == "count":
                            recorded(db, known)
                        else:
                            body_of(HERE, partial(statements.log, lookup=lookup))(db)
                        seconds += time.process_time() - began
                    taken.setdefault(f"{kind} {which}", []).append(seconds / 500 * 1e6)
                db.execute("ROLLBACK")
    for name, values in sorted(taken.items()):
        print(
            f"  {name:<24} best {min(values):8.1f} us  median {statistics.median(values):8.1f} us"
        )


async def main() -> None:
    """Fill and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--folder", type=Path, default=Path(".bench"), help="on a real disk")
    options = parser.parse_args()
    options.folder.mkdir(exist_ok=True)
    path = options.folder.resolve() / f"reads-{options.rows}.db"
    filled(path, options.rows)
    print(f"{options.rows:,} rows, SQLite {sqlite3.sqlite_version}, n={options.rounds}")
    store = await open_store(str(path))
    await read(store, options.rounds)
    await store.close()
    write(path, options.rows, options.rounds)


if __name__ == "__main__":
    asyncio.run(main())
