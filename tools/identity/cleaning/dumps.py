"""What Node prints of a child process that failed: an object with its streams, as source code.

Rules of this module: an object is one of a process if it has a signal and a stream. What the
program printed takes its place, unless it stands in the text already; without a word of it the
object stays, for its code is then all that is told.
"""

from collections.abc import Callable, Sequence

from reflection_mcp.tools.identity.rule import Match, compiled

_LITERAL = (
    r"(?:'(?:[^'\\\n]|\\.){0,8000}'|\"(?:[^\"\\\n]|\\.){0,8000}\"|`(?:[^`\\\n]|\\.){0,8000}`)"
)
_COLOUR = r"(?:\x1b\[\d{1,3}m)?"
_STREAM = (
    rf"(?m)^[ \t]*(stderr|stdout): {_COLOUR}({_LITERAL}"
    rf"(?:{_COLOUR}[ \t]*\+\s{{1,80}}{_COLOUR}{_LITERAL}){{0,400}})"
)
_ESCAPE = r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|(.))"
_SIGNS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v"}
_SIGNAL = r"(?m)^[ \t]*signal: "
_PROPERTY = r"[ \t]+['\"]?\w{1,40}['\"]?: \S"
_LONGEST = 400
"""Lines of an object."""
_MOST = 8
"""Objects that are opened; each is held against the whole text."""


def _sign(found: Match) -> str:
    code = found[1] or found[2]
    return chr(int(code, 16)) if code else _SIGNS.get(found[3], found[3])


def _spelled(literals: str) -> str:
    """The text that one or several string literals stand for."""
    parts = compiled(_LITERAL).findall(literals)
    return "".join(compiled(_ESCAPE).sub(_sign, part[1:-1]) for part in parts)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _end(lines: Sequence[str], start: int) -> int:
    """The line that closes the object which a line opens; 0 if none does."""
    below = lines[start + 1] if start + 1 < len(lines) else ""
    if not compiled(_PROPERTY).match(below):
        return 0
    inside = _indent(below)
    for at in range(start + 2, min(start + _LONGEST, len(lines))):
        if lines[at].strip() == "}" and _indent(lines[at]) < inside:
            return at
    return 0


def _printed(block: str) -> str:
    """What a program printed, of the object of its process; the errors, if there are any."""
    if not compiled(_SIGNAL).search(block):
        return ""
    streams = {found[1]: _spelled(found[2]) for found in compiled(_STREAM).finditer(block)}
    return next(
        (said for key in ("stderr", "stdout") if (said := streams.get(key, "")).strip()), ""
    )


def without_dumps(text: str, plain: Callable[[str], str]) -> str:
    """The text with what a program printed in place of the object of its process.

    Args:
        text: what was pasted, with its colours: written out they stand in the object.
        plain: takes the colours out of a text.
    """
    if "signal: " not in text or ("stderr: " not in text and "stdout: " not in text):
        return text
    lines = text.split("\n")
    at = opened = 0
    while at < len(lines) and opened < _MOST:
        end = _end(lines, at) if lines[at].rstrip().endswith("{") else 0
        said = plain(_printed("\n".join(lines[at + 1 : end]))).split("\n") if end else [""]
        if any(line.strip() for line in said):
            around = plain("\n".join((*lines[:at], *lines[end + 1 :]))).split("\n")
            told = {line.strip() for line in said} <= {"", *(line.strip() for line in around)}
            head = [lines[at].rstrip()[:-1].rstrip()]
            lines[at : end + 1] = head if told else [*head, *said]
            opened += 1
        at += 1
    return "\n".join(lines)
