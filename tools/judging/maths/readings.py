"""Other ways to read the same characters, under which a false-looking statement is right.

Rule of this module: each row tells of one `Suspect` whether one reading of its numbers, units and
signs makes both sides agree; few look at what the text says around it beyond unit words.
"""

import re
from fractions import Fraction
from itertools import pairwise

from reflection_mcp.tools.judging.maths.evaluation import Put, evaluate
from reflection_mcp.tools.judging.maths.exact import Unreadable
from reflection_mcp.tools.judging.maths.suspect import Doubts, Suspect
from reflection_mcp.tools.judging.maths.units import are_mixed, may_be_the_same
from reflection_mcp.tools.judging.maths.words import SCALES

READINGS = Doubts()


_EUROPEAN = re.compile(r"(\d{1,9}|[1-9]\d{0,2}(?:[.'\u2019\u00a0\u202f]\d{3}){1,3})(?:,(\d{1,9}))?")


@READINGS.row(
    "decimals behind a comma",
    ("2.500 + 525 = 3.025 euros", "2.500 + 525 = 3.026 euros"),
    ("40 * 1,759 \u20ac = 70,36 \u20ac", "40 * 1,759 \u20ac = 70,37 \u20ac"),
    ("9 / 8 = 1,125", "5 * 3 = 15,000"),
    ("1.000 * 1,025 = 1.025", "1.000 * 1,025 = 1.026"),
    ("1{,}125 + 2 = 3{,}125", "1{,}125 + 2 = 3{,}126"),
    ("2,250 / 2 = 1,125", "2,250 / 0.5 = 4,501"),
)
def _decimal_commas(suspect: Suspect) -> bool:
    """Right if all commas are decimal commas and all points separate thousands, in statements whose
    numbers can all be read like that."""
    put: dict[int, Fraction] = {}
    parts: list[str] = []
    for side in (suspect.left, suspect.right):
        for place in side.value.numbers:
            token = suspect.row[place]
            read = _EUROPEAN.fullmatch(token.text.replace("{,}", ","))
            if read is None:
                return False
            parts.append(read[2] or "")
            put[place] = Fraction(re.sub(r"\D", "", token.text)) / 10 ** len(parts[-1])
    known = all(suspect.row[place].value == value for place, value in put.items())
    thousands = not any(parts[:-1]) and parts[-1:] == ["000"]
    return not (known or thousands) and _right_with(suspect, put, Fraction(1, 10 ** len(parts[-1])))


def _right_with(suspect: Suspect, put: Put, unit: Fraction | None = None) -> bool:
    """Return True if a statement is right with other numbers in the place of some.

    Args:
        suspect: the statement.
        put: the numbers, by the place of those that they replace.
        unit: what the last digit of the result is worth; by default what it says.
    """
    sides = (suspect.left, suspect.right)
    try:
        left, right = (evaluate(suspect.row, one.first, one.last, put).number for one in sides)
    except Unreadable:
        return False  # it has become too large
    unit = unit or Fraction(1, 10 ** suspect.row[suspect.right.last - 1].decimals)
    return left == right or ((left / unit).denominator != 1 and abs(left - right) < unit)


@READINGS.row("thousands written apart", ("14, 400 / 80 = 180", "14, 400 / 80 = 181"))
def _thousands_apart(suspect: Suspect) -> bool:
    first = suspect.left.first
    if first < 2:
        return False
    head, comma, tail = suspect.row[first - 2 : first + 1]
    apart = head.kind == "number" and comma.text == "," and len(tail.text) == 3
    return apart and _right_with(suspect, {first: head.value * 1000 + tail.value})


@READINGS.row(
    "a fraction as a divisor",
    ("3/4 \u00f7 1/2 = 1.5", "3/4 \u00f7 1/2 = 1.25"),
    ("5 / 2/3 = 7.5", "5 * 2/3 = 7.5"),
)
def _fraction_below(suspect: Suspect) -> bool:
    """Right if what is divided by a fraction is not divided by its two numbers one by one."""
    put: dict[int, Fraction] = {}
    for side in (suspect.left, suspect.right):
        for place in side.value.numbers:
            parts = suspect.row[max(side.first, place - 3) : place + 1]
            if [part.text for part in parts[::2]] != ["/", "/"] or not parts[3].value:
                continue
            apart = suspect.said[parts[0].start - suspect.statement.start] != "/"
            apart = apart or parts[0].end < parts[1].start
            if apart and parts[1].end == parts[2].start and parts[2].end == parts[3].start:
                put[place] = 1 / parts[3].value
    return bool(put) and _right_with(suspect, put)


@READINGS.row("a percentage of what stands before it", ("60 + 66.7% = 100", "60 + 66.7 = 100"))
def _percent_of_the_rest(suspect: Suspect) -> bool:
    tokens = suspect.tokens
    return "%" not in suspect.right.value.units and any(
        sign.text in ("+", "-") and place and share.kind == "percent"
        for place, (sign, _, share) in enumerate(zip(tokens, tokens[1:], tokens[2:], strict=False))
    )


@READINGS.row(
    "a dash of the sentence",
    ("40 rides \u2013 15 / 60 = 0.25", "40 rides - 15 / 60 = 0.25"),
    ("40 \u2013 15 / 60 = 0.25", "(40 \u2013 15) / 60 = 0.25"),
)
def _dash(suspect: Suspect) -> bool:
    """Right if the left side begins behind an en dash, which stands for a minus or for a pause."""
    row, left = suspect.row, suspect.left
    for place in range(left.first + 1, left.last - 1):
        sign = suspect.said[row[place].start - suspect.statement.start]
        if row[place].text == "-" and sign == "\u2013":
            try:
                rest = evaluate(row, place + 1, left.last).number
            except Unreadable:
                continue  # it stands in a bracket
            if rest == suspect.right.value.number:
                return True
    return False


@READINGS.row("one step after the other", ("10 + 5 = 15 - 3 = 12", "10 + 5 = 16 - 3 = 13"))
def _run_on(suspect: Suspect) -> bool:
    if not suspect.right.value.operations:
        return False
    first = suspect.row[suspect.right.first]
    gap = abs(suspect.left.value.number - first.value)
    near = first.decimals > 0 and gap < Fraction(1, 10**first.decimals)
    return first.kind == "number" and (gap == 0 or near)


@READINGS.row("the sign left out", ("a difference of 5 - 8 = 3", "a difference of 5 - 8 = 4"))
def _sign_left_out(suspect: Suspect) -> bool:
    left = suspect.left.value
    subtraction = left.operations == 1 and any(
        token.text == "-" and before.kind != "operator"
        for before, token in pairwise(suspect.tokens)
    )
    return subtraction and left.number == -suspect.right.value.number


@READINGS.row(
    "an exclusive or",
    ("12 ^ 10 = 6", "12 ^ 10 = 7"),
    ("7 ^ 3 ^ 1 = 5", "7 ^ 3 ^ 1 = 6"),
    ("5 ^ 3 + 1 = 1", "(5 ^ 3) * 2 = 13"),
)
def _exclusive_or(suspect: Suspect) -> bool:
    """Right with ^ as the exclusive or of integers; + and - bind more tightly."""
    first, last = suspect.left.first, suspect.left.last
    signs = [at for at in range(first, last) if suspect.row[at].text == "^"]
    starts, ends = [first, *(at + 1 for at in signs)], [*signs, last]
    try:
        parts = [evaluate(suspect.row, *ends).number for ends in zip(starts, ends, strict=True)]
    except Unreadable:
        return False  # a bracket opens before the sign
    if not signs or any(part.denominator > 1 for part in parts):
        return False
    result = 0
    for part in parts:
        result ^= int(part)
    return suspect.right.value.number == result


# --------------------------------------------------------------------------- units


@READINGS.row("percentages one after the other", ("20% + 20% = 44%", "20% + 20% = 45%"))
def _compounded(suspect: Suspect) -> bool:
    left, right = suspect.left, suspect.right.value
    if set(left.value.units) != {"%"} or "%" not in right.units or right.operations:
        return False
    grown = rest = Fraction(1)
    for place in left.value.numbers:
        share, sign = suspect.row[place].value / 100, suspect.row[place - 1].text
        grown *= 1 - share if sign == "-" and place > left.first else 1 + share
        rest *= 1 - share
    error = Fraction(1, 200 * 10 ** suspect.row[right.numbers[-1]].decimals)
    return any(abs(result - right.number) <= error for result in (grown - 1, 1 - rest))


_SCALE_WORDS = re.compile(
    r"[\u4e07\u842c\u5104\u4ebf\u5343]|(?:mil|mila|mille|milh[a\u00e3][o\u00f5]e?s?|milhar(?:es)?"
    r"|mill[o\u00f3]n(?:es)?|milion[ei]|milliard(?:en|s)?|million(?:en|s)|mio|mrd|tsd|tausend"
    r"|tys|mln|mld|\u0442\u044b\u0441(?:\u044f\u0447[\u0430\u0438]?)?"
    r"|\u043c\u043b\u043d|\u043c\u043b\u0440\u0434"
    r"|\u0932\u093e\u0916|\u0939\u091c\u093c\u093e\u0930|\u0e1e\u0e31\u0e19|\u0e25\u0e49\u0e32\u0e19)$"
)


_POWERS = frozenset(Fraction(10**power) for power in range(1, 13))
"""The sizes of a unit in another one of a metric system."""


def _words_behind(suspect: Suspect) -> list[str]:
    """Return the units of the result, and the next two words."""
    behind = re.findall(r"[^\W\d_]+", suspect.after[:24])[:2]
    return [*suspect.right.value.units, *map(str.lower, behind)]


@READINGS.row(
    "a scale word of another language",
    ("2 milh\u00f5es / 4 = 500 mil", "2 milhas / 4 = 500 m"),
    ("10^4 = 10 \u043a\u043c", "10^4 = 20 \u043a\u043c"),
)
def _foreign_scale(suspect: Suspect) -> bool:
    words = (*suspect.left.value.units, *_words_behind(suspect))
    unknown = suspect.ratio in _POWERS and not all(map(str.isascii, words))
    return unknown or any(_SCALE_WORDS.match(word) for word in words)


_PREFIXED = re.compile(r"\s?(?:[Kk]ilo|[Mm]ega|[Gg]iga|[Tt]era|[kMGT](?=[A-Za-z]))[A-Za-z]{1,12}")
_HUNDREDTHS = re.compile(
    r"%|percent|per cent|percentage|cents?\b|\u00a2|[$\u20ac\u00a3]|dollars?|euros?|pence", re.I
)
_NEARLY = Fraction(1, 100)


@READINGS.row(
    "thousands in the name of the unit",
    ("4 * 25 cents = $1", "4 * 25 apples = 1"),
    ("5 thousand items: 5 * 3 = $15,000", "5 items: 5 * 3 = $15,000"),
    ("1920 * 1080 = 2.07 megapixels", "1920 * 1080 = 2.17 megapixels"),
)
def _scale_left_out(suspect: Suspect) -> bool:
    """The larger side is a hundred, a thousand or a dozen times the other, and a word says so."""

    def is_about(scale: int) -> bool:
        return abs(suspect.ratio / scale - 1) <= _NEARLY

    around = f"{suspect.before[-40:]} {suspect.said} {suspect.after[:40]}"
    named = re.findall(r"[a-z]+", suspect.near.lower())
    if is_about(100) and _HUNDREDTHS.search(around):
        return True
    if _PREFIXED.match(suspect.after) and any(is_about(1000**power) for power in (1, 2, 3, 4)):
        return True
    return any(suspect.ratio == SCALES.get(word.rstrip("s"), -1) for word in named)


@READINGS.row("another unit", ("3 * 20 minutes = 1 hour", "3 * 20 minutes = 2 hours"))
def _other_unit(suspect: Suspect) -> bool:
    left, right = suspect.left.value, suspect.right.value
    return may_be_the_same(left.number, left.units, right.number, _words_behind(suspect))


_CENTS_AND_DOLLARS = re.compile(
    r"(?:\u00a2|\bcents?\b)[^\n]{0,60}\$|\$[^\n]{0,60}(?:\u00a2|\bcents?\b)"
)


@READINGS.row(
    "a sum of different units",
    ("5 feet + 6 inches = 66", "5 feet + 6 feet = 12 feet"),
    ("210 mm * 297 mm = 8.27 in * 11.69 in", "210 mm * 297 mm = 8.27 mm * 11.69 mm"),
)
def _mixed_units(suspect: Suspect) -> bool:
    left, right = suspect.left.value, suspect.right.value
    if right.operations and are_mixed((*left.units, *right.units)):
        return True
    added = any(token.text in ("+", "-") for token in suspect.tokens)
    return added and (are_mixed(left.units) or bool(_CENTS_AND_DOLLARS.search(suspect.said)))


_UNIT_LETTERS = frozenset("mgshlNJVWLAKCFHT")


@READINGS.row("a letter that may be an unknown", ("2 g + 4 s = 70", "2 grams + 4 grams = 70 grams"))
def _letter_units(suspect: Suspect) -> bool:
    tokens = suspect.row[suspect.left.first : suspect.right.last + 1]
    letters = [
        (before, token)
        for before, token in pairwise(tokens)
        if token.kind == "word" and len(token.text) == 1 and token.text.isascii()
    ]
    if not letters or all(token.text == "a" for _, token in letters):
        return False
    units = all(
        token.text in _UNIT_LETTERS and (before.end < token.start or before.text == "/")
        for before, token in letters
    )
    return not units or any(token.text in ("+", "-") for token in tokens) or "\\" in suspect.said


@READINGS.row("a part of something", ("2/5 = 12 hectares", "12/5 = 12 hectares"))
def _part_of_something(suspect: Suspect) -> bool:
    left, right = suspect.left.value, suspect.right.value
    fraction = left.operations == 1 and (not left.units or "of" in left.units)
    percentage = left.operations == 0 and left.units == ("%",)
    return (fraction or percentage) and 0 < left.number < 1 < right.number


_COUNTED = re.compile(r"\binclu|\bpages?\b|\bthrough\b|\bintegers?\b|\bnumbers\b", re.I)
_SHIFT = re.compile(r"\b(?:open|opens|shift|hours?|schedule|[ap]\.?m\.?)\b", re.I)
_LABEL = re.compile(
    r"\b(?:room|chapter|section|figure|table|exercise|gate|unit|model|seat|row|flight|lot|form"
    r"|score|odds|ratio|record)s?(?: (?:is|are|was|of|no\.?|number))? $",
    re.I,
)


@READINGS.row(
    "a range",
    ("Room 12-3 = 12th floor", "So 12-3 = 12 rooms"),
    ("open 9-5 = 8 hours", "9 - 5 = 3 hours"),
)
def _from_to(suspect: Suspect) -> bool:
    """5-7, 2019-2024 or 9-5: from here to there, not minus."""
    for side in (suspect.left, suspect.right):
        tokens = suspect.row[side.first : side.last][:3]
        kinds = [token.kind for token in tokens]
        if kinds != ["number", "operator", "number"] or tokens[1].text != "-":
            continue
        low, high = tokens[0].value, tokens[2].value
        span = abs(suspect.right.value.number)
        glued = tokens[0].end == tokens[1].start and tokens[1].end == tokens[2].start
        if side.value.operations == 1 and (
            (glued and (low < high or _LABEL.search(suspect.before)))
            or (span == low - high + 1 and _COUNTED.search(suspect.near))
            or (span == (high - low) % 12 and _SHIFT.search(suspect.near))
        ):
            return True
    return False
