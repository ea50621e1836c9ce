"""Keys and tokens of providers: a literal prefix and a random body.

Rules of this module:

- A provider is a row of `providers.txt`. A body is taken from `SHORTEST` characters on, because a
  token that a log has cut short still gives most of itself away; a body shorter than a complete one
  may continue on the next line, because terminals wrap.
- A provider without a row is known by the shape (`token_shapes`): a short word or abbreviation, a
  separator, and a long body without words (`acme_live_`, `da2-`, `s.`). Names of files, hosts,
  versions and resources have the same form. So no piece of the body may be like a word, and a body
  in base 16, as digests and UUIDs are, counts only after a word of secrecy. A string named as an
  id, a digest or an instance stays.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from reflection_mcp.tools.data_files import table
from reflection_mcp.tools.redaction.letter_pairs import odd_share
from reflection_mcp.tools.redaction.random_strings import identifies, is_hexadecimal
from reflection_mcp.tools.regex import compiled

SHORTEST, LONG_ENOUGH, TELLING = 14, 24, 5
"""The least characters after a prefix: fewer are a word more often than a key; after a prefix
shorter than `TELLING` it takes `LONG_ENOUGH` of them."""

AFTER_A_SIGN = (
    r"(?:(?<![A-Za-z0-9])"
    r"|(?<=\\[nrtfvb])|(?<=\\x[0-9A-Fa-f]{2})|(?<=\\u[0-9A-Fa-f]{4})"  # "\\n" in a JSON text
    r"|(?<=%[0-9A-Fa-f]{2})"  # "%3D" in an address
    r"|(?<=\[m)|(?<=\[\dm)|(?<=[\[;]\d\dm)|(?<=;\dm))"  # a colour of a terminal
)
"""The beginning of a token: not within a word, but after an escape that is written with letters."""


@dataclass(frozen=True, slots=True)
class TokenShape:
    """One provider's way of writing a token: any of `prefixes`, then `length` of `characters`.

    `characters` is a set of a regular expression; `digit` is False where a whole token may have no
    digit.
    """

    kind: str
    prefixes: tuple[str, ...]
    characters: str
    length: int
    counter_example: str
    met_in: tuple[str, ...]
    digit: bool = True


@cache
def provider_rows() -> tuple[TokenShape, ...]:
    """The rows of `providers.txt`."""
    return tuple(_row(*row) for row in table("reflection_mcp.tools.redaction", "providers.txt"))


def _row(kind: str, prefixes: str, body: str, counter_example: str, met_in: str) -> TokenShape:
    characters, _, rest = body.rpartition("{")
    length, _, letters = rest.partition("}")
    return TokenShape(
        kind,
        tuple(prefixes.split()),
        characters,
        int(length),
        counter_example,
        tuple(met_in.split()),
        digit=letters != " letters",
    )


def provider_tokens(text: str) -> Iterator[tuple[str, int, int]]:
    """Kind, start and end of every provider's token in a text."""
    prefix, bodies = _expressions()
    at = 0
    while found := prefix.search(text, at):
        at = found.end()
        for shorter in range(len(found[0]), 1, -1):
            for kind, body in bodies.get(found[0][:shorter], ()):
                if match := compiled(body).match(text, found.start() + shorter):
                    yield kind, found.start(), match.end()
                    at = max(at, match.end())


@cache
def _expressions() -> tuple[re.Pattern[str], dict[str, list[tuple[str, str]]]]:
    """One expression for all prefixes, for speed, and the patterns of what may follow each."""
    bodies: dict[str, list[tuple[str, str]]] = {}
    for token in provider_rows():
        for prefix in token.prefixes:
            bodies.setdefault(prefix, []).append((token.kind, _body(token, prefix)))
    # The characters are checked last: hardly any position begins like a token.
    return re.compile(rf"(?={_tree(sorted(bodies))}){AFTER_A_SIGN}{_tree(sorted(bodies))}"), bodies


def _tree(words: list[str]) -> str:
    """An expression for any of the words, longest first, that reads each character once."""
    branches: dict[str, list[str]] = {}
    for word in words:
        if word:
            branches.setdefault(word[0], []).append(word[1:])
    alternatives = [re.escape(first) + _tree(rest) for first, rest in branches.items()]
    if "" in words and alternatives:
        alternatives.append("")
    return "|".join(alternatives) if len(alternatives) < 2 else f"(?:{'|'.join(alternatives)})"


def _body(token: TokenShape, prefix: str) -> str:
    characters = token.characters
    least = min(token.length, SHORTEST if len(prefix) >= TELLING else LONG_ENOUGH)
    digit = rf"(?={characters}{{0,40}}[0-9])" if token.digit else ""
    whole = rf"{characters}{{{token.length},}}+"
    wrapped = (
        rf"{characters}{{8,}}+\\?\r?\n[ \t]{{0,12}}"
        rf"(?={characters}{{0,8}}[0-9]){characters}{{4,}}+"
    )
    escaped = rf"(?:\\u003[dD]{characters}{{0,64}})?" if "=" in characters else ""
    return rf"{digit}(?:{whole}|{wrapped}|{characters}{{{least},}}+){escaped}"


# --------------------------------------------------------------------------- any provider

SHORT_AFTER_SECRECY, SHORT = 16, 20
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
_NUMBER = r"(?<=[._-])(?:[0-9a-fA-F]{32,128}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\Z"
_INSTANCE_OR_FILE = r"\.\d{1,4}\.|\.[a-z]{1,4}\d?\Z"
_IDENTITY = frozenset(
    "id ids hash digest sha sha1 sha256 sha512 md5 rev revision commit build image img container "
    "pod node task job run req request trace span msg message event evt etag file blob layer chunk "
    "cache tmp temp user usr org team project proj public pub cert fingerprint checksum version "
    "urn arn ocid ocid1 urn uuid guid acct account cus sub price prod thread resp call conv step "
    "batch index session txn order invoice page item row v".split()
)


def token_shapes(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield kind, start and end of each string that has the shape of a provider's token."""
    for match in compiled(_SHAPE, re.ASCII).finditer(text):
        whole = match[0].rstrip("._-")
        end = match.start() + len(whole)
        if text[end : end + 1] in ("/", "(", "=", "@", "\\") or not _is_token(whole):
            continue
        if not identifies(text, match.start()):
            yield "token", match.start(), end


def _is_token(whole: str) -> bool:
    if compiled(_INSTANCE_OR_FILE).search(whole):
        return False
    if number := compiled(_NUMBER).search(whole):
        return any(map(_speaks, re.split(r"[._-]+", whole[: number.start()])))
    pieces = re.split(r"[._-]+", whole)
    odd = [odd_share(piece) if len(piece) >= WORD else 1.0 for piece in pieces]
    first = next(
        (at for at, share in enumerate(odd) if at and len(pieces[at]) >= WORD and share >= NO_WORD),
        len(pieces),
    )
    prefix, pieces = pieces[:first], pieces[first:]
    characters = "".join(pieces)
    speaks = any(map(_speaks, prefix))
    if len(characters) < (SHORT_AFTER_SECRECY if speaks else SHORT) or len(prefix) > 4:
        return False
    if not _IDENTITY.isdisjoint(map(str.lower, prefix)):
        return False
    if min(odd[first:]) < ONE_ODD or is_hexadecimal(characters):
        return False
    if characters.isalpha() and (characters.islower() or characters.isupper()) and not speaks:
        return False
    least = ODD if max(map(len, pieces)) >= LONG_PIECE else VERY_ODD
    return odd_share(characters) >= least


def _speaks(piece: str) -> bool:
    """Return True if a piece of a prefix is a word of secrecy."""
    return compiled(_SECRECY).fullmatch(piece.lower()) is not None
