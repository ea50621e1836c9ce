"""The look of a secret, and of the values that only take its place.

Rules of this module:

- How much a value has to prove depends on its position; `Demand` names the degrees.
- A value that refers to a secret ("${DB_PASSWORD}", `<your key>`), reports that there is none
  (`null`, `required`, `invalid`), or names its type, is not the secret.
- Source code and sentences are not secrets: `password=password)`, `password: at least 8`.

The tables are `stand_ins.rules` and `values.words`.
"""

import re
from enum import Enum
from functools import cache

from reflection_mcp.tools.data_files import rules, words
from reflection_mcp.tools.redaction.letter_pairs import odd_share
from reflection_mcp.tools.redaction.random_strings import is_hexadecimal, piece_length
from reflection_mcp.tools.regex import compiled

LOOSE = 3.7
"""Characters per piece (`random_strings`) of what may be a token: random base 36 has 2.5, base 62
has 1.9, `user2819` has 4."""
ODD, ODDER, LONG = 0.32, 0.4, 16
"""Share of odd pairs (`letter_pairs`) from which on a string this long has no words in it: in one
case, and in changing case, where names have some too."""

MOST_WORDS = 6
"""Words of a password that is no phrase; a message is longer."""


class Filter(Enum):
    """A degree of proof that a value needs before it is taken for a secret."""

    ANYTHING = "not a stand-in"
    PASSWORD = "not a stand-in, code or prose"
    MIXED = "letters with digits or signs, or long and not words"
    TOKEN = "letters and digits, not words, 8 characters or more"
    CODE = "random, or 32 digits in base 16"
    RANDOM = "random, and no digest or id"


_KEYWORDS = (
    r"(?:self|this|cls|args?|kwargs|config|conf|cfg|settings|options?|opts|params?|env|os|sys|req"
    r"|request|ctx|data|input|get[A-Za-z]*|new|await|lambda|function|return|let|const|var)"
)
_ACCESS = r"(?:\.|->|::|\?\.)"
_CODE = (
    rf"{_KEYWORDS}(?:(?:{_ACCESS}|[(\[]).*)?"
    rf"|[A-Za-z_$][\w$]*(?:{_ACCESS}[A-Za-z_$][\w$]*)*[(\[{{].*"  # a call, an index
    rf"|[A-Za-z_$]+\d?(?:{_ACCESS}[A-Za-z_$]+)+"  # an attribute
    r"|[(\[{](?:\$?[A-Za-z_][\w.]*)?(?:[(\[{\]:?].*)?"  # a tuple, a list, a block
    r"|[A-Z][A-Za-z]+-[A-Z][A-Za-z]+"  # a command of PowerShell
    r"|\\{0,3}\$[A-Za-z_][\w:]*[-.:\[({].*"  # a variable of PHP or Perl
)
_PROSE = (
    r"\b(?:the|is|are|was|be|must|should|not|cannot|can't|for|at|of|or|and|to|in|with|may|has|have"
    r"|this|that|your|please|enter|confirm|new|old|current|repeat|forgot|required|invalid|incorrect"
    r"|too|least|field|expected)\b"
)

_TECHNICAL = (
    r"(?:md|sha|s?crypt|bcrypt|yescrypt|pbkdf|argon|blake|utf|base|oauth|ssh|ntlmv?|kerberos|krb"
    r"|latin|ascii|ldapv?|smbv?|tlsv?|ipv|httpv?|python|windows|version|field|line|arg|param|group"
    r"|column|step|option|user|row|part|level|type|test|value|item|key|slot|index|node"
    r"|[a-z]?aes|rsa|e?[cd]?dsa|des|chacha|rc|gpio)[-_]?\d.*|x509.*|v\d{1,4}\..*"
)
_PIECE = r"(?:[a-z]+\d{0,4}|[a-z]\d{1,2}[a-z]|\d{1,8})"
_NAME = rf"(?=.*[a-z]){_PIECE}(?:[-._/:]{_PIECE})+|0x[0-9a-f]{{1,8}}"
_SIGN_WITHIN = r"(?=[^@]*@?[^@.]*\Z)[A-Za-z0-9]+[@$!][A-Za-z0-9@$!]+"
_DIGIT_WITHIN = r"[A-Za-z]+[0-9][A-Za-z0-9]*[A-Za-z][A-Za-z0-9]*[!?]?"
_ESCAPE = r"\\{1,3}u[0-9a-fA-F]{4}"
_TYPED = r"(?=.*?[a-z])(?=.*?[A-Z])(?=.*?\d)(?=.*?[!@#$%^&*])[\w!@#$%^&*+-]{8,64}"
_BOTH = r"(?=.*?[0-9]).*?[A-Za-z]"


def is_code(value: str) -> bool:
    """Return True if a value is an expression of a programming language."""
    return compiled(_CODE).fullmatch(value) is not None


def is_sentence(value: str) -> bool:
    """Return True if a value has words that only sentences have."""
    return compiled(_PROSE).search(value.casefold()) is not None


def is_wordlike(value: str) -> bool:
    """Return True if a value could be a word of a sentence or a number."""
    return compiled(r"[A-Za-z'_-]+|\d{1,5}(?:-?[a-z]+)?|v?[\d.]+").fullmatch(value) is not None


def is_secret(value: str, demand: Filter) -> bool:
    """Return True if a value meets the demand."""
    value = compiled(_ESCAPE).sub("\u00e9", value.strip(" \t\"'"))
    plain = value.casefold()
    if not plain or plain.rstrip("?") in _words("nothing") or _stand_in().fullmatch(plain):
        return False
    if demand is Filter.ANYTHING:
        return True
    if not value.isascii() and not compiled(r"[0-9!@#$%^&*+~]").search(value):
        return False  # the word for a password, in a catalogue of a language
    if any(map(str.isspace, value)):
        phrase = demand is Filter.PASSWORD and _is_phrase(plain)
        return phrase or (demand in (Filter.PASSWORD, Filter.MIXED) and _is_scrambled(value))
    if compiled(r"_*[A-Z]+(?:_(?:[A-Z]+\d{0,3}|\d{1,4}))+_*").fullmatch(value):  # a constant
        return False
    if demand is Filter.PASSWORD:
        return len(value) >= 4
    return _PROOFS[demand](value)


def _is_phrase(plain: str) -> bool:
    """Return True if words are a passphrase: four and more, none of which makes a sentence or is a
    word for a secret."""
    words = plain.split()
    return len(words) >= 4 and not is_sentence(plain) and _words("nothing").isdisjoint(words)


def _is_scrambled(value: str) -> bool:
    """Return True if of a few words two, and half of them, are no words (`p@ss w0rd1`): they have
    symbols or digits within, and none is of a sentence."""
    words = value.split()
    if not 2 <= len(words) <= MOST_WORDS or is_sentence(value):
        return False
    signs = sum(compiled(_SIGN_WITHIN).fullmatch(word) is not None for word in words)
    digits = sum(
        compiled(_DIGIT_WITHIN).fullmatch(word) is not None and not is_technical(word.casefold())
        for word in words
    )
    if signs:
        digits += sum(
            compiled(r"[A-Za-z]+[0-9]{1,4}!?").fullmatch(word) is not None for word in words
        )
    return signs + digits >= 2 and 2 * (signs + digits) >= len(words)


def is_technical(plain: str) -> bool:
    """Return True if a word in lower case is an algorithm, an encoding or a place with its
    number."""
    return compiled(_TECHNICAL).fullmatch(plain) is not None


def _is_mixed(value: str) -> bool:
    if value.isdigit():
        return len(value) >= LONG
    if len(value) < 6 or compiled(_NAME).fullmatch(value) or not any(map(str.isalpha, value)):
        return False
    if len(value) >= LONG and piece_length(value) <= LOOSE:
        return True
    return compiled(r"[0-9!@#$%^&*+~]").search(value) is not None


def _is_token(value: str) -> bool:
    if value.isdigit():
        return len(value) >= 16
    if (
        len(value) < 8
        or compiled(r"\d{4}-\d\d-\d\d|.*\.[a-z]{1,4}\d?$").match(value)
        or compiled(r"[\[\](){}|\\]").search(value)
    ):
        return False
    if is_hexadecimal(value):
        return compiled(_BOTH).match(value) is not None and value[:2] != "0x"
    if _is_random(value):
        return True
    if not compiled(_BOTH).match(value) or compiled(r"[A-Za-z_]+\d{0,3}").fullmatch(value):
        return False
    return not compiled(_NAME).fullmatch(value) and piece_length(value) <= LOOSE


def _is_code(value: str) -> bool:
    if is_hexadecimal(value):
        return len(value) >= 32 and value.isalnum() and not value.isdigit()
    return _is_random(value) or compiled(_TYPED).fullmatch(value) is not None


def _is_random(value: str) -> bool:
    if (
        len(value) < LONG
        or is_hexadecimal(value)
        or compiled(_NAME).fullmatch(value)
        or (value.count("/") == 1 and min(map(odd_share, value.split("/"))) < ODD)  # a path
        or not compiled(r"[\w+/=.~%-]+", re.ASCII).fullmatch(value)
    ):
        return False
    return odd_share(value) >= (ODD if value.islower() or value.isupper() else ODDER)


_PROOFS = {
    Filter.MIXED: _is_mixed,
    Filter.TOKEN: _is_token,
    Filter.CODE: _is_code,
    Filter.RANDOM: _is_random,
}


def _words(section: str) -> frozenset[str]:
    return words("reflection_mcp.tools.redaction", "values.words")[section]


@cache
def _stand_in() -> re.Pattern[str]:
    rows = rules("reflection_mcp.tools.redaction", "stand_ins.rules")
    return re.compile("|".join(row["pattern"] for row in rows))
