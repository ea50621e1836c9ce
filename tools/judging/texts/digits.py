"""The offsets of a text's digits.

Rule of this module: a text has many letters and few digits, so it is searched for digits once, and
an expression about numbers is tried there only, not at every character of the text.
"""

import re
from collections.abc import Iterable, Iterator

_FIRST = re.compile(r"\d(?<!\d.)")
_DIGITS = {sign: "0" if chr(sign).isdecimal() else " " for sign in range(128)}


def figure_starts(text: str) -> list[int]:
    """Return where each run of digits begins."""
    if not text.isascii():
        return [digit.start() for digit in _FIRST.finditer(text)]
    # Several times as quick as an expression: one sign for all digits, and another for the rest.
    shown, starts = text.translate(_DIGITS), list[int]()
    start = shown.find("0")
    while start >= 0:
        starts.append(start)
        end = shown.find(" ", start)
        start = shown.find("0", end) if end > 0 else -1
    return starts


def at_figures(
    pattern: re.Pattern[str], text: str, starts: Iterable[int]
) -> Iterator[re.Match[str]]:
    """Yield the matches that begin with a run of digits and do not overlap, in order."""
    end = 0
    for start in starts:
        if start >= end and (found := pattern.match(text, start)):
            end = found.end()
            yield found
