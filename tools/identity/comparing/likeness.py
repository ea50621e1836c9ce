"""Decides whether two patterns that are not equal are nevertheless the same error.

Rule of this module: no threshold on similarity. Two errors are the same only if every difference
between them is one that cannot carry meaning; the first that can is a veto and is named. All that
one error says beyond the other must be on one side: then the other was merely told in fewer words.
A wrong merge misleads, a miss costs one look-up.
"""

from collections.abc import Sequence
from typing import NamedTuple

from reflection_mcp.store.records import Pattern
from reflection_mcp.tools.identity.comparing.differences import Gap
from reflection_mcp.tools.identity.comparing.line_difference import compare_lines
from reflection_mcp.tools.identity.keys import bare, context_of, verdict_of
from reflection_mcp.tools.identity.recognition import Difference
from reflection_mcp.tools.identity.tokens import content, names_type, tokens
from reflection_mcp.tools.identity.verdicts.noise import is_generic

_PAIR = 0.5
"""Lines that share less (Dice) are not two wordings of one line, unless one holds the other."""
_NOTE_PAIR = 0.5
_ENOUGH = 3
_LEAST_SHARE = 0.3
"""So much of the longer error must also stand in the shorter one."""
_MOST_DIFFERENCES = 3


class Likeness(NamedTuple):
    """Whether two patterns are one error, what tells them apart, and how much they share (0..1)."""

    same: bool
    gaps: tuple[Gap, ...]
    shared: float

    @property
    def differences(self) -> tuple[Difference, ...]:
        """The first few of what tells them apart, by its kind."""
        return tuple(gap.named() for gap in self.gaps[:_MOST_DIFFERENCES])


class _Alignment(NamedTuple):
    """The lines of two errors brought together, and what only one of them has."""

    differences: list[Gap]
    additions: list[Gap]
    shared: int
    here: list[str]
    there: list[str]


def overlap(mine: Sequence[str], theirs: Sequence[str]) -> float:
    """Dice's coefficient of two sets of tokens, 0..1."""
    if not mine or not theirs:
        return 0.0
    one, other = set(mine), set(theirs)
    return 2 * len(one & other) / (len(one) + len(other))


def _is_one_place(one: str, other: str) -> bool:
    """Whether two places are one: only one of them may name the file, or the class of a method."""
    file, _, function = one.partition(":")
    other_file, _, other_function = other.partition(":")
    if not (file and other_file):
        titled = function if not file else other_function  # "cart adds up", no name in the code
        return function == other_function or (bool(file or other_file) and " " in titled)
    short, long = sorted((function, other_function), key=len)
    return file == other_file and (short in ("", long) or long.endswith("." + short))


def _vetoes(mine: Pattern, theirs: Pattern) -> list[Gap]:
    """Differences that no wording can heal: the type, and the place when both are known.

    Two types are no difference when one error names both, as a wrapper and what it wraps.
    """
    found: list[Gap] = []
    one, other = mine.error_type, theirs.error_type
    if one and other and one != other:
        here, there = "\n".join(mine.lines), "\n".join(theirs.lines)
        told = one in here and other in there
        if not told or (other not in here and one not in there):
            found.append(Gap([one], [other], kind="exception type"))
    if mine.location and theirs.location and mine.location != theirs.location:
        place, _, port = mine.location.partition("@")
        other_place, _, other_port = theirs.location.partition("@")
        if not _is_one_place(place, other_place):
            found.append(Gap([place], [other_place], kind="location"))
        elif port and other_port:
            found.append(Gap([port], [other_port], kind="port"))
    return found


def kept_apart(mine: Pattern, theirs: Pattern) -> bool:
    """Whether type, place or notes say that two errors with one message are two."""
    return bool(_vetoes(mine, theirs) or notes_apart(mine, theirs))


def notes_apart(mine: Pattern, theirs: Pattern) -> list[Gap]:
    """Notes that say the same of something else; a note that only one side has says nothing."""
    here, there = context_of(mine), context_of(theirs)
    for line in here:
        for other in there:
            if line != other and overlap(tokens(line), tokens(other)) >= _NOTE_PAIR:
                found = compare_lines(line, other).differences
                replaced = [one for one in found if one.here and one.there]
                if replaced and line not in there and other not in here:
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


def _told_shorter(mine: Pattern, theirs: Pattern) -> bool:
    """Whether one side is the beginning of the other, about one place that is known well.

    A test runner ends with a line a failing test: its name and the first line of the message.
    """
    place = mine.location
    if place is None or place != theirs.location or place.startswith(":") or place.endswith(":"):
        return False
    if mine.error_type is None or mine.error_type != theirs.error_type:
        return False
    shorter, longer = sorted((verdict_of(mine), verdict_of(theirs)), key=len)
    return bool(shorter) and shorter == longer[: len(shorter)]


def _bare_type(mine: Pattern, theirs: Pattern) -> bool:
    """Whether one side is an exception without its message, at the same place as the other."""
    if mine.error_type is None or mine.error_type != theirs.error_type:
        return False
    if mine.location is None or mine.location != theirs.location:
        return False
    return any(len(lines) == 1 and names_type(lines[0]) for lines in (mine.lines, theirs.lines))


def _counterpart(line: str, others: Sequence[str], shared: int) -> str | None:
    """The line of the other error that says the same in other words."""
    words = tokens(line)
    best = max(((overlap(words, tokens(other)), other) for other in others), default=(0.0, ""))
    if best[0] >= _PAIR:
        return best[1]
    if shared + len(words) < _ENOUGH:
        return None
    return next((other for other in others if line in other or other in line), None)


def _align(left: Sequence[str], right: Sequence[str]) -> _Alignment:
    """Bring together the lines that say the same."""
    common = set(left) & set(right)
    telling = [line for line in common if not is_generic(line)]
    shared = sum(content(token) for line in telling for token in tokens(line))
    others = [line for line in right if line not in common]
    alone: list[str] = []
    found: list[Gap] = []
    added: list[Gap] = []
    for line in left:
        if line in common:
            continue
        other = _counterpart(line, others, shared)
        if other is None:
            alone.append(line)
            continue
        others.remove(other)
        result = compare_lines(line, other)
        shared += result.shared
        found += result.differences
        added += result.additions
    return _Alignment(found, added, shared, alone, others)


def _left_over(left: Sequence[str], right: Sequence[str], met: _Alignment) -> list[Gap]:
    """What speaks against one error in what only one of the two says.

    It may say more, if it alone does, and if what is shared is their first line, or its first or
    last line and no small part of it.
    """
    added = list(met.additions)
    if met.here or met.there:
        here, there = met.here[:1], met.there[:1]
        added.append(Gap(tokens("".join(here)), tokens("".join(there))))
    if any(one.here for one in added) and any(one.there for one in added):
        return added
    if not (met.here or met.there):
        return []
    extra, whole = (met.here, left) if met.here else (met.there, right)
    if left[0] == right[0] and not is_generic(left[0]) and met.shared > _ENOUGH:
        return []
    framed = whole[0] not in extra or whole[-1] not in extra
    words = sum(content(token) for line in whole for token in tokens(line))
    enough = met.shared >= _ENOUGH and met.shared >= _LEAST_SHARE * words
    return [] if framed and enough else added


def compare(mine: Pattern, theirs: Pattern) -> Likeness:
    """Compare two patterns."""
    found = _vetoes(mine, theirs) or notes_apart(mine, theirs)
    left = [bare(line) for line in verdict_of(mine)]
    right = [bare(line) for line in verdict_of(theirs)]
    words = [token for line in left for token in tokens(line)]
    other_words = [token for line in right for token in tokens(line)]
    near = overlap(words, other_words)
    if not found and (
        words == other_words
        or _bare_type(mine, theirs)
        or _told_shorter(mine, theirs)
        or _collapsed(left, right)
    ):
        return Likeness(True, (), near)
    met = _align(left, right)
    found += met.differences
    found += _left_over(left, right, met)
    return Likeness(not found and met.shared > 1, tuple(found), near)
