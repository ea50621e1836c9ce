"""The hooks that start a process, as `hooks.toml` lists them: what a host sends, and which answer
it expects.

Rule: what differs between hosts is in their rows, and the code is the same for all. An event that
cannot be read gets the answer for "nothing to say", and no answer allows or blocks anything.
"""

import json
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, cast

from reflection_mcp.server.mcp.hook_constants import PROMPT, SILENCE
from reflection_mcp.tools.learning.episode import Event
from reflection_mcp.tools.learning.host_calls import (
    WORDLESS,
    Json,
    call_event,
    exit_code,
    mapping,
    parsed,
    text_of,
    without_head,
)
from reflection_mcp.tools.recall.host_events import BEFORE, FAILED, OUTPUT, UNHEARD, WORKED

Places = Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class HookRow:
    """The hooks of one host; `hooks.toml` says what the fields mean."""

    events: Mapping[str, str]
    answer: Json
    silence: Json = field(default_factory=dict[str, Any])
    matcher: str = ""
    grouped: bool = False
    base: Json = field(default_factory=dict[str, Any])
    entry: Json = field(default_factory=dict[str, Any])
    conversation: Places = ()
    folder: Places = ()
    tool: Places = ()
    input: Places = ()
    id: Places = ()
    code: Places = ()
    output: Places = ()
    error: Places = ()
    success: Places = ()
    stopped: Places = ()
    prompt: Places = ()

    def read(self, event: str, payload: Json) -> tuple[str, Event] | None:
        """Return our name for the event, and the event; None if it is of no use."""
        kind = self.events.get(event)
        if kind == "prompt":
            return PROMPT, Event(type="tool_call", content=_text(payload, self.prompt))
        given = _at(payload, self.input)
        call = call_event(
            _text(payload, self.id),
            _at(payload, self.tool),
            mapping(given) or parsed(given),
        )
        if kind is None or call is None or _at(payload, self.stopped):
            return None
        if kind == "before":
            return BEFORE, call
        printed, error = _text(payload, self.output), _text(payload, self.error)
        stated = _at(payload, self.code)
        code = stated if isinstance(stated, int) else exit_code(printed)
        ended_well = not error and not code and _at(payload, self.success) is not False
        if kind == "after" and ended_well:
            return WORKED, _with(call, metadata={OUTPUT: without_head(printed)})
        why = error.strip() or without_head(printed) or WORDLESS
        return UNHEARD if kind == "unheard" else FAILED, _with(call, error=why)

    def conversation_of(self, payload: Json) -> str:
        """The id of the host's conversation, empty when it is not known."""
        return _text(payload, self.conversation)[:200]

    def folders_of(self, payload: Json) -> Sequence[str]:
        """The folders in which the host says it works, the best first."""
        return _texts(payload, self.folder)

    def answered(self, event: str, text: str) -> str:
        """Return what to print for the answer that a hook of the plugin would get."""
        if text == SILENCE:
            return json.dumps(self.silence)
        said = json.loads(text)["hookSpecificOutput"]["additionalContext"]
        return json.dumps(_filled(self.answer, {"TEXT": said, "EVENT": event}), ensure_ascii=False)


def _with(call: Event, **known: Any) -> Event:
    return Event(type="tool_call", id=call.id, tool=call.tool, content=call.content, **known)


def _at(payload: object, places: Places) -> object:
    """The value at the first of the places where there is one."""
    return next((found for place in places if (found := _value(payload, place)) is not None), None)


def _value(node: object, place: str) -> object:
    for name in place.split("."):
        node = parsed(node) or node
        if isinstance(node, list):
            values = cast("list[object]", node)
            node = values[int(name)] if name.isdecimal() and int(name) < len(values) else None
        else:
            node = mapping(node).get(name)
    return node


def _text(payload: object, places: Places) -> str:
    """The first text that is not empty."""
    return next(iter(_texts(payload, places)), "")


def _texts(payload: object, places: Places) -> Sequence[str]:
    found = (text_of(_value(payload, place)).strip() for place in places)
    return [text for text in found if text]


def _filled(value: object, words: Mapping[str, str]) -> object:
    if isinstance(value, Mapping):
        return {key: _filled(each, words) for key, each in cast(Json, value).items()}
    return words.get(value, value) if isinstance(value, str) else value


@cache
def hook_rows() -> Mapping[str, HookRow]:
    """The rows by the key of their host."""
    text = (Path(__file__).parent / "hooks.toml").read_text(encoding="utf-8")
    return {key: HookRow(**row) for key, row in tomllib.loads(text).items()}
