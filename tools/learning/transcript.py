"""Reader of a host's session file: its tool calls, with how each of them ended.

Claude Code and Codex write one JSON record a line, Gemini CLI one JSON document or one record a
line. Rules: a record that says something else is passed over; a call without a result tells
nothing; what a subagent did is a conversation of its own and is left out. The names of tools become
those that hooks report.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from reflection_mcp.tools.learning.episode import Event, parse_timestamp

COMMANDS = frozenset(
    "bash powershell shell shell_command local_shell exec_command run_shell_command".split()
)
EDITS = frozenset("edit write multiedit notebookedit apply_patch replace write_file".split())
_CODE = re.compile(
    r"^(?:Process exited with code|Exit code:?|Exit Code:|Command failed with exit code) (\d{1,5})",
    re.MULTILINE,
)
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)
_HEAD = (
    *("Command:", "Directory:", "Chunk ID:", "Wall time:", "Process exited with code"),
    *("Original token count:", "Total output lines:", "Background PIDs:", "Process Group PGID:"),
)
"""The beginnings of lines that a host writes around what a command printed."""
_LABELS = ("Output:", "Stdout:", "Stderr:", "Error:")
_EMPTY = ("(none)", "(empty)")
REFUSED = ("The user doesn't want to", "[Request interrupted by user")
"""The beginnings of results of calls that the user did not let happen."""
Json = Mapping[str, Any]


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
            yield from self._of_codex(_mapping(told.get("payload")), told.get("timestamp"))
        elif told.get("type") == "session_meta":
            self._named("Codex", _mapping(told.get("payload")).get("id"))
        elif told.get("type") in ("assistant", "user") and "message" in told:
            self._named("Claude Code", told.get("sessionId"))
            if not told.get("isSidechain"):
                yield from self._of_claude(told)

    def _named(self, host: str, session: object) -> None:
        self.host = self.host or host
        self.session = self.session or (session if isinstance(session, str) else "")

    def _of_claude(self, told: Json) -> Iterator[Event]:
        at = told.get("timestamp")
        for part in _mappings(_mapping(told["message"]).get("content")):
            if part.get("type") == "tool_use":
                self._begin(part.get("id"), part.get("name"), _mapping(part.get("input")), at)
            elif part.get("type") == "tool_result":
                result = _mapping(told.get("toolUseResult"))
                text = _text(part.get("content"))
                failed = part.get("is_error") is True
                stopped = bool(result.get("interrupted") or result.get("backgroundTaskId"))
                stopped = stopped or text.startswith(REFUSED)
                yield from self._end(part.get("tool_use_id"), text, failed, stopped=stopped)

    def _of_codex(self, payload: Json, at: object) -> Iterator[Event]:
        kind, name, call = payload.get("type"), payload.get("name"), payload.get("call_id")
        if kind == "function_call":
            self._begin(call, name, _parsed(payload.get("arguments")), at)
        elif kind == "custom_tool_call":
            self._begin(call, name, {"patch": payload.get("input")}, at)
        elif kind == "local_shell_call":
            self._begin(call, "local_shell", _mapping(payload.get("action")), at)
        elif kind in ("function_call_output", "custom_tool_call_output"):
            output = payload.get("output")
            told = _parsed(output) or _mapping(output)
            text = _text(told.get("output", told.get("content"))) if told else _text(output)
            code = _mapping(told.get("metadata")).get("exit_code", _exit_code(text))
            stopped = told.get("success") is None and not isinstance(code, int)
            failed = code != 0 if isinstance(code, int) else told.get("success") is False
            yield from self._end(call, _without_head(text), failed, stopped=stopped)

    def _begin(self, call: object, name: object, given: Json, at: object) -> None:
        event = _event(str(call), name, given, at)
        if event is not None and isinstance(call, str):
            self._open[call] = event

    def _end(self, call: object, text: str, failed: bool, *, stopped: bool) -> Iterator[Event]:
        event = self._open.pop(str(call), None)
        # Codex does not say of an edit how it ended.
        if event is not None and not (stopped and event.tool == "Bash"):
            yield _ended(event, text if failed else "", failed)


def _of_gemini(calls: object) -> Iterator[Event]:
    for call in _mappings(calls):
        name, given = call.get("name"), _mapping(call.get("args"))
        event = _event(_text(call.get("id")), name, given, call.get("timestamp"))
        if event is None or call.get("status") not in ("success", "error"):
            continue
        replies = [
            _mapping(_mapping(part.get("functionResponse")).get("response"))
            for part in _mappings(call.get("result"))
        ]
        text = "\n".join(_text(reply.get("error") or reply.get("output")) for reply in replies)
        failed = call["status"] == "error" or bool(_exit_code(text))
        yield _ended(event, _without_head(text) if failed else "", failed)


def _event(call: str, name: object, given: Json, at: object) -> Event | None:
    """The call of a tool that is a command or an edit, None for any other."""
    tool = name.casefold() if isinstance(name, str) else ""
    when = parse_timestamp(at) if isinstance(at, str) else None
    if tool in COMMANDS:
        told = given.get("command", given.get("cmd"))
        return Event(type="tool_call", id=call, tool="Bash", content=_command(told), at=when)
    if tool in EDITS:
        patched = _PATCHED.findall(_text(given.get("patch") or given.get("input")))
        paths = (given.get("file_path"), given.get("notebook_path"), " ".join(patched))
        path = next((path for path in paths if isinstance(path, str) and path), "")
        return Event(type="tool_call", id=call, tool="Edit", content=path, at=when)
    return None


def _command(told: object) -> str:
    """A command line; a list of words is what a shell is given, or the words themselves."""
    if not isinstance(told, list):
        return _text(told)
    words = [word for word in cast("list[object]", told) if isinstance(word, str)]
    shell = len(words) == 3 and words[1] in ("-lc", "-c", "-Command")
    return words[2] if shell else " ".join(words)


def _ended(event: Event, error: str, failed: bool) -> Event:
    text = error.strip() or ("it failed without a word" if failed else "")
    return Event(
        type="tool_call", id=event.id, tool=event.tool, content=event.content, error=text,
        at=event.at,
    )  # fmt: skip


def _exit_code(text: str) -> int | None:
    found = _CODE.findall(text)
    return int(found[-1]) if found else None


def _without_head(text: str) -> str:
    """Return what a command printed, without what its host wrote around it."""
    kept: list[str] = []
    for line in text.splitlines():
        label = next((label for label in _LABELS if line.startswith(label)), "")
        rest = line[len(label) :].strip() if label else line
        if not line.startswith(_HEAD) and rest not in _EMPTY and (rest.strip() or not label):
            kept.append(rest)
    return "\n".join(kept).strip()


def _mapping(value: object) -> Json:
    return cast(Json, value) if isinstance(value, Mapping) else {}


def _mappings(value: object) -> Iterator[Json]:
    if isinstance(value, list):
        yield from (_mapping(each) for each in cast("list[object]", value))


def _parsed(value: object) -> Json:
    try:
        return _mapping(json.loads(value)) if isinstance(value, str) else {}
    except (ValueError, RecursionError):
        return {}


def _text(value: object) -> str:
    """A text, or the texts of its parts one after another."""
    if isinstance(value, list):
        parts = cast("list[object]", value)
        return "\n".join(_text(_mapping(part).get("text", part)) for part in parts)
    return value if isinstance(value, str) else ""
