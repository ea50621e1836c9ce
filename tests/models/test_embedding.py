"""The embedding model, against a stand-in for `fastembed` that has the same interface.

The library and its 100 MB of dependencies are no part of the development group. What it really does
with a model is shown by `check_fastembed.py`, which runs it on a tiny model that it makes.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from reflection_mcp.server.application import application_for
from reflection_mcp.server.cli import main
from reflection_mcp.server.models import embedding
from reflection_mcp.server.models.embedding import UNRELATED, EmbeddingModel
from reflection_mcp.server.settings.settings import Settings
from reflection_mcp.tools.ports import MeaningMissing
from tests.rows import each_row

pytestmark = pytest.mark.anyio

WORDS = ("dough", "bread", "pods", "kubernetes")


class Vector(tuple[float, ...]):
    """As much of an array as is used: `@` and division by a number."""

    def __matmul__(self, other: "Vector") -> float:
        return sum(one * another for one, another in zip(self, other, strict=True))

    def __truediv__(self, by: float) -> "Vector":
        return Vector(each / by for each in self)


class TextEmbedding:
    """Dimensions for the first letter and for four words, and one that all texts have."""

    made: list[tuple[str, dict[str, Any]]]
    embedded: list[str]
    models: list[dict[str, str]]

    def __init__(self, name: str, **options: Any) -> None:
        if name == "unknown":
            raise ValueError("Model unknown is not supported.\nSee the list.")
        if name == "silent":
            raise OSError
        self.made.append((name, options))

    def embed(self, texts: Sequence[str]) -> Iterator[Vector]:
        self.embedded.extend(texts)
        for text in texts:
            letters = (float(text.startswith(letter)) for letter in "ABKORTbdp")
            yield Vector([1.0, *letters, *(3.0 * (word in text) for word in WORDS)])

    @classmethod
    def list_supported_models(cls) -> list[dict[str, str]]:
        return cls.models

    @classmethod
    def add_custom_model(cls, *, model: str, **described: Any) -> None:
        cls.models.append({"model": model})


@pytest.fixture(autouse=True)
def library(monkeypatch: pytest.MonkeyPatch) -> type[TextEmbedding]:
    TextEmbedding.made, TextEmbedding.embedded, TextEmbedding.models = [], [], []
    module, described = ModuleType("fastembed"), ModuleType("model_description")
    vars(module)["TextEmbedding"] = TextEmbedding
    vars(described)["PoolingType"] = SimpleNamespace(MEAN="mean")
    vars(described)["ModelSource"] = SimpleNamespace
    monkeypatch.setitem(sys.modules, "fastembed", module)
    monkeypatch.setitem(sys.modules, "fastembed.common.model_description", described)
    return TextEmbedding


async def test_unrelated_texts_have_a_similarity_of_0_and_the_same_text_of_1() -> None:
    model = EmbeddingModel("any")
    same, other = await model.likeness(["bread"], ["bread", "pods"])
    assert same == pytest.approx(1.0)
    assert other < 0.2


async def test_the_nearest_of_several_ways_to_ask_counts() -> None:
    model = EmbeddingModel("any")
    (both,) = await model.likeness(["pods", "bread"], ["bread"])
    (one,) = await model.likeness(["bread"], ["bread"])
    assert both == one


async def test_a_text_is_embedded_once_until_the_cache_is_full(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    model = EmbeddingModel("any")
    await model.likeness(["dough"], ["dough", "bread", "dough"])
    assert TextEmbedding.embedded == [*UNRELATED, "dough", "bread"]
    monkeypatch.setattr(embedding, "CACHED_TEXTS", 2)
    await model.likeness(["dough"], [])
    assert TextEmbedding.embedded.count("dough") == 2


async def test_a_server_reads_a_named_model_from_the_cache_only() -> None:
    await EmbeddingModel("any").likeness(["dough"], [])
    ((name, options),) = TextEmbedding.made
    assert (name, options["local_files_only"]) == ("any", True)
    assert "specific_model_path" not in options


async def test_a_folder_is_described_once_and_read_from_there(tmp_path: Path) -> None:
    for _ in range(2):
        await EmbeddingModel(str(tmp_path)).likeness(["dough"], [])
    assert TextEmbedding.models == [{"model": str(tmp_path)}]
    assert TextEmbedding.made[1][1]["specific_model_path"] == str(tmp_path)


async def test_without_the_library_one_line_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "fastembed", None)  # what Python does when it is not there
    with pytest.raises(MeaningMissing, match=r"pip install 'reflection-mcp\[semantic\]'$"):
        await EmbeddingModel("any").likeness(["dough"], [])


@each_row(
    ("name", "reason"), [("unknown", "Model unknown is not supported."), ("silent", "OSError")]
)
async def test_a_model_that_cannot_be_loaded_names_the_reason_and_the_command(
    name: str, reason: str
) -> None:
    with pytest.raises(MeaningMissing) as raised:
        await EmbeddingModel(name).likeness(["dough"], [])
    assert str(raised.value) == (
        f"the embedding model cannot be loaded ({reason}); "
        f"fetch it once with: reflection-mcp fetch-model {name}"
    )


def test_the_command_downloads_the_named_model(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fetch-model", "any"]) == 0
    ((name, options),) = TextEmbedding.made
    assert (name, options["local_files_only"]) == ("any", False)
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == "fetched any; to use it, set REFLECTION_SEMANTIC_MODEL=any\n"


def test_the_command_says_why_a_model_cannot_be_fetched(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fetch-model", "unknown"]) == 2
    assert capsys.readouterr().err == (
        "reflection-mcp: the embedding model cannot be loaded (Model unknown is not supported.)\n"
    )


def test_no_model_is_loaded_until_a_query_comes_and_none_without_the_setting(
    tmp_path: Path,
) -> None:
    assert application_for(Settings(), tmp_path).meaning is None
    model = application_for(Settings(semantic_model="any"), tmp_path).meaning
    assert model is not None
    assert model.name == "any"
    assert TextEmbedding.made == []
