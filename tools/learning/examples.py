"""Past mistakes and their corrections as few-shot examples for a prompt.

Rules (seed rule adapt:few-shot): pure; each example says what was asked, what went wrong and what
corrected it, quoted from its source; a lesson that may not be offered is no example.
"""

from collections.abc import Iterable

from reflection_mcp.store.records import Reflection
from reflection_mcp.tools.learning import track_record
from reflection_mcp.tools.untrusted import stored

MOST = 3  # seed rule loop:memory-in: up to three past mistakes
LENGTH = 240  # characters of each part


def as_examples(reflections: Iterable[Reflection], most: int = MOST) -> tuple[str, ...]:
    """Return the first lessons that may be offered as lines for a prompt, in the order given.

    A strategy that stands beside its lesson is left out.
    """
    offered = [r for r in reflections if not (r.suspicious or track_record.is_harmful(r))]
    beside = {row.strategy for row in offered if row.kind != "strategy"}
    lines = (
        example(r)
        for r in offered
        if r.lesson and not (r.kind == "strategy" and r.lesson in beside)
    )
    return tuple(lines)[:most]


def example(row: Reflection) -> str:
    """Return a lesson as one line: what was asked, what was wrong, and what put it right."""
    mistake = "" if row.question.startswith(row.trigger) else row.trigger
    # The lesson begins with the question and the mistake, which the line has already.
    lesson = (row.lesson.partition(f" said “{mistake}”: ")[2] if mistake else "") or row.lesson
    correction = " ".join(part for part in (lesson, row.strategy) if part)
    parts = {"asked": row.question, "mistake": mistake, "correction": correction}
    said = (f"{name} {stored(text, LENGTH)}" for name, text in parts.items() if text)
    return "; ".join(said)
