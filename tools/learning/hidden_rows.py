"""Counts of the stored rows that no list shows, by reason."""

from dataclasses import dataclass

from reflection_mcp.store.contract import Store
from reflection_mcp.store.records import Scope
from reflection_mcp.store.state import Stats
from reflection_mcp.tools.learning.fix_candidates import is_open


@dataclass(frozen=True, slots=True, kw_only=True)
class HiddenRows:
    """Numbers of retired rows, and of candidates for a fix that nobody has confirmed yet."""

    retired: int = 0
    candidates: int = 0


async def count_hidden(store: Store, scope: Scope, stats: Stats) -> HiddenRows:
    """Count the rows of a readable scope that are stored but not shown in lists.

    Raises:
        StoreError: the store cannot be read.
    """
    kept = stats.reflections + stats.strategies
    rows = await store.reflections(scope, include_retired=True, limit=kept)
    hidden = [row for row in rows if row.retired]
    candidates = sum(map(is_open, hidden))
    return HiddenRows(retired=len(hidden) - candidates, candidates=candidates)
