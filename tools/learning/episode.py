"""An episode: the events of one piece of work, and what rules derive from them.

Rule: an event is data as it came, cleaned and cut; what is derived from it names the event it came
from. Nothing here guesses why something happened; only a person or a model can say that.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any, Literal

from reflection_mcp.store.records import Outcome
from reflection_mcp.tools import intake
from reflection_mcp.tools.learning.category import categorise
from reflection_mcp.tools.ports import Limits

EventKind = Literal["tool_call", "tool_response", "model_call", "error", "system"]
EVENT_TEXT = 4_000  # characters of one event that are stored, head and tail
EVIDENCE_TEXT = 600
LONGEST_LINE, SHORTEST_LINE, ALL_LINES = 1_500, 200, 40_000
"""Limits in characters: one event shown to a model (longest, shortest), all of them together."""
MOST_SOURCES = 5  # events that a lesson names as its origin
MOST_DERIVED_TAGS = 5
_CODE = re.compile(r"[A-Z][A-Z0-9]{0,30}(?:_[A-Z0-9]{1,30}){1,6}")
"""An error code as programs name them, such as QUERY_TIMEOUT."""
_SQL = re.compile(
    r"(?:SELECT\b.{0,180}\bFROM|INSERT\s+INTO|UPDATE\s+\S+\s+SET|DELETE\s+FROM|"
    r"(?:CREATE|ALTER|DROP)\s+(?:TABLE|INDEX|VIEW))\b",
    re.IGNORECASE | re.DOTALL,
)
_SQL_TOOL = re.compile(r"(?:^|[\W_])(?:\w{0,20}sql)(?:$|[\W_])", re.IGNORECASE)


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
    """Return the event scrubbed, redacted and cut."""
    metadata = dict(event.metadata)
    if isinstance(metadata.get("command"), str):
        metadata["command"] = intake.error_text(metadata["command"], EVENT_TEXT)
    return replace(
        event,
        metadata=metadata,
        content=intake.error_text(event.content, EVENT_TEXT),
        error=intake.error_text(event.error, limits.error),
        tool=intake.text("the tool of an event", event.tool[:200], 200),
        id=intake.text("the id of an event", event.id[:200], 200),
    )


def in_lines(events: Sequence[Event]) -> tuple[str, ...]:
    """Return every event as a text for a model; the more events, the shorter each text."""
    limit = max(SHORTEST_LINE, min(LONGEST_LINE, ALL_LINES // max(1, len(events))))
    return tuple(intake.head_and_tail(_line(event), limit) for event in events)


def _line(event: Event) -> str:
    head = " ".join(part for part in (event.type, event.tool) if part)
    code = exit_code((event,))
    ended = "" if code is None else f" (exit code {code})"
    said = f"{head}{ended}: {event.content}".rstrip(": ")
    return f"{said}\nfailed: {event.error}" if event.error.strip() else said


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


def parse_timestamp(text: str) -> datetime | None:
    """Return the timestamp of an ISO 8601 text, UTC if it names no zone; None if it is none."""
    try:
        read = datetime.fromisoformat(text.strip())
    except ValueError:
        return None
    return read if read.tzinfo else read.replace(tzinfo=UTC)


def failed(event: Event) -> bool:
    """Return True if this event alone reports a failure."""
    if event.type == "error" or event.error.strip():
        return True
    code = event.metadata.get("exit_code")
    if isinstance(code, int) and not isinstance(code, bool) and code != 0:
        return True
    return event.metadata.get("is_error") is True or event.metadata.get("success") is False


def source_events(events: Sequence[Event]) -> tuple[str, ...]:
    """Return the ids of the events that a lesson was learned from: those that failed, else the
    last.

    An event without an id is named by its place, `#3` for the third.
    """
    named = [(event.id or f"#{place}", event) for place, event in enumerate(events, 1)]
    chosen = [name for name, event in named if failed(event)] or [name for name, _ in named[-1:]]
    return tuple(chosen[-MOST_SOURCES:])


def category_of(events: Sequence[Event], error: str, outcome: Outcome | None) -> str:
    """Return the category of an episode: of its error, else of an event that failed, else of its
    end; `unknown` when none of them says it."""
    failures = [text for event in events if failed(event) for text in (event.error, event.content)]
    known = (categorise(text) for text in (error, *failures) if text)
    by_end = "timeout" if outcome == "timeout" else "unknown"
    return next((each for each in known if each != "unknown"), by_end)


def error_code_of(events: Sequence[Event]) -> str | None:
    """Return the code of the last failure that names one, such as QUERY_TIMEOUT, or None."""
    for event in reversed(events):
        named = (event.metadata.get(name) for name in ("error_code", "error_type", "code"))
        for text in (event.error, event.content, *named) if failed(event) else ():
            if isinstance(text, str) and _CODE.fullmatch(text.strip()):
                return text.strip()
    return None


def tools_that_failed(events: Sequence[Event]) -> tuple[str, ...]:
    """Return the tools of the events that failed; of one without a tool that of the call before."""
    found: list[str] = []
    last = ""
    for event in events:
        last = event.tool or last
        if failed(event) and last:
            found.append(last)
    return tuple(dict.fromkeys(found))


def tags_of(
    events: Sequence[Event], error: str, error_type: str | None, outcome: Outcome | None = None
) -> tuple[str, ...]:
    """Return tags derived by rule: category, error type, the tools that failed, and `sql` for work
    on a database.

    They come after the caller's own tags.
    """
    category = category_of(events, error, outcome)
    kind = (error_type or "").rpartition(".")[2].casefold()
    sql = any(_SQL_TOOL.search(e.tool) or _SQL.match(e.content.lstrip()[:200]) for e in events)
    tools = tools_that_failed(events)
    names = [category if category != "unknown" else "", kind, "sql" if sql else "", *tools]
    clean = (re.sub(r"[^\w.+-]+", "-", name.casefold()).strip("-")[:40] for name in names)
    return tuple(dict.fromkeys(tag for tag in clean if tag))[:MOST_DERIVED_TAGS]


def evidence_of(events: Sequence[Event], error: str, outcome: Outcome | None) -> str:
    """Return the evidence for a lesson in one short text: outcome, failing events, headline of the
    error."""
    parts: list[str] = []
    if outcome:
        parts.append(f"outcome {outcome}")
    parts += [f"in {tool}" for tool in tools_that_failed(events)[-1:]]
    if events:
        plural = "s" if len(events) > 1 else ""
        parts.append(f"{len(events)} event{plural}, from {', '.join(source_events(events))}")
    if error:
        parts.append(error)
    return "; ".join(parts)[:EVIDENCE_TEXT]
