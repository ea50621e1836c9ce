"""What only says that a command ended badly, where what the command printed is there, too.

Rule of this module: a wrapper goes where the rest tells of a failure. It stays as a note, so that
two commands that failed beside the same lines remain two; where the rest tells nothing it is the
message, with its code.
"""

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from reflection_mcp.tools.identity.rule import Shape, any_of, compiled
from reflection_mcp.tools.identity.verdicts.warnings import apart_from_warnings
from reflection_mcp.tools.identity.verdicts.worse import tells_one

_CHECKED = (
    r"(?:\w{1,60}\.){0,4}CalledProcessError: Command .{1,4000} "
    r"(?:returned non-zero exit status -?\d{1,6}|died with \S.{0,60})\.?$"
)
_TRACEBACK = "Traceback (most recent call last):"
_RAISED_FROM = "The above exception was the direct cause of the following exception:"
_CHAINED = ("The above exception", "During handling of the above")

COMMANDS: tuple[Shape, ...] = (
    Shape(
        "command of Node",
        r"(?:[\w$ ./-]{1,60}: ){0,2}Command failed(?: with exit code \d{1,6}[^:\n]{0,40})?: \S.*",
        "Error: Command failed: bash run.sh",
        "Error: Command failed",
    ),
    Shape(
        "command of a task runner",
        r"(?:[\w ./-]{1,60}: ){0,2}Command failed: .{1,1000} returned -?\d{1,6}",
        "Command failed: 'tool apply a.diff' returned 1",
        "Command returned 1",
    ),
)
"""Whole lines."""
_COMMANDS = any_of(COMMANDS, before=r"[ \t]{0,40}+", after="$")
_CODE = r"[ \t]*(?:status|code|exitCode): (-?\d{1,6}|'SIG[A-Z]{2,6}'),?$"
_FRAME = r"[ \t]+at \S"
_OF_THE_CALL = r"child_process|ChildProcess|execa"
"""Stands in the frames of who waited for the command, and not in those of the command."""


class Unwrapped(NamedTuple):
    """Lines without the wrapper, and what it said."""

    lines: Sequence[str]
    notes: Sequence[str] = ()


def is_wrapper(line: str) -> bool:
    """Whether a line is how Node or a task runner says that a command ended badly."""
    return _COMMANDS.match(line) is not None


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def start_of(lines: Sequence[str], at: int) -> int:
    """The first line of the traceback that ends in an exception, or that of the exception."""
    margin = _indent(lines[at])
    start = at - 1
    while start > 0 and _indent(lines[start]) > margin:
        start -= 1
    if start < 0 or lines[start].strip() != _TRACEBACK or _indent(lines[start]) != margin:
        return at
    return start


def block_of(lines: Sequence[str], at: int) -> tuple[int, int] | None:
    """Where the traceback of a checked command begins and ends, with those raised from it."""
    start = start_of(lines, at)
    told = [number for number in range(start) if lines[number].strip()]
    if told and lines[told[-1]].startswith(_CHAINED):
        return None
    end = at + 1
    while True:
        below = [number for number in range(end, len(lines)) if lines[number].strip()][:2]
        if not below or not lines[below[0]].startswith(_CHAINED):
            return start, end
        if lines[below[0]].strip() != _RAISED_FROM or len(below) == 1:
            return None
        end = below[1] + 1
        while end < len(lines) and lines[end][:1] in (" ", "\t", ""):
            end += 1
        end += 1


def _checked(lines: Sequence[str]) -> Unwrapped:
    """The lines without the tracebacks of commands that Python checked."""
    notes: list[str] = []
    left = list(lines)
    for at in reversed(range(len(lines))):
        if at < len(left) and compiled(_CHECKED).match(left[at]):
            block = block_of(left, at)
            if block:
                notes.append(left[at].strip())
                del left[block[0] : block[1]]
    return Unwrapped([] if any("CalledProcessError" in line for line in left) else left, notes)


def _called(lines: Sequence[str]) -> Unwrapped:
    """The lines without those by which Node says that a command failed, and their frames."""
    left: list[str] = []
    notes: list[str] = []
    for framed, group in groupby(lines, lambda line: compiled(_FRAME).match(line) is not None):
        block = list(group)
        if framed and compiled(_OF_THE_CALL).search("\n".join(block)):
            continue
        notes += [line.strip() for line in block if _COMMANDS.match(line)]
        left += [line for line in block if not _COMMANDS.match(line)]
    return Unwrapped(left, notes) if notes else Unwrapped(lines)


def _codes(lines: Sequence[str]) -> list[str]:
    """How a command ended that said nothing, of the object that Node prints of it."""
    found = (compiled(_CODE).match(line) for line in lines)
    return [f"ended with exit code {one[1]}" for one in found if one][:1]


_PARTS = (("CalledProcessError", _checked), ("Command failed", _called))
"""What leaves out each kind, behind the mark of it."""


def without_wrappers(lines: Sequence[str]) -> Unwrapped | None:
    """The lines without what only says that a command ended badly, if the rest tells more.

    None if no line says that, as in almost all texts.
    """
    notes: Sequence[str] = ()
    whole = "\n".join(lines)
    for mark, part in _PARTS:
        if mark in whole:
            found = part(lines)
            if len(found.lines) < len(lines) and tells_one(apart_from_warnings(found.lines)):
                lines, notes = found.lines, (*notes, *found.notes)
            elif part is _called:
                notes = (*notes, *_codes(lines))
    return Unwrapped(lines, notes) if notes else None
