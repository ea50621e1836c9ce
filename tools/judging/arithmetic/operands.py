"""Where does a calculation take its numbers from, and which given numbers does it leave out?

Rules of this module: both are hints and never more. Right solutions use numbers that are nowhere
given (a constant, a percentage turned round) and leave given ones out, the latter in 8 of 100
(GSM8K). A number counts as known when the question has it in any form, when the answer produced it,
when it can be made of one known number in one usual step, or when it is a usual constant. A given
one counts as used when the answer shows any usual form of it: a share, a rate, its reciprocal, the
same in another unit, its word, or as many equal steps.
"""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import islice

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging import finding
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.expressions.rounding import shown
from reflection_mcp.tools.judging.expressions.statements import Statement
from reflection_mcp.tools.judging.expressions.tokens import Token, tokens

PROVENANCE = "operand_provenance"
UNUSED = "unused_given"
LONGEST = 20_000
MOST_HINTS = 5

CONSTANTS = frozenset(
    map(Fraction, (0, 1, 2, 3, 4, 5, 7, 10, 12, 16, 20, 24, 25, 30, 31, 36, 50, 52, 60, 90, 100,
                   180, 360, 365, 366, 1000, 3600))
)  # fmt: skip
"""Counts of everyday units, halves and quarters, percentages: nobody has to give them."""

WORDS: dict[str, Fraction] = {
    word: Fraction(value)
    for word, value in zip(
        """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen
        fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty
        ninety hundred thousand million dozen half third quarter fourth fifth sixth eighth tenth
        twice double triple thrice pair couple week day hour minute year month decade century score
        quadruple foot feet yard mile pound gallon nickel dime penny single both once square squared
        cube cubed""".split(),
        """0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 30 40 50 60 70 80 90 100 1000
        1000000 12 1/2 1/3 1/4 1/4 1/5 1/6 1/8 1/10 2 2 3 3 2 2 7 24 60 60 12 30 10 100 20 4 12 12
        3 5280 16 4 5 10 1/100 1 2 1 2 2 3 3""".split(),
        strict=True,
    )
}


def check(case: Case) -> Iterator[Check]:
    """Hints about operands, and about numbers of the question that the answer never uses."""
    found = [one for one in case.statements if isinstance(one, Statement) and one.end <= LONGEST]
    if not found:
        return
    given = [token for token in case.asked if token.kind == "number"]
    if not given:
        return
    row = [token for token in case.row if token.end <= LONGEST]
    yield from _from_nowhere(case, row, found, {*CONSTANTS, *named_numbers(case.asked)})
    # Of an answer that was not read to its end nobody can say what it leaves out.
    if len(case.answer) <= LONGEST:
        yield from _unused(given, _shown(case))


def named_numbers(row: Iterable[Token]) -> set[Fraction]:
    """Every number of a row, in digits or words; words are also put together (twenty-five)."""
    named: set[Fraction] = set()
    tens = Fraction(0)
    for token in row:
        if token.kind == "number":
            named.add(token.value)
        elif token.kind == "word":
            values = map(_FORMS.get, token.text.split("-"))
            parts = [value for value in values if value is not None]
            named.update(parts)
            if len(parts) > 1:
                named.add(sum(parts, Fraction(0)))
            elif parts:
                named |= {tens + parts[0], tens * parts[0]}
            tens = parts[0] if len(parts) == 1 else Fraction(0)
    return named


_FORMS = {f"{word}s": value for word, value in WORDS.items()} | WORDS
"""The words and their plurals."""


def _from_nowhere(
    case: Case, row: list[Token], found: list[Statement], known: set[Fraction]
) -> Iterator[Check]:
    hints = 0
    seen_to = 0
    for statement in found:
        left, right = statement.left, statement.right
        # Whatever the prose before the statement named is known by now.
        known |= named_numbers(row[seen_to : left.first])
        for place in left.value.numbers:
            value = row[place].value
            if hints == MOST_HINTS or _is_known(value, known):
                continue
            hints += 1
            yield finding.at(
                case, row[place].start, row[place].end, PROVENANCE, "wrong",
                f"{shown(value)} is not in the question and was not computed before.",
                severity="hint", stated=shown(value),
            )  # fmt: skip
        known |= {left.value.number, right.value.number}
        known |= named_numbers(row[left.first : right.last])
        seen_to = right.last


def _is_known(value: Fraction, known: set[Fraction]) -> bool:
    """Whether a known number is this one, or becomes it as a percentage or by rounding."""
    if value in known:  # as most are
        return True
    sources = (
        value * 100, value / 100, 100 * (1 - value), 100 * (value - 1), 1 - value, 100 - value,
        value - 100,
    )  # fmt: skip
    return any(source in known for source in sources) or any(
        base.denominator != 1 and abs(base - value) <= Fraction(1, 100) for base in known
    )


_RUN = re.compile(r"\d{1,40}")
_CHANGES = tuple(map(Fraction, (7, 10, 12, 16, 24, 30, 36, 52, 60, 100, 365, 1000, 1440, 3600)))
"""What an amount is multiplied or divided by when it is told in another everyday unit."""


def _shown(case: Case) -> set[Fraction]:
    """Every number that an answer shows, its code blocks and what is no arithmetic included."""
    row = tokens(case.answer) if case.blocks else case.row
    shown_numbers = named_numbers(row)
    for token in row:
        if token.kind == "bad":
            shown_numbers.update(Fraction(digits) for digits in _RUN.findall(token.text))
    # "3 years" may be three equal steps: 1.05 * 1.05 * 1.05.
    times = Counter(token.value for token in row if token.kind == "number")
    return shown_numbers | {Fraction(count) for count in times.values() if count > 1}


def _is_used(given: Fraction, used: set[Fraction], pointed: list[Fraction]) -> bool:
    """Whether a number greater than 1 is shown in any usual form; `pointed` are those in order
    that are written with a point, which may be rounded: 0.33 for a third.
    """
    if given in used:  # as most are
        return True
    share = given / 100
    forms = {
        given, share, 1 - share, 1 + share, 100 - given, 100 + given, 1 / given, 1 - 1 / given,
        1 + 1 / given, *(given * by for by in _CHANGES), *(given / by for by in _CHANGES),
    }  # fmt: skip
    return not forms.isdisjoint(used) or any(_near(form, pointed) for form in forms)


def _near(form: Fraction, pointed: list[Fraction]) -> bool:
    off = abs(form) / 100
    place = bisect_left(pointed, form - off)
    return place < len(pointed) and pointed[place] <= form + off


def _unused(given: list[Token], used: set[Fraction]) -> Iterator[Check]:
    pointed = sorted(number for number in used if number.denominator != 1)
    asked = dict.fromkeys(token.value for token in given if token.value > 1)
    missing = (value for value in asked if not _is_used(value, used, pointed))
    for value in islice(missing, MOST_HINTS):
        yield finding.whole(
            UNUSED, "wrong",
            f"The question gives {shown(value)}, and the answer shows no usual form of it.",
            severity="hint", expected=shown(value),
        )  # fmt: skip
