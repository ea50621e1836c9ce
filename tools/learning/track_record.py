"""The track record of advice: votes, a cautious success rate, and the gate against harm.

Rules: advice is ranked by the lower bound of its success rate, not by its luck; advice that failed
clearly more often than it helped is withheld, and the result says so, until positive votes make up
for it. Influence follows distinct sources and distinct occasions, never mere repetition: how votes
are counted is decided in `store/feedback_rules.py`.
"""

import math
from collections.abc import Iterable
from datetime import datetime

from reflection_mcp.store.records import Reflection
from reflection_mcp.tools.learning.user_words import said_by_user

CONFIDENCE_Z = 1.2816  # one-sided 90 %: with few votes a stricter bound would rank nothing apart
HARM_MARGIN = 2
"""Failures more than successes at which advice is withheld. Of advice that fails three times in
four, two are more within four showings in any order; advice that works three times in four never
gets there."""
HALF_LIFE_DAYS = 180.0
UNTRIED = 0.25  # the rate assumed for advice that nobody has judged yet
TIRED_AFTER = 10.0  # showings without a good word that take half of TIREDNESS away
TIREDNESS = 0.15
FRESHNESS = 0.1  # of a lesson that is met now; it halves in HALF_LIFE_DAYS
CORROBORATION = 0.1  # of a lesson that very many people said
STANDING_SPAN = 0.2


def lower_bound(good: float, total: float) -> float:
    """Wilson's lower bound of a rate: 0 with no observations, rising with evidence."""
    if total <= 0:
        return 0.0
    rate, z = good / total, CONFIDENCE_Z
    centre = rate + z * z / (2 * total)
    spread = z * math.sqrt((rate * (1 - rate) + z * z / (4 * total)) / total)
    return max(0.0, (centre - spread) / (1 + z * z / total))


def is_harmful(reflection: Reflection) -> bool:
    """Return True if advice failed so much more than it helped that it may not be offered."""
    return reflection.failed - reflection.helped >= HARM_MARGIN


def worth(reflection: Reflection, now: datetime) -> float:
    """Return a number to rank advice by, larger first: evidence, importance, recency, sources.

    A lesson without votes ranks by its importance, below one that helped and above one that
    failed. Coming back after it was shown counts as half a failure: it may not have been followed.
    What is shown again and again without a positive vote fades, and so does what no longer occurs:
    both move to the end of the list, and neither vanishes.
    """
    bad = reflection.failed + 0.5 * reflection.recurred
    votes = reflection.helped + bad
    evidence = lower_bound(reflection.helped, votes) if votes else UNTRIED
    age = max(0.0, (now - reflection.last_seen).total_seconds() / 86_400)
    recency = math.exp2(-age / HALF_LIFE_DAYS)
    corroboration = 1 - math.exp2(-reflection.sources)
    idle = 0 if reflection.helped else reflection.shown
    tired = TIREDNESS * (1 - math.exp2(-idle / TIRED_AFTER))
    fresh, confirmed = FRESHNESS * recency, CORROBORATION * corroboration
    return evidence + 0.3 * reflection.importance + fresh + confirmed - tired


def proven(reflection: Reflection) -> tuple[float, int]:
    """Return what decides between two lessons that contradict each other: votes, then sources."""
    bad = reflection.failed + 0.5 * reflection.recurred
    votes = reflection.helped + bad
    return (lower_bound(reflection.helped, votes) if votes else UNTRIED, reflection.sources)


def vote_factor(reflection: Reflection) -> float:
    """Return the factor by which votes raise or lower a lesson's rank: 0.8 to 1.2, 1 without votes.

    A lesson that failed has to fit clearly better than another one to be shown before it.
    """
    votes = reflection.helped + reflection.failed
    rate = lower_bound(reflection.helped, votes) if votes else UNTRIED
    worse, better = min(rate / UNTRIED, 1.0), max(0.0, rate - UNTRIED) / (1 - UNTRIED)
    return 1 - STANDING_SPAN * (1 - worse) + STANDING_SPAN * better


def staleness(reflection: Reflection, newest: datetime) -> float:
    """Return by how much a lesson that has never helped ranks lower the longer its error was seen
    before `newest`: 0 to FRESHNESS, half of it after HALF_LIFE_DAYS. The user's words do not
    age."""
    if reflection.helped or said_by_user(reflection.source):
        return 0.0
    days = (newest - reflection.last_seen).total_seconds() / 86_400
    return FRESHNESS * (1 - math.exp2(-days / HALF_LIFE_DAYS))


def ranked(reflections: Iterable[Reflection], now: datetime) -> list[Reflection]:
    """Return the rows with the best advice first; ties are ordered by id.

    A lesson of the whole tenant stands behind one of the project that is as well proven, however
    long nobody has met that one.
    """
    return sorted(reflections, key=lambda r: (FRESHNESS * is_wide(r) - worth(r, now), r.id))


def is_wide(reflection: Reflection) -> bool:
    """Return True if a lesson is one of the whole tenant, which knows less of a project."""
    return reflection.scope.visibility == "tenant"


def ended_badly(reflection: Reflection) -> bool:
    """Return True if all that is known of a lesson is an episode that did not succeed."""
    return reflection.outcome in ("failure", "timeout", "error") and not reflection.helped


def summary(reflection: Reflection) -> str:
    """Return in words how advice has done so far: "helped 3 of 4 times".

    A lesson learned before anything had worked is labelled as such.
    """
    so_far = _so_far(reflection)
    if ended_badly(reflection):
        return f"{so_far}; from work that ended in {reflection.outcome}"
    return so_far


def _so_far(reflection: Reflection) -> str:
    if reflection.shown and not (reflection.helped or reflection.failed):
        return "no feedback yet"
    return of_votes(reflection.helped, reflection.failed)


def of_votes(helped: int, failed: int) -> str:
    """Return in words how often advice helped, or that it only failed, of all its votes."""
    votes = helped + failed
    if failed and not helped:
        return f"failed {failed} of {votes} times"
    return f"helped {helped} of {votes} times" if votes else "not tried yet"
