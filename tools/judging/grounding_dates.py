"""The days of the year that a text names, in any usual way of writing.

Rules of this module: a source is read generously: 04/05 may be the fourth of May or the fifth of
April. An answer is read strictly: only a day with the name of its month counts.
"""

import re
from typing import NamedTuple

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTH_NAMES = frozenset(
    """january february march april may june july august september october november december monday
    tuesday wednesday thursday friday saturday sunday spring summer autumn fall winter""".split()
)
_MONTH = (
    r"(?P<{0}>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_DAY = r"(?<![\d.,:])(?P<{0}>\d{{1,2}})(?:st|nd|rd|th)?(?![\d:]|[.,]\d)"
_NAMED = re.compile(
    rf"{_DAY.format('d1')}(?:\s+of)?[\s-]+{_MONTH.format('m1')}"
    rf"|\b{_MONTH.format('m2')}\s+(?:the\s+)?{_DAY.format('d2')}",
    re.IGNORECASE,
)
_SECOND = re.compile(r"\s?(?:-|\u2013|to|and|,|/|&)\s?(\d{1,2})(?:st|nd|rd|th)?(?![\d:])")
_FIRST = re.compile(r"(?<!\d)(\d{1,2})(?:st|nd|rd|th)?\s?(?:-|\u2013|to|and|,|/|&)\s?$")
_FIGURES = re.compile(r"(?<!\d)(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})(?!\d)")
_SHORT = re.compile(r"(?<![\d/.-])(\d{1,2})[/.-](\d{1,2})(?![\d/.-])")


class Day(NamedTuple):
    """One day of the year in a text, at `start` to `end`; `month` counts from 1."""

    start: int
    end: int
    day: int
    month: int


def days(text: str) -> list[Day]:
    """Return the days that are written with the name of their month."""
    found: list[Day] = []
    for match in _NAMED.finditer(text):
        day = int(match["d1"] or match["d2"])
        name = (match["m1"] or match["m2"]).lower()
        # "may" is mostly no month, and "5 may be enough" is no date.
        if name == "may" and (match["m1"] or match["m2"]) == "may":
            continue
        if 1 <= day <= 31:
            found.append(Day(match.start(), match.end(), day, MONTHS.index(name[:3]) + 1))
    return found


def known_days(text: str) -> frozenset[tuple[int, int]]:
    """Return every (day, month) that a source may mean, both ends of a span included."""
    found: set[tuple[int, int]] = set()
    for day in days(text):
        found.add((day.day, day.month))
        second = _SECOND.match(text, day.end)
        first = _FIRST.search(text, max(0, day.start - 20), day.start)
        for other in (second, first):
            if other:
                found.add((int(other[1]), day.month))
    for match in _FIGURES.finditer(text):
        one, two, three = int(match[1]), int(match[3]), int(match[4])
        found.update(((one, two), (two, one), (three, two)))
    for match in _SHORT.finditer(text):
        found.update(((int(match[1]), int(match[2])), (int(match[2]), int(match[1]))))
    return frozenset(found)


_OF_A_YEAR = re.compile(rf"\b{_MONTH.format('m')},?\s+(?:of\s+)?\d{{4}}(?!\d)", re.IGNORECASE)
_ANY = re.compile(rf"\b{_MONTH.format('m')}", re.IGNORECASE)


def months(text: str) -> list[tuple[int, int, int]]:
    """Return the months that stand with a year and without a day: start, end, month."""
    dated = {day.start for day in days(text)} | {day.end for day in days(text)}
    return [
        (found.start(), found.end(), MONTHS.index(found["m"][:3].lower()) + 1)
        for found in _OF_A_YEAR.finditer(text)
        if found.start() not in dated and found.end("m") not in dated
    ]


def named_months(text: str) -> set[int]:
    """Return every month that a source names."""
    return {MONTHS.index(found["m"][:3].lower()) + 1 for found in _ANY.finditer(text)}
