"""Contradictions that make two errors different although they share a headline.

Rule of this module: a veto needs something on both sides that cannot both be true of one error.
What only one side has is never a reason.
"""

from collections.abc import Iterator, Sequence

from reflection_mcp.tools.identity.compare.statements import (
    LEAST_WORDS,
    MANY_WORDS,
    alike,
    differ_in_a_name,
    flattened,
    one_line,
    share_a_code,
    two_forms,
)
from reflection_mcp.tools.identity.compare.tokens import message, says, tokens, weight
from reflection_mcp.tools.identity.extract.report import Report, Statement
from reflection_mcp.tools.identity.extract.roles import THROWN, WORDED
from reflection_mcp.tools.identity.mask.numbers import DATA
from reflection_mcp.tools.identity.regex import compiled

_KEYED = r"(?!errno)([a-z][a-z _]{1,14}?)\s?[:=] ?"
_COUNTS = r"(?:\b\d+|<\*>) (?:validation )?(?:error|problem|failure|issue)s?\b|:$"


def _keyed(details: Sequence[str]) -> dict[str, str]:
    return {match[1]: one for one in details if (match := compiled(_KEYED).match(one))}


def _own(one: Statement) -> list[str]:
    """The details, without more items of a list that the line itself begins."""
    return [detail for detail in one.details if not two_forms(detail, one.text)]


def _unshared(one: Statement, other: Statement) -> list[str]:
    """The details that only one side has, without items of a list."""
    said = [one.text, *one.details]
    return [
        a
        for a in one.details
        if not a.startswith("errno")
        and not any(one_line(a, b) for b in (other.text, *other.details))
        and not any(b is not a and two_forms(a, b) for b in said)
    ]


def _ends_otherwise(one: Statement, other: Statement) -> bool:
    """Whether a sentence of one line begins as one on two lines and ends in another way."""
    if not one.details or len(other.text) <= len(one.text):
        return False
    begin, whole = tokens(one.text), tokens(other.text)
    end, rest = tokens(one.details[0]), whole[len(begin) :]
    return (
        whole[: len(begin)] == begin
        and end[:1] == rest[:1]
        and end[0].isalpha()
        and end[: len(rest)] != rest[: len(end)]
    )


def details_agree(one: Statement, other: Statement) -> bool:
    """Whether what belongs to two statements can belong to one: they share some of it."""
    if _ends_otherwise(one, other) or _ends_otherwise(other, one):
        return False
    mine, theirs = _own(one), _own(other)
    if not mine or not theirs:
        return True
    if not any(one_line(a, b) for a in mine for b in theirs):
        return False
    if _unshared(one, other) and _unshared(other, one):
        return False
    left, right = _keyed(one.details), _keyed(other.details)
    if any(not one_line(left[key], right[key]) for key in left.keys() & right.keys()):
        return False
    if compiled(_COUNTS).search(one.text) and compiled(_COUNTS).search(other.text):
        return one_line(one.details[0], other.details[0])
    return True


def _is_item(one: Statement, report: Report, against: Report) -> bool:
    """Whether a statement is one of a list of which the other side has an item too."""
    return any(
        other is not one
        and two_forms(one.text, other.text)
        and any(alike(other, t) for t in against.statements)
        for other in report.statements
    )


def alone(one: Report, other: Report) -> Iterator[Statement]:
    """The errors that only one side has; an item of a list is no error of its own."""
    floor = min(WORDED, max(s.strength for s in one.statements))
    details = [detail for t in other.statements for detail in t.details]
    for s in one.statements:
        if s.strength < floor or any(alike(s, t) for t in other.statements):
            continue
        if any(one_line(s.text, detail) or flattened(s, detail) for detail in details):
            continue
        if _is_item(s, one, other):
            continue
        yield s


def _outweighs(a: Report, b: Report) -> tuple[int, int]:
    """The strength and the weight of the heaviest error that both have at the head of one of them
    and that names something; what is lighter beside it is no contradiction."""
    best = (0, 0)
    for s in a.statements:
        for t in b.statements:
            if s is not a.statements[0] and t is not b.statements[0]:
                continue
            short = min(message(s.text), message(t.text), key=len)
            heavy = weight(short)
            if heavy <= best[1] or not short or not alike(s, t):
                continue
            named = THROWN in (s.strength, t.strength) or any(
                says(token) and not token.isalpha() for token in short
            )
            if (
                named
                and heavy >= LEAST_WORDS
                and (says(short[-1]) or (short[-1] == DATA and s.strength == t.strength == THROWN))
            ):
                best = (min(s.strength, t.strength), heavy)
    return best


def contradict(a: Report, b: Report) -> tuple[Statement, Statement] | None:
    """An error of each side that the other lacks."""
    left = list(alone(a, b))
    right = list(alone(b, a)) if left else []
    if not right:
        return None
    strength, heavy = _outweighs(a, b)
    for t in right:
        for s in left:
            if not share_a_code(s.text, t.text):
                weaker = max(s.strength, t.strength) < strength or (
                    heavy >= MANY_WORDS
                    and max(s.strength, t.strength) <= strength
                    and 2 * max(weight(message(s.text)), weight(message(t.text))) <= heavy
                )
                if weaker and not two_forms(s.text, t.text):
                    continue
                return s, t
    return None


def swapped(a: Report, b: Report) -> tuple[str, str] | None:
    """The values of one headline, which stand in another order: what was expected is what came."""
    if a.values == b.values or a.statements[0].text != b.statements[0].text:
        return None
    if sorted(a.values) != sorted(b.values):
        return None
    return " ".join(a.values), " ".join(b.values)


def noted_otherwise(a: Report, b: Report) -> tuple[str, str] | None:
    """Lines beside the error that have one form and name something else."""
    left = [note for note in a.notes if note not in b.notes]
    right = [note for note in b.notes if note not in a.notes]
    for p in left:
        for q in right:
            if differ_in_a_name(p, q):
                return p, q
    # What one text has below its error, another has beside it, where a logger cut the margin.
    for here, there in ((a.notes, _details(b)), (_details(a), b.notes)):
        mine, theirs = _keyed(here), _keyed(there)
        for key in mine.keys() & theirs.keys():
            if not one_line(mine[key], theirs[key]):
                return mine[key], theirs[key]
    return None


def _details(report: Report) -> list[str]:
    return [detail for one in report.statements for detail in one.details]
