"""Check of a share of an amount: "15 % of 80 is 12".

Rules of this module: only a percentage of a plain amount that is said to be another amount is
computed; a result may be rounded to its digits. What is called rough, goes on as a sum, or may part
its thousands with a point is left alone.
"""

import re
from collections.abc import Iterator
from fractions import Fraction

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging import finding
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.maths.hedges import supposed, taken_back
from reflection_mcp.tools.judging.maths.rounding import shown
from reflection_mcp.tools.judging.maths.suspect import WINDOW

KIND = "percent"
SHARE = 60
"""Work to compute a share."""
_AMOUNT = (
    r"[$\u20ac\u00a3]?(\d{1,3}(?:,\d{3}){1,3}(?!\d)|\d{1,9}(?:\.\d{1,2})?)(?![\d.,]\d|\d)"
    r"(?: ?[\u20ac\u00a3])?"
)
_SAID = re.compile(
    rf"(?=\d)(?<![\w.,^*/+\u00d7-])(?<![*/+\u00d7-] )(\d{{1,3}}(?:\.\d{{1,2}})?) ?(?:%|percent) of"
    rf" {_AMOUNT} ?(?:=|is|equals|comes to|makes) {_AMOUNT}"
    r"(?! ?(?:[-+*/%\u00d7\u00f7^]|percent|k\b|million|billion|thousand|per\b|more|less|x\b))"
)


def check(case: Case) -> Iterator[Check]:
    """Yield each share of an amount that the answer states."""
    for said in case.budget.afford(_SAID.finditer(case.prose), lambda _: SHARE):
        share, whole, stated = (Fraction(one.replace(",", "")) for one in said.groups())
        expected = share * whole / 100
        decimals = len(said[3].partition(".")[2])
        place = (case, said.start(), said.end(), KIND)
        around = case.prose[max(0, said.start() - WINDOW) : said.start()]
        if abs(expected - stated) < Fraction(1, 10**decimals):
            yield finding.at(*place, "ok", "")
        elif supposed(around) or taken_back(case.prose[said.end() : said.end() + WINDOW]):
            yield finding.at(*place, "unchecked", "not claimed")
        else:
            why = f"{said[1]} % of {said[2]} comes to {shown(expected)}, not {said[3]}."
            yield finding.at(*place, "wrong", why, stated=said[3], expected=shown(expected))
