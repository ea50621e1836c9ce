"""What of the acknowledged writes is lost when PostgreSQL crashes, or fails over to a standby?

    python -m tests.bench.failover [--rounds 20] [--writers 16] [--writes 400]

Real servers with `fsync` on. In a round of `crash` the server is stopped as by a power cut in the
middle of the writes, and started again. In a round of `failover` a second server follows the first
by synchronous replication; the first is killed and stays dead, the second is promoted, and the
writers, whose one location names both, go on. A writer who is told of trouble waits until a server
is back and writes the same again. Every write that was acknowledged has to be there, once.
"""

import argparse
import asyncio
import shutil
import signal
from collections import Counter
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlencode

from reflection_mcp.store.contract import Store
from reflection_mcp.store.errors import StoreError
from reflection_mcp.store.open import open_store
from reflection_mcp.store.postgres.location import connect
from reflection_mcp.store.postgres.schema import migrate
from tests.contract.samples import HERE, learned, met
from tests.postgres_server import DURABLE, PostgresServer, asked

PRIMARY = {**DURABLE, "wal_level": "replica", "max_wal_senders": "4", "wal_keep_size": "64MB"}


def main() -> None:
    """Print what each round has lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--writers", type=int, default=16)
    parser.add_argument("--writes", type=int, default=400)
    given = parser.parse_args()
    lost = 0
    for name, played in (("crash", crash), ("failover", failover)):
        rounds = [played(given.writers, given.writes) for _ in range(given.rounds)]
        lost += sum(each.lost for each in rounds)
        print(
            f"{name:9} {given.rounds} rounds: {sum(each.acknowledged for each in rounds):,}"
            f" acknowledged, {sum(each.lost for each in rounds)} of them lost or counted twice;"
            f" most errors that one writer was told: {max(each.errors for each in rounds)}"
        )
    raise SystemExit(lost > 0)


@dataclass(kw_only=True)
class Round:
    """The writes of a round that were acknowledged, those of them that are not there exactly once,
    and the most errors that one writer was told."""

    acknowledged: int
    lost: int
    errors: int


def crash(writers: int, writes: int) -> Round:
    """Crash the only server in the middle of the writes."""
    server = PostgresServer(DURABLE)
    try:
        server.start()
        asyncio.run(_migrated(server.dsn()))

        def recover() -> None:
            server.stop(signal.SIGQUIT)
            server.start()

        return asyncio.run(_written(server.dsn(), writers, writes, recover))
    finally:
        server.remove()


def failover(writers: int, writes: int) -> Round:
    """Kill the primary server in the middle of the writes, and promote the standby."""
    with _replicated() as (primary, standby):
        hosts = {"host": f"{primary.folder},{standby.folder}", "port": "5432,5432"}
        both = urlencode({**hosts, "target_session_attrs": "read-write"})

        def recover() -> None:
            primary.stop(signal.SIGKILL)
            asked(standby.dsn(), "SELECT pg_promote()")

        location = f"postgresql://postgres@/postgres?{both}"
        return asyncio.run(_written(location, writers, writes, recover))


@contextmanager
def _replicated() -> Generator[tuple[PostgresServer, PostgresServer]]:
    """A primary server, and one without whose word it acknowledges nothing."""
    primary, standby = PostgresServer(PRIMARY), PostgresServer(PRIMARY)
    try:
        primary.start()
        asyncio.run(_migrated(primary.dsn()))
        shutil.rmtree(standby.data)
        standby.run(
            "pg_basebackup", "-h", str(primary.folder), "-U", "postgres", "-D", str(standby.data),
            "-R", "-X", "stream", "--no-sync", "-c", "fast",
        )  # fmt: skip
        standby.start()
        asked(
            primary.dsn(),
            "ALTER SYSTEM SET synchronous_standby_names = '*'",
            "SELECT pg_reload_conf()",
        )
        yield primary, standby
    finally:
        for server in (primary, standby):
            server.remove()


async def _migrated(dsn: str) -> None:
    connection = await connect(dsn)
    await migrate(connection)
    await connection.close()


@dataclass
class _Log:
    acknowledged: Counter[str] = field(default_factory=Counter[str])
    errors: Counter[int] = field(default_factory=Counter[int])
    half: asyncio.Event = field(default_factory=asyncio.Event)
    back: asyncio.Event = field(default_factory=asyncio.Event)


async def _written(location: str, writers: int, writes: int, recover: Callable[[], None]) -> Round:
    """Let writers write, and `recover` run in the middle of it."""
    store = await open_store(location)
    log = _Log()
    each = writes // writers
    tasks = [asyncio.create_task(_write(store, log, name, each)) for name in range(writers)]
    half = asyncio.create_task(log.half.wait())
    await asyncio.wait([half, *tasks], return_when=asyncio.FIRST_COMPLETED)
    await asyncio.to_thread(recover)
    log.back.set()
    await asyncio.gather(*tasks)
    rows = {row.id: row.occurrences for row in await store.reflections(HERE, limit=writers)}
    await store.close()
    wrong = sum(abs(count - rows.get(name, 0)) for name, count in log.acknowledged.items())
    told = max(log.errors.values(), default=0)
    return Round(acknowledged=log.acknowledged.total(), lost=wrong, errors=told)


async def _write(store: Store, log: _Log, writer: int, times: int) -> None:
    """Count one lesson so often; what was refused is written again once a server is back."""
    lesson = learned(f"{writer}")
    for number in range(times):
        while True:
            try:
                await store.record(HERE, met(lesson, f"{writer}-{number}"))
                break
            except StoreError:
                log.errors[writer] += 1
                await log.back.wait()
        log.acknowledged[lesson.id] += 1
        if number == times // 2:
            log.half.set()


if __name__ == "__main__":
    main()
