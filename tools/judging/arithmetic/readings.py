"""Other ways to read the same signs, under which a false-looking statement is right.

Rules of this module: each function tells of one `Suspect` whether one reading of its numbers, units
and signs makes both sides agree; none looks at what the text says around it beyond unit words.
"""

import re
from fractions import Fraction
from itertools import pairwise

from reflection_mcp.tools.judging.arithmetic.suspect import Suspect
from reflection_mcp.tools.judging.expressions.evaluation import Reading, evaluate
from reflection_mcp.tools.judging.expressions.exact import Unreadable
from reflection_mcp.tools.judging.expressions.rounding import agrees
from reflection_mcp.tools.judging.expressions.units import converted, kinds_of_unit, same_quantity
from reflection_mcp.tools.judging.expressions.words import SCALES


def from_left_to_right(suspect: Suspect) -> bool:
    """2 + 3 * 4 = 20, as typed into a pocket calculator."""
    return agrees(suspect.row, suspect.statement, suspect.rounded, Reading(flat=True))


def long_divisor(suspect: Suspect) -> bool:
    """60 / 3 * 4 = 5: all that follows the sign is the divisor."""
    return agrees(suspect.row, suspect.statement, suspect.rounded, Reading(under=True))


def fraction_bar(suspect: Suspect) -> bool:
    """42 * 12 + 20 * 10 / 12 + 10 = 32: a fraction written on one line."""
    return agrees(suspect.row, suspect.statement, suspect.rounded, Reading(bar=True))


def scale_as_unit(suspect: Suspect) -> bool:
    """36 dozen / 12 = 3 boxes: a dozen is what is counted."""
    return agrees(suspect.row, suspect.statement, suspect.rounded, Reading(scaled=False))


_TIMES = tuple(map(Fraction, ("2", "3", "4", "1/2", "1/3", "1/4", "2/3", "3/4")))


def foreign_words(suspect: Suspect) -> bool:
    """la mitad de 10 + 4 = 9, 5 m\u00e1s que 3 * 4 = 17: words that are not known may compute."""
    first = suspect.left.first
    if suspect.english or first == 0 or suspect.row[first - 1].kind != "word":
        return False
    left, right = suspect.left.value, suspect.right.value.number
    before = [token.value for token in suspect.row[max(0, first - 5) : first] if token.value]
    return (
        any(left.number * times == right for times in _TIMES)
        or any(right in (left.number + value, left.number - value) for value in before)
        or any(_first_number_times(suspect, times) == right for times in _TIMES)
    )


def _first_number_times(suspect: Suspect, times: Fraction) -> Fraction | None:
    """Return the value of the left side if only its first number is multiplied."""
    side = suspect.left
    place = side.value.numbers[0]
    reading = Reading(put={place: suspect.row[place].value * times})
    try:
        return evaluate(suspect.row, side.first, side.last, reading).number
    except Unreadable:
        return None  # it has become too large


def scale_dropped(suspect: Suspect) -> bool:
    """Thousands on one side only: the word stands on the other side, or near."""
    near = suspect.near.lower()
    return any(
        suspect.ratio in (factor, Fraction(1, factor)) and re.search(rf"(?<![a-z]){word}s?\b", near)
        for word, factor in SCALES.items()
        if factor >= 12
    )


_PREFIXED = re.compile(r"\s?(?:[Kk]ilo|[Mm]ega|[Gg]iga|[Tt]era|[kMGT](?=[A-Za-z]))[A-Za-z]{1,12}")
_THOUSANDS = tuple(Fraction(1000) ** power for power in (1, 2, 3, 4))
_NEARLY = Fraction(1, 100)


def prefixed_unit(suspect: Suspect) -> bool:
    """1920 * 1080 = 2.07 megapixels: thousands are in the name of the unit."""
    named = _PREFIXED.match(suspect.after) is not None
    return named and any(abs(suspect.ratio / size - 1) <= _NEARLY for size in _THOUSANDS)


_POINTED = re.compile(r"[1-9]\d{0,2}\.\d{3}")


def thousands_points(suspect: Suspect) -> bool:
    """2.500 + 525 = 3.025: with every point before thousands, as much of Europe writes them."""
    sides = pointed(suspect)
    if sides is None:
        return False
    left, right = sides
    return left == right or (left.denominator != 1 and abs(left - right) < 1)


def pointed(suspect: Suspect) -> tuple[Fraction, Fraction] | None:
    """Return the values of both sides with every point read as a thousands separator; None if that
    cannot be meant."""
    tokens = {
        place: suspect.row[place]
        for side in (suspect.left, suspect.right)
        for place in side.value.numbers
    }
    places = {place for place, token in tokens.items() if _POINTED.fullmatch(token.text)}
    if not places or any(tokens[place].decimals for place in tokens.keys() - places):
        return None
    reading = Reading(put={place: tokens[place].value * 1000 for place in places})
    sides = (suspect.left, suspect.right)
    try:
        left, right = (evaluate(suspect.row, one.first, one.last, reading).number for one in sides)
    except Unreadable:
        return None  # it has become too large
    return left, right


def percent_of_the_rest(suspect: Suspect) -> bool:
    """200 + 10% = 220: the percentage is one of what stands before it."""
    row, first, last = suspect.row, suspect.left.first, suspect.left.last
    while last > first and row[last - 1].kind == "word":
        last -= 1
    factor = Fraction(1)
    while last - 3 > first and row[last - 1].kind == "percent" and row[last - 3].text in ("+", "-"):
        share = row[last - 2].value / 100
        factor *= 1 + share if row[last - 3].text == "+" else 1 - share
        last -= 3
    result = suspect.right.value
    if factor == 1 or "%" in result.units:
        return False
    try:
        expected = evaluate(row, first, last).number * factor
    except Unreadable:
        return False  # the sign belongs to the percentage: 5 * -10%
    unit = Fraction(1, 10 ** row[suspect.right.value.numbers[0]].decimals)
    gap = abs(expected - suspect.right.value.number)
    return gap == 0 or ((expected / unit).denominator != 1 and gap < unit)


_CENTS = (Fraction(100), Fraction(1, 100))
_HUNDREDTHS = re.compile(
    r"%|percent|per cent|percentage|cents?\b|\u00a2|[$\u20ac\u00a3]|dollars?|euros?|pence", re.I
)


def hundredths(suspect: Suspect) -> bool:
    """4 * 25 cents = $1, or 3/4 = 75 percent."""
    if not any(abs(suspect.ratio / scale - 1) <= Fraction(1, 200) for scale in _CENTS):
        return False
    near = f"{suspect.before[-40:]} {suspect.said} {suspect.after[:40]}"
    return _HUNDREDTHS.search(near) is not None


def run_on(suspect: Suspect) -> bool:
    """10 + 5 = 15 - 3 = 12: the sign says "and then", not "equals"."""
    if not suspect.right.value.operations:
        return False
    first = suspect.row[suspect.right.first]
    unit = Fraction(1, 10**first.decimals)
    gap = abs(suspect.left.value.number - first.value)
    return first.kind == "number" and (gap == 0 or (first.decimals > 0 and gap < unit))


def other_unit(suspect: Suspect) -> bool:
    """3 * 20 minutes = 1 hour, or 10 - 8 = 120 minutes: equal once the unit is changed."""
    left, right = suspect.left.value, suspect.right.value
    units = [*right.units, *_words(suspect.after)]
    if left.units:
        return same_quantity(left.number, left.units, right.number, units)
    return converted(left.number, right.number, units)


def _words(text: str) -> list[str]:
    return [word.lower() for word in re.findall(r"[A-Za-z]+", text[:24])[:2]]


def other_units(suspect: Suspect) -> bool:
    """210 mm * 297 mm = 8.27 in * 11.69 in: each side is counted in a unit of its own."""
    left, right = suspect.left.value, suspect.right.value
    return right.operations > 0 and len(kinds_of_unit((*left.units, *right.units))) > 1


_FOREIGN_SCALES = re.compile(
    r"[\u4e07\u842c\u5104\u4ebf\u5343]|(?:mil|mila|mille|milh[a\u00e3][o\u00f5]e?s?|milhar(?:es)?"
    r"|mill[o\u00f3]n(?:es)?|milion[ei]|milliard(?:en|s)?|million(?:en|s)|mio|mrd|tsd|tausend"
    r"|tys|mln|mld|\u0442\u044b\u0441(?:\u044f\u0447[\u0430\u0438]?)?"
    r"|\u043c\u043b\u043d|\u043c\u043b\u0440\u0434"
    r"|\u0932\u093e\u0916|\u0939\u091c\u093c\u093e\u0930|\u0e1e\u0e31\u0e19|\u0e25\u0e49\u0e32\u0e19)$"
)


def foreign_scale(suspect: Suspect) -> bool:
    """2 milh\u00f5es / 4 = 500 mil, 1.5\u5104 + 5000\u4e07 = 2\u5104: words that multiply."""
    words = (*suspect.left.value.units, *suspect.right.value.units, *_words(suspect.after))
    return any(_FOREIGN_SCALES.match(word) for word in words)


def mixed_units(suspect: Suspect) -> bool:
    """5 feet + 6 inches, 75\u00a2 + $1.40: a sum of different units has no single number."""
    left = suspect.left.value
    texts = [suspect.row[place].text for place in range(suspect.left.first, suspect.left.last)]
    mixed = len(kinds_of_unit(left.units)) > 1 or _CENTS_AND_DOLLARS.search(suspect.said)
    return bool(mixed) and any(text in ("+", "-") for text in texts)


_CENTS_AND_DOLLARS = re.compile(
    r"(?:\u00a2|\bcents?\b)[^\n]{0,60}\$|\$[^\n]{0,60}(?:\u00a2|\bcents?\b)"
)


_UNIT_LETTERS = frozenset("mgshlNJVWLAKCFHT")


def letter_units(suspect: Suspect) -> bool:
    """2g + 4s = 70: units of one letter may be unknowns, where there is a sum."""
    tokens = suspect.row[suspect.left.first : suspect.right.last + 1]
    places = [
        place
        for place, token in enumerate(tokens)
        if token.kind == "word" and len(token.text) == 1 and token.text.isascii()
    ]
    if not places or all(tokens[place].text == "a" for place in places):
        return False
    texts = {token.text for token in tokens}
    spaced = all(
        tokens[place].text in _UNIT_LETTERS
        and place > 0
        and (tokens[place - 1].end < tokens[place].start or tokens[place - 1].text == "/")
        for place in places
    )
    return bool(texts & {"+", "-"}) or not spaced or "\\" in suspect.said


def part_of_something(suspect: Suspect) -> bool:
    """2/5 = 12 hectares: the fraction is of a thing that is not written."""
    left, right = suspect.left.value, suspect.right.value
    fraction = left.operations == 1 and (not left.units or "of" in left.units)
    percentage = left.operations == 0 and left.units == ("%",)
    return (fraction or percentage) and 0 < left.number < 1 < right.number


_COUNTED = re.compile(r"\binclu|\bpages?\b|\bthrough\b|\bintegers?\b|\bnumbers\b", re.I)
_SHIFT = re.compile(r"\b(?:open|opens|shift|hours?|schedule|[ap]\.?m\.?)\b", re.I)


def whole_then_fraction(suspect: Suspect) -> bool:
    """10 / 2 = 5 1/2-pound bags: the five ends the statement."""
    token = suspect.row[suspect.right.last - 1]
    whole, _, broken = token.text.partition(" ")
    return bool(broken) and whole.isdigit() and int(whole) == suspect.left.value.number


def from_to(suspect: Suspect) -> bool:
    """5-7, 2019-2024 or 9-5: from here to there, not minus."""
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
        if span == low - high + 1 and _COUNTED.search(suspect.near):
            return True
        if span == (high - low) % 12 and _SHIFT.search(suspect.near):
            return True
    return False


def sign_left_out(suspect: Suspect) -> bool:
    """5 - 8 = 3, said of a difference."""
    left = suspect.left.value
    inner = suspect.row[suspect.left.first : suspect.left.last]
    subtraction = left.operations == 1 and any(
        token.text == "-" and before.kind != "operator" for before, token in pairwise(inner)
    )
    return subtraction and left.number == -suspect.right.value.number


def rounded_to_leading_digits(suspect: Suspect) -> bool:
    """12,345 * 3 = 37,000: the end of the number was rounded away."""
    signs = {token.text for token in suspect.row[suspect.left.first : suspect.left.last]}
    if suspect.right.value.operations or not signs & {"*", "/", "^"}:
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
