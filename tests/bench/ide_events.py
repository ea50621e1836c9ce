"""Checks of one answer against the events of its work, for benches that hold both as plain data."""

from collections.abc import Mapping, Sequence
from typing import Any

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.evidence.evidence_check import check
from reflection_mcp.tools.learning.event_fields import event_of
from reflection_mcp.tools.reflect.request import runs_of_events


def heard(events: Sequence[Mapping[str, Any]], answer: str) -> list[Check]:
    """Return what the runs that the events tell of say of an answer, read as the server does."""
    return list(check(Case(answer=answer, evidence=runs_of_events([event_of(e) for e in events]))))
