r"""Reasons not to believe one's own finding that a statement is false.

Rules of this module: a row of `DOUBTS` is one way in which a false-looking statement is right, or
is not meant as a claim at all; any of them turns "wrong" into "unchecked". Each row has an example
that it must catch and a counter-example that stays wrong; the tests walk the table.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from reflection_mcp.tools.judging.arithmetic_hedges import supposed, taken_back
from reflection_mcp.tools.judging.arithmetic_rounding import Rounded, agrees
from reflection_mcp.tools.judging.arithmetic_statements import Side, Statement
from reflection_mcp.tools.judging.expressions import Reading
from reflection_mcp.tools.judging.expressions_tokens import Token
from reflection_mcp.tools.judging.expressions_words import SCALES
from reflection_mcp.tools.judging.units import kinds_of_unit, same_quantity


@dataclass(frozen=True, slots=True)
class Suspect:
    """A statement whose sides differ, with what stands around it.

    `before` is the text of its line up to it and of the line above, `after` the rest of the line
    and the next one, both cut to `WINDOW` characters; `topic` is the question with the answer.
    """

    row: Sequence[Token]
    statement: Statement
    left: Side
    right: Side
    said: str
    before: str
    after: str
    topic: str
    rounded: Rounded


WINDOW = 160


class Doubt(NamedTuple):
    """One reason, as data."""

    name: str
    example: str
    counter: str
    applies: Callable[[Suspect], bool]


def doubt(suspect: Suspect) -> str:
    """The name of the first reason that applies, or nothing."""
    return next((row.name for row in DOUBTS if row.applies(suspect)), "")


# ---- other readings of the same signs -----------------------------------------------------------


def _from_left_to_right(suspect: Suspect) -> bool:
    return agrees(suspect.row, suspect.statement, suspect.rounded, Reading(flat=True))


def _long_divisor(suspect: Suspect) -> bool:
    return agrees(suspect.row, suspect.statement, suspect.rounded, Reading(under=True))


def _scale_as_unit(suspect: Suspect) -> bool:
    return agrees(suspect.row, suspect.statement, suspect.rounded, Reading(scaled=False))


def _scale_dropped(suspect: Suspect) -> bool:
    """Thousands on one side only: the word stands on the other side, or near."""
    near = f"{suspect.before} {suspect.said} {suspect.after}".lower()
    ratio = _ratio(suspect)
    return any(
        ratio in (factor, Fraction(1, factor)) and re.search(rf"(?<![a-z]){word}s?\b", near)
        for word, factor in SCALES.items()
        if factor >= 12
    )


def _ratio(suspect: Suspect) -> Fraction:
    left, right = suspect.left.value.number, suspect.right.value.number
    return left / right if right else Fraction(0)


_HUNDREDTHS = re.compile(
    r"%|percent|per cent|percentage|cents?\b|\u00a2|[$\u20ac\u00a3]|dollars?|euros?|pence", re.I
)


def _hundredths(suspect: Suspect) -> bool:
    if not any(abs(_ratio(suspect) / scale - 1) <= Fraction(1, 200) for scale in _CENTS):
        return False
    near = f"{suspect.before[-40:]} {suspect.said} {suspect.after[:40]}"
    return _HUNDREDTHS.search(near) is not None


_CENTS = (Fraction(100), Fraction(1, 100))


def _run_on(suspect: Suspect) -> bool:
    """10 + 5 = 15 - 3 = 12: the sign says "and then", not "equals"."""
    if not suspect.right.value.operations:
        return False
    first = suspect.row[suspect.right.first]
    unit = Fraction(1, 10**first.decimals)
    gap = abs(suspect.left.value.number - first.value)
    return first.kind == "number" and (gap == 0 or (first.decimals > 0 and gap < unit))


def _other_unit(suspect: Suspect) -> bool:
    """3 * 20 minutes = 1 hour: equal once the unit is changed."""
    left, right = suspect.left.value, suspect.right.value
    return same_quantity(
        left.number, left.units, right.number, [*right.units, *_words(suspect.after)]
    )


def _words(text: str) -> list[str]:
    return [word.lower() for word in re.findall(r"[A-Za-z]+", text[:24])[:2]]


def _mixed_units(suspect: Suspect) -> bool:
    """5 feet + 6 inches: a sum of different units has no single number."""
    left = suspect.left.value
    texts = [suspect.row[place].text for place in range(suspect.left.first, suspect.left.last)]
    return len(kinds_of_unit(left.units)) > 1 and any(text in ("+", "-") for text in texts)


def _letters(suspect: Suspect) -> bool:
    """2g + 4s = 70: units of one letter may be unknowns."""
    units = (*suspect.left.value.units, *suspect.right.value.units)
    return any(len(unit) == 1 and unit.isalpha() and unit != "a" for unit in units)


def _part_of_something(suspect: Suspect) -> bool:
    """2/5 = 12 hectares: the fraction is of a thing that is not written."""
    left, right = suspect.left.value, suspect.right.value
    return (
        left.operations == 1 and 0 < left.number < 1
        and right.number > 1 and not left.units
    )  # fmt: skip


_COUNTED = re.compile(r"\binclu|\bpages?\b|\bthrough\b|\bintegers?\b|\bnumbers\b", re.I)
_SHIFT = re.compile(r"\b(?:open|opens|shift|hours?|schedule|[ap]\.?m\.?)\b", re.I)


def _range(suspect: Suspect) -> bool:
    """5-7, 2019-2024 or 9-5: from here to there, not minus."""
    near = f"{suspect.before} {suspect.after}"
    for side in (suspect.left, suspect.right):
        tokens = suspect.row[side.first : side.last]
        if len(tokens) < 3 or tokens[0].kind != "number" or tokens[2].kind != "number":
            continue
        if tokens[1].text != "-" or side.value.operations != 1:
            continue
        low, high = tokens[0].value, tokens[2].value
        span = abs(suspect.right.value.number)
        if low < high and tokens[0].end == tokens[1].start and tokens[1].end == tokens[2].start:
            return True
        if span == low - high + 1 and _COUNTED.search(near):
            return True
        if span == (high - low) % 12 and _SHIFT.search(f"{near} {suspect.said}"):
            return True
    return False


def _sign_left_out(suspect: Suspect) -> bool:
    """5 - 8 = 3, said of a difference."""
    left = suspect.left.value
    signs = [suspect.row[place].text for place in range(suspect.left.first, suspect.left.last)]
    return left.operations == 1 and "-" in signs and left.number == -suspect.right.value.number


def _rounded_to_leading_digits(suspect: Suspect) -> bool:
    """12,345 * 3 = 37,000: the end of the number was rounded away."""
    if suspect.right.value.operations:
        return False
    stated, expected = suspect.right.value.number, suspect.left.value.number
    if stated.denominator != 1:
        return False
    digits = str(abs(stated.numerator))
    zeros = len(digits) - len(digits.rstrip("0"))
    if zeros == 0 or len(digits) - zeros < 2 or zeros == len(digits):
        return False
    unit = 10**zeros
    return abs(expected - stated) * 2 <= unit and (zeros > 1 or expected.denominator != 1)


# ---- another kind of arithmetic -------------------------------------------------------------

_OTHER_ARITHMETIC = re.compile(
    r"\bmod(?:ul[oa]r?|ulus)?\b|\bbinary\b|\bhexadecimal\b|\boctal\b|\bbase[- ](?:\d|two|three|four"
    r"|five|six|seven|eight|nine|twelve|sixteen)|\bxor\b|\bbitwise\b|\bboolean\b|\bclock arith"
    r"|\bremainders?\b|\\bmod|\\pmod|\\equiv|\bvectors?\b|\bmatri(?:x|ces)\b"
    r"|\bcongruen|\bconcatenat|\bcryptarithm|\boperation\b.{0,40}\bdefin"
    r"|\bdefin\w{1,9}\b.{0,40}\boperation\b"
    r"|\\oplus|\\star\b|\bsignificant (?:figures|digits)",
    re.I,
)


def _other_arithmetic(suspect: Suspect) -> bool:
    return _OTHER_ARITHMETIC.search(suspect.topic) is not None


_CLOCK = re.compile(
    r"\b(?:o'clock|noon|midnight|clock)\b|\d ?[ap]\.?m\b|\d:\d\d\b"
    r"|\b(?:Jan(?:uary)?|Feb(?:ruary)?"
    r"|March|April|May|June|July|August|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?"
    r"|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?)\b"
)
_CYCLES = (7, 12, 24, 28, 29, 30, 31, 60, 360)


def _clock(suspect: Suspect) -> bool:
    near = f"{suspect.before} {suspect.said} {suspect.after}"
    if not _CLOCK.search(near):
        return False
    gap = suspect.left.value.number - suspect.right.value.number
    return any(gap in (cycle, -cycle) for cycle in _CYCLES)


# ---- not meant as a claim --------------------------------------------------------------------


def _taken_back(suspect: Suspect) -> bool:
    return taken_back(suspect.after)


def _supposed(suspect: Suspect) -> bool:
    return supposed(suspect.before)


def _question_mark(suspect: Suspect) -> bool:
    return suspect.after.lstrip()[:1] == "?"


def _in_code(suspect: Suspect) -> bool:
    """Inside `inline code` the signs may belong to a programming language."""
    return suspect.before.rpartition("\n")[2].count("`") % 2 == 1


DOUBTS: tuple[Doubt, ...] = (
    Doubt("read from left to right", "2 + 3 * 4 = 20", "2 + 3 * 4 = 21", _from_left_to_right),
    Doubt("a divisor of several factors", "60 / 3 * 4 = 5", "60 / 3 * 4 = 6", _long_divisor),
    Doubt(
        "a scale word as a unit",
        "36 dozen / 12 = 3 boxes",
        "36 dozen / 12 = 4 boxes",
        _scale_as_unit,
    ),
    Doubt(
        "thousands left out",
        "5 thousand items: 5 * 3 = $15,000",
        "5 items: 5 * 3 = $15,000",
        _scale_dropped,
    ),
    Doubt("hundredths left out", "4 * 25 cents = $1", "4 * 25 apples = 1", _hundredths),
    Doubt("one step after the other", "10 + 5 = 15 - 3 = 12", "10 + 5 = 16 - 3 = 13", _run_on),
    Doubt("another unit", "3 * 20 minutes = 1 hour", "3 * 20 minutes = 2 hours", _other_unit),
    Doubt(
        "a sum of different units",
        "5 feet + 6 inches = 66",
        "5 feet + 6 feet = 12 feet",
        _mixed_units,
    ),
    Doubt(
        "a letter that may be an unknown",
        "2 g + 4 s = 70",
        "2 grams + 4 grams = 70 grams",
        _letters,
    ),
    Doubt("a part of something", "2/5 = 12 hectares", "12/5 = 12 hectares", _part_of_something),
    Doubt("a range", "open 9-5 = 8 hours", "9 - 5 = 3 hours", _range),
    Doubt(
        "the sign left out",
        "a difference of 5 - 8 = 3",
        "a difference of 5 - 8 = 4",
        _sign_left_out,
    ),
    Doubt(
        "rounded to leading digits",
        "12,345 * 3 = 37,000",
        "12,345 * 3 = 38,000",
        _rounded_to_leading_digits,
    ),
    Doubt(
        "another arithmetic",
        "In binary, 10 + 10 = 100.",
        "In the bin, 10 + 10 = 100.",
        _other_arithmetic,
    ),
    Doubt(
        "a clock or a calendar",
        "It is 10 am, and 10 + 5 = 3 pm.",
        "It is 10 am, and 10 + 5 = 4 pm.",
        _clock,
    ),
    Doubt(
        "taken back",
        "25 + 36 = 60? No: 60 = 25 + 36 does not work.",
        "60 = 25 + 36. Good.",
        _taken_back,
    ),
    Doubt("supposed", "Suppose 2 + 2 = 5.", "So 2 + 2 = 5.", _supposed),
    Doubt("asked", "Is 2 + 2 = 5?", "So 2 + 2 = 5.", _question_mark),
    Doubt("code", "`total: 7 - 2 = 4`", "7 - 2 = 4", _in_code),
)
