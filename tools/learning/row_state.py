"""The state of a reflection, as lists show it: candidate, proven, harmful and so on.

Rule: one state for each row, the first that fits, so that two views cannot tell different things.
"""

from typing import Literal

from reflection_mcp.store.contract import Store
from reflection_mcp.store.records import Reflection, Scope
from reflection_mcp.store.state import Stats
from reflection_mcp.tools.learning import track_record
from reflection_mcp.tools.learning.fix_candidates import is_open

State = Literal[
    "candidate",
    "retired",
    "harmful",
    "suspicious",
    "proven",
    "unproven",
    "untried",
]

PROVEN = 0.5
"""The lower bound of the success rate above which advice is proven: two good votes and no bad one,
four of five."""


def state_of(row: Reflection) -> State:
    """Return the state of a row.

    A candidate is a fix that nobody has confirmed. Advice is harmful when it failed so often that
    it is withheld. What votes do not prove is unproven, and what has none untried.
    """
    if is_open(row):
        return "candidate"
    if row.retired:
        return "retired"
    if track_record.is_harmful(row):
        return "harmful"
    if row.suspicious:
        return "suspicious"
    votes = row.helped + row.failed
    if track_record.lower_bound(row.helped, votes) > PROVEN:
        return "proven"
    return "unproven" if votes else "untried"


async def count_hidden(store: Store, scope: Scope, stats: Stats) -> dict[str, int]:
    """Return how many rows of a readable scope are stored and in no list: `retired` ones, and
    `candidates` that nobody has confirmed.

    Raises:
        StoreError: the store cannot be read.
    """
    kept = stats.reflections + stats.strategies
    rows = await store.reflections(scope, include_retired=True, limit=kept)
    states = [state_of(row) for row in rows if row.retired]
    return {"retired": states.count("retired"), "candidates": states.count("candidate")}
