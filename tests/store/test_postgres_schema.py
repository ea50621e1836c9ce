"""The tables of a PostgreSQL store: made once, upgraded under a lock, refused when they are not
ours."""

import asyncio
import subprocess
import sys
from collections.abc import AsyncIterator

import pytest

from reflection_mcp.server.cli import main
from reflection_mcp.store.errors import StoreReadOnly, StoreTooNew, StoreUnavailable
from reflection_mcp.store.open import open_store
from reflection_mcp.store.postgres import schema
from reflection_mcp.store.postgres.connections import Connection
from reflection_mcp.store.postgres.location import connect
from tests.contract.samples import HERE
from tests.postgres_server import APPLICATION_ROLE, asked, with_query
from tests.requirements import requirement

pytestmark = pytest.mark.anyio


@pytest.fixture
async def connection(postgres_schema: str) -> AsyncIterator[Connection]:
    made = await connect(postgres_schema)
    yield made
    await made.close()


@requirement("team:migrations")
async def test_the_tables_are_made_and_found_again(
    connection: Connection, postgres_schema: str
) -> None:
    assert await schema.upgrade(postgres_schema) == 0
    assert await schema.upgrade(postgres_schema) == schema.version()
    tables = await connection.fetch(
        "SELECT c.relname, c.relrowsecurity FROM pg_class c WHERE c.relkind = 'r'"
        " AND c.relnamespace = current_schema()::regnamespace AND c.relname <> 'schema_version'"
    )
    assert dict(map(tuple, tables)) == dict.fromkeys(schema.TABLES, True)


@requirement("team:migrations")
async def test_a_migration_runs_on_what_the_one_before_made(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    await schema.migrate(connection)
    later = "ALTER TABLE tag ADD COLUMN colour text"
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, later))
    assert await schema.migrate(connection) == 1
    assert await schema.found_version(connection) == 2
    await connection.fetch("SELECT colour FROM tag")


async def test_a_migration_that_fails_leaves_the_schema_as_it_was(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    await schema.migrate(connection)
    broken = "ALTER TABLE tag ADD COLUMN colour text; SELECT 1 / 0"
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, broken))
    with pytest.raises(Exception, match="division by zero"):
        await schema.migrate(connection)
    assert await schema.found_version(connection) == 1
    assert await connection.fetch(
        "SELECT count(*) FROM pg_attribute WHERE attrelid = 'tag'::regclass AND attname = 'colour'"
    ) == [(0,)]


@requirement("team:migrations")
async def test_two_processes_that_migrate_at_once_make_the_tables_once(
    postgres_schema: str, connection: Connection
) -> None:
    command = [sys.executable, "-m", "reflection_mcp.server", "migrate", "--to", postgres_schema]
    both = [
        await asyncio.create_subprocess_exec(
            *command, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        for _ in range(2)
    ]
    async with asyncio.timeout(60):
        printed = [await process.communicate() for process in both]
    assert [process.returncode for process in both] == [0, 0], printed
    assert await connection.fetch("SELECT version FROM schema_version") == [(schema.version(),)]


async def test_a_database_without_tables_is_refused_and_says_what_to_do(
    postgres_schema: str,
) -> None:
    with pytest.raises(StoreUnavailable, match="no tables of the store") as refusal:
        await open_store(postgres_schema)
    assert "reflection-mcp migrate" in refusal.value.hint


async def test_tables_of_a_later_version_are_refused(
    postgres_schema: str, connection: Connection
) -> None:
    await schema.migrate(connection)
    await connection.fetch("INSERT INTO schema_version(version) VALUES(99)")
    with pytest.raises(StoreTooNew, match="version 99"):
        await open_store(postgres_schema)
    with pytest.raises(StoreTooNew):
        await schema.migrate(connection)


async def test_tables_of_an_earlier_version_are_refused(
    postgres_schema: str, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    await schema.migrate(connection)
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, "SELECT 1"))
    with pytest.raises(StoreUnavailable, match="version 1, not 2"):
        await open_store(postgres_schema)


async def test_a_role_that_may_not_make_tables_is_refused_by_name(postgres_schema: str) -> None:
    asked_as = with_query(postgres_schema, user=APPLICATION_ROLE)
    with pytest.raises((StoreReadOnly, StoreUnavailable)) as refusal:
        await schema.upgrade(asked_as)
    assert refusal.value.hint


async def test_a_granted_role_may_use_the_tables_and_not_change_them(
    postgres_schema: str,
) -> None:
    await schema.upgrade(postgres_schema, grant=APPLICATION_ROLE)
    store = await open_store(with_query(postgres_schema, user=APPLICATION_ROLE))
    assert (await store.stats(HERE)).reflections == 0
    await store.close()
    with pytest.raises(Exception, match="owner"):
        await asyncio.to_thread(
            asked, with_query(postgres_schema, user=APPLICATION_ROLE), "DROP TABLE tag"
        )


async def test_a_database_that_cannot_hold_every_text_is_refused(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetch = connection.fetch

    async def latin(query: str, *values: object) -> list[tuple[str]]:
        return [("LATIN1",)] if query == "SHOW server_encoding" else await fetch(query, *values)

    class Latin:
        execute, fetch = connection.execute, staticmethod(latin)

    with pytest.raises(StoreUnavailable, match="LATIN1"):
        await schema.migrate(Latin())  # type: ignore[arg-type]


# --------------------------------------------------------------------- the command


def test_the_command_makes_and_then_leaves_the_tables(
    postgres_schema: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for says in ("created the tables, version 1", "already have version 1"):
        assert main(["migrate", "--to", postgres_schema, "--grant", APPLICATION_ROLE]) == 0
        assert says in capsys.readouterr().out


def test_the_command_takes_the_store_of_the_settings_and_says_what_it_upgraded(
    postgres_schema: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["migrate", "--store", postgres_schema]) == 0
    monkeypatch.setattr(schema, "MIGRATIONS", (*schema.MIGRATIONS, "SELECT 1"))
    capsys.readouterr()
    assert main(["migrate", "--store", postgres_schema]) == 0
    assert "from version 1 to 2" in capsys.readouterr().out


def test_the_command_refuses_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["migrate", "--to", "lessons.db"]) == 2
    assert "postgresql://" in capsys.readouterr().err


def test_a_role_that_is_not_there_is_named_in_one_line(
    postgres_schema: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["migrate", "--to", postgres_schema, "--grant", "no'body"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert 'no role "no\'body"' in line and "make it first" in line


@requirement("team:shards")
def test_the_command_says_in_one_line_that_there_is_no_citus(
    postgres_schema: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["migrate", "--to", postgres_schema, "--distribute"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "no extension Citus" in line


@requirement("team:shards")
async def test_with_citus_every_table_is_distributed_by_tenant_beside_the_first(
    postgres_schema: str, connection: Connection
) -> None:
    """Citus itself cannot be installed here: functions that take its calls stand in its place."""
    path = postgres_schema.rpartition("search_path=")[2]
    await connection.execute(
        "CREATE TABLE called(t text, by text, beside text);"
        "CREATE FUNCTION create_distributed_table(t regclass, by text, colocate_with text = 'none')"
        " RETURNS void LANGUAGE sql AS $$ INSERT INTO called VALUES(t, by, colocate_with) $$;"
        f"CREATE TABLE {path}.pg_extension(extname text);"
        f"INSERT INTO {path}.pg_extension VALUES('citus')"
    )
    await schema.upgrade(with_query(postgres_schema, search_path=f"{path},pg_catalog"),
                         distribute=True)  # fmt: skip
    called = [tuple(row) for row in await connection.fetch("SELECT * FROM called")]
    first, *others = schema.TABLES
    assert called == [
        (first, "tenant", "none"),
        *((name, "tenant", first) for name in others),
    ]
