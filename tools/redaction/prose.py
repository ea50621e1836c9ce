"""Secrets in a sentence: `the password is ...`, `mot de passe : ...`, `login as a / ...`.

Rules of this module:

- A language is a row of `sayings.txt`: its names for a secret and the words that introduce it. The
  expressions are matched where an anchor occurs (in lower case) and are bounded, so that they cost
  no more than the length of the text.
- Sentences about passwords are far commoner than sentences that hold one ("the password is
  required", "is MD5-hashed"). So the next word has to be no word at all, or, where the sentence
  ends with it or it is in quotes, to hold a digit or a symbol that names do not hold.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from reflection_mcp.tools.redaction.random_strings import WORDLESS, piece_length
from reflection_mcp.tools.redaction.values import Filter, is_secret, is_technical
from reflection_mcp.tools.regex import compiled

LONGEST = 128
"""The most characters of a secret that somebody types."""
NO_NAME = 10
"""Letters from which on a word in changing case is judged: `KeePassXC` has nine."""


@dataclass(frozen=True, slots=True)
class Saying:
    """The form of a sentence with a secret: one of `names`, one of `links`, the secret.

    Both are expressions for lower case; `anchors` are literal beginnings of the names. In the
    example the secret comes last.
    """

    anchors: tuple[str, ...]
    names: str
    links: str
    example: str
    counter_example: str
    key: bool
    """True if the name may be a JSON key. `labels` reads the keys that it knows, and `clave` is a
    key of any kind."""
    code: bool
    """True if the name may also be that of a code: capitals and digits alone are no password
    then."""


_KNOWN = (
    r"[a-z]+\d{0,3}(?:[-._/:][a-z]+\d{0,3})+|[a-z_]+[-_]\d{1,4}"
    r"|\d{1,4}[-./:]\d.*|\d+[-_]?[a-z]+|\d+[-_]?[^\x00-\x7f]+|.*[/\\(].*|[^@]+@[\w-]+\.[\w.-]+|.*\.[a-z]{1,4}\d?"
)
_JOINED = r"[a-z]{3,}\d[a-z]{3,}|[^\x00-\x7f]{3,}\d{1,2}[^\x00-\x7f]{3,}"
_TYPED = (
    r"(?=.*[0-9])(?=.*[A-Za-z])[!-~]+|\d{6,12}"
    r"|(?=.*[A-Za-z])[!-~]{1,128}?[#%&+@^~$!][0-9A-Za-z][!-~]*"
)


@cache
def sayings() -> tuple[Saying, ...]:
    """The rows of `sayings.txt`."""
    lines = Path(__file__).with_name("sayings.txt").read_text("utf-8").splitlines()
    return tuple(_saying(line) for line in lines if line and line[0] != "#")


def _saying(line: str) -> Saying:
    anchors, names, links, example, stays = line.split(" \u00a6 ")
    flag, _, anchors = anchors.rpartition(": ")
    begins = tuple(anchors.split(","))
    return Saying(begins, names, links, example, stays, key=flag == "key", code=flag == "code")


_FOR = (
    r"(?: (?:for|of|to|für|von|pour|de|du|del|para|do|da|per|di|voor|van) [^\s:=]{1,40}"
    r"(?: [^\s:=]{1,40})?){0,2}"
)
_SIGNS = r"[ \t]{0,4}(?:[:=\uff1a]|->|\u2192)"

_QUOTE = "[\"'`\u201c\u201d\u201e\u2018\u00ab]"
_CLOSED = "[\"'`\u201d\u00bb]"
_STOPS = r"\u3002\u3001\uff0c\uff1b\u0964\u060c\u061b"
_VALUE = rf"(?P<secret>[^\s\"'`\u201c\u201d\u2018\u2019\u00ab\u00bb<>,;{_STOPS}]{{6,{LONGEST}}}+)"
_TWO_DIGITS = "(?=[^0-9]*[0-9][^0-9]*[0-9])"  # "8 characters" in one word has one
_LETTERS = (
    "\u00c0-\u024f\u1e00-\u1eff\u0370-\u03ff\u1f00-\u1fff\u0400-\u052f"
    "\u0590-\u05ff\u0600-\u065f\u066a-\u06ff\u0900-\u0963\u0970-\u097f"
)
"""Latin, Greek, Cyrillic, Hebrew, Arabic, Devanagari: scripts with spaces between words, in which
letters and digits in one word are no prose; Chinese, Japanese and Thai write prose so, and Korean
counts."""
_WRITTEN = rf"{_TWO_DIGITS}(?=.*[A-Za-z{_LETTERS}])[!-~{_LETTERS}]+"
_ENDS = (
    rf"[.)\]]{{0,3}}(?:[\"'`,;\u201c\u201d\u2019\u00bb{_STOPS}]|[ \t]*(?:$|[\r\n]|\()"
    "|[ ]?(?:です|입니다|이에요))"  # the verb ends these sentences
)


def spoken_secrets(text: str, folded: str) -> Iterator[tuple[str, int, int]]:
    """Yield kind, start and end of each secret in a sentence."""
    for saying in sayings():
        for anchor in saying.anchors:
            if anchor in folded:
                break
        else:
            continue
        for match in _expression(saying).finditer(folded):
            start, end = match.span("secret")
            value = text[start:end].rstrip(".)]:?")
            end = start + len(value)
            ends = compiled(_ENDS).match(text, end) is not None
            if _convinces(value, ends=ends) and not (saying.code and value == value.upper()):
                yield "password", start, end


def _convinces(value: str, *, ends: bool) -> bool:
    """Return True if the next word is no word: `ends` says that a sentence or a quotation ends with
    it."""
    plain = value.casefold()
    if (
        is_technical(plain)
        or compiled(_KNOWN).fullmatch(plain)
        or compiled(_JOINED).fullmatch(value)
    ):
        return False
    if not is_secret(value, Filter.PASSWORD):
        return False
    if is_secret(value, Filter.TOKEN) and (value.isascii() or compiled(_TWO_DIGITS).match(value)):
        return True
    if _changes_case(value):
        return True
    if not ends or len(value) < 6:
        return False
    return (
        compiled(_TYPED).fullmatch(value) is not None
        or compiled(_WRITTEN).fullmatch(value) is not None
    )


def _changes_case(value: str) -> bool:
    """Return True if letters alone change case too often for a name of words."""
    return (
        len(value) >= NO_NAME
        and value.isascii()
        and value.isalpha()
        and piece_length(value) <= WORDLESS
    )


@cache
def _expression(saying: Saying) -> re.Pattern[str]:
    # Chinese, Japanese and Thai write no spaces between words, Korean none before a particle.
    some = "0" if saying.names[0] >= "\u0e00" else "1"
    introduced = rf"{_SIGNS}[ \t]{{0,4}}|[ \t]{{{some},4}}(?:{saying.links}):?[ \t]{{{some},4}}"
    key = rf"{_CLOSED}{_SIGNS}[ \t]{{0,4}}{_QUOTE}|" if saying.key else ""
    return re.compile(rf"(?:{saying.names}){_FOR}(?:{key}(?:{introduced}){_QUOTE}?){_VALUE}")
