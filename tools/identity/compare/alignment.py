"""Do two lines say one thing in different words?

Rule of this module: both lines are laid beside each other token by token; what is left over on
either side must carry no name: small words, values, the same name written in another way, a
sentence in another script. Two words in one slot are two things.
"""

from functools import lru_cache

from reflection_mcp.tools.identity.compare.tokens import PUNCTUATION, weight
from reflection_mcp.tools.identity.mask.numbers import DATA
from reflection_mcp.tools.identity.regex import compiled
from reflection_mcp.tools.identity.rules import vocabulary

_LONGEST = 80
LEAST_COMMON = 4
"""So many words that say something must be common before the rest is looked at."""
_MOST_ADDED = 2
"""So many plain words may stand before what two lines have in common."""
_COUNTED = r"\w*(?:thread|worker|pool|process|task|job|consumer|executor)[-_]\d{1,4}"
"""A name and a number that is drawn: `thread-1`, `worker_12`."""

Tokens = tuple[str, ...]


def differences(one: Tokens, other: Tokens) -> list[tuple[Tokens, Tokens]]:
    """What stands on either side between the tokens that both have, in order."""
    one, other = one[:_LONGEST], other[:_LONGEST]
    rows = [[0] * (len(other) + 1)]
    for token in reversed(one):
        row, below = [0] * (len(other) + 1), rows[-1]
        for at in range(len(other) - 1, -1, -1):
            row[at] = below[at + 1] + 1 if token == other[at] else max(below[at], row[at + 1])
        rows.append(row)
    rows.reverse()
    found: list[tuple[Tokens, Tokens]] = []
    x = y = begin = other_begin = 0
    while x < len(one) and y < len(other):
        if one[x] == other[y]:
            if (begin, other_begin) != (x, y):
                found.append((one[begin:x], other[other_begin:y]))
            x, y = x + 1, y + 1
            begin, other_begin = x, y
        elif rows[x + 1][y] >= rows[x][y + 1]:
            x += 1
        else:
            y += 1
    if begin < len(one) or other_begin < len(other):
        found.append((one[begin:], other[other_begin:]))
    return found


def _is_small(token: str) -> bool:
    return token in PUNCTUATION or token == DATA or token in vocabulary.words("articles")


def _is_plain(token: str) -> bool:
    """Whether a token is a word that may be left out: no name, no code, no negation."""
    return token.isalpha() and token.isascii() and token not in vocabulary.words("failure words")


def _one_name(left: Tokens, right: Tokens) -> bool:
    """Whether two names are one: qualified or not, hyphenated or not, counted."""
    one, other = "".join(left), "".join(right)
    if one.replace("-", "") == other.replace("-", ""):
        return True
    if len(left) == len(right) == 1:
        short, long = sorted((one, other), key=len)
        if long.endswith(("::" + short, "." + short, "/" + short)) or long == short + ".exe":
            return True
        shape = compiled(_COUNTED).fullmatch
        if shape(one) and shape(other):
            return one.rstrip("0123456789") == other.rstrip("0123456789")
    return False


def _harmless(left: Tokens, right: Tokens, first: bool) -> bool:
    mine = tuple(token for token in left if not _is_small(token))
    theirs = tuple(token for token in right if not _is_small(token))
    if not mine and not theirs:
        return True
    if _one_name(mine, theirs):
        return True
    if bool(mine) != bool(theirs):
        return first and len(mine or theirs) <= _MOST_ADDED and all(map(_is_plain, mine or theirs))
    return "".join(mine).isascii() != "".join(theirs).isascii()


@lru_cache(maxsize=128)
def same_wording(one: Tokens, other: Tokens) -> bool:
    """Whether two lines are one wording with nothing in it that names another thing."""
    there = set(other)
    if weight(tuple(token for token in one if token in there)) < LEAST_COMMON:
        return False  # what they have in common in one order is no more than that
    found = differences(one, other)
    left = sum(len(mine) for mine, _ in found)
    shared = weight(one) - weight(tuple(token for mine, _ in found for token in mine))
    if shared < LEAST_COMMON or left > len(one) // 2:
        return False
    return all(
        _harmless(*each, one[: len(each[0])] == each[0] and other[: len(each[1])] == each[1])
        for each in found
    )
