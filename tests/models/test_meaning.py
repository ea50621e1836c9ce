"""The static model of meaning, for real."""

import subprocess
import sys
from pathlib import Path

import pytest

from reflection_mcp.server.application import application_for
from reflection_mcp.server.models import meaning
from reflection_mcp.server.models.meaning import StaticMeaning
from reflection_mcp.server.settings import Settings
from reflection_mcp.tools.ports import MeaningMissing

pytestmark = pytest.mark.anyio

TEXTS = ["The pods were evicted without notice.", "Too much flour in the dough.", ""]


async def test_a_text_that_means_the_same_is_nearer_than_one_that_does_not() -> None:
    model = StaticMeaning()
    pods, flour, nothing = await model.likeness("kubernetes containers killed", TEXTS)
    assert pods > flour
    assert nothing == 0.0
    assert model.name.startswith("wordllama 0.")


async def test_without_texts_there_is_nothing_to_say() -> None:
    assert await StaticMeaning().likeness("anything", []) == []


async def test_the_vectors_that_are_kept_do_not_grow_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(meaning, "KEPT", 2)
    model = StaticMeaning()
    first = await model.likeness("dough", TEXTS)
    assert await model.likeness("dough", TEXTS) == first
    await model.likeness("dough", ["One more text."])
    assert list(vars(model)["_vectors"]) == ["One more text."]


async def test_without_the_package_one_line_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "wordllama", None)  # what Python does when it is not there
    with pytest.raises(MeaningMissing, match=r"pip install 'reflection-mcp\[semantic\]'$"):
        await StaticMeaning().likeness("dough", TEXTS)


async def test_weights_that_are_not_in_the_package_are_never_fetched() -> None:
    with pytest.raises(MeaningMissing, match="lost its weights: reinstall it"):
        await StaticMeaning(dimensions=512).likeness("dough", TEXTS)


OFFLINE = """
import asyncio, sys
def refuse(event, arguments):
    if event.startswith("socket.") and event in ("socket.connect", "socket.getaddrinfo"):
        raise SystemExit("the network was touched")
sys.addaudithook(refuse)
from reflection_mcp.server.models.meaning import StaticMeaning
print(len(asyncio.run(StaticMeaning().likeness("dough", ["flour"]))))
"""


async def test_nothing_is_asked_of_the_network_and_nothing_else_is_printed() -> None:
    done = subprocess.run(
        [sys.executable, "-c", OFFLINE], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout == "1\n"


async def test_it_is_there_only_when_it_is_switched_on(tmp_path: Path) -> None:
    plain = application_for(Settings(project="shop", store="memory:"), tmp_path)
    assert (await plain.workshop()).meaning is None
    wanted = application_for(Settings(project="shop", store="memory:", semantic=True), tmp_path)
    assert isinstance((await wanted.workshop()).meaning, StaticMeaning)
