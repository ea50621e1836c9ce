"""What a person's word does to what is stored.

Rule of this module: pure functions, shared by every backend. A person outranks every score, and can
change their mind.
"""

from reflection_mcp.store.records import Lookup

LIFTED = 0.7
LOWERED = 0.3
"""Where feedback puts the quality of an attempt: seed rules feedback:positive, :negative."""


def quality_after(kind: str, judged: float | None, current: float | None) -> float:
    """The quality of an attempt once a person called it `positive` or `negative`.

    It is reckoned from what was judged, so that a person who changes their mind is not stuck
    between the two limits.
    """
    base = judged if judged is not None else current
    if kind == "positive":
        return LIFTED if base is None else max(base, LIFTED)
    return LOWERED if base is None else min(base, LOWERED)


def offered(lookup: Lookup) -> list[str]:
    """What a look-up gave as an answer: the match first, then all that was shown with it."""
    matched = (lookup.matched_id,) if lookup.matched_id else ()
    return list(dict.fromkeys((*matched, *lookup.shown)))
