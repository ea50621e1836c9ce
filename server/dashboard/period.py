"""The last days, as lists and pages count them: whole UTC days, today being the last one."""

from datetime import UTC, date, datetime, time, timedelta

USUAL = 30
"""Days of which a list or page tells, unless others are asked for."""


def first_day(now: datetime, days: int) -> date:
    """Return the first of the last so many days."""
    return now.astimezone(UTC).date() - timedelta(days=days - 1)


def beginning(now: datetime, days: int) -> datetime:
    """Return when the first of the last so many days began."""
    return datetime.combine(first_day(now, days), time(), UTC)
