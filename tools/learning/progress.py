"""Progress reports of work over many rows.

Rule: pure callbacks; whether and how it is shown is not decided here.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

Progress = Callable[[int], None]
"""A function that is called with the number of rows done so far."""

Stage = Callable[[str, int], Progress]
"""A function that is called when a part of the work begins, with what is done and how many rows
there are; it returns the progress of that part."""


def ignore_progress(done: int) -> None:
    """Ignore the progress."""


def no_stage(what: str, total: int) -> Progress:
    """Ignore the progress of a part."""
    return ignore_progress


def watched(items: Iterable[T], progress: Progress) -> Iterator[T]:
    """Yield the items, telling before each how many are done."""
    for done, each in enumerate(items):
        progress(done)
        yield each
