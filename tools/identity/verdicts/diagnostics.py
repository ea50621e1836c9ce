"""Readers of what compilers, package managers and other tools print: which lines say what failed.

Rule of this module: the specific readers come first; the last two read anything, the first by
words that tell of failure, the other by where a line stands.
"""

from collections.abc import Sequence

from reflection_mcp.tools.identity.rule import compiled
from reflection_mcp.tools.identity.verdicts.reading import Text, is_message, is_plain, is_source
from reflection_mcp.tools.identity.verdicts.runners import is_empty
from reflection_mcp.tools.identity.verdicts.symptoms import tells_of_failure

_CARET_LABEL = (
    r"[ \t]*+(?:\d{1,7}+[ \t]*+)?\|?+[ \t]*+[|_ \t~+-]{0,200}+\^[\^~_ |+-]{0,400}+[ \t|]{0,200}+"
    r"([A-Za-z'\"&].*)$"
)
_GIVEN_UP = r"(?i)^[ \t]*g?make(?:\[\d{1,3}\])?: \*\*\* "


def rust_compiler(text: Text) -> list[str]:
    """The first error of rustc and the labels under its carets."""
    head = compiled(r"error(?:\[E\d{4}\])?: ")
    start = next((at for at, line in enumerate(text.lines) if head.match(line.strip())), None)
    if start is None:
        return []
    found = [text.lines[start]]
    for line in text.lines[start + 1 :]:
        if compiled(r"(?:error|warning)(?:\[|:)|(?:note|help):").match(line.strip()):
            break
        caret = compiled(_CARET_LABEL).match(line) if "^" in line else None
        label = caret or compiled(r"[ \t]*\|[ \t|_]{0,200}([a-z'][^;{}\n]*)$").match(line)
        if label and len(found) < 6:
            found.append(label[1])
    return found


_NPM_ASIDE = (
    r"(?i)\b(?:while resolving|found:|from the root project|node_modules/|path [/\\a-z]|"
    r"npm (?:err!|error)[ \t]+(?:this command|to accept|fix the upstream|or retry|this is|"
    r"(?:notarget|403|network) (?:in most cases|a package version that|on a server|if you are|"
    r"'proxy')|notsup actual:|\[-|at \S|[{}]$|"
    r"(?:syscall|file) \S{1,400}$|errno (?:-?\d{1,6}|E[A-Z]{2,20})$|spawn enoent$|npm ci$|"
    r"(?:usage|options|alias(?:es)?):|clean install a project$|"
    r"(?:code|errno|syscall|address|port|type|requiredby): \S{1,80},?$|if you are behind a proxy|"
    r"'proxy' config is set|run .npm help |404[ \t]+(?:note|tarball)))"
)


def npm(text: Text) -> list[str]:
    """What npm says, without its tree of packages and its advice."""
    if "npm err" not in text.whole.casefold():
        return []
    voice = compiled(r"(?i)[ \t]*npm (?:err!|error)(?:[ \t]|$)").match
    return [
        line
        for at, line in enumerate(text.lines)
        if voice(line)
        and len(line.split()) > 2
        and not compiled(_NPM_ASIDE).search(line)
        and text.spoken(at)
    ]


def _with_details(text: Text, at: int) -> list[str]:
    """A diagnostic and the indented lines right below it."""
    end = at + 1
    while (
        end < min(at + 4, len(text.lines)) and text.lines[end][:2] == "  " and is_plain(text, end)
    ):
        end += 1
    return list(text.lines[at:end])


_NAMED = r"(?:\[ERROR\])?[ \t]+[a-z][a-z ]{1,20}:[ \t]"


def _introduced(text: Text, at: int, heads: Sequence[int]) -> list[str]:
    """The indented lines that belong to one: announced by its colon, or named (`symbol: x`).

    CMake leaves a line free below the colon; a log takes the blanks in front of what it announced,
    which is believed if it is one word.
    """
    margin = _margin(text.lines[at])
    announced = text.lines[at].endswith(":")
    found: list[str] = []
    for below in range(at + 1, min(at + 4, len(text.lines))):
        line = text.lines[below]
        if announced and below == at + 1 and not line.strip():
            continue
        said = line.strip()
        if below in heads or not said:
            break
        if _margin(line) <= margin and (" " in said or not announced):
            break
        if is_plain(text, below) and (announced or compiled(_NAMED).match(line)):
            found.append(line)
    return found


_OF_A_KEY = r"[ \t]*+\S.{0,400}?(?:\[type=\w{1,60}[,\]].*|\(type=[\w.]{1,80}(?:;.*)?\))$"
"""What pydantic says of a key, whose name stands alone above it."""
_KEY = r"[\w.\[\]-]{1,120}$"


def _key_of(text: Text, at: int) -> list[str]:
    """The key that a validation is about, above what is wrong with it."""
    above = text.lines[at - 1] if at and "type=" in text.lines[at] else ""
    of_a_key = compiled(_KEY).match(above) and compiled(_OF_A_KEY).match(text.lines[at])
    return [above] if of_a_key else []


def _margin(line: str) -> int:
    """The blanks in front of a line, behind Maven's word for its level."""
    bare = line.removeprefix("[ERROR]")
    return len(bare) - len(bare.lstrip())


def diagnostics(text: Text) -> list[str]:
    """Anything that sounds like an error; the detail under one or two of them belongs to them."""
    heads = [
        at
        for at, line in enumerate(text.lines)
        if at not in text.stack.lines
        and not is_source(line)  # first: it costs less than to look for words in it
        and tells_of_failure(line)
        and is_message(text, at)
        and not text.hinted(at)
    ]
    if len(heads) > 1:
        heads = [at for at in heads if not is_empty(text.lines[at].strip())] or heads
    coded = compiled(r"\bTS\d{4}\b").search
    typescript = [at for at in heads if coded(text.lines[at])] if "TS" in text.whole else []
    if typescript:
        return [line for at in typescript[:3] for line in _with_details(text, at)]
    if len(heads) > 2:
        return [
            line
            for at in heads
            for line in (*_key_of(text, at), text.lines[at], *_introduced(text, at, heads))
        ]
    chosen: list[int] = []
    for head in heads:
        room = 4 - len(heads)
        chosen.append(head)
        for below in range(head + 1, min(head + 4, len(text.lines))):
            if below in heads or (not text.lines[below].strip() and below > head + 1):
                break
            if room and is_plain(text, below) and not text.hinted(below):
                chosen.append(below)
                room -= 1
    return [text.lines[at] for at in chosen]


def is_given_up(line: str) -> bool:
    """Whether a line is how make says which target it gave up."""
    return compiled(_GIVEN_UP).search(line) is not None


def opening(text: Text) -> list[str]:
    """The targets that make gave up, else the first lines that are neither noise nor code."""
    plain = [at for at in range(len(text.lines)) if is_plain(text, at)]
    firm = [text.lines[at] for at in plain if not text.hinted(at)]
    told = [text.lines[at] for at in plain]
    targets = [line for line in text.lines if is_given_up(line)]
    return (targets or firm or told or [line for line in text.lines if line.strip()])[:6]
