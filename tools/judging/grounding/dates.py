"""The days of the year that a text names, in any usual way of writing.

Rules of this module: a source is read generously: 04/05 may be the fourth of May or the fifth of
April. An answer is read strictly: only a day with the name of its month counts.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from reflection_mcp.tools.judging.texts.digits import at_figures, figure_starts
from reflection_mcp.tools.judging.texts.numbers import UNITS
from reflection_mcp.tools.judging.texts.source import Source

MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
MONTH_NAMES = frozenset(
    """january february march april may june july august september october november december monday
    tuesday wednesday thursday friday saturday sunday spring summer autumn fall winter""".split()
)
_MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    r"sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_MONTH_WORDS = {
    word: number
    for number, name in enumerate(
        """january february march april may june july august september october november
        december""".split(),
        1,
    )
    for word in (name, name[:3])
} | {"sept": 9}
_ENDS_OF_MONTHS = frozenset(word[-3:] for word in _MONTH_WORDS)
# First the figure, then a look at both sides of it: figures are few, words are many.
_DAY = re.compile(r"(?P<day>\d(?<![\d.,:].)\d?)(?:st|nd|rd|th)?(?![\d:]|[.,]\d)")
_MONTH_AFTER = re.compile(rf"(?:\s+of)?[\s-]+(?=[adfjmnos]){_MONTH}", re.IGNORECASE)
_MONTH_BEFORE = re.compile(rf"\b{_MONTH}\s+(?:the\s+)?$", re.IGNORECASE)
FIGURES = 4_000
"""Figures of a text that are looked at."""
BEFORE = 20
"""Characters before a figure in which the name of its month stands."""
_SECOND = re.compile(r"\s?(?:-|\u2013|to|and|,|/|&)\s?(\d{1,2})(?:st|nd|rd|th)?(?![\d:])")
_FIRST = re.compile(r"(?<!\d)(\d{1,2})(?:st|nd|rd|th)?\s?(?:-|\u2013|to|and|,|/|&)\s?$")
_FIGURES = re.compile(r"(\d(?<!\d.)\d{0,3})([./-])(\d{1,2})\2(\d{1,4})(?!\d)")
_SHORT = re.compile(r"(\d(?<![\d/.-].)\d?)[/.-](\d{1,2})(?![\d/.-])")


class Day(NamedTuple):
    """One day of the year in a text, at `start` to `end`; `month` counts from 1."""

    start: int
    end: int
    day: int
    month: int


def days(text: str, *, starts: list[int] | None = None, loose: bool = False) -> list[Day]:
    """Return the days that are written with the name of their month.

    Args:
        text: where to look.
        starts: where its runs of digits begin, if that is known.
        loose: whether "may" in small letters is a month as well.
    """
    found: list[Day] = []
    starts = figure_starts(text) if starts is None else starts
    for figure in islice(at_figures(_DAY, text, starts), FIGURES):
        start, end = figure.span()
        named = _MONTH_AFTER.match(text, end)
        if named:
            end = named.end("month")
        else:
            named = _month_before(text, start)
            start = named.start() if named else start
        # "5 may be enough" is no date, except in a source that does without capitals.
        may = named and named["month"] == "may" and not loose
        if named and not may and 1 <= int(figure["day"]) <= 31:
            found.append(Day(start, end, int(figure["day"]), _number(named)))
    return found


def _month_before(text: str, start: int) -> re.Match[str] | None:
    # The last word is a month, or "the" behind one.
    first = max(0, start - BEFORE)
    end = text[first:start].lower().rstrip()[-4:].removesuffix(".")[-3:]
    if end != "the" and end not in _ENDS_OF_MONTHS:
        return None
    return _MONTH_BEFORE.search(text, first, start)


def _number(named: re.Match[str]) -> int:
    return MONTHS.index(named["month"][:3].lower()) + 1


# The look at the first letter spares most words of a text the alternation.
_OF_A_YEAR = re.compile(rf"(?=[adfjmnos])\b{_MONTH},?\s+(?:of\s+)?\d{{4}}(?!\d)", re.IGNORECASE)


def months(text: str, told: list[Day]) -> list[tuple[int, int, int]]:
    """Return the months that stand with a year and in none of its days: start, end, month."""
    low = text.lower()
    if not any(name in low for name in MONTHS):
        return []
    dated = {place for day in told for place in range(day.start, day.end)}
    return [
        (found.start(), found.end(), _number(found))
        for found in _OF_A_YEAR.finditer(text)
        if found.start() not in dated
    ]


class Calendar:
    """The days and months that a source names, worked out when the first is asked for."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.text = source.text

    def _joined(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        return at_figures(pattern, self.text, self.source.joined_figures)

    @cached_property
    def _named(self) -> list[Day]:
        return days(self.text, starts=self.source.figure_starts, loose=True)

    @cached_property
    def days(self) -> frozenset[tuple[int, int]]:
        """Every (day, month) that the source may mean, both ends of a span included."""
        found: set[tuple[int, int]] = set()
        for day in self._named:
            found.add((day.day, day.month))
            second = _SECOND.match(self.text, day.end)
            first = _FIRST.search(self.text, max(0, day.start - BEFORE), day.start)
            for other in (second, first):
                if other:
                    ends = sorted((day.day, int(other[1])))
                    found.update((between, day.month) for between in range(ends[0], ends[1] + 1))
        for match in self._joined(_FIGURES):
            one, two, three = int(match[1]), int(match[3]), int(match[4])
            found.update(((one, two), (two, one), (three, two)))
        for match in self._joined(_SHORT):
            one, two = int(match[1]), int(match[2])
            found.update(((one, two), (two, one)))
        return frozenset(found)

    @cached_property
    def months(self) -> frozenset[int]:
        """Every month that the source names, or may mean by a figure of a date."""
        words = self.source.words
        named = {number for word, number in _MONTH_WORDS.items() if word in words}
        return frozenset(named | {figure for pair in self.days for figure in pair})

    def may_mean(self, day: Day) -> bool:
        """Tell whether a day may be told by its distance from one of the source, or its weekday."""
        for told in self._full:
            if self._is_months_from(day, told):
                return True
            try:
                meant = date(told.year, day.month, day.day)
            except ValueError:  # 29 February of a common year
                continue
            apart = abs((meant - told).days)
            if apart in self._spans or (apart <= NEARBY and self._tells_relative_days):
                return True
            if -7 <= (meant - told).days <= WEEKS * 7 and self._names_weekday(meant, told):
                return True
        return False

    def _is_months_from(self, day: Day, told: date) -> bool:
        """Tell whether a day lies some months of the source before or after one of it."""
        apart = day.month - told.month
        return day.day == told.day and any(
            (apart - months) % 12 == 0 or (apart + months) % 12 == 0 for months in self._months_told
        )

    @cached_property
    def _months_told(self) -> frozenset[int]:
        """The numbers of months that the source tells: "six months' notice"."""
        text = self.source.small
        return frozenset(
            int(span[1]) if span[1].isdecimal() else UNITS[span[1]]
            for month in _MONTH_WORD.finditer(text)
            if (span := _MONTHS_TOLD.search(text, max(0, month.start() - BEFORE), month.start()))
        )

    @cached_property
    def _full(self) -> list[date]:
        """The days that the source gives with their year."""
        found: list[date] = []
        for told in self._named:
            year = _YEAR_AFTER.match(self.text, told.end)
            with suppress(ValueError):
                if year is not None:
                    found.append(date(int(year[1]), told.month, told.day))
        for usual in sorted({told.year for told in found} or {PLAIN_YEAR})[:2]:
            for month, day in sorted(self._without_year):
                with suppress(ValueError):
                    found.append(date(usual, month, day))
        for match in self._joined(_ISO):
            with suppress(ValueError):
                found.append(date.fromisoformat(match[0]))
        return found[:FULL]

    @cached_property
    def years_of_dates(self) -> frozenset[int]:
        """The years of the days that the source gives in full."""
        return frozenset(day.year for day in self._full)

    @cached_property
    def _spans(self) -> frozenset[int]:
        """The numbers of days that the source tells: "within 30 days", "two weeks"."""
        if not any(unit in self.source.small for unit in ("day", "week")):
            return frozenset()
        told = at_figures(_SPAN, self.text, self.source.figure_starts)
        return frozenset(int(span[1]) * (7 if span[2].lower() == "week" else 1) for span in told)

    def _names_weekday(self, day: date, told: date) -> bool:
        if (told.month, told.day) in self._without_year:
            return not self.source.words.isdisjoint(WEEKDAYS)
        return WEEKDAYS[day.weekday()] in self.source.words

    @cached_property
    def _without_year(self) -> frozenset[tuple[int, int]]:
        """The months and days that the source gives without their year."""
        return frozenset(
            (told.month, told.day)
            for told in self._named
            if not _YEAR_AFTER.match(self.text, told.end)
        )

    def _says(self, phrases: tuple[str, ...], pattern: re.Pattern[str]) -> bool:
        told = any(phrase in self.source.small for phrase in phrases)
        return told and bool(pattern.search(self.source.small))

    @cached_property
    def _tells_relative_days(self) -> bool:
        return self._says(_RELATIVE_DAYS, _RELATIVE_DAY)

    @cached_property
    def tells_days_otherwise(self) -> bool:
        """Whether days are told by their distance from one that is not named, or not at all."""
        return not self.days or (not self._full and self._tells_relative_days)

    def may_be_in(self, month: int) -> bool:
        """Tell whether a month may be told by its season or quarter, or by the one beside it."""
        if not self.months or self._says(_RELATIVE_MONTHS, _RELATIVE_MONTH):
            return True
        return any(
            month in months and season in self.source.words for season, months in _SEASONS.items()
        )


WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
NEARBY = 10
"""Days from a date of the source within which "yesterday" or "next week" may lie."""
WEEKS = 2
"""Weeks from a full date within which a weekday says which day is meant."""
PLAIN_YEAR = 2023
"""A common year, for days that the source gives without theirs."""
FULL = 50
"""Full dates of a source that are looked at."""
_YEAR_AFTER = re.compile(r"(?:st|nd|rd|th)?,?\s(\d{4})(?!\d)")
_SPAN = re.compile(r"(\d(?<![\d.,].)\d{0,2})[ -](day|week)s?\b", re.IGNORECASE)
_MONTH_WORD = re.compile(r"month(?<=[ -]month)s?\b")
_MONTHS_TOLD = re.compile(rf"\b(\d{{1,2}}|{'|'.join(UNITS)})[ -]$")
_ISO = re.compile(r"\d(?<!\d.)\d{3}-\d{2}-\d{2}(?!\d)")
# Phrases of a text in small letters; whether they stand there at all is quick to tell.
_RELATIVE_DAYS = (
    "yesterday", "tomorrow", "the next day", "the following day", "the previous day", "next day",
    "next week", "last day", "last week",
)  # fmt: skip
_RELATIVE_MONTHS = ("quarter", "next month", "last month", "following month", "previous month")
_RELATIVE_DAY, _RELATIVE_MONTH = (
    re.compile(rf"\b(?:{'|'.join(phrases)})\b") for phrases in (_RELATIVE_DAYS, _RELATIVE_MONTHS)
)
# A spring term begins in January, and south of the equator spring itself in September.
_SEASONS = {
    "spring": {*range(1, 7), 9, 10, 11}, "summer": {*range(5, 10), 12, 1, 2},
    "autumn": {*range(8, 13), 3, 4, 5}, "fall": {*range(8, 13), 3, 4, 5},
    "winter": {*range(10, 13), 1, 2, 3, 6, 7, 8},
    "q1": {1, 2, 3}, "q2": {4, 5, 6}, "q3": {7, 8, 9}, "q4": {10, 11, 12},
}  # fmt: skip
