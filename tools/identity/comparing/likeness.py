"""Decides whether two patterns that are not equal are nevertheless the same error.

Rule of this module: no threshold on similarity. Two errors are the same only if every difference
between them is one that cannot carry meaning; the first that can is a veto and is named. All that
one error says beyond the other must be on one side: then the other was merely told in fewer words.
A wrong merge misleads, a miss costs one look-up.
"""

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from reflection_mcp.store.records import Pattern
from reflection_mcp.tools.identity.comparing.differences import Gap
from reflection_mcp.tools.identity.comparing.line_difference import compare_lines, plainly_apart
from reflection_mcp.tools.identity.comparing.place import is_one_place
from reflection_mcp.tools.identity.comparing.quoting import told_in_passing
from reflection_mcp.tools.identity.keys import ABOVE_THE_END, bare, context_of, verdict_of
from reflection_mcp.tools.identity.recognition import Difference
from reflection_mcp.tools.identity.rule import compiled
from reflection_mcp.tools.identity.tokens import DECORATION, content, names_type, tokens
from reflection_mcp.tools.identity.verdicts.noise import is_generic

_PAIR = 0.5
"""Lines that share less (Dice) are not two wordings of one line, unless one holds the other."""
_NOTE_PAIR = 0.5
_ENOUGH = 3
_LEAST_SHARE = 0.3
"""So much of the longer error must also stand in the shorter one."""
_MOST_DIFFERENCES = 3
_QUALIFIED = r"<url |\S*\w[_/:@-]\w|(?:\w+\.){2}\w"
"""A host, or a name of several parts: `git@host`, `com.acme.Shop`, `no-unused-vars`."""


class _Alignment(NamedTuple):
    """The lines of two errors brought together, and what only one of them has.

    `apart` is set where no more was asked than whether they are apart, and they plainly are.
    """

    differences: list[Gap]
    additions: list[Gap]
    shared: int
    here: list[str]
    there: list[str]
    apart: bool = False


class _Told(NamedTuple):
    """What an error says: its lines without quotes, and their words."""

    lines: tuple[str, ...]
    words: tuple[str, ...]


@lru_cache(maxsize=64)  # what is asked about is held against each of the candidates
def _told(pattern: Pattern) -> _Told:
    lines = tuple(map(bare, verdict_of(pattern)))
    return _Told(lines, tuple(token for line in lines for token in tokens(line)))


def overlap(mine: Sequence[str], theirs: Sequence[str]) -> float:
    """Dice's coefficient of two sets of tokens, 0..1."""
    if not mine or not theirs:
        return 0.0
    one, other = set(mine), set(theirs)
    return 2 * len(one & other) / (len(one) + len(other))


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
        words = min(len(set(filter(content, _told(one).words))) for one in (mine, theirs))
        if not is_one_place(place, other_place, words):
            found.append(Gap([place], [other_place], kind="location"))
        elif port and other_port:
            found.append(Gap([port], [other_port], kind="port"))
    return found


def kept_apart(mine: Pattern, theirs: Pattern) -> bool:
    """Whether type, place or notes say that two errors with one message are two."""
    return bool(_vetoes(mine, theirs) or notes_apart(mine, theirs))


def notes_apart(mine: Pattern, theirs: Pattern) -> list[Gap]:
    """Notes that say the same of something else; a note that only one side has says nothing."""
    here = context_of(mine)
    there = context_of(theirs) if here else []
    for line in (line for line in here if line not in there):
        for other in (other for other in there if other not in here):
            ended = line.startswith(ABOVE_THE_END) and other.startswith(ABOVE_THE_END)
            if ended or overlap(tokens(line), tokens(other)) >= _NOTE_PAIR:
                found = compare_lines(line, other).differences
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
    """The line of the other error that says the same in other words.

    A line that many causes end in is no wording of one that tells a cause.
    """
    words = tokens(line)
    others = [other for other in others if is_generic(other) == is_generic(line)]
    best = max(((overlap(words, tokens(other)), other) for other in others), default=(0.0, ""))
    if best[0] >= _PAIR:
        return best[1]
    if shared + len(words) < _ENOUGH:
        return None
    return next((other for other in others if line in other or other in line), None)


def _align(left: Sequence[str], right: Sequence[str], *, until_apart: bool = False) -> _Alignment:
    """Bring together the lines that say the same; `until_apart` ends where two plainly do not."""
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
        if until_apart and plainly_apart(line, other):
            return _Alignment([], [], 0, [], [], apart=True)
        others.remove(other)
        result = compare_lines(line, other)
        shared += result.shared
        found += result.differences
        added += result.additions
    return _Alignment(found, added, shared, alone, others)


def _names_its_subject(lines: Sequence[str]) -> bool:
    """Whether all that is said is one line, with a name in it that is no word of a language."""
    return len(lines) == 1 and any(
        content(token) and compiled(_QUALIFIED).match(token) for token in tokens(lines[0])
    )


def _telling(lines: Sequence[str]) -> list[str]:
    """The lines that say something: many causes end in a generic one, a level says nothing.

    A hint of git says again what the line above it says.
    """
    return [
        line
        for line in lines
        if not (
            is_generic(line) or line.startswith("hint: ") or DECORATION.issuperset(tokens(line))
        )
    ]


def _left_over(left: Sequence[str], right: Sequence[str], met: _Alignment) -> list[Gap]:
    """What speaks against one error in what only one of the two says.

    It may say more, if it alone does, and if what is shared is their first line, or its first or
    last line and no small part of it; or all of the other, which names its subject in one line.
    """
    added = list(met.additions)
    if met.shared > 1:
        here, there = _telling(met.here), _telling(met.there)
        if here or there or not (met.here and met.there):
            met = met._replace(here=here, there=there)
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
    shorter = right if met.here else left
    named = met.shared > _ENOUGH and _names_its_subject(shorter)
    enough = named or (met.shared >= _ENOUGH and met.shared >= _LEAST_SHARE * words)
    return [] if framed and enough else added


class Likeness:
    """Whether two patterns are one error, what tells them apart, and how much they share (0..1).

    Each answer is worked out when it is asked for: of most candidates nobody asks what exactly
    differs, and that is what takes long.
    """

    def __init__(self, mine: Pattern, theirs: Pattern) -> None:
        self._mine, self._theirs = mine, theirs
        self._here, self._there = _told(mine), _told(theirs)

    @cached_property
    def shared(self) -> float:
        """How much of their words they share, 0..1."""
        return overlap(self._here.words, self._there.words)

    @cached_property
    def same(self) -> bool:
        """Whether they are one error."""
        if self._parted:
            return False
        if self._plainly_one:
            return True
        met = self._met_until_apart
        return not met.apart and met.shared > 1 and not self.gaps

    @cached_property
    def gaps(self) -> tuple[Gap, ...]:
        """All that tells them apart."""
        if not self._parted and self._plainly_one:
            return ()
        left_over = _left_over(self._here.lines, self._there.lines, self._met)
        return (*self._parted, *self._met.differences, *left_over)

    @property
    def differences(self) -> tuple[Difference, ...]:
        """The first few of what tells them apart, by its kind."""
        return tuple(gap.named() for gap in self.gaps[:_MOST_DIFFERENCES])

    @cached_property
    def quoted(self) -> bool:
        """Whether one is a sentence that quotes what the other says."""
        return told_in_passing(self._mine, self._theirs)

    @cached_property
    def _parted(self) -> list[Gap]:
        return _vetoes(self._mine, self._theirs) or notes_apart(self._mine, self._theirs)

    @cached_property
    def _plainly_one(self) -> bool:
        return (
            self._here.words == self._there.words
            or _bare_type(self._mine, self._theirs)
            or _told_shorter(self._mine, self._theirs)
            or _collapsed(self._here.lines, self._there.lines)
            or self.quoted
        )

    @cached_property
    def _met_until_apart(self) -> _Alignment:
        return _align(self._here.lines, self._there.lines, until_apart=True)

    @cached_property
    def _met(self) -> _Alignment:
        met = self._met_until_apart
        return _align(self._here.lines, self._there.lines) if met.apart else met
