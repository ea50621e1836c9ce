"""Trust in a judge's scores: its reported quality beside people's feedback.

Rule: per judge, and only once there is enough feedback; a judge that reports 0.9 and is confirmed
half of the time is reported so in every result. No score is silently corrected.
"""

from collections.abc import Sequence

from reflection_mcp.store.maintenance import VoteTally

ENOUGH = 30  # votes on one judge; below, the rate says little


def lines(verdicts: Sequence[VoteTally]) -> list[str]:
    """Return one line for each judge with enough feedback."""
    return [
        f"{each.judge} reported {each.reported:.2f} on average; people found "
        f"{each.positive / each.given:.0%} of {each.given} good"
        for each in verdicts
        if each.given >= ENOUGH
    ]
