"""Similarity of texts by an embedding model that the user names, run here by `fastembed`.

Rules: off by default; `fastembed` is an optional extra, loaded in a worker thread by the first
query that needs it. A server never downloads: the user's command `fetch-model` does, or the user
names a folder. The similarity helps to rank lessons; two lessons are never merged by it.

Models differ in the similarity of two unrelated texts (0.05 to 0.7), so a cosine alone means
nothing. It is scaled by the model's values for a few sentences that have nothing in common: 0 is as
similar as these, 1 is the same text.
"""

import threading
from collections.abc import Sequence
from importlib import import_module
from itertools import combinations
from pathlib import Path
from typing import Any

import anyio
from platformdirs import user_cache_path

from reflection_mcp.tools.ports import MeaningMissing

CACHED_TEXTS = 4_096  # cached vectors, of 1.5 to 4 kB each
THREADS = 2  # leaves processors for the host that runs beside the server
UNRELATED = (
    "The harbour master paints the boats every spring.",
    "Rotate the signing key before the certificate expires.",
    "A violin needs new strings after a long concert tour.",
    "The query planner ignores an index on a small table.",
    "Knead the dough until it no longer sticks to the bowl.",
    "Our train was late because of snow in the mountains.",
)


class EmbeddingModel:
    """`tools.ports.Meaning` with one vector for each text.

    `model` is a name that `fastembed` knows, or the absolute path of a folder with `model.onnx`,
    `tokenizer.json` and `tokenizer_config.json`.
    """

    def __init__(self, model: str) -> None:
        self.name = model
        self._embed: Any = None
        self._unrelated = 0.0
        self._vectors: dict[str, Any] = {}
        self._lock = threading.Lock()

    async def likeness(self, asked: Sequence[str], texts: Sequence[str]) -> Sequence[float]:
        """See `Meaning.likeness`: the highest over all phrasings of the query."""
        return await anyio.to_thread.run_sync(self._likeness, asked, texts)

    def _likeness(self, asked: Sequence[str], texts: Sequence[str]) -> list[float]:
        with self._lock:
            if self._embed is None:
                self._embed = _loaded(self.name)
                pairs = [*combinations(self._vectors_of(UNRELATED), 2)]
                self._unrelated = sum(float(one @ other) for one, other in pairs) / len(pairs)
            queries, vectors = self._vectors_of(asked), self._vectors_of(texts)
        rest = max(1 - self._unrelated, 1e-6)  # a model that finds all texts alike
        nearest = (max(float(query @ vector) for query in queries) for vector in vectors)
        return [(cosine - self._unrelated) / rest for cosine in nearest]

    def _vectors_of(self, texts: Sequence[str]) -> list[Any]:
        """The vectors of the texts, each of length 1."""
        if len(self._vectors) > CACHED_TEXTS:
            self._vectors.clear()
        new = [text for text in dict.fromkeys(texts) if text not in self._vectors]
        for text, vector in zip(new, self._embed(new) if new else (), strict=True):
            self._vectors[text] = vector / float(vector @ vector) ** 0.5
        return [self._vectors[text] for text in texts]


def fetch_model(name: str) -> None:
    """Download a model that `fastembed` knows to the user's cache folder.

    Raises:
        MeaningMissing: `fastembed` is not installed, does not know the name or cannot fetch it.
    """
    _loaded(name, download=True)


def _loaded(name: str, *, download: bool = False) -> Any:
    """The function that embeds texts with this model."""
    try:
        library = import_module("fastembed")
    except ImportError:
        raise MeaningMissing(
            "ranking by meaning needs fastembed: pip install 'reflection-mcp[semantic]'"
        ) from None
    options: dict[str, Any] = {
        "cache_dir": str(user_cache_path("reflection-mcp") / "models"),
        "threads": THREADS,
        "local_files_only": not download,
    }
    if Path(name).is_absolute():
        _describe_folder(library, name)
        options["specific_model_path"] = name
    try:
        return library.TextEmbedding(name, **options).embed
    except Exception as failure:  # the library raises what its own libraries raise
        said = str(failure).splitlines()[0] if str(failure) else type(failure).__name__
        hint = "" if download else f"; fetch it once with: reflection-mcp fetch-model {name}"
        raise MeaningMissing(f"the embedding model cannot be loaded ({said}){hint}") from failure


def _describe_folder(library: Any, folder: str) -> None:
    """Make a folder known to `fastembed`, which loads only models that were described to it."""
    if folder in {each["model"] for each in library.TextEmbedding.list_supported_models()}:
        return
    described = import_module("fastembed.common.model_description")
    library.TextEmbedding.add_custom_model(
        model=folder,
        pooling=described.PoolingType.MEAN,
        normalization=True,
        sources=described.ModelSource(url="file:///"),
        dim=1,  # fastembed asks for it and never reads it
        model_file="model.onnx",
    )
