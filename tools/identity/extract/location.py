"""Where a text says that an error lies: by its stack frames, else by a file and a position near it.

Rule of this module: a position in code that is not the user's, or that belongs to a note, is none.
"""

from collections.abc import Sequence

from reflection_mcp.tools.identity.extract.frames import Frame, place_of
from reflection_mcp.tools.identity.mask.line import masked
from reflection_mcp.tools.identity.regex import compiled, has_digit

_FILE_AT = (
    r"(?:-->\s|^\s*|[\s(\[:/\\])(?:[\w.@+~$-]{0,80}[/\\]){0,12}([\w.@+-]{1,80}\.[a-zA-Z]\w{0,6}"
    r")[: ](?:line )?\d{1,6}:\d{1,6}\b"
)
_POSITIONED = (
    r"(?:[ew]: )?(?:file:/{2,3})?((?:(?:[A-Za-z]:)?[\\/~.][^:\n\"'|]{0,200}?|[^\s:\"'()|]{0,200}?)"
    r"[\w+@-]{1,80}\.[A-Za-z]\w{0,7})(?::? ?\(\d{1,7}(?:, ?\d{1,7}){0,3}\)|(?::\d{1,7}){1,3}"
    r"|:\[\d{1,7},\d{1,7}\]|,? line \d{1,7}(?:,? col(?:umn)? \d{1,7})?):?(?: -)?\s+"
    r"(?=[A-Za-z'\"\[])"
)
"""A file and a position in it, before the message."""
_POSITION = r"\s*\d{1,6}:\d{1,6}\s"
_HEADING = r"\s{0,3}(?:\S*[/\\])?([\w.@+-]{1,80}\.[a-zA-Z]\w{0,6}):?$"
"""A file above its findings, as linters write it."""
_ELSEWHERE = (
    r"registry|Program Files|site-packages|node_modules|/rustc/|/gems/|\.cargo|/usr/(?:lib|share"
    r"|include|local)|pkg/mod|^\s*(?:help|note|= note)"
)
"""A position in code that is not the user's, or that belongs to a note."""


def unplaced(line: str) -> tuple[str, str]:
    """The file whose position stands before a message, and the message."""
    match = compiled(_POSITIONED).match(line) if has_digit(line) else None
    return (match[1], line[match.end() :]) if match else ("", line)


def location(lines: Sequence[str], frames: Sequence[Frame], at: int, raw: str) -> str | None:
    """The place that frames name, else the file of a position near the headline, which is the line
    `at` and reads `raw`."""
    place = place_of(frames)
    if place and not place.startswith(":"):
        return place
    if file := unplaced(raw.strip())[0]:
        return place if compiled(_ELSEWHERE).search(file) else f"{masked(file)}{place or ':'}"
    if _file_at(raw):
        return place  # it names its file itself
    begin = max(0, at - 2)
    if compiled(_POSITION).match(raw):
        for line in reversed(lines[max(0, at - 40) : at]):
            if match := compiled(_HEADING).match(line):
                return f"{match[1].casefold()}{place or ':'}"
    for line in lines[begin : at + 7]:
        file = _file_at(line)
        if file and not compiled(_ELSEWHERE).search(line):
            return f"{file.casefold()}{place or ':'}"
    return place


def _file_at(line: str) -> str:
    """The file of which a line names a position."""
    match = compiled(_FILE_AT).search(line) if compiled(r"\d:\d").search(line) else None
    return match[1] if match else ""
