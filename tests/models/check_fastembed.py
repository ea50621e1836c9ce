"""The embedding model with the real `fastembed`, on a tiny model that this check makes.

    uv run --with fastembed --with onnx pytest -n0 tests/models/check_fastembed.py

Installs some 40 packages, 250 MB, aside; downloads no model. Half a minute.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from reflection_mcp.server.models.embedding import EmbeddingModel

pytestmark = pytest.mark.anyio

VOCABULARY = ["[PAD]", "[UNK]", "bread", "dough", "pods", "containers", "the"]
TABLE = [[0, 0, 0], [0, 0, 1], [9, 1, 0], [9, 2, 0], [1, 9, 0], [2, 9, 0], [0, 0, 1]]
"""One vector for each word: bread is near dough, pods are near containers."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    onnx: Any = pytest.importorskip("onnx")
    tokenizers: Any = pytest.importorskip("tokenizers")
    make, kinds = onnx.helper, onnx.TensorProto
    flat = [float(number) for row in TABLE for number in row]
    table = make.make_tensor("table", kinds.FLOAT, [len(TABLE), 3], flat)
    ids = make.make_tensor_value_info("input_ids", kinds.INT64, ["batch", "length"])
    out = make.make_tensor_value_info("last", kinds.FLOAT, ["batch", "length", 3])
    node = make.make_node("Gather", ["table", "input_ids"], ["last"])
    graph = make.make_graph([node], "tiny", [ids], [out], [table])
    model = make.make_model(graph, opset_imports=[make.make_opsetid("", 13)], ir_version=8)
    onnx.save(model, tmp_path / "model.onnx")
    words = {word: number for number, word in enumerate(VOCABULARY)}
    tokenizer = tokenizers.Tokenizer(tokenizers.models.WordLevel(words, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.save(str(tmp_path / "tokenizer.json"))
    settings = {"model_max_length": 32, "pad_token": "[PAD]"}
    (tmp_path / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")
    return tmp_path


async def test_the_real_library_ranks_by_meaning(folder: Path) -> None:
    model = EmbeddingModel(str(folder))
    dough, pods = await model.likeness(["the bread"], ["the dough", "the pods"])
    assert dough > 0.8
    assert pods < 0.5
