"""The input of a role, and the approach that a retry takes."""

from dataclasses import dataclass

LESSONS = 3  # seed rule loop:memory-in: up to three past mistakes go into the first attempt


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleInput:
    """The material of a role. Its prompt names the fields that it is shown, each in a tag.

    findings: what the checks proved, given as facts.
    faults: what a reviser has to redo.
    lessons: what was learned from earlier mistakes.
    approach: how a reviser goes about it.
    events: what happened, in order, when work was done; `outcome` is how it ended.
    """

    question: str
    context: str = ""
    answer: str = ""
    findings: tuple[str, ...] = ()
    faults: tuple[str, ...] = ()
    lessons: tuple[str, ...] = ()
    approach: str = ""
    events: tuple[str, ...] = ()
    outcome: str = ""


APPROACHES: tuple[str, ...] = (
    "Work out each listed step again, update what depends on it, and leave every other step as it "
    "is.",
    "Work out each listed step by another method than before, compare the two results, and keep "
    "the one that you can show to be right.",
    "Write down what is given and what is asked, then build the listed steps again from the "
    "givens alone, without looking at the earlier attempt.",
    "Start from the result and work back to the givens; where the two do not meet, redo the step "
    "in between.",
)
"""The approaches of the retries, so that no two attempts do the same (loop:approach-varies)."""


def approach(attempt: int) -> str:
    """The approach of an attempt, counted from 0; the first attempt needs none."""
    return "" if attempt < 1 else APPROACHES[(attempt - 1) % len(APPROACHES)]
