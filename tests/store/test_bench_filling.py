"""A store that is filled for a measurement is one like any other."""

import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from reflection_mcp.store.open import open_store
from reflection_mcp.store.postgres.schema import upgrade
from tests.bench.identity_scale import fill, observations
from tests.bench.postgres_bench import filling
from tests.bench.store_fill import fill_database, fill_file
from tests.contract.samples import HERE

TEXTS = ["KeyError: 'total' in checkout of orders", "cannot connect to server db: timeout expired"]


def dump(path: Path) -> list[str]:
    """All rows, but for when the tables were made, in how many writes they were filled, and how
    full-text search cuts up its index."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("INSERT INTO words(words) VALUES('integrity-check')")
        apart = ("_sqlite_migrations", "words_data", "words_idx", '"ledger" VALUES')
        return [line for line in db.iterdump() if not any(table in line for table in apart)]


@pytest.mark.anyio
async def test_filling_leaves_what_as_many_calls_would_have_left(tmp_path: Path) -> None:
    quick, slow = tmp_path / "quick.db", tmp_path / "slow.db"
    parts = [observations(TEXTS, 0, 20), observations(TEXTS, 20, 7)]
    fill(quick, parts)
    store = await open_store(str(slow))
    for each in [*parts[0], *parts[1]]:
        await store.record(HERE, each)
    await store.close()
    assert dump(quick) == dump(slow)
    assert any("other-26" in line for line in dump(quick))
    again = await open_store(str(quick))
    assert (await again.health()).problems == ()
    await again.close()


@pytest.mark.anyio
async def test_filling_by_the_table_leaves_the_same_in_both_stores(
    tmp_path: Path, postgres_schema: str
) -> None:
    quick, slow = tmp_path / "quick.db", tmp_path / "slow.db"
    fill_file(quick, HERE, 12, filling, words=True)
    await upgrade(postgres_schema)
    await fill_database(postgres_schema, HERE, 12, filling)
    recorded = await open_store(str(slow))
    for number in range(12):
        await recorded.record(HERE, filling(number))
    there = await open_store(postgres_schema)
    for _ in range(2):  # as they are, and after every one was met again
        rows = await recorded.stored(HERE)
        assert await there.stored(HERE) == rows
        assert await there.stats(HERE) == await recorded.stats(HERE)
        for store in (there, recorded):
            done = [await store.record(HERE, replace(filling(n), event_id=f"a{n}")) for n in (3, 7)]
            assert not any(each.created for each in done)
            assert not (await store.record(HERE, filling(5))).counted
    await there.close()
    await recorded.close()


@pytest.mark.anyio
async def test_a_file_that_is_filled_by_the_table_is_one_that_was_recorded(tmp_path: Path) -> None:
    quick, slow = tmp_path / "quick.db", tmp_path / "slow.db"
    fill_file(quick, HERE, 12, filling, words=True)
    store = await open_store(str(slow))
    for number in range(12):
        await store.record(HERE, filling(number))
    await store.close()
    assert dump(quick) == dump(slow)
