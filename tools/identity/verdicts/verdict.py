"""Chooses, out of all that was printed, the lines that say what failed.

Rule of this module: readers are asked in order, the first that recognises its kind of output
answers. What no reader knows, in whatever human language, keeps its first lines that are not
noise.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from reflection_mcp.tools.identity.rule import compiled
from reflection_mcp.tools.identity.tokens import content, tokens
from reflection_mcp.tools.identity.verdicts import diagnostics, places, tracebacks
from reflection_mcp.tools.identity.verdicts.blanks import without_blanks
from reflection_mcp.tools.identity.verdicts.conclusions import without_conclusions
from reflection_mcp.tools.identity.verdicts.frames import location_of, stack_of
from reflection_mcp.tools.identity.verdicts.gists import gist_of
from reflection_mcp.tools.identity.verdicts.reading import (
    Text,
    is_gutter,
    is_marker,
    is_plain,
    text_of,
)
from reflection_mcp.tools.identity.verdicts.symptoms import tells_of_failure
from reflection_mcp.tools.identity.verdicts.warnings import is_warning, without_warnings
from reflection_mcp.tools.identity.verdicts.wrappers import without_wrappers

MOST_LINES = 8
MOST_CONTEXT = 6

_TOO_SHORT = 2
_NAMELESS = r":(?:.*[.])?<[^>]*>$"
"""A function without a name, as a test is that has a title instead."""
_LABEL = r"[^\w'\"(\[]{0,12}(?:(?:[Mm]essage|[Ee]rror|[Dd]etails?|[Rr]eason|[Mm]sg): )?"
_LONG_ENOUGH = 20
"""Shorter lines are no repetition of longer ones that hold them by chance."""
_NAMED = r"'[\w.@/-]{3,60}['\"]"
_NAMED_TWICE = r'"[\w.@/-]{3,60}[\'"]'
"""The same behind a double quote: a pattern that begins with one sign is found soonest."""
_LINE_NUMBER = r"^[ \t]*>?[ \t]*\d{0,7}[ \t]*[|\u2502]"

Reader = Callable[[Text], list[str]]

READERS: tuple[tuple[str, Reader], ...] = (
    ("", tracebacks.exceptions),
    ("panicked at", tracebacks.rust_panic),
    ("", tracebacks.pytest),
    ("--- FAIL: ", tracebacks.go_test),
    ("\u25cf", tracebacks.jest),
    ("", diagnostics.npm),
    ("-->", diagnostics.rust_compiler),
    ("", diagnostics.diagnostics),
    ("", diagnostics.opening),
)
"""Each behind a mark that is in all that it recognises: most texts hold none of them."""


class Verdict(NamedTuple):
    """The chosen lines as printed, where it happened, and notes that may tell two apart."""

    lines: list[str]
    location: str | None = None
    context: Sequence[str] = ()


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
            if sum(map(content, words)) > _TOO_SHORT:
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
    code = compiled(r"[ \t]*['\"]?code['\"]?: ['\"]([\w.-]{2,60})['\"],?$").match
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


def _beside_warnings(text: Text, found: Sequence[str]) -> list[str]:
    """What make gave up, where nothing but warnings is told: they may be of something else."""
    if ": *** " not in text.whole or any(
        tells_of_failure(line) and not is_warning(line) for line in found
    ):
        return []
    gave_up = (line.strip() for line in text.lines if diagnostics.is_given_up(line))
    return [line for line in gave_up if line not in found][:1]


def _place(text: Text, reader: Reader, found: Sequence[str]) -> str | None:
    """Where it happened: a panic says so itself, else the stack, else a line of its own."""
    if reader is tracebacks.rust_panic:
        return places.place_of_panic(text.lines)
    stack = text.stack
    if reader is tracebacks.exceptions and stack.language == "python":
        # What a wrapper raised from it is told below, with frames that are not its own.
        end = tracebacks.end_of_traceback(text, found[0])
        if max(stack.lines, default=0) > end:
            above = stack_of(text.lines[:end], text.whole)
            stack = above if above.frames else stack
    location = location_of(stack)
    if location is not None:
        nameless = location.endswith(">") and compiled(_NAMELESS).search(location)
        return (nameless and places.place_of_numbered_test(text.lines)) or location
    if reader is tracebacks.pytest:
        return places.place_of_test(text.lines)
    titled = " > " in text.whole and places.place_of_titled_test(text.lines)
    numbered = "1) " in text.whole and places.place_of_numbered_test(text.lines)
    return titled or numbered or places.place_printed(text.lines)


def _told_once(found: list[str]) -> list[str]:
    """The lines without those that another holds whole, behind the name of who reports it."""
    if len(found) == 1:
        return found
    cores = [compiled(_LABEL).sub("", line, count=1).strip() for line in found]
    return [
        line
        for at, line in enumerate(found)
        if len(cores[at]) < _LONG_ENOUGH
        or not any(
            cores[at] in other and (len(cores[at]) < len(other) or below < at)
            for below, other in enumerate(cores)
            if below != at
        )
    ]


def verdict_of(lines: Sequence[str]) -> Verdict:
    """The lines that say what failed, and where."""
    unwrapped = without_conclusions(without_wrappers(without_warnings(without_blanks(lines))))
    gist = gist_of(unwrapped.lines)
    told = _verdict(gist.lines)
    notes = (*unwrapped.notes, gist.of) if gist.of else unwrapped.notes
    if notes:
        told = told._replace(context=(*told.context, *notes))
    return told._replace(location=f":{gist.function.casefold()}") if gist.function else told


def _verdict(lines: Sequence[str]) -> Verdict:
    text = text_of(tuple(lines))
    for mark, reader in READERS:
        found = reader(text) if mark in text.whole else []
        if found:
            naming = _naming(text)
            rust = reader is diagnostics.rust_compiler
            notes = _notes(text) if rust else _root(text, found)
            if reader is tracebacks.exceptions:
                notes = [*notes, *_said_later(text, found)]
            if reader is tracebacks.pytest:
                notes = [*notes, *_raised(text), *_asserted(text)]
            notes = [*notes, *_component(text), *_marked(text, found)]
            if reader in (diagnostics.diagnostics, diagnostics.opening):
                notes += [*_named(text, naming, found), *_beside_warnings(text, found)]
            said = _told_once(found)[:MOST_LINES]
            return Verdict(said, _place(text, reader, found), (*notes, *_advice(text, naming)))
    return Verdict([])
