"""What is a resemblance worth? The chance that a lesson is meant, from a few figures.

Rules: pure; a logistic regression, so that every figure has one weight that can be read: so much
does one more of it add to the log-odds. The weights were fitted by `tests/bench/weigh.py` on the
questions of the first and the third part of `tests/learning/data`, those asked later included, and
on nothing else, each with the situations that a caller named and without; so were the thresholds,
at which 2 in 100 questions that no lesson answers brought one; where a query is said in other
words, 300 questions that tempt to answer them were added. What that is worth on other questions is
measured by `tests/bench/paraphrase.py` on the second and the fourth part.

Whoever asks may say the query in other words, too. One of them may be near a lesson by accident;
two seldom are, so what the two nearest say counts, and not the nearest nor all of them. A model of
meaning holds a lesson against all of them together, and five phrasings of the lesson count: what
only shares its subject with a lesson is near one of them or two.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reflection_mcp.store.records import Reflection
from reflection_mcp.tools.learning.intent import Intent
from reflection_mcp.tools.learning.resemblance import Resemblance

Figures = Mapping[str, float]
"""What is weighed, by name."""

NEAREST = 5  # phrasings of a lesson that count, the nearest ones
AGREEING = 2  # rephrasings of a query that count, those that say the most


@dataclass(frozen=True, slots=True)
class Weights:
    """What each figure is worth, the log-odds of a lesson without any, and the chance from which
    it is shown."""

    each: Mapping[str, float]
    base: float
    least: float

    def chance(self, figures: Figures) -> float:
        """The chance that the lesson is meant, 0 to 1; a figure that is not given counts 0."""
        odds = self.base + math.fsum(
            worth * figures.get(name, 0.0) for name, worth in self.each.items()
        )
        return round(1 / (1 + math.exp(-odds)), 6)


def circumstances(row: Reflection, intent: Intent) -> dict[str, float]:
    """What counts beside any likeness: that nobody said when a lesson is needed, so that it has its
    own words only, and that a query is about making something new."""
    return {"untold": float(not row.situations), "making": float(intent == "making")}


def figures(resemblance: Resemblance) -> dict[str, float]:
    """What the words of a query say of a lesson."""
    return {
        "met": resemblance.met,
        "share": resemblance.share,
        "alike": resemblance.alike,
        "letters": resemblance.letters,
    }


def nearness(near: Sequence[float]) -> dict[str, float]:
    """What a model of meaning says of a lesson, from how near each of its phrasings is, -1 to 1."""
    return {"nearest": max(near, default=0.0), "near": _highest(near, NEAREST)}


def agreed(rephrased: Sequence[Figures]) -> dict[str, float]:
    """What the query says in other words, from the figures of each: the mean of the two highest."""
    names = dict.fromkeys(name for each in rephrased for name in each)
    return {
        f"again_{name}": _highest([each[name] for each in rephrased], AGREEING) for name in names
    }


def _highest(values: Sequence[float], number: int) -> float:
    """The mean of so many of the highest, or of as many as there are."""
    highest = sorted(values, reverse=True)[:number] or [0.0]
    return math.fsum(highest) / len(highest)


BY_WORDS = Weights(
    {"met": 4.1, "alike": 4.7, "letters": 7.7, "untold": 2.5, "making": -2.5},
    base=-10.5,
    least=0.60,
)
"""Where only words count."""

BY_MEANING = Weights(
    {"share": 6.2, "nearest": 5.7, "near": 13.4, "untold": 3.6, "making": -1.7},
    base=-12.8,
    least=0.63,
)
"""Where a model of meaning was asked as well: what it says makes likeness by letters needless."""

BY_WORDS_REPHRASED = Weights(
    {
        "alike": 3.5, "letters": 5.2, "untold": 3.3, "making": -0.6,
        "again_met": 3.0, "again_alike": 7.4, "again_letters": 8.5,
    },
    base=-16.7,
    least=0.49,
)  # fmt: skip
"""Where only words count, and the query was said in other words, too."""

BY_MEANING_REPHRASED = Weights(
    {
        "share": 5.3, "again_alike": 5.6, "again_letters": 4.4, "untold": 4.9,
        "nearest": 2.9, "near": 17.5,
    },
    base=-20.8,
    least=0.39,
)  # fmt: skip
"""Where a model of meaning was asked about the query and its other words."""


def weights_for(*, meaning: bool, rephrased: bool) -> Weights:
    """The weights by what is known: whether a model of meaning was asked, and whether the query was
    said in other words."""
    if meaning:
        return BY_MEANING_REPHRASED if rephrased else BY_MEANING
    return BY_WORDS_REPHRASED if rephrased else BY_WORDS
