"""Is one quantity given two values?

Rules of this module: a quantity is a name of at least `SHORTEST_NAME` words directly before "is" or
an equals sign, in a sentence of its own; it is given two values when the same name meets two plain
numbers of the same unit. Names that change by nature (a balance, a step, a remainder) are left out,
and so is a text that goes through cases.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from string import ascii_letters

from reflection_mcp.store.records import Check, Status
from reflection_mcp.tools.judging import finding
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.expressions.rounding import shown
from reflection_mcp.tools.judging.texts.hedges import phrases, taken_back

KIND = "consistency"
SHORTEST_NAME = 3
"""Words; shorter names (the total, the price) are used again for other things."""
LONGEST_OPENING, LONGEST_NAME, LONGEST_VALUE = 12, 260, 80
"""Characters of the parts of a statement that its expression never exceeds."""
WINDOW = 120
"""Characters after a value in which it may be taken back."""

_GIVEN = re.compile(
    r"(?:^|[.!?:,;\n*]\s?|\b(?:[Tt]hat|[Ss]o|[Tt]hus|[Tt]hen|[Tt]herefore|[Hh]ence),? )"
    r"[*_ ]{0,3}(?:[Tt]he |[Ii]ts |[Aa] )?"
    r"(?P<name>[A-Za-z][A-Za-z']{1,20}(?: [A-Za-z']{1,20}){1,9})"
    r"[*_]{0,2} ?(?:=|:|is|was) ?[*_]{0,2} ?(?:equal to )?(?P<sign>[$\u20ac\u00a3]?)"
    r"(?P<number>-?\d{1,12}(?:,\d{3}){0,4}(?:\.\d{1,6})?)(?P<unit>%| [a-z]{2,15})?"
    r"(?=[.,;!)*\n]|$| )"
)
# The middle of it, which is quick to find, and the signs that may stand before that.
_RELATION = re.compile(r"(?:=|:|is|was) ?[*_]{0,2} ?(?:equal to )?[$\u20ac\u00a3]?-?\d")
_OF_NAMES = f"{ascii_letters}'*_ "
_MOVES = re.compile(
    r"\b(?:now|then|new|next|remaining|left|balance|current|currently|after|before|previous|step|day"
    r"|round|case|each|every|first|second|third|week|year|month|today|if|when|we|you|he|she|they|it"
    r"|there|this|that|these|which|what|who|so|another|other|one|maximum|minimum|answer|result)\b",
    re.I,
)
_CASES = phrases(
    """
    case
    cases
    scenario*
    option*
    method*
    approach*
    alternatively
    suppose
    plan
    plans
    part
    parts
    problem*
    example*
    question*
    exercise*
    initially
    originally
    previously
    increas*
    decreas*
    updated
    revised
    respectively
    """
)
_GOES_ON = re.compile(
    r" ?(?:[-+*/x(\u00d7\u00f7^=%]|times|plus|minus|more|less|fewer|percent|to |of |or )"
)


def check(case: Case) -> Iterator[Check]:
    """Every second value of a named quantity."""
    # Most texts have none, and to look for cases in them is what takes long.
    found = list(_second_values(case))
    if found and case.english and not _CASES.search(case.prose):
        yield from found


def _second_values(case: Case) -> Iterator[Check]:
    seen: dict[tuple[str, str], tuple[Fraction, str]] = {}
    for name, match in _given(case.prose):
        unit = (match["unit"] or "").strip().rstrip("s") or match["sign"]
        value = Fraction(match["number"].replace(",", ""))
        earlier = seen.setdefault((name, unit), (value, match[0].strip()))
        if earlier[0] == value:
            if earlier[1] != match[0].strip():
                yield _told(case, match, value, value, "")
            continue
        unit_step = Fraction(1, 10 ** len(match["number"].partition(".")[2]))
        if abs(earlier[0] - value) < unit_step:
            continue
        yield _told(case, match, value, earlier[0], f"'{name}' was {shown(earlier[0])} before.")


def _given(text: str) -> Iterator[tuple[str, re.Match[str]]]:
    """The named quantities of a text, each with its name in small letters."""
    read_to = 0
    for relation in _RELATION.finditer(text):
        start = max(read_to, relation.start() - LONGEST_NAME)
        before = text[start : relation.start()]
        other = before.rstrip(_OF_NAMES)  # what can be no part of the name
        if " " not in before[len(other) :].strip():
            continue
        start += max(0, len(other) - LONGEST_OPENING)
        match = _GIVEN.search(text, start, relation.end() + LONGEST_VALUE)
        if match is None:
            continue
        read_to = match.end()
        name = " ".join(match["name"].lower().split())
        if len(name.split()) < SHORTEST_NAME or _MOVES.search(name):
            continue
        if not _GOES_ON.match(text, match.end()):
            yield name, match


def _told(case: Case, match: re.Match[str], value: Fraction, earlier: Fraction, why: str) -> Check:
    doubtful = taken_back(case.prose[match.end() : match.end() + WINDOW])
    status: Status = "ok" if not why else "unchecked" if doubtful else "wrong"
    return finding.at(
        case, match.start("name"), match.end("number"), KIND, status, why,
        stated=shown(value), expected=shown(earlier),
    )  # fmt: skip
