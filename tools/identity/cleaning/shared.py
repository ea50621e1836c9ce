"""What stands in front of every line: the tag of a worker, a machine, a step, whoever put it there.

Rule of this module: nobody needs to know the product, for a tag is the same on all lines but for
its figures. It must have a sign of tags (brackets, a bar, an arrow, a prompt), and is none if it
could be what a tool says: a place in a file, a name before a colon, a level.
"""

import re
from collections import Counter
from collections.abc import Sequence

from reflection_mcp.tools.identity.rule import compiled
from reflection_mcp.tools.identity.verdicts.marks import holds_any

LEAST = 3
"""Fewer lines may begin alike by chance."""
_SHARE = 0.75
"""Of the lines that must carry a tag: those of the runner itself often do not."""
_LONGEST = 120
ENDED = " exited with code "
"""Stands in the report of a runner of several programs that one has ended."""
_REPORT = (
    r"(\[(?!(?i:info|debug|trace|warn|warning|error|fatal|critical|notice|verbose)\])"
    r"[\w@/.:-]{1,40}\]) (?:.{1,400} )?exited with code \S{1,10}$"
)
"""The whole of it, with the tag of the program."""
_FIGURES = r"\d+"
_SIGN_OF_A_TAG = r"[\[({<][^\[\](){}<>]{1,100}[\])}>]:?[ \t]*$|[|\u2502>$][ \t]*$|[\])}>]:[ \t]*$"
_TAGS_END = "])}>|\u2502$"
_ENDS = "])}>|:\u2502$ \t"
_SAID = (
    r"['\"`]|\.\w{1,5}[:(]0|\(0(?:,0)?\)|^[ \t]*(?:npm|make|gmake|error|warning|note|help|at|E|\||"
    r">|"
    r"\+|-|[|>+-]+)(?:[ \t(\[:!]|$)|(?i:error|fatal|warn|failed|exception|traceback)|^[ \t]*[|"
    r">\u2502]|"
    r"Caused by|^[ \t]*0|\\|/[\w.-]*$"
)


def _shape(line: str) -> str:
    return compiled(_FIGURES).sub("0", line[:_LONGEST])


def _first_word(shape: str) -> str:
    return shape.lstrip().split(" ", 1)[0][:20]


def _begin_alike(lines: Sequence[str]) -> bool:
    """Whether most lines begin with the two signs of the one in the middle: asked first."""
    line = lines[len(lines) // 2][:_LONGEST]
    if line[:1].isspace() or not holds_any(line, _TAGS_END):
        return False
    return sum(other.startswith(line[:2]) for other in lines) >= _SHARE * len(lines)


def without_tags(lines: list[str]) -> list[str]:
    """The lines without the tags of programs of which a runner reports the end, each by its tag.

    A report keeps its tag: where a program said nothing, that is all that names it.
    """
    reports = compiled(_REPORT).match
    tags = {found[1] for line in lines if ENDED in line and (found := reports(line))}
    return (
        [
            line.partition("]")[2][1:] if _tag(line) in tags and not reports(line) else line
            for line in lines
        ]
        if tags
        else lines
    )


def _tag(line: str) -> str:
    return line[: line.find("]") + 1]


def tag_of(spoken: Sequence[str]) -> re.Pattern[str] | None:
    """The pattern of the tag that most of several lines carry, none of them blank; or None."""
    if len(spoken) < LEAST or not _begin_alike(spoken):
        return None
    shapes = [_shape(line) for line in spoken]
    begun, times = Counter(map(_first_word, shapes)).most_common(1)[0]
    if times < max(LEAST, _SHARE * len(spoken)) or begun.isalpha():
        return None
    alike = [shape for shape in shapes if _first_word(shape) == begun]
    low, high = min(alike), max(alike)
    common = low[: next((at for at, sign in enumerate(low) if sign != high[at : at + 1]), None)]
    end = max((at + 1 for at, sign in enumerate(common) if sign in _ENDS), default=0)
    common = common[:end].rstrip()
    if not compiled(_SIGN_OF_A_TAG).search(common) or compiled(_SAID).search(common):
        return None
    if len(set(alike)) < LEAST:
        return None
    return compiled(re.escape(common).replace("0", r"\d+") + "[ \\t]?")
