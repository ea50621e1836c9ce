"""What the demo prints; the picture of the README shows that, apart from ids and dates."""

import re
from pathlib import Path

import pytest

from tests.readme_picture import PICTURES, README, drawn, lasting, printed, told
from tests.rows import each_row

pytestmark = pytest.mark.costly


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("demo")


@pytest.fixture(scope="module")
def story(folder: Path) -> str:
    """What the demo prints where the user has a store of his own."""
    return printed(REFLECTION_STORE=str(folder / "store.db"))


@pytest.mark.slow
def test_the_demo_tells_the_whole_story_and_how_to_add_the_server(story: str) -> None:
    for part in (
        "“15 x 12.99 = 195.00”: the sides differ: 194.85 and 195.00",
        "Seen before (exact)",
        "module: “requests” here, “yaml” there",
        "helped 1, failed 0",
        "Based on recent self-evaluations",
        "claude mcp add reflection --",
    ):
        assert part in " ".join(story.replace("│", "").split())
    assert story.count("PyYAML") >= 3


@pytest.mark.slow
@pytest.mark.usefixtures("story")
def test_the_demo_leaves_the_store_of_the_user_alone(folder: Path) -> None:
    assert list(folder.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", PICTURES)
def test_the_picture_is_what_the_demo_prints(name: str, story: str) -> None:
    assert lasting(drawn(PICTURES[name])) == lasting(told(story))


@each_row("name", PICTURES)
def test_the_picture_is_shown_and_small_and_fetches_nothing(name: str) -> None:
    text = PICTURES[name].read_text(encoding="utf-8")
    assert f"/main/docs/{PICTURES[name].name}" in README.read_text(encoding="utf-8")
    assert len(text) < 40_000
    assert re.findall(r"url\((?!#)|href|@import", text) == []
