"""Reader of a host's session file: its tool calls, with how each of them ended.

Claude Code and Codex write one JSON record a line, Gemini CLI one JSON document or one record a
line. Rules: a record that says something else is passed over; a call without a result tells
nothing; what a subagent did is a conversation of its own and is left out. The names of tools become
those that hooks report.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import cast

from reflection_mcp.tools.learning.episode import Event, parse_timestamp
from reflection_mcp.tools.learning.host_calls import (
    WORDLESS,
    Json,
    call_event,
    change_of,
    exit_code,
    mapping,
    mappings,
    parsed,
    text_of,
    without_head,
)

CHANGED = "changed"
"""The key of an event's metadata for an edit whose content says what it changed."""
REFUSED = ("The user doesn't want to", "[Request interrupted by user")
"""The beginnings of results of calls that the user did not let happen."""


@dataclass
class TranscriptReader:
    """Takes records in their order; `host` and `session` are known when one has named them."""

    host: str = ""
    session: str = ""
    _open: dict[str, Event] = field(default_factory=dict[str, Event])
    _ended: set[str] = field(default_factory=set[str])

    def take(self, record: object) -> Iterator[Event]:
        """Yield the calls that end with this record."""
        if not isinstance(record, Mapping):
            return
        told = cast(Json, record)
        if isinstance(told.get("messages"), list):  # a document of Gemini CLI
            self._named("Gemini CLI", told.get("sessionId"))
            for message in cast("list[object]", told["messages"]):
                yield from self.take(message)
        elif isinstance(told.get("toolCalls"), list):
            self._named("Gemini CLI", None)
            for call in _of_gemini(told["toolCalls"]):
                if call.id not in self._ended:  # a message is written again when it grows
                    self._ended.add(call.id)
                    yield call
        elif told.get("type") == "response_item":
            self._named("Codex", None)
            yield from self._of_codex(mapping(told.get("payload")), told.get("timestamp"))
        elif told.get("type") == "session_meta":
            self._named("Codex", mapping(told.get("payload")).get("id"))
        elif told.get("type") in ("assistant", "user") and "message" in told:
            self._named("Claude Code", told.get("sessionId"))
            if not told.get("isSidechain"):
                yield from self._of_claude(told)

    def _named(self, host: str, session: object) -> None:
        self.host = self.host or host
        self.session = self.session or (session if isinstance(session, str) else "")

    def _of_claude(self, told: Json) -> Iterator[Event]:
        at = told.get("timestamp")
        for part in mappings(mapping(told["message"]).get("content")):
            if part.get("type") == "tool_use":
                self._begin(part.get("id"), part.get("name"), mapping(part.get("input")), at)
            elif part.get("type") == "tool_result":
                result = mapping(told.get("toolUseResult"))
                text = text_of(part.get("content"))
                failed = part.get("is_error") is True
                stopped = bool(result.get("interrupted") or result.get("backgroundTaskId"))
                stopped = stopped or text.startswith(REFUSED)
                yield from self._end(part.get("tool_use_id"), text, failed, stopped=stopped)

    def _of_codex(self, payload: Json, at: object) -> Iterator[Event]:
        kind, name, call = payload.get("type"), payload.get("name"), payload.get("call_id")
        if kind == "function_call":
            self._begin(call, name, parsed(payload.get("arguments")), at)
        elif kind == "custom_tool_call":
            self._begin(call, name, {"patch": payload.get("input")}, at)
        elif kind == "local_shell_call":
            self._begin(call, "local_shell", mapping(payload.get("action")), at)
        elif kind in ("function_call_output", "custom_tool_call_output"):
            output = payload.get("output")
            told = parsed(output) or mapping(output)
            text = text_of(told.get("output", told.get("content"))) if told else text_of(output)
            code = mapping(told.get("metadata")).get("exit_code", exit_code(text))
            stopped = told.get("success") is None and not isinstance(code, int)
            failed = code != 0 if isinstance(code, int) else told.get("success") is False
            yield from self._end(call, without_head(text), failed, stopped=stopped)

    def _begin(self, call: object, name: object, given: Json, at: object) -> None:
        event = _changing(call_event(str(call), name, given, _time(at)), given)
        if event is not None and isinstance(call, str):
            self._open[call] = event

    def _end(self, call: object, text: str, failed: bool, *, stopped: bool) -> Iterator[Event]:
        event = self._open.pop(str(call), None)
        # Codex does not say of an edit how it ended.
        if event is not None and not (stopped and event.tool == "Bash"):
            yield _ended(event, text if failed else "", failed)


def _of_gemini(calls: object) -> Iterator[Event]:
    for call in mappings(calls):
        name, given = call.get("name"), mapping(call.get("args"))
        at = _time(call.get("timestamp"))
        event = _changing(call_event(text_of(call.get("id")), name, given, at), given)
        if event is None or call.get("status") not in ("success", "error"):
            continue
        replies = [
            mapping(mapping(part.get("functionResponse")).get("response"))
            for part in mappings(call.get("result"))
        ]
        text = "\n".join(text_of(reply.get("error") or reply.get("output")) for reply in replies)
        failed = call["status"] == "error" or bool(exit_code(text))
        yield _ended(event, without_head(text) if failed else "", failed)


def _changing(event: Event | None, given: Json) -> Event | None:
    """The event; for an edit with what it changed, if that is short enough for a lesson."""
    if event is None or event.tool == "Bash" or not (change := change_of(given)):
        return event
    return replace(event, content=f"{event.content}: {change}", metadata={CHANGED: True})


def _time(at: object) -> datetime | None:
    return parse_timestamp(at) if isinstance(at, str) else None


def _ended(event: Event, error: str, failed: bool) -> Event:
    text = error.strip() or (WORDLESS if failed else "")
    return Event(
        type="tool_call", id=event.id, tool=event.tool, content=event.content, error=text,
        at=event.at, metadata=event.metadata,
    )  # fmt: skip
