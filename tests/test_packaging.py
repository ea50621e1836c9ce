"""What is shipped is what is in the folders: nothing left out, nothing slipped in.

A build that loses a folder ends with exit code 0 (see docs/decisions/001), so it is looked at.
"""

import os
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path

import pytest

pytestmark = pytest.mark.costly

ROOT = Path(__file__).parent.parent
FOLDERS = ("server", "tools", "store")


def sources(*folders: str) -> set[str]:
    """The files of these folders that belong to the source, as paths from the root."""
    return {
        path.relative_to(ROOT).as_posix()
        for folder in folders
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an sdist and the wheel that was built from that sdist, as a user's pip does."""
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(ROOT)]
    # A build is slow to measure and has nothing of ours in it.
    env = {name: value for name, value in os.environ.items() if "COV" not in name}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, env=env)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return out


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    return next(built.glob("*.whl"))


@pytest.fixture(scope="module")
def wheel_names(wheel: Path) -> set[str]:
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


@pytest.mark.slow
def test_the_sdist_holds_the_folders_and_what_builds_and_tests_them(built: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    written_by_the_build = {"PKG-INFO", ".gitignore"}
    expected = sources(*FOLDERS, "tests") | {
        "hatch_build.py",
        "pyproject.toml",
        "README.md",
        "LICENSE",
    }
    assert names - written_by_the_build == expected


@pytest.mark.slow
def test_the_wheel_holds_exactly_the_three_folders(wheel_names: set[str]) -> None:
    package = {name for name in wheel_names if ".dist-info/" not in name}
    expected = (*sources(*FOLDERS), "__main__.py")
    assert package == {f"reflection_mcp/{name}" for name in expected}


@pytest.mark.slow
def test_the_wheel_claims_no_name_that_another_could_claim(wheel_names: set[str]) -> None:
    assert {name.partition("/")[0].partition("-")[0] for name in wheel_names} == {"reflection_mcp"}


@pytest.mark.slow
def test_each_folder_tells_type_checkers_that_it_is_typed(wheel_names: set[str]) -> None:
    assert {f"reflection_mcp/{folder}/py.typed" for folder in FOLDERS} <= wheel_names


@pytest.mark.slow
def test_the_wheel_brings_the_licence_and_the_command(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        entry_points = archive.read(next(n for n in names if n.endswith("entry_points.txt")))
    assert [name for name in names if name.endswith("licenses/LICENSE")]
    assert b"reflection-mcp = reflection_mcp.server.__main__:main" in entry_points


@pytest.mark.slow
def test_what_is_in_the_wheel_can_be_imported_by_its_name(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    code = (
        f"import sys; sys.path[:] = [{str(tmp_path)!r}] + [p for p in sys.path if '.dev' not in p];"
        "import reflection_mcp.store.records as r, reflection_mcp.tools.ports as p;"
        "print(r.__file__, p.__file__, sep='\\n')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    origins = [Path(line) for line in done.stdout.splitlines()]
    assert [origin.is_relative_to(tmp_path) for origin in origins] == [True, True]


def test_the_version_has_an_entry_in_the_changelog() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert f"## [{version}]" in (ROOT / "CHANGELOG.md").read_text()
