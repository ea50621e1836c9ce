"""No space, no permission: named, nothing half-written, and what was there stays readable."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
import sqlite_utils

from reflection_mcp.store.contract import Store
from reflection_mcp.store.errors import (
    StoreBusy,
    StoreError,
    StoreFull,
    StoreReadOnly,
    StoreUnavailable,
)
from reflection_mcp.store.open import open_store
from reflection_mcp.store.sqlite.errors import NAMES, named
from tests.contract.samples import HERE, learned, met, tried
from tests.rows import each_row
from tests.store.faults import (
    as_nobody,
    copy_of,
    files_limited_to,
    fill,
    filled,
    gate_held,
    log_file,
    sound,
)

pytestmark = pytest.mark.anyio

MIGRATES = sqlite_utils.__name__
"""Imported by name so that the import works before privileges are dropped."""


async def test_a_store_without_room_says_so_and_goes_on_when_there_is_some(
    store: Store, path: Path
) -> None:
    await fill(store, 3)
    limit = log_file(path).stat().st_size + 40_000
    written = 3
    with files_limited_to(limit), pytest.raises(StoreFull) as refusal:
        for written in range(3, 500):
            await fill(store, 1, start=written)
    assert refusal.value.hint
    with files_limited_to(limit):
        assert (await store.stats(HERE)).reflections == written
        assert len(await store.find(HERE, ["k0"])) == 1
    await fill(store, 2, start=written)
    assert (await store.stats(HERE)).reflections == written + 2
    await store.close()
    assert sound(path)


async def test_a_full_disk_is_named(path: Path) -> None:
    path.parent.mkdir()
    db = sqlite3.connect(path)
    db.execute("CREATE TABLE t(x)")
    db.execute("PRAGMA max_page_count = 2")
    with pytest.raises(sqlite3.OperationalError) as error:
        db.execute("INSERT INTO t VALUES(zeroblob(100000))")
    db.close()
    assert isinstance(named(error.value), StoreFull)


def _error(name: str) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("trouble")
    error.sqlite_errorname = name
    return error


@each_row("name", NAMES)
def test_every_error_of_sqlite_has_a_name_and_a_hint(name: str) -> None:
    for each in (name, f"{name}_WITH_A_SUFFIX"):
        known = named(_error(each))
        assert isinstance(known, StoreError)
        assert known.message and known.hint


@each_row("name", ["SQLITE_ERROR", "SQLITE_MISUSE", "SQLITE_CONSTRAINT_UNIQUE", ""])
def test_an_error_in_our_own_statement_stays_a_bug(name: str) -> None:
    assert named(_error(name)) is None
    assert named(sqlite3.ProgrammingError("closed")) is None


async def test_a_file_that_may_not_be_written_can_be_read() -> None:
    with as_nobody() as folder:
        path = folder / "store.db"
        await filled(path, 2)
        path.chmod(0o400)
        store = await open_store(str(path))
        assert len(await store.find(HERE, ["k0", "k1"])) == 2
        with pytest.raises(StoreReadOnly) as refusal:
            await store.record(HERE, met(learned("lock"), "e"))
        assert "permission" in refusal.value.hint
        await store.close()


async def test_a_folder_that_may_not_be_written_can_be_read() -> None:
    with as_nobody() as folder:
        path = folder / "store.db"
        await filled(path, 2)
        folder.chmod(0o500)
        store = await open_store(str(path))
        assert len(await store.find(HERE, ["k0", "k1"])) == 2
        assert (await store.stats(HERE)).reflections == 2
        with pytest.raises(StoreReadOnly):
            await store.record(HERE, met(learned("lock"), "e"))
        await store.close()


async def test_a_log_that_cannot_be_read_is_not_left_out_of_account() -> None:
    with as_nobody() as folder:
        path = folder / "kept" / "store.db"
        store = await open_store(str(path))
        await fill(store, 2)
        copy = copy_of(path, folder / "copy")
        await store.close()
        copy.parent.chmod(0o500)
        with pytest.raises((StoreReadOnly, StoreUnavailable)):
            await open_store(str(copy))


async def test_a_folder_in_which_nothing_may_be_made_is_named() -> None:
    with as_nobody() as folder:
        folder.chmod(0o500)
        for location in (folder / "store.db", folder / "kept" / "store.db"):
            with pytest.raises(StoreReadOnly, match="permission") as refusal:
                await open_store(str(location))
            assert "another location" in refusal.value.hint


async def test_what_was_forgotten_is_in_no_file_any_more(store: Store, path: Path) -> None:
    await fill(store, 3)
    secret = "Zanzibarpassword"
    row = learned("lock", lesson=f"the {secret} is", tags=(secret,), example=secret)
    await store.record(HERE, met(row, "e", keys=("k",), features=(1,)))
    assert await store.forget(HERE, "ref-lock")
    for each in path.parent.iterdir():
        assert secret.encode().lower() not in each.read_bytes().lower(), each.name


async def test_what_cannot_be_scoured_is_deleted_all_the_same(store: Store, path: Path) -> None:
    await store.add_attempt(HERE, tried("one"), event_id="e1")
    with closing(sqlite3.connect(path)) as db:
        db.execute("DROP TABLE words")
    assert await store.forget(HERE, "att-one")
    assert await store.attempt(HERE, "att-one") is None
    await store.add_attempt(HERE, tried("two"), event_id="e2")


async def test_a_deletion_that_waited_too_long_is_not_done(
    store: Store, hasty: Store, path: Path
) -> None:
    await fill(store, 1)
    with gate_held(path), pytest.raises(StoreBusy):
        await hasty.forget(HERE, "ref-0")
    await fill(store, 1, start=1)
    assert await store.reflection(HERE, "ref-0") is not None


async def test_a_copy_made_while_writing_is_whole(store: Store, path: Path, tmp_path: Path) -> None:
    await fill(store, 20)
    db = sqlite3.connect(path)
    db.execute("VACUUM INTO ?", (str(tmp_path / "copy.db"),))
    db.close()
    await fill(store, 5, start=20)
    copy = await open_store(str(tmp_path / "copy.db"))
    assert (await copy.stats(HERE)).reflections == 20
    await copy.close()
