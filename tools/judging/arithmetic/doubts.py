"""Reasons not to believe one's own finding that a statement is false.

Rules of this module: a row of `DOUBTS` is one way in which a false-looking statement is right, or
is not meant as a claim at all; any of them turns "wrong" into "unchecked". Each row has an example
that it must catch and a counter-example that stays wrong; the tests walk the table.
"""

from collections.abc import Callable
from typing import NamedTuple

from reflection_mcp.tools.judging.arithmetic import (
    contexts,
    marks,
    quotation,
    readings,
    unlike_sums,
)
from reflection_mcp.tools.judging.arithmetic.suspect import Suspect


class Doubt(NamedTuple):
    """One reason, as data."""

    name: str
    example: str
    counter: str
    applies: Callable[[Suspect], bool]


DOUBTS: tuple[Doubt, ...] = (
    Doubt(
        "read from left to right", "2 + 3 * 4 = 20", "2 + 3 * 4 = 21", readings.from_left_to_right
    ),
    Doubt(
        "a divisor of several factors", "60 / 3 * 4 = 5", "60 / 3 * 4 = 6", readings.long_divisor
    ),
    Doubt(
        "a fraction over the whole row",
        "42 * 12 + 20 * 10 / 12 + 10 = 32",
        "42 * 12 + 20 * 10 / 12 + 10 = 33",
        readings.fraction_bar,
    ),
    Doubt(
        "a scale word as a unit",
        "36 dozen / 12 = 3 boxes",
        "36 dozen / 12 = 4 boxes",
        readings.scale_as_unit,
    ),
    Doubt(
        "words of another language",
        "la mitad de 10 + 4 = 9 para el ni\u00f1o",
        "la mitad de 10 + 4 = 8 para el ni\u00f1o",
        readings.foreign_words,
    ),
    Doubt(
        "thousands left out",
        "5 thousand items: 5 * 3 = $15,000",
        "5 items: 5 * 3 = $15,000",
        readings.scale_dropped,
    ),
    Doubt(
        "thousands in the name of the unit",
        "1920 * 1080 = 2.07 megapixels",
        "1920 * 1080 = 2.17 megapixels",
        readings.prefixed_unit,
    ),
    Doubt(
        "points before thousands",
        "2.500 + 525 = 3.025 euros",
        "2.500 + 525 = 3.026 euros",
        readings.thousands_points,
    ),
    Doubt(
        "a comma between two numbers",
        "In cases 1,5 + 9 = 14",
        "In cases 1,5 + 9 = 13",
        marks.parted_by_commas,
    ),
    Doubt(
        "points and commas that do not go together",
        "0,85 + 1.20 = 2.50",
        "0,85 + 1,20 = 2,50",
        marks.mixed,
    ),
    Doubt(
        "three digits behind a comma",
        "1,5 * 1,250 = 1,87",
        "1,5 * 1,250 = 1,77",
        marks.three_decimals,
    ),
    Doubt(
        "a percentage of what stands before it",
        "60 + 66.7% = 100",
        "60 + 66.7% = 102",
        readings.percent_of_the_rest,
    ),
    Doubt("hundredths left out", "4 * 25 cents = $1", "4 * 25 apples = 1", readings.hundredths),
    Doubt(
        "one step after the other", "10 + 5 = 15 - 3 = 12", "10 + 5 = 16 - 3 = 13", readings.run_on
    ),
    Doubt(
        "another unit", "3 * 20 minutes = 1 hour", "3 * 20 minutes = 2 hours", readings.other_unit
    ),
    Doubt(
        "a product in other units",
        "210 mm * 297 mm = 8.27 in * 11.69 in",
        "210 mm * 297 mm = 8.27 mm * 11.69 mm",
        readings.other_units,
    ),
    Doubt(
        "a scale word of another language",
        "2 milh\u00f5es / 4 = 500 mil",
        "2 milhas / 4 = 500 m",
        readings.foreign_scale,
    ),
    Doubt(
        "a sum of different units",
        "5 feet + 6 inches = 66",
        "5 feet + 6 feet = 12 feet",
        readings.mixed_units,
    ),
    Doubt(
        "a letter that may be an unknown",
        "2 g + 4 s = 70",
        "2 grams + 4 grams = 70 grams",
        readings.letter_units,
    ),
    Doubt(
        "a part of something", "2/5 = 12 hectares", "12/5 = 12 hectares", readings.part_of_something
    ),
    Doubt(
        "a whole number before a fraction",
        "10 / 2 = 5 1/2 pound bags",
        "10 / 2 = 6 1/2 pounds",
        readings.whole_then_fraction,
    ),
    Doubt("a range", "open 9-5 = 8 hours", "9 - 5 = 3 hours", readings.from_to),
    Doubt(
        "the sign left out",
        "a difference of 5 - 8 = 3",
        "a difference of 5 - 8 = 4",
        readings.sign_left_out,
    ),
    Doubt(
        "rounded to leading digits",
        "12,345 * 3 = 37,000",
        "12,345 * 3 = 38,000",
        readings.rounded_to_leading_digits,
    ),
    Doubt(
        "said to be rounded",
        "To the nearest ten, 38 + 41 = 80.",
        "In the ten bags, 38 + 41 = 80.",
        contexts.said_to_be_rounded,
    ),
    Doubt(
        "another arithmetic",
        "In binary, 10 + 10 = 100.",
        "In the bin, 10 + 10 = 100.",
        contexts.other_arithmetic,
    ),
    Doubt(
        "a clock or a calendar",
        "It is 10 am, and 10 + 5 = 3 pm.",
        "It is 10 am, and 10 + 5 = 4 pm.",
        contexts.clock,
    ),
    Doubt(
        "a date",
        "31 January + 1 month = 28 February",
        "31 marbles + 1 marble = 28 marbles in February",
        unlike_sums.date,
    ),
    Doubt(
        "levels",
        "60 dB + 60 dB = 63 dB",
        "60 dB + 60 dB = 64 dB",
        unlike_sums.level,
    ),
    Doubt(
        "percentages one after the other",
        "20% + 20% = 44%",
        "20% + 20% = 45%",
        unlike_sums.compounded,
    ),
    Doubt(
        "odds",
        "odds of 3/1 = 25%",
        "odds of 3/1 = 35%",
        unlike_sums.odds,
    ),
    Doubt(
        "taken back",
        "25 + 36 = 60? No: 60 = 25 + 36 does not work.",
        "60 = 25 + 36. Good.",
        contexts.withdrawn,
    ),
    Doubt("supposed", "Suppose 2 + 2 = 5.", "So 2 + 2 = 5.", contexts.hypothetical),
    Doubt(
        "under a heading that calls it wrong",
        "Incorrect answer:\n> 2 + 2 = 5",
        "Corrected answer:\n> 2 + 2 = 5",
        contexts.called_wrong_above,
    ),
    Doubt(
        "quoted to be corrected",
        "Napisa\u0142e\u015b 7*8=54, a powinno by\u0107 56.",
        "Powinno by\u0107 7*8=54, a 54+2=56.",
        quotation.corrected,
    ),
    Doubt(
        "marked wrong in a table",
        "| Ann | 3 + 4 = 8 | no |",
        "| Ann | 3 + 4 = 8 | yes |",
        quotation.marked_wrong,
    ),
    Doubt(
        "an operation on bits",
        "In Python, 12 ^ 10 = 6.",
        "In Python, 12 ^ 10 = 7.",
        contexts.exclusive_or,
    ),
    Doubt(
        "more than there is room for",
        "127 + 1 = -128 for a signed byte",
        "127 + 1 = -129 for a signed byte",
        contexts.overflow,
    ),
    Doubt("a label", "Room 12-3 = 12th floor", "So 12-3 = 12 rooms", contexts.label),
    Doubt("asked", "Is 2 + 2 = 5?", "So 2 + 2 = 5.", contexts.asked),
    Doubt(
        "a quotation",
        '"2 + 2 = 5" is the slogan of the Party.',
        '{"work": "2 + 2 = 5"}',
        contexts.quoted,
    ),
    Doubt("code", "`total: 7 - 2 = 4;`", "7 - 2 = 4", contexts.in_code),
)


def doubt(suspect: Suspect) -> str:
    """The name of the first reason that applies, or nothing."""
    # Not a row: its example would need a question beside the answer.
    if contexts.in_question(suspect):
        return "repeated from the question"
    return next((row.name for row in DOUBTS if row.applies(suspect)), "")
