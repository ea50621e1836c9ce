"""The relevance model: the probability that a lesson is relevant, from a few features.

Rules: pure; a logistic regression, so that every feature has one weight that can be read: the
log-odds that one more of it adds. The weights were fitted by `tests/bench/weigh.py` on the
questions of the first and the third part of `tests/learning/data`, those asked later included, and
on nothing else, each with the situations that a caller named and without; so were the thresholds,
at which 2 in 100 questions that no lesson answers brought one; for rephrased queries, 300 near
misses were added. Its quality on other questions is measured by `tests/bench/paraphrase.py` on the
second and the fourth part.

The caller may rephrase the query, too. One rephrasing may be near a lesson by accident; two seldom
are, so the two nearest count, and not the nearest nor all of them. An embedding model compares a
lesson with all of them together, and five phrasings of the lesson count: a lesson that only shares
the subject is near one of them or two.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reflection_mcp.store.records import Reflection
from reflection_mcp.tools.learning.similarity import Similarity

Features = Mapping[str, float]
"""The features of the relevance model, by name."""

NEAREST = 5  # phrasings of a lesson that count, the nearest ones
AGREEING = 2  # rephrasings of a query that count, those that say the most
FITTED_AMONG = 150  # lessons of each store that the thresholds were found in


@dataclass(frozen=True, slots=True)
class Weights:
    """The weight of each feature, the log-odds without any, and the threshold for being shown."""

    each: Mapping[str, float]
    base: float
    least: float

    def least_among(self, lessons: int) -> float:
        """Return the threshold in a store of so many lessons, 0 to 1.

        The fewer there are, the more seldom one is near an unrelated question by accident: with 10
        held-out lessons that happened 5 times in 1,000 at the threshold of 150, and 11 times at
        this one, which found 55 instead of 40 in 100. The odds follow the square root.
        """
        few = math.sqrt(min(1.0, lessons / FITTED_AMONG))
        odds = few * self.least / (1 - self.least)
        return odds / (1 + odds)

    def chance(self, word_features: Features) -> float:
        """Return the probability that the lesson is relevant, 0 to 1; a missing feature counts
        0."""
        odds = self.base + math.fsum(
            worth * word_features.get(name, 0.0) for name, worth in self.each.items()
        )
        return round(1 / (1 + math.exp(-odds)), 6)


def context_features(row: Reflection, *, making: bool) -> dict[str, float]:
    """Return the features beside similarity: a lesson without situations, which has only its own
    words, and a query about making something new."""
    return {"untold": float(not row.situations), "making": float(making)}


def word_features(resemblance: Similarity) -> dict[str, float]:
    """Return the features of the query's words."""
    return {
        "met": resemblance.met,
        "share": resemblance.share,
        "alike": resemblance.alike,
        "letters": resemblance.letters,
    }


def embedding_features(near: Sequence[float]) -> dict[str, float]:
    """Return the embedding model's features of a lesson, from the cosine of each phrasing, -1 to
    1."""
    return {"nearest": max(near, default=0.0), "near": _highest(near, NEAREST)}


def rephrasing_features(rephrased: Sequence[Features]) -> dict[str, float]:
    """Return the features of the rephrased query: of each feature the mean of the two highest."""
    names = dict.fromkeys(name for each in rephrased for name in each)
    return {
        f"again_{name}": _highest([each[name] for each in rephrased], AGREEING) for name in names
    }


def _highest(values: Sequence[float], number: int) -> float:
    """Return the mean of the `number` highest, or of as many as there are."""
    highest = sorted(values, reverse=True)[:number] or [0.0]
    return math.fsum(highest) / len(highest)


BY_WORDS = Weights(
    {"met": 4.8, "alike": 5.3, "letters": 7.1, "untold": 2.5, "making": -2.2},
    base=-11.8,
    least=0.59,
)
"""Weights for words alone."""

BY_MEANING = Weights(
    {"share": 6.2, "nearest": 5.7, "near": 13.4, "untold": 3.6, "making": -1.7},
    base=-12.8,
    least=0.63,
)
"""Weights with an embedding model: its similarity makes shared runs of letters needless."""

BY_WORDS_REPHRASED = Weights(
    {
        "alike": 4.3, "letters": 4.9, "untold": 3.7, "making": -0.4,
        "again_met": 2.6, "again_alike": 9.7, "again_letters": 7.9,
    },
    base=-17.3,
    least=0.47,
)  # fmt: skip
"""Weights for words alone, with a rephrased query."""

BY_MEANING_REPHRASED = Weights(
    {
        "share": 5.3, "again_alike": 5.6, "again_letters": 4.4, "untold": 4.9,
        "nearest": 2.9, "near": 17.5,
    },
    base=-20.8,
    least=0.39,
)  # fmt: skip
"""Weights with an embedding model, with a rephrased query."""


def weights_for(*, meaning: bool, rephrased: bool) -> Weights:
    """Return the weights for what is known: embeddings, rephrasings, both or neither."""
    if meaning:
        return BY_MEANING_REPHRASED if rephrased else BY_MEANING
    return BY_WORDS_REPHRASED if rephrased else BY_WORDS
