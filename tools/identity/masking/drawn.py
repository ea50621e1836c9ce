"""Ids that nobody can have thought of: drawn at random, or from the time and at random.

Rule of this module: an id is known by a form that its makers describe, or by being so long and so
mixed that no person would give it as a name; letters and digits that take turns like the words of
a name (`OAuth2TokenV2`, `x86_64-linux-gnu`) are one.
"""

from itertools import pairwise

from reflection_mcp.tools.identity.rule import ANY_DIGIT, Match, Rule, compiled, in_base_16
from reflection_mcp.tools.identity.sieve import DIGIT

_SHORTEST = 18
_SHORTEST_WITH_SEPARATORS = 20
_FEWEST_DIGITS = 2
_MIXED = 0.5
"""So often do upper case, lower case and digits change, per sign, where all three are drawn from:
0.62 on average, and 0.33 in names of many words."""
_ONE_CASE = 0.22
"""So often do letters and digits change where letters have one case: 0.4 on average."""

_WORDS = r"(?:[A-Z][a-z]{1,40}+|[a-z]{3,40}+|[A-Z]{3,40}+|\d{1,3}+|[-_])+"
"""Words and numbers, as people put names together."""
_MANGLED = ("_Z", "__Z", "_R", "$s")
"""Begins what a compiler makes of a name, with the length of each of its parts in between."""


def _kind(sign: str) -> int:
    return 0 if sign.isdigit() else 1 + sign.isupper()


def _changes(chunk: str) -> int:
    return sum(one != other for one, other in pairwise(map(_kind, chunk)))


def _is_drawn(chunk: str, shortest: int, changes: int) -> bool:
    kinds = set(map(_kind, chunk.replace("-", "").replace("_", "")))
    if len(chunk) < shortest or sum(map(str.isdigit, chunk)) < _FEWEST_DIGITS or len(kinds) < 2:
        return False
    if compiled(_WORDS).fullmatch(chunk):
        return False
    return changes >= len(chunk) * (_MIXED if len(kinds) > 2 else _ONE_CASE)


def without_drawn(name: str) -> str:
    """A name with `<id>` for each piece of it that was drawn, or for all of it."""
    if len(name) < _SHORTEST or name.startswith(_MANGLED):
        return name
    chunks = compiled(r"[-_]").split(name)
    changes = sum(map(_changes, chunks))
    mixed = not (name.islower() or name.isupper())
    if mixed and _is_drawn(name, _SHORTEST_WITH_SEPARATORS, changes):
        return "<id>"
    if max(map(len, chunks)) < _SHORTEST:
        return name
    # A service writes the kind in front of its ids; in front of a hash stands what was hashed.
    return compiled(r"(?:\b[a-z]{2,8}_(?![0-9a-f]+(?![A-Za-z\d])))?[A-Za-z\d]{18,}").sub(
        _chunk, name
    )


def _chunk(match: Match) -> str:
    drawn = match[0].rsplit("_", 1)[-1]
    return "<id>" if _is_drawn(drawn, _SHORTEST, _changes(drawn)) else match[0]


def _drawn(match: Match) -> str:
    return without_drawn(match[0])


def _base64(match: Match) -> str:
    kinds = set(map(_kind, match[0].rstrip("=")))
    return "<id>" if len(kinds) > 2 else match[0]


def _card(match: Match) -> str:
    return "<id>" if any(map(str.isalpha, match[0])) else match[0]


_LETTERS = "abcdefghijklmnopqrstuvwxyz"

DRAWN: tuple[Rule, ...] = (
    Rule(
        "id of a trace",
        f"{ANY_DIGIT} {in_base_16('-')}",
        r"[0-9a-f](?<![\w-][0-9a-f])(?:[0-9a-f]?-)?(?:[0-9a-f]{7,8}|[0-9a-f]{31,32})-"
        r"[0-9a-f]{16,24}(?:-[0-9a-f]{1,2}){0,2}(?![\w-])",
        "<id>",
        "lost 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "lost <id>",
        "lost 00-11-22",
    ),
    Rule(
        "address of a network card",
        f"{ANY_DIGIT} {in_base_16(':-.')}",
        r"[0-9A-Fa-f][0-9A-Fa-f](?:([:-])(?<![\w:.-]..[:-])(?:[0-9A-Fa-f]{2}\1){4}[0-9A-Fa-f]{2}|"
        r"[0-9A-Fa-f]{2}\.(?<![\w:.-]....\.)[0-9A-Fa-f]{4}\.[0-9A-Fa-f]{4})(?![\w-]|[.:]\w)",
        _card,
        "no lease for 0e:81:0e:3a:5d:a4",
        "no lease for <id>",
        "at 10:11:12:13:14:15",
    ),
    Rule(
        "token of JSON",
        "eyj",
        r"\beyJ[\w-]{8,2000}\.[\w-]{4,4000}(?:\.[\w-]{0,1000})?",
        "<id>",
        "invalid token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl",
        "invalid token <id>",
        "heyJude",
    ),
    Rule(
        "bytes in base 64",
        f"{ANY_DIGIT} =",
        r"(?<![\w+/=.-])(?=[A-Za-z+/]{0,60}+\d)[\w+/-]{16,4000}+={1,2}(?![\w=])",
        _base64,
        "cannot read Zk3xQ9bT7mW1rY5uC8vN2a==",
        "cannot read <id>",
        "the_price_of_2_apples= 3",
    ),
    Rule(
        "id that begins with a digit",
        "|".join(f"{DIGIT}{letter}" for letter in _LETTERS),
        r"[0-9](?<![\w.@/\\<-][0-9])[\w-]{17,63}(?![\w.])",
        _drawn,
        "order 01J6WK952SWA0432CF1XMWCEJZ is gone",
        "order <id> is gone",
        "2024-06-01T08-00-11-debug",
    ),
)
