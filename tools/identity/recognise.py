"""The answer to "have I met this before?", from what the store found.

Rule of this module: `exact` and `same` are proved (a key is equal, or every difference is known to
be harmless), `similar` is everything else that looks alike and never counts as seen. A pair that a
person has parted is never brought together again.
"""

from collections.abc import Sequence

from reflection_mcp.store.records import Hit, Reflection
from reflection_mcp.tools.identity.likeness import compare
from reflection_mcp.tools.identity.recognition import Fingerprint, Recognition, Similar

_LEVELS = {"strict": 0, "located": 1, "verdict": 2, "line": 3}
_MOST_SIMILAR = 3
_LEAST_OVERLAP = 0.45


def recognise_by_keys(
    seen: Fingerprint, hits: Sequence[Hit], vetoed: frozenset[str] = frozenset()
) -> Recognition | None:
    """Recognise an error by the keys it shares with stored ones; None when no key proves it."""
    if seen.unusable:
        return Recognition(verdict="new", why=seen.unusable)
    usable = [hit for hit in hits if hit.reflection.id not in vetoed and hit.key.kind in _LEVELS]
    for hit in sorted(usable, key=lambda hit: _LEVELS[hit.key.kind]):
        pattern = hit.reflection.pattern
        if hit.key.kind == "strict" or (
            hit.key.kind == "located" and (pattern is None or compare(seen.pattern, pattern).same)
        ):
            where = (
                "the same text"
                if hit.key.kind == "strict"
                else "the same message at the same place"
            )
            return Recognition(verdict="exact", match=hit.reflection, why=where)
        if pattern is not None and compare(seen.pattern, pattern).same:
            why = (
                "the same message"
                if hit.key.kind == "verdict"
                else "it shares the line that says what failed"
            )
            return Recognition(verdict="same", match=hit.reflection, why=why)
    return None


def recognise_by_likeness(
    seen: Fingerprint, shortlist: Sequence[Reflection], vetoed: frozenset[str] = frozenset()
) -> Recognition:
    """Recognise an error among those that share features with it, or say what is similar."""
    if seen.unusable:
        return Recognition(verdict="new", why=seen.unusable)
    compared = [
        (compare(seen.pattern, stored.pattern), stored)
        for stored in shortlist
        if stored.id not in vetoed and stored.pattern and stored.pattern.lines
    ]
    compared.sort(key=lambda pair: -pair[0].shared)
    for likeness, stored in compared:
        if likeness.same:
            return Recognition(
                verdict="same",
                match=stored,
                why="the wording differs only in what carries no meaning",
            )
    similar = tuple(
        Similar(reflection=stored, differences=likeness.differences)
        for likeness, stored in compared
        if likeness.shared >= _LEAST_OVERLAP
    )[:_MOST_SIMILAR]
    if similar:
        return Recognition(
            verdict="similar", why="it looks alike and differs in what matters", similar=similar
        )
    return Recognition(verdict="new", why="nothing like it is stored")
