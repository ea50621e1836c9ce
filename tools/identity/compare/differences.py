"""What differs between two errors that look alike, by its kind, for a reader.

Rule of this module: it describes and decides nothing. What it shows are two tokens of one slot;
where two lines are no forms of one line, or differ in more, it shows nothing.
"""

from reflection_mcp.tools.identity.compare import alignment
from reflection_mcp.tools.identity.compare.statements import content
from reflection_mcp.tools.identity.compare.tokens import ratio, says, tokens
from reflection_mcp.tools.identity.extract.report import Report, Statement
from reflection_mcp.tools.identity.mask.numbers import DATA
from reflection_mcp.tools.identity.mask.paths import extension_of
from reflection_mcp.tools.identity.match_records import Difference
from reflection_mcp.tools.identity.regex import compiled
from reflection_mcp.tools.identity.rules.vocabulary import words

UNKNOWN = "word"
"""The kind of two tokens of which nothing is known but that they differ."""
_MOST = 2
_ONE_FORM = 50.0
"""From here on two lines are forms of one line (percent of tokens in common)."""
_KIND_WORDS = (
    ("module", frozenset(("module", "package", "import", "library", "crate", "dependency"))),
    ("file", frozenset(("file", "directory", "open", "stylesheet"))),
    ("host", frozenset(("host", "server", "getaddrinfo", "enotfound", "connect"))),
    ("type", frozenset(("type", "types", "expected", "unsupported"))),
    ("symbol", frozenset(("attribute", "property", "name", "column", "function", "method"))),
    ("key", frozenset(("key", "field", "keyerror", "variable", "argument"))),
)
_HEX = r"x[0-9a-f]{8}"
_VERSIONED = r"([a-z]+[_.-]?)\d[\d._]*"


def shared_of(a: Report, b: Report) -> float:
    """How much of their words two errors have in common, 0 to 1; the headlines count most."""
    tops = ratio(tokens(a.statements[0].text), tokens(b.statements[0].text)) / 100
    mine = frozenset[str]().union(*(content(s.text) for s in a.statements))
    theirs = frozenset[str]().union(*(content(s.text) for s in b.statements))
    whole = len(mine | theirs)
    return max(tops, len(mine & theirs) / whole if whole else 0.0)


def _nearest_pair(a: Report, b: Report) -> tuple[Statement, Statement]:
    pairs = [(a.statements[0], b.statements[0])]
    pairs += [(s, t) for s in a.statements[:4] for t in b.statements[:4] if s.text != t.text]
    return max(
        pairs, key=lambda p: (p[0].text != p[1].text, ratio(tokens(p[0].text), tokens(p[1].text)))
    )


def _kind(before: tuple[str, ...], here: str, there: str) -> str:
    """What two tokens are, by their shape and the words before them."""
    near = set(before[-6:])
    if here.isdigit() and there.isdigit():
        if {here, there} <= words("statuses"):
            return "status"
        host = before[-2] if before[-1:] == (":",) and len(before) > 1 else ""
        if "port" in near or host[:1] == "<" or "." in host:
            return "port"
        return "exit code" if near & {"exit", "exited"} else "code"
    if here.endswith(("error", "exception")) and there.endswith(("error", "exception")):
        return "exception type"
    if compiled(_HEX).fullmatch(here) and compiled(_HEX).fullmatch(there):
        return "code"
    one, other = (compiled(_VERSIONED).fullmatch(token) for token in (here, there))
    if one and other and one[1] == other[1]:
        return "version" if one[1].strip("_.-v") else "code"
    near = set(before[-4:])
    kind = next((kind for kind, said in _KIND_WORDS if near & said), UNKNOWN)
    if kind in (UNKNOWN, "host") and (extension_of(here) or extension_of(there)):
        return "file"
    return kind if kind != UNKNOWN or (here.isalpha() and there.isalpha()) else "name"


def _said(part: tuple[str, ...]) -> list[str]:
    return [token for token in part if says(token) or token.isdigit()]


def slots(one: str, other: str) -> tuple[Difference, ...]:
    """The tokens that two forms of one line have in one slot, the shortest slots first."""
    left, right = tokens(one), tokens(other)
    if ratio(left, right) < _ONE_FORM:
        return ()
    found: list[Difference] = []
    at = 0
    for mine, theirs in alignment.differences(left, right):
        while left[at : at + len(mine)] != mine:
            at += 1
        here, there = _said(mine), _said(theirs)
        if DATA not in mine + theirs and len(here) == len(there) == 1:
            kind = _kind(left[:at], here[0], there[0])
            found.append(Difference(kind=kind, here=_shown(here[0]), there=_shown(there[0])))
        at += len(mine)
    found.sort(key=lambda each: len(each.here) + len(each.there))
    return tuple(dict.fromkeys(found))[:_MOST]


def _shown(token: str) -> str:
    return f"0{token}" if compiled(_HEX).fullmatch(token) else token


def differences_of(a: Report, b: Report) -> tuple[Difference, ...]:
    """The tokens in which the lines that are nearest to each other differ."""
    one, other = _nearest_pair(a, b)
    if one.type != other.type and one.type and other.type:
        return (Difference(kind="exception type", here=one.type, there=other.type),)
    return slots(one.text, other.text)
