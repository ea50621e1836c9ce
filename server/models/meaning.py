"""Texts compared by meaning: a small static embedding model, for those who switch it on.

Rules: the package `wordllama` carries its 16 MB of weights and is an optional extra; it is imported
and loaded when the first question comes, in a worker thread, from its own folder. Nothing is ever
downloaded: what is not there is said in one line. What it says is used to rank and to help decide
whether anything fits; two lessons are never merged by it.
"""

import threading
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

import anyio

from reflection_mcp.tools.ports import MeaningMissing

PACKAGE = "wordllama"
DIMENSIONS = 256  # of the weights inside the package
KEPT = 4_096  # vectors of texts that are kept, of 1 KB each
LOOKED_AT = 2_000  # characters of one text


class StaticMeaning:
    """`tools.ports.Meaning`, by the mean of the vectors of a text's words."""

    name = PACKAGE

    def __init__(self, dimensions: int = DIMENSIONS) -> None:
        self._dimensions = dimensions
        self._model: Any = None
        self._vectors: dict[str, Any] = {}
        self._lock = threading.Lock()

    async def likeness(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """See `Meaning.likeness`."""
        cut = [text[:LOOKED_AT] for text in texts]
        return await anyio.to_thread.run_sync(self._likeness, query[:LOOKED_AT], cut)

    def _likeness(self, query: str, texts: Sequence[str]) -> list[float]:
        with self._lock:
            if self._model is None:
                self._model = _loaded(self._dimensions)
                self.name = f"{PACKAGE} {version(PACKAGE)}"
            if len(self._vectors) > KEPT:
                self._vectors.clear()
            self._learn([text for text in dict.fromkeys(texts) if text not in self._vectors])
            (asked,) = self._embedded([query])
            return [float(self._vectors[text] @ asked) for text in texts]

    def _learn(self, texts: Sequence[str]) -> None:
        self._vectors.update(zip(texts, self._embedded(texts), strict=True))

    def _embedded(self, texts: Sequence[str]) -> list[Any]:
        """Vectors of length 1; a text without words has length 0 and is near to nothing."""
        if not texts:
            return []
        return [each / (float(each @ each) ** 0.5 or 1.0) for each in self._model.embed([*texts])]


def _loaded(dimensions: int) -> Any:
    try:
        package = import_module(PACKAGE)
    except ImportError:
        raise MeaningMissing(
            "semantic ranking is switched on and not installed: "
            "pip install 'reflection-mcp[semantic]'"
        ) from None
    folder = Path(str(package.__file__)).parent
    try:
        return package.WordLlama.load(cache_dir=folder, dim=dimensions, disable_download=True)
    except OSError:
        raise MeaningMissing(
            f"semantic ranking is switched on and {PACKAGE} has lost its weights: reinstall it"
        ) from None
