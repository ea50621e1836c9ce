"""What the system refuses is named: a name that is too long, too many open files."""

import errno
import os
import resource
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from reflection_mcp.server.transport.failures import foreseen
from reflection_mcp.store.errors import StoreCorrupt, StoreError, StoreUnavailable
from reflection_mcp.store.log_rows import attempt_from, lookup_from
from reflection_mcp.store.open import open_store
from reflection_mcp.store.rows import keys_from, reflection_from, reflection_row
from reflection_mcp.store.sqlite.errors import named, of_the_system
from tests.contract.samples import HERE, learned, met
from tests.rows import each_row

pytestmark = pytest.mark.anyio

ROW = reflection_row(learned("lock"))


@pytest.mark.parametrize("length", [245, 253, 255, 300])
async def test_a_name_that_leaves_no_room_for_those_beside_it_is_refused(
    tmp_path: Path, length: int
) -> None:
    with pytest.raises(StoreUnavailable, match=f"too long: {length} bytes") as refused:
        await open_store(str(tmp_path / ("s" * (length - 3) + ".db")))
    assert "at most 244" in refused.value.hint
    assert list(tmp_path.iterdir()) == []


async def test_the_longest_name_works(tmp_path: Path) -> None:
    store = await open_store(str(tmp_path / ("s" * 241 + ".db")))
    assert (await store.record(HERE, met(learned("lock"), "e1"))).created
    await store.close()


OPENING = """
import asyncio, resource, sys
from reflection_mcp.store.errors import StoreError
from reflection_mcp.store.open import open_store
import reflection_mcp.store.sqlite.store
asyncio.get_event_loop_policy().set_event_loop(loop := asyncio.new_event_loop())
resource.setrlimit(resource.RLIMIT_NOFILE, (int(sys.argv[2]),) * 2)
try:
    store = loop.run_until_complete(open_store(sys.argv[1]))
except StoreError as error:
    print(error.message, error.hint)
else:
    print("opened")
    loop.run_until_complete(store.close())  # a thread that is left behind needs a file to end
"""


@pytest.mark.parametrize(
    "limit",
    [7, 12, *(pytest.param(each, marks=pytest.mark.slow) for each in range(8, 18) if each != 12)],
)
def test_with_too_few_files_a_store_is_opened_or_refused_by_name(
    tmp_path: Path, limit: int
) -> None:
    command = [sys.executable, "-c", OPENING, str(tmp_path / "store.db"), str(limit)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(("opened", "the store cannot be opened", "too many files"))
    assert "ulimit -n" in done.stdout or done.stdout == "opened\n"


@pytest.mark.parametrize(
    ("limit", "is_first"),
    [
        (12, True),
        (12, False),
        *(
            pytest.param(limit, first, marks=pytest.mark.slow)
            for limit in (8, 10, 13)
            for first in (True, False)
        ),
    ],
)
def test_a_server_with_too_few_files_ends_or_answers_without_a_traceback(
    tmp_path: Path, limit: int, is_first: bool
) -> None:
    # A first start reads no snapshot of what a server answers, and loads everything at once.
    cache = {"XDG_CACHE_HOME": str(tmp_path / "cache")} if is_first else {}

    def fewer() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))

    done = subprocess.run(
        [sys.executable, "-m", "reflection_mcp.server", "--store", str(tmp_path / "store.db")],
        input="",
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        preexec_fn=fewer,
        env={**os.environ, **cache},
    )
    assert "Traceback" not in done.stderr
    assert not is_first or "too many files are open" in done.stderr


def test_what_the_system_refuses_has_a_name() -> None:
    for number, says in (
        (errno.EMFILE, "too many files"),
        (errno.ENAMETOOLONG, "too long"),
        (errno.EIO, "input/output error"),
    ):
        assert says in of_the_system(OSError(number, "Input/output error")).message
    assert "cannot be used: refused" in of_the_system(OSError()).message
    known = foreseen(OSError(errno.EMFILE, "Too many open files"))
    assert isinstance(known, StoreError)
    assert foreseen(OSError(errno.EIO, "broken")) is None


@each_row(
    ("decode", "row"),
    [
        (reflection_from, (None,) * 32),
        (reflection_from, ("",) * 3 + (b"",) + ("",) * 28),
        (reflection_from, (*ROW[:3], "lesson", *ROW[4:])),
        (reflection_from, (*ROW[:10], '{"a": 1}', *ROW[11:])),
        (attempt_from, ("a", "c", 2**62, None, None, None, "{}")),
        (attempt_from, ("a", "c", 1, None, None, None, '{"confidence": 1}')),
        (lookup_from, ("a",) * 12),
        (keys_from, '[["exact"]]'),
        (keys_from, "\x00"),
    ],
)
def test_a_row_that_cannot_be_read_is_called_damaged(decode: object, row: object) -> None:
    assert callable(decode)
    with pytest.raises(StoreCorrupt, match="the store is damaged"):
        decode(row)


def test_a_text_that_is_none_is_called_damaged() -> None:
    db = sqlite3.connect(":memory:")
    with pytest.raises(sqlite3.OperationalError) as error:
        db.execute("SELECT CAST(x'ff' AS TEXT)").fetchall()
    db.close()
    assert isinstance(named(error.value), StoreCorrupt)
