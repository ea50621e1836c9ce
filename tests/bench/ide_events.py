"""Checks of one answer against the events of its work, for benches that hold both as plain data."""

from collections.abc import Mapping, Sequence
from typing import Any

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.evidence.evidence_check import check
from reflection_mcp.tools.learning.episode import Event
from reflection_mcp.tools.reflect.tool_runs import runs_of_events

OF_METADATA = ("exit_code", "command", "success")


def heard(events: Sequence[Mapping[str, Any]], answer: str) -> list[Check]:
    """Return what the runs that the events tell of say of an answer."""
    return list(check(Case(answer=answer, evidence=runs_of_events([_event(e) for e in events]))))


def _event(told: Mapping[str, Any]) -> Event:
    named = {name: told[name] for name in ("type", "content", "tool", "error") if name in told}
    metadata = {name: told[name] for name in OF_METADATA if name in told}
    return Event(**named, metadata=metadata)
