"""The answer to "have I met this before?", from what the store found.

Rule of this module: `exact` and `same` are proved by `compare`, `similar` is everything else that
looks alike and never counts as seen. A pair that a person has separated is never joined again.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import islice

from reflection_mcp.store.interactions import MatchLevel
from reflection_mcp.store.records import Hit, Pattern, Reflection, Scope
from reflection_mcp.tools.identity.compare.errors import are_one, compare, tells_nothing
from reflection_mcp.tools.identity.elsewhere import is_elsewhere
from reflection_mcp.tools.identity.fingerprints import Fingerprint, fingerprint
from reflection_mcp.tools.identity.match_records import Elsewhere, Match, Recognition, Similar
from reflection_mcp.tools.identity.nearest import nearest
from reflection_mcp.tools.identity.pattern import SIGNATURE_VERSION, read

_LEVELS: dict[str, tuple[MatchLevel, str]] = {
    "strict": ("exact", "the same text"),
    "located": ("exact", "the same message at the same place"),
    "verdict": ("same", "the same message"),
    "line": ("same", "it shares the line that says what failed"),
}
"""What each kind of key proves, the strictest first."""
_MOST_ALIKE = 4
"""Of how many stored errors with one message the nearest is looked for."""
_MOST_SIMILAR = 3


@lru_cache(maxsize=256)
def _of_example(example: str) -> Pattern:
    return fingerprint(example).pattern


def pattern_of_stored(stored: Reflection) -> Pattern | None:
    """The pattern of a stored error; of one that older rules made, that of its stored text."""
    if stored.pattern and stored.pattern.version == SIGNATURE_VERSION:
        return stored.pattern
    return _of_example(stored.example) if stored.example else None


def _proves(kind: str, seen: Fingerprint, stored: Reflection, kept: bool) -> bool:
    """Whether an equal key means the same error."""
    if kind == "strict":
        return kept or not tells_nothing(read(seen.pattern))
    pattern = pattern_of_stored(stored)
    if pattern is None:
        return kind == "located"
    level = compare(seen.pattern, pattern).level
    # A person who confirms a match gives its keys to a row of other words.
    return level in ("exact", "same") or (level == "different" and kind != "line")


def recognise_by_keys(
    seen: Fingerprint,
    hits: Sequence[Hit],
    vetoed: frozenset[str] = frozenset(),
    *,
    kept: bool = False,
) -> Recognition | None:
    """Recognise an error by the keys it shares with stored ones; None when no key proves it.

    `kept`: the error is to be stored. Then the same text is the same row, even if it says
    only that something failed.
    """
    if seen.unusable:
        return Recognition(verdict="new", why=seen.unusable)
    by_kind: dict[str, dict[str, Reflection]] = {}
    for hit in hits:
        if hit.reflection.id not in vetoed:
            by_kind.setdefault(hit.key.kind, {})[hit.reflection.id] = hit.reflection
    for kind, (verdict, why) in _LEVELS.items():
        if kind not in by_kind:
            continue
        proving = (each for each in by_kind[kind].values() if _proves(kind, seen, each, kept))
        most = 1 if kind == "line" else _MOST_ALIKE
        if found := list(islice(proving, most)):
            return Recognition(verdict=verdict, match=nearest(seen.text, found), why=why)
    return None


def _beside(
    seen: Fingerprint, match: Reflection, shortlist: Sequence[Reflection], vetoed: frozenset[str]
) -> tuple[Reflection, ...]:
    """The same error as other places know it, the first of each."""
    found: dict[Scope, Reflection] = {}
    for stored in shortlist:
        if stored.scope in (match.scope, *found) or stored.id in vetoed:
            continue
        pattern = pattern_of_stored(stored)
        if pattern and compare(seen.pattern, pattern).level in ("exact", "same"):
            found[stored.scope] = stored
    return tuple(found.values())


def _places(seen: Pattern, stored: Pattern, match: Match) -> Elsewhere | None:
    """The two places where a branch, a remote, a test or the like is all that differs."""
    if not is_elsewhere(seen, stored):
        return None
    if match.differences:
        return Elsewhere(here=match.differences[0].here, there=match.differences[0].there)
    here, there = (each.lines[0].partition(" ")[2] for each in (seen, stored))
    return Elsewhere(here=here, there=there)


def recognise_by_likeness(
    seen: Fingerprint,
    shortlist: Sequence[Reflection],
    vetoed: frozenset[str] = frozenset(),
    *,
    describes: bool = True,
) -> Recognition:
    """Recognise an error among those that share features with it, or say what is similar, if it
    `describes` that, too: most of the work."""
    if seen.unusable:
        return Recognition(verdict="new", why=seen.unusable)
    similar: list[tuple[bool, float, Similar, str]] = []
    for stored in shortlist:
        pattern = None if stored.id in vetoed else pattern_of_stored(stored)
        if pattern is None or not (describes or are_one(seen.pattern, pattern)):
            continue
        match = compare(seen.pattern, pattern)
        if match.level in ("exact", "same"):
            beside = _beside(seen, stored, shortlist, vetoed)
            return Recognition(verdict="same", match=stored, why=match.reason, beside=beside)
        if match.level == "similar":
            places = match.elsewhere or _places(seen.pattern, pattern, match)
            like = Similar(
                reflection=stored,
                differences=match.differences,
                elsewhere=places,
                close=match.close and places is None,
            )
            similar.append((places is None, -match.shared, like, match.reason))
    if not similar:
        return Recognition(verdict="new", why="nothing like it is stored")
    similar.sort(key=lambda each: each[:2])
    first = similar[0][2]
    why = "the same failure in another place" if first.elsewhere else similar[0][3]
    shown = tuple(like for _, _, like, _ in similar[:_MOST_SIMILAR])
    return Recognition(verdict="similar", why=why, similar=shown)
