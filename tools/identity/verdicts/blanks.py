"""Directories whose names hold blanks: `/Users/ana maria/My Projects/shop`.

Rule of this module: whatever reads a path ends it at a blank, so a blank inside the name of a
directory becomes `_`. That a word belongs to such a name is a guess: it is only made below places
where people give names, and of words that they give, which begin as names do; a name that is made
longer by mistake is left out with the path, so words that a message goes on with are none.
"""

from collections.abc import Sequence

from reflection_mcp.tools.identity.expression import Expression
from reflection_mcp.tools.identity.rule import Match, compiled
from reflection_mcp.tools.identity.verdicts.marks import holds_any

_PLACES = (
    "/Users/", "/home/", ":\\", ":/", "/Volumes/", "/media/", "/mnt/", "/Library/",
    "/Applications/", "/drive/", "~/", "\\\\",
)  # fmt: skip
"""One of them stands in every path that may hold such a name."""
_AT_PLACE = Expression(
    r"/(?:(?<=~/)|(?<=[A-Za-z]:/)(?<![A-Za-z]{2}:/)|"
    r"(?:Users|home|Volumes|media|mnt|Library|Applications|drive)/)"
)
"""The same where no backslash is; the colon of an address stands behind more than a letter."""
_SIGN = r"[^\s/\\:'\"`<>|*?()\[\]]"
_NO_FILE = r"(?<!\.\w)(?<!\.\w\w)(?<!\.\w\w\w)(?<!\.\w\w\w\w)"
"""Behind a word: it is not the name of a file."""
_GOES_ON = (
    r"(?:(?!HTTPS?/|TCP/|UDP/|I/O)[A-Z\d\u00c0-\u1fff\u3040-\uffdc\U0001f000-\U0001faff]"
    + _SIGN
    + r"{0,60}|[-&]|"
    r"\((?:x86|\d{1,3})\)|(?:copy|kopie|copie|copia|folder|files|drive|backup|projects|documents|"
    r"code|work|repos|and)(?![^\s/\\'\"`)\]:]))"
)
"""A word that goes on with the name of a directory."""
_PERSON = (
    r"(?!(?:is|are|was|has|had|does|did|in|on|at|to|from|of|and|or|for|with|by|as|into|not|no|but|"
    r"failed|exists?|lacks?|cannot|could|using|via|under|because|which|that|missing|error|HTTP)\b)"
    r"[^\W\d][\w.-]{0,40}"
)
_OF_PERSONS = r"(?:/home/|[/\\]Users[/\\]{1,2})"
_ROOT = (
    r"(?:(?:[A-Za-z]:|/(?:mnt|cygdrive)/[a-z])?" + _OF_PERSONS + r"|"
    r"/(?:Volumes|media|mnt|Library|Applications|content/drive)/|(?<![A-Za-z])[A-Za-z]:[/\\]|"
    r"~[/\\]|\\\\)"
)
_BELOW = _ROOT + r"(?:[^\s'\"`<>|:*?]| (?=" + _GOES_ON + r")){0,300}$"
_LONGEST = 360

_NAME_OF_PERSON = r"(" + _OF_PERSONS + _PERSON + r"(?: " + _PERSON + r"){1,2})(?=[/\\])"
_NAME = (
    r"[/\\]" + _SIGN + r"{1,60}+" + _NO_FILE + r"(?: " + _GOES_ON + r"){1,4}"
    r"(?=[/\\]{1,2}[^\s/\\]|['\"`)\]:]|$)"
)
_BROKEN = Expression(rf"[/\\]{_SIGN}{{1,60}}+ ")
"""A name behind a separator with a blank behind it; few texts with a path hold one."""
_BROKEN_BY_SLASHES = Expression(rf"/{_SIGN}{{1,60}}+ ")
"""The same where no backslash is."""
_JOINS = str.maketrans(" ()&", "____")


def _person(match: Match) -> str:
    return match[0].translate(_JOINS)


def _directory(match: Match) -> str:
    """The name without its blanks, if what stands before it is a path to such a place.

    Where nothing closes a path, its last name is taken for one only if the path held blanks before.
    """
    before = match.string[max(0, match.start() - _LONGEST) : match.start() + 1]
    root = compiled(_BELOW).search(before)
    open_end = match.string[match.end() : match.end() + 1] in ("", ":")
    if root is None or (open_end and " " not in root[0]):
        return match[0]
    return match[0].translate(_JOINS)


def _joined(line: str) -> str:
    return compiled(_NAME).sub(_directory, compiled(_NAME_OF_PERSON).sub(_person, line))


def without_blanks(lines: Sequence[str]) -> Sequence[str]:
    """The lines with `_` for each blank in the name of a directory."""
    whole = "\n".join(lines)
    if "\\" in whole:
        at_place, broken = holds_any(whole, _PLACES), _BROKEN.search
    else:
        at_place = "/" in whole and _AT_PLACE.search(whole) is not None
        broken = _BROKEN_BY_SLASHES.search
    if not at_place or not broken(whole):
        return lines
    return [_joined(line) if broken(line) else line for line in lines]


def as_written(line: str, lines: Sequence[str]) -> str:
    """A line of a verdict as it stands among the lines that a tool printed, with its blanks."""
    if "_" not in line:
        return line
    told = line.strip()
    for one in lines:
        written = one.strip()
        if len(written) == len(told) and (
            written == told or written.translate(_JOINS) == told.translate(_JOINS)
        ):
            return one
    return line
