"""The key that signs loop tokens."""

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from reflection_mcp.server.settings.secret import FILE_NAME, KEY_BYTES, signing_key
from tests.rows import each_row


def test_the_next_process_has_the_same_key(tmp_path: Path) -> None:
    store = str(tmp_path / "data" / "store.db")
    assert signing_key(store) == signing_key(store)
    assert len(signing_key(store)) == KEY_BYTES


def test_only_its_owner_can_read_it(tmp_path: Path) -> None:
    signing_key(str(tmp_path / "store.db"))
    assert stat.S_IMODE((tmp_path / FILE_NAME).stat().st_mode) == 0o600
    assert {path.name for path in tmp_path.iterdir()} == {FILE_NAME, f"{FILE_NAME}.lock"}


def test_another_installation_has_another_key(tmp_path: Path) -> None:
    assert signing_key(str(tmp_path / "a" / "s.db")) != signing_key(str(tmp_path / "b" / "s.db"))


@each_row("store", ["memory:", "postgresql://host/db"])
def test_a_store_that_is_no_file_has_a_key_of_this_process_only(store: str) -> None:
    assert signing_key(store) != signing_key(store)


def test_a_folder_that_cannot_be_made_costs_only_the_keeping(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert len(signing_key(str(tmp_path / "file" / "store.db"))) == KEY_BYTES


def test_half_a_key_is_never_used(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"half")
    assert len(signing_key(str(tmp_path / "store.db"))) == KEY_BYTES


def test_many_at_once_agree(tmp_path: Path) -> None:
    store = str(tmp_path / "store.db")
    with ThreadPoolExecutor(8) as pool:
        keys = set(pool.map(signing_key, [store] * 32))
    assert len(keys) == 1
