"""Which lessons stand out by their meaning? What a model of meaning says, made comparable.

Rules: pure. Such a model finds something near to every query, so that its figure says nothing by
itself; what tells is how far a lesson is above all the others that were looked at, in standard
deviations. With few others there is nothing to stand out from, and nothing is said.
"""

import math
from collections.abc import Sequence

from reflection_mcp.store.records import Reflection

LEAST_OTHERS = 20  # of fewer, the nearest cannot be four deviations above the rest


def meant(row: Reflection) -> str:
    """The text of a lesson that is compared."""
    parts = (row.lesson, row.strategy, row.question, row.example, " ".join(row.tags))
    return " ".join(part for part in parts if part)


def standing(rows: Sequence[Reflection], likeness: Sequence[float]) -> dict[str, float]:
    """For each id how many standard deviations a lesson is nearer than the mean; 0 below it."""
    if len(rows) < LEAST_OTHERS:
        return {}
    mean = math.fsum(likeness) / len(likeness)
    spread = math.sqrt(math.fsum((each - mean) ** 2 for each in likeness) / len(likeness))
    if not spread:
        return {}
    return {
        row.id: max(0.0, (each - mean) / spread) for row, each in zip(rows, likeness, strict=True)
    }
