"""A bar chart in one line of text, one character for each number."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta

DAYS = 14
NOTHING = "·"
BARS = "▁▂▃▄▅▆▇█"


def bars(numbers: Sequence[float]) -> str:
    """Return a bar for each number, the largest one full; no bar for 0."""
    most = max(numbers, default=0)
    return "".join(
        BARS[max(0, round(number / most * len(BARS)) - 1)] if number else NOTHING
        for number in numbers
    )


def last_days(now: datetime) -> tuple[date, ...]:
    """Return the UTC days that are drawn, today last."""
    today = now.astimezone(UTC).date()
    return tuple(today - timedelta(days=ago) for ago in reversed(range(DAYS)))
