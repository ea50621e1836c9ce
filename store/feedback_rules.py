"""The rules of feedback: the effect of a person's vote on stored rows.

Rules of this module: pure functions, shared by every backend. A person outranks every score, and
can change their mind. Advice is judged once for each occasion, and nobody gains weight by repeating
a vote: of one source the newest occasions count, and no more of them than `OCCASIONS`.
"""

from collections.abc import Sequence

from reflection_mcp.store.interactions import Feedback, Lookup
from reflection_mcp.store.records import JOINED, Key

LIFTED = 0.7
LOWERED = 0.3
"""The quality of an attempt after feedback: seed rules feedback:positive, :negative."""


OCCASIONS = 4
"""Verdicts of one source on one reflection that count, the newest: as many as it takes to withhold
advice that fails three times in four within four showings, when all of them were to one person."""


def occasion(lookup: Lookup | None, feedback: Feedback) -> str:
    """Return the key of an occasion, conversation and day: two votes of one source on it are one.

    The day counts because one process may serve a person for weeks, and no shorter time, because
    within a day the same error is looked up again since it still occurs. After a look-up it is the
    day of the look-up, so that a repeated vote is one, however late.

    Args:
        lookup: the one that offered the advice, if there was one.
        feedback: the vote.
    """
    conversation, at = (
        (feedback.said_in, feedback.at) if lookup is None else (lookup.conversation_id, lookup.at)
    )
    return f"{conversation} {at.date().isoformat()}"


def tally(kinds: Sequence[str]) -> tuple[int, int]:
    """Return how often advice helped and failed, from the votes of one source, the newest first."""
    counted = list(kinds[:OCCASIONS])
    return counted.count("positive"), counted.count("negative")


def quality_after(kind: str, judged: float | None, current: float | None) -> float:
    """Return the quality of an attempt after a person called it `positive` or `negative`.

    It is computed from the judged quality, so that a person who changes their mind is not stuck
    between the two limits.
    """
    base = judged if judged is not None else current
    if kind == "positive":
        return LIFTED if base is None else max(base, LIFTED)
    return LOWERED if base is None else min(base, LOWERED)


def voted_on(target: str, lookup: Lookup | None, kind: str) -> list[str]:
    """Return the objects of a vote: of one on a look-up the advice that it showed.

    Not the match, whose own lesson may have been withheld: nobody tried what was not shown. What is
    withdrawn of a look-up is a wrong match, and no vote.
    """
    if lookup is None:
        return [target]
    return [] if kind == "withdrawn" else list(dict.fromkeys(lookup.shown))


def offered(lookup: Lookup) -> list[str]:
    """Return what a look-up offered: the match first, then all that was shown or asked with it."""
    near = (lookup.neighbour_id, lookup.asked_id)
    return list(dict.fromkeys(filter(None, (lookup.matched_id, *lookup.shown, *near))))


def joining_key(lookup: Lookup) -> Key:
    """Return the key that leads from a look-up to a stored error, once a person said that they are
    the same."""
    return Key(kind=JOINED, digest=lookup.signature.rpartition(":")[2])
