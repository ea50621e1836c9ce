"""Check of shares: "15% of 80 is 12", "from 80 by 15% to 92".

Rules of this module: fractions are exact, a result may be rounded or cut as it is written; what is
supposed, asked or taken back is no claim, and what carries a scale or another unit is not read.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging import finding
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.expressions.rounding import shown
from reflection_mcp.tools.judging.texts.hedges import supposed, taken_back

_SIGNS = tuple("+-*/=(\u2212\u00d7\u2013")
WINDOW = 160
"""Characters around a claim that may say that it is none."""
MOST = 300
"""Claims of one kind that are looked at."""
_N = r"(?<![\d.,])[$\u20ac\u00a3]?(\d{1,3}(?:,\d{3}){1,3}|\d{1,9})(\.\d{1,6})?"
_PERCENT = r"(?<![\d.,-])(\d{1,4}(?:\.\d{1,4})?)\s?(?:%|per ?cent\b)"
_END = (
    r"(?![\w%]|[.,]\d|\s?(?:[-+*/x\u00d7^%(?]|(?:per ?cent|times|more|less|fewer|thousand|million"
    r"|billion|dozen|hundred|or|to|out|of)\b))"
)
_OF = re.compile(
    rf"{_PERCENT} of (?:the )?{_N} (?:is|was|equals|gives|comes to|=) {_N}{_END}", re.IGNORECASE
)
_BY = re.compile(rf"\bfrom {_N} by {_PERCENT} to {_N}{_END}", re.IGNORECASE)


def check(case: Case) -> Iterator[Check]:
    """Yield one finding for each share and each change by a share that is stated as a fact."""
    for claim in islice(_OF.finditer(case.prose), MOST):
        share, whole = Fraction(claim[1]) / 100, _value(claim[2], claim[3])
        yield from _held(case, claim, [share * whole])
    for claim in islice(_BY.finditer(case.prose), MOST):
        share, whole = Fraction(claim[3]) / 100, _value(claim[1], claim[2])
        yield from _held(case, claim, [whole * (1 + share), whole * (1 - share)])


def _value(digits: str, decimals: str | None) -> Fraction:
    return Fraction(digits.replace(",", "") + (decimals or ""))


def _held(case: Case, claim: re.Match[str], expected: list[Fraction]) -> Iterator[Check]:
    if case.prose[: claim.start()].rstrip(" $")[-1:] in _SIGNS:
        return  # the right side of 100 - 20% of 100 = 80
    decimals = claim[5] or ""
    stated = _value(claim[4], decimals)
    unit = Fraction(1, 10 ** max(0, len(decimals) - 1))
    start, end = claim.span()
    before, after = case.answer[max(0, start - WINDOW) : start], case.answer[end : end + WINDOW]
    nearest = min(expected, key=lambda value: abs(value - stated))
    rounded = abs(nearest - stated) <= unit / 2 or 0 < nearest - stated < unit
    rounded = rounded and (nearest / unit).denominator != 1
    if nearest == stated or rounded:
        yield finding.at(case, start, end, "arithmetic", "ok", "")
    elif not (supposed(before) or taken_back(after) or after.lstrip()[:1] in ("?", '"')):
        said = case.answer[start : claim.start(4)].rstrip("$\u20ac\u00a3 ")
        why = f"{said} {shown(nearest)}, not {claim[4]}{decimals}."
        yield finding.at(
            case, start, end, "arithmetic", "wrong", why,
            stated=claim[4] + decimals, expected=shown(nearest),
        )  # fmt: skip
