"""Whatever goes wrong with a PostgreSQL has a name, and what comes after it works again."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from typing import Any

import pytest

from reflection_mcp.server.doctor.doctor import examine
from reflection_mcp.server.settings.settings import Settings
from reflection_mcp.store.contract import Store
from reflection_mcp.store.errors import (
    StoreBusy,
    StoreCorrupt,
    StoreError,
    StoreFull,
    StoreReadOnly,
    StoreUnavailable,
)
from reflection_mcp.store.open import open_store
from reflection_mcp.store.postgres import connections, schema, statements
from reflection_mcp.store.postgres.connections import Connection, Connections, PostgresDb
from reflection_mcp.store.postgres.errors import named
from reflection_mcp.store.postgres.location import connect
from reflection_mcp.store.postgres.store import PostgresStore
from reflection_mcp.store.sql.db import Raced, Statement
from tests.contract.samples import HERE, STRANGER, learned, met
from tests.postgres_server import FAST, NoPostgres, PostgresServer, asked, running, with_query
from tests.requirements import requirement
from tests.rows import each_row

pytestmark = pytest.mark.anyio

# pyright: reportPrivateUsage=false


@pytest.fixture
async def store(postgres_store: str) -> AsyncIterator[PostgresStore]:
    opened = await open_store(postgres_store)
    assert isinstance(opened, PostgresStore)
    yield opened
    await opened.close()


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresServer]:
    """A server that may be stopped, with the tables of a store."""
    try:
        with running({**FAST, "max_connections": "12"}) as one:
            asyncio.run(schema.upgrade(one.dsn()))
            yield one
    except NoPostgres as reason:
        pytest.skip(str(reason))


async def statement(store: PostgresStore, sql: str) -> Any:
    async def work(db: PostgresDb) -> Any:
        return await db.rows(Statement(sql))

    return await store.near(HERE, work)


# --------------------------------------------------------------------- names


def raised(state: str) -> str:
    """A statement that raises a SQLSTATE."""
    return "DO $$ BEGIN PERFORM 1; RAISE EXCEPTION 'wrong' USING ERRCODE = '" + state + "'; END $$"


@requirement("team:trouble")
@pytest.mark.parametrize(
    ("state", "kind"),
    [
        ("40001", StoreBusy),
        ("40P01", StoreBusy),
        ("55P03", StoreBusy),
        ("57014", StoreBusy),
        ("53300", StoreBusy),
        ("53100", StoreFull),
        ("53200", StoreUnavailable),
        ("25006", StoreReadOnly),
        ("42501", StoreReadOnly),
        ("28P01", StoreUnavailable),
        ("3D000", StoreUnavailable),
        ("42P01", StoreUnavailable),
        ("08006", StoreUnavailable),
        ("57P01", StoreUnavailable),
        ("57P03", StoreUnavailable),
        ("XX001", StoreCorrupt),
    ],
)
async def test_what_the_database_refuses_has_a_name(
    store: PostgresStore, state: str, kind: type[StoreError]
) -> None:
    async def work(db: PostgresDb) -> None:
        await db.connection.execute(raised(state))

    with pytest.raises(kind) as refusal:
        await store.write(HERE, work)
    assert refusal.value.hint
    assert await store.reflections(HERE) == []


async def test_an_error_of_ours_stays_a_bug(store: PostgresStore) -> None:
    with pytest.raises(Exception, match="syntax") as bug:
        await statement(store, "SELECT $1::bigint WHERE")
    assert not isinstance(bug.value, StoreError)
    assert named(KeyError("x")) is None


# --------------------------------------------------------------------- a second try


@pytest.mark.parametrize("state", ["40001", "40P01", "57P01"])
async def test_what_a_second_try_may_cure_is_tried_once_more(
    store: PostgresStore, state: str
) -> None:
    tries = 0

    async def work(db: PostgresDb) -> str:
        nonlocal tries
        tries += 1
        if tries == 1:
            await db.connection.execute(raised(state))
        return "done"

    assert (await store.write(HERE, work), tries) == ("done", 2)


async def test_a_row_that_others_always_make_first_ends_as_busy(store: PostgresStore) -> None:
    async def work(db: PostgresDb) -> None:
        raise Raced

    with pytest.raises(StoreBusy, match="faster"):
        await store.write(HERE, work)


@requirement("team:trouble")
async def test_a_connection_that_the_server_ends_is_replaced_unnoticed(
    store: PostgresStore, postgres: str
) -> None:
    await store.record(HERE, met(learned("lock"), "e1"))
    await asyncio.to_thread(
        asked,
        postgres,
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
        " WHERE application_name = 'reflection-mcp'",
    )
    done = await store.record(HERE, met(learned("lock"), "e2"))
    assert done.reflection.occurrences == 2


# --------------------------------------------------------------------- waiting


async def test_who_waits_for_a_row_no_longer_than_said_is_refused_and_changes_nothing(
    store: PostgresStore, postgres_store: str
) -> None:
    await store.record(HERE, met(learned("lock"), "e1"))
    other = await connect(postgres_store)
    await other.execute("BEGIN; UPDATE standing SET shown = shown")
    with pytest.raises(StoreBusy, match="longer"):
        await store.hasty(0.05).record(HERE, met(learned("lock"), "e2"))
    await other.execute("ROLLBACK")
    await other.close()
    row = await store.reflection(HERE, "ref-lock")
    assert row is not None and row.occurrences == 1
    assert (await store.record(HERE, met(learned("lock"), "e2"))).counted


async def test_when_all_connections_are_at_work_one_waits_no_longer_than_said(
    store: PostgresStore,
) -> None:
    free, begun = asyncio.Event(), asyncio.Semaphore(0)

    async def work(db: PostgresDb) -> None:
        begun.release()
        await free.wait()

    held = [asyncio.create_task(store.near(HERE, work)) for _ in range(16)]
    for _ in held:
        await begun.acquire()
    with pytest.raises(StoreBusy, match="at work"):
        await store.hasty(0.01).stats(HERE)
    waiting = asyncio.create_task(store.stats(HERE))
    free.set()
    await asyncio.gather(waiting, *held)


async def test_a_search_that_takes_too_long_says_so(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow = Statement("SELECT pg_sleep(60), $1::bigint, $2::text, $3::text, $4::bigint")
    monkeypatch.setattr("reflection_mcp.store.postgres.reflections._SEARCHED", slow)
    monkeypatch.setattr("reflection_mcp.store.postgres.store.SEARCH", 0.01)
    with pytest.raises(StoreBusy, match="longer"):
        await store.search(HERE, ["word"])


async def test_who_is_cancelled_gives_the_connection_up_and_the_store_goes_on(
    store: PostgresStore,
) -> None:
    begun = asyncio.Event()

    async def work(db: PostgresDb) -> None:
        begun.set()
        await asyncio.Event().wait()

    task = asyncio.create_task(store.write(HERE, work))
    await begun.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await store.record(HERE, met(learned("lock"), "e1"))).created


async def test_a_connection_that_nobody_needed_for_long_is_closed(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    await asyncio.gather(*(store.stats(HERE) for _ in range(4)))
    before = len(store._durable._idle)
    assert before > 1
    monkeypatch.setattr(connections, "IDLE", -1.0)
    await store.stats(HERE)
    assert len(store._durable._idle) < before


# --------------------------------------------------------------------- the server


@requirement("team:trouble")
async def test_a_server_that_is_gone_has_a_name_and_the_next_call_after_its_return_works(
    server: PostgresServer,
) -> None:
    store = await open_store(server.dsn())
    await store.record(STRANGER, met(learned("lock"), "e1"))
    await asyncio.to_thread(server.stop)
    with pytest.raises(StoreUnavailable, match="cannot be reached"):
        await store.record(STRANGER, met(learned("lock"), "e2"))
    health = await store.health()
    assert "cannot be reached" in health.problems[0]
    assert not health.writable
    await asyncio.to_thread(server.start)
    done = await store.record(STRANGER, met(learned("lock"), "e2"))
    assert (done.reflection.occurrences, done.counted) == (2, True)
    await store.close()


async def test_a_server_that_does_not_answer_is_left(
    server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "GRACE", 0.05)
    store = await open_store(server.dsn())
    ((pid,),) = [
        tuple(r)
        for r in await statement(_postgres(store), "SELECT pg_backend_pid() WHERE $1::bigint <> 0")
    ]
    os.kill(int(pid), signal.SIGSTOP)
    try:
        with pytest.raises(StoreUnavailable, match="cannot be reached"):
            await store.hasty(0.05).stats(HERE)
    finally:
        os.kill(int(pid), signal.SIGCONT)
    assert (await store.stats(HERE)).reflections == 0
    await store.close()


async def test_a_server_that_does_not_answer_keeps_no_store_from_closing(
    server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "FAREWELL", 0.05)
    store = _postgres(await open_store(server.dsn()))
    ((pid,),) = await statement(store, "SELECT pg_backend_pid() WHERE $1::bigint <> 0")
    os.kill(int(pid), signal.SIGSTOP)
    try:
        async with asyncio.timeout(60):
            await store.close()
    finally:
        os.kill(int(pid), signal.SIGCONT)


async def test_a_server_that_takes_no_connection_in_time_has_a_name(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connections, "GRACE", 0.01)

    async def never() -> Connection:
        await asyncio.Event().wait()
        raise AssertionError

    async def nothing(db: PostgresDb) -> None:
        raise AssertionError

    with pytest.raises(StoreUnavailable, match="cannot be reached"):
        await Connections(never, 1, statements).run(HERE, 0.01, nothing)


async def test_a_connection_that_breaks_in_the_middle_is_lost_and_not_a_bug(
    store: PostgresStore,
) -> None:
    tries = 0

    async def work(db: PostgresDb) -> int:
        nonlocal tries
        tries += 1
        if tries == 1:
            db.connection.terminate()
        await db.connection.fetch("SELECT 1")
        return tries

    assert await store.near(HERE, work) == 2


async def test_work_that_goes_on_while_the_store_is_closed_ends_well(
    store: PostgresStore,
) -> None:
    begun, free = asyncio.Event(), asyncio.Event()

    async def work(db: PostgresDb) -> str:
        begun.set()
        await free.wait()
        return "done"

    task = asyncio.create_task(store.near(HERE, work))
    await begun.wait()
    await store.close()
    free.set()
    assert await task == "done"
    assert not store._durable._idle


def _postgres(store: Store) -> PostgresStore:
    assert isinstance(store, PostgresStore)
    return store


async def test_more_connections_than_the_server_takes_is_busy(server: PostgresServer) -> None:
    store = _postgres(await open_store(server.dsn()))
    free, begun = asyncio.Event(), asyncio.Semaphore(0)

    async def work(db: PostgresDb) -> None:
        begun.release()
        await free.wait()

    held = [asyncio.create_task(store.near(HERE, work)) for _ in range(16)]
    async with asyncio.timeout(60):
        for _ in range(12):
            await begun.acquire()
            if any(task.done() for task in held):
                break
        free.set()
        outcomes = await asyncio.gather(*held, return_exceptions=True)
    refused = [each for each in outcomes if each is not None]
    assert refused and all(isinstance(each, StoreBusy) for each in refused)
    await store.close()


async def test_a_location_where_no_server_is_has_a_name() -> None:
    with pytest.raises(StoreUnavailable, match="cannot be reached") as refusal:
        await open_store("postgresql://team:hunter2@127.0.0.1:1/r")
    assert "hunter2" not in f"{refusal.value.message} {refusal.value.hint}"


@each_row(
    ("url", "says"),
    [("postgresql://h:notaport/r", "not valid"), ("postgres://h/r?pooler=x", "pooler")],
)
async def test_a_url_that_is_not_understood_is_refused(url: str, says: str) -> None:
    with pytest.raises(StoreUnavailable, match=says):
        await open_store(url)


async def test_without_the_driver_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise ImportError(name)

    monkeypatch.setattr("reflection_mcp.store.postgres.location.import_module", missing)
    with pytest.raises(StoreUnavailable) as refusal:
        await open_store("postgresql://db/r")
    assert "reflection-mcp[postgres]" in refusal.value.hint


async def test_a_database_that_is_not_there_is_refused_by_name(postgres: str) -> None:
    with pytest.raises(StoreUnavailable, match="refuses"):
        await open_store(postgres.replace("/postgres?", "/elsewhere?"))


# --------------------------------------------------------------------- reading only


async def test_a_store_opened_to_read_cannot_be_written(
    store: PostgresStore, postgres_store: str
) -> None:
    await store.record(HERE, met(learned("lock"), "e1"))
    for url in (postgres_store, with_query(postgres_store, pooler="transaction")):
        reader = await open_store(url, read_only=True)
        assert len(await reader.reflections(HERE)) == 1
        with pytest.raises(StoreReadOnly):
            await reader.record(HERE, met(learned("lock"), "e2"))
        await reader.close()


async def test_a_database_that_only_reads_says_so(
    store: PostgresStore, postgres_store: str
) -> None:
    reader = await open_store(with_query(postgres_store, default_transaction_read_only="on"))
    with pytest.raises(StoreReadOnly):
        await reader.record(HERE, met(learned("lock"), "e1"))
    assert not (await reader.health()).writable
    await reader.close()


# --------------------------------------------------------------------- behind a pooler


async def test_behind_a_pooler_every_piece_of_work_says_its_own_settings(
    postgres_store: str,
) -> None:
    pooled = _postgres(await open_store(with_query(postgres_store, pooler="transaction")))
    for scope in (HERE, STRANGER, HERE):
        await pooled.record(scope, met(learned("lock"), f"e-{scope.tenant}"))
        assert [row.scope for row in await pooled.reflections(scope)] == [scope]
    ((left,),) = await _plain(pooled, "SELECT current_setting('reflection.tenant', true)")
    assert not left, "nothing is left in the connection for the next client of the pooler"
    ((cached,),) = await _plain(pooled, "SELECT count(*) FROM pg_prepared_statements")
    assert cached <= 1
    await pooled.close()


async def _plain(store: PostgresStore, sql: str) -> Any:
    """Ask an idle connection, past the store."""
    return await store._durable._idle[0].connection.fetch(sql)


# --------------------------------------------------------------------- looked at


async def test_doctor_looks_at_the_database(postgres_store: str, tmp_path: Any) -> None:
    settings = Settings(store=postgres_store)
    told = {line.name: line for line in await examine(settings, tmp_path) if line.part == "Store"}
    assert not [line for line in told.values() if line.state == "wrong"]
    assert any("PostgreSQL 1" in line.value for line in told.values())


async def test_health_shows_no_password(store: PostgresStore) -> None:
    shown = replace(await store.health())
    assert shown.backend == "postgresql"
    assert "@" not in shown.location and "?" not in shown.location
    assert (shown.schema, shown.size_bytes > 0) == (schema.version(), True)
