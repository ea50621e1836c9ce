"""What a whole text carries in front of its lines: a quotation, a listing, the task of a runner.

Rule of this module: what could also be part of a message is a prefix only when most lines carry it,
or when all of them count on.
"""

import re
from collections.abc import Callable

from reflection_mcp.tools.identity.expression import Expression
from reflection_mcp.tools.identity.rule import Match, Shape, compiled

_Match = Callable[[str], Match | None]

MAJORITY: tuple[Shape, ...] = (
    Shape(
        "quoted reply",
        r"[ \t]{0,8}+(?:>{1,4}|\||[\u2502\u2503\u258c\u2595]|!(?! \[)|#>|//|;;)(?:[ \t]|$)",
        "> x",
        "! [rejected] x",
    ),
    Shape(
        "bullet or sign of a comment",
        r"(?:[#;%\u2022\u2023\u25e6\u25aa*-]|--|REM|rem|bq\.|dnl)(?:[ \t]|$)",
        "- x",
        "-x",
    ),
    Shape("node of MSBuild", r"[ \t]{0,8}+\d{1,3}(?::\d{1,3})?>(?!=)", "  3>x", "3 > x"),
    Shape("added lines of a diff", r"\+(?!\+)", "+x", "++x"),
    Shape("seconds of a step of an image", r"\d{1,5}\.\d{1,3} (?=\S)", "12.31 x", "12.31.4 x"),
    Shape(
        "task of a monorepo",
        r"@?[a-zA-Z][\w/-]{1,60}:[a-z][\w:-]{0,40}: ?|[a-z][\w-]{0,40}> |"
        r"@?[\w.-]{1,60}/[\w./-]{1,60} [a-z][\w:-]{0,30}\$ ",
        "@acme/web:check: x",
        "src/a.ts:12: x",
    ),
    Shape(
        "numbered listing",
        r"[ \t]{0,8}+\d{1,6}(?:\t|\u2192|:(?!\d)[ \t]?|[ \t]{0,3}[|\u2502](?:[ \t]|$)|[ \t]{2})",
        "    12\tx",
        "12 x",
    ),
)
"""Prefixes of a whole text; the share of lines that must carry one is `MOST`."""
_BEGINS = (
    r"(?=[ \t]{0,8}+[>|\u2502\u2503\u258c\u2595!#/;\d]|[%\u2022\u2023\u25e6\u25aa*+-]|"
    r"REM|rem|bq|dnl|[\w@./-]++(?::[a-z]|> | [a-z][\w:-]{0,30}\$ ))"
)
"""So begin lines with one of them: by a sign, or by a word with another sign behind it."""
_ANY_OF_MANY = Expression(f"{_BEGINS}(?:{'|'.join(shape.pattern for shape in MAJORITY)})")
LABEL = Shape(
    "label of a task",
    r"\[(?!(?:info|debug|trace|warn|warning|error|notice|verbose)\])[\w@/.:-]{1,40}\](?:[ \t]|$)",
    "[web] x",
    "[info] x",
)
"""A prefix of several lines; in front of one or two it may say whose message it is."""
LEAST_ALIKE = 3
"""So many lines begin with the same label or package."""
MOST = 0.7


_FOLDER = (
    r"@?[\w.-]{1,60}(?:/[\w.-]{1,60}){1,6}(?<!\.\w)(?<!\.\w{2})(?<!\.\w{3})"
    r"(?: [a-z][\w:-]{0,30})?: "
)
"""The package that a line is of, in the output of a monorepo; not the name of a file."""
_NUMBER = Expression(
    r"(?:[\w./-]{1,100}\.(?:log|txt|out)[:-])?[ \t]{0,8}[\[(<#L]?(\d{1,6})(?:[\])>.:|"
    r"-]{1,2}[ \t]?|[ \t])"
)
"""The number of a line in a listing, in whatever signs, and the log that it is of."""
_ALIGNED = 2
"""So few lines are a listing if their numbers stand to the right, as in a column."""


def _numbered_in_turn(lines: list[str], spoken: list[str]) -> bool:
    """Whether those of the lines that are not blank begin with 1, 2, 3 ..., as a listing does."""
    if len(spoken) < _ALIGNED or (len(spoken) == _ALIGNED and lines[0][:1] != " "):
        return False
    last = None
    for line in spoken:
        number = _NUMBER.match(line)
        if number is None or (last is not None and int(number[1]) != last + 1):
            return False
        last = int(number[1])
    return True


def _carried_by_most(match: _Match, lines: list[str]) -> bool:
    """Whether most lines carry a prefix; once too many do not, the others are not asked."""
    may_lack = len(lines) - MOST * len(lines)
    for line in lines:
        if match(line) is None:
            may_lack -= 1
            if may_lack < 0:
                return False
    return bool(lines)


def _majority(spoken: list[str]) -> re.Pattern[str] | None:
    """The prefix of the table that most lines carry; most texts carry none, and are asked once."""
    if not _carried_by_most(_ANY_OF_MANY.match, spoken):
        return None
    rows = (compiled(shape.pattern) for shape in MAJORITY)
    return next((prefix for prefix in rows if _carried_by_most(prefix.match, spoken)), None)


def _labelled(spoken: list[str]) -> bool:
    """Whether most of several lines carry a label, and say different things behind it."""
    label = compiled(LABEL.pattern)
    return (
        "[" in [line[0] for line in spoken]
        and _carried_by_most(label.match, spoken)
        and len({label.sub("", line, count=1) for line in spoken}) >= LEAST_ALIKE
    )


def _package(lines: list[str]) -> str:
    """The package that all of several lines begin with, or an empty string."""
    found = compiled(_FOLDER).match(lines[0]) if "/" in lines[0] else None
    return found[0] if found and all(line.startswith(found[0]) for line in lines) else ""


def without_common(lines: list[str], spoken: list[str]) -> list[str]:
    """The lines without what most begin with; they themselves if that is nothing.

    Args:
        lines: all lines of a text.
        spoken: those of them that are not blank.
    """
    bare = lines
    if prefix := _majority(spoken):
        bare = [line[found.end() :] if (found := prefix.match(line)) else line for line in bare]
    if len(spoken) < LEAST_ALIKE:
        return bare
    if _labelled(spoken):
        bare = [compiled(LABEL.pattern).sub("", line, count=1) for line in bare]
    if package := _package(spoken):
        bare = [line.removeprefix(package) for line in bare]
    return bare


def without_numbers(lines: list[str], spoken: list[str]) -> list[str]:
    """The lines without the numbers of a listing; they themselves if they are none."""
    if not _numbered_in_turn(lines, spoken):
        return lines
    return [compiled(_NUMBER.pattern).sub("", line, count=1) for line in lines]
