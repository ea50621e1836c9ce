"""Opening: where the store is, whose it is, what it is, and which version it has."""

import os
import sqlite3
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from reflection_mcp.store.errors import (
    StoreBusy,
    StoreCorrupt,
    StoreReadOnly,
    StoreTooNew,
    StoreUnavailable,
)
from reflection_mcp.store.open import open_store
from reflection_mcp.store.sqlite import SqliteStore
from reflection_mcp.store.sqlite import schema as sqlite_schema
from reflection_mcp.store.sqlite.memory import MemoryStore
from reflection_mcp.store.sqlite.session import Session
from reflection_mcp.store.sqlite.store_worker import Unattended
from tests.contract.samples import HERE, at, learned, met
from tests.rows import each_row
from tests.store.faults import filled, transaction_held

pytestmark = pytest.mark.anyio


# --------------------------------------------------------------------- locations


@each_row("location", ["memory:", ":memory:", "memory://"])
async def test_memory_is_a_location(location: str) -> None:
    assert isinstance(await open_store(location), MemoryStore)


@pytest.mark.parametrize("form", ["{}", "sqlite:///{}"])
async def test_a_path_is_a_location_with_and_without_a_scheme(form: str, path: Path) -> None:
    store = await open_store(form.format(path))
    assert isinstance(store, SqliteStore)
    assert (await store.health()).location == str(path)
    await store.close()


async def test_marks_in_a_url_are_decoded(tmp_path: Path) -> None:
    store = await open_store(f"sqlite:///{tmp_path}/a%20b%3F.db")
    assert (await store.health()).location == f"{tmp_path}/a b?.db"
    await store.close()


async def test_a_relative_path_is_made_absolute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    store = await open_store("store.db")
    assert (await store.health()).location == str(tmp_path / "store.db")
    await store.close()


@each_row(
    ("location", "says"),
    [
        ("mysql://host/db", "not valid"),
        ("sqlite://host", "not valid"),
        ("", "empty"),
        (".", "empty"),
        ("a\0b", "empty"),
        ("sqlite:///", "empty"),
        ("~no-such-user-here/store.db", "home folder"),
    ],
)
async def test_a_location_that_is_not_understood_is_refused_by_name(
    location: str, says: str
) -> None:
    with pytest.raises(StoreUnavailable, match=says) as refusal:
        await open_store(location)
    assert refusal.value.hint
    assert "secret" not in f"{refusal.value.message} {refusal.value.hint}"


# --------------------------------------------------------------------- whose it is


async def test_the_folder_and_every_file_are_for_their_owner_alone(path: Path) -> None:
    before = os.umask(0)
    try:
        store = await open_store(str(path))
        await store.record(HERE, met(learned("lock"), "e1"))
    finally:
        os.umask(before)
    modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in path.parent.iterdir()}
    assert set(modes) == {"store.db", "store.db-wal", "store.db-shm", "store.db.gate"}
    assert set(modes.values()) == {0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    await store.close()


async def test_a_file_that_others_may_read_is_closed_to_them(path: Path) -> None:
    await filled(path, 1)
    path.chmod(0o644)
    store = await open_store(str(path))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    await store.close()


async def test_rights_that_cannot_be_changed_are_left(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await filled(path, 1)
    path.chmod(0o640)

    def refuse(self: Path, mode: int) -> None:
        raise OSError("read-only file system")

    with monkeypatch.context() as mounted_read_only:
        mounted_read_only.setattr(Path, "chmod", refuse)
        await (await open_store(str(path))).close()


@pytest.mark.parametrize("name", ["store.db", "store.db.gate"])
async def test_a_symbolic_link_is_refused(path: Path, tmp_path: Path, name: str) -> None:
    path.parent.mkdir()
    (path.parent / name).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(StoreUnavailable, match=r"link|plain file"):
        await open_store(str(path))
    assert not (tmp_path / "elsewhere").exists()


async def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="not a plain file"):
        await open_store(str(tmp_path))


async def test_a_place_that_cannot_be_a_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreUnavailable, match="cannot be created"):
        await open_store(str(tmp_path / "file" / "store.db"))
    with pytest.raises(StoreUnavailable, match="too long"):
        await open_store(str(tmp_path / ("x" * 300)))


async def test_a_file_of_another_user_is_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await filled(path, 1)
    monkeypatch.setattr(os, "geteuid", lambda: 4711)
    with pytest.raises(StoreUnavailable, match="another user"):
        await open_store(str(path))


# --------------------------------------------------------------------- what it is


async def test_the_database_of_another_program_is_refused_and_left_alone(path: Path) -> None:
    path.parent.mkdir()
    for pragma in ("application_id = 7", "user_version = 0"):
        path.unlink(missing_ok=True)
        with closing(sqlite3.connect(path)) as db:
            db.execute(f"PRAGMA {pragma}")
            db.execute("CREATE TABLE theirs(x)")
            db.commit()
        before = path.read_bytes()
        with pytest.raises(StoreUnavailable, match="another program"):
            await open_store(str(path))
        assert path.read_bytes() == before


async def test_a_file_that_is_no_database_is_refused_and_left_alone(path: Path) -> None:
    path.parent.mkdir()
    path.write_text("dear diary, " * 400)
    with pytest.raises(StoreCorrupt, match="not a database"):
        await open_store(str(path))
    assert path.read_text() == "dear diary, " * 400


async def test_an_empty_file_becomes_a_store(path: Path) -> None:
    path.parent.mkdir()
    path.touch()
    store = await open_store(str(path))
    assert (await store.health()).problems == ()
    await store.close()


async def test_a_store_that_must_not_be_written_has_to_exist(path: Path) -> None:
    with pytest.raises(StoreUnavailable, match="no store at this location"):
        await open_store(str(path), read_only=True)
    assert not path.exists()
    path.parent.mkdir()
    path.touch()
    with pytest.raises(StoreReadOnly):
        await open_store(str(path), read_only=True)


async def test_a_store_that_must_not_be_written_can_be_read(path: Path) -> None:
    await filled(path, 2)
    store = await open_store(str(path), read_only=True)
    assert len(await store.find(HERE, ["k0", "k1"])) == 2
    with pytest.raises(StoreReadOnly, match="cannot be written") as refusal:
        await store.record(HERE, met(learned("lock"), "e"))
    assert refusal.value.hint
    health = await store.health()
    assert not health.writable
    assert "the store can only be read" in health.notes
    await store.close()


async def test_an_sqlite_that_is_too_old_is_refused_by_name(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reflection_mcp.store.sqlite.file.NEEDED_SQLITE", (99, 0, 0))
    with pytest.raises(StoreUnavailable, match="too old"):
        await open_store(str(path))


def test_opening_a_current_store_does_not_import_sqlite_utils(tmp_path: Path) -> None:
    script = (
        "import asyncio, sys\n"
        "from reflection_mcp.store.open import open_store\n"
        "for made in (True, False):\n"
        "    store = asyncio.run(open_store(sys.argv[1]))\n"
        "    assert ('sqlite_utils' in sys.modules) is made\n"
        "    for name in [n for n in sys.modules if n.startswith('sqlite_utils')]:\n"
        "        del sys.modules[name]\n"
    )
    path = str(tmp_path / "store.db")
    subprocess.run([sys.executable, "-c", script, path], check=True, timeout=60)


# --------------------------------------------------------------------- which version it has


_SECOND = ("second", "ALTER TABLE reflection ADD COLUMN mood TEXT;\n")


async def test_a_store_of_the_first_release_gets_the_undo_journal(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(sqlite_schema, "MIGRATIONS", sqlite_schema.MIGRATIONS[:1])
        await filled(path, 2)
    store = await open_store(str(path))
    assert await store.claim_consolidation(HERE, at=at(1), since=at(0))
    assert len(await store.reflections(HERE)) == 2
    await store.close()


async def test_an_old_store_is_upgraded_once_and_a_copy_of_it_kept(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await filled(path, 3)
    released = sqlite_schema.version()
    backup = path.with_name(f"store.db.v{released}.backup")
    backup.write_text("left over by an upgrade that failed")
    monkeypatch.setattr(sqlite_schema, "MIGRATIONS", (*sqlite_schema.MIGRATIONS, _SECOND))
    for _ in range(2):
        store = await open_store(str(path))
        assert (await store.health()).schema == released + 1
        assert len(await store.reflections(HERE)) == 3
        await store.close()
    with closing(sqlite3.connect(backup)) as db:
        assert db.execute("SELECT count(*) FROM reflection").fetchall() == [(3,)]
        assert db.execute("PRAGMA user_version").fetchall() == [(released,)]
    assert stat.S_IMODE(backup.stat().st_mode) == 0o600


async def test_an_old_store_that_another_program_holds_is_busy_soon_and_upgraded_later(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await filled(path, 3)
    released = sqlite_schema.version()
    monkeypatch.setattr(sqlite_schema, "MIGRATIONS", (*sqlite_schema.MIGRATIONS, _SECOND))
    with transaction_held(path), pytest.raises(StoreBusy, match="another process holds"):
        await open_store(str(path), wait=600, locked=0.01)
    store = await open_store(str(path), locked=0.01)
    assert (await store.health()).schema == released + 1
    await store.close()


async def test_a_store_of_a_program_that_was_never_released_is_refused_and_left_alone(
    path: Path,
) -> None:
    await filled(path, 1)
    with closing(sqlite3.connect(path)) as db:
        db.execute(f"PRAGMA user_version = {sqlite_schema.RELEASED - 1}")
    with pytest.raises(StoreUnavailable, match="never released"):
        await open_store(str(path))
    with closing(sqlite3.connect(path)) as db:
        assert db.execute("PRAGMA user_version").fetchall() == [(sqlite_schema.RELEASED - 1,)]


async def test_an_upgrade_that_fails_changes_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await filled(path, 1)
    name, script = _SECOND
    broken = (name, f"{script}SELECT a_bug()")
    with monkeypatch.context() as patched:
        patched.setattr(sqlite_schema, "MIGRATIONS", (*sqlite_schema.MIGRATIONS, broken))
        with pytest.raises(sqlite3.OperationalError, match="no such function"):
            await open_store(str(path))
    store = await open_store(str(path))
    health = await store.health()
    assert (health.schema, health.problems) == (sqlite_schema.version(), ())
    await store.record(HERE, met(learned("lock"), "e"))
    await store.close()


async def test_a_store_from_the_future_can_be_read_and_not_written(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(sqlite_schema, "MIGRATIONS", (*sqlite_schema.MIGRATIONS, _SECOND))
        await filled(path, 2)
    store = await open_store(str(path))
    assert len(await store.find(HERE, ["k0", "k1"])) == 2
    assert (await store.stats(HERE)).reflections == 2
    with pytest.raises(StoreTooNew, match="later version") as refusal:
        await store.record(HERE, met(learned("lock"), "e"))
    assert "update" in refusal.value.hint
    health = await store.health()
    assert (health.schema, health.writable) == (sqlite_schema.version() + 1, False)
    await store.close()


async def test_a_sqlite_without_full_text_search_is_refused_by_name(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reflection_mcp.store.sqlite.session.SEARCH_MODULE", "fts99")
    with pytest.raises(StoreUnavailable, match="full-text search"):
        await open_store(str(path))


class AnotherWasFirst:
    """A turn at whose start another process has just made the schema."""

    until = float("inf")

    def __init__(self, path: Path) -> None:
        self._path = path
        self._made = False

    def start(self) -> bool:
        if not self._made:
            self._made = True
            with closing(sqlite3.connect(self._path, isolation_level=None)) as db:
                db.execute("BEGIN IMMEDIATE")
                sqlite_schema.migrate(db)
                db.execute("COMMIT")
        return True


def test_who_comes_second_finds_the_schema_made(path: Path) -> None:
    session = Session(path, read_only=False)
    session.open(AnotherWasFirst(path))
    assert session.schema == sqlite_schema.version()
    assert list(path.parent.glob("*.backup")) == []
    session.close()


class Patient:
    """A turn that somebody waits for."""

    until = float("inf")

    def start(self) -> bool:
        return True


class NobodyWaits:
    """A turn that was given up."""

    until = float("inf")

    def start(self) -> bool:
        return False


async def test_what_nobody_waits_for_is_not_begun(path: Path) -> None:
    for made in (False, True):
        if made:
            await filled(path, 1)
        with pytest.raises(Unattended):
            Session(path, read_only=False).open(NobodyWaits())
    session = Session(path, read_only=False)
    session.open(Patient())
    for do in (session.write, session.erase, session.far):
        with pytest.raises(Unattended):
            do(NobodyWaits(), lambda db: db.execute("DELETE FROM reflection"))
    session.close()
    store = await open_store(str(path))
    assert (await store.stats(HERE)).reflections == 1
    await store.close()
