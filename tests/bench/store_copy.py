"""How long does a large store take to PostgreSQL and back, and does it export the same bytes?

    python -m tests.bench.store_copy [--lessons 100000]

SQLite -> PostgreSQL (as the application's role, held by row level security) -> SQLite, by the
command `copy` in a process of its own each time; then both files are exported and compared. The
lessons come with keys, features, tags, two versions and votes for every tenth, and as many look-ups
and attempts as a tenth of them. Printed, too, is what a lesson takes on the disk in PostgreSQL.
"""

import argparse
import asyncio
import hashlib
import subprocess
import sys
import tempfile
import time
from functools import partial
from pathlib import Path

from reflection_mcp.store.contract import Writes
from reflection_mcp.store.interactions import Lookup
from reflection_mcp.store.open import open_store
from reflection_mcp.store.postgres.location import connect
from reflection_mcp.store.postgres.schema import TABLES, migrate
from reflection_mcp.store.records import Observation, Scope
from tests.bench.store_fill import fill_file
from tests.contract.samples import asked, learned, met, said, tried
from tests.new_store import placed
from tests.postgres_server import APPLICATION_ROLE, DURABLE, running, with_query
from tests.postgres_server import asked as queried

SHOP = Scope(project="shop")
PAGE = 100


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lessons", type=int, default=100_000)
    lessons = parser.parse_args().lessons
    with tempfile.TemporaryDirectory() as folder, running(DURABLE) as server:
        first, back = (placed(Path(folder) / f"{name}.db") for name in ("first", "back"))
        fill_file(Path(first), SHOP, lessons, lesson, words=True)
        asyncio.run(used(first, lessons))
        queried(server.dsn(), f"CREATE ROLE {APPLICATION_ROLE} LOGIN")
        asyncio.run(migrated(server.dsn()))
        team = with_query(server.dsn(), user=APPLICATION_ROLE)
        for name, source, target in (("there", first, team), ("back", team, back)):
            began = time.monotonic()
            ran("copy", "--store", source, "--to", target)
            print(f"{name:6} {time.monotonic() - began:.1f} s for {lessons:,} lessons")
        sizes = " + ".join(f"pg_total_relation_size('{name}')" for name in TABLES)
        ((size,),) = queried(server.dsn(), f"SELECT {sizes}")
        print(f"{size / lessons:,.0f} bytes a lesson in PostgreSQL, with all that hangs on it")
        sums = [
            hashlib.sha256(ran("export", "--store", each)).hexdigest() for each in (first, back)
        ]
        print("exports are", "equal" if sums[0] == sums[1] else "DIFFERENT", sums)
    raise SystemExit(sums[0] != sums[1])


async def migrated(dsn: str) -> None:
    """Make the tables."""
    connection = await connect(dsn)
    await migrate(connection, grant=APPLICATION_ROLE)
    await connection.close()


def ran(command: str, *arguments: str) -> bytes:
    """The output of a command of ours."""
    ours = [sys.executable, "-m", "reflection_mcp.server", command, "--project", "shop"]
    return subprocess.run([*ours, *arguments], check=True, stdout=subprocess.PIPE).stdout


def lesson(number: int) -> Observation:
    """One of the lessons, as it was first met."""
    name = f"{number:06}"
    row = learned(name, scope=SHOP, strategy=f"check {number}", tags=("io", f"t{number % 50}"))
    keys = tuple(f"{number:08x}{each:08x}" for each in range(6))
    features = tuple(number * 31 + each for each in range(24))
    return met(row, f"e{number}", keys=keys, features=features)


def look(number: int) -> Lookup:
    """The look-up that showed a lesson, in a conversation of its own."""
    name = f"{number:06}"
    return asked(
        f"{number}",
        signature=f"sig1:{name}",
        conversation=f"talk-{name}",
        shown=(f"ref-{name}",),
        matched_id=f"ref-{name}",
        verdict="same",
    )


async def used(location: str, lessons: int) -> None:
    """Let every tenth lesson be shown, tried, praised and worded anew."""
    store = await open_store(location)
    for begin in range(0, lessons, 10 * PAGE):
        numbers = range(begin, min(begin + 10 * PAGE, lessons), 10)
        looks = [look(number) for number in numbers]
        await asyncio.gather(*(store.log_lookup(SHOP, each) for each in looks))
        await store.transaction(SHOP, partial(use, numbers))
    await store.close()


def use(numbers: range, writes: Writes) -> None:
    """All that is done to lessons in one transaction."""
    for number in numbers:
        other = learned(f"{number:06}", scope=SHOP, lesson=f"another of {number}")
        writes.record(met(other, f"f{number}", by="bob"))
        talk = f"talk-{number:06}"
        attempt = tried(f"{number}", quality=0.4, conversation=talk)
        writes.add_attempt(attempt, event_id=f"t{number}")
        writes.apply_feedback(said("positive", f"ref-{number:06}", said_in=talk))


if __name__ == "__main__":
    main()
