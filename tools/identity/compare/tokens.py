"""The tokens of a canonical line, and how much they say.

Rule of this module: a token that says something is a word of three letters that not every error
has, a name or a code.
"""

from collections.abc import Sequence
from functools import lru_cache

from reflection_mcp.tools.identity.mask.numbers import DATA
from reflection_mcp.tools.identity.regex import compiled
from reflection_mcp.tools.identity.rules import vocabulary

_TOKEN = r"<[^>\s]+>|[^\W\d][\w@$-]*(?:(?:[./\\]|::)[\w@$-]+)*|\d+|[^\s\w]"
_LABEL = (
    r"(?:[\w.$]{0,80}(?:error|exception|warning)|error|fatal|panic|docker|caused|by"
    r"|main|thread|uncaught|unhandled|e|err|failed|failure|exec|java|msg|message"
    r"|errmsg|errormessage|reason|stderr|detail)"
)
PUNCTUATION = frozenset(".,:;-()[]{}#*")
PLACED = frozenset(("in", "at", "from", "for", "on"))


# What is remembered, here and in the other modules of identity, is for one look-up, whose lines are
# held against those of each candidate; more would stay in a server that reads ever new texts.
@lru_cache(maxsize=128)
def tokens(text: str) -> tuple[str, ...]:
    """All tokens of a canonical line."""
    return tuple(compiled(_TOKEN).findall(text))


def says(token: str) -> bool:
    """Whether a token says something about the fault."""
    return (
        len(token) > 2
        and token not in vocabulary.words("small words")
        and (token[0].isalpha() or token[0] == "_")
    )


@lru_cache(maxsize=128)
def words(text: str) -> tuple[str, ...]:
    """The words that say something, each once."""
    return tuple(dict.fromkeys(token for token in tokens(text) if says(token)))


@lru_cache(maxsize=128)
def weight(part: tuple[str, ...]) -> int:
    """How many words and codes say something."""
    said = {token for token in part if says(token)}
    return sum(map(_parts, said)) + sum(token.isdigit() for token in part)


def _parts(token: str) -> int:
    """How many words a name is made of, at most three."""
    if token.isalpha():
        return 1
    return min(3, max(1, len(compiled(_PART).findall(token))))


_PART = r"[^\W\d_]{3,}"


@lru_cache(maxsize=128)
def message(text: str) -> tuple[str, ...]:
    """The tokens of a line without the labels in front of it (`error:`, `ValueError:`)."""
    rest = tokens(text)
    while rest:
        stop = rest.index(":") if ":" in rest[:8] else len(rest) if len(rest) < 4 else 0
        if not stop or not all(
            token in "([])" or compiled(_LABEL).fullmatch(token) or token == DATA
            for token in rest[:stop]
        ):
            break
        rest = rest[stop + 1 :]
    end = len(rest)
    while end and rest[end - 1] in "()[]<>.,:;!":
        end -= 1
    if end > 2 and rest[end - 2] in PLACED and rest[end - 1] == DATA:
        end -= 2
    begin = 0
    while begin < end and rest[begin] in "([])!-*.:>\u2022":
        begin += 1
    return rest[begin:end]


@lru_cache(maxsize=128)
def unpunctuated(part: tuple[str, ...]) -> tuple[str, ...]:
    """The tokens without what versions of a tool disagree about; operators stay."""
    return tuple(token for token in part if token not in PUNCTUATION) or part


def common(one: Sequence[str], other: Sequence[str]) -> int:
    """The length of the longest common subsequence; of long ones the first 80 tokens are read."""
    one, other = one[:80], other[:80]
    row = [0] * (len(other) + 1)
    for token in one:
        diagonal = 0
        for at, against in enumerate(other):
            above = row[at + 1]
            if token == against:
                row[at + 1] = diagonal + 1
            elif row[at] > above:
                row[at + 1] = row[at]
            diagonal = above
    return row[-1]


@lru_cache(maxsize=128)
def ratio(one: tuple[str, ...], other: tuple[str, ...]) -> float:
    """How much of two lines is common, 0 to 100."""
    whole = min(len(one), 80) + min(len(other), 80)
    return 200.0 * common(one, other) / whole if whole else 100.0
