"""Queries over the look-ups in memory."""

from collections.abc import Sequence
from datetime import datetime

from reflection_mcp.store.interactions import Lookup, Unresolved
from reflection_mcp.store.memory.scope_data import ScopeData


def listed(
    data: ScopeData, signature: str | None, matched_id: str | None, since: datetime | None
) -> list[Lookup]:
    """See `Store.lookups`; all there are."""
    chosen = [
        lookup
        for lookup in data.lookups.values()
        if signature in (None, lookup.signature)
        and matched_id in (None, lookup.matched_id)
        and (since is None or lookup.at >= since)
    ]
    chosen.sort(key=lambda lookup: lookup.id)
    chosen.sort(key=lambda lookup: lookup.at, reverse=True)
    return chosen


def unresolved(scopes: Sequence[ScopeData], min_times: int) -> list[Unresolved]:
    """See `Store.unresolved`; all there are."""
    resolved = {
        row.reflection.signature
        for data in scopes
        for row in data.rows.values()
        if row.reflection.lesson
    }
    for data in scopes:
        resolved |= {signature for signature, ids in data.shown.items() if ids}
    asked: dict[str, list[Lookup]] = {}
    for lookup in (lookup for data in scopes for lookup in data.lookups.values()):
        if lookup.signature not in resolved:
            asked.setdefault(lookup.signature, []).append(lookup)
    found = [_in_a_line(lookups) for lookups in asked.values() if len(lookups) >= min_times]
    found.sort(key=lambda each: each.signature)
    found.sort(key=lambda each: (each.times, each.last_seen), reverse=True)
    return found


def _in_a_line(lookups: Sequence[Lookup]) -> Unresolved:
    """The look-ups of one signature in a line, described by the last of them."""
    last = max(lookups, key=lambda lookup: (lookup.at, lookup.id))
    return Unresolved(
        signature=last.signature,
        summary=last.summary,
        error_type=last.error_type,
        times=len(lookups),
        first_seen=min(lookup.at for lookup in lookups),
        last_seen=last.at,
    )
