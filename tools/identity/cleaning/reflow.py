"""Puts back the lines that were wrapped at words, as mails, chats and terminal libraries do.

Rules of this module: whoever wraps at words puts as many into a line as fit, so a line is believed
to go on below only if the next word would not have fitted into one of the usual widths, which no
line exceeds; and only if what stands below begins in the middle of a sentence, at the margin.
"""

from reflection_mcp.tools.identity.expression import Expression

WIDTHS = (70, 72, 76, 78, 79, 80, 88, 100, 120)
"""Columns at which mails, chats, terminals and terminal libraries wrap."""
_SHORTEST, _LONG = 40, 60
"""Columns of a line that may be cut, since the word below is long, and of the longest."""
_INDENTED = " \t"
_LIKELY = range(72, 81)
"""Columns of the longest line, of which one line that goes on is evidence enough."""
_REST = (
    r"(?!\S*:\d|[\w./+-]*(?:\[\d{1,8}\])?:(?: |$)|npm |exit |\S{1,40} exited )"
    r"(?:[a-z][\w',.;)-]*(?: |$)|\(\S|['\"/][^'\"\s])"
)
"""So goes on a sentence, and no line of a tool begins: not with a program or a place."""
_GOES_ON = Expression(_REST)
_HOLDS_REST = Expression(rf"(?m)\n{_REST}")
"""Asked of a whole text first: few texts hold such a line."""
_ENDS = Expression(r".*(?:[.;{}\])>|^~'\"]|(?<!\w)-|[:.]\d{1,7}:?|\S:)$")
_QUOTED = ("'", '"')
_IN_A_WORD = Expression(r".*\w-$")


def _fits(line: str, below: str, width: int) -> bool:
    word = below.split(" ", 1)[0]
    if _IN_A_WORD.match(line) or "-" in word:
        word = word.partition("-")[0] + "-"
    return len(line) + (not line.endswith("-")) + len(word) <= width


def _wrapped(line: str, below: str, width: int) -> bool:
    """Whether a line was wrapped before the words below."""
    if not _GOES_ON.match(below) or _fits(line, below, width):
        return False
    return _ENDS.match(line) is None or (line[-1] == ":" and below.startswith(_QUOTED))


def reflowed(text: str) -> str:
    """The text with those lines joined that were wrapped at words."""
    if not _HOLDS_REST.search(text):
        return text
    lines = text.split("\n")
    longest = max(map(len, lines))
    if not _LONG <= longest <= WIDTHS[-1]:
        return text
    width = next(width for width in WIDTHS if width >= longest)
    cut = {
        at
        for at in range(1, len(lines))
        if len(lines[at - 1]) > _SHORTEST and lines[at][:1] not in _INDENTED
        if _wrapped(lines[at - 1], lines[at], width)
    }
    if not cut or (len(cut) == 1 and longest not in _LIKELY):
        return text
    joined: list[str] = []
    for at, line in enumerate(lines):
        if at not in cut:
            joined.append(line)
        else:
            joined[-1] += line if _IN_A_WORD.match(lines[at - 1]) else f" {line}"
    return "\n".join(joined)
