"""What a test harness reports of a test that failed, in the words of the error that it met.

Rule of this module: only the block below a line `not ok` is read, and only where it says what
failed; a block that says no more than that tests inside it failed goes. What comes out is what the
same harness prints for people: the title of the test, the error, its frames.
"""

import json
from collections.abc import Mapping, Sequence
from itertools import takewhile
from textwrap import dedent

from reflection_mcp.tools.identity.cleaning.findings import finding
from reflection_mcp.tools.identity.rule import compiled

NOT_OK = "not ok "
"""Begins, behind blanks, the line of a test that failed, in the protocol that any harness reads."""
_TITLE = r"[ \t]*not ok \d{1,6}(?: -)? ([^\n]{1,400}?)(?:[ \t]+# time=[\d.]{1,20}ms)?(?: \{)?$"
_FIELD = r"[ \t]*(?:(?:([A-Za-z_]{1,40}):[ \t]*)?([|>][+-]?)|([A-Za-z_]{1,40}):(?:[ \t]+(\S.*))?)$"
"""A key and what it holds; where a tag in front was taken off, the key of a stack went with it."""
_OF_THOSE_INSIDE = "subtestsFailed"
_CODE = r"ERR_(?!TEST_FAILURE$)\w{1,60}"
"""A code of Node that is not the one of the harness itself."""
_PROTOCOL = (
    r"[ \t]*(?:TAP version \d{1,3}|ok \d{1,6}\b.{0,400}|\d{1,6}\.\.\d{1,6}|# (?:Subtest: .{1,400}|"
    r"(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) {1,2}[\d.]{1,20}))$"
)
"""What the protocol itself says."""
_MOST = 200
"""Lines of a block that are looked at."""
_NEAR = 60
"""So far below an error its cause begins."""

_WRAPPED = "[ERR_TEST_FAILURE]: "
_CAUSE = r"[ \t]*(?:\[cause\]|cause): (?=[A-Z]\w{0,80}(?:Error|Exception)\b)"


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _scalar(value: str) -> str:
    if value[:1] == "'":
        return value[1:].removesuffix("'").replace("''", "'")
    if value[:1] != '"':
        return value
    try:
        return str(json.loads(value))
    except ValueError:
        return value.strip('"')


def _fields(block: Sequence[str], *, inside: bool = False) -> dict[str, str]:
    """The texts of a block by their keys; those of a block inside it, too, if it has no such."""
    found: dict[str, str] = {}
    inner: dict[str, str] = {}
    margin = min((_indent(line) for line in block if line.strip()), default=0)
    fields = {
        at: field
        for at, line in enumerate(block)
        if _indent(line) == margin and (field := compiled(_FIELD).match(line))
    }
    ends = [*fields, len(block)][1:]
    for (at, field), end in zip(fields.items(), ends, strict=True):
        below = block[at + 1 : end]  # further in, if what stood in front left that to be seen
        if field[2]:
            found[field[1] or "stack"] = dedent("\n".join(below)).strip("\n")
        elif field[4]:
            found[field[3]] = _scalar(field[4])
        elif not inside:
            inner.update(_fields(below, inside=True))
    return {**inner, **found}


def _told(title: str, fields: Mapping[str, str]) -> list[str] | None:
    """What a block says, as lines; None where it does not say what failed."""
    if fields.get("failureType") == _OF_THOSE_INSIDE:
        return []
    said = fields.get("error") or fields.get("message") or ""
    if not said:
        return None
    if "ruleId" in fields:
        place = f"{title}:{fields.get('line', '1')}:{fields.get('column', '1')}"
        return [finding(place, said, fields["ruleId"], fields.get("severity", ""))]
    code = fields.get("code", "")
    of_code = f" [{code}]" if compiled(_CODE).fullmatch(code) else ""
    name = fields.get("name", "")
    head = f"{name}{of_code}: {said}" if name else said
    frames = (fields.get("stack") or fields.get("at") or "").split("\n")
    bare = (frame.strip().removeprefix("at ") for frame in frames)
    return [
        f"\u2716 {title} (0ms)",
        *head.split("\n"),
        *(f"    at {frame}" for frame in bare if frame),
    ]


def _block_below(lines: Sequence[str], at: int) -> Sequence[str]:
    """The lines between the signs that begin and end a block, which begins there."""
    begun = "".join(lines[at : at + 1]).strip() == "---"
    below = lines[at + 1 : at + 1 + _MOST] if begun else ()
    block = list(takewhile(lambda line: line.strip() != "...", below))
    return block if len(block) < len(below) else ()


def without_blocks(text: str) -> str:
    """The text with each block of a test that failed told as the harness tells people."""
    if NOT_OK not in text:
        return text
    lines = text.split("\n")
    told: list[str] = []
    at = 0
    while at < len(lines):
        title = compiled(_TITLE).match(lines[at]) if NOT_OK in lines[at] else None
        block = _block_below(lines, at + 1) if title else ()
        said = _told(title[1], _fields(block)) if title and block else None
        if said is None:
            told.append(lines[at])
            at += 1
        else:
            told += said
            at += len(block) + 3
    if len(told) == len(lines):
        return text
    return "\n".join(line for line in told if not compiled(_PROTOCOL).match(line))


def unwrapped_failures(text: str) -> str:
    """The text without the error by which Node's harness says that a test met one, its cause."""
    if _WRAPPED not in text:
        return text
    lines = text.split("\n")
    kept: list[str] = []
    at = 0
    while at < len(lines):
        cause = _cause_below(lines, at) if _WRAPPED in lines[at] else at
        kept.append(compiled(_CAUSE).sub("", lines[cause], count=1) if cause > at else lines[at])
        at = cause + 1
    return "\n".join(kept)


def _cause_below(lines: Sequence[str], at: int) -> int:
    """The line that begins the cause of an error, which begins there; that one without any."""
    below = range(at + 1, min(at + 1 + _NEAR, len(lines)))
    return next((end for end in below if compiled(_CAUSE).match(lines[end])), at)
