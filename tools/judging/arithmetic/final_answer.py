r"""Is the final answer one that the solution arrived at?

Rules of this module: a final answer is a number behind a marker ("The answer is", `####`,
`\boxed`); it must be a value that stands somewhere before it or can be read off one (rounded, as a
percentage, without its sign); two markers at the very end must name the same value. Without a
computation before it nothing is said.
"""

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from reflection_mcp.store.records import Check, Status
from reflection_mcp.tools.judging import finding
from reflection_mcp.tools.judging.arithmetic.operands import named_numbers
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.expressions.rounding import shown
from reflection_mcp.tools.judging.expressions.statements import Statement
from reflection_mcp.tools.judging.expressions.tokens import Token, tokens
from reflection_mcp.tools.judging.texts.hedges import taken_back

KIND = "final_answer"

_MARKER = re.compile(
    r"####|\\boxed ?\{|(?:[Tt]he|[Mm]y|[Oo]ur)? ?(?:[Ff]inal |[Cc]orrect )?[Aa]nswer"
    r"(?: to (?:the|this) (?:question|problem))?(?: is| =|:)+"
)
_SIGNS = ("####", "boxed", "nswer")
WINDOW = 120
"""Characters after an answer in which it may be taken back."""
_LONGEST_FINAL = 60
_MOST_NUMBERS = 40
_MOST_FINALS = 5
_CLOSING = 240
"""Two markers closer than this are about the same answer."""


_SEVERAL = re.compile(r"\b(?:and|or|part|second|other|respectively)\b|\([a-z]\)|[,;&]")
"""Between two markers: they answer different questions."""


class _Final(NamedTuple):
    """An answer; `marker` is the first letter of its marker."""

    marker: str
    start: int
    end: int
    value: Fraction
    decimals: int


def check(case: Case) -> Iterator[Check]:
    """The final answer against what stands before it, and final answers against each other."""
    text = case.prose
    # Most answers mark none, and to look for a sign is quicker than to try every place.
    finals = list(_finals(text)) if any(sign in text for sign in _SIGNS) else []
    if not finals:
        return
    computed = [
        side.value.number
        for found in case.statements
        if isinstance(found, Statement) and found.start < finals[-1].start
        for side in (found.left, found.right)
    ]
    if not computed:
        yield finding.whole(KIND, "unchecked", "no computation was read")
        return
    last = finals[-1]
    worked_to = max(
        (found.start for found in case.statements if found.start < last.start), default=0
    )
    for other in finals[:-1][-_MOST_FINALS:]:
        near = last.start - other.end < _CLOSING and worked_to < other.end
        several = last.marker == other.marker or _SEVERAL.search(text, other.end, last.start)
        if near and not several and not _reads_off(last, other.value):
            yield _told(case, last, other.value, "just before as")
            return
    before = [token for token in case.row if token.end <= last.start]
    known = named_numbers(before) | named_numbers(case.asked)
    known.update(computed)
    expected = computed[-1]
    if last.value in known or any(_reads_off(last, value) for value in known):
        yield finding.at(case, last.start, last.end, KIND, "ok", "", stated=shown(last.value))
    elif _one_step_away(last.value, known):
        yield finding.at(
            case, last.start, last.end, KIND, "unchecked", "the last step is not written down"
        )
    else:
        yield _told(case, last, expected, "what was computed last is")


def _one_step_away(value: Fraction, known: set[Fraction]) -> bool:
    """Whether the value is the sum, difference, product or quotient of two known ones."""
    numbers = sorted(known)[:_MOST_NUMBERS]
    return any(
        value in (one + other, one * other) or value == abs(one - other) or value * other == one
        for one in numbers
        for other in numbers
    )


def _finals(text: str) -> Iterator[_Final]:
    for marker in _MARKER.finditer(text):
        row = tokens(text, marker.end(), min(len(text), marker.end() + _LONGEST_FINAL))
        while row and row[0].text in (":", "\n", "{"):
            row.pop(0)
        negative = bool(row) and row[0].text == "-"
        number = row[negative] if len(row) > negative else None
        after = row[negative + 1] if len(row) > negative + 1 else None
        if number is None or number.kind != "number" or (after and _goes_on(number, after)):
            continue
        value = -number.value if negative else number.value
        kind = marker[0].strip()[:1].lower()
        yield _Final(
            kind if kind in "#\\" else "a", marker.start(), number.end, value, number.decimals
        )


def _goes_on(number: Token, after: Token) -> bool:
    """3/4, 3x, 2 + 5, 3 to 4 are not plain numbers."""
    if after.kind == "word":
        return (
            after.start == number.end or len(after.text) == 1 or after.text in ("to", "or", "and")
        )
    return after.kind not in ("stop", "close", "percent") and after.text != "}"


def _reads_off(final: _Final, value: Fraction) -> bool:
    unit = Fraction(1, 10**final.decimals)
    return any(
        abs(abs(final.value) - abs(candidate)) < unit or final.value == candidate
        for candidate in (value, value * 100, value / 100)
        if (candidate / unit).denominator != 1 or abs(candidate) == abs(final.value)
    )


def _told(case: Case, final: _Final, expected: Fraction, why: str) -> Check:
    status: Status = "wrong"
    if taken_back(case.prose[final.end : final.end + WINDOW]):
        status = "unchecked"
    return finding.at(
        case, final.start, final.end, KIND, status,
        f"The final answer is given as {shown(final.value)}, but {why} {shown(expected)}.",
        stated=shown(final.value), expected=shown(expected),
    )  # fmt: skip
