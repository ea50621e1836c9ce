"""Sums that are right although their numbers do not add up: dates, levels, percentages, odds.

Rules of this module: each function tells of one `Suspect` whether what it states is what the other
way of calculating comes to, exactly or rounded as it is written; that a unit or a word could have
another way is not enough. A date alone is taken as it is: how long a month is depends on which.
"""

import math
import re
from fractions import Fraction

from reflection_mcp.tools.judging.arithmetic.suspect import Suspect

_MONTH = re.compile(
    r"\b(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec|january|february|march|april"
    r"|august|september|october|november|december|januar|februar|m\u00e4rz|mai|juni|juli|oktober"
    r"|dezember|janvier|f\u00e9vrier|mars|avril|juin|juillet|ao\u00fbt|septembre|octobre|novembre"
    r"|d\u00e9cembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre"
    r"|noviembre|diciembre|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre"
    r"|stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|wrze\u015bnia"
    r"|pa\u017adziernika|listopada|grudnia)\b",
    re.IGNORECASE,
)
_LAST_DAY = 31


def date(suspect: Suspect) -> bool:
    """31 January + 1 month = 28 February."""
    left, _, right = suspect.said.partition("=")
    stated = suspect.right.value.number
    if stated.denominator != 1 or not 1 <= stated <= _LAST_DAY:
        return False
    left, right = suspect.before[-12:] + left, right + suspect.after[:12]
    return _MONTH.search(left) is not None and _MONTH.search(right) is not None


_LOUDEST = 1000
"""Decibels; no level that anybody states is so far from nought."""


def level(suspect: Suspect) -> bool:
    """60 dB + 60 dB = 63 dB: the powers add up, and in step the pressures (66 dB)."""
    side, stated = suspect.left, float(suspect.right.value.number)
    units = (*side.value.units, *suspect.right.value.units)
    if not any(unit.startswith("db") for unit in units):
        return False
    numbers = [float(suspect.row[place].value) for place in side.value.numbers]
    if max(map(abs, numbers)) > _LOUDEST or side.value.operations != len(numbers) - 1:
        return False
    signs = {
        token.text for token in suspect.row[side.first : side.last] if token.kind == "operator"
    }
    if signs == {"+"}:
        added = [
            per_decade * math.log10(sum(10 ** (number / per_decade) for number in numbers))
            for per_decade in (10, 20)
        ]
    elif signs == {"*"} and len(numbers) == 2 and numbers[0] > 0:
        added = [numbers[1] + per_decade * math.log10(numbers[0]) for per_decade in (10, 20)]
    else:
        return False
    return any(abs(sum_ - stated) <= _half_a_digit(suspect) for sum_ in added)


def compounded(suspect: Suspect) -> bool:
    """20% + 20% = 44%, one after the other; or 36%, of what the first leaves."""
    side, right = suspect.left, suspect.right.value
    if set(side.value.units) != {"%"} or "%" not in right.units or right.operations:
        return False
    grown = left = Fraction(1)
    for place in side.value.numbers:
        share = suspect.row[place].value / 100
        before = suspect.row[place - 1].text if place > side.first else "+"
        if before not in ("+", "-"):
            return False
        grown *= 1 + share if before == "+" else 1 - share
        left *= 1 - share
    error = _half_a_digit(suspect) / 100
    return any(abs(result - right.number) <= error for result in (grown - 1, 1 - left))


_ODDS = re.compile(r"\bodds?\b[^.!?\n]{0,40}$", re.IGNORECASE)


def odds(suspect: Suspect) -> bool:
    """Odds of 3/1 = 25%: one in four."""
    side, right = suspect.left.value, suspect.right.value
    if len(side.numbers) != 2 or side.operations != 1 or not _ODDS.search(suspect.before):
        return False
    one, other = (suspect.row[place].value for place in side.numbers)
    if right.operations or min(one, other) <= 0:
        return False
    error = _half_a_digit(suspect) / (100 if "%" in right.units else 1)
    return any(abs(chance / (one + other) - right.number) <= error for chance in (one, other))


def _half_a_digit(suspect: Suspect) -> Fraction:
    """Return by how much what is stated may be rounded."""
    decimals = suspect.row[suspect.right.value.numbers[-1]].decimals
    return Fraction(1, 2 * 10**decimals)
