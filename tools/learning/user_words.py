"""The user's own words among the lessons, and which tasks they fit.

Rules: pure. What the user said of one answer is meant for the next task of its kind. So it fits a
query that is like the question it was said about, though none of its own words may occur there
("5 lines at most" says nothing of e-mails), and needs less likeness than a lesson that somebody
drew from their own work.
"""

from collections.abc import Sequence

from reflection_mcp.tools.learning.similarity import Similarity

USER = "user"
"""The beginning of the source of the user's own words, and their tag."""

LIKE = 0.55
"""The likeness from which a task is one of a kind. Of 25 comments on questions that people ask an
assistant, 24 are that like the next question of the kind, and 3 of 975 are to other questions."""

BASE, SPAN = 0.5, 4.0
"""The weight of likeness among the probabilities of other lessons: 0.64 to 1."""


def said_by_user(source: str) -> bool:
    """Return True if this source is the user."""
    return source.partition(":")[0] == USER


def relevance(alone: Similarity, rephrased: Sequence[Similarity] = ()) -> float | None:
    """Return the rank of the user's words for a task, 0 to 1, or None if they do not fit.

    Args:
        alone: their similarity with the task.
        rephrased: that with the task in other words, of which the two nearest have to agree.
    """
    nearest = sorted(map(_likeness, rephrased), reverse=True)[:2]
    agreed = nearest[-1] if len(nearest) == 2 else 0.0
    found = max(_likeness(alone), agreed)
    return min(1.0, BASE + found / SPAN) if found >= LIKE else None


def _likeness(one: Similarity) -> float:
    return one.alike + one.letters
