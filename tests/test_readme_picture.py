"""The picture of the README shows what the demo prints, apart from ids and dates."""

import re
from collections.abc import Sequence

import pytest

from tests.readme_picture import PICTURES, README, drawn, lasting, told


@pytest.fixture(scope="module")
def printed() -> Sequence[str]:
    return told()


@pytest.mark.parametrize("name", PICTURES)
def test_the_picture_is_what_the_demo_prints(name: str, printed: Sequence[str]) -> None:
    assert lasting(drawn(PICTURES[name])) == lasting(printed)


@pytest.mark.parametrize("name", PICTURES)
def test_the_picture_is_shown_and_small_and_fetches_nothing(name: str) -> None:
    text = PICTURES[name].read_text(encoding="utf-8")
    assert f"docs/{PICTURES[name].name}" in README.read_text(encoding="utf-8")
    assert len(text) < 40_000
    assert re.findall(r"url\((?!#)|href|@import", text) == []
