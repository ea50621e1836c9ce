"""Weekdays, distances, leap years and days that do not exist."""

import pytest

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.quantities.dates import check


def found(answer: str) -> list[Check]:
    return list(check(Case(answer=answer)))


@pytest.mark.parametrize(
    "text",
    [
        "March 1, 2024 was a Friday.",
        "Friday, 1 March 2024",
        "The 4th of July 2024 (Thursday)".replace("The 4th", "4th"),
        "It will be on Monday the 2024-07-01.",
        "From 2024-03-01 to 2024-05-31 there are 91 days.",
        "Between March 1, 2024 and March 15, 2024 there are 2 weeks.",
        "45 days after January 15, 2024 is February 29, 2024.",
        "2 weeks before 2024-03-15 is 2024-03-01",
        "2024-01-15 + 30 days = 2024-02-14",
        "2024-01-15 minus 15 days = 2023-12-31",
        "2000 is a leap year, 1900 is not a leap year, 1901 was a common year.",
        "February 2023 has 28 days and 2024 has 366 days.",
        "April has 30 days and February has 29 days.",
    ],
)
def test_a_right_statement_is_ok(text: str) -> None:
    assert {one.status for one in found(text)} == {"ok"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The meeting is on Monday, March 1, 2024.", "Friday"),
        ("2024-07-04 was a Friday.", "Thursday"),
        ("From 2024-03-01 to 2024-05-31 there are 81 days.", "91 days"),
        ("Between March 1, 2024 and March 15, 2024 there are 4 weeks.", "14 days"),
        ("45 days after January 15, 2024 is March 15, 2024.", "2024-02-29"),
        ("1900 is a leap year.", "no leap year"),
        ("2024 isn't a leap year.", "a leap year"),
        ("February 2023 has 29 days.", "28"),
        ("2023 has 366 days.", "365"),
        ("April has 31 days.", "30"),
        ("The deadline is April 31.", "a day up to 30"),
        ("She was born on February 29, 2023.", "a day up to 28"),
        ("It ended on 2023-06-31.", "a day up to 30"),
        ("It ended on Monday, February 30, 2024.", "a day up to 29"),
        ("It ended on the 31st of September", "a day up to 30"),
    ],
)
def test_a_wrong_statement_is_flagged(text: str, expected: str) -> None:
    flags = [one for one in found(text) if one.status == "wrong"]
    assert [one.expected for one in flags] == [expected]
    assert flags[0].why


@pytest.mark.parametrize(
    "text",
    [
        "From 2024-03-01 to 2024-05-31 there are 92 days.",
        "Between March 1, 2024 and March 18, 2024 there are 2 weeks.",
        "44 days after January 15, 2024 is February 29, 2024.",
        "February 30, 2024 does not exist.",
        "Is 1900 a leap year? The student said 1900 is a leap year.",
        "1900 is a leap year? No.",
    ],
)
def test_what_depends_on_counting_or_is_not_claimed_is_unchecked(text: str) -> None:
    assert {one.status for one in found(text)} == {"unchecked"}


@pytest.mark.parametrize(
    "text",
    [
        "no dates",
        "On 3/4/2024 it was Monday.",
        "Part 2024-13-45 is out of stock.",
        "October 4, 1582 was a Thursday.",
        "From 1500-01-01 to 1500-03-01 there are 10 days.",
        "999999 weeks after 2024-01-01 is 2024-02-02.",
        "5 days after 1200-01-01 is 1200-01-09.",
        "1500 was a leap year.",
        "May 2024",
        "on May 5 at noon",
    ],
)
def test_what_the_calendar_does_not_settle_is_not_judged(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    "written",
    [
        "{} 31, 2023",
        "{} 31st 2023",
        "{}. 31 2023",
        "31 {} 2023",
        "31st of {}, 2023",
        "31 {}. 2023",
        "{} 31",
        "31 {}",
        "the 31st of {}",
    ],
)
@pytest.mark.parametrize("month", ["June", "Jun", "September", "Sept", "Sep", "November", "Nov"])
def test_a_last_day_that_does_not_exist_is_seen_however_it_is_written(
    written: str, month: str
) -> None:
    flags = found(f"They met on {written.format(month)} for 31 days.")
    assert {flag.status for flag in flags} == {"wrong"}


def test_another_language_is_unchecked() -> None:
    (one,) = found("Der Termin ist am 2024-03-01 und nicht später.")
    assert one.status == "unchecked"
    assert found("Der Termin ist im Mai und nicht im Juni, das ist Sache der 36.") == []
