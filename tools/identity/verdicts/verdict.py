"""Chooses, out of all that was printed, the lines that say what failed.

Rule of this module: readers are asked in order, the first that recognises its kind of output
answers. What no reader knows, in whatever human language, keeps its first lines that are not
noise.
"""

from collections.abc import Sequence
from typing import NamedTuple

from reflection_mcp.tools.identity.rule import compiled
from reflection_mcp.tools.identity.verdicts import diagnostics, places, tracebacks
from reflection_mcp.tools.identity.verdicts.blanks import without_blanks
from reflection_mcp.tools.identity.verdicts.conclusions import without_conclusions
from reflection_mcp.tools.identity.verdicts.context import Chosen, Reader, context_of
from reflection_mcp.tools.identity.verdicts.frames import location_of, stack_of
from reflection_mcp.tools.identity.verdicts.gists import gist_of
from reflection_mcp.tools.identity.verdicts.marks import holds_any
from reflection_mcp.tools.identity.verdicts.reading import Text, text_of
from reflection_mcp.tools.identity.verdicts.warnings import without_warnings
from reflection_mcp.tools.identity.verdicts.wrappers import without_wrappers
from reflection_mcp.tools.identity.warned import WARNED

MOST_LINES = 8

_NAMELESS = r":(?:.*[.])?<[^>]*>$"
"""A function without a name, as a test is that has a title instead."""
_LABEL = r"[^\w'\"(\[]{0,12}(?:(?:[Mm]essage|[Ee]rror|[Dd]etails?|[Rr]eason|[Mm]sg): )?"
_MARKS = ("\u2716 ", "not ok ")
_WITHIN = (WARNED, "utput: ")
"""What goes from within a line: the mark of a warning, and what is said of an output."""
_LONG_ENOUGH = 20
"""Shorter lines are no repetition of longer ones that hold them by chance."""

READERS: tuple[tuple[str, Reader], ...] = (
    ("", tracebacks.exceptions),
    ("panicked at", tracebacks.rust_panic),
    ("", tracebacks.pytest),
    ("--- FAIL: ", tracebacks.go_test),
    ("\u25cf", tracebacks.jest),
    ("", diagnostics.npm),
    ("-->", diagnostics.rust_compiler),
    ("", diagnostics.diagnostics),
)
"""Each behind a mark that is in all that it recognises: most texts hold none of them."""


class Verdict(NamedTuple):
    """The chosen lines as printed, and where it happened.

    `chosen` and `notes`, of what was left out around the error, are what its context is made of.
    """

    lines: Sequence[str]
    location: str | None
    chosen: Chosen
    notes: Sequence[str] = ()

    @property
    def context(self) -> tuple[str, ...]:
        """What may tell two errors apart that have all else in common; collected when asked for."""
        return (*context_of(self.chosen), *self.notes)


def _place(chosen: Chosen) -> str | None:
    """Where it happened: a panic says so itself, else the stack, else a line of its own."""
    found, reader, text = chosen
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
        return (nameless and _titled(text)) or location
    if reader is tracebacks.pytest:
        return places.place_of_test(text.lines)
    titled = " > " in text.whole and places.place_of_titled_test(text.lines)
    titled = titled or ("[doctest] " in text.whole and places.place_of_doctest(text.lines))
    numbered = "1) " in text.whole and places.place_of_numbered_test(text.lines)
    if told := titled or numbered or places.place_printed(text.lines):
        return told
    return places.place_of_marked_test(text.lines, timed=True) if "ms)" in text.whole else None


def _titled(text: Text) -> str | None:
    """The title of the first failing test, by its number or by the mark of a harness."""
    file = (location_of(text.stack) or "").partition(":")[0]
    if example := places.place_of_rspec(text.lines, file):
        return example
    if numbered := places.place_of_numbered_test(text.lines):
        return numbered
    marked = text.stack.language == "script" and holds_any(text.whole, _MARKS)
    title = places.place_of_marked_test(text.lines) if marked else None
    return f"{file}{title}" if title else None


def _told_once(found: Sequence[str]) -> Sequence[str]:
    """The lines without those that another holds whole, behind the name of who reports it."""
    if len(found) < 2:
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


def _chosen(text: Text) -> Chosen:
    """What the first reader finds that recognises its kind of output."""
    whole = text.whole
    for mark, reader in READERS:
        if mark in whole and (found := reader(text)):
            return Chosen(found, reader, text)
    return Chosen(diagnostics.opening(text), diagnostics.opening, text)


def _unwrapped(lines: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """The lines without what stands beside an error, and notes of it; one alone is beside none."""
    notes: Sequence[str] = ()
    if len(lines) == 1 and not holds_any(lines[0], _WITHIN):
        return lines, notes
    lines = without_warnings(lines)
    for unwrap in (without_wrappers, without_conclusions):
        found = unwrap(lines)
        if found:
            lines, notes = found.lines, (*notes, *found.notes)
    return lines, notes


def verdict_of(lines: Sequence[str]) -> Verdict:
    """The lines that say what failed, and where."""
    lines, notes = _unwrapped(without_blanks(lines))
    gist = gist_of(lines)
    chosen = _chosen(text_of(tuple(gist.lines if gist else lines)))
    return Verdict(
        _told_once(chosen.lines)[:MOST_LINES],
        f":{gist.function.casefold()}" if gist and gist.function else _place(chosen),
        chosen,
        (*notes, gist.of) if gist and gist.of else notes,
    )
