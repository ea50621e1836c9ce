"""What stands beside the lines of a verdict and may tell two errors apart.

Rule of this module: nothing here is part of the message. It is collected when two errors that look
alike are held against each other; most are found by their keys, and nobody asks.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from reflection_mcp.tools.identity.keys import ABOVE_THE_END
from reflection_mcp.tools.identity.rule import compiled
from reflection_mcp.tools.identity.tokens import content, tokens
from reflection_mcp.tools.identity.verdicts import diagnostics, places, tracebacks
from reflection_mcp.tools.identity.verdicts.asides import is_aside
from reflection_mcp.tools.identity.verdicts.endings import only_ended
from reflection_mcp.tools.identity.verdicts.reading import Text, is_gutter, is_marker, is_plain
from reflection_mcp.tools.identity.verdicts.runners import is_empty
from reflection_mcp.tools.identity.verdicts.symptoms import tells_of_failure
from reflection_mcp.tools.identity.verdicts.warnings import is_warning

MOST_CONTEXT = 6

_TOO_SHORT = 2
_NAMES_NO_FILE = "Can't find stylesheet to import"
"""What Sass says of a file that it names in the source alone."""
_NAMED = r"'[\w.@/-]{3,60}['\"]"
_NAMED_TWICE = r'"[\w.@/-]{3,60}[\'"]'
"""The same behind a double quote: a pattern that begins with one sign is found soonest."""
_LINE_NUMBER = r"^[ \t]*>?[ \t]*\d{0,7}[ \t]*[|\u2502]"
_TASK = r"Execution failed for task '\S{1,200}'\.?$"
"""Says of a task of Gradle that it failed, and not why."""

Reader = Callable[[Text], list[str]]
"""Finds the lines of one kind of output; none where it is not that kind."""


def _notes(text: Text) -> list[str]:
    """What a compiler adds to its message and what may differ between two look-alikes."""
    note = compiled(r"[ \t]*= (?:note|help): (?!.{0,40}(?:run with|for more|cargo )).{3,}$").match
    found: list[str] = []
    for line in text.lines:
        if note(line):
            found.append(line.strip(" ="))
        elif found and compiled(r"[ \t]{10,}[^\s|].*$").match(line):
            found.append(line)
    return found[:MOST_CONTEXT]


def _names(line: str) -> bool:
    """Whether a line names something in quotes."""
    return ("'" in line and compiled(_NAMED).search(line) is not None) or (
        '"' in line and compiled(_NAMED_TWICE).search(line) is not None
    )


def _naming(text: Text) -> list[int]:
    """The numbers of the lines that name something in quotes."""
    return [
        at for at, line in enumerate(text.lines) if ("'" in line or '"' in line) and _names(line)
    ]


def _advice(text: Text, naming: Sequence[int]) -> list[str]:
    """Advice that names something: of two look-alikes it may name different things."""
    return [
        text.lines[at].strip()
        for at in naming
        if "://" not in text.lines[at]
        and text.hinted(at)  # last: it is found out of all lines above, too
    ][:3]


def _root(text: Text, found: Sequence[str]) -> list[str]:
    """The first exception of a chain, when the verdict is the last."""
    if text.stack.language != "python" or all(text.lines[at] in found for at in text.raised):
        return []
    first = next((text.lines[at] for at in text.raised if text.spoken(at)), found[0])
    return [] if first in found else [f"Caused by: {first.strip()}"]


def _named(text: Text, naming: Sequence[int], found: Sequence[str]) -> list[str]:
    """Lines beside the verdict that name something in quotes, such as PostgreSQL's CONTEXT."""
    return [
        text.lines[at].strip()
        for at in naming
        if at not in text.stack.lines
        and text.lines[at] not in found
        and is_plain(text, at)
        and not text.hinted(at)
    ][:3]


def _component(text: Text) -> list[str]:
    """The component in which a framework of the browser met it, innermost first."""
    if "at <" not in text.whole:
        return []
    frames = (compiled(r"[ \t]*at <([A-Z]\w{0,100})\b").match(line) for line in text.lines)
    return [f"in the component {found[1]}" for found in frames if found][:1]


def _marked(text: Text, found: Sequence[str]) -> list[str]:
    """The source that a caret points at, where a message is too short to name anything."""
    if "^" not in text.whole:
        return []
    for above, below in pairwise(text.lines):
        if "^" in below and is_marker(below) and is_gutter(above):
            words = (word for line in found for word in tokens(line.casefold()))
            if sum(map(content, words)) > _TOO_SHORT and not any(
                _NAMES_NO_FILE in line for line in found
            ):
                return []
            return [f"at the source: {compiled(_LINE_NUMBER).sub('', above).strip()}"]
    return []


def _raised(text: Text) -> list[str]:
    """Where a test met an error that was raised outside it."""
    file = places.raised_in(text.lines)
    return [f"raised in file {file}"] if file else []


def _asserted(text: Text) -> list[str]:
    """The source of an assertion of which only the value is told: `assert False`."""
    for at, line in enumerate(text.lines):
        if compiled(r"E[ \t]+assert (?:False|None|0|''|\[\]|\(\)|\{\})$").match(line.strip()):
            return [f"the test says: {source}" for source in tracebacks.asserted(text, at)]
    return []


def _said_later(text: Text, found: Sequence[str]) -> list[str]:
    """What an exception says below a blank line or its source, and the code that it carries."""
    code = compiled(r"[ \t]*['\"]?code(?:Name)?['\"]?: ['\"]([\w.-]{2,60})['\"],?$").match
    path = compiled(r"[ \t]*['\"]?path['\"]?: \[ ?(['\"][^\]\n]{1,120}['\"]) ?\],?$").match
    said = [
        line.strip()
        for at, line in enumerate(text.lines)
        if at not in text.stack.lines
        and line not in found
        and tells_of_failure(line)
        and at not in text.raised
        and not code(line)
        and is_plain(text, at)
    ]
    codes = map(code, text.lines if "code" in text.whole else ())
    keys = map(path, text.lines if "path" in text.whole else ())
    return [
        *said[:2],
        *(f"code: {one[1]}" for one in codes if one),
        *(f"about the key {one[1]}" for one in keys if one),
    ]


def _above_the_end(text: Text, found: Sequence[str]) -> list[str]:
    """What stands last above lines that say only that something ended: it may say why."""
    ended = compiled(_TASK).match
    if not all(only_ended(line) or ended(line) or is_aside(line.strip()) for line in found):
        return []
    first = next((at for at, line in enumerate(text.lines) if line in found), 0)
    above = (
        text.lines[at].strip()
        for at in reversed(range(first))
        if at not in text.stack.lines
        and is_plain(text, at)
        and not is_empty(text.lines[at].strip())
        and not text.lines[at].startswith("Traceback (")
        and not text.hinted(at)
    )
    return [f"{ABOVE_THE_END}{line}" for line in above][:1]


def _beside_warnings(text: Text, found: Sequence[str]) -> list[str]:
    """What make gave up, where nothing but warnings is told: they may be of something else."""
    if ": *** " not in text.whole or any(
        tells_of_failure(line) and not is_warning(line) for line in found
    ):
        return []
    gave_up = (line.strip() for line in text.lines if diagnostics.is_given_up(line))
    return [line for line in gave_up if line not in found][:1]


class Chosen(NamedTuple):
    """The lines that say what failed, who found them, and the text that they stand in."""

    lines: Sequence[str]
    reader: Reader
    text: Text


def context_of(chosen: Chosen) -> tuple[str, ...]:
    """What stands beside the chosen lines, a note each."""
    found, reader, text = chosen
    rust = reader is diagnostics.rust_compiler
    notes = _notes(text) if rust else _root(text, found)
    if reader is tracebacks.exceptions:
        notes += _said_later(text, found)
    if reader is tracebacks.pytest:
        notes += [*_raised(text), *_asserted(text)]
    notes += [*_component(text), *_marked(text, found), *_above_the_end(text, found)]
    naming = _naming(text)
    if reader in (diagnostics.diagnostics, diagnostics.opening):
        notes += [*_named(text, naming, found), *_beside_warnings(text, found)]
    return (*notes, *_advice(text, naming))
