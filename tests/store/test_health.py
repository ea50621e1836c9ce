"""A healthy store is called healthy, by the oldest SQLite that is promised and by the newest."""

import os
import sqlite3
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw
import pytest

from reflection_mcp.store.contract import Store
from reflection_mcp.store.interactions import FailedAction, Showing, Step
from reflection_mcp.store.records import Link
from tests.contract.samples import HERE, asked, at, learned, met, said, tried
from tests.forked import ran

pytestmark = [pytest.mark.anyio, pytest.mark.costly]

BY_THE_WORD_INDEX = {"words_config", "words_content", "words_data", "words_docsize", "words_idx"}
"""Tables that FTS5 makes for itself; the one for contents is not made, as ours is external."""


SHOWN = Showing(conversation_id="talk", subject_id="ref-lock", kind="lesson", at=at(1))
FAILED_ONCE = FailedAction(
    id="a1", heading="make", tool="Bash", told="make", error="Error 2", conversation_id="talk",
    at=at(1),
)  # fmt: skip


async def every_kind_of_row(store: Store) -> None:
    """Leave a row in every table."""
    await store.add_attempt(HERE, tried("1"), event_id="e1")
    row = learned("lock", tags=("db",), strategy="wait", situations=("two writers",))
    row = replace(row, links=(Link(kind="same_tag", target_id="ref-other"),))
    await store.record(HERE, met(row, "e1", keys=("k1",), features=(1, 2)))
    await store.record(HERE, met(row, "e2", by="bob", keys=("k2",), features=(3,)))
    await store.log_lookup(HERE, asked("1", shown=("ref-lock",), verdict="exact"))
    for by in ("ann", "bob", "cid"):
        await store.apply_feedback(HERE, said("positive", "ref-lock", by=by))
        await store.apply_feedback(HERE, said("negative", "att-1", by=by))
    await store.apply_feedback(HERE, said("wrong_match", "look-1"))
    await store.add_step(
        HERE, Step(id="s1", conversation_id="talk", at=at(1), tool="Bash", told="ls", error="")
    )
    await store.add_showing(HERE, SHOWN)
    await store.count_action(HERE, FAILED_ONCE)
    await store.claim_consolidation(HERE, at=at(1), since=at(0))


async def test_a_store_with_every_kind_of_row_is_healthy(store: Store, path: Path) -> None:
    await every_kind_of_row(store)
    await store.close()
    with closing(sqlite3.connect(path)) as db:
        tables = [
            name for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type='table'")
        ]
        empty = {name for name in tables if not db.execute(f"SELECT 1 FROM {name}").fetchone()}
        assert empty - BY_THE_WORD_INDEX == set()
        for pragma in ("quick_check", "integrity_check"):
            assert db.execute(f"PRAGMA {pragma}").fetchall() == [("ok",)]
    asked_doctor = ran(
        ["reflection_mcp.server", "doctor"], env={**os.environ, "REFLECTION_STORE": str(path)}
    )
    assert str(path) in asked_doctor.stdout
    assert "problem" not in asked_doctor.stdout
    assert asked_doctor.stdout.endswith("everything works\n")
    assert asked_doctor.returncode == 0
    newest: Any = apsw.Connection(str(path))
    assert apsw.sqlite_lib_version() > "3.5"
    for pragma in ("quick_check", "integrity_check"):
        assert newest.execute(f"PRAGMA {pragma}").fetchall() == [("ok",)]
    newest.close()


async def test_the_key_of_a_table_without_row_numbers_stands_before_its_other_columns(
    store: Store, path: Path
) -> None:
    await store.close()
    with closing(sqlite3.connect(path)) as db:
        flat = [name for (name, wr) in db.execute("SELECT name, wr FROM pragma_table_list") if wr]
        assert {"vote", "event", "tally"} <= set(flat)
        for table in flat:
            places = [at for (at,) in db.execute("SELECT pk FROM pragma_table_info(?)", (table,))]
            key = [at for at in places if at]
            assert places[: len(key)] == sorted(key), table
