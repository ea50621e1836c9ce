"""Tenants are sealed twice: by every statement, and by row level security alone."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from reflection_mcp.store.contract import Writes
from reflection_mcp.store.errors import StoreReadOnly, StoreUnavailable
from reflection_mcp.store.open import open_store
from reflection_mcp.store.postgres.connections import PostgresDb
from reflection_mcp.store.postgres.schema import TABLES
from reflection_mcp.store.postgres.store import PostgresStore
from reflection_mcp.store.sql.db import Statement
from tests.contract.samples import HERE, STRANGER, asked, at, learned, met, said, tried
from tests.postgres_server import APPLICATION_ROLE, with_query
from tests.postgres_server import asked as query
from tests.requirements import requirement

pytestmark = pytest.mark.anyio


@pytest.fixture
async def application(postgres_store: str) -> AsyncIterator[PostgresStore]:
    opened = await open_store(with_query(postgres_store, user=APPLICATION_ROLE))
    assert isinstance(opened, PostgresStore)
    yield opened
    await opened.close()


async def fill(store: PostgresStore) -> None:
    for scope in (HERE, STRANGER):
        await store.add_attempt(scope, tried("one"), event_id="e1")
        row = learned("lock", tags=("x",))
        await store.record(scope, met(row, "e1", keys=("k1",), features=(1,)))
        await store.log_lookup(scope, asked("one", shown=("ref-lock",)))
        await store.apply_feedback(scope, said("positive", "ref-lock"))
        await store.apply_feedback(scope, said("wrong_match", "look-one"))
        await store.claim_consolidation(scope, at=at(1), since=at(0))


@requirement("team:sealed")
@pytest.mark.parametrize("name", TABLES)
async def test_a_statement_that_forgot_the_tenant_still_sees_one_tenant_only(
    application: PostgresStore, name: str
) -> None:
    await fill(application)
    forgetful = Statement(f"SELECT count(*), count(*) FILTER (WHERE t.tenant <> $1) FROM {name} t")

    async def counted(db: PostgresDb) -> Any:
        return (await db.rows(forgetful))[0]

    of_all, of_others = await application.near(HERE, counted)
    assert of_others == 0
    if name not in ("step", "showing", "failed_action", "link", "tally"):
        assert of_all > 0


@requirement("team:sealed")
async def test_a_row_of_another_tenant_can_be_neither_changed_nor_made(
    application: PostgresStore,
) -> None:
    await fill(application)
    stolen = Statement("UPDATE standing s SET shown = 99 WHERE s.tenant <> $1 RETURNING 1")
    planted = Statement(
        "INSERT INTO tag(tenant, place, tag, rid) VALUES($1::bigint - 1, 1, 'x', 1)"
    )

    async def steal(db: PostgresDb) -> int:
        return len(await db.rows(stolen))

    async def plant(db: PostgresDb) -> int:
        return len(await db.rows(planted))

    assert await application.write(HERE, steal) == 0
    with pytest.raises(StoreReadOnly, match="may not"):
        await application.write(HERE, plant)


async def test_the_connection_of_one_tenant_serves_the_next_one_as_its_own(
    application: PostgresStore,
) -> None:
    await fill(application)
    for scope in (HERE, STRANGER, HERE):
        found = await application.reflections(scope)
        assert [row.scope for row in found] == [scope]


async def test_after_a_transaction_that_failed_a_tenant_still_finds_its_own(
    application: PostgresStore,
) -> None:
    def fail(writes: Writes) -> None:
        raise ValueError("no")

    await fill(application)
    for scope in (HERE, STRANGER):
        with pytest.raises(ValueError, match="no"):
            await application.transaction(scope, fail)
        assert [row.scope for row in await application.reflections(scope)] == [scope]


async def test_health_says_whether_row_level_security_holds(
    application: PostgresStore, postgres_store: str
) -> None:
    assert (await application.health()).notes == ()
    owner = await open_store(postgres_store)
    assert "does not apply" in (await owner.health()).notes[0]
    await owner.close()


def test_without_a_tenant_nothing_can_be_read(postgres_store: str) -> None:
    with pytest.raises(Exception, match=r"reflection\.tenant|invalid input"):
        query(
            with_query(postgres_store, user=APPLICATION_ROLE),
            "INSERT INTO place VALUES(1, 1, 'a', 'b')",
        )


async def test_a_role_without_rights_is_refused_by_name(postgres_store: str) -> None:
    await asyncio.to_thread(query, postgres_store, "DROP ROLE IF EXISTS nothing_at_all",
                            "CREATE ROLE nothing_at_all LOGIN")  # fmt: skip
    with pytest.raises(StoreUnavailable, match="no tables") as refusal:
        await open_store(with_query(postgres_store, user="nothing_at_all"))
    assert "migrate" in refusal.value.hint
