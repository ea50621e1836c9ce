"""Where it happened, and which lines are stack and not message.

Rule of this module: the location of an error is the innermost frame of the user's own code. Code of
the language, its standard library and installed packages says nothing about whose fault it is.
"""

from collections.abc import Sequence
from typing import NamedTuple

from reflection_mcp.tools.identity.ports import WELL_KNOWN_PORTS
from reflection_mcp.tools.identity.rule import compiled
from reflection_mcp.tools.identity.verdicts.frame import Frame
from reflection_mcp.tools.identity.verdicts.frame_forms import FORMS, Form
from reflection_mcp.tools.identity.verdicts.trailers import is_trailer

_INNERMOST_LAST = "python"
_CUT = r"\.\.\.|snip|skip|omit|elided|truncated|hid(?:den|ing)|cut"
_MARKED = tuple((mark, form) for form in FORMS for mark in form.marks)
_ANYHOW = tuple((form.below or mark, (mark, form)) for mark, form in _MARKED if "" in form.begins)
"""Forms of which a frame may begin with anything: a text is asked first whether it holds one."""
_BEGUN = {
    sign: (
        tuple(text for form in FORMS for text in form.begins if text[:1] == sign),
        tuple(
            (mark, form)
            for mark, form in _MARKED
            if any(text[:1] in ("", sign) for text in form.begins)
        ),
    )
    for sign in {text[:1] for form in FORMS for text in form.begins if text}
}
"""By first sign: what frames of the others begin with, and the forms that such a line may be."""


class Stack(NamedTuple):
    """The frames of a text in the order printed, and the numbers of the lines they take up.

    `language` is that of the first frame, empty without one; `cut` says that the innermost frames
    were left out.
    """

    frames: tuple[Frame, ...]
    lines: frozenset[int]
    language: str
    cut: bool = False


_NO_STACK = Stack((), frozenset(), "")


def stack_of(lines: Sequence[str], whole: str = "") -> Stack:
    """Find the stack frames in cleaned lines; `whole` is a text that holds them all."""
    whole = whole or "\n".join(lines)
    frames: list[Frame] = []
    taken: set[int] = set()
    language = ""
    anyhow = [one for mark, one in _ANYHOW if mark in whole]
    for at, line in enumerate(lines):
        begun = line.lstrip(" \t")
        known = _BEGUN.get(begun[:1])
        if known and begun.startswith(known[0]):
            likely: Sequence[tuple[str, Form]] = known[1]
        elif anyhow:
            likely = anyhow
        else:
            continue
        if at in taken:
            continue
        for mark, form in likely:
            if mark not in line or not begun.startswith(form.begins):
                continue
            met = form.read(lines, at)
            if met:
                frames.append(met.frame)
                taken.update(range(at, at + met.lines))
                language = language or form.language
                break
    if not frames:
        return _NO_STACK
    last = max(taken, default=0) + 1
    cut = language == _INNERMOST_LAST and last < len(lines) and _is_cut(lines[last])
    return Stack(tuple(frames), frozenset(taken), language, cut)


def _is_cut(line: str) -> bool:
    """Whether a line only says that others were left out here."""
    return compiled(_CUT).search(line.casefold()) is not None and is_trailer(line.strip())


def location_of(stack: Stack) -> str | None:
    """`file:function` of the innermost frame of the user's own code, casefolded; None without.

    A well-known port in the source line shown says which service was meant: `file:function@port`.
    """
    if stack.cut or not stack.frames:
        return None
    inward = reversed(stack.frames) if stack.language == _INNERMOST_LAST else stack.frames
    own = (one for one in inward if (one.function or one.file) and not one.foreign)
    frame = next(own, None)
    if frame is None:
        return None
    if not frame.source:
        return f"{frame.file}:{frame.function}".casefold()
    ports = compiled(r"(?<![\w.])\d{4,5}(?![\w.])").findall(frame.source)
    service = next((f"@{port}" for port in ports if port in WELL_KNOWN_PORTS), "")
    return f"{frame.file}:{frame.function}{service}".casefold()
