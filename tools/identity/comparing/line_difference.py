"""Compares two masked lines that say much the same, word by word.

Rule of this module: a replaced word always carries meaning. Words that only one line has are
harmless if they merely decorate, if a reporter put them in front of the whole message
(`ClientError: `) or behind it (` (type, code)`), or if the other line was cut off there. Everything
else is a difference, and is named.
"""

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from reflection_mcp.tools.identity.comparing.differences import Gap
from reflection_mcp.tools.identity.rule import compiled
from reflection_mcp.tools.identity.tokens import (
    DECORATION,
    FORMS,
    NEGATIONS,
    content,
    is_placeholder,
    names_type,
    spans,
    tokens,
)

Token = tuple[str, int, int]

_LONGEST = 160
"""Tokens of a line that are compared; the rest of a longer line is left out of account."""
_LONGEST_PREFIX = 24
_ENOUGH = 3
"""So many words of content must be shared before a prefix or a tail is believed to be one."""
_ENOUGH_FOR_A_NEGATION = 5
"""As many, if the prefix itself says that something was not done."""
_ENOUGH_BEFORE_A_CUT = 4
_ENOUGH_FOR_ANY_REPORTER = 6
"""As many, and the address of what it is about, if both reporters name themselves."""
_REPORTER = r"[a-z]{4,24}: (?=\S)"
_WHERE = frozenset(("in", "at", "from", "on"))
_FILE = r"[\w.-]{1,120}\.[a-z]\w{0,9}"
_DATA = r"[\w.-]{1,120}\.(?:json[5l]?|ndjson|ya?ml|csv|tsv|xml|toml|txt|log)"
_CUT = "<cut>"
_ADDRESSES = frozenset(("<ip>", "<loopback>"))
"""A host name here and only an address there may be one host."""


class LineDifference(NamedTuple):
    """What tells two lines apart, what one of them merely adds, and how many words of content
    they share."""

    differences: list[Gap]
    additions: list[Gap]
    shared: int


class _Block(NamedTuple):
    """Words that one line has and the other has not: the line, its tokens, from where to where."""

    line: str
    tokens: Sequence[Token]
    start: int
    end: int

    def words(self) -> list[str]:
        found = [token for token, _, _ in self.tokens[self.start : self.end]]
        return [token for token in found if not is_placeholder(token)]

    def before(self) -> str:
        """The text between the block and the word before it, or the line's beginning."""
        begin = self.tokens[self.start - 1][2] if self.start else 0
        return self.line[begin : self.tokens[self.start][1]]

    def after(self) -> str:
        """The text between the block and the word after it, or the line's end."""
        stop = self.tokens[self.end][1] if self.end < len(self.tokens) else len(self.line)
        return self.line[self.tokens[self.end - 1][2] : stop]


def _is_prefix(block: _Block, shared: int) -> bool:
    """Whether a block at the beginning is what a reporter puts in front of a message.

    `[component] ` is none: it says whose message it is.
    """
    prefix = block.line[: block.tokens[block.end - 1][2]] + block.after()
    enough = _ENOUGH_FOR_A_NEGATION if set(block.words()) & NEGATIONS else _ENOUGH
    return (
        shared >= enough
        and block.end <= _LONGEST_PREFIX
        and not prefix.startswith("[")
        and any(mark in prefix for mark in ":(-")
    )


def _names_reporter(word: str) -> bool:
    """Whether a word only says who reports: a decoration, a type, the name of a file."""
    return word in DECORATION or names_type(word) or compiled(_FILE).fullmatch(word) is not None


def _is_tail(block: _Block, shared: int) -> bool:
    """Whether a block at the end is a sentence or a remark of its own."""
    return (
        shared >= _ENOUGH
        and block.before().strip(" )]'")[:1] in (".", ";", ":", "-", ",", "(")
        and block.end - block.start >= _ENOUGH
    )


def _says_where(block: _Block) -> bool:
    """Whether a block at the end only names the file in which it happened: ` in cart.php`."""
    found = [token for token, _, _ in block.tokens[block.start : block.end]]
    return (
        len(found) == 2 and found[0] in _WHERE and compiled(_FILE).fullmatch(found[1]) is not None
    )


def _is_harmless(block: _Block, shared: int) -> bool:
    """Whether words that only one line has cannot change what it says."""
    words = set(block.words())
    if block.start == 0:
        return _is_prefix(block, shared)
    if words & NEGATIONS:
        return False
    if "(" in block.before() and ")" in block.after():
        return True
    if block.end < len(block.tokens):
        return False
    return _is_tail(block, shared) or (shared >= _ENOUGH and _says_where(block))


def _is_cut(here: _Block, there: _Block, shared: int) -> bool:
    """Whether two lines part at the end because one of them was cut off there."""
    if here.end < len(here.tokens) or there.end < len(there.tokens):
        return False
    last = {*(token for token, _, _ in (*here.tokens[-1:], *there.tokens[-1:]))}
    return _CUT in last and shared >= _ENOUGH_BEFORE_A_CUT


def _says_type(block: _Block) -> bool:
    """Whether a block at the beginning is the type of an exception, and nothing else."""
    words = block.words()
    types = [word for word in words if names_type(word)]
    return bool(types) and all(word in DECORATION for word in words if word not in types)


def _reported_by_others(here: _Block, there: _Block, shared: int) -> bool:
    """Whether two lines begin differently because two reporters pass on one message.

    One of them adds nothing but the type of an exception, the other names none.
    """
    if here.start or there.start:
        return False
    if here.end == there.end == 1 and _two_reporters(here.line, there.line):
        return shared >= _ENOUGH_FOR_ANY_REPORTER and "<url " in here.line
    if _says_type(here) == _says_type(there):
        return False
    typed, other = (here, there) if _says_type(here) else (there, here)
    return (
        not any(map(names_type, other.words()))
        and ":" in typed.line[: typed.tokens[typed.end - 1][2]] + typed.after()
        and _is_prefix(other, shared)
    )


def _two_reporters(here: str, there: str) -> bool:
    """Whether two lines each begin with the bare name of a program or component."""
    begins = compiled(_REPORTER).match
    return begins(here) is not None and begins(there) is not None


def _merely_decorates(here: _Block, there: _Block) -> bool:
    """Whether nothing is meant by a difference: decoration on one side, a form of it on the other.

    Two words that decorate are still two things where one stands for the other, as a name does.
    """
    gone, new = here.words(), there.words()
    if not (gone and new):
        return not {*gone, *new} - DECORATION
    quoted = here.before().endswith("'") or there.before().endswith("'")
    return (
        not quoted
        and len(gone) == len(new)
        and all(
            one == other or any({one, other} <= forms for forms in FORMS)
            for one, other in zip(gone, new, strict=True)
        )
    )


def _is_data(words: set[str]) -> bool:
    """Whether all that differs is that data came from a file here, and from a pipe there."""
    names = words - {"<stdin>"}
    return (
        len(words) - 1 == len(names) == 1 and compiled(_DATA).fullmatch("".join(names)) is not None
    )


def plainly_apart(here: str, there: str) -> bool:
    """Whether it shows without an alignment that two lines do not say the same.

    Each has a word of its own that says something, and nothing is there that `compare_lines` might
    forgive. It then finds a difference, or an addition on either side: never both are harmless.
    """
    left, right = tokens(here)[:_LONGEST], tokens(there)[:_LONGEST]
    if not left or not right or _CUT in (left[-1], right[-1]):
        return False
    if left[0] != right[0] and _two_reporters(here, there):
        return False
    one, other = set(left), set(right)
    if not (any(map(_tells, one - other)) and any(map(_tells, other - one))):
        return False
    forgiven = _ADDRESSES & (one | other)
    return not forgiven and (_begin_alike(left, right) or not any(map(names_type, one | other)))


def _begin_alike(left: Sequence[str], right: Sequence[str]) -> bool:
    """Whether two lines surely match at their first word, so that no reporter stands before it."""
    first = left[0]
    return first == right[0] and left.count(first) == right.count(first) == 1


def _tells(word: str) -> bool:
    """Whether a word that only one line has must be found as a difference or as an addition."""
    return not is_placeholder(word) and not _names_reporter(word)


def compare_lines(here: str, there: str) -> LineDifference:
    """What tells two lines apart."""
    left, right = spans(here)[:_LONGEST], spans(there)[:_LONGEST]
    one, other = [token for token, _, _ in left], [token for token, _, _ in right]
    matcher = SequenceMatcher(None, one, other, autojunk=False)
    shared = sum(
        content(token)
        for block in matcher.get_matching_blocks()
        for token in one[block.a : block.a + block.size]
    )
    found: list[Gap] = []
    added: list[Gap] = []
    for operation, a, b, c, d in matcher.get_opcodes():
        if operation == "equal":
            continue
        mine, theirs = _Block(here, left, a, b), _Block(there, right, c, d)
        gone, new = mine.words(), theirs.words()
        if not (gone or new) or _is_cut(mine, theirs, shared):
            continue
        if _is_data({*one[a:b], *other[c:d]}):
            continue
        if len(gone) + len(new) == 1 and _ADDRESSES & {*one[a:b], *other[c:d]}:
            continue
        if _reported_by_others(mine, theirs, shared):
            continue
        if _merely_decorates(mine, theirs):
            continue
        if (gone and new) or not _is_harmless(mine if gone else theirs, shared):
            found.append(Gap(gone, new, one[:a]))
        elif not all(map(_names_reporter, gone + new)):
            added.append(Gap(gone, new, one[:a]))
    if not found and one != other and sorted(one) == sorted(other):
        found.append(Gap(one, other, kind="order"))
    return LineDifference(found, added, shared)
