"""The runs of tools that a text shows, in order: the subject of each, and how it ended.

Rules of this module: a line decides only as a whole. The lines that one tool prints one after
another are one run; what it prints again later is another run, and the newest counts. A run in
which nothing was tested proves nothing.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from reflection_mcp.tools.judging.evidence.rows import read, row_of_command, tool_rows
from reflection_mcp.tools.judging.run import Run

LINES = 4_000
"""Lines that are read from the end of a text: what decides stands last."""
LINE_LENGTH = 400
"""Longer lines are data; the bound keeps every pattern linear."""
NEAR = 3
"""Lines between two of one run."""
TAIL = 3
"""Lines at the end of a text in which a bare error is its outcome."""


@dataclass(frozen=True, slots=True)
class _Said:
    """A line that decides: by a template, or by what it counts."""

    at: int
    tool: str
    about: tuple[str, ...]
    verdict: str
    line: str


_PREFIX = re.compile(
    r"(?:\x1b\[[\d;]{0,20}m|\s|#\d{1,4} (?:\d[\d.]{0,9} )?"
    r"|\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S{0,12} |\[(?:INFO|ERROR|WARNING)\] "
    r"|[\w.-]{1,40}\s{1,4}\| ){0,8}"
)
_COLOUR = re.compile(r"\x1b\[[\d;]{0,20}m")
_RAN = re.compile(r"Ran \d{1,7} tests? in \d[\d.]{0,12}s$")
_PROMPT = re.compile(
    r"(?:\([\w.-]{1,40}\) )?(?:\$|PS [^>]{1,200}>|[\w.-]{1,40}@[\w.-]{1,60}:[^$#]{0,200}[$#]) "
    r"(?P<command>\S.{0,300})"
)
_SCRIPT = re.compile(r"> (?P<command>[a-z][\w.-]{1,30}(?: [^@]{1,200})?)$")


def runs_of(text: str, *, command: str = "", exit_code: int | None = None) -> tuple[Run, ...]:
    """Return the runs that a text tells of, in order.

    Args:
        text: the output of one command, or a log of several with prompts between them.
        command: the command line that printed it, if known.
        exit_code: of that command.
    """
    lines = _plain(text)
    found: list[Run] = []
    start = 0
    called = command
    for at, line in enumerate(lines):
        prompt = _PROMPT.fullmatch(line)
        if prompt:
            found += _segment(lines, start, at, called, None)
            start, called = at + 1, prompt["command"]
    found += _segment(lines, start, len(lines), called, exit_code)
    return tuple(found)


def _plain(text: str) -> list[str]:
    """Return the last lines without colours and what loggers put in front of them."""
    lines: list[str] = []
    ran = ""
    for raw in text.splitlines()[-LINES:]:
        if len(raw) > LINE_LENGTH:
            lines.append("")
            continue
        line = _COLOUR.sub("", raw).strip()
        line = line[_end(_PREFIX.match(line)) :]
        if _RAN.match(line):
            ran = line
        elif ran and line:
            line, ran = f"{ran}; {line}", ""
        lines.append(line)
    return lines


def _end(match: re.Match[str] | None) -> int:
    return match.end() if match else 0


def _segment(
    lines: Sequence[str], start: int, end: int, command: str, exit_code: int | None
) -> list[Run]:
    """The runs of the lines that one command printed."""
    piece = lines[start:end]
    scripts = [match["command"] for line in piece if (match := _SCRIPT.fullmatch(line))]
    row = row_of_command(command) or row_of_command(scripts[-1] if scripts else "")
    about = row.about if row else ("command",)
    said = sorted(_said(piece, about if row else ()), key=lambda one: one.at)
    found = _grouped(said)
    name = row.name if row else command.split()[0] if command.split() else ""
    ended = _ended(name, about, piece, exit_code, command, found)
    return [replace(run, at=run.at + start, command=command) for run in (*found, *ended)]


# --------------------------------------------------------------------------- lines that decide


def _said(lines: Sequence[str], about: tuple[str, ...]) -> Iterator[_Said]:
    whole = "\n".join(lines).lower()
    active = [
        (row, verdict, one)
        for row in tool_rows()
        for verdict, one in row.templates
        if one.literal in whole
    ]
    words = _word_roles()
    for at, line in enumerate(lines):
        if not line:
            continue
        lowered = line.lower()
        known = False
        for row, verdict, one in active:
            if one.literal in lowered and one.pattern.fullmatch(line):
                known = True
                yield _Said(at, row.name, row.about, verdict, line)
                break
        if not known and any(map(str.isdigit, line)) and _is_summary(lowered, words):
            kinds = {_role(word) for word in _WORD.findall(lowered)}
            tested = bool(kinds & {"failed", "passed"})
            yield _Said(at, "", ("tests",) if tested else about or ("command",), "counts", line)


_WORD = re.compile(r"[^\W\d_]+")
_TOKEN = re.compile(r"\d[\d.,:]*(?:ms|[smh%])?(?![^\W\d_])|[^\W\d_]+|[^\s\w]|_+")


@cache
def _word_roles() -> Mapping[str, str]:
    table = read("counts")
    roles = ("failed", "errors", "passed", "skipped", "total", "units", "filler")
    return {word: role for role in reversed(roles) for word in table[role].split()}


def _role(word: str) -> str:
    return _word_roles().get(word, "")


def _is_summary(line: str, words: Mapping[str, str]) -> bool:
    """Return True if a line has only counts, their words and a duration."""
    counted = False
    for token in _TOKEN.findall(line):
        if token[0].isalpha():
            role = words.get(token)
            if role is None:
                return False
            counted = counted or role in ("failed", "errors", "passed")
    return counted and bool(counts_of(line))


def counts_of(line: str) -> dict[str, int]:
    """Return the counts of a summary line, by role, in either word order."""
    found: dict[str, int] = {}
    lowered = line.lower()
    of_units = bool(_OF_UNITS.match(lowered))
    forward = list(_FORWARD.finditer(lowered))
    pairs = [(match[1], match[2]) for match in forward if _role(match[2])]
    if not any(_role(word) in ("failed", "errors", "passed", "total") for _, word in pairs):
        pairs = [(match[2], match[1]) for match in _BACKWARD.finditer(lowered)]
    for number, word in pairs:
        role = _role(word)
        if role in ("failed", "errors", "passed", "skipped", "total"):
            key = f"{role} suites" if of_units else role
            found[key] = found.get(key, 0) + int(number) if role != "total" else int(number)
    if outof := re.search(r"\bout of (\d{1,7})\b|\((\d{1,7})\)$", lowered):
        found.setdefault("total suites" if of_units else "total", int(outof[1] or outof[2]))
    return found


_TIMED = re.compile(r" in \d")
_OF_UNITS = re.compile(r"(?:test )?(?:suites|files)\b")
_FORWARD = re.compile(r"(?<![\w.%])(\d{1,7}) (?:(?:unexpected|tests?|specs?) )?([a-z]{2,12})\b")
_BACKWARD = re.compile(r"\b([a-z]{3,12})(?: {0,9}: {0,9}|=| )(\d{1,7})(?![\w.]\d)")


# --------------------------------------------------------------------------- runs


def _grouped(said: Sequence[_Said]) -> list[Run]:
    """Lines as runs: one tool, close together, and nothing counted twice."""
    groups: list[list[_Said]] = []
    counted: list[set[str]] = []
    last: dict[str, int] = {}
    for one in said:
        keys = set(counts_of(one.line)) if one.verdict == "counts" else set[str]()
        place = last.get(one.tool)
        if place is not None:
            group = groups[place]
            near = one.at - group[-1].at <= NEAR
            same = _verdict(one) == _verdict(group[-1])
            complete = bool(keys) and bool(_TIMED.search(group[-1].line))
            if (near or same) and not complete and not keys & counted[place]:
                group.append(one)
                counted[place] |= keys
                continue
        last[one.tool] = len(groups)
        groups.append([one])
        counted.append(keys)
    return [run for group in groups if (run := _run(group)) is not None]


def _run(group: Sequence[_Said]) -> Run | None:
    counts: dict[str, int] = {}
    for one in group:
        if one.verdict == "counts":
            counts |= counts_of(one.line)
    bad = [one for one in group if _verdict(one) == "bad"]
    good = any(one.verdict == "good" for one in group) or any(counts.values()) or _clear(counts)
    if not bad and not good:
        return None
    shown = next((one for one in reversed(bad) if one.verdict == "counts"), None)
    shown = shown or (bad[-1] if bad else group[-1])
    if "Ran " in shown.line:
        counts |= counts_of(shown.line.partition("; ")[2])
        counts.setdefault("total", int(shown.line.split()[1]))
    if not bad and counts.get("total", 1) == 0:
        return None
    numbers = frozenset(
        int(number)
        for one in group
        if one.verdict == "counts" and not _OF_UNITS.match(one.line.lower())
        for number in re.findall(r"(?<![\w.])\d{1,7}(?![\w.])", one.line)
    )
    return Run(group[0].tool, group[0].about, bool(bad), shown.line, counts, numbers, group[-1].at)


def _verdict(one: _Said) -> str:
    return one.verdict if one.verdict != "counts" else "bad" if _lost(one) else "good"


def _lost(one: _Said) -> bool:
    counts = counts_of(one.line)
    lost = ("failed", "errors", "failed suites", "errors suites")
    return any(counts.get(role, 0) for role in lost) or "FAILED" in one.line.split(".")[0]


def _clear(counts: Mapping[str, int]) -> bool:
    """Return True if a tool that counts faults found none."""
    return counts.get("errors", 1) == 0 or counts.get("failed", 1) == 0


# --------------------------------------------------------------------------- how it ended

_CODE = re.compile(
    r"(?:.{0,200}\b)?(?:exit(?:ed|s)?(?: with)?(?: (?:code|status))?[:=]? ?"
    r"|(?:exit|return)[ _]?code[:=]? ?|exited with |non-zero code: |\bError )(\d{1,3})\.?",
    re.IGNORECASE,
)
_ERROR = re.compile(
    r"(?:error|fatal|ERROR|FATAL|Error|panic|FATAL ERROR|fatal error)(?:\[\w{1,12}\])?: \S.*"
    r"|[A-Za-z_][\w.]{0,120}(?:Error|Exception|Interrupt)\b(?:: .*)?"
    r"|thread '[^']{0,80}' panicked at .*|Segmentation fault.*|.{0,200}: command not found|Killed"
    r"|Command failed.*"
)


def _answers(command: str, exit_code: int) -> bool:
    """Return True if an exit code is the command's answer ("no", "there are some")."""
    words = command.split()[:2]
    quiet = str(read("counts")["answers"].get(str(exit_code), "")).split()
    return any("_".join(words[:length]) in quiet for length in (1, 2))


def _ended(
    name: str,
    about: tuple[str, ...],
    lines: Sequence[str],
    exit_code: int | None,
    command: str,
    found: Sequence[Run],
) -> Iterator[Run]:
    """Yield how the command ended, where no tool said so itself."""
    spoken = [(at, line) for at, line in enumerate(lines) if line]
    if exit_code is None and spoken:
        last = _CODE.fullmatch(spoken[-1][1])
        exit_code = int(last[1]) if last else None
    if exit_code is not None:
        if _answers(command, exit_code) or any(run.failed for run in found):
            return
        if exit_code != 0 or not found:
            line = spoken[-1][1] if spoken else ""
            shown = f"exit code {exit_code}" + (f": {line}" if line and exit_code else "")
            at = spoken[-1][0] if spoken else 0
            yield Run(name, about, exit_code != 0, shown, at=at)
        return
    newest = max((run.at for run in found), default=-1)
    errors = [row for row in spoken[-TAIL:] if row[0] > newest and _ERROR.fullmatch(row[1])]
    for at, line in errors[-1:]:
        yield Run(name, about, True, line, at=at)
