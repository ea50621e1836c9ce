"""One call of a tool, a command or an edit, as a host reports it in a transcript or to a hook.

Rules: tools get the names that Claude Code's hooks report; calls of other tools are left out. So
are the lines that a host writes around the output of a command.
"""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, cast

from reflection_mcp.tools.learning.episode import Event

COMMANDS = frozenset(
    """bash powershell shell shell_command local_shell exec_command run_shell_command
    execute_command run_commands""".split()
)
EDITS = frozenset(
    """edit write multiedit notebookedit apply_patch replace write_file create write_to_file
    replace_in_file""".split()
)
PATHS = ("file_path", "notebook_path", "path", "filePath")
_CODE = re.compile(
    r"^(?:Process exited with code|Exit code:?|Exit Code:|Command failed with exit code"
    r"|<shellId: [^\s>]{1,40} completed with exit code|\[?Command exited with code) (\d{1,5})",
    re.MULTILINE,
)
_PATCHED = re.compile(r"^\*\*\* (?:Add|Update|Delete) File: (.+)$", re.MULTILINE)
_HEAD = (
    *("Command:", "Directory:", "Chunk ID:", "Wall time:", "Process exited with code"),
    *("Original token count:", "Total output lines:", "Background PIDs:", "Process Group PGID:"),
    *("<shellId:", "[Command exited with code", "[stdout]", "[stderr]"),
)
"""The beginnings of lines that a host writes around what a command printed."""
_LABELS = ("Output:", "Stdout:", "Stderr:", "Error:")
_EMPTY = ("(none)", "(empty)")
LONGEST_CHANGE = 140
"""Characters of a change; with the name of its file it is as long as a step that is shown."""
WORDLESS = "it failed without a word"
Json = Mapping[str, Any]


def call_event(call: str, name: object, given: Json, at: datetime | None = None) -> Event | None:
    """Return the call of a tool that is a command or an edit, None for any other."""
    tool = name.casefold() if isinstance(name, str) else ""
    if tool in COMMANDS:
        told = given.get("command", given.get("cmd"))
        if isinstance(several := given.get("commands"), list):  # each by itself
            told = "; ".join(map(text_of, cast("list[object]", several)))
        return Event(type="tool_call", id=call, tool="Bash", content=_command(told), at=at)
    if tool in EDITS:
        patched = _PATCHED.findall(text_of(given.get("patch") or given.get("input")))
        paths = (*(given.get(path) for path in PATHS), " ".join(patched))
        path = next((path for path in paths if isinstance(path, str) and path), "")
        return Event(type="tool_call", id=call, tool="Edit", content=path, at=at)
    return None


def _command(told: object) -> str:
    """A command line; a list of words is what a shell is given, or the words themselves."""
    if not isinstance(told, list):
        return text_of(told)
    words = [word for word in cast("list[object]", told) if isinstance(word, str)]
    shell = len(words) == 3 and words[1] in ("-lc", "-c", "-Command")
    return words[2] if shell else " ".join(words)


def change_of(given: Json) -> str:
    """Return the lines that an edit changed, such as `a = 1 -> a = 2`; empty if they are too long,
    or if the host does not report them."""
    old: list[str] = []
    new: list[str] = []
    for edit in (given, *mappings(given.get("edits"))):
        before, after = (
            text_of(edit.get(key)).splitlines() for key in ("old_string", "new_string")
        )
        old += [line for line in before if line not in after]
        new += [line for line in after if line not in before]
    new += text_of(given.get("content")).splitlines()
    for line in text_of(given.get("patch") or given.get("input")).splitlines():
        if line[:1] in "+-" and not line.startswith(("+++", "---")):
            (new if line.startswith("+") else old).append(line[1:])
    parts = [" / ".join(each for line in lines if (each := line.strip())) for lines in (old, new)]
    change = f"{parts[0] or '(nothing)'} -> {parts[1] or '(nothing)'}"
    return change if any(parts) and len(change) <= LONGEST_CHANGE else ""


def exit_code(text: str) -> int | None:
    """Return the last exit code that a host states in what a command printed."""
    found = _CODE.findall(text)
    return int(found[-1]) if found else None


def without_head(text: str) -> str:
    """Return what a command printed, without what its host wrote around it."""
    kept: list[str] = []
    for line in text.splitlines():
        label = next((label for label in _LABELS if line.startswith(label)), "")
        rest = line[len(label) :].strip() if label else line
        if not line.startswith(_HEAD) and rest not in _EMPTY and (rest.strip() or not label):
            kept.append(rest)
    return "\n".join(kept).strip()


def mapping(value: object) -> Json:
    """Return a value if it is an object of JSON, else an empty one."""
    return cast(Json, value) if isinstance(value, Mapping) else {}


def mappings(value: object) -> Iterator[Json]:
    """Yield the objects of a list."""
    if isinstance(value, list):
        yield from (mapping(each) for each in cast("list[object]", value))


def parsed(value: object) -> Json:
    """Return the object that a text of JSON holds, else an empty one."""
    try:
        return mapping(json.loads(value)) if isinstance(value, str) else {}
    except (ValueError, RecursionError):
        return {}


def text_of(value: object) -> str:
    """Return a text, or the texts of a list one after another; empty for anything else."""
    if isinstance(value, list):
        parts = cast("list[object]", value)
        return "\n".join(text_of(mapping(part).get("text", part)) for part in parts)
    return value if isinstance(value, str) else ""
