"""How many of the kept rows no list shows, and why."""

from dataclasses import dataclass

from reflection_mcp.store.contract import Store
from reflection_mcp.store.records import Scope, Stats
from reflection_mcp.tools.learning.pairing import is_open


@dataclass(frozen=True, slots=True, kw_only=True)
class Unlisted:
    """Rows that are retired, and candidates for a fix that nobody has confirmed yet."""

    retired: int = 0
    candidates: int = 0


async def unlisted(store: Store, scope: Scope, stats: Stats) -> Unlisted:
    """Count the rows of a readable scope that are kept beside what lists show.

    Raises:
        StoreError: the store cannot be read.
    """
    kept = stats.reflections + stats.strategies
    rows = await store.reflections(scope, include_retired=True, limit=kept)
    hidden = [row for row in rows if row.retired]
    candidates = sum(map(is_open, hidden))
    return Unlisted(retired=len(hidden) - candidates, candidates=candidates)
