"""Numbers and times as they are written for a reader: `3 faults`, `once`, 2026-11-21T12:00:00Z."""

from collections.abc import Collection
from datetime import UTC, datetime


def counted(number: int, noun: str) -> str:
    """Return the number with its noun, which has a regular plural: `1 fault`, `2 strategies`."""
    if number == 1:
        return f"1 {noun}"
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {plural}"


def times(number: int) -> str:
    """Return `never`, `once`, `twice`, `3 times`."""
    return {0: "never", 1: "once", 2: "twice"}.get(number, f"{number:,} times")


def came_back(repeats: Collection[int]) -> str:
    """Return `3 repeats after a lesson was shown (2 errors)`; one number for each such error."""
    shown = f"{counted(sum(repeats), 'repeat')} after a lesson was shown"
    return f"{shown} ({counted(len(repeats), 'error')})" if repeats else shown


def to_the_second(at: datetime) -> str:
    """Return a time in UTC, to the second."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def in_json(value: object) -> str:
    """Return a time in full, for a program; `default` of `json.dumps`.

    Raises:
        TypeError: it is something else, which is a bug.
    """
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    raise TypeError(f"{type(value).__name__} has no form in JSON")
