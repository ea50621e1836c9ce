"""What is a resemblance worth? The chance that a lesson is meant, from a few figures.

Rules: pure; a logistic regression, so that every figure has one weight that can be read: so much
does one more of it add to the log-odds. The weights were fitted by `tests/bench/weigh.py` on the
first and the third part of the questions of `tests/learning/data` and on nothing else, each with
the situations that a caller named and without; so were the thresholds, at which 2 in 100 questions
that no lesson answers brought one; where a query is said in other words, 300 questions that tempt
to answer them were added. What that is worth on other questions is measured by
`tests/bench/paraphrase.py` on the second and the fourth part.

Whoever asks may say the query in other words, too. One of them may be near a lesson by accident;
two seldom are, so what the two nearest say counts, and not the nearest nor all of them.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reflection_mcp.store.records import Reflection
from reflection_mcp.tools.learning.intent import Intent
from reflection_mcp.tools.learning.resemblance import Resemblance

Figures = Mapping[str, float]
"""What is weighed, by name."""

NEAREST = 3  # phrasings of a lesson that count, the nearest ones
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
        "alike": resemblance.alike,
        "letters": resemblance.letters,
    }


def nearness(near: Sequence[float]) -> dict[str, float]:
    """What a model of meaning says of a lesson, from how near each of its phrasings is, -1 to 1."""
    nearest = sorted(near, reverse=True)[:NEAREST] or [0.0]
    return {"nearest": nearest[0], "near": math.fsum(nearest) / len(nearest)}


def agreed(rephrased: Sequence[Figures]) -> dict[str, float]:
    """What the query says in other words, from the figures of each: the mean of the two highest."""
    names = dict.fromkeys(name for each in rephrased for name in each)
    highest = {
        name: sorted((each[name] for each in rephrased), reverse=True)[:AGREEING] for name in names
    }
    return {f"again_{name}": math.fsum(most) / len(most) for name, most in highest.items()}


BY_WORDS = Weights(
    {"met": 5.1, "alike": 3.6, "letters": 6.8, "untold": 2.3, "making": -2.1},
    base=-10.1,
    least=0.59,
)
"""Where only words count."""

BY_MEANING = Weights(
    {"met": 5.1, "untold": 3.6, "making": -1.7, "nearest": 6.8, "near": 11.6},
    base=-14.4,
    least=0.64,
)
"""Where a model of meaning was asked as well: what it says makes likeness by letters needless."""

BY_WORDS_REPHRASED = Weights(
    {
        "alike": 3.1, "letters": 4.3, "untold": 4.0, "making": -0.3,
        "again_met": 2.5, "again_alike": 7.2, "again_letters": 8.6,
    },
    base=-15.7,
    least=0.55,
)  # fmt: skip
"""Where only words count, and the query was said in other words, too."""

BY_MEANING_REPHRASED = Weights(
    {
        "alike": 2.9, "letters": 3.2, "untold": 4.0, "nearest": 2.8,
        "again_met": 1.0, "again_alike": 6.0, "again_letters": 5.4, "again_nearest": 9.6,
    },
    base=-18.1,
    least=0.52,
)  # fmt: skip
"""Where a model of meaning was asked about the query and its other words."""


def weights_for(*, meaning: bool, rephrased: bool) -> Weights:
    """The weights by what is known: whether a model of meaning was asked, and whether the query was
    said in other words."""
    if meaning:
        return BY_MEANING_REPHRASED if rephrased else BY_MEANING
    return BY_WORDS_REPHRASED if rephrased else BY_WORDS
