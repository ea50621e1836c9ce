"""How a time is written for whoever reads it: ISO 8601, in UTC, with a `Z`."""

from datetime import UTC, datetime


def to_the_second(at: datetime) -> str:
    """As much of a time as a reader can use: `2026-11-21T12:00:00Z`."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def in_json(value: object) -> str:
    """The whole of a time, for a program; `default` of `json.dumps`, which knows all else we give.

    Raises:
        TypeError: it is something else, which is a bug.
    """
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat().replace("+00:00", "Z")
    raise TypeError(f"{type(value).__name__} has no form in JSON")
