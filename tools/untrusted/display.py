"""Presentation of stored text: only visible characters, and nothing that controls the terminal.

Rules of this module:

- `scrub` removes only what no store and no protocol can carry (NUL, lone surrogates).
- `presentable` leaves what a reader can see. What only a machine reads is removed: terminal
  sequences, control characters, text direction, zero width, tag characters, runs of variation
  selectors. A cut is visible.
- `quoted` is for stored text among lines of the server's own: it stays one line, between quotation
  marks that it cannot close, so that a lesson cannot look like a line of the server. A picture in
  it is defused, because a host that renders Markdown would fetch it.
- A `StoredText` is quoted wherever it is put into a line, so that nobody can forget it.
- `visible` and `as_json` are the last gate, for all output, whoever wrote it.
"""

import json
import re
from collections.abc import Callable
from typing import Any

from reflection_mcp.store.scrub import scrub
from reflection_mcp.tools.regex import compiled

CUT_MARK = "… [cut, {left} more characters]"
LINE_MARK = " ⏎ "
WIDE = " " * 40
_INNER = str.maketrans("“”", '""')

_TERMINAL = (
    r"\x1b\][^\x07\x1b\x9c]{0,4096}(?:\x07|\x1b\\|\x9c)?"  # OSC: titles, links, clipboard
    r"|\x1b[P_^X][^\x1b\x9c]{0,4096}(?:\x1b\\|\x9c)?"  # DCS, APC, PM, SOS
    r"|(?:\x1b\[|\x9b)[0-?]{0,64}[ -/]{0,8}[@-~]?"  # CSI: colour, cursor
    r"|\x1b[ -/]{0,4}[0-~]?"
)
_UNSEEN = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # C0 but tab and newline, DEL, C1
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
# One variation selector after a visible character is an emoji; a second one is a message.
_MACHINE_READ = rf"{_TERMINAL}|[{_UNSEEN}]|(?<=\ufe0f)\ufe0f"


def presentable(text: str, limit: int = 500) -> str:
    """Return stored text with only what a reader can see, at most `limit` characters of it.

    A longer text is cut at the limit, with a note of how much is missing, unless the rest is no
    longer than the note.
    """
    plain = plain_text(text)
    if len(plain) <= limit:
        return plain
    cut = plain[:limit].rstrip() + CUT_MARK.format(left=len(plain) - limit)
    return cut if len(cut) < len(plain) else plain


def in_one_line(text: str) -> str:
    """The text without line breaks; where one was, a mark shows."""
    return LINE_MARK.join(line for part in text.splitlines() if (line := part.strip()))


def quoted(text: str) -> str:
    """The text as one line between quotation marks that nothing inside it closes."""
    line = in_one_line(text).translate(_INNER)
    if "![" in line:
        line = compiled(r"(!\[[^\]]{0,400}\])(?=\()").sub(r"\1 ", line)
    return f"“{line}”"


class StoredText(str):
    """Text of others, cleaned: a quotation in a line of text, the plain text in JSON."""

    __slots__ = ()

    def __new__(cls, text: str) -> "StoredText":
        """Clean a text."""
        return super().__new__(cls, plain_text(str.__str__(text)))

    def __str__(self) -> str:
        """The text as a quotation."""
        return quoted(str.__str__(self))

    def __format__(self, spec: str) -> str:
        """The text as a quotation, as wide as asked for."""
        return format(str(self), spec)


def stored(text: str, limit: int = 500) -> StoredText:
    """Stored text as it may be shown, at most `limit` characters of it."""
    return StoredText(presentable(text, limit))


def plain_name(name: str) -> str:
    """Return a name in plain characters: letters, digits and `_ . -`, at most 40."""
    words = " ".join(compiled(r"[^\w .-]|[^\S ]").sub(" ", scrub(name)[:400]).split())
    return words[:40].strip()


def visible(text: str) -> str:
    """The text without what only a machine reads; what a reader sees stays where it is."""
    whole = str.__str__(text)
    return whole if _is_plain_line(whole) else compiled(_MACHINE_READ).sub("", whole)


def _is_plain_line(text: str) -> bool:
    """Return whether a text is one line of visible ASCII, as most texts are."""
    return text.isascii() and text.isprintable()


def as_json(
    value: Any, indent: int | None = None, default: Callable[[Any], Any] | None = None
) -> str:
    """The value as JSON that is safe to print: what cannot be seen is written as an escape."""
    return escaped(json.dumps(value, ensure_ascii=False, indent=indent, default=default))


def escaped(encoded: str) -> str:
    """Return the JSON with every invisible character as an escape; its value is the same."""
    return compiled(f"[{_UNSEEN}]").sub(_as_escapes, encoded)


def _as_escapes(found: re.Match[str]) -> str:
    return json.dumps(found[0])[1:-1]


def plain_text(text: str) -> str:
    """The text without what only a machine reads, and without wide empty stretches."""
    if _is_plain_line(text) and WIDE not in text:
        return text.strip()
    seen = compiled(_MACHINE_READ).sub("", scrub(text).replace("\r\n", "\n"))
    lines = compiled(r"\n[ \t]*+(?:\n[ \t]*+){2,}").sub("\n\n", seen)
    return compiled(r"[^\S\n\t]{40,}+").sub(" ", lines).strip()
