"""What happened: the events of one piece of work, and what can be read from them by rule.

Rule: an event is data as it came, cleaned and cut; what is derived from it names the event it came
from. Nothing here guesses why something happened, only a person or a model can say that.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal

from reflection_mcp.store.records import Outcome
from reflection_mcp.tools import intake
from reflection_mcp.tools.ports import Limits

EventKind = Literal["tool_call", "tool_response", "model_call", "error", "system"]
EVENT_TEXT = 4_000  # characters of one event that are kept, head and tail
EVIDENCE_TEXT = 600


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One thing that happened during an episode (seed rule trace:events)."""

    type: EventKind
    content: str = ""
    tool: str = ""
    error: str = ""
    id: str = ""
    at: datetime | None = None
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])


def cleaned(event: Event, limits: Limits) -> Event:
    """The event scrubbed, redacted and cut."""
    return replace(
        event,
        content=intake.error_text(event.content, EVENT_TEXT),
        error=intake.error_text(event.error, limits.error),
        tool=intake.text("the tool of an event", event.tool[:200], 200),
        id=intake.text("the id of an event", event.id[:200], 200),
    )


def failing_text(events: Sequence[Event]) -> str:
    """The error of an episode: the last one that an event carries, or an empty text."""
    for event in reversed(events):
        if event.error.strip():
            return event.error
        if event.type == "error" and event.content.strip():
            return event.content
    return ""


def exit_code(events: Sequence[Event]) -> int | None:
    """The exit code of the last tool response that states one under `exit_code`."""
    for event in reversed(events):
        code = event.metadata.get("exit_code")
        if isinstance(code, int) and not isinstance(code, bool):
            return code
    return None


def evidence_of(events: Sequence[Event], error: str, outcome: Outcome | None) -> str:
    """What a lesson rests on, in one short text: the failing event, the outcome, the counts."""
    parts: list[str] = []
    if outcome:
        parts.append(f"outcome {outcome}")
    failed = next((e for e in reversed(events) if e.error or e.type == "error"), None)
    if failed and failed.tool:
        parts.append(f"in {failed.tool}")
    if events:
        parts.append(f"{len(events)} events")
    verdict = error.strip().splitlines()[-1].strip() if error.strip() else ""
    if verdict:
        parts.append(verdict)
    return "; ".join(parts)[:EVIDENCE_TEXT]
