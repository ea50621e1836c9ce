"""Where it happened, for output that says so without a stack.

Rule of this module: a place is `file:function`, with the base name of the file; either part may be
empty, and no place at all is better than a guess.
"""

from collections.abc import Sequence
from typing import NamedTuple

from reflection_mcp.tools.identity.rule import compiled
from reflection_mcp.tools.identity.verdicts.frame import is_foreign
from reflection_mcp.tools.identity.verdicts.symptoms import tells_of_failure

_TEST_TITLE = r"_{3,} (.{1,200}) _{3,}$"
_DOCTEST_TITLE = r"_{3,} \[doctest\] (\S{1,200}) _{3,}$"
_TEST_FUNCTION = r"[ \t]*(?:async )?def (test_\w{1,120})\("
TEST_FILE = r"(?:\S{0,400}[/\\])?([^\s/\\:]{1,120}):\d{1,7}: ([A-Z][\w.]{2,80})$"
_SUMMARY = (
    r"(?:FAILED|ERROR) (?:\S{0,400}[/\\])?([^\s/\\:]{1,120}\.py)::"
    r"((?:\w{1,120}::){0,4}\w{1,120}(?:\[[^\n]{1,200}?\])?)(?: - (.{1,1000}))?$"
)
_TEST_LINE = (
    r"(?:\S{0,400}[/\\])?([^\s/\\:]{1,120}\.py):\d{1,7}:(?: in \w{1,120}| [A-Z][\w.]{2,80})?$"
)
_COLLECTING = "ERROR collecting "
_SHORT_FRAME = r"(?:\S{0,400}[/\\])?([^\s/\\:]{1,120}\.py):\d{1,7}: in (<?\w{1,120}>?)$"
"""A frame in pytest's short style."""
_IN_FUNCTION = r"(\S{1,300}\.\w{1,4}): [^'\":\n]{2,60} '([^'\n]{1,200})':?$"
_AT_PLACE = (
    r"(?:[ \t]*--> |ERROR in |file://)?(?:[^\s:]{0,400}[/\\])?([^\s/\\:]{1,120}\.[a-zA-Z]\w{0,9})"
    r"(?:[: ]\d{1,7}(?:[:-]\d{1,7}){0,3}:?(?:[ \t]+(?:@\w{2,10}|root stylesheet|[\w-]{1,60}\(\)))?|"
    r"(?<=[a-z])(?<!\.sh)(?<!\.bash)(?<!\.bat)(?<!\.cmd)(?<!\.ps1))$"
)
"""A script alone on a line is a command that somebody typed, and no file with findings."""
_FINDING = r"[ \t]|[\d(\[LlE]"
"""Begins what stands below the file it was found in."""
_VITEST_TITLE = r"[ \t]{0,4}FAIL {1,3}\S{1,400}\.\w{1,4} > (.{1,300})$"
_FIRST_TITLE = r"[ \t]{0,4}1\) \S.{0,200}$"
_OF_RSPEC = "_spec.rb"
_RSPEC_SAYS = "Failure/Error: "
_RERUN = r"rspec \S{1,400} # (.{1,300})$"
"""How RSpec runs a failed example again, with its title."""
_MARKED_TITLE = r"[ \t]*(?:\u2716|not ok \d{1,6}(?: -)?) (\S.{0,400}?)( \([\d.]{1,20}ms\))?$"
_PANIC_THREAD = r"thread '([\w:]{1,200}::[\w:]{1,200})'(?: \(\d{1,12}\))? panicked at"
_PANIC_PLACE = (
    r"panicked at (?:'.{0,800}', )?(?:\S{0,400}[/\\])?([^\s/\\:]{1,120}):\d{1,7}:\d{1,7}:?$"
)


def _at(file: str, function: str = "") -> str:
    return f"{file}:{function}".casefold()


class Failed(NamedTuple):
    """A test in the short summary of pytest: its file, its name, and the first line it said.

    The name holds its classes, `TestCart.test_total`.
    """

    file: str
    name: str
    said: str


def failed_tests(lines: Sequence[str]) -> list[Failed]:
    """The tests that the short summary of pytest names."""
    found = (compiled(_SUMMARY).match(line.strip()) for line in lines if "::" in line)
    return [Failed(one[1], one[2].replace("::", "."), one[3] or "") for one in found if one]


def place_of_test(lines: Sequence[str]) -> str | None:
    """The test that failed, as a test runner titles it, with the first file it shows."""
    for at, line in enumerate(lines):
        found = compiled(_TEST_TITLE).match(line) or compiled(_TEST_FUNCTION).match(line)
        if found:
            name = found[1].rsplit(" of ", 1)[-1]
            if name.startswith(_COLLECTING):
                return _place_of_import(lines[at:])
            shown = (below.strip() for below in lines[at:] if ".py:" in below)
            files = map(compiled(_TEST_LINE).match, shown)
            return _at(next((found[1] for found in files if found), ""), name)
    return next((_at(test.file, test.name) for test in failed_tests(lines)), None)


def _place_of_import(lines: Sequence[str]) -> str | None:
    """The innermost frame of own code in pytest's short style: no test had begun to run."""
    frames = (compiled(_SHORT_FRAME).match(line.strip()) for line in lines if ".py:" in line)
    own = [found for found in frames if found and not is_foreign(found.string)]
    return _at(own[-1][1], own[-1][2]) if own else None


def raised_in(lines: Sequence[str]) -> str | None:
    """The file that pytest names under an error, if a test in another file met it."""
    place = place_of_test(lines)
    ends = (compiled(TEST_FILE).match(line) for line in reversed(lines))
    file = next((found[1] for found in ends if found), None)
    return (
        None if place is None or file is None or place.startswith(f"{file.casefold()}:") else file
    )


def place_of_numbered_test(lines: Sequence[str]) -> str | None:
    """The first failing test as PHPUnit, mocha and cypress number it: its suites and itself."""
    for at, line in enumerate(lines):
        if "1) " not in line or not compiled(_FIRST_TITLE).match(line):
            continue
        titles = [line.split(")", 1)[1].strip()]
        if lines[at + 1 : at + 2] and lines[at + 1].lstrip().startswith(_RSPEC_SAYS):
            return _at("", titles[0])
        if "::" in titles[0] and " " not in titles[0]:
            return _at("", titles[0])
        for below in lines[at + 1 : at + 6]:
            if not below.strip() or _indent(below) <= _indent(lines[at]):
                break
            titles.append(below.strip())
            if below.endswith(":"):
                return _at("", " ".join(titles).rstrip(":"))
    return None


def place_of_rspec(lines: Sequence[str], file: str) -> str | None:
    """The first failing example of RSpec in a file, as it is numbered or as it is run again."""
    if not file.endswith(_OF_RSPEC):
        return None
    rerun = (compiled(_RERUN).match(line.strip()) for line in lines if line.startswith("rspec "))
    title = next((_at("", found[1]) for found in rerun if found), place_of_numbered_test(lines))
    return title and file + title


def place_of_doctest(lines: Sequence[str]) -> str | None:
    """What the first failing example of pytest's documents, with its module."""
    titles = (compiled(_DOCTEST_TITLE).match(line) for line in lines if "[doctest] " in line)
    return next((_at("", found[1]) for found in titles if found), None)


def place_of_titled_test(lines: Sequence[str]) -> str | None:
    """The first failing test as vitest titles it: its suites and itself."""
    titles = (compiled(_VITEST_TITLE).match(line) for line in lines if " > " in line)
    return next((_at("", found[1].strip()) for found in titles if found), None)


def place_of_marked_test(lines: Sequence[str], *, timed: bool = False) -> str | None:
    """The first failing test as a harness marks it, which is the innermost; mocha's TAP, too.

    `timed` asks for how long it took, which a mark alone does not say.
    """
    titles = (compiled(_MARKED_TITLE).match(line) for line in lines)
    return next((_at("", found[1]) for found in titles if found and (found[2] or not timed)), None)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def place_of_panic(lines: Sequence[str]) -> str | None:
    """The file in which a Rust program says that it panicked, and the test that did."""
    for line in lines:
        found = compiled(_PANIC_PLACE).search(line) if "panicked at" in line else None
        if found:
            test = compiled(_PANIC_THREAD).search(line)
            return _at(found[1], test[1] if test else "")
    return None


def _listed(lines: Sequence[str], at: int) -> bool:
    """Whether the bare name of a file is one of a list of names, and heads no finding."""
    below = lines[at + 1] if at + 1 < len(lines) else ""
    return bool(below) and compiled(_FINDING).match(below) is None


def place_printed(lines: Sequence[str]) -> str | None:
    """The first place of the user's own that stands in a line of its own."""
    for at, line in enumerate(lines):
        if "." not in line:  # either names a file
            continue
        found = compiled(_AT_PLACE).match(line)
        if found and not is_foreign(line) and not (found[0] == found[1] and _listed(lines, at)):
            return _at(found[1])
        if line.endswith(("':", "'")):
            found = compiled(_IN_FUNCTION).match(line)
            if found and not tells_of_failure(line):
                return _at(found[1].replace("\\", "/").rsplit("/", 1)[-1], found[2])
    return None
