"""The undo journal beside a store."""

import os
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from reflection_mcp.store.errors import StoreCorrupt, StoreUnavailable
from reflection_mcp.store.journal import Journal, journal_beside
from reflection_mcp.store.maintenance import Change, StoredReflection
from reflection_mcp.store.records import Scope
from tests.contract.samples import learned

SHOP = Scope(project="shop")


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return journal_beside(tmp_path / "r.db", SHOP)


def path_of(journal: Journal) -> Path:
    assert journal.path is not None
    return journal.path


def retiring(name: str) -> Change:
    row = StoredReflection(reflection=learned(name, scope=SHOP))
    after = replace(row, reflection=replace(row.reflection, retired=True))
    return Change(before=row, after=after)


CHANGES = (retiring("a"), retiring("b"))


def names(journal: Journal) -> list[str]:
    return [each.after.reflection.id for each in journal.read()]


def test_what_is_written_comes_back_reversed_and_only_for_its_scope(
    journal: Journal, tmp_path: Path
) -> None:
    journal.write(CHANGES)
    assert names(journal) == ["ref-a", "ref-b"]
    assert all(each.before.reflection.retired for each in journal.read())
    assert not any(each.after.reflection.retired for each in journal.read())
    assert journal_beside(tmp_path / "r.db", replace(SHOP, tenant="rival")).read() == []
    # A file system that takes one name for another gives both the same file.
    assert replace(journal, scope=Scope(project="Shop")).read() == []


def test_what_was_deleted_for_good_is_left_out_alone_and_the_date_stays(journal: Journal) -> None:
    journal.write(CHANGES)
    os.utime(path_of(journal), (7, 7))
    replace(journal, scope=Scope(project="Shop")).leave_out(["ref-b"])
    journal.leave_out(["ref-c"])
    assert names(journal) == ["ref-a", "ref-b"]
    journal.leave_out(["ref-b"])
    assert names(journal) == ["ref-a"]
    assert journal.last_run() == datetime.fromtimestamp(7, UTC)


@pytest.mark.parametrize("damage", [b"", b"\xff", b'{"tenant": "default", "project": "shop"}\n{}'])
def test_a_damaged_journal_cannot_be_read_and_is_removed_with_what_is_deleted(
    journal: Journal, damage: bytes
) -> None:
    path_of(journal).write_bytes(damage)
    with pytest.raises(StoreCorrupt, match="cannot be read"):
        journal.read()
    journal.leave_out(["ref-b"])
    assert not path_of(journal).exists()
    journal.leave_out(["ref-b"])


def test_the_date_of_the_last_run_is_the_date_of_the_file(journal: Journal) -> None:
    assert journal.last_run() is None
    journal.mark_run()
    assert journal.last_run() is not None
    assert journal.read() == []
    journal.write(CHANGES)
    journal.mark_run()
    assert names(journal) == ["ref-a", "ref-b"]


def test_a_journal_that_cannot_be_written_is_trouble_with_the_store(tmp_path: Path) -> None:
    journal = journal_beside(tmp_path / "no-folder" / "r.db", SHOP)
    with pytest.raises(StoreUnavailable, match="no such file"):
        journal.write(CHANGES)


def test_a_store_that_is_no_file_has_no_journal() -> None:
    journal = journal_beside(None, SHOP)
    journal.write(CHANGES)
    journal.mark_run()
    journal.leave_out(["ref-a"])
    assert (journal.read(), journal.last_run()) == ([], None)
