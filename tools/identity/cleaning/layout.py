"""Puts back the lines that a terminal cut or somebody joined.

Rule of this module: a line is cut or joined only on evidence that the tool printed it otherwise:
several lines of exactly one width and none longer, or stack frames side by side in one line.
"""

from reflection_mcp.tools.identity.cleaning.joins import parted
from reflection_mcp.tools.identity.rule import compiled

_PYTHON_FRAME = r'(?<=\S)[ \t]+(?=File "[^"\n]{1,400}", line \d)'
_EXCEPTION_AFTER_FRAME = (
    r"(?m)^([ \t]*File \"[^\"\n]{1,400}\", line \d{1,7}(?:, in [\w<>.]{1,80})?)(?"
    r":[ \t]+(\S[^\n]*?))?[ \t]+"
    r"((?:[a-z_]\w{0,60}\.){0,8}[A-Z]\w{0,60}(?:Error|Exception|Warning|Interrupt|Exit|Iteration)"
    r"(?:: [^\n]*|[ \t]*))$"
)
_AT_FRAME = (
    r"(?<=\S)[ \t]+(?=at (?:async )?[^\s()]{1,200}(?: \[as \w{1,60}\])? ?"
    r"(?:\([^()\n]{1,300}:\d{1,7}(?::\d{1,7})?\)|\([^()\n]{0,300}\) in \S{1,300}:line \d))"
)
_TRACEBACK = "Traceback (most recent call last)"
_TWICE_AT = r" at [^\n]* at "
_CAUSE = r"(?<=\S)[ \t]+(?=Caused by: )"
_ARROW = r"(?<=\S)[ \t]+(?=--> \S{1,300}:\d{1,7}:\d)"


def _spread_line(line: str) -> str:
    """One line with several stack frames in it, spread."""
    if ' File "' in line and ", line " in line:
        line = compiled(_PYTHON_FRAME).sub("\n  ", line)
        line = compiled(_EXCEPTION_AFTER_FRAME).sub(
            lambda found: f"{found[1]}\n    {found[2] or ''}\n{found[3]}", line
        )
    if " at " in line and ":" in line:
        line = compiled(_AT_FRAME).sub("\n    ", line)
        line = compiled(_CAUSE).sub("\n", line)
    return compiled(_ARROW).sub("\n ", line) if " --> " in line else line


def _is_crowded(line: str) -> bool:
    """Whether a line of several holds what a tool prints on lines of their own."""
    if ' File "' in line:
        return _TRACEBACK in line
    if line.endswith("}") and '{"' in line:
        return False  # a record, whose texts are found when it is opened
    return line.count(" at ") > 1


def _may_be_crowded(text: str) -> bool:
    """Whether any line of a text may be crowded; to ask each is dear, since stacks are long."""
    twice = " at " in text and compiled(_TWICE_AT).search(text) is not None
    return twice or (' File "' in text and _TRACEBACK in text)


def spread(text: str) -> str:
    """A text that somebody collapsed into one line, spread over lines again."""
    text = parted(text)
    if "\n" in text.strip():
        if _may_be_crowded(text):
            lines = text.split("\n")
            text = "\n".join(_spread_line(line) if _is_crowded(line) else line for line in lines)
        return text
    if len(text) > _SHORTEST:
        place = ".go:" in text or ": in " in text or ":in " in text  # such a place ends in one
        text = compiled(_BEFORE_A_PLACE if place else _BEFORE_AN_OPENING).sub("\n", text)
    return "\n".join(map(_spread_line, text.split("\n")))


_BLANKS = r"[ \t](?<=\S[ \t])(?<!rgument[ \t])[ \t]*"
_OPENINGS = (
    r"(?=[#fSsCB*>(n=h\d|@\[EegDT])(?:#\d{1,3}:?[ \t]{1,8}\S|from \S{1,200}:\d{1,7}:in |"
    r"(?:[Ss]tack ?[Tt]race(?:back)?|Call log|"
    r"Backtrace):|\* (?:What went wrong|Try|Exception is)\b|> (?:Could not|Task |"
    r"A failure|Run with)|"
    r"\(\w{1,40} \d[\d.]{2,20}\) \S{1,200}:\d{1,7}: |npm (?:ERR!|error) |= (?:note|"
    r"help): |(?<!:\d )(?<!:\d: )(?:note|help|hint): |"
    r"\d{1,6} \| |\| {2,}|@ \S{1,200}:\d{1,7}|\[\d{1,3}\] \S{1,80} |"
    r"Execution halted|BUILD FAILED|error: aborting|"
    r"(?<!non-zero )(?<!nonzero )exit status \d|goroutine \d{1,6} \[|"
    r"(?:During handling of|The above exception)|Traceback \(most recent)"
)
"""What begins a line of its own in the output of some tool, by the first sign of it before all
else; looked for in a text of one line."""
_PLACES = (
    r"\S{1,200}\.(?:rb:\d{1,7}:|py:\d{1,7}: )in |"
    r"[\w./-]{1,100}\.[\w.()*]{1,80}\([^()\n]{0,100}\) \S{1,200}\.go:\d|"
    r"\S{1,200}\.go:\d{1,7}(?= |$)"
)
"""The same of tools that begin it with a word: dear, and only in a text with the end of one."""
_BEFORE_AN_OPENING = rf"{_BLANKS}(?={_OPENINGS})"
_BEFORE_A_PLACE = rf"{_BLANKS}(?={_OPENINGS}|{_PLACES})"
_WIDTHS = frozenset((72, 80, 100, 120, 132))
"""Widths at which one cut line alone is believed."""
_SEVERAL = 2
_PARAGRAPHS = 4
"""So many lines with blank ones between them are no paragraphs of one line each."""
_SHORTEST = 60
_WHOLE = r"(?::\d{1,7}|[.;:){}\]>])$"
_RULE_LINE = r"([=_*#~-])\1\1$"
_NEW_SENTENCE = (
    r"[A-Z]|exit |\[|(?:\w{1,60}\.){1,8}[A-Z]\w{0,60}(?:Error|Exception)|--|=>|> |\||//|"
    r"\d{1,7}[ :|]"
)


def _goes_on(line: str, below: str, several: bool, openings: frozenset[str]) -> bool:
    """Whether the line below is the rest of a line that was cut."""
    if not below.strip() or below[:4] in openings or compiled(_RULE_LINE).search(line):
        return False
    if below[0] == " ":
        continues = below[1:2].isalnum() if several else compiled(r" [a-z0-9]").match(below)
        return bool(continues) and line[-1:].strip() != ""
    if several:
        return True
    if compiled(_WHOLE).search(line) or compiled(_NEW_SENTENCE).match(below):
        return False
    return compiled(r"[\w'\"(=<>/.,;:)\]-]").match(below) is not None


_SIDE = "\u2502\u2503\u2551"
_BARS = "\u2500\u2501\u2550"
_BAR = f"[{_BARS}]*"
_LEFT = "[\u256d\u250c\u250f\u2554\u2570\u2514\u2517\u255a\u251c\u2560]"
_RIGHT = "[\u256e\u2510\u2513\u2557\u256f\u2518\u251b\u255d\u2524\u2563]"
_EDGE = rf"[ \t]*{_LEFT}{_BAR}(.*?){_BAR}{_RIGHT}[ \t]*$"
_BOXED = rf"[ \t]*[{_SIDE}](?: |$)(.*?)[ \t]*[{_SIDE}][ \t]*$"


_JOINTS = "\u252c\u253c\u2534\u2533\u254b\u253b\u2566\u256c\u2569"
"""Stand in the edges of a box where a line between two columns begins, crosses or ends."""
_OF_AN_EDGE = f" \t{_BARS}{_JOINTS}"
_BETWEEN = rf"[ \t]*[{_SIDE}][ \t]*"
_GRID = "\u2500{3,}[\u252c\u253c\u2534]\u2500{3,}[ \t]*$"
_NUMBERED = "[ \t]*\\d{0,6}[ \t]*\u2502 ?"


def ungridded(lines: list[str]) -> list[str]:
    """What stands beside its numbers in a grid of a pager, below the name of the file."""
    rules = [at for at, line in enumerate(lines) if compiled(_GRID).match(line)]
    if len(rules) < 2:
        return lines
    told = [line for line in lines[rules[1] + 1 :] if not compiled(_GRID).match(line)]
    found = [compiled(_NUMBERED).match(line) for line in told]
    numbered = any(found) and all(
        one or not line.strip() for one, line in zip(found, told, strict=True)
    )
    return [compiled(_NUMBERED).sub("", line, count=1) for line in told] if numbered else lines


def single_spaced(lines: list[str]) -> list[str]:
    """The lines without the blank ones, if one stands between any two, as after some pastes."""
    first = 0 if lines[0].strip() else 1  # the one that is kept
    if any(map(str.strip, lines[1 - first :: 2])):
        return lines
    kept = lines[first::2]
    return kept if sum(map(bool, kept)) >= _PARAGRAPHS else lines


def unboxed(lines: list[str]) -> list[str]:
    """What stands in a box that a terminal library drew around it; its title is a line, too."""
    inside = [compiled(_BOXED).match(line) for line in lines]
    edges = [compiled(_EDGE).match(line) for line in lines]
    if not any(inside) or not any(edges):
        return lines
    columns = any(edge and any(map(edge[1].__contains__, _JOINTS)) for edge in edges)
    told = [
        found[1] if found else edge[1].strip(_OF_AN_EDGE) if edge else line
        for line, found, edge in zip(lines, inside, edges, strict=True)
    ]
    if not columns:
        return told
    # A cell with a bar behind it looks like the name of a container in front of its log.
    return [
        compiled(_BETWEEN).sub("  ", line) if found else line
        for line, found in zip(told, inside, strict=True)
    ]


def unwrapped(lines: list[str]) -> list[str]:
    """Lines cut at one width are joined again: several of exactly the width, none longer."""
    if len(lines) < _SEVERAL:
        return lines
    widths = list(map(len, lines))
    width = max(widths)
    if width < _SHORTEST or (width not in _WIDTHS and widths.count(width) < _SEVERAL):
        return lines
    full = [at for at, length in enumerate(widths[:-1]) if length == width]
    several = len({lines[at] for at in full}) > 1
    if not full or (not several and width not in _WIDTHS):
        return lines
    opened = [line[:4] for at, line in enumerate(lines) if line.strip() and at - 1 not in full]
    openings = frozenset(opening for opening in opened if opening.strip() and opening[0] != " ")
    cut = {at for at in full if _goes_on(lines[at], lines[at + 1], several, openings)}
    if several and len(cut) == 1 and width not in _WIDTHS:
        return lines
    if several and all(compiled(_WHOLE).search(lines[at]) for at in cut):
        return lines  # sentences that are as long as one another
    joined: list[str] = []
    for at, line in enumerate(lines):
        if at - 1 in cut:
            joined[-1] += line
        else:
            joined.append(line)
    return joined
