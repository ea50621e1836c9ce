"""How two errors compare: exact, same, similar or different.

Rule of this module: two errors are the same when they share a headline and nothing that either side
says contradicts the other. The answer does not depend on their order.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, lru_cache

from reflection_mcp.store.records import Pattern
from reflection_mcp.tools.identity.compare.differences import (
    UNKNOWN,
    differences_of,
    shared_of,
    slots,
)
from reflection_mcp.tools.identity.compare.statements import LEAST_WORDS, alike, differ_in_a_name
from reflection_mcp.tools.identity.compare.tokens import message, says, tokens, weight
from reflection_mcp.tools.identity.compare.vetoes import (
    contradict,
    details_agree,
    noted_otherwise,
    swapped,
)
from reflection_mcp.tools.identity.extract.report import Report, Statement
from reflection_mcp.tools.identity.extract.roles import CONSEQUENCE, MARKED, PLAIN, WORDED
from reflection_mcp.tools.identity.mask.numbers import DATA
from reflection_mcp.tools.identity.match_records import Difference, Elsewhere, Match
from reflection_mcp.tools.identity.pattern import read
from reflection_mcp.tools.identity.rules.vocabulary import phrases, words

_UNTOLD = "both say only that something failed, and not why or where"
LEAST_SHARED = 0.45
"""Share of common words from which on two errors are shown as similar."""
_CLOSE = 0.8
_OF_LINES = ("error", "detail", "context")
"""What separates two errors is a line of each."""
_DIFFERENT = Match(level="different")


def compare(here: Pattern, there: Pattern) -> Match:
    """How two errors compare.

    Args:
        here: the one that was asked about.
        there: the stored one.
    """
    if there.lines < here.lines:
        found = _compare(there, here)
        turned = tuple(
            Difference(kind=d.kind, here=d.there, there=d.here) for d in found.differences
        )
        places = found.elsewhere
        back = Elsewhere(here=places.there, there=places.here) if places else None
        return replace(found, differences=turned, elsewhere=back)
    return _compare(here, there)


def are_one(here: Pattern, there: Pattern) -> bool:
    """Whether two errors are one: `compare` without a description, at a quarter of its cost."""
    here, there = (there, here) if there.lines < here.lines else (here, there)
    a, b = read(here), read(there)
    if not a.statements or not b.statements:
        return False
    return _veto(a, b, here, there) is None and not _apart(a, b)


def _plain(place: str | None) -> str:
    """A place as it is shown: of a file without a function, or the other way round, that alone."""
    return (place or "").strip(":")


def _apart(a: Report, b: Report) -> bool:
    return two_places(a.place, b.place) and not _is_foreign(a, b)


def _compare(here: Pattern, there: Pattern) -> Match:
    a, b = read(here), read(there)
    if not a.statements or not b.statements:
        return _DIFFERENT
    veto = _veto(a, b, here, there)
    apart = _apart(a, b)
    if veto is None:
        if not apart:
            exact = _said(here) == _said(there) and here.location == there.location
            return Match(level="exact" if exact else "same", reason=_reason(a, b), shared=1.0)
        places = Elsewhere(here=_plain(a.place), there=_plain(b.place))
        difference = Difference(kind="place", here=places.here, there=places.there)
        return Match(
            level="similar",
            reason="the same failure in another place",
            differences=(difference,),
            elsewhere=places,
            shared=1.0,
        )
    shared = shared_of(a, b)
    if veto is _NOTHING_TOLD:
        return Match(level="similar", reason=_UNTOLD, close=True, shared=shared)
    if shared < LEAST_SHARED:
        return replace(_DIFFERENT, shared=shared)
    found: tuple[Difference, ...] = (veto,)
    if not veto.kind:
        found = differences_of(a, b)
    elif veto.kind in _OF_LINES:
        found = slots(veto.here, veto.there)
    if apart:
        found = (*found, Difference(kind="place", here=_plain(a.place), there=_plain(b.place)))
    return Match(
        level="similar",
        reason=f"they differ in the {found[0].kind}" if found else "they differ in several words",
        differences=found,
        close=len(found) == 1 and found[0].kind == UNKNOWN and shared > _CLOSE,
        shared=shared,
    )


def _said(pattern: Pattern) -> list[str]:
    return [line for line in pattern.lines if line[:1] != "#"]


_NOTHING_SHARED = Difference(kind="", here="", there="")
_NOTHING_TOLD = Difference(kind="cause", here="", there="")


_ABSENT = re.compile(r"\b(?:not|no \w{1,40}) found\b|\bmissing\b|\bnot installed\b", re.IGNORECASE)


@lru_cache(maxsize=128)
def _tells_an_end(text: str) -> bool:
    """Whether a line says only that something failed or how a program ended: a segmentation fault,
    a killed process, an exit code. Any fault may end like that; that something is not there is a
    cause, even where its name is that of a tool ("docker: command not found")."""
    if _ABSENT.search(text):
        return False
    ends, generic = words("words of an end"), words("generic words")
    return all(
        token in ends or token in generic
        for token in tokens(text)
        if token[0].isalpha() or token[0] == "_"
    )


def tells_nothing(report: Report) -> bool:
    """Whether an error names no cause and no location, and has no other output with it."""
    if report.place or report.notes or report.ports:
        return False
    return all(_tells_an_end(line) for s in report.statements for line in (s.text, *s.details))


def _reason(a: Report, b: Report) -> str:
    if a.statements[0].text == b.statements[0].text:
        return "the same message"
    return "the one message holds the other, or differs from it in values and small words"


def two_places(one: str | None, other: str | None) -> bool:
    """Whether two places are two: another function, or another file where no function is named."""
    if not one or not other:
        return False
    file, _, function = one.partition(":")
    other_file, _, other_function = other.partition(":")
    if function and other_function:
        short, long = sorted((function, other_function), key=len)
        if function != other_function and not long.endswith("." + short):
            return True
    return bool(file and other_file and not _one_file(file, other_file))


_SCRIPTS = (".js", ".mjs", ".cjs", ".ts", ".tsx", ".jsx", ".mts", ".vue", ".svelte")


def _one_file(file: str, other: str) -> bool:
    """Whether two names may be one file: a script and the bundle made of it have two."""
    if file == other or file.partition(".")[0] == other.partition(".")[0]:
        return True
    return (
        file.endswith(_SCRIPTS)
        and other.endswith(_SCRIPTS)
        and file.rpartition(".")[2] != other.rpartition(".")[2]
    )


def _is_foreign(a: Report, b: Report) -> bool:
    """Whether both are about a package or interface that is gone: it is gone everywhere."""
    one, other = ("\n".join(s.text for s in each.statements[:2]) for each in (a, b))
    return any(all(part in one and part in other for part in parts) for parts in _place_free())


@cache
def _place_free() -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(phrase.split(" ... ")) for phrase in phrases("place free"))


def _one_place(a: Report, b: Report) -> bool:
    if not a.place or not b.place:
        return False
    pairs = zip(a.place.partition(":"), b.place.partition(":"), strict=True)
    return any(x and x == y and x != ":" for x, y in pairs)


def _veto(a: Report, b: Report, here: Pattern, there: Pattern) -> Difference | None:
    """What tells two errors apart, the place left aside; None if they are one error."""
    if a.ports and b.ports and not set(a.ports) & set(b.ports):
        return Difference(kind="port", here=a.ports[0], there=b.ports[0])
    if types := _named_types(a, b, here, there):
        return types
    top, other_top = a.statements[0], b.statements[0]
    pairs = [(s, t) for s in a.statements for t in b.statements if alike(s, t)]
    heads = [(s, t) for s, t in pairs if s is top or t is other_top]
    if not heads:
        heads = [(s, t) for s, t in pairs if _can_head(s, t)] or _announced(a, b)
    placed = _one_place(a, b)
    if heads and not placed and not set(a.notes) & set(b.notes):
        told = [s.text for s, t in pairs if min(s.strength, t.strength) > CONSEQUENCE]
        told += [
            line for s, t in heads for line in (s.text, t.text, *set(s.details) & set(t.details))
        ]
        if all(map(_tells_an_end, told)):
            return _NOTHING_TOLD
    if not heads:
        bare = min(weight(message(top.text)), weight(message(other_top.text))) == 0
        if placed and bare and top.type and top.type == other_top.type:
            return None
        return _NOTHING_SHARED
    agreed = [(s, t) for s, t in pairs if details_agree(s, t)]
    for s, t in pairs:
        if not any(s is x or t is y for x, y in agreed):
            return _detail_difference(s, t)
    explained = bool(top.details and other_top.details)
    headed = any(s is top or t is other_top for s, t in heads)
    named = (explained or not headed) and differ_in_a_name(top.text, other_top.text)
    if named and not alike(top, other_top):
        return _NOTHING_SHARED
    if parted := contradict(a, b):
        return Difference(kind="error", here=parted[0].text, there=parted[1].text)
    if order := swapped(a, b):
        return Difference(kind="order", here=order[0], there=order[1])
    if not placed and _compares(top) and _compares(other_top) and a.values != b.values:
        here_values, there_values = " ".join(a.values), " ".join(b.values)
        return Difference(kind="value", here=here_values, there=there_values)
    if noted := noted_otherwise(a, b):
        return Difference(kind="context", here=noted[0], there=noted[1])
    return _weighty(a, b, heads, pairs, placed)


_COMPARED = frozenset(
    "assert assertion assertionerror error expected expect received actual got but was were and not"
    " equal equals equality toequal tobe deep strict strictly true false none null".split()
)


def _compares(one: Statement) -> bool:
    """Whether a line says only that two values differ: it is an error of the place that says so."""
    said = tokens(one.text)
    return DATA in said and all(token in _COMPARED for token in said if says(token))


def _named_types(a: Report, b: Report, here: Pattern, there: Pattern) -> Difference | None:
    """Two types of which a caller named one that its text does not name."""
    one, other = here.error_type, there.error_type
    if not one or not other or one == other or (_mentions(a, one) and _mentions(b, other)):
        return None
    return Difference(kind="exception type", here=one, there=other)


def _mentions(report: Report, error_type: str) -> bool:
    texts = (s.text for s in report.statements)
    return any(error_type in "".join(filter(_is_named, text)) for text in texts)


def _is_named(sign: str) -> bool:
    return sign.isalnum() or sign == "_" or sign == "-"


def _announced(a: Report, b: Report) -> list[tuple[Statement, Statement]]:
    """The pairs of a headline and what a headline that ends in a colon announces."""
    left, right = _announcing(a), _announcing(b)
    found = [(s, b.statements[0]) for s in left if alike(s, b.statements[0])]
    found += [(a.statements[0], t) for t in right if alike(a.statements[0], t)]
    return found + [(s, t) for s in left for t in right if alike(s, t)]


def _announcing(report: Report) -> list[Statement]:
    """What belongs to the first statements, as statements of their own."""
    return [
        Statement(detail, one.strength, "", [])
        for one in report.statements[:4]
        if one.strength >= WORDED
        for detail in one.details[:3]
        if weight(message(detail)) >= LEAST_WORDS
    ]


def _can_head(s: Statement, t: Statement) -> bool:
    """Whether a line that both share, and that is no headline, says enough to be one."""
    short = s if len(s.text) < len(t.text) else t
    return min(s.strength, t.strength) >= WORDED and weight(message(short.text)) > LEAST_WORDS


def _detail_difference(s: Statement, t: Statement) -> Difference:
    mine = next((d for d in s.details if d not in t.details), s.text)
    theirs = next((d for d in t.details if d not in s.details), t.text)
    return Difference(kind="detail", here=mine, there=theirs)


def _marked_once(s: Statement, t: Statement) -> bool:
    """Whether two lines have the same words, and one of them says that they are an error."""
    low, high = sorted((s.strength, t.strength))
    one, other = message(s.text), message(t.text)
    return low == PLAIN and high >= MARKED and one == other and weight(one) >= LEAST_WORDS


def _saying(report: Report, other: Report) -> Sequence[Statement]:
    """What a text says, without consequences if the other names none and something is left."""
    if any(t.strength == CONSEQUENCE for t in other.statements):
        return report.statements
    return [s for s in report.statements if s.strength != CONSEQUENCE] or report.statements


def _weighty(
    a: Report,
    b: Report,
    heads: list[tuple[Statement, Statement]],
    pairs: list[tuple[Statement, Statement]],
    placed: bool,
) -> Difference | None:
    """None when what two errors share says enough to be one error."""
    heaviest = max(
        weight(message(s.text if len(s.text) < len(t.text) else t.text)) for s, t in heads
    )
    if heaviest == 0 and any(s.text == t.text and len(message(s.text)) > 0 for s, t in heads):
        return None
    if heaviest == 0:
        one_text = a.statements[0].details == b.statements[0].details and a.place == b.place
        return None if placed or one_text else _NOTHING_SHARED
    strongest = max(min(s.strength, t.strength) for s, t in heads)
    if (
        strongest in (CONSEQUENCE, PLAIN)
        or a.statements[0].strength == CONSEQUENCE
        or b.statements[0].strength == CONSEQUENCE
    ):
        mine, theirs = _saying(a, b), _saying(b, a)
        left = all(any(alike(s, t) for t in b.statements) for s in mine)
        right = all(any(alike(s, t) for s in a.statements) for t in theirs)
        enough = (
            (left and right)
            or (strongest == PLAIN and (left or right) and heaviest >= 2 * LEAST_WORDS)
            or any(_marked_once(s, t) for s, t in heads)
        )
        return None if enough else _NOTHING_SHARED
    if len(pairs) >= max(len(a.statements), len(b.statements)):
        return None
    return None if heaviest >= LEAST_WORDS - 1 or placed else _NOTHING_SHARED
