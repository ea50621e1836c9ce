"""The names of a project's files: all of them, or none."""

from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from reflection_mcp.server.application import application_for
from reflection_mcp.server.project import project_files, repository_root
from reflection_mcp.server.settings.settings import Settings
from reflection_mcp.tools.reflect.assess import project_of
from tests.requirements import requirement


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    for name in ("src/app.py", "src/db/session.py", "node_modules/x/index.js", ".git/HEAD"):
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "key.py").touch()
    (root / "link").symlink_to(tmp_path / "secret")
    return root


@requirement("artefacts:project")
def test_files_are_listed_from_the_root_and_links_lead_nowhere(root: Path) -> None:
    assert project_files(root) == frozenset(("src/app.py", "src/db/session.py", "link"))


def test_a_listing_that_is_not_whole_is_none(root: Path) -> None:
    ticks = count()
    assert project_files(root, most=2) is None
    assert project_files(root, seconds=lambda: float(next(ticks))) is None
    assert project_files(root / "gone") is None


def test_the_root_is_the_nearest_working_tree_and_never_a_home(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert repository_root(root / "src" / "db") == root.resolve()
    assert repository_root(root.parent / "secret") is None
    monkeypatch.setattr(Path, "home", lambda: root.resolve())
    assert repository_root(root / "src") is None

    def homeless() -> Path:
        raise RuntimeError

    monkeypatch.setattr(Path, "home", homeless)
    assert repository_root(root / "src") == root.resolve()


@pytest.mark.anyio
async def test_names_are_listed_for_the_project_of_the_process_and_where_allowed(
    root: Path, tmp_path: Path
) -> None:
    settings = Settings(store=str(tmp_path / "r.db"))
    application = application_for(settings, root)
    own, other = await application.services(), await application.services(project="global")
    assert project_of(own, "See `src/app.py`.") == project_files(root)
    assert project_of(own, "It is 4 / 2.") is None
    assert project_of(other, "See `src/app.py`.") is None
    await application.close()
    assert application_for(settings, root.parent).files is None
    off = replace(settings, project_names=False)
    assert application_for(off, root).files is None
