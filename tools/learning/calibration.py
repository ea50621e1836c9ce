"""How far can a source of scores be believed? What it reported beside what people said.

Rule: per source, and only once there are enough verdicts; a source that reports 0.9 and is
thanked half of the time is told so in every result. Nothing is corrected behind anybody's back.
"""

from collections.abc import Sequence

from reflection_mcp.store.upkeep import Verdicts

ENOUGH = 30  # verdicts of one source; below, the rate says little


def told(verdicts: Sequence[Verdicts], source: str | None = None) -> list[str]:
    """A line for each source that has enough verdicts, or for the one that is asked for."""
    return [
        f"{each.judge} reported {each.reported:.2f} on average; people found "
        f"{each.positive / each.given:.0%} of {each.given} good"
        for each in verdicts
        if each.given >= ENOUGH and source in (None, each.judge)
    ]
