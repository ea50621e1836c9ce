"""A number that only bounds another one: "more than 1,000" is right where the context says 1,250.

Rules of this module: what is bounded is a number of the same thing, as the answer or the question
names it; where neither names a thing that the context counts, it is a number of about that size.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from reflection_mcp.tools.judging.grounding.derivation import Ledger
from reflection_mcp.tools.judging.grounding.told import kinds_of

Side = Literal["above", "below"]

BEFORE = 40
"""Characters before a number in which it is called a bound."""
REACH = 2.5
"""How many times a bound what it bounds may be, or the other way round; further off nobody would
choose it."""

# "Up to" and "within" are left out: they are what a source tells, not a comparison.
_BOUND = re.compile(
    r"(?:\b(?P<turned>no|not|never|n['\u2019]t)(?: \w{2,12})? )?"
    r"\b(?:(?P<above>over|above|(?:more|greater|higher|larger|bigger|longer|older|heavier) than"
    r"|exceed(?:s|ed|ing)?|in excess of|upwards? of|at least|beyond)"
    r"|(?P<below>under|below|(?:less|fewer|lower|smaller|shorter|younger|lighter) than|at most)"
    r"|(?P<from>between)|(?P<to>between \S{1,20}(?: \w{1,12}){0,2} and))"
    r" (?:an? |the |usd |eur |us)?[$\u20ac\u00a3]?$",
    re.IGNORECASE,
)


def side(before: str) -> Side | None:
    """Return on which side of a number what it bounds lies, as the words before it say."""
    found = _BOUND.search(before[-BEFORE:])
    if found is None:
        return None
    above = bool(found["above"] or found["from"])
    return "above" if above != bool(found["turned"]) else "below"


def is_bound(
    value: float, where: Side, things: Sequence[str], asked: Iterable[str], ledger: Ledger
) -> bool:
    """Tell whether a number of the source lies on that side of a value, and not far from it.

    Args:
        value: the bound.
        where: on which side of it the number has to lie.
        things: the words behind the bound in the answer.
        asked: the words of the question.
        ledger: the numbers of the source.
    """
    for words in (things, asked):
        told = [
            number / factor
            for word in words
            for name, factor in kinds_of(word)
            for number in ledger.counted.get(name, ())
        ]
        if told:
            return any(_lies(number, value, where) for number in told)
    return any(_lies(number, value, where) for number in ledger.order)


def _lies(number: float, value: float, where: Side) -> bool:
    if where == "above":
        return value <= number <= REACH * value
    return number <= value <= REACH * number
