"""The input of each role, and the approach that a retry takes.

A field of an input is a placeholder of its prompt: the prompts are checked against these classes.
"""

from dataclasses import dataclass

LESSONS = 3  # seed rule loop:memory-in: up to three past mistakes go into the first attempt


@dataclass(frozen=True, slots=True, kw_only=True)
class EvaluatorInput:
    """An answer to be scored; `findings` are what the checks proved, given as facts, and `events`
    what happened, when work was done."""

    question: str
    context: str
    answer: str
    findings: tuple[str, ...] = ()
    events: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class CriticInput:
    """An answer in which no fault was proven and which is to be reflected on all the same."""

    question: str
    context: str
    answer: str
    findings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviserInput:
    """An answer, and what has to be redone in it."""

    question: str
    context: str
    answer: str
    faults: tuple[str, ...]
    lessons: tuple[str, ...] = ()
    approach: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswererInput:
    """A question to be answered; `lessons` were learned from earlier mistakes."""

    question: str
    context: str
    lessons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReflectorInput:
    """An episode to learn from: the task, what happened in order, and how it ended."""

    task: str
    events: tuple[str, ...] = ()
    outcome: str = ""
    findings: tuple[str, ...] = ()
    lessons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Approach:
    """The approach of a retry, so that no two attempts do the same (loop:approach-varies)."""

    name: str
    text: str


APPROACHES: tuple[Approach, ...] = (
    Approach(
        name="redo",
        text="Work out each listed step again, update what depends on it, and leave every other "
        "step as it is.",
    ),
    Approach(
        name="another_way",
        text="Work out each listed step by another method than before, compare the two results, "
        "and keep the one that you can show to be right.",
    ),
    Approach(
        name="from_the_givens",
        text="Write down what is given and what is asked, then build the listed steps anew from "
        "the givens alone, without looking at the earlier attempt.",
    ),
    Approach(
        name="backwards",
        text="Start from the result and work back to the givens; where the two do not meet, redo "
        "the step in between.",
    ),
)


def approach(attempt: int) -> str:
    """The approach of an attempt, counted from 0; the first attempt needs none."""
    return "" if attempt < 1 else APPROACHES[(attempt - 1) % len(APPROACHES)].text
