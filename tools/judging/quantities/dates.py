"""Are the dates of an answer real, and do their weekdays and distances fit?

Rules of this module: the calendar is the Gregorian one, so nothing is said about years before 1583;
a date whose order of day and month cannot be told (3/4/2024) is not read; counting both ends is a
usual way to count days, so a distance that is one off is "unchecked"; a date that does not exist is
no error where the text itself says so.
"""

import re
from calendar import isleap, monthrange
from collections.abc import Callable, Iterator, Sequence
from datetime import MAXYEAR, date, timedelta
from itertools import islice

from reflection_mcp.store.records import Check, Status
from reflection_mcp.tools.judging import finding
from reflection_mcp.tools.judging.case import Case, Piece
from reflection_mcp.tools.judging.texts.hedges import supposed, taken_back

KIND = "date"
FIRST_YEAR = 1583
"""The first whole year of the Gregorian calendar."""
MOST_FINDINGS = 500
"""Statements of one answer that are told; an honest answer has fewer."""
WINDOW = 120

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september",
    "october", "november", "december",
)  # fmt: skip
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")

_MONTH_NAMES = (
    "January|February|March|April|May|June|July|August|September|October|November|December"
    "|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec"
)
_MONTH = rf"(?:{_MONTH_NAMES})\.?"
_DAY = r"(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day"
_DATE = (
    rf"(?:{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?(?: of)? {_MONTH},? \d{{4}}"
    r"|\d{4}-\d{2}-\d{2})(?![\d-])"
)
_SAID = r" ?(?:is|was|falls on|fell on|will be|will fall on|would be|lands on) (?:on )?(?:a )?"
_COUNT = r"(?P<count>\d{1,6})"

_ANY_DATE = re.compile(rf"(?<![\w-]){_DATE}")
_DAY_IN_MONTH = re.compile(
    rf"(?<![\w-])(?:(?P<m1>{_MONTH}) (?P<d1>\d{{1,2}})(?:st|nd|rd|th)?(?!,? \d{{4}}|[\w:.,]*\d)"
    rf"|(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<m2>{_MONTH})(?!\w|,? \d{{4}}))"
)
_WEEKDAY_AFTER = re.compile(rf"(?P<date>{_DATE})(?:{_SAID}| ?\()(?P<day>{_DAY})(?!\w)")
_WEEKDAY_BEFORE = re.compile(rf"(?<!\w)(?P<day>{_DAY}),? (?:the )?(?P<date>{_DATE})")
_BETWEEN = re.compile(
    rf"(?:[Ff]rom|[Bb]etween) (?P<date>{_DATE}),? (?:to|and|until|through) (?P<other>{_DATE}),?"
    rf" (?:there are|there were|is|are|it is|it's|that is|that's|lasts|spans|=)"
    rf" (?:exactly )?{_COUNT} (?P<unit>days?|weeks?)(?!\w)"
)
_SHIFTED = re.compile(
    rf"(?<![\w.,-]){_COUNT} (?P<unit>days?|weeks?) (?P<way>after|before|from|later than|prior to)"
    rf" (?P<date>{_DATE})(?:{_SAID}| = )(?P<other>{_DATE})"
)
_PLUS = re.compile(
    rf"(?P<date>{_DATE}) ?(?P<way>\+|plus|-|minus) ?{_COUNT} (?P<unit>days?|weeks?)"
    rf" ?(?:=|is|gives) ?(?P<other>{_DATE})"
)
_LEAP = re.compile(
    r"(?<![\d.,$-])(?P<year>\d{4}) (?:is|was|will be)(?P<no>n't| not)? a leap year"
    r"|(?<![\d.,$-])(?P<common>\d{4}) (?:is|was|will be) a (?:common|non-leap) year"
    r"|February(?: of|,)? (?P<year2>\d{4}) (?:has|had|will have) (?P<days>2[89]|30|31) days"
    r"|(?<![\d.,$-])(?P<year3>\d{4}) (?:has|had|will have) (?P<all>36[56]) days"
)
_MONTH_LENGTH = re.compile(
    rf"(?<!\w)(?P<month>{_MONTH}) (?:has|had|contains) (?P<days>\d{{2}}) days"
)
_DENIED = re.compile(
    r"\bnot\b|n['\u2019]t\b|\bno\b|\binvalid|\berror|\breject|\brais|\bvalidat|\bexist|\bimpossible"
    r"|\bparse|\bfictional|\bnonexistent|\bnever\b|\be\.g\b|\bexample|\bwrong|\btypo|\bbug\b|`|\bhandle",
    re.I,
)


def check(case: Case) -> Iterator[Check]:
    """Weekdays, distances, leap years and dates that do not exist."""
    # Only lines with a sign of a date are tried: most lines of a long answer have none.
    lines = [line for line in case.lines if _may_have_dates(line.text)]
    if case.english:
        yield from islice(_findings(case, lines), MOST_FINDINGS)
    elif any(_ANY_DATE.search(case.prose, line.start, line.end) for line in lines):
        yield finding.whole(KIND, "unchecked", "the answer is not in English")


def _findings(case: Case, lines: Sequence[Piece]) -> Iterator[Check]:
    for line in lines:
        for pattern, judge in _judges(line.text):
            for match in pattern.finditer(case.prose, line.start, line.end):
                found = judge(match)
                if found is not None:
                    yield _told(case, match, *found)


def _judges(line: str) -> Iterator["_Judge"]:
    for sign, judges in _JUDGES:
        if sign.search(line):
            yield from judges


def _may_have_dates(text: str) -> bool:
    """A cheap look at a line before the expressions are tried on it."""
    return (
        bool(_MONTH_BEGINS.search(text))
        or "leap year" in text
        or ("36" in text and " days" in text)
        or bool(_ISO.search(text))
    )


_MONTH_BEGINS = re.compile("|".join(month[:3].capitalize() for month in MONTHS))
_ISO = re.compile(r"-(?<=\d{4}-)\d{2}-\d{2}")

Finding = tuple[Status, str, str, str]
"""Status, stated, expected, why."""


def _told(
    case: Case, match: re.Match[str], status: Status, stated: str, expected: str, why: str
) -> Check:
    if status == "wrong":
        before = case.prose[max(0, match.start() - WINDOW) : match.start()]
        after = case.prose[match.end() : match.end() + WINDOW]
        if taken_back(after) or supposed(before) or after.lstrip()[:1] == "?":
            status, why = "unchecked", "the text does not claim it"
    return finding.at(
        case, match.start(), match.end(), KIND, status, why, stated=stated, expected=expected
    )


def _month(name: str) -> int:
    return next(n for n, month in enumerate(MONTHS, 1) if month.startswith(name[:3].lower()))


def _parts(text: str) -> tuple[int, int, int]:
    """Year, month and day of a written date, whether it exists or not."""
    if re.match(r"\d{4}-", text):
        year, month, day = map(int, text.split("-"))
        return year, month, day
    words = re.findall(r"[A-Za-z]{3,}|\d+", text)
    name = next(word for word in words if word[0].isalpha())
    day, year = (int(word) for word in words if word.isdigit())
    return year, _month(name), day


def _date(text: str) -> date | None:
    """The date; None when it does not exist or the calendar of its time is not ours."""
    try:
        found = date(*_parts(text))
    except ValueError:
        return None
    return found if found.year >= FIRST_YEAR else None


def _weekday(match: re.Match[str]) -> Finding | None:
    when, stated = _date(match["date"]), match["day"]
    if when is None:
        return None
    expected = DAYS[when.weekday()].capitalize()
    if expected == stated:
        return "ok", stated, expected, ""
    return "wrong", stated, expected, f"{match['date']} was a {expected}, not a {stated}."


def _days(match: re.Match[str]) -> int:
    return int(match["count"]) * (7 if match["unit"].startswith("week") else 1)


def _distance(match: re.Match[str]) -> Finding | None:
    first, last = _date(match["date"]), _date(match["other"])
    if first is None or last is None:
        return None
    distance, stated = abs((last - first).days), _days(match)
    expected = f"{distance} days"
    if distance == stated:
        return "ok", f"{stated} days", expected, ""
    if match["unit"].startswith("week") and abs(distance - stated) < 7:
        return "unchecked", f"{stated} days", expected, "weeks may be rounded"
    if abs(distance - stated) == 1:
        return "unchecked", f"{stated} days", expected, "both ends may have been counted"
    return "wrong", f"{stated} days", expected, f"It is {distance} days, not {stated}."


def _shift(match: re.Match[str]) -> Finding | None:
    start, stated = _date(match["date"]), _date(match["other"])
    if start is None or stated is None:
        return None
    back = match["way"] in ("before", "prior to", "-", "minus")
    days = -_days(match) if back else _days(match)
    if not FIRST_YEAR < start.year + days // 365 < MAXYEAR - 1:
        return None
    expected = start + timedelta(days=days)
    if expected == stated:
        return "ok", str(stated), str(expected), ""
    if abs((expected - stated).days) == 1:
        return "unchecked", str(stated), str(expected), "the first day may have been counted"
    return "wrong", str(stated), str(expected), f"That is {expected}, not {stated}."


def _leap(match: re.Match[str]) -> Finding | None:
    year = int(match["year"] or match["common"] or match["year2"] or match["year3"])
    if year < FIRST_YEAR:
        return None
    leap = isleap(year)
    if match["days"]:
        stated, expected = match["days"], "29" if leap else "28"
    elif match["all"]:
        stated, expected = match["all"], "366" if leap else "365"
    else:
        stated = "no leap year" if match["no"] or match["common"] else "a leap year"
        expected = "a leap year" if leap else "no leap year"
    if stated == expected:
        return "ok", stated, expected, ""
    return "wrong", stated, expected, f"{year} is {'a' if leap else 'no'} leap year."


def _month_length(match: re.Match[str]) -> Finding | None:
    month, stated = _month(match["month"]), int(match["days"])
    lengths = {28, 29} if month == 2 else {monthrange(2023, month)[1]}
    expected = " or ".join(map(str, sorted(lengths)))
    if stated in lengths:
        return "ok", str(stated), expected, ""
    return "wrong", str(stated), expected, f"{match['month']} has {expected} days."


def _existence(match: re.Match[str]) -> Finding | None:
    year, month, day = _parts(match[0])
    return _exists(match, year, month, day)


def _day_in_month(match: re.Match[str]) -> Finding | None:
    # A leap year: February 29 exists in some.
    return _exists(match, 2024, _month(match["m1"] or match["m2"]), int(match["d1"] or match["d2"]))


def _exists(match: re.Match[str], year: int, month: int, day: int) -> Finding | None:
    """Only a near miss is a date that was meant: 31 April, 29 February 2023; 2024-13-45 is not."""
    if not (1 <= month <= 12 and 29 <= day <= 31 and FIRST_YEAR <= year <= MAXYEAR):
        return None
    length = monthrange(year, month)[1]
    if day <= length:
        return None
    line_start = match.string.rfind("\n", 0, match.start()) + 1
    line_end = match.string.find("\n", match.end())
    line = match.string[line_start : line_end if line_end >= 0 else None][:2000]
    why = f"{MONTHS[month - 1].capitalize()} has {length} days in that year."
    if _DENIED.search(line):
        return "unchecked", match[0], "", "the text may speak of dates that do not exist"
    return "wrong", match[0], f"a day up to {length}", why


# Each with a sign that a line must hold, and that is quicker to look for.
_NAMED_DAY = re.compile("|".join(map(str.capitalize, DAYS)))
_SPAN = re.compile(" (?:day|week)")
_LENGTH = re.compile("leap year|common year| days")
_MONTH_ENDS = "|".join(sorted({name[-3:] for name in _MONTH_NAMES.split("|")}))
_LAST_DAY = re.compile(
    rf"(?:29|3[01])(?<!\d..)(?!\d)(?:(?<=(?:{_MONTH_ENDS}) ..)|(?<=(?:{_MONTH_ENDS})\. ..)"
    rf"|(?<=\d-..)|(?:st|nd|rd|th)?(?: of)? (?:{_MONTH_BEGINS.pattern}))"
)
_Judge = tuple[re.Pattern[str], Callable[[re.Match[str]], Finding | None]]
_JUDGES: tuple[tuple[re.Pattern[str], tuple[_Judge, ...]], ...] = (
    (_NAMED_DAY, ((_WEEKDAY_AFTER, _weekday), (_WEEKDAY_BEFORE, _weekday))),
    (_SPAN, ((_BETWEEN, _distance), (_SHIFTED, _shift), (_PLUS, _shift))),
    (_LENGTH, ((_LEAP, _leap), (_MONTH_LENGTH, _month_length))),
    (_LAST_DAY, ((_ANY_DATE, _existence), (_DAY_IN_MONTH, _day_in_month))),
)
