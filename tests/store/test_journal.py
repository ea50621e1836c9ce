"""The undo journal beside a store, and in PostgreSQL."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest
from anyio import to_thread

from reflection_mcp.store.errors import StoreCorrupt, StoreUnavailable
from reflection_mcp.store.journal import Journal, journal_beside, journal_of
from reflection_mcp.store.maintenance import Change, StoredReflection
from reflection_mcp.store.open import open_store
from reflection_mcp.store.records import Scope
from reflection_mcp.store.unavailable import unavailable
from tests.contract.samples import learned
from tests.postgres_server import APPLICATION_ROLE, asked, with_query

SHOP = Scope(project="shop")


pytestmark = pytest.mark.anyio


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def beside(tmp_path: Path) -> Journal:
    return journal_beside(tmp_path / "r.db", SHOP)


@pytest.fixture(params=["file", "postgres", "postgres-application"])
def location(request: pytest.FixtureRequest) -> str:
    if request.param == "file":
        return ""
    url = str(request.getfixturevalue("postgres_store"))
    return url if request.param == "postgres" else with_query(url, user=APPLICATION_ROLE)


@pytest.fixture
async def journal(location: str, beside: Journal) -> AsyncIterator[Journal]:
    if not location:
        yield beside
        return
    store = await open_store(location)
    yield journal_of(store, None, SHOP)
    await store.close()


def path_of(journal: Journal) -> Path:
    assert journal.path is not None
    return journal.path


def retiring(name: str) -> Change:
    row = StoredReflection(reflection=learned(name, scope=SHOP))
    after = replace(row, reflection=replace(row.reflection, retired=True))
    return Change(before=row, after=after)


CHANGES = (retiring("a"), retiring("b"))


async def names(journal: Journal) -> list[str]:
    return [each.after.reflection.id for each in await journal.read()]


async def test_what_is_written_comes_back_reversed_and_only_for_its_scope(
    journal: Journal,
) -> None:
    await journal.write(CHANGES)
    assert await names(journal) == ["ref-a", "ref-b"]
    back = await journal.read()
    assert all(each.before.reflection.retired for each in back)
    assert not any(each.after.reflection.retired for each in back)
    # A file system that takes one name for another gives both the same file.
    for scope in (Scope(project="Shop"), Scope(tenant="rival", project="shop")):
        assert await replace(journal, scope=scope).read() == []


async def test_what_was_deleted_for_good_is_left_out_alone_and_the_date_stays(
    journal: Journal,
) -> None:
    await journal.leave_out(["ref-b"])
    await journal.write(CHANGES)
    ran = await journal.last_run()
    await replace(journal, scope=Scope(project="Shop")).leave_out(["ref-b"])
    await journal.leave_out(["ref-c"])
    assert await names(journal) == ["ref-a", "ref-b"]
    await journal.leave_out(["ref-b"])
    assert await names(journal) == ["ref-a"]
    assert ran is not None
    assert await journal.last_run() == ran


@pytest.mark.parametrize("damage", [b"", b"\xff", b'{"tenant": "default", "project": "shop"}\n{}'])
async def test_a_damaged_journal_cannot_be_read_and_is_removed_with_what_is_deleted(
    beside: Journal, damage: bytes
) -> None:
    path_of(beside).write_bytes(damage)
    with pytest.raises(StoreCorrupt, match="cannot be read"):
        await beside.read()
    await beside.leave_out(["ref-b"])
    assert not path_of(beside).exists()
    await beside.leave_out(["ref-b"])


async def test_a_damaged_row_cannot_be_read_and_is_emptied_with_what_is_deleted(
    postgres_store: str,
) -> None:
    store = await open_store(postgres_store)
    journal = journal_of(store, None, SHOP)
    await journal.write(CHANGES)
    await to_thread.run_sync(asked, postgres_store, "UPDATE consolidation SET changes = '{}'")
    with pytest.raises(StoreCorrupt, match="cannot be read: database"):
        await journal.read()
    await journal.leave_out(["ref-b"])
    assert await journal.read() == []
    await store.close()


async def test_a_store_that_cannot_be_opened_has_the_journal_of_its_file(tmp_path: Path) -> None:
    trouble = unavailable(StoreUnavailable("it is gone", "start it"))
    assert journal_of(trouble, tmp_path / "r.db", SHOP) == journal_beside(tmp_path / "r.db", SHOP)


async def test_a_run_that_found_nothing_to_do_has_a_date_and_keeps_the_way_back(
    journal: Journal,
) -> None:
    assert await journal.last_run() is None
    await journal.mark_run()
    assert await journal.last_run() is not None
    assert await journal.read() == []
    await journal.write(CHANGES)
    await journal.mark_run()
    assert await names(journal) == ["ref-a", "ref-b"]


async def test_a_journal_that_cannot_be_written_is_trouble_with_the_store(tmp_path: Path) -> None:
    journal = journal_beside(tmp_path / "no-folder" / "r.db", SHOP)
    with pytest.raises(StoreUnavailable, match="no such file"):
        await journal.write(CHANGES)


async def test_a_store_that_is_no_file_has_no_journal() -> None:
    journal = journal_beside(None, SHOP)
    await journal.write(CHANGES)
    await journal.mark_run()
    await journal.leave_out(["ref-a"])
    assert (await journal.read(), await journal.last_run()) == ([], None)
