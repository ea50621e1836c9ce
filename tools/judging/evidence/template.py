"""Lines as tools print them, written as templates that a person can read and edit.

`<n>` is a number, `<time>` a duration, `<word>` anything without spaces, `<...>` anything; `{a|b}`
is a or b, `{a|}` is a or nothing, and one space is any number of them. A template describes the
whole line, and every part of it is bounded, so that no line costs more than its length.
"""

import re
from dataclasses import dataclass
from functools import cache

_HOLES = {
    "n": r"\d[\d,]{0,9}",
    "time": r"\d[\d.:,]{0,12} ?(?:ms|[smh]|min|seconds?|minutes?)?(?: ?\d{1,2}(?:ms|[smh]))?",
    "word": r"\S{1,200}",
    "...": r".{0,300}",
    "=": r"[=\-]{2,200}",
}
_PART = re.compile(r"<([^<>]{1,4})>|\{([^{}]{0,200})\}|([ \t]+)|([^<{ \t]+|[<{])")


@dataclass(frozen=True, slots=True)
class Template:
    """A compiled template; `literal` is its longest fixed part, in lower case."""

    pattern: re.Pattern[str]
    literal: str


@cache
def compiled(template: str) -> Template:
    """Return the template as a pattern for `fullmatch`."""
    literals: list[str] = []
    pattern = _pattern(template, literals)
    return Template(re.compile(pattern), max(literals, key=len, default=""))


def _pattern(template: str, literals: list[str]) -> str:
    pieces: list[str] = []
    for part in _PART.finditer(template):
        hole, choice, blank, text = (part[group] or "" for group in range(1, 5))
        if hole:
            pieces.append(_HOLES[hole])
        elif choice:
            pieces.append(f"(?:{'|'.join(_pattern(one, []) for one in choice.split('|'))})")
        elif blank:
            pieces.append(r"[ \t]{1,20}")
        else:
            pieces.append(re.escape(text))
            literals.append(text.lower())
    return "".join(pieces)
