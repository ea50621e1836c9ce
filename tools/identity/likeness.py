"""Decides whether two patterns that are not equal are nevertheless the same error.

Rule of this module: no threshold on similarity. Two errors are the same only if every difference
between them is one that cannot carry meaning; the first that can is a veto and is named. A wrong
merge misleads, a miss costs one look-up.

What cannot carry meaning: another masked value; a word that only decorates; what a reporter puts
in front of the whole message (`ClientError: `) or behind it (` (type, code)`); whole lines that
only one side was given. A replaced word always carries meaning.
"""

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from reflection_mcp.store.records import Pattern
from reflection_mcp.tools.identity.differences import difference
from reflection_mcp.tools.identity.keys import bare, context_of, verdict_of
from reflection_mcp.tools.identity.recognition import Difference
from reflection_mcp.tools.identity.tokens import (
    DECORATION,
    NEGATIONS,
    content,
    is_placeholder,
    names_type,
    spans,
    tokens,
)

_LONGEST = 160
"""Tokens of a line that are compared; the rest of a longer line is left out of account."""
_ENOUGH = 3
_PAIR = 0.5
"""Lines that share less (Dice) are not two wordings of one line."""
_CUT = "<cut>"
_ADDRESSES = frozenset(("<ip>", "<loopback>"))
"""A host name here and only an address there may be one host."""


class Likeness(NamedTuple):
    """Whether two patterns are one error, what tells them apart, and how much they share (0..1)."""

    same: bool
    differences: tuple[Difference, ...]
    shared: float


class _Line(NamedTuple):
    differences: list[Difference]
    shared: int


class _Side(NamedTuple):
    """One side of a block of differing tokens: the line, its tokens, and from where to where."""

    line: str
    tokens: Sequence[tuple[str, int, int]]
    start: int
    end: int

    def words(self) -> list[str]:
        found = [token for token, _, _ in self.tokens[self.start : self.end]]
        return [token for token in found if not is_placeholder(token)]

    def before(self) -> str:
        """The text between the block and what precedes it, or the line's beginning."""
        begin = self.tokens[self.start - 1][2] if self.start else 0
        return self.line[begin : self.tokens[self.start][1]]

    def after(self) -> str:
        """The text between the block and what follows it, or the line's end."""
        stop = self.tokens[self.end][1] if self.end < len(self.tokens) else len(self.line)
        return self.line[self.tokens[self.end - 1][2] : stop]


def overlap(mine: Sequence[str], theirs: Sequence[str]) -> float:
    """Dice's coefficient of two sets of tokens, 0..1."""
    if not mine or not theirs:
        return 0.0
    one, other = set(mine), set(theirs)
    return 2 * len(one & other) / (len(one) + len(other))


def _harmless(side: _Side, shared: int) -> bool:
    """Whether words that only one side has cannot change what the line says."""
    words = set(side.words())
    if words <= DECORATION:
        return True
    if words & NEGATIONS:
        return False
    if side.start == 0:
        prefix = side.line[: side.tokens[side.end - 1][2]] + side.after()
        named = prefix.startswith("[")
        return (
            shared >= 3 and side.end <= 24 and not named and any(mark in prefix for mark in ":(-")
        )
    bracketed = "(" in side.before() and ")" in side.after()
    if side.end == len(side.tokens):
        return bracketed or (
            shared >= 3
            and side.before().strip()[:1] in (".", ";", ":", "-", ",", "(")
            and side.end - side.start >= 3
        )
    return bracketed


def _compare(mine: str, theirs: str) -> _Line:
    """Compare two lines that say much the same."""
    left, right = spans(mine)[:_LONGEST], spans(theirs)[:_LONGEST]
    one, other = [token for token, _, _ in left], [token for token, _, _ in right]
    cut = _CUT in one[-1:] + other[-1:]
    found: list[Difference] = []
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    shared = sum(
        content(token)
        for block in matcher.get_matching_blocks()
        for token in one[block.a : block.a + block.size]
    )
    for operation, a, b, c, d in matcher.get_opcodes():
        if operation == "equal":
            continue
        here, there = _Side(mine, left, a, b), _Side(theirs, right, c, d)
        gone, new = here.words(), there.words()
        if not gone and not new:
            continue
        if len(gone) + len(new) == 1 and _ADDRESSES & {*one[a:b], *other[c:d]}:
            continue
        at_end = b == len(left) and d == len(right)
        if (
            cut
            and at_end
            and shared >= 4
            and not (gone and new and _CUT not in one[a:b] + other[c:d])
        ):
            continue
        if (gone and new) or not _harmless(here if gone else there, shared):
            found.append(difference(gone, new, one[:a]))
    return _Line(found, shared)


def _vetoes(mine: Pattern, theirs: Pattern) -> list[Difference]:
    """Differences that no wording can heal: the type, and the place when both are known.

    Two types are no difference when one error names both, as a wrapper and what it wraps.
    """
    found: list[Difference] = []
    one, other = mine.error_type, theirs.error_type
    if one and other and one != other:
        here, there = "\n".join(mine.lines), "\n".join(theirs.lines)
        told = one in here and other in there
        if not told or (other not in here and one not in there):
            found.append(Difference(kind="exception type", here=one, there=other))
    if mine.location and theirs.location and mine.location != theirs.location:
        place, _, port = mine.location.partition("@")
        other_place, _, other_port = theirs.location.partition("@")
        nameless = place.startswith(":") or other_place.startswith(":")
        if place != other_place and not (
            nameless and place.rpartition(":")[2] == other_place.rpartition(":")[2]
        ):
            found.append(Difference(kind="location", here=place, there=other_place))
        elif port and other_port:
            found.append(Difference(kind="port", here=port, there=other_port))
    return found


def _notes(mine: Sequence[str], theirs: Sequence[str]) -> list[Difference]:
    """Notes that say the same of something else; a note that only one side has says nothing."""
    rest = [line for line in mine if line not in theirs]
    others = [line for line in theirs if line not in mine]
    for line in rest:
        for other in others:
            if overlap(tokens(line), tokens(other)) >= 0.7:
                found = _compare(line, other).differences
                replaced = [one for one in found if one.here and one.there]
                if replaced:
                    return replaced
    return []


def _collapsed(mine: Sequence[str], theirs: Sequence[str]) -> bool:
    """Whether one side is one line that holds all lines of the other, in order, from its start."""
    one, many = (mine, theirs) if len(mine) == 1 else (theirs, mine)
    if len(one) != 1 or len(many) < 2:
        return False
    at = 0
    for line in many:
        found = one[0].find(line, at)
        if found < 0 or (at == 0 and found > 0):
            return False
        at = found + len(line)
    return sum(content(token) for line in many for token in tokens(line)) > _ENOUGH


def _bare_type(mine: Pattern, theirs: Pattern) -> bool:
    """Whether one side is an exception without its message, at the same place as the other."""
    if mine.error_type is None or mine.error_type != theirs.error_type:
        return False
    if mine.location is None or mine.location != theirs.location:
        return False
    return any(len(lines) == 1 and names_type(lines[0]) for lines in (mine.lines, theirs.lines))


def compare(mine: Pattern, theirs: Pattern) -> Likeness:
    """Compare two patterns."""
    found = _vetoes(mine, theirs)
    left = [bare(line) for line in verdict_of(mine)]
    right = [bare(line) for line in verdict_of(theirs)]
    every = [token for line in left for token in tokens(line)]
    all_theirs = [token for line in right for token in tokens(line)]
    near = overlap(every, all_theirs)
    if (
        not found
        and left != right
        and (every == all_theirs or _bare_type(mine, theirs) or _collapsed(left, right))
    ):
        return Likeness(True, (), near)
    common = set(left) & set(right)
    shared = sum(content(token) for line in common for token in tokens(line))
    rest = [line for line in left if line not in common]
    others = [line for line in right if line not in common]
    unpaired: list[str] = []
    for line in rest:
        near_by = [(overlap(tokens(line), tokens(other)), other) for other in others]
        best = max(near_by, default=(0.0, ""))
        held = [other for other in others if line in other or other in line]
        if best[0] < _PAIR and not (held and shared + len(tokens(line)) >= 3):
            unpaired.append(line)
            continue
        other = best[1] if best[0] >= _PAIR else held[0]
        others.remove(other)
        result = _compare(line, other)
        shared += result.shared
        found += result.differences
    if unpaired and others:
        found.append(difference(tokens(unpaired[0]), tokens(others[0]), ()))
    elif unpaired or others:
        extra = unpaired or others
        long, side = (left, every) if unpaired else (right, all_theirs)
        whole = long[0] not in extra or long[-1] not in extra
        if not whole or shared < 3 or shared < 0.25 * len(side):
            words = tokens(extra[0])
            found.append(difference(words if unpaired else (), () if unpaired else words, ()))
    found += _notes(context_of(mine), context_of(theirs))
    enough = left == right or shared >= 2
    return Likeness(not found and enough, tuple(found[:3]), near)
