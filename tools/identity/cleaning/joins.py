"""Puts text that somebody joined into one line on lines of its own again.

Rules of this module: a mark that no tool prints within a line is a line break wherever it stands; a
mark that tools print as well is one only outside quotation marks, and where what follows begins as
the lines of tools do.
"""

import re

from reflection_mcp.tools.identity.expression import Expression
from reflection_mcp.tools.identity.rule import Shape, compiled
from reflection_mcp.tools.identity.verdicts.marks import holds_any

MARKS: tuple[Shape, ...] = (
    Shape("sign of the key", r"[ \t]?[\u23ce\u21b5\u240a\u2424][ \t]?", "a \u23ce b", "a \u2192 b"),
    Shape("HTML", r"[ \t]?<br ?/?>[ \t]?", "a<br/>b", "a <b> b"),
    Shape("octal of rsyslog", r"(?:#015)?#012", "a#012b", "a #12 b"),
    Shape("reference of XML", r"(?:&#(?:13|x0*[dD]);)?&#(?:10|x0*[aA]);", "a&#10;b", "a&#160;b"),
    Shape("name of the sign", r"<(?:LF|0x0A|0A|CRLF|NL)>", "a<LF>b", "a<L>b"),
)
"""Marks that are line breaks anywhere."""
ONE_LINE_MARKS: tuple[Shape, ...] = (
    Shape(
        "written as an escape",
        r"(?:\\r|\\x0[dD]|\\u000[dD]|\\015)?\\(?:x0[aA]|u000[aA]|012|0[aA](?![\da-fA-F]))",
        "a\\x0ab",
        "a\\x0bb",
    ),
    Shape("percent of a URL", r"(?<![/?&=]\S)(?:%0[dD])?%0[aA]", "a%0Ab", "a%20b"),
    Shape("caret", r"(?:\^M)?\^J", "a^Jb", "a^b"),
    Shape("pilcrow", r"[ \t]?\u00b6[ \t]?", "a\u00b6b", "a\u00a7b"),
)
"""Marks that are line breaks in a text without any."""
DOUBTFUL: tuple[str, ...] = (
    " || ", " | ", " // ", " / ", " \\ ", " >> ", " > ", " -> ", " \u2192 ", " \u00b7 ", " \u2022 ",
    " ~ ", " ; ", "; ", "\t",
)  # fmt: skip
"""Marks that tools print within a line, too."""
_DOUBTFUL_BEGINS = Expression(r" [|/\\>~;\u2192\u00b7\u2022-]")
"""So begins each of them but the last two: one question for most lines in the place of thirteen."""
_NEEDED = ("\u23ce", "\u21b5", "\u240a", "\u2424", "<br", "#012", "&#", "<LF", "<0", "<C", "<N")
_NEEDED_IN_ONE_LINE = ("\\x0", "\\u000", "\\0", "%0", "^J", "\u00b6")
_QUOTED = r"\"[^\"\n]{0,400}\"|(?<!\w)'[^'\n]{0,400}'(?!\w)"
_BEGINS = (
    r"[ \t]{2,40}+\S|[ \t]?(?:"
    r"(?:[A-Za-z_][\w.$]{0,100}(?:Error|Exception|Warning)|[Ee]rror|ERROR|FATAL|[Ff]atal|"
    r"[Ww]arning|"
    r"[Nn]ote|[Hh]elp|[Hh]int|panic|Caused by|Unable to|Could not|Cannot|Failed to|caused by)\b|"
    r"[\w./+-]{1,80}(?:\[\w{1,10}\])?: \S|"
    r"\S{1,200}(?::\d{1,7}(?::\d{1,7})?:|\(\d{1,7}(?:,\d{1,7})?\):) |"
    r"[|>^~]|at \S|File \"|Traceback |from \S{1,200}:\d|npm |--> |E  |\d{1,6} \| |goroutine |"
    r"exit |= |"
    r"[A-Z][a-z]+(?: [a-z']+){2}|\[[\w ./:-]{1,40}\] )"
)
"""How the lines of tools begin."""
_BAR = " | "
"""The commonest of them, believed twice in a text."""
_LEAST = 2


def _pieces(text: str, mark: str) -> list[str]:
    """A text cut at a mark, but not within quotation marks."""
    held = compiled(_QUOTED).sub(lambda found: "\0" * len(found[0]), text)
    cuts = [found.start() for found in compiled(re.escape(mark)).finditer(held)]
    ends = [*cuts, len(text)]
    begins = [0, *(cut + len(mark) for cut in cuts)]
    return [text[begin:end] for begin, end in zip(begins, ends, strict=True)]


def _begun(pieces: list[str]) -> int:
    """How many of the pieces behind the first begin as lines do; 0 if they are the fewer."""
    told = [piece for piece in pieces[1:] if piece.strip()]
    begun = sum(compiled(_BEGINS).match(piece) is not None for piece in told)
    return begun if begun * _LEAST >= len(told) else 0


def parted(text: str) -> str:
    """The text with line breaks where it was joined."""
    if (not text.isascii() or "<" in text or "#" in text) and holds_any(text, _NEEDED):
        for mark in MARKS:
            text = compiled(mark.pattern).sub("\n", text)
    if "\n" in text.strip():
        return text
    escaped = "\\" in text or "%" in text or "^" in text or not text.isascii()
    if escaped and holds_any(text, _NEEDED_IN_ONE_LINE):
        for mark in ONE_LINE_MARKS:
            text = compiled(mark.pattern).sub("\n", text)
        if "\n" in text.strip():
            return text
    if "; " not in text and "\t" not in text and not _DOUBTFUL_BEGINS.search(text):
        return text
    cut = [_pieces(text, mark) for mark in DOUBTFUL if mark in text]
    if not cut:
        return text
    pieces = max(cut, key=_begun)
    if _begun(pieces):
        return "\n".join(pieces)
    pieces = _pieces(text, _BAR) if _BAR in text else []
    return "\n".join(pieces) if len(pieces) > _LEAST else text
