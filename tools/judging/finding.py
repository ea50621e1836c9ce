"""Construction of findings about an answer.

Rule of this module: a finding quotes its location, cut to a length a reader can take in, and its
offsets are offsets into the answer as it came.
"""

import hashlib

from reflection_mcp.store.records import Check, Severity, Status
from reflection_mcp.tools.judging.case import Case

QUOTE_LIMIT = 160
"""Characters of a quote; a longer place keeps its head."""


def at(
    case: Case,
    start: int,
    end: int,
    kind: str,
    status: Status,
    why: str,
    *,
    severity: Severity = "hard",
    stated: str = "",
    expected: str = "",
) -> Check:
    """Return a finding about `case.answer[start:end]`."""
    return Check(
        kind=kind,
        status=status,
        severity=severity,
        start=start,
        end=end,
        quote=short(case.answer[start:end]),
        stated=stated,
        expected=expected,
        why=why,
    )


def whole(
    kind: str,
    status: Status,
    why: str,
    *,
    severity: Severity = "hard",
    stated: str = "",
    expected: str = "",
) -> Check:
    """Return a finding about the answer as a whole."""
    return Check(
        kind=kind, status=status, severity=severity, stated=stated, expected=expected, why=why
    )


CURRENCIES = "$\u20ac\u00a3\u00a5"
"""Signs that stand before the number they belong to."""


def with_currency(text: str, start: int, end: int) -> int:
    """Return where a quote of `text[start:end]` begins, with the currency before its number.

    A dollar sign that is closed by another one opens a formula and is no sign of money.
    """
    sign = text[start - 1 : start] or " "
    closed = sign == "$" and text.startswith("$", end)
    return start - 1 if sign in CURRENCIES and not closed else start


def short(text: str) -> str:
    """Return the text, or its head and an ellipsis when it is longer than a quote may be."""
    return text if len(text) <= QUOTE_LIMIT else text[: QUOTE_LIMIT - 1] + "…"


def of_form(check: Check) -> bool:
    """Return True if a finding is about what the answer as a whole has or lacks.

    Such a one is recognised by its `why`: what the answer has is nowhere that "should be" something
    else, and its `expected` is an order ("leave out 'very'") or a bare figure.
    """
    return check.kind.startswith("completeness:") and not check.quote


def told(check: Check) -> str:
    """Return what is missed by the form and what to do; of a count the reason says both."""
    why = check.why.rstrip(".")
    return f"{why}: {remedy(check)}" if _orders(check) else why


def remedy(check: Check) -> str:
    """Return what is to be done about a finding; of two sides that differ neither is picked."""
    if _orders(check):
        return check.expected
    if sides := difference(check):
        return f"{sides}; find out which one is wrong"
    if check.kind.startswith("grounding:"):
        return "say what the context says, or leave it out"
    return f"correct this: {check.why.rstrip('.')}"


_OF_TWO_SIDES = ("arithmetic", "equation", "percent")
"""Families that find that two sides differ, and cannot tell which one was meant."""


def difference(check: Check) -> str:
    """Return that the sides of a statement differ, and what they are; empty for other findings."""
    if check.kind not in _OF_TWO_SIDES or not (check.expected and check.stated):
        return ""
    return f"the sides differ: {check.expected} and {check.stated}"


def finding_id(check: Check) -> str:
    """Return the name of a finding, the same wherever it stands in an answer: f- and 8 digits."""
    said = (check.kind, check.stated, check.expected, " ".join(check.quote.split()))
    return f"f-{hashlib.sha256(chr(31).join(said).encode()).hexdigest()[:8]}"


def _orders(check: Check) -> bool:
    return of_form(check) and bool(check.expected) and not check.expected.isdecimal()
