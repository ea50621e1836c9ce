"""The answer to "have I met this before?", from what the store found.

Rule of this module: `exact` and `same` are proved (a key is equal, or every difference is known to
be harmless), `similar` is everything else that looks alike and never counts as seen. A pair that a
person has parted is never brought together again.
"""

from collections.abc import Sequence
from itertools import islice

from reflection_mcp.store.records import Hit, Pattern, Reflection, Verdict
from reflection_mcp.tools.identity.comparing.likeness import Likeness, kept_apart, notes_apart
from reflection_mcp.tools.identity.comparing.nearness import nearest
from reflection_mcp.tools.identity.elsewhere import is_elsewhere
from reflection_mcp.tools.identity.keys import context_of
from reflection_mcp.tools.identity.recognition import (
    Elsewhere,
    Fingerprint,
    Recognition,
    Similar,
)

_LEVELS: dict[str, tuple[Verdict, str]] = {
    "strict": ("exact", "the same text"),
    "located": ("exact", "the same message at the same place"),
    "verdict": ("same", "the same message"),
    "line": ("same", "it shares the line that says what failed"),
}
"""What each kind of key proves, the strictest first."""
_QUOTED = "one of them quotes, in a sentence, what the other says"
_REWORDED = "the wording differs only in what carries no meaning"
_MOST_ALIKE = {"strict": 4, "located": 4, "verdict": 4, "line": 1}
"""Of how many stored errors with one message the nearest is looked for; each costs as much as a
fingerprint. Those that share a line have different messages, and come with the most keys first."""
_MOST_SIMILAR = 3
_LEAST_OVERLAP = 0.45
_CLOSE = 0.7
"""Errors that share less are not asked about: a question costs the reader, too."""


def _proves(kind: str, seen: Fingerprint, stored: Pattern | None) -> bool:
    """Whether an equal key means the same error.

    A row may have keys that were added when somebody confirmed a match: its pattern then need not
    look like what is seen, it only must not contradict it.
    """
    if kind == "strict":
        return True
    if stored is None:
        return kind == "located"
    if kind == "located":
        return not (context_of(stored) and notes_apart(seen.pattern, stored))
    if kind == "verdict":
        return not kept_apart(seen.pattern, stored)
    return Likeness(seen.pattern, stored).same


def recognise_by_keys(
    seen: Fingerprint, hits: Sequence[Hit], vetoed: frozenset[str] = frozenset()
) -> Recognition | None:
    """Recognise an error by the keys it shares with stored ones; None when no key proves it."""
    if seen.unusable:
        return Recognition(verdict="new", why=seen.unusable)
    by_kind: dict[str, dict[str, Reflection]] = {}
    for hit in hits:
        if hit.reflection.id not in vetoed:
            by_kind.setdefault(hit.key.kind, {})[hit.reflection.id] = hit.reflection
    for kind, (verdict, why) in _LEVELS.items():
        if kind not in by_kind:
            continue
        found = by_kind[kind].values()
        proving = (each for each in found if _proves(kind, seen, each.pattern))
        if alike := list(islice(proving, _MOST_ALIKE[kind])):
            return Recognition(verdict=verdict, match=nearest(seen.text, alike), why=why)
    return None


def recognise_by_likeness(
    seen: Fingerprint, shortlist: Sequence[Reflection], vetoed: frozenset[str] = frozenset()
) -> Recognition:
    """Recognise an error among those that share features with it, or say what is similar."""
    if seen.unusable:
        return Recognition(verdict="new", why=seen.unusable)
    compared = [
        (Likeness(seen.pattern, stored.pattern), stored)
        for stored in shortlist
        if stored.id not in vetoed and stored.pattern and stored.pattern.lines
    ]
    compared.sort(key=lambda pair: -pair[0].shared)
    for likeness, stored in compared:
        if likeness.same:
            return Recognition(
                verdict="same",
                match=stored,
                why=_QUOTED if likeness.quoted else _REWORDED,
            )
    alike = [pair for pair in compared if pair[0].shared >= _LEAST_OVERLAP]
    places = {stored.id for _, stored in alike if _is_elsewhere(seen, stored)}
    alike.sort(key=lambda pair: pair[1].id not in places)
    similar = tuple(
        _similar(likeness, stored, elsewhere=stored.id in places)
        for likeness, stored in alike[:_MOST_SIMILAR]
    )
    if similar:
        return Recognition(
            verdict="similar", why="it looks alike and differs in what matters", similar=similar
        )
    return Recognition(verdict="new", why="nothing like it is stored")


def _is_elsewhere(seen: Fingerprint, stored: Reflection) -> bool:
    return stored.pattern is not None and is_elsewhere(seen.pattern, stored.pattern)


def _similar(likeness: Likeness, stored: Reflection, *, elsewhere: bool) -> Similar:
    differences = likeness.differences
    first = differences[0]
    lone = len(differences) == 1 and all(len(x.split()) == 1 for x in (first.here, first.there))
    return Similar(
        reflection=stored,
        differences=differences,
        elsewhere=Elsewhere(here=first.here, there=first.there) if elsewhere else None,
        close=lone and first.kind == "wording" and likeness.shared >= _CLOSE,
    )
