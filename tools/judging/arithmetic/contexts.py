"""Surroundings in which a false-looking statement is right, or is not meant as a claim.

Rules of this module: each function tells of one `Suspect` whether the text around it speaks of
another arithmetic (modular, binary, clock time), of rounding, of a trial, or of somebody's mistake.
"""

import re
from bisect import bisect_left
from fractions import Fraction

from reflection_mcp.tools.judging.arithmetic.suspect import Suspect
from reflection_mcp.tools.judging.texts.hedges import phrases, supposed, taken_back

_OTHER_ARITHMETIC = phrases(
    """
    mod
    modul*
    binary
    hexadecimal
    octal
    base 2
    base two
    base-2
    base 8
    base 16
    base-*
    in base
    xor
    bitwise
    boolean
    remainder*
    congruen*
    vector*
    matri*
    concatenat*
    cryptarithm*
    significant figures
    significant digits
    clock arithmetic
    finite field*
    galois
    tropical
    max-plus
    new operation
    operation is defined
    define the operation
    """
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
    places = [
        match.start()
        for pattern in (_OTHER_ARITHMETIC, _OTHER_SIGNS)
        for match in pattern.finditer(answer)
    ]
    in_question = _OTHER_ARITHMETIC.search(question) or _OTHER_SIGNS.search(question)
    return sorted([*places, -1] if in_question else places)


def other_arithmetic(suspect: Suspect) -> bool:
    """Modular, in another base, of vectors: said anywhere in the question or near by."""
    topics, start = suspect.topics, suspect.statement.start
    nearest = bisect_left(topics, start - NEAR)
    near = nearest < len(topics) and topics[nearest] <= start + NEAR
    return near or (bool(topics) and topics[0] < 0)


_CLOCK = re.compile(
    r"(?<!\w)(?:o'clock|noon|midnight|clock|Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec"
    r"|January|February|March|April|August|September|October|November|December"
    r"|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?)(?!\w)|\d ?[ap]\.?m(?!\w)|\d:\d\d(?!\d)"
)
_CYCLES = (7, 12, 24, 28, 29, 30, 31, 60, 360)
"""Days, hours, months, minutes, degrees: what a count of them starts over at."""


def clock(suspect: Suspect) -> bool:
    """10 + 5 = 3 pm, 25 + 10 = 4 February, 8am - 5pm = 9 hours, 330\u00b0 + 60\u00b0 = 30\u00b0."""
    units = set(suspect.left.value.units)
    if {"am", "pm"} & units:
        return True
    stated = suspect.right.value.number
    gap = abs(suspect.left.value.number - stated)
    if gap not in _CYCLES or not 0 <= stated <= gap:  # what starts over stays within its round
        return False
    return _CLOCK.search(suspect.near) is not None or (gap == 360 and "degrees" in units)


_ROUNDING = phrases(
    """
    rounded
    rounding
    round up
    round down
    round to
    rounds to
    nearest
    estimat*
    approximat*
    ballpark
    """
)
_ROUNDED_TO = Fraction(1, 10)
"""An estimate is at most so far off."""


def said_to_be_rounded(suspect: Suspect) -> bool:
    """To the nearest ten, 38 + 41 = 80."""
    left, right = suspect.left.value.number, suspect.right.value.number
    around = f"{suspect.before[-80:]} {suspect.after[:60]}"
    near = abs(left - right) <= abs(left) * _ROUNDED_TO
    return near and _ROUNDING.search(around) is not None


def withdrawn(suspect: Suspect) -> bool:
    """60 = 25 + 36. This does not work."""
    return taken_back(suspect.after)


def hypothetical(suspect: Suspect) -> bool:
    """Suppose 2 + 2 = 5."""
    return supposed(suspect.before)


_WRONG_HEADING = re.compile(
    r"(?:\b(?:wrong|incorrect|mistaken?|false|faulty|misconception)\b|\u274c|\u2717)[^\n]{0,80}"
    r":[ \t*_]{0,6}\n[ \t>*-]{0,8}$",
    re.I,
)


def called_wrong_above(suspect: Suspect) -> bool:
    """Under the line "Wrong answer:"."""
    return _WRONG_HEADING.search(suspect.before) is not None


_OF_BITS = re.compile(
    r"\b(?:bits?|operators?|Python|Java|JavaScript|C|C\+\+|Rust|Go|PHP|Ruby)\b|\b(?:AND|OR)\b"
)


def exclusive_or(suspect: Suspect) -> bool:
    """12 ^ 10 = 6 in most programming languages."""
    row, side, stated = suspect.row, suspect.left, suspect.right.value.number
    operands = [row[place].value for place in side.value.numbers]
    signs = [token.text for token in row[side.first : side.last] if token.kind == "operator"]
    if signs != ["^"] or len(operands) != 2 or any(value.denominator != 1 for value in operands):
        return False
    one, other = map(int, operands)
    near = f"{suspect.question} {suspect.near}"
    return one ^ other == stated and _OF_BITS.search(near) is not None


_FULL = re.compile(r"\b(?:bits?|bytes?|u?int\d{0,2}|(?:un)?signed)\b|\boverflow|\bwraps? ", re.I)


def overflow(suspect: Suspect) -> bool:
    """255 + 1 = 0 in eight bits."""
    gap = abs(suspect.left.value.number - suspect.right.value.number)
    whole = gap.denominator == 1 and gap >= 16
    return whole and gap.numerator.bit_count() == 1 and _FULL.search(suspect.near) is not None


_LABEL = re.compile(
    r"\b(?:room|chapter|section|figure|table|exercise|gate|unit|model|seat|row|flight|lot|form"
    r"|score|odds|ratio|record)s?(?: (?:is|are|was|of|no\.?|number))? $",
    re.I,
)


def label(suspect: Suspect) -> bool:
    """Room 12-3 = 12th floor, odds of 3-1 = 25%: the dash joins two numbers to a name."""
    tokens = suspect.row[suspect.left.first : suspect.left.last]
    joined = [token.kind for token in tokens] == ["number", "operator", "number"]
    if not joined or tokens[1].text != "-" or tokens[0].end != tokens[1].start:
        return False
    return _LABEL.search(suspect.before) is not None


def asked(suspect: Suspect) -> bool:
    """Return True for a statement that is a question: is 2 + 2 = 5?"""
    return suspect.after.lstrip()[:1] == "?"


def in_code(suspect: Suspect) -> bool:
    """Inside `inline code` a power or a quotient may be another operation."""
    return suspect.before.rpartition("\n")[2].count("`") % 2 == 1


# A quotation opens after a space; the value of a key in JSON is a string, and claims what it says.
_QUOTATION_OPENS = re.compile(
    r"(?:(?<!\":)(?<!\": )(?<!\w)[\"\u2018']|[\u201c\u201e\u00ab\u300c])"
    r"[^\"\u201c-\u201e\u00ab\u00bb\u300c\u300d\n]{0,60}$"
)
_QUOTATION_CLOSES = re.compile(
    r"[^\"\u201c-\u201e\u00ab\u00bb\u300c\u300d\n]{0,60}?"
    r"(?:[\"\u201c\u201d\u00bb\u300d]|['\u2019](?!\w))"
)


def quoted(suspect: Suspect) -> bool:
    """\"2 + 2 = 5\" is a slogan."""
    opens = _QUOTATION_OPENS.search(suspect.before)
    return opens is not None and _QUOTATION_CLOSES.match(suspect.after) is not None


def in_question(suspect: Suspect) -> bool:
    """Why is 2 + 2 = 5 famous? The answer only repeats it."""
    said = re.escape("".join(suspect.said.split()))
    question = "".join(suspect.question.split())
    return re.search(rf"(?<![\d.,]){said}(?![.,]?\d)", question) is not None
