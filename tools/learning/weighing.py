"""What is a resemblance worth? The chance that a lesson is meant, from a few figures.

Rules: pure; a logistic regression, so that every figure has one weight that can be read: so much
does one more of it add to the log-odds. The weights were fitted by `tests/bench/weigh.py` on the
first and the third part of the questions of `tests/learning/data` and on nothing else, each with
the situations that a caller named and without; so were the thresholds, at which 2 in 100 questions
that no lesson answers brought one. What that is worth on other questions is measured by
`tests/bench/paraphrase.py` on the second and the fourth part.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reflection_mcp.tools.learning.intent import Intent
from reflection_mcp.tools.learning.resemblance import Resemblance

Figures = Mapping[str, float]
"""What is weighed, by name."""

NEAREST = 3  # phrasings of a lesson that count beside the nearest one


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


def figures(resemblance: Resemblance, intent: Intent) -> dict[str, float]:
    """What the words of a query say of a lesson."""
    return {
        "met": resemblance.met,
        "alike": resemblance.alike,
        "letters": resemblance.letters,
        "untold": float(resemblance.untold),
        "making": float(intent == "making"),
    }


def nearness(near: Sequence[float]) -> dict[str, float]:
    """What a model of meaning says of a lesson, from how near each of its phrasings is, -1 to 1."""
    nearest = sorted(near, reverse=True)[:NEAREST] or [0.0]
    return {"nearest": nearest[0], "near": math.fsum(nearest) / len(nearest)}


BY_WORDS = Weights(
    {"met": 5.1, "alike": 3.6, "letters": 6.8, "untold": 2.3, "making": -2.1},
    base=-10.1,
    least=0.60,
)
"""Where only words count."""

BY_MEANING = Weights(
    {"met": 4.9, "untold": 3.6, "making": -1.6, "nearest": 6.8, "near": 11.9},
    base=-14.3,
    least=0.61,
)
"""Where a model of meaning was asked as well: what it says makes likeness by letters needless."""
