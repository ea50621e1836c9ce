"""Dates and times of day.

Rule of this module: a moment is never what failed.
"""

from reflection_mcp.tools.identity.rule import ANY_DIGIT, Rule

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}"
_DAY = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6}"

MOMENTS: tuple[Rule, ...] = (
    Rule(
        "date in words",
        f"{ANY_DIGIT} jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec",
        r"\b(?=[\dADFJMNOSTW])(?:(?:"
        + _DAY
        + r",? )?(?:\d{1,2} "
        + _MONTH
        + "|"
        + _MONTH
        + r" {1,2}\d{1,2}),?(?: \d{4})?,? \d{1,2}:\d\d(?::\d\d)?(?:[.,]\d{1,9})?"
        r"(?: ?[AP]M)?(?: ?(?:GMT|UTC|[A-Z]{3,4}))?(?:[+-]\d{4})?(?: \d{4})?|"
        r"(?:"
        + _MONTH
        + r" {1,2}\d{1,2},? |\d{1,2}([ -])"
        + _MONTH
        + r"\1)(?:19|20)\d\d\b(?:,? \d{1,2}:\d\d(?::\d\d)?)?)",
        "<time>",
        "expired on Mon, 02 Jan 2006 15:04:05 GMT",
        "expired on <time>",
        "Mon Repos 5",
    ),
    Rule(
        "date and time, by Erlang",
        r"::\d\d:\d\d:",
        r"\b\d{1,2}-" + _MONTH + r"-\d{4}::\d\d:\d\d:\d\d(?:\.\d{1,6})?",
        "<time>",
        "=ERROR REPORT==== 12-Mar-2024::10:11:12.123456 ===",
        "=ERROR REPORT==== <time> ===",
        "12-Mar-2024",
    ),
    Rule(
        "date and time",
        r"\d\d\d\d-\d\d|\d\d\d\d/\d\d|/\d\d\d\d|.\d\d\d\d|\d\dt\d\d",
        r"[0-9](?<!\w[0-9])(?:\d{3}[-/]\d\d[-/]\d\d(?:[T _]\d\d[:_]\d\d(?:[:_]\d\d)?"
        r"(?:[.,_]\d{1,9})?(?: ?Z\b| ?[+-]\d\d:?\d\d| UTC\b)?)?|"
        r"\d{7}T\d{6}(?:[.,]\d{1,9})?Z?\b|"
        r"\d?[./]\d{1,2}[./](?:19|20)\d\d(?: \d\d:\d\d(?::\d\d)?)?)",
        "<time>",
        "at 2025-06-01T08:00:11.113Z it failed",
        "at <time> it failed",
        "version 2025-06",
    ),
    Rule(
        "time of day",
        r"\d:\d\d:\d\d",
        r"[0-9](?<![\w.:-][0-9])\d?:\d\d:\d\d(?:[.,]\d{1,9})?(?: ?[AP]M\b)?(?![\w:])",
        "<time>",
        "[6:53:23 PM] Found errors",
        "[<time>] Found errors",
        "a.py:12:30:1",
    ),
)
