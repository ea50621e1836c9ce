"""Our hooks in a host's configuration: how they are added, recognised and removed.

Rule: a hook is ours if it calls a tool of this server or runs `reflection... hook HOST`; every
other hook stays where it is. A change that would do more than add or remove our hooks is refused.
"""

import json
import os
import shlex
import subprocess
from collections.abc import Mapping
from functools import cache
from typing import Any, cast

from reflection_mcp.server.hosts import json_edit
from reflection_mcp.server.hosts.hook_rows import HookRow, hook_rows
from reflection_mcp.server.hosts.launch import NAME, Launch
from reflection_mcp.server.hosts.plugin import FOLDER
from reflection_mcp.tools.errors import InvalidInput

Entries = Mapping[str, Mapping[str, Any]]
"""The hook for each event."""


def hook_entries(host: str, launch: Launch) -> Entries:
    """The hooks of a host of the table that has a file for them."""
    if host == "codex":
        return _of_codex()
    row = hook_rows()[host]
    return {event: _entry(row, event, launch.words, host) for event in row.events}


def _entry(row: HookRow, event: str, words: tuple[str, ...], host: str) -> Mapping[str, Any]:
    line = [*words, "hook", host, event]
    command = subprocess.list2cmdline(line) if os.name == "nt" else shlex.join(line)
    filtered = {} if row.events[event] == "prompt" else {"matcher": row.matcher}
    entry = {**row.entry, "command": command}
    return {**filtered, "hooks": [entry]} if row.grouped else {**entry, **filtered}


FILES = "|Edit|Write|NotebookEdit"
"""The tools of Claude Code that change a file, as the matchers of its hooks name them."""


@cache
def _of_codex() -> Entries:
    """The plugin's briefing and its warning before a command: for the other hooks Codex tells too
    little, and it does not run a hook that names a value it does not have."""
    hooks = json.loads((FOLDER / "hooks" / "hooks.json").read_bytes())["hooks"]
    (commands,) = (row for row in hooks["PreToolUse"] if "Bash" in row["matcher"])
    kept = {"PreToolUse": commands, "UserPromptSubmit": hooks["UserPromptSubmit"][0]}
    text = json.dumps(kept).replace(f"plugin:reflection:{NAME}", NAME)
    for absent in ("${agent_id}", "${tool_input.file_path}${tool_input.notebook_path}", FILES):
        text = text.replace(absent, "")
    entries: Entries = json.loads(text)
    return entries


def with_hooks(text: str, host: str, entries: Entries) -> str:
    """The text with our hooks in it.

    Raises:
        InvalidInput: it cannot be read, or cannot be changed safely.
    """
    if all(_is_there(text, event, entry) for event, entry in entries.items()):
        return text
    bare = without_hooks(text, host)
    if not bare.strip() and host in hook_rows() and hook_rows()[host].base:
        bare = json.dumps(hook_rows()[host].base, indent=2) + "\n"
    changed = bare
    for event in reversed(list(entries)):
        changed = json_edit.with_element(changed, ("hooks", event), entries[event])
    expected = _lists(_value(bare))
    for event, entry in entries.items():
        expected[event] = [entry, *expected.get(event, [])]
    return _safe(changed, {**_value(bare), "hooks": expected})


def without_hooks(text: str, host: str) -> str:
    """The text without our hooks; the same text when none is in there.

    Raises:
        InvalidInput: it cannot be read, or cannot be changed safely.
    """
    value = _value(text)
    changed, kept = text, dict(_lists(value))
    for event, hooks in _lists(value).items():
        for place, hook in reversed([*enumerate(hooks)]):
            inner = _below_a_matcher(hook)
            ours = [n for n, each in enumerate(inner) if is_ours(each, host)]
            if is_ours(hook, host) or (ours and len(ours) == len(inner)):
                changed = json_edit.without_element(changed, ("hooks", event), place)
                kept[event] = [*kept[event][:place], *kept[event][place + 1 :]]
                continue
            for number in reversed(ours):  # those of others below the same matcher stay
                path = ("hooks", event, place, "hooks")
                changed = json_edit.without_element(changed, path, number)
            if ours:
                others = [each for n, each in enumerate(inner) if n not in ours]
                kept[event] = [*kept[event]]
                kept[event][place] = {**hook, "hooks": others}
    return text if changed == text else _safe(changed, {**value, "hooks": kept})


def _below_a_matcher(hook: object) -> list[object]:
    if not isinstance(hook, Mapping):
        return []
    inner = cast("Mapping[str, object]", hook).get("hooks")
    return cast("list[object]", inner) if isinstance(inner, list) else []


def is_ours(hook: object, host: str) -> bool:
    """Return True if a hook calls this server, or runs its command for a host."""
    if not isinstance(hook, Mapping):
        return False
    entry = cast("Mapping[str, object]", hook)
    command = str(entry.get("command", ""))
    calls = entry.get("type") == "mcp_tool" and entry.get("server") == NAME
    return calls or ("reflection" in command and f" hook {host} " in command)


def _is_there(text: str, event: str, entry: Mapping[str, Any]) -> bool:
    return entry in _lists(_value(text)).get(event, [])


def _value(text: str) -> dict[str, Any]:
    value = json_edit.value_of(text)
    if not isinstance(value, dict):
        raise InvalidInput("it does not hold settings", "correct the file first")
    return cast("dict[str, Any]", value)


def _lists(value: Mapping[str, Any]) -> dict[str, list[Any]]:
    """The hooks by their event."""
    hooks: Any = value.get("hooks", {})
    if not isinstance(hooks, dict):
        raise InvalidInput("its entry hooks is not a table of events", "correct the file first")
    events = cast("dict[str, Any]", hooks)
    if not all(isinstance(each, list) for each in events.values()):
        raise InvalidInput("an event of its hooks is not a list", "correct the file first")
    return dict(events)


def _safe(changed: str, expected: Mapping[str, Any]) -> str:
    """The changed text, if it has the expected value; an empty table or list may remain or go."""
    if _solid(_value(changed)) != _solid(expected):
        raise InvalidInput(
            "its format is too unusual to be changed safely",
            "add or remove it by hand; --print shows what to add",
        )
    return changed


def _solid(value: Any) -> Any:
    if not isinstance(value, Mapping):
        return value
    parts = {key: _solid(each) for key, each in cast("Mapping[str, Any]", value).items()}
    return {key: each for key, each in parts.items() if each not in ({}, [])}
