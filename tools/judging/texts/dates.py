"""The days that a text names with their month.

Rule of this module: only a day beside the name of its month counts, and one written as ISO 8601
does, 2026-11-28; 04/05 may be in April or May.
"""

import re
from typing import NamedTuple

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_DAY = re.compile(
    rf"(?<![\d.,:])(\d{{1,2}})(?:st|nd|rd|th)?\s(?:of\s)?({MONTH})(?:,?\s(\d{{4}})\b)?"
    rf"|\b({MONTH})\s(?:the\s)?(\d{{1,2}})(?:st|nd|rd|th)?(?![\d:]|[.,]\d)(?:,?\s(\d{{4}})\b)?"
    r"|(?<![\w.,:/-])(\d{4})-(0[1-9]|1[0-2])-(\d\d)(?![\d/-])",
    re.IGNORECASE,
)
DAYS = 200
"""Days of a text that are read."""


class Day(NamedTuple):
    """One day in a text, at `start` to `end`; `month` counts from 1, `year` is 0 where none is."""

    start: int
    end: int
    day: int
    month: int
    year: int

    @property
    def date(self) -> tuple[int, int, int]:
        """Day, month and year."""
        return self.day, self.month, self.year


def days(text: str) -> list[Day]:
    """Return the days that a text names with their month, at most `DAYS`."""
    found: list[Day] = []
    for _, one in zip(range(DAYS), _DAY.finditer(text), strict=False):
        day, month, year = one.group(*((1, 2, 3) if one[1] else (5, 4, 6) if one[4] else (9, 8, 7)))
        if month != "may" and 1 <= int(day) <= 31:  # "5 may be enough" is no date
            number = int(month) if month.isdecimal() else MONTHS.index(month[:3].lower()) + 1
            found.append(Day(one.start(), one.end(), int(day), number, int(year or 0)))
    return found
