"""Takes the message out of the row of a table that a log was exported to.

Rule of this module: a table is believed when all its rows have as many cells, one in quotation
marks, and its head names the message, or it is one row with a moment or a level in a cell; then the
longest cell is the message.
"""

import csv
import io
from collections.abc import Sequence

from reflection_mcp.tools.identity.rule import compiled

_MESSAGES = (
    "message", "msg", "error", "error_message", "log", "text", "body", "detail", "details", "event",
    "exception", "stack", "stacktrace", "stack_trace", "description", "output", "stderr", "_raw",
    "@message", "textpayload", "line", "content",
)  # fmt: skip
_PARTING = ((",", ',"', '",'), (";", ';"', '";'), ("\t", '\t"', '"\t'))
"""What parts cells, and how it stands beside one in quotation marks."""
_LONE_MARK = r'"(?<=[^",;\t\n]")(?=[^",;\t\n])'
"""A mark within a cell that is not told twice: it was a curly one."""
_LEAST_CELLS = 3
_MOMENT = (
    r"[\[ ]?\d{4}[-/.]\d\d[-/.]\d\d(?:[T ]\d\d:\d\d.{0,30})?|\d{1,2}:\d\d:\d\d.{0,20}|"
    r"1\d{9,12}(?:\.\d+)?"
)
_FAILING = r"(?i:error|err|fatal|critical|crit|severe|emerg|alert|warn|warning|panic|[2-5])"
_LEVEL = _FAILING + r"|(?i:info|notice|debug|trace|information)"


def _between(text: str) -> str | None:
    """What parts the cells of a table whose first row stands in the first line of a text.

    A mark behind which a cell ends began it, too: `building "styles.css", needed by "all"` is none.
    """
    begun = text.startswith('"') or '\n"' in text
    for sign, before, behind in _PARTING:
        beside_a_mark = sign in text and (before in text or (begun and behind in text))
        if beside_a_mark and text.split("\n", 1)[0].count(sign) >= _LEAST_CELLS - 1:
            return sign
    return None


def _read(text: str, between: str) -> list[list[str]] | None:
    """The rows of a table as it is written; None if it is written wrongly."""
    try:
        return list(csv.reader(io.StringIO(text), delimiter=between, strict=True))
    except csv.Error:
        return None


def _rows(text: str) -> list[list[str]]:
    """The rows of a table; empty if the text is none."""
    between = _between(text)
    if between is None:
        return []
    rows = _read(text, between)
    if rows is None:
        rows = _read(compiled(_LONE_MARK).sub('""', text), between) or []
    rows = [row for row in rows if row]
    return rows if len({len(row) for row in rows}) == 1 and len(rows[0]) >= _LEAST_CELLS else []


def _is_field(cell: str) -> bool:
    return compiled(f"{_MOMENT}|{_LEVEL}").fullmatch(cell.strip()) is not None


def _longest(row: Sequence[str]) -> str:
    return max((cell for cell in row if not _is_field(cell)), key=len, default="")


def _fails(row: Sequence[str]) -> bool:
    levels = [cell for cell in row if compiled(_LEVEL).fullmatch(cell.strip())]
    return not levels or any(compiled(_FAILING).fullmatch(cell.strip()) for cell in levels)


def from_table(text: str) -> str:
    """The message of the rows that tell of a failure; the text itself if it is no such table."""
    rows = _rows(text.strip("\n")) if '"' in text else []
    if not rows:
        return text
    named = [at for at, name in enumerate(rows[0]) if name.strip().casefold() in _MESSAGES]
    if named and len(rows) > 1:
        told = [(row, row[named[0]]) for row in rows[1:]]
    elif len(rows) == 1 and any(map(_is_field, rows[0])):
        told = [(row, _longest(row)) for row in rows]
    else:
        return text
    failing = [said for row, said in told if _fails(row)] or [said for _, said in told]
    return "\n".join(failing) or text
