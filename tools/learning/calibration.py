"""Trust in a judge's scores: its reported quality beside people's feedback.

Rule: per judge, and only once there is enough feedback. If feedback changes the caller's own
scores, the result says so: no score is corrected silently.
"""

from collections.abc import Sequence

from reflection_mcp.store.maintenance import VoteTally
from reflection_mcp.store.records import Attempt

ENOUGH = 30  # votes on one judge; below, the rate says little
ENOUGH_OF_OWN = 10  # votes on one caller's answers; the caller is shown the numbers
LOOKED_THROUGH = 100  # the newest attempts


def own_record(attempts: Sequence[Attempt], source: str) -> VoteTally | None:
    """Return the votes on the answers that a caller scored itself, None if there are too few."""
    scored = [
        (each.feedback, reported)
        for each in attempts
        if each.source == source
        and each.judge == "caller"
        and isinstance(reported := each.metadata.get("reported"), float)
    ]
    judged = [(said, reported) for said, reported in scored if said]
    if len(judged) < ENOUGH_OF_OWN:
        return None
    return VoteTally(
        judge="caller",
        given=len(judged),
        positive=sum(said == "positive" for said, _ in judged),
        reported=sum(reported for _, reported in judged) / len(judged),
    )


def own_line(record: VoteTally) -> str:
    """Return the line for a caller whose scores are moved by this record."""
    return (
        f"people called {record.positive} of your {record.given} answers with feedback good, and "
        f"your own scores for them were {record.reported:.2f} on average; so your scores are moved "
        f"half of the way to {record.positive / record.given:.2f}"
    )


def lines(verdicts: Sequence[VoteTally]) -> list[str]:
    """Return one line for each judge with enough feedback."""
    return [
        f"{each.judge} reported {each.reported:.2f} on average; people found "
        f"{each.positive / each.given:.0%} of {each.given} good"
        for each in verdicts
        if each.given >= ENOUGH
    ]
