"""Readers of tracebacks, panics and test reports: which lines say what failed.

Rule of this module: a reader answers with lines only if it recognises its kind of output. Python
says last what failed; JavaScript, Java and .NET say it first and the root cause after it.
"""

from collections.abc import Sequence

from reflection_mcp.tools.identity.rule import compiled
from reflection_mcp.tools.identity.verdicts.asides import is_aside
from reflection_mcp.tools.identity.verdicts.marks import holds_any
from reflection_mcp.tools.identity.verdicts.noise import is_noise
from reflection_mcp.tools.identity.verdicts.places import TEST_FILE, failed_tests
from reflection_mcp.tools.identity.verdicts.reading import (
    Text,
    is_exception,
    is_gutter,
    is_marker,
    is_plain,
)

_PYTEST_SAYS = r"[ \t]*E(?:[ \t]{2,}\S| (?:assert |[A-Z]\w{0,80}(?:Error|Exception)\b))"
_PASSED = "[XPASS(strict)]"
"""How pytest says that a test passed which was to fail."""
_PYTEST_MARKS = ("E ", "E\t", "::", _PASSED)
"""One of them stands in what pytest marks, or in its short summary."""
_CAUSE = r"[ \t]*(?:Caused by|\[cause\])"
_DETAIL_ENDS = (
    r"[ \t]*(?:\.\.\. \d{1,5} (?:more|common)|['\"]?(?:errno|syscall|address|code|port|"
    r"path|filename|dest)['\"]?:|"
    r"[{}\]]|LINE \d|Emitted '|    at )"
)
_MOST_BELOW = 6
_POINTER = "For further information visit "


def _message_below(text: Text, at: int, heads: Sequence[int]) -> list[str]:
    """An exception's line and the lines of its message that follow."""
    found = [text.lines[at]]
    room = _MOST_BELOW
    for below in range(at + 1, len(text.lines)):
        line = text.lines[below]
        if not line.strip() and len(found) == 1 and found[0].endswith(":"):
            continue  # the message begins with an empty line
        if (
            not room
            or not line.strip()
            or below in text.stack.lines
            or below in heads
            or compiled(_DETAIL_ENDS).match(line)
        ):
            break
        if is_aside(line.strip()):
            if line.lstrip().startswith(_POINTER):
                continue  # of pydantic, below each key
            break  # what a runner lists below is its own
        room -= 1
        if not is_marker(line) and not text.hinted(below) and not is_noise(line):
            found.append(line)
    return found


def end_of_traceback(text: Text, chosen: str) -> int:
    """The line after the exception of Python that was chosen; its frames stand above it.

    What another process raised is printed with its own frames, and again where it was awaited.
    """
    told = [at for at, line in enumerate(text.lines) if line == chosen]
    return told[0 if "RemoteTraceback:" in text.whole else -1] + 1


def exceptions(text: Text) -> list[str]:
    """A traceback: the last exception in Python, the first and its root cause elsewhere."""
    traced = "Traceback (most recent call last)" in text.whole
    if not text.stack.frames and not traced:
        return []
    python = traced or text.stack.language == "python"
    heads = [at for at in text.raised if (python and at - 1 in text.stack.lines) or text.spoken(at)]
    if not heads:
        return []
    causes = [at for at in heads[1:] if compiled(_CAUSE).match(text.lines[at])]
    chosen = heads[-1:] if python else heads[:1] + causes[-1:]
    found = [line for at in chosen for line in _message_below(text, at, heads)]
    if python and found[0].strip() == "AssertionError":
        found[1:1] = asserted(text, chosen[0])  # notes of the exception may stand below its name
    return found


def rust_panic(text: Text) -> list[str]:
    """The message of the first panic, which stood in quotes before Rust 1.73."""
    at = next(at for at, line in enumerate(text.lines) if "panicked at" in line)
    line = text.lines[at]
    old = compiled(r".*panicked at '(.{0,800})', \S{1,400}:\d{1,7}:\d{1,7}$").match(line)
    if old:
        return [f"panicked: {old[1]}"]
    below = [
        text.lines[number]
        for number in range(at + 1, min(at + 4, len(text.lines)))
        if not text.hinted(number) and text.spoken(number)
    ]
    return [f"panicked: {below[0]}", *below[1:]] if below else [line]


def asserted(text: Text, at: int) -> list[str]:
    """The assertion that stands in the source above an error that says nothing."""
    for above in range(at - 1, max(at - 4, -1), -1):
        found = compiled(r"[ \t]*(?:>[ \t]+)?(assert\b.+)").match(text.lines[above])
        if found:
            return [found[1]]
    return []


def _short_summary(text: Text) -> list[str]:
    """What the short summary of pytest says of the one test that failed."""
    said = {test.said for test in failed_tests(text.lines)}
    return [message for message in said if message] if len(said) == 1 else []


def _passed(text: Text) -> list[str]:
    """What pytest says of a test that was to fail; it marks no line of it."""
    return [line.strip() for line in text.lines if line.lstrip().startswith(_PASSED)][:1]


def pytest(text: Text) -> list[str]:
    """The lines that pytest marks with `E`, headed by the type it names below them."""
    if not holds_any(text.whole, _PYTEST_MARKS):
        return []
    said = [
        line.strip()[1:].strip()
        for at, line in enumerate(text.lines)
        if line.lstrip()[:1] == "E" and compiled(_PYTEST_SAYS).match(line) and text.spoken(at)
    ]
    said = said or _short_summary(text) or _passed(text)
    if said and not is_exception(said[0]):
        asserts = said[0].startswith("assert ")
        lines = text.lines if asserts else reversed(text.lines)
        ends = (compiled(TEST_FILE).match(line) for line in lines)
        named = next((found[2] for found in ends if found), None)
        said[:0] = [named or "AssertionError"] if asserts or named else []
    if said == ["AssertionError"]:
        bare = compiled(r"[ \t]*E[ \t]+AssertionError$").match
        said += [
            one for at, line in enumerate(text.lines) if bare(line) for one in asserted(text, at)
        ]
    return said[:6]


_GO_TEST = r"[ \t]*--- FAIL: \S|[ \t]*\S{1,200}_test\.go:\d{1,7}: \S"


def go_test(text: Text) -> list[str]:
    """The names of failing Go tests, then what they logged."""
    if not any(line.lstrip().startswith("--- FAIL: ") for line in text.lines):
        return []
    return sorted(
        (line for line in text.lines if compiled(_GO_TEST).match(line)),
        key=lambda line: "--- FAIL" not in line,
    )


def jest(text: Text) -> list[str]:
    """The title of a failing test and what was expected of it."""
    for at, line in enumerate(text.lines):
        if "\u25cf" not in line or not compiled(r"[ \t]*\u25cf \S").match(line):
            continue
        found = [line]
        for below in range(at + 1, min(at + 12, len(text.lines))):
            said = text.lines[below]
            if below in text.stack.lines or is_gutter(said):
                break
            if is_plain(text, below) and not text.hinted(below):
                found.append(said)
        return found[:6] if len(found) > 1 else []
    return []
