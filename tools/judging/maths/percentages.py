"""Check of a share of an amount, in the languages of `_OF` and `_IS`: "15 % of 80 is 12".

Rules of this module: only a percentage of a plain amount that is said to be another amount is
computed; a result may be rounded to its digits. What is called rough, goes on as a sum, or may part
its thousands with its only point or comma is left alone.
"""

import re
from collections.abc import Iterator
from fractions import Fraction

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging import finding
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.maths.hedges import supposed, taken_back
from reflection_mcp.tools.judging.maths.rounding import shown_like
from reflection_mcp.tools.judging.maths.suspect import WINDOW

KIND = "percent"
SHARE = 60
"""Work to compute a share."""
_OF = "of|von|vom|de|du|di|van|af|av"
_IS = "=|is|are|equals|comes to|makes|ist|sind|ergibt|est|fait|es|son|\u00e8|sono|\u00e9|s\u00e3o"
_MORE = (
    "k|million(?:s|en)?|billion|thousand|mio|mrd|milliarden?|milliards?|mille|mil|mill(?:ones|\u00f3n)"
    f"|percent|per|more|less|times|x|{_OF}"
)
"""Words behind an amount that say that it goes on, or is no amount."""
_AND = "och|and|und|et|y|e|en"
_TO = rf"(?: ?[-\u2013\u2014] ?|[ \u20ac$\u00a3]{{1,2}}(?:to|bis|\u00e0|a|tot|till|{_AND}) )"
"""The words between the ends of a range, or between two shares of one statement."""
_BOTH = re.compile(rf" (?:{_AND}) $", re.IGNORECASE)
"""Those of these words that may also begin the next statement."""
_BEFORE = re.compile(rf"\d ?(?:%|percent)?({_TO})$", re.IGNORECASE)
_BEHIND = re.compile(rf"({_TO})[$\u20ac\u00a3]?\d", re.IGNORECASE)
_AMOUNT = (
    r"[$\u20ac\u00a3]?(\d{1,3}(?:[,.'\u2019 \u00a0\u202f]\d{3}){1,3}(?!\d)(?:[.,]\d{1,2})?"
    r"|\d{1,9}(?:[.,]\d{1,2})?)(?![\d.,]\d|\d)(?:[ \u00a0]?[\u20ac\u00a3])?"
)
_SAID = re.compile(
    rf"(?=\d)(?<![\w.,^*/+\u00d7-])(?<![*/+\u00d7-] )(\d{{1,3}}(?:[.,]\d{{1,2}})?)"
    rf"[ \u00a0\u202f]?(?:%|percent) (?:{_OF}) {_AMOUNT} ?(?:{_IS}) {_AMOUNT}"
    rf"(?! ?(?:[-+*/%\u00d7\u00f7\u00b7\u22c5^\\]|(?:{_MORE})\b))",
    re.IGNORECASE,
)
_COMMA_DECIMALS = re.compile(r",\d{1,2}$")


def check(case: Case) -> Iterator[Check]:
    """Yield each share of an amount that the answer states."""
    for said in case.budget.afford(_SAID.finditer(case.prose), lambda _: SHARE):
        grouped = case.english and not any(map(_COMMA_DECIMALS.search, said.groups()))
        numbers = [one for text in said.groups() if (one := _number(text, by_comma=grouped))]
        if len(numbers) < len(said.groups()):
            continue
        (share, _), (whole, _), (stated, decimals) = numbers
        expected = share * whole / 100
        place = (case, said.start(), said.end(), KIND)
        around = case.prose[max(0, said.start() - WINDOW) : said.start()]
        behind = case.prose[said.end() : said.end() + WINDOW]
        if abs(expected - stated) < Fraction(1, 10**decimals):
            yield finding.at(*place, "ok", "")
        elif _ranged(around, behind) or supposed(around) or taken_back(behind):
            yield finding.at(*place, "unchecked", "not claimed")
        else:
            right = shown_like(expected, said[3])
            why = f"{said[1]} % of {said[2]} comes to {right}, not {said[3]}."
            yield finding.at(*place, "wrong", why, stated=said[3], expected=right)


def _ranged(before: str, behind: str) -> bool:
    """Return True if a share or its amount is one end of a range: 10 to 15 % of 40 is 4 to 6."""
    ends = [end[1] for end in (_BEFORE.search(before), _BEHIND.match(behind)) if end]
    return len(ends) > 1 or any(not _BOTH.search(end) for end in ends)


def _number(written: str, *, by_comma: bool) -> tuple[Fraction, int] | None:
    """Return a number and how many decimals it has; None where that is not clear.

    Args:
        written: digits with what parts them.
        by_comma: whether a comma before three digits parts thousands.
    """
    parts, marks = re.split(r"\D", written), re.findall(r"\D", written)
    decimals = len(parts[-1]) if marks and len(parts[-1]) < 3 else 0
    thousands = marks[:-1] if decimals else marks
    unlike = len(set(thousands)) > 1 or (decimals and marks[-1] in thousands)
    if unlike or (not decimals and (thousands == ["."] or (thousands == [","] and not by_comma))):
        return None
    return Fraction(int("".join(parts)), 10**decimals), decimals
