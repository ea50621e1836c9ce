"""Tokens of providers that no row knows: a short prefix, a separator, and a long random body.

Rules of this module:

- Providers that want their tokens to be recognised put a word or an abbreviation before them
  (`acme_live_`, `da2-`, `s.`). The text after it has no words.
- Names of files, hosts, versions and resources have the same form. So no piece of the body may be
  like a word, and a body in base 16, as digests and UUIDs are, counts only after a word of secrecy.
  A string named as an id, a digest or an instance stays.
"""

import re
from collections.abc import Iterator
from functools import cache

from reflection_mcp.tools.redaction.letter_pairs import odd_share
from reflection_mcp.tools.redaction.random_strings import identifies, is_hexadecimal

SHORTEST, SHORT = 16, 20
"""Characters of a body, behind a word of secrecy and without one."""
ODD, VERY_ODD = 0.42, 0.55
"""Share of odd pairs (`letter_pairs`) of a body with a long piece, and of one in short pieces."""
LONG_PIECE = 12
WORD, NO_WORD, ONE_ODD = 4, 0.3, 0.15
"""Characters from which on a piece may be a word, the share with which a body begins, and the least
of a later piece of it."""

_SHAPE = r"(?<![\w.+/=~@$%-])(?=[\w.-]{18})(?P<prefix>[A-Za-z][A-Za-z0-9]{0,11}[._-])[\w.-]{16,420}"
_SECRECY = (
    r"\w{0,8}(?:key|token|tkn|secret|pat|api|auth|pass|cred)s?|sk|rk|pk|pw|tok|sec|live|access"
    r"|refresh|bearer|sess(?:ion)?|priv(?:ate)?"
)
_IDENTITY = frozenset(
    "id ids hash digest sha sha1 sha256 sha512 md5 rev revision commit build image img container "
    "pod node task job run req request trace span msg message event evt etag file blob layer chunk "
    "cache tmp temp user usr org team project proj public pub cert fingerprint checksum version "
    "urn arn ocid ocid1 urn uuid guid acct account cus sub price prod thread resp call conv step "
    "batch index session txn order invoice page item row v".split()
)


def token_shapes(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield kind, start and end of each string that has the shape of a provider's token."""
    rules = _rules()
    for match in rules.shape.finditer(text):
        whole = match[0].rstrip("._-")
        end = match.start() + len(whole)
        if text[end : end + 1] in ("/", "(", "=", "@", "\\") or not _is_token(whole):
            continue
        if not identifies(text, match.start()):
            yield "token", match.start(), end


def _is_token(whole: str) -> bool:
    rules = _rules()
    if rules.instance.search(whole):
        return False
    if number := rules.number.search(whole):
        return any(map(rules.secrecy.fullmatch, rules.cut.split(whole[: number.start()].lower())))
    pieces = rules.cut.split(whole)
    odd = [odd_share(piece) if len(piece) >= WORD else 1.0 for piece in pieces]
    first = next(
        (at for at, share in enumerate(odd) if at and len(pieces[at]) >= WORD and share >= NO_WORD),
        len(pieces),
    )
    prefix, pieces = pieces[:first], pieces[first:]
    said = {piece.lower() for piece in prefix}
    characters = "".join(pieces)
    speaks = any(map(rules.secrecy.fullmatch, said))
    if len(characters) < (SHORTEST if speaks else SHORT) or len(prefix) > 4 or said & _IDENTITY:
        return False
    if min(odd[first:]) < ONE_ODD or is_hexadecimal(characters):
        return False
    if characters.isalpha() and (characters.islower() or characters.isupper()) and not speaks:
        return False
    least = ODD if max(map(len, pieces)) >= LONG_PIECE else VERY_ODD
    return odd_share(characters) >= least


class _Rules:
    """The expressions of this module, compiled at first use."""

    def __init__(self) -> None:
        self.shape = re.compile(_SHAPE, re.ASCII)
        self.number = re.compile(  # in base 16
            r"(?<=[._-])(?:[0-9a-fA-F]{32,128}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\Z"
        )
        self.cut = re.compile(r"[._-]+")
        self.secrecy = re.compile(_SECRECY)
        self.instance = re.compile(r"\.\d{1,4}\.|\.[a-z]{1,4}\d?\Z")  # or a file


@cache
def _rules() -> _Rules:
    return _Rules()
