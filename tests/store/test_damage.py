"""Damage: told by name, repaired by nobody, and never taken for an empty store."""

import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from reflection_mcp.store.contract import Store
from reflection_mcp.store.errors import StoreCorrupt, StoreError
from reflection_mcp.store.open import open_store
from reflection_mcp.store.sqlite.process_lock import ProcessLock
from tests.contract.samples import HERE, at, learned, met
from tests.requirements import requirement
from tests.store.faults import copy_of, files_limited_to, fill, filled, gate_file, log_file, sound

pytestmark = pytest.mark.anyio


@requirement("memory:cross-episode")
async def test_what_a_killed_process_left_in_the_log_is_there(
    store: Store, path: Path, tmp_path: Path
) -> None:
    await fill(store, 5)
    copy = copy_of(path, tmp_path / "killed")
    again = await open_store(str(copy))
    assert (await again.stats(HERE)).reflections == 5
    await again.close()
    assert sound(copy)


async def test_a_log_that_vanished_is_told(store: Store, path: Path, tmp_path: Path) -> None:
    await fill(store, 5)
    copy = copy_of(path, tmp_path / "killed")
    log_file(copy).unlink()
    with pytest.raises(StoreCorrupt, match="5 acknowledged writes are missing") as error:
        await open_store(str(copy))
    assert "store.db.gate" in error.value.hint


async def test_a_log_that_was_damaged_is_told(store: Store, path: Path, tmp_path: Path) -> None:
    await fill(store, 5)
    copy = copy_of(path, tmp_path / "killed")
    log = bytearray(log_file(copy).read_bytes())
    log[len(log) // 2] ^= 0xFF
    log_file(copy).write_bytes(log)
    with pytest.raises(StoreCorrupt, match="acknowledged writes are missing"):
        await open_store(str(copy))


async def test_one_can_go_on_with_what_is_left(store: Store, path: Path, tmp_path: Path) -> None:
    await fill(store, 5)
    copy = copy_of(path, tmp_path / "killed")
    log_file(copy).unlink()
    gate_file(copy).unlink()
    again = await open_store(str(copy))
    assert (await again.stats(HERE)).reflections == 0
    await again.close()


async def test_a_schema_that_is_no_text_any_more_is_told(path: Path) -> None:
    """SQLite quotes what it cannot parse, and Python cannot decode what SQLite quotes."""
    await filled(path, 1)
    whole = path.read_bytes()
    assert whole.count(b"CREATE TABLE attempt(") == 1
    path.write_bytes(
        whole.replace(b"CREATE TABLE attempt(", b"CREATE TABLE \xb1\xb1\xb1\xb1\xb1\xb1\xb1(")
    )
    with pytest.raises(StoreCorrupt, match="the store is damaged"):
        await open_store(str(path))


async def test_an_undo_that_is_damaged_is_told_and_goes_with_what_is_deleted(path: Path) -> None:
    await filled(path, 1)
    store = await open_store(str(path))
    await store.claim_consolidation(HERE, at=at(1), since=at(0))
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE consolidation SET changes = '{}'")
        db.commit()
    with pytest.raises(StoreCorrupt, match="undo of the last consolidation cannot be read"):
        await store.undo(HERE)
    await store.forget(HERE, "ref-z")
    assert await store.undo(HERE) == (0, ())
    await store.close()


@pytest.mark.parametrize("left", ["nothing", "an empty file"])
async def test_a_store_that_vanished_is_not_made_anew(path: Path, left: str) -> None:
    await filled(path, 3)
    path.unlink()
    if left != "nothing":
        path.touch()
    with pytest.raises(StoreCorrupt, match="3 writes were acknowledged") as error:
        await open_store(str(path))
    assert ".gate" in error.value.hint


async def test_an_older_copy_in_the_place_of_a_store_is_told(path: Path, tmp_path: Path) -> None:
    await filled(path, 3)
    shutil.copy(path, tmp_path / "older")
    store = await open_store(str(path))
    await fill(store, 2, start=3)
    await store.close()
    shutil.copy(tmp_path / "older", path)
    with pytest.raises(StoreCorrupt, match="2 acknowledged writes are missing"):
        await open_store(str(path))


async def test_a_store_without_its_gate_file_is_opened_with_a_note(path: Path) -> None:
    await filled(path, 3)
    gate_file(path).unlink()
    store = await open_store(str(path))
    assert (await store.stats(HERE)).reflections == 3
    assert any("as it is after a copy" in note for note in (await store.health()).notes)
    await store.close()
    path.unlink()
    with pytest.raises(StoreCorrupt):
        await open_store(str(path))


async def test_a_gate_file_with_something_else_in_it_is_no_mark(path: Path) -> None:
    await filled(path, 1)
    gate_file(path).write_text("hello")
    store = await open_store(str(path))
    await fill(store, 1, start=1)
    await store.close()
    assert gate_file(path).read_text().endswith("00002\n")


@pytest.mark.parametrize("damage", ["header", "truncated", "cut in the first page"])
async def test_a_damaged_file_is_refused_by_name(path: Path, damage: str) -> None:
    await filled(path, 100)
    whole = path.read_bytes()
    if damage == "header":
        path.write_bytes(random.Random(1).randbytes(100) + whole[100:])
    elif damage == "truncated":
        path.write_bytes(whole[: len(whole) // 2])
    else:
        path.write_bytes(whole[:50])
    with pytest.raises(StoreCorrupt) as error:
        store = await open_store(str(path))
        try:
            assert (await store.health()).problems
            await fill(store, 50, start=100)
            await store.stats(HERE)
        finally:
            await store.close()
    assert error.value.hint


@pytest.mark.parametrize("seed", range(4))
async def test_flipped_bytes_and_zeroed_pages_are_told_or_harmless(path: Path, seed: int) -> None:
    await filled(path, 60)
    chance = random.Random(seed)
    whole = bytearray(path.read_bytes())
    for _ in range(40):
        whole[chance.randrange(4096, len(whole))] ^= 0xFF
    for _ in range(3):
        page = chance.randrange(1, len(whole) // 4096) * 4096
        whole[page : page + 4096] = bytes(4096)
    path.write_bytes(whole)
    try:
        store = await open_store(str(path))
    except StoreError as error:
        assert isinstance(error, StoreCorrupt)
        return
    health = await store.health()
    assert any("damaged" in problem for problem in health.problems)
    try:
        assert (await store.stats(HERE)).reflections <= 60
    except StoreCorrupt:
        pass
    finally:
        await store.close()


async def test_damage_that_a_short_read_meets_is_named(path: Path) -> None:
    await filled(path, 60)
    with closing(sqlite3.connect(path)) as db:
        ((root,),) = db.execute("SELECT rootpage FROM sqlite_master WHERE name = 'key'").fetchall()
    with path.open("r+b") as file:
        file.seek((root - 1) * 4096)
        file.write(b"\xff" * 4096)
    store = await open_store(str(path))
    with pytest.raises(StoreCorrupt, match="damaged"):
        await store.find(HERE, ["k1"])
    await store.close()


async def test_a_bug_in_a_read_or_a_write_stays_a_bug(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def bug(*arguments: object) -> None:
        raise sqlite3.ProgrammingError("no such column")

    for function in ("sqlite.statements.found", "sql.recording._merged"):
        monkeypatch.setattr(f"reflection_mcp.store.{function}", bug)
    with pytest.raises(sqlite3.ProgrammingError):
        await store.find(HERE, ["k1"])
    with pytest.raises(sqlite3.ProgrammingError):
        await store.record(HERE, met(learned("lock"), "e"))


async def test_health_says_what_it_did_not_check(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reflection_mcp.store.sqlite.health.EXAMINED_BYTES", 0)
    assert any("not checked" in note for note in (await store.health()).notes)


@pytest.mark.parametrize(("version", "warned"), [((3, 51, 2), True), ((3, 51, 3), False)])
async def test_health_warns_of_an_sqlite_that_may_damage_files(
    store: Store, monkeypatch: pytest.MonkeyPatch, version: tuple[int, ...], warned: bool
) -> None:
    monkeypatch.setattr(sqlite3, "sqlite_version_info", version)
    assert any("may damage a file" in note for note in (await store.health()).notes) is warned


async def test_a_mark_that_cannot_be_written_costs_no_write(path: Path) -> None:
    path.parent.mkdir()
    gate = ProcessLock(gate_file(path), writable=True)
    with files_limited_to(0):
        gate.mark(1)
    assert gate.marked() == 0
    assert list(gate.notes) == ["the mark of the last write could not be stored"]
    gate.close()
    gate.close()


async def test_a_file_that_was_removed_while_in_use_acknowledges_nothing(
    store: Store, path: Path
) -> None:
    await fill(store, 1)
    path.unlink()
    with pytest.raises(StoreCorrupt, match="removed or replaced"):
        await store.record(HERE, met(learned("lock"), "e"))
    with pytest.raises(StoreCorrupt, match="removed or replaced"):
        await store.stats(HERE)
    health = await store.health()
    assert not health.writable
    assert any("removed or replaced" in problem for problem in health.problems)


async def test_a_file_that_was_replaced_while_in_use_acknowledges_nothing(
    store: Store, path: Path, tmp_path: Path
) -> None:
    await fill(store, 1)
    other = tmp_path / "other" / "store.db"
    await filled(other, 2)
    other.replace(path)
    with pytest.raises(StoreCorrupt, match="removed or replaced") as error:
        await store.record(HERE, met(learned("lock"), "e"))
    assert "start the server again" in error.value.hint
