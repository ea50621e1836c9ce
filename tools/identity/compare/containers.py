"""Do two lines hold the same message in different containers?

Rule of this module: what both have must say what failed and stand at a boundary in both; what is
around it may be named on one side, it may not name two things in one slot.
"""

from functools import lru_cache

from reflection_mcp.tools.identity.compare.alignment import Tokens
from reflection_mcp.tools.identity.compare.tokens import PLACED, says, weight
from reflection_mcp.tools.identity.mask.numbers import DATA
from reflection_mcp.tools.identity.mask.paths import extension_of
from reflection_mcp.tools.identity.rules import vocabulary

_LONGEST = 80
_LEAST_WORDS = 4
_MOST_RUNS = 3
_LEAST_NAMED, _LEAST_PLAIN = 4, 5
"""So many words a message has that names something, or that is only words."""
_ALONE = 8
_LEAST_LABELLED = 4
_SEVERITIES = frozenset(("fatal", "error", "panic"))
_OPENS = frozenset((*":.,([{->|]!=", "error", DATA))
_CLOSES = frozenset(".,;:()[]{}|!-<")
_SETTINGS = frozenset(("yaml", "yml", "json", "toml", "xml", "ini", "conf"))
"""Files that a tool reads: what is wrong in one is wrong in any."""


def _runs(one: Tokens, other: Tokens) -> list[tuple[int, int, int]]:
    """Runs of tokens that both have, the longest first: the length, where it begins in each."""
    found: list[tuple[int, int, int]] = []
    row = [0] * (len(other) + 1)
    for x, token in enumerate(one):
        diagonal = 0
        for y, against in enumerate(other):
            above = row[y + 1]
            n = row[y + 1] = diagonal + 1 if token == against else 0
            ends = x + 1 == len(one) or y + 1 == len(other) or one[x + 1] != other[y + 1]
            if ends and n >= _LEAST_WORDS:
                found.append((n, x - n + 1, y - n + 1))
            diagonal = above
    return sorted(found, reverse=True)[:_MOST_RUNS]


def _names(part: Tokens) -> set[str]:
    """What a part of a line names, besides files and that something failed."""
    return {
        token
        for token in part
        if says(token)
        and not extension_of(token)
        and token not in vocabulary.words("failure words")
    }


def _files(part: Tokens) -> set[str]:
    return {token for token in part if extension_of(token)}


def _may_stand_before(left: Tokens, right: Tokens, said: Tokens) -> bool:
    """Whether two beginnings can be containers of one message."""
    files, others = _files(left), _files(right)
    if files and others and files != others:
        return all(extension_of(token) in _SETTINGS for token in files | others)
    if _is_one_slot(left, right):
        return False
    if not _names(left) & _names(right):
        return True
    mine, theirs = (
        {t for t in part if (says(t) or t.isdigit()) and not extension_of(t)}
        for part in (left, right)
    )
    if mine <= theirs or theirs <= mine:
        return True
    mine, theirs = ({t for t in part if not t.isalpha()} - set(said) for part in (mine, theirs))
    return _stands_alone(said) and not (mine - theirs and theirs - mine)


def _stands_alone(said: Tokens) -> bool:
    """Whether a message says so much that the words around it need not be the same."""
    return weight(said) >= _ALONE or _is_labelled(said)


def _is_labelled(said: Tokens) -> bool:
    """Whether a message begins with a severity of its own."""
    return said[1:2] == (":",) and said[0] in _SEVERITIES


def _is_one_slot(left: Tokens, right: Tokens) -> bool:
    """Whether two beginnings are one wording with another name in it."""
    pairs = [(a, b) for a, b in zip(left, right, strict=False) if a.rstrip("s") != b.rstrip("s")]
    if not pairs or len(left) != len(right):
        return False
    return len(pairs) <= max(1, len(left) // 2) and all(
        a[0].isalnum() and b[0].isalnum() for a, b in pairs
    )


def _may_stand_behind(left: Tokens, right: Tokens, said: Tokens) -> bool:
    """Whether two ends can follow one message: one may say more."""
    ends = says(said[-1]) or not said[-1].isalpha()  # "found for" goes on in the next line
    if ends and not (left and right) and weight(said) >= _LEAST_PLAIN:
        return True
    for part in (left, right):
        if part and part[0] not in _CLOSES and not (part[0] in PLACED and part[1:2] == (DATA,)):
            return False
    mine, theirs = ({t for t in part if says(t) or t.isdigit()} for part in (left, right))
    return mine <= theirs or theirs <= mine


def _says_what_failed(part: Tokens) -> bool:
    said = vocabulary.words("failure words")
    heavy = weight(part)
    if _is_labelled(part):
        return heavy >= _LEAST_LABELLED
    if heavy >= _ALONE:
        return True
    if heavy < _LEAST_NAMED or not any(
        t in said or t.endswith(("error", "exception")) or "_" in t for t in part
    ):
        return False
    named = any(says(token) and not token.isalpha() for token in part)
    return named or heavy >= _LEAST_PLAIN


@lru_cache(maxsize=128)
def one_message(one: Tokens, other: Tokens) -> bool:
    """Whether two lines hold one message, each in a container of its own."""
    small = vocabulary.words("articles")
    one, other = (
        tuple(token for token in part[:_LONGEST] if token not in small) for part in (one, other)
    )
    if weight(tuple(set(one) & set(other))) < _LEAST_WORDS:
        return False
    return any(_holds(one, other, *run) for run in _runs(one, other))


def _holds(one: Tokens, other: Tokens, n: int, x: int, y: int) -> bool:
    left, right = one[:x], other[:y]
    if left and right and _OPENS.isdisjoint((left[-1], right[-1], one[x])):
        return False
    whole = not (left and right) and weight(one[x : x + n]) >= _LEAST_PLAIN
    while (
        n
        and not whole
        and not ((x == 0 or one[x - 1] in _OPENS) and (y == 0 or other[y - 1] in _OPENS))
    ):
        x, y, n = x + 1, y + 1, n - 1
    return (
        _says_what_failed(one[x : x + n])
        and _may_stand_before(left, right, one[x : x + n])
        and _may_stand_behind(one[x + n :], other[y + n :], one[x : x + n])
    )
