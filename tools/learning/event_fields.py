"""Reader for one event as a host writes it, whatever names the host gives its fields.

Rule: an unknown name goes to the metadata and is never refused. The result of an event
(`exit_code`, `status`, `is_error`) is stored under one name each, since much depends on it.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, cast

from reflection_mcp.tools.learning.episode import Event, EventKind, parse_timestamp

NAMES: Mapping[str, tuple[str, ...]] = {
    "type": ("type", "kind", "event", "event_type", "role", "hook_event_name"),
    "id": ("id", "event_id", "tool_use_id", "tool_call_id", "call_id", "uuid"),
    "tool": ("tool", "tool_name", "name", "function", "server"),
    "error": ("error", "stderr", "error_message", "exception", "traceback"),
    "time": ("time", "timestamp", "at", "ts", "date", "datetime", "created_at", "started_at"),
    "command": ("command", "cmd", "command_line", "shell", "script"),
    "exit_code": (
        *("exit_code", "exitCode", "exit_status", "exitStatus", "returncode", "return_code"),
        *("returnCode", "exit", "rc"),
    ),
    "status": ("status", "result_status", "state", "outcome", "conclusion", "result"),
    "is_error": ("is_error", "isError", "failed"),
    "success": ("success", "succeeded", "ok", "passed"),
}
"""The names under which each part of an event is looked for, the usual one first."""
SAID: tuple[str, ...] = tuple(
    """content output stdout result tool_response tool_output response text message body log logs
    observation data tool_input input arguments args params parameters""".split()
)
"""The names of the fields with an event's text; several of them are joined in this order."""
KINDS: Mapping[str, EventKind] = {
    **dict.fromkeys(
        ("tool_call", "tool_use", "call", "action", "pretooluse", "command"), "tool_call"
    ),
    **dict.fromkeys(("tool_response", "tool_result", "result", "output", "tool"), "tool_response"),
    **dict.fromkeys(("observation", "posttooluse", "test", "build", "shell"), "tool_response"),
    **dict.fromkeys(("model_call", "model", "llm", "assistant", "message", "user"), "model_call"),
    **dict.fromkeys(("error", "exception", "failure", "posttoolusefailure"), "error"),
    "system": "system",
}
_WORSE = ("failed", "failure", "error", "errored", "timeout", "timed_out", "cancelled", "fail")
_BETTER = ("success", "succeeded", "ok", "passed", "completed", "done", "pass")


_KNOWN = frozenset(("metadata", *SAID, *(name for names in NAMES.values() for name in names)))


def is_understood(fields: Mapping[str, Any]) -> bool:
    """Return True if at least one of these fields says something of an event."""
    return any(name in _KNOWN and fields[name] not in (None, "") for name in fields)


def event_of(fields: Mapping[str, Any]) -> Event:
    """Return the event that these fields describe.

    Args:
        fields: as they came; values may be of any type that JSON has.
    """
    metadata = dict(_mapping(fields.get("metadata")))
    whole = {**metadata, **fields}
    kept = {n: value for n, value in fields.items() if n not in _KNOWN and n != "hook"}
    metadata |= kept | _ending(whole)
    if command := _command(whole):
        metadata["command"] = command
    said = [text for name in SAID if (text := _text(fields.get(name)))]
    kind = _kind(_first(fields, "type"), metadata, bool(said))
    if not said and kind == "tool_call" and "command" in metadata:
        said = [metadata["command"]]
    return Event(
        type=kind,
        id=_text(_first(fields, "id")),
        content="\n".join(dict.fromkeys(said)),
        tool=_text(_first(fields, "tool")),
        error=_text(_first(fields, "error")) if _first(fields, "error") is not True else "",
        at=_time(_first(fields, "time")),
        metadata=metadata,
    )


def _first(fields: Mapping[str, Any], part: str) -> Any:
    return next((fields[name] for name in NAMES[part] if fields.get(name) not in (None, "")), None)


def _mapping(value: Any) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def _text(value: Any) -> str:
    """Return a value as text: the blocks of a message one after another, other structures as
    JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        inner = cast("Mapping[str, Any]", value)
        said = [text for name in ("error", "stderr", *SAID) if (text := _text(inner.get(name)))]
        return "\n".join(said) if said else json.dumps(inner, ensure_ascii=False, default=str)
    if isinstance(value, Sequence):
        return "\n".join(map(_text, cast("Sequence[object]", value)))
    return json.dumps(value, default=str)


def _command(whole: Mapping[str, Any]) -> str:
    inputs = [_mapping(whole.get(name)) for name in ("tool_input", "input", "arguments", "args")]
    for place in (whole, *inputs, _mapping(whole.get("content"))):
        value = _first(place, "command")
        if isinstance(value, str):
            return value
        if isinstance(value, Sequence):
            return " ".join(map(_text, cast("Sequence[object]", value)))
    return ""


def _ending(whole: Mapping[str, Any]) -> dict[str, Any]:
    """Return how the event ended, each fact under one name."""
    places = [whole, *(_mapping(whole.get(name)) for name in SAID)]
    ended: dict[str, Any] = {}
    for place in places:
        code = _first(place, "exit_code")
        if isinstance(code, str) and code.strip().lstrip("-").isdecimal():
            code = int(code)
        if isinstance(code, int) and not isinstance(code, bool):
            ended.setdefault("exit_code", code)
        status = _first(place, "status")
        if isinstance(status, str) and status.casefold() in (*_WORSE, *_BETTER):
            ended.setdefault("status", status)
            ended.setdefault("success", status.casefold() in _BETTER)
        elif isinstance(status, int) and not isinstance(status, bool) and 0 <= status < 100:
            ended.setdefault("exit_code", status)
        for name in ("is_error", "success"):
            value = _first(place, name)
            if isinstance(value, bool):
                ended[name] = value
    if whole.get("error") is True:
        ended["is_error"] = True
    return ended


def _kind(value: Any, metadata: Mapping[str, Any], said: bool) -> EventKind:
    known = KINDS.get(str(value or "").replace("-", "_").casefold())
    if known is not None:
        return known
    return "tool_response" if said or "exit_code" in metadata else "system"


def _time(value: Any) -> datetime | None:
    if isinstance(value, str):
        return parse_timestamp(value)
    if isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e14:
        seconds = value / 1000 if value > 1e11 else float(value)
        return datetime.fromtimestamp(seconds, UTC)
    return None
