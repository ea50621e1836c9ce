"""Warnings beside an error: what a compiler, an interpreter or a logger only warns of.

Rule of this module: a warning goes, with the source shown under it, where something worse is told;
where nothing is, or where somebody says that warnings count as errors, it is the message.
"""

from collections.abc import Sequence

from reflection_mcp.tools.identity.rule import Shape, any_of, compiled
from reflection_mcp.tools.identity.verdicts.reading import is_gutter, is_marker
from reflection_mcp.tools.identity.verdicts.worse import tells_one
from reflection_mcp.tools.identity.warned import WARNED

_WORD = r"(?:WARNING|[Ww]arning)"

WARNINGS: tuple[Shape, ...] = (
    Shape(
        "level of a warning",
        r"\u26a0(?!.{0,400}(?:Error|Exception): )|"
        r"[\[(<|] ?(?:WARN(?:ING)?|[Ww]arn(?:ing)?) ?[\])>|]|WARN(?:ING)?[ \t]+\S|"
        + _WORD
        + r"(?:\[[\w:-]{1,80}\])?:(?:[ \t]|$)|WARN(?:\[\d{1,8}\]|:)[ \t]",
        "WARN  config: LOG_LEVEL not set, using INFO",
        "WARNINGS: 3",
    ),
    Shape(
        "warning of a tool, behind its name or a place",
        r"(?!\S{0,300}(?:[Ee]rror|ERROR|[Ee]xception|[Ff]atal|FATAL|panic))\S{1,300}: "
        r"(?:" + _WORD + r"(?: [A-Z]{1,6}\d{1,5})?:(?:[ \t]|$)|\[[Ww]arn(?:ing)?\][ \t])",
        "src/ring.c:1:17: warning: unused variable 'cap' [-Wunused-variable]",
        "Error: warning: unused variable",
    ),
    Shape(
        "warning of Python",
        r"\S{1,300}:\d{1,7}: (?:\w{1,60}\.){0,4}\w{0,60}Warning: ",
        "app/cache.py:12: DeprecationWarning: use ttl",
        "DeprecationWarning: use ttl",
    ),
    Shape(
        "warning of Node",
        r"\(\w{2,8}:\d{1,9}\) (?:\[\w{1,40}\] )?\w{0,60}Warning: ",
        "(node:31) [DEP0040] DeprecationWarning: the module is deprecated",
        "(node:31) Error: it is gone",
    ),
    Shape(
        "finding of a linter that is a warning",
        r"\d{1,7}:\d{1,7}[ \t]+(?:warning|warn|\u26a0)[ \t]",
        "3:5  warning  'total' is never used  no-unused-vars",
        "3:5  error  'warning' is never used  no-unused-vars",
    ),
    Shape(
        "warning of CMake",
        r"CMake (?:Deprecation |Install )?Warning(?: \(dev\))?(?: at .{1,300})?:",
        "CMake Warning at CMakeLists.txt:3 (message):",
        "CMake Error at CMakeLists.txt:3 (message):",
    ),
    Shape(
        "warning or notice of PHP",
        r"PHP (?:Warning|Notice|Deprecated): ",
        "PHP Warning:  Undefined variable $rate in /app/cart.php on line 3",
        "PHP Fatal error:  Uncaught TypeError",
    ),
    Shape("warning of Kotlin", r"w: (?:file:|/)\S", "w: file:///app/a.kt:3:1 unused", "w: x"),
)
"""Beginnings of lines, behind blanks, in the letters in which they are printed."""

_IDLE = tuple(shape for shape in WARNINGS if shape.name.endswith((" of Python", " of Node")))
_GIVEN_UP = r"(?im)^[ \t]*g?make(?:\[\d{1,3}\])?: \*\*\* "
_FATAL = (
    r"(?i)(?<!some warnings being )treat(?:ed|ing)?\b.{0,60}\bas (?:an )?errors?\b|"
    r"too many warnings|\bwarnings? (?:are errors|found and -Werror)|deny\(warnings\)|-D ?warnings|"
    r"warnings? in strict mode|-Werror specified|(?:fail|failed|failing|abort\w*) (?:on|with|due "
    r"to|because of) (?:\d{1,6} )?warnings?\b|(?-i:[ \t]-Werror(?![\w=-]))"
)
"""Said where warnings are what failed."""
_DETAIL = r"[ \t]*(?:-->|:::|=|\.\.\.)[ \t]|\S{1,300}:\d{1,7}(?::\d{1,7})?: note: |[ \t]+at \S"
_CONTEXT = r"(\S{1,300}): (?:In|At|in) [^:'\"\n]{2,60}(?:['\"].{1,300})?:$"
"""Where a C compiler says in which function the findings below it lie."""
_OF_PYTHON = r"\S{1,300}:\d{1,7}: (?:\w{1,60}\.){0,4}\w{0,60}Warning: "
_CALL = r"[ \t]+\S.{0,200}\bwarn\w*\("
_LONGEST_MESSAGE = 8
"""Lines of a warning of Python that are looked at for the call that gave it."""

_WARNING = any_of(WARNINGS, before=r"[ \t]{0,40}+")
_PASSED_ON = r".{0,600}\berror: "
"""A tool passes on as its warning what a compiler called an error."""


def is_warning(line: str) -> bool:
    """Whether a line is a warning."""
    return _WARNING.match(line) is not None and compiled(_PASSED_ON).match(line) is None


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _source_of_python(lines: Sequence[str], at: int) -> int:
    """The end of a warning of Python: its message may go on until the call that gave it."""
    margin = _indent(lines[at])
    for below in range(at + 1, min(at + _LONGEST_MESSAGE, len(lines))):
        if compiled(_CALL).match(lines[below]):
            return below + 1
        if "Traceback (" in lines[below]:
            break
    shown = at + 1 < len(lines) and _indent(lines[at + 1]) == margin + 2
    return at + 2 if shown and 'File "' not in lines[at + 1] else at + 1


def _end(lines: Sequence[str], at: int) -> int:
    """The line after a warning and the source shown under it."""
    if compiled(_OF_PYTHON).match(lines[at].strip()):
        return _source_of_python(lines, at)
    end = at + 1
    if "CMake " in lines[at][:20]:
        while end < len(lines) and (not lines[end].strip() or lines[end][:2] == "  "):
            end += 1
        return end
    if end + 1 < len(lines) and is_marker(lines[end + 1]) and "^" in lines[end + 1]:
        end += 2
    while end < len(lines) and (
        is_gutter(lines[end])
        or (lines[end].strip() and is_marker(lines[end]))
        or compiled(_DETAIL).match(lines[end])
    ):
        end += 1
    return end


def _warned(lines: Sequence[str]) -> set[int]:
    """The numbers of the lines that are warnings, or source shown under one."""
    found: set[int] = set()
    for at, line in enumerate(lines):
        if at not in found and is_warning(line):
            found.update(range(at, _end(lines, at)))
    for at in sorted(found, reverse=True):
        above = compiled(_CONTEXT).match(lines[at - 1]) if at and at - 1 not in found else None
        if above:
            below = next((one for one in range(at, len(lines)) if one not in found), None)
            if below is None or not lines[below].startswith(f"{above[1]}:"):
                found.add(at - 1)
    return found


def apart_from_warnings(lines: Sequence[str]) -> Sequence[str]:
    """The lines that are no warnings and no source shown under one, whatever they tell."""
    warned = _warned(lines)
    return [line for at, line in enumerate(lines) if at not in warned]


def _of_interpreters(lines: Sequence[str]) -> bool:
    """Whether all warnings are of interpreters, which end no program by a warning."""
    idle = any_of(_IDLE, before=r"[ \t]{0,40}+").match
    return all(idle(line) for line in lines if is_warning(line))


def without_warnings(lines: Sequence[str]) -> Sequence[str]:
    """The lines without warnings, if something worse is told; without the mark of one otherwise."""
    whole = "\n".join(lines)
    if "arn" not in whole and "ARN" not in whole and WARNED not in whole and "\nw: " not in whole:
        return lines
    left = apart_from_warnings(lines)
    if (
        len(left) < len(lines)
        and not compiled(_FATAL).search(whole)
        and (tells_one(left) or (compiled(_GIVEN_UP).search(whole) and _of_interpreters(lines)))
    ):
        lines = left
    return [line.removeprefix(WARNED) for line in lines] if WARNED in whole else lines
