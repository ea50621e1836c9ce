"""The commands on a store in PostgreSQL, as its owner and as the role of an application."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from reflection_mcp.server import cli
from tests.postgres_server import APPLICATION_ROLE, with_query
from tests.requirements import requirement

pytestmark = pytest.mark.costly

PIN = "Pin the version of foo."
LEASE = "The warehouse importer needs a lease before it writes rows."
TWIN = "The importer of the warehouse needs a lease before it writes a row."
Run = Callable[..., str]


@pytest.fixture(params=[pytest.param("postgres", marks=pytest.mark.slow), APPLICATION_ROLE])
def run(
    request: pytest.FixtureRequest,
    postgres_store: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Run:
    """Run a command, expect a code, return what it printed."""
    (tmp_path / "none.toml").write_text("")
    monkeypatch.setenv("REFLECTION_CONFIG", str(tmp_path / "none.toml"))
    monkeypatch.setenv("REFLECTION_STORE", with_query(postgres_store, user=request.param))
    monkeypatch.setenv("REFLECTION_PROJECT", "shop")

    def ran(*arguments: str, code: int = 0) -> str:
        capsys.readouterr()
        assert cli.main(list(arguments)) == code
        out, err = capsys.readouterr()
        return out + err

    return ran


def added(run: Run, *arguments: str) -> str:
    (made,) = json.loads(run("add", *arguments, "--json"))
    return str(made["id"])


@requirement("store:postgres-commands")
def test_lessons_are_added_shown_changed_moved_and_deleted(run: Run, tmp_path: Path) -> None:
    first = added(run, PIN, "--error", "KeyError: 'foo'")
    second = added(run, "Read the log first.")
    for command in (["list"], ["search", "version"], ["today"]):
        assert PIN in run(*command)
    assert "KeyError" in run("errors")
    assert "lessons       2" in run("stats")
    run("edit", second, "--lesson", "Read the end of the log.")
    assert "Read the end of the log." in run("show", second)
    for name in ("export.jsonl", "export.md"):
        file = str(tmp_path / name)
        assert "2 lessons written" in run("export", "--output", file)
        assert "0 new, 0 merged, 2 already known" in run("import", file)
    assert "shop: 0 signatures updated" in run("doctor", "--rekey")
    assert json.loads(run("review", "--json")) == []
    assert "1 of 2 lessons deleted" in run("prune", "--max-entries", "1", "--yes")
    assert "deleted" in run("forget", "--all", "--yes")
    assert "2 new" in run("import", str(tmp_path / "export.jsonl"))
    assert f"{first}: deleted" in run("forget", first, "--yes")


@requirement("store:postgres-commands")
def test_a_consolidation_is_taken_back(run: Run) -> None:
    added(run, LEASE)
    added(run, TWIN)
    before = run("list", "--json")
    assert "there is no consolidation to undo" in run("consolidate", "--undo", code=2)
    assert "would be changed" in run("consolidate", "--dry-run")
    assert "changed; `consolidate --undo` undoes it" in run("consolidate")
    assert "nothing to do" in run("consolidate")
    assert run("list", "--json") != before
    assert "would be restored" in run("consolidate", "--undo", "--dry-run")
    assert "restored as before the last consolidation" in run("consolidate", "--undo")
    assert run("list", "--json") == before


@requirement("store:postgres-commands")
def test_a_merger_is_taken_back_but_for_what_was_deleted(run: Run) -> None:
    first, second = added(run, PIN), added(run, "Read the log first.")
    assert "`consolidate --undo` undoes that" in run("review", first, "merge", second)
    run("forget", second, "--yes")
    said = run("consolidate", "--undo")
    assert "1 lesson restored" in said
    assert second not in run("list")
