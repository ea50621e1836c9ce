"""Restores lines that a terminal wrapped, or that somebody joined into one.

Rule of this module: lines are joined only where the cut is proved: two of exactly one width, or one
of a width that terminals have with a rest that cannot begin a line.
"""

from reflection_mcp.tools.identity.regex import compiled

_BEGINS = (
    r"\s|$|#\d+ \d|[\w./\\-]+:\d|[\w.+-]+: |[=_*#+-]{3}|\[|exit\b|at |\d{4}-\d\d|> "
    r"|[A-Z]\w*(?:Error|Exception)\b"
)
"""Begins a line of its own: no rest of the line before it."""
_REST = r"[\w'\"(/.]"
_NEW = r"[A-Z\[]|exit"
WIDTHS = (72, 79, 80, 100, 119, 120, 132)
_LEAST_WIDTH = 40
_DRAWN = 3
_FILLED = (56, 100)
"""So long are the lines of a paragraph that a tool filled."""
_FRAME = (
    r"at (?:async )?(?:[\w$.<>\[\]]{1,80} )?\(?[^\s()]{1,200}:\d{1,6}(?::\d{1,6})?\)"
    r"|at [\w.$<>]{1,120}\([\w.]{1,60}(?::\d{1,6})?\)|at [^\s()]{1,200}:\d{1,6}:\d{1,6}"
    r"|File \"[^\"]{1,200}\", line \d{1,6}"
)
_FLAT = (
    rf" {{1,4}}(?={_FRAME}|Caused by: |Stack trace: |Traceback \(most|npm ERR! |npm error |E {{3}})"
)
_THROWN_LATER = r" (?=(?:[a-zA-Z_]\w{0,60}\.){0,6}[A-Z]\w{0,60}(?:Error|Exception): )"
_FEW = 3


def joined(lines: list[str]) -> list[str]:
    """Lines that were cut at the width of a terminal are one line again."""
    width = max(map(len, lines), default=0)
    if width < _LEAST_WIDTH or len(lines) < 2:
        return lines
    begins = compiled(_BEGINS).match
    full = [
        at
        for at, line in enumerate(lines[:-1])
        if len(line) == width
        and (rest := _rest(line, lines[at + 1]))
        and not begins(rest)
        and rest[:6] != line.lstrip()[:6]
        and len(set(line)) > _DRAWN
        and not (line[-1] in ".:!;" and rest[0].isupper())
    ]
    if not full:
        return lines
    rest = _rest(lines[full[0]], lines[full[0] + 1])
    usual = (
        width in WIDTHS
        and rest[:4] != lines[full[0]][:4]
        and compiled(_REST).match(rest)
        and not compiled(_NEW).match(rest)
    )
    if len(full) == 1 and not usual:
        return lines
    out: list[str] = []
    cut = {at + 1 for at in full}
    for at, line in enumerate(lines):
        if at in cut:
            out[-1] += _rest(lines[at - 1], line)
        else:
            out.append(line)
    return out


def _rest(line: str, follower: str) -> str:
    """What a line goes on with, without the margin that both have."""
    margin = len(line) - len(line.lstrip())
    return follower[margin:] if margin and not follower[:margin].strip() else follower


def reflowed(lines: list[str]) -> list[str]:
    """Indented paragraphs that a tool filled to a width are one line again."""
    out: list[str] = []
    length = 0
    for line in lines:
        before = out[-1] if out else ""
        if (
            _FILLED[0] <= length <= _FILLED[1]
            and line[:1] == " " == before[:1]
            and len(line) - len(line.lstrip()) == len(before) - len(before.lstrip())
            and (before[-1].isalnum() or before[-1] == ",")
            and (line.lstrip()[0].islower() or before.count("(") > before.count(")"))
        ):
            out[-1] = f"{before} {line.lstrip()}"
        else:
            out.append(line)
        length = len(line.rstrip())
    return out


def spread(lines: list[str]) -> list[str]:
    """A trace that was put in one line gets its lines back."""
    if len([line for line in lines if line.strip()]) > _FEW:
        return lines
    out: list[str] = []
    for line in lines:
        if " | " in line and line.count(" | ") > 1:
            out += line.split(" | ")
        elif (
            "at " in line
            or "File " in line
            or "npm " in line
            or "Caused by" in line
            or "E   " in line
        ) and (len(parts := compiled(_FLAT).split(line[:8000])) > 2 or "Traceback (most" in line):
            for part in parts:
                later = part.startswith(("File", "Traceback"))
                out += compiled(_THROWN_LATER).split(part) if later else [part]
        else:
            out.append(line)
    return out
