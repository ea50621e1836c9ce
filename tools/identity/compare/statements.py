"""When do two statements say one thing?

Rule of this module: equal, or one inside the other, or different in nothing but punctuation, labels
and small words. A word, a name or a code that differs is a difference; so is another order.
"""

from functools import lru_cache

from reflection_mcp.tools.identity.compare.alignment import same_wording
from reflection_mcp.tools.identity.compare.containers import one_message
from reflection_mcp.tools.identity.compare.tokens import (
    PLACED,
    message,
    ratio,
    says,
    tokens,
    unpunctuated,
    weight,
    words,
)
from reflection_mcp.tools.identity.extract.report import Statement
from reflection_mcp.tools.identity.mask.numbers import DATA
from reflection_mcp.tools.identity.mask.paths import extension_of
from reflection_mcp.tools.identity.regex import compiled

LEAST_WORDS = 3
"""Words that a part of a line must have to stand for the whole."""
MANY_WORDS = 6
"""With so many words it needs no punctuation around it."""
TWO_FORMS = 72.0
"""From here on two different lines are forms of one line (percent of tokens in common)."""
_BEFORE = frozenset((*":.)]-([|;,{}!#>", DATA, "error", "fatal"))
_AFTER = frozenset((*".,;()]<[{}:|-!#", DATA))


@lru_cache(maxsize=128)
def inside(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    """Whether one message is a part of the other that can stand for it."""
    n, heavy = len(short), weight(short)
    if heavy < LEAST_WORDS or n > len(long):
        return False
    if heavy >= MANY_WORDS and n < len(long) and short[:-1] == long[: n - 1]:
        last = short[-1]
        if long[n - 1] == last or (
            len(last) > 2 and last.isalpha() and long[n - 1].startswith(last)
        ):
            return True  # cut off
    first = short[0]
    for at in range(len(long) - n + 1):
        if long[at] == first and long[at : at + n] == short:
            begins = at == 0 or long[at - 1] in _BEFORE or heavy >= MANY_WORDS
            after = long[at + n : at + n + 2]
            ends = (
                not after
                or after[0] in _AFTER
                or (after[0] in PLACED and (after[-1] == DATA or bool(extension_of(after[-1]))))
            )
            if begins and ends:
                return True
    return False


def _unfiled(part: tuple[str, ...]) -> tuple[str, ...]:
    """A message without the file in front of it; () where none stands there."""
    if not extension_of(part[0]):
        return ()
    return part[2:] if part[1:2] == (":",) else part[1:]


def _untailed(part: tuple[str, ...]) -> tuple[str, ...]:
    """A message without the one word in brackets at its end; () where none stands there."""
    return part[:-2] if len(part) > 4 and part[-2] in "([" else ()


def _without_name(named: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether a program's name or a key stands before a message that the other has inside."""
    if named[1:2] != (":",) or extension_of(named[0]) or other[1:2] == (":",):
        return False
    return weight(named[2:]) >= MANY_WORDS - 1 and inside(named[2:], other)


_PLAIN_TYPES = frozenset(
    "error exception runtimeexception runtimeerror typeerror importerror modulenotfounderror "
    "unhandledpromiserejectionwarning".split()
)
"""Types that carry or reword another one."""


@lru_cache(maxsize=128)
def _codes(text: str) -> frozenset[str]:
    """What is written like a type or an error code."""
    return frozenset(
        token
        for token in (whole.rpartition(".")[2] or whole for whole in tokens(text))
        if (token.endswith(("error", "exception")) and token not in _PLAIN_TYPES)
        or ("_" in token[1:-1] and "." not in token and "/" not in token)
        or compiled(_CODE).fullmatch(token)
    )


_CODE = r"(?:ts|e|cs|c|lnk|msb|nu|err|ora|gh|net|sc|b|f|w)-?\d{3,6}"


_HEX_CODE = r"0x[89c][0-9a-f]{7}"


@lru_cache(maxsize=128)
def _hex_codes(text: str) -> frozenset[str]:
    return frozenset(compiled(_HEX_CODE).findall(text)) if "0x" in text else frozenset()


_TOLD_BY_CODE = (
    r"(\[winerror -?\d{1,5}\]|\berror c1083:) "
    r"[^:]{1,200}(?:: (.{1,400}?))?(?: \[[^\]\s]{1,200}\])?$"
)
"""A code and the sentence that explains it, what that is about, and the project that is built. The
sentences of these codes name nothing; those of other codes of a compiler name a symbol."""


@lru_cache(maxsize=128)
def _told_by_code(text: str) -> tuple[str, str | None] | None:
    """A line without the sentence that explains its code in some language; None without a code."""
    match = compiled(_TOLD_BY_CODE).search(text) if "err" in text else None
    return (text[: match.end(1)], match[2]) if match else None


def _one_code(one: str, other: str) -> bool:
    """Whether two lines name one code and one thing: the sentence may be in two languages."""
    told, other_told = _told_by_code(one), _told_by_code(other)
    if told and other_told:
        return told == other_told
    if not share_a_code(one, other) or _hex_codes(one) != _hex_codes(other):
        return False
    mine, theirs = _names(one), _names(other)
    return one.isascii() != other.isascii() and len(mine & theirs) > 1


def share_a_code(one: str, other: str) -> bool:
    """Whether two lines name one code of Windows."""
    return bool(_hex_codes(one) & _hex_codes(other))


def codes_differ(one: str, other: str) -> bool:
    """Whether each of two lines names a type or code that the other does not."""
    left, right = _codes(one), _codes(other)
    mine, theirs = left - right, right - left
    if not mine or not theirs:
        return False
    named = {token.endswith(("error", "exception")) for token in mine}
    return bool(named & {token.endswith(("error", "exception")) for token in theirs})


@lru_cache(maxsize=128)
def one_line(one: str, other: str) -> bool:
    """Whether two canonical lines say one thing."""
    if one == other:
        return True
    left, right = message(one), message(other)
    if not left or not right or codes_differ(one, other):
        return False
    if _one_code(one, other):
        return True
    if left == right or unpunctuated(left) == unpunctuated(right) or same_wording(left, right):
        return True
    short, long = (left, right) if len(left) <= len(right) else (right, left)
    whole = sorted((tokens(one), tokens(other)), key=len)
    return (
        inside(short, long)
        or inside(whole[0], whole[1])
        or _unfiled(left) == right
        or _unfiled(right) == left
        or _untailed(left) == right
        or _untailed(right) == left
        or _without_name(short, long)
        or _without_name(long, short)
        or one_message(left, right)
    )


_BUILTIN = frozenset(
    "valueerror keyerror typeerror indexerror attributeerror oserror ioerror assertionerror "
    "lookuperror nameerror connectionrefusederror connectionerror timeouterror".split()
)
"""Types that a program raises itself: the same words under one are another error."""


def _of_two_clients(one: Statement, other: Statement) -> bool:
    """Whether two statements are one message of a server, which two libraries name otherwise."""
    (name, said), (other_name, other_said) = _typed(one), _typed(other)
    if "." not in name + other_name or name.partition(".")[0] == other_name.partition(".")[0]:
        return False
    if not _BUILTIN.isdisjoint((name, other_name)):
        return False
    short, long = sorted((said, other_said), key=len)
    return weight(short) >= MANY_WORDS and (inside(short, long) or one_message(short, long))


def _typed(one: Statement) -> tuple[str, tuple[str, ...]]:
    """The whole name of the type of a statement, and the message behind it."""
    name, _, said = one.text.partition(":")
    return name.rpartition(" ")[2], message(said)


def flattened(one: Statement, other: str) -> bool:
    """Whether a message on several lines is the other one on one line."""
    if not one.details or len(other) <= len(one.text):
        return False
    whole = message(" ".join([one.text, *one.details]))
    plain = tuple(token for token in message(other) if token[0].isalnum())
    told = tuple(token for token in whole if token[0].isalnum())
    if weight(whole) < LEAST_WORDS:
        return False
    # What stands in front of it on the one line may be a box that the other text was taken out of.
    begins = [at for at in range(len(plain)) if plain[at] == told[0]] if weight(told) > 8 else [0]
    return any(
        told[: len(plain) - at] == plain[at:] for at in begins if len(plain) - at > 8 or at == 0
    )


def _one_type(one: str, other: str) -> bool:
    """Whether two types are one: a client may put its own name in front."""
    short, long = sorted((one, other), key=len)
    return short == long or (len(short) >= _LONG_TYPE and long.endswith(short))


_LONG_TYPE = 15


def alike(one: Statement, other: Statement) -> bool:
    """Whether two statements say one thing, their types included."""
    if (
        one.type
        and other.type
        and not _one_type(one.type, other.type)
        and not any(
            f"{name}{mark}" in text
            for name, text in ((one.type, other.text), (other.type, one.text))
            for mark in ":("
        )
    ):
        return _of_two_clients(one, other)
    return (
        one_line(one.text, other.text) or flattened(one, other.text) or flattened(other, one.text)
    )


@lru_cache(maxsize=128)
def two_forms(one: str, other: str) -> bool:
    """Whether two lines are one wording with something else in it."""
    return ratio(tokens(one), tokens(other)) >= TWO_FORMS


@lru_cache(maxsize=128)
def differ_in_a_name(one: str, other: str) -> bool:
    """Whether two forms of a line each have a word that the other lacks, and it is no file."""
    left, right = _names(one), _names(other)
    return bool(left - right) and bool(right - left) and two_forms(one, other)


def _names(text: str) -> set[str]:
    return {word for word in words(text) if not extension_of(word)}


def content(text: str) -> frozenset[str]:
    """The tokens that say something, codes included."""
    return frozenset(token for token in tokens(text) if says(token) or token.isdigit())
