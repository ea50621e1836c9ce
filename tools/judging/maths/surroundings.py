"""Surroundings in which a false-looking statement is right, or is not meant as a claim.

Rule of this module: each row tells of one `Suspect` whether the text around it speaks of another
arithmetic (modular, binary, clock time), of rounding, of a trial, or of somebody's mistake.
"""

import re
from bisect import bisect_left
from fractions import Fraction
from math import comb, perm

from reflection_mcp.tools.judging.maths.hedges import (
    phrases,
    rest,
    supposed,
    taken_back,
)
from reflection_mcp.tools.judging.maths.suspect import Doubts, Suspect

SURROUNDINGS = Doubts()


# --------------------------------------------------------------------------- what the text is about


_OTHER_ARITHMETIC = phrases(
    """mod, modul*, binary, hexadecimal, octal, base 2, base two, base-2, base 8, base 16, base-*,
    in base, xor, bitwise, boolean, remainder when, remainder of, remainder is, remainders,
    congruen*, vector*, matri*, concatenat*, cryptarithm*, significant figures, significant
    digits, clock arithmetic, finite field*, galois, tropical, max-plus, new operation, operation
    is defined, define the operation"""
)
_OTHER_SIGNS = re.compile(
    r"\\(?:bmod|pmod|equiv|oplus|star)|\u2261|\u2295|\u2124(?! )|\U0001d53d"
    # A ring of remainders; "F_5 = 3 + 2" is a number of Fibonacci's.
    r"|\bGF ?\(|\bZ ?/ ?\d{1,4}|\bZ_?\{?\d{1,4}\}?(?!\s?=|\w)|\bZ[\u2080-\u2089]"
    r"|\\mathbb ?\{?[ZF]\}?_|\b(?:[Ii]n|[Oo]ver|[Ff]ield) \$?F_\{?\d{1,4}\}?(?! ?=|\w)"
)
NEAR = 4000
"""Characters around a statement in which another arithmetic concerns it."""


def other_topics(question: str, answer: str) -> list[int]:
    """Return the offsets at which the answer is about another arithmetic; -1 is the question."""
    patterns = (_OTHER_ARITHMETIC, _OTHER_SIGNS)
    places = [match.start() for one in patterns for match in one.finditer(answer)]
    in_question = any(one.search(question) for one in patterns)
    return sorted([*places, -1] if in_question else places)


@SURROUNDINGS.row("another arithmetic", ("In binary, 10 + 10 = 100.", "In the bin, 10 + 10 = 100."))
def _other_arithmetic(suspect: Suspect) -> bool:
    topics, start = suspect.topics, suspect.statement.start
    nearest = bisect_left(topics, start - NEAR)
    near = nearest < len(topics) and topics[nearest] <= start + NEAR
    return near or (bool(topics) and topics[0] < 0)


_MONTH = re.compile(
    r"\b(?:jan(?:uary?)?|feb(?:ruary?)?|mar(?:ch|s|zo)?|m\u00e4rz|apr(?:il)?|ma[iy]|june?|jun[io]"
    r"|july?|jul[io]|stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|listopada|grudnia"
    r"|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?)\b",
    re.I,
)
_CLOCK = re.compile(
    r"(?<!\w)(?:o'clock|noon|midnight|clock|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?)(?!\w)"
    r"|\d ?[ap]\.?m(?!\w)|\d:\d\d(?!\d)"
)
_CYCLES = (7, 12, 24, 28, 29, 30, 31, 60, 360)
"""Days, hours, months, minutes, degrees: what a count of them starts over at."""


@SURROUNDINGS.row(
    "a clock or a calendar",
    ("31 January + 1 month = 28 February", "31 marbles + 1 marble = 28 marbles in February"),
    ("It is 10 am, and 10 + 5 = 3 pm.", "It is 10 am, and 10 + 5 = 4 pm."),
)
def _clock(suspect: Suspect) -> bool:
    units, stated = set(suspect.left.value.units), suspect.right.value.number
    left, _, right = suspect.said.partition("=")
    dated = _MONTH.search(suspect.before[-12:] + left)
    if {"am", "pm"} & units or (dated and _MONTH.search(right + suspect.after[:12])):
        return True
    gap = abs(suspect.left.value.number - stated)
    if gap not in _CYCLES or not 0 <= stated <= gap:  # what starts over stays within its round
        return False
    timed = _CLOCK.search(suspect.near) or _MONTH.search(suspect.near)
    return timed is not None or (gap == 360 and "degrees" in units)


_ROUNDING = phrases(
    "rounded, rounding, round up, round down, round to, rounds to, nearest, estimat*, approximat*,"
    " ballpark"
)
_ROUNDED_TO = Fraction(1, 10)
"""An estimate is at most so far off."""


@SURROUNDINGS.row(
    "said to be rounded", ("To the nearest ten, 38 + 41 = 80.", "In the ten bags, 38 + 41 = 80.")
)
def _said_to_be_rounded(suspect: Suspect) -> bool:
    left, right = suspect.left.value.number, suspect.right.value.number
    around = f"{suspect.before[-80:]} {suspect.after[:60]}"
    near = abs(left - right) <= abs(left) * _ROUNDED_TO
    return near and _ROUNDING.search(around) is not None


_OWN_SUMS = re.compile(
    r"\bodds?\b|\d ?db[am]?\b|\b(?:u?int\d{1,2}|(?:un)?signed)\b|\boverflow|\bwraps? "
    r"|\b(?:eight|\d{1,2})[- ]bits?\b",
    re.I,
)


@SURROUNDINGS.row(
    "more than there is room for",
    ("60 dB + 60 dB = 63 dB", "60 dl + 60 dl = 63 dl"),
    ("odds of 3/1 = 25%", "cods of 3/1 = 25%"),
    ("127 + 1 = -128 for a signed byte", "127 + 1 = -128 for a designed byte"),
)
def _own_sums(suspect: Suspect) -> bool:
    near = f"{suspect.before[-60:]} {suspect.said} {suspect.after[:60]}"
    return _OWN_SUMS.search(near) is not None


# --------------------------------------------------------------------------- what is not claimed


@SURROUNDINGS.row(
    "taken back", ("25 + 36 = 60? No: 60 = 25 + 36 does not work.", "60 = 25 + 36. Good.")
)
def _withdrawn(suspect: Suspect) -> bool:
    return taken_back(suspect.after)


@SURROUNDINGS.row(
    "under a heading that calls it wrong",
    ("Suppose 2 + 2 = 5.", "So 2 + 2 = 5."),
    ("Incorrect answer:\n> 2 + 2 = 5", "Corrected answer:\n> 2 + 2 = 5"),
)
def _hypothetical(suspect: Suspect) -> bool:
    return supposed(suspect.before)


@SURROUNDINGS.row(
    "quoted to be corrected",
    ("Wysz\u0142o 7*8=54, a powinno by\u0107 56.", "Powinno by\u0107 7*8=54, a 54+3=57."),
)
def _corrected(suspect: Suspect) -> bool:
    """The rest of the sentence names the right value, before it states anything else."""
    right = suspect.left.value.number
    said = rest(suspect.after, 1).partition("=")[0]
    return any(
        right in (Fraction(re.sub(r"[.,]", "", one)), Fraction(one.replace(",", ".")))
        for one in _ALONE.findall(said)
    )


_ALONE = re.compile(
    r"(?<![A-Za-z\d.,+*/^\u00d7\u00b7\u00f7(-])\d{1,9}(?:[.,]\d{1,9})?(?![A-Za-z(]|[.,]?\d)"
)


# A quotation opens after a space; the value of a key in JSON is a string, and claims what it says.
_QUOTATION_OPENS = re.compile(
    r"(?:(?<!\":)(?<!\": )(?<!\w)[\"\u2018']|[\u201c\u201e\u00ab\u300c])"
    r"[^\"\u201c-\u201e\u00ab\u00bb\u300c\u300d\n]{0,60}$"
)
_QUOTATION_CLOSES = re.compile(
    r"[^\"\u201c-\u201e\u00ab\u00bb\u300c\u300d\n]{0,60}?"
    r"(?:[\"\u201c\u201d\u00bb\u300d]|['\u2019](?!\w))"
)


@SURROUNDINGS.row(
    "a quotation",
    ("`total: 7 - 2 = 4;`", "7 - 2 = 4"),
    ("Is 2 + 2 = 5?", "So 2 + 2 = 5."),
    ('"2 + 2 = 5" is the slogan of the Party.', '{"work": "2 + 2 = 5"}'),
)
def _quoted(suspect: Suspect) -> bool:
    if suspect.before.rpartition("\n")[2].count("`") % 2 == 1:
        return True  # inside inline code a power or a quotient may be another operation
    opens = _QUOTATION_OPENS.search(suspect.before) is not None
    quoted = opens and _QUOTATION_CLOSES.match(suspect.after) is not None
    return quoted or suspect.after.lstrip()[:1] == "?"


_CHOICES = re.compile(
    r"(?:\bC|\\[dt]?binom|\bP)_? ?[({]{1,2} ?(\d{1,3}) ?(?:\}\{|, ?) ?(\d{1,3}) ?[)}]{1,2} ?= ?"
    r"(?:\\frac|[\[\]$(){}\\ ])*$"
)


@SURROUNDINGS.row(
    "a slip on the way to a result that is right",
    ("C(9, 7) = (9 * 8 * 7) / (7 * 6) = 36", "C(9, 7) = (9 * 8 * 7) / (7 * 6) = 35"),
)
def _right_all_the_same(suspect: Suspect) -> bool:
    """The chain begins with a number of choices, and ends in it."""
    said = _CHOICES.search(suspect.before)
    if said is None:
        return False
    many, few = int(said[1]), int(said[2])
    return suspect.right.value.number in (comb(many, few), perm(many, few))


_TIMES = tuple(map(Fraction, ("2", "3", "4", "1/2", "1/3", "1/4", "2/3", "3/4")))


@SURROUNDINGS.row(
    "words of another language",
    ("la mitad de 10 + 4 = 9 para el ni\u00f1o", "la mitad de 10 + 4 = 8 para el ni\u00f1o"),
)
def _foreign_words(suspect: Suspect) -> bool:
    """5 m\u00e1s que 3 * 4 = 17: words that are not known may compute."""
    start, left, right = suspect.left.first, suspect.left.value, suspect.right.value.number
    if suspect.english or start == 0 or suspect.row[start - 1].kind != "word":
        return False
    first = suspect.row[left.numbers[0]].value
    before = [token.value for token in suspect.row[max(0, start - 5) : start] if token.value]
    return any(
        right in (left.number * times, left.number + (times - 1) * first) for times in _TIMES
    ) or any(right in (left.number + value, left.number - value) for value in before)
