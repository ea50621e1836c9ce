"""A store that is filled for a measurement is one like any other."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from reflection_mcp.store.open import open_store
from tests.bench.identity_scale import fill, observations
from tests.contract.samples import HERE

TEXTS = ["KeyError: 'total' in checkout of orders", "cannot connect to server db: timeout expired"]


def dump(path: Path) -> list[str]:
    """All rows, but for when the tables were made and how full-text search cuts up its index."""
    with closing(sqlite3.connect(path)) as db:
        db.execute("INSERT INTO words(words) VALUES('integrity-check')")
        apart = ("_sqlite_migrations", "words_data", "words_idx")
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
