"""What differs between two errors that look alike, by its kind, for a reader.

Rule of this module: it describes and decides nothing.
"""

from reflection_mcp.tools.identity.compare.statements import content
from reflection_mcp.tools.identity.compare.tokens import ratio, says, tokens
from reflection_mcp.tools.identity.extract.report import Report, Statement
from reflection_mcp.tools.identity.mask.paths import extension_of
from reflection_mcp.tools.identity.match import Difference

_MOST = 4
_KIND_WORDS = (
    ("module", frozenset(("module", "package", "import", "library", "crate", "dependency"))),
    ("file", frozenset(("file", "directory", "open"))),
    ("code", frozenset(("exit", "code", "status", "errno", "http", "error"))),
    ("port", frozenset(("port", "address", "connect", "econnrefused"))),
    ("type", frozenset(("type", "types", "expected", "unsupported"))),
    ("symbol", frozenset(("attribute", "property", "name", "key", "column", "function", "field"))),
)


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
    if here.isdigit() or there.isdigit():
        return "port" if ":" in before[-1:] else "code"
    if extension_of(here) or extension_of(there):
        return "file"
    near = set(before[-4:])
    return next((kind for kind, words in _KIND_WORDS if near & words), "word")


def differences_of(a: Report, b: Report) -> tuple[Difference, ...]:
    """The tokens in which the lines that are nearest to each other differ."""
    one, other = _nearest_pair(a, b)
    if one.type != other.type and one.type and other.type:
        return (Difference(kind="exception type", here=one.type, there=other.type),)
    left, right = tokens(one.text), tokens(other.text)
    begin = 0
    while begin < min(len(left), len(right)) and left[begin] == right[begin]:
        begin += 1
    end = 0
    while end < min(len(left), len(right)) - begin and left[-1 - end] == right[-1 - end]:
        end += 1
    mine, theirs = left[begin : len(left) - end], right[begin : len(right) - end]
    if len(mine) == len(theirs) <= 12:
        found = [
            Difference(kind=_kind(left[: begin + at], x, y), here=x, there=y)
            for at, (x, y) in enumerate(zip(mine, theirs, strict=True))
            if x != y
        ]
        if found:
            return tuple(found[:_MOST])
    mine_only = [token for token in mine if says(token) or token.isdigit()]
    theirs_only = [token for token in theirs if says(token) or token.isdigit()]
    if not mine_only and not theirs_only:
        return (Difference(kind="line", here=one.text, there=other.text),)
    return (
        Difference(kind="words", here=" ".join(mine_only[:8]), there=" ".join(theirs_only[:8])),
    )
