"""`copy --to`: a whole store into another one, through a killed process, too."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import anyio
import pytest

from reflection_mcp.server import cli
from reflection_mcp.store.contract import Writes
from reflection_mcp.store.open import open_store
from reflection_mcp.store.records import Scope
from tests.contract.samples import asked, learned, met, said, tried
from tests.new_store import placed
from tests.postgres_server import APPLICATION_ROLE, with_query
from tests.requirements import requirement

SHOP, EVERYWHERE = Scope(project="shop"), Scope()
LESSONS = 1_100  # three pages


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a store with two projects."""
    path = tmp_path_factory.mktemp("lived") / "store.db"
    anyio.run(_lived, placed(path))
    return path.read_bytes()


@pytest.fixture
def original(lived: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A store with two projects, which the settings name."""
    location = placed(tmp_path / "store.db")
    Path(location).write_bytes(lived)
    monkeypatch.setenv("REFLECTION_STORE", location)
    monkeypatch.setenv("REFLECTION_PROJECT", "shop")
    monkeypatch.setenv("REFLECTION_CONFIG", str(tmp_path / "none.toml"))
    (tmp_path / "none.toml").write_text("")
    return location


def _fill(writes: Writes) -> None:
    for number in range(LESSONS):
        more = learned(f"{number:04}", strategy="check it", scope=SHOP, tags=("io",))
        writes.record(met(more, f"e{number}", keys=(f"key-{number}",), features=(number,)))


async def _lived(location: str) -> None:
    store = await open_store(location)
    await store.transaction(SHOP, _fill)
    await store.record(SHOP, met(learned("0001", lesson="another", scope=SHOP), "again", by="bob"))
    await store.record(EVERYWHERE, met(learned("all", scope=EVERYWHERE), "all"))
    await store.add_attempt(SHOP, tried("x", quality=0.4), event_id="tx")
    shown = asked("one", shown=("ref-0001",), matched_id="ref-0001", verdict="same")
    await store.log_lookup(SHOP, shown)
    await store.apply_feedback(SHOP, said("positive", "ref-0001"))
    await store.close()


def exported(capsys: pytest.CaptureFixture[str], location: str, project: str = "shop") -> str:
    assert cli.main(["export", "--store", location, "--project", project]) == 0
    return capsys.readouterr().out


@requirement("store:copy")
def test_a_store_that_went_through_postgresql_exports_the_same_bytes(
    original: str, postgres_store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    team = with_query(postgres_store, user=APPLICATION_ROLE)
    assert cli.main(["copy", "--to", team]) == 0
    said = capsys.readouterr().out
    assert "global: 1 lesson copied, 0 merged, 0 already there; 0 new log entries" in said
    assert f"shop: {LESSONS:,} lessons copied, 0 merged, 0 already there; 4 new log entries" in said
    back = placed(tmp_path / "back.db")
    assert cli.main(["copy", "--store", team, "--to", back]) == 0
    capsys.readouterr()
    for project in ("shop", "global"):
        assert exported(capsys, back, project) == exported(capsys, original, project)


def test_one_project_can_be_copied_alone(
    original: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = placed(tmp_path / "other.db")
    flags = ["copy", "--project", "global", "--only-project", "--json", "--to", other]
    assert cli.main(flags) == 0
    told = json.loads(capsys.readouterr().out)
    assert told == {
        "global": {"lessons": {"created": 1, "changed": 0, "unchanged": 0}, "entries": 0}
    }


@requirement("team:own-lessons")
def test_what_is_somebodys_own_is_copied_with_its_project_and_exported_without(
    original: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async def kept() -> None:
        store = await open_store(original)
        row = learned("own", scope=SHOP.of("ann"), lesson="This is ann's own.")
        await store.record(SHOP.of("ann"), met(row, "own", by="ann/editor"))
        await store.close()

    anyio.run(kept)
    other = placed(tmp_path / "other.db")
    assert cli.main(["copy", "--only-project", "--to", other]) == 0
    said = capsys.readouterr().out
    assert "shop@ann: 1 lesson copied" in said and "global" not in said
    for location in (original, other):
        assert "ann's own" not in exported(capsys, location)
        assert "ann's own" in exported(capsys, location, "shop@ann")


def test_a_store_is_not_copied_to_itself(original: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["copy", "--to", original]) == 2
    assert "the store cannot be copied to itself" in capsys.readouterr().err


def test_a_tenant_without_anything_has_nothing_to_copy(
    original: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = placed(tmp_path / "other.db")
    assert cli.main(["copy", "--tenant", "nobody", "--to", other]) == 0
    assert "nothing to copy" in capsys.readouterr().out


@requirement("store:copy-resumed")
def test_a_copy_that_was_killed_goes_on_when_it_is_made_again(
    original: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = placed(tmp_path / "other.db")
    command = [sys.executable, "-m", "reflection_mcp", "copy", "--to", other]
    reached = [_killed_at(f"ref-{number:04}", command, other) for number in (300, 900)]
    assert reached == [True, True]
    assert cli.main(["copy", "--to", other]) == 0
    capsys.readouterr()
    assert exported(capsys, other) == exported(capsys, original)


KILLED = """
import os, sys
from reflection_mcp.server.__main__ import main
from reflection_mcp.store.sql import maintenance

adopt = maintenance.adopt

async def adopt_until(db, rows, *, by_hand=False):
    done = await adopt(db, rows, by_hand=by_hand)
    if any(row.reflection.id == os.environ["KILL_AT"] for row in rows):
        os.kill(os.getpid(), 9)  # in the middle of a transaction
    return done

maintenance.adopt = adopt_until
sys.argv = ["reflection-mcp", *sys.argv[1:]]
main()
"""


def _killed_at(lesson: str, command: list[str], location: str) -> bool:
    """Whether the copy was killed in the page that has this lesson."""
    environment: Mapping[str, str] = os.environ | {"KILL_AT": lesson}
    ended = subprocess.run(
        [sys.executable, "-c", KILLED, *command[3:]],
        env=environment,
        capture_output=True,
        timeout=60,
        check=False,
    )
    return ended.returncode == -signal.SIGKILL
