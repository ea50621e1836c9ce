"""Marks: short texts one of which tells what may be found in a longer one.

Rule of this module: a mark rules out and proves nothing; whoever finds one asks a pattern next.
"""

from collections.abc import Iterable


def holds_any(text: str, marks: Iterable[str]) -> bool:
    """Whether a text holds one of several marks."""
    for mark in marks:  # noqa: SIM110 - `any` takes half as long again, and is asked of every line
        if mark in text:
            return True
    return False
