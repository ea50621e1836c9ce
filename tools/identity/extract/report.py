"""What a text says went wrong: statements with what belongs to each, the headline, the location.

Rule of this module: the headline is the strongest error line; what is indented below it, or below a
line that ends in a colon or names a count, belongs to it. All other lines may contradict another
error; they need never be present.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from reflection_mcp.tools.identity.extract.frames import frames_of, place_of
from reflection_mcp.tools.identity.extract.location import location, unplaced
from reflection_mcp.tools.identity.extract.roles import (
    ADVICE,
    CONSEQUENCE,
    MARKED,
    NOTHING,
    PLAIN,
    THROWN,
    WORDED,
    is_code,
    is_generic,
    strength_of,
    type_of,
)
from reflection_mcp.tools.identity.mask.line import masked
from reflection_mcp.tools.identity.mask.numbers import DATA
from reflection_mcp.tools.identity.regex import compiled, has_digit

MOST_STATEMENTS = 20
MOST_DETAILS = 12
_NEAR_ABOVE, _NEAR_BELOW = 2, 6
_LEAST_NOTE = 3
_MOST_PLAIN = 6
_TITLE = 6
"""So few words of an error are a title: the sentence below it says what failed."""
_COUNTS = r"(?i)(?:\b\d+|<\*>) (?:validation )?(?:error|problem|failure|issue)s?\b.{0,80}$|:$"
"""A line that leaves it to the next one to say what."""
_CARET = r"\s*(?:\d+\s*)?\|?[|\s_]*[\^~\-+]+[\s|]*(?P<label>[A-Za-z'\"&].*)?$"
_UNDERLINE = r"\s*(?:\d* ?\|)?\s*[\^~]+[\s^~]*$"
_GUTTER = r"\s*(?:>\s*)?(?:\d+\s*)?\||\s*-->|\d+ {1,3}\S.*|-{2,}> \d+ |\s+\d+ \S|>\s{3,}\S"
_GUTTER_MARK = r"^[\s>]*\d*\s*\|?\s?"
SOURCE = -3
"""Source code that a tool shows below its message."""
_NPM = r"(?i)npm (?:err!|error)\s?"
_TOOL = r"[\w-]{2,20} ERR! (?:stack )?"
_NPM_FACTS = (
    r"(?i)(?:while resolving|found:|node_modules/|path /|.*from the root project"
    r"|conflicting peer|.*dev .* from|\S+@\S+ (?:node_modules|from )|code e|errno "
    r"|syscall |argv |(?:linux|darwin|windows_nt) \d|at (?:async )?\S+ ?[(:]|at <anonymous>)"
)
_RUSTC_NOTE = r"^\s*= note: (?=\S{1,200}: )"
"""In front of what the linker says."""
_NATIVE_FRAME = r"\d{1,3}: (?:0x)?[0-9a-fA-F]{6,16}(?: |$)"
_PYTEST = r"E\s{1,8}"
_SUMMARY = r"(?:FAILED|ERROR) \S+(?:::\S+)?(?: - )?"
_PROPERTY = r"\s+(?!(?i:\w*error|fatal|\w*exception|caused by)\b)[\w$]+: (?!error|fatal)"
_SOURCE_PORT = r"(?:port\W{1,3}|['\"], ?)(\d{4,5})\b"
_VALUE = r"[-+]?[\w.]+"
_MOST_VALUES = 12
_BARE = frozenset(
    ("assert", "false", "true", "none", "error", "exception", "assertion", "failed", "expected")
)
_FILE_WORD = r"[\w./+-]*\w\.[a-z]{1,6}:?"


@dataclass(slots=True)
class Statement:
    """One line that says something: canonical text, strength, type, what belongs to it.

    `raw` is the line and `below` the first that belongs to it, both as they were printed.
    """

    text: str
    strength: int
    type: str = ""
    details: list[str] = field(default_factory=list[str])
    line: int = 0
    raw: str = ""
    below: str = ""


@dataclass(frozen=True, slots=True)
class Report:
    """What a text says went wrong; `headline` is the index of a statement, `values` are the data of
    it, in their order.
    """

    statements: tuple[Statement, ...]
    headline: int
    place: str | None
    notes: tuple[str, ...] = ()
    ports: tuple[str, ...] = ()
    values: tuple[str, ...] = ()


def _read(lines: Sequence[str], at: int, line: str) -> tuple[str, int]:
    """One line without the mark of its tool, and how strongly it tells of an error."""
    body = line.strip()
    if body[:3].casefold() == "npm" and (match := compiled(_NPM).match(line)):
        rest = line[match.end() :]
        if len(rest.split()) < 2 or compiled(_NPM_FACTS).match(rest.strip()):
            return rest, NOTHING
        strength = strength_of(rest)
        return rest, strength if strength in (NOTHING, ADVICE, CONSEQUENCE) else max(
            MARKED, strength
        )
    if "RR! " in line[:24] and (match := compiled(_TOOL).match(line)):
        rest = line[match.end() :]
        strength = strength_of(rest)
        return rest, NOTHING if strength == PLAIN else strength
    if (
        line[0] == "E"
        and (match := compiled(_PYTEST).match(line))
        and not line.startswith("E " * 2)
        and len(line) > 3
        and line[1] == " "
    ):
        rest = line[match.end() :]
        return rest, max(strength_of(rest), MARKED)
    if (
        line.startswith(("FAILED ", "ERROR "))
        and (match := compiled(_SUMMARY).match(line))
        and ("::" in match[0] or ".py" in match[0])
    ):
        rest = line[match.end() :]
        return rest, max(strength_of(rest), WORDED) if rest.strip() else NOTHING
    rest = compiled(_RUSTC_NOTE).sub("", line, count=1) if body[0] == "=" else line
    if rest != line and strength_of(rest) >= WORDED:
        return rest, WORDED
    if not any(map(str.isalpha, body)) or compiled(_NATIVE_FRAME).match(body):
        return line, NOTHING
    follower = lines[at + 1] if at + 1 < len(lines) else ""
    if (
        (body[0] in "|>-" or body[0].isdigit())
        and compiled(_GUTTER).match(line)
        and strength_of(body) < MARKED
    ):
        return (compiled(_GUTTER_MARK).sub("", line), SOURCE) if body[0] == ">" else (line, NOTHING)
    if (
        ("^" in follower or "~" in follower)
        and compiled(_UNDERLINE).match(follower)
        and "rror" not in line
    ):
        return line, SOURCE
    if "^" in line and compiled(_CARET).match(line):
        return line, NOTHING
    strength = strength_of(line)
    if line[0] == " " and strength in (WORDED, PLAIN) and is_code(line):
        return line, NOTHING
    announces = strength in (WORDED, MARKED) and body[-1] == ":" and len(body) < 80
    if announces and (not follower.strip() or strength_of(follower) >= MARKED):
        return line, CONSEQUENCE
    return line, strength


def _statements(
    lines: Sequence[str], taken: set[int], behind: dict[int, str], aside: list[tuple[int, str]]
) -> list[Statement]:
    out: list[Statement] = []
    seen: set[str] = set()
    last = advised = -9
    for at, original in enumerate(lines):
        line = behind.get(at, original)
        if not line.strip():
            continue
        if at in taken and at not in behind:
            continue
        content, strength = _read(lines, at, line)
        if strength == NOTHING and "^" in line and (not out or out[-1].strength < WORDED):
            label = compiled(_CARET).match(line)
            if label and label["label"] and label["label"].count(" ") > 1:
                content, strength = label["label"], WORDED
        if strength == NOTHING:
            continue
        if strength in (ADVICE, SOURCE):
            aside.append((at, content))
            advised = at if strength == ADVICE and content.rstrip().endswith(":") else -9
            continue
        if at - advised == 1 and line[0] == " ":
            advised = at
            continue
        indented = content[:1] == " "
        free = sum(other not in taken for other in range(last, at)) if at - last < 40 else 99
        belongs = (
            out
            and free <= 3
            and (indented or compiled(_COUNTS).search(lines[last].strip()) is not None)
        )
        weaker = strength <= WORDED or compiled(_PROPERTY).match(line) is not None
        if strength == CONSEQUENCE and not indented:
            weaker = False  # the last words of a runner belong to no error above them
        form = masked(unplaced(content.strip())[1])
        if not form or form in seen:
            continue
        if (
            belongs
            and out[-1].strength == THROWN
            and out[-1].text.endswith(":")
            and not out[-1].details
        ):
            out[-1].text = f"{out[-1].text} {form}"
            out[-1].below = content
            seen.add(form)
            last = at
            continue
        titled = (
            out
            and at - last <= 2
            and out[-1].strength >= MARKED
            and not out[-1].details
            and len(out[-1].text.split()) <= _TITLE
            and strength in (WORDED, PLAIN)
            and content[:1].isupper()
            and line.count(" ") > 3
        )
        if titled or (
            belongs
            and weaker
            and (out[-1].strength >= WORDED or (indented and strength <= PLAIN == out[-1].strength))
        ):
            if len(out[-1].details) < MOST_DETAILS:
                out[-1].below = out[-1].below or content
                out[-1].details.append(form)
            seen.add(form)
            last = at
            continue
        if strength in (MARKED, WORDED) and (
            is_generic(form.replace(DATA, ""), form.replace(DATA, ""))
            or (form.endswith(":") and _announces(form))
        ):
            strength = CONSEQUENCE
        if (
            belongs
            and out[-1].strength == CONSEQUENCE
            and strength == PLAIN
            and (indented or out[-1].text.endswith(":"))
        ):
            strength = WORDED
        kind = type_of(content.strip())[0] if strength == THROWN else ""
        out.append(Statement(form, strength, kind, [], at, content))
        seen.add(form)
        last = at
        if len(out) >= 3 * MOST_STATEMENTS:
            break
    return out


def _announces(form: str) -> bool:
    """Whether a line that ends in a colon says nothing besides a file and that something failed."""
    words = [
        word for word in form.split() if not compiled(_FILE_WORD).fullmatch(word) and word != DATA
    ]
    rest = " ".join(words)
    return len(words) < 8 and is_generic(rest, rest)


def _headline(statements: Sequence[Statement], last: bool) -> int:
    """The first of the strongest; in a traceback of Python the last, which was not caught."""
    best = max(one.strength for one in statements)
    strongest = [at for at, one in enumerate(statements) if one.strength == best]
    return strongest[-1] if last and best == THROWN else strongest[0]


def report_of(lines: Sequence[str]) -> Report:
    """What the lines of a machine say went wrong."""
    frames, taken, behind = frames_of(lines)
    aside: list[tuple[int, str]] = []
    found = _statements(lines, taken, behind, aside)
    strong = [one.line for one in found if one.strength >= WORDED]
    notes: tuple[str, ...] = ()
    if strong:
        near = [
            one.text
            for one in found
            if one.strength == PLAIN
            and one.text.count(" ") >= _LEAST_NOTE - 1
            and any(-_NEAR_ABOVE <= one.line - other <= _NEAR_BELOW for other in strong)
        ]
        for at, line in aside[:40]:
            if any(-_NEAR_ABOVE <= at - other <= _NEAR_BELOW for other in strong):
                near.append(masked(line.strip()))
        notes = tuple(dict.fromkeys(note for note in near if note.count(" ") > 0))[:MOST_STATEMENTS]
        found = [one for one in found if one.strength != PLAIN]
    elif any(one.strength == PLAIN for one in found):
        found = [one for one in found if one.strength == PLAIN][:_MOST_PLAIN] + [
            one for one in found if one.strength == CONSEQUENCE
        ][:_MOST_PLAIN]
    if not found:
        rest = [(at, line) for at, line in enumerate(lines) if line.strip() and at not in taken]
        rest = rest or [(at, line) for at, line in enumerate(lines) if line.strip()]
        forms = {masked(line.strip()): (at, line) for at, line in rest[:60]}
        found = [
            Statement(form, PLAIN, line=at, raw=line) for form, (at, line) in forms.items() if form
        ]
        found = found[:_MOST_PLAIN]
    if not found:
        return Report((), 0, place_of(frames))
    python = any(frame.kind == "python" for frame in frames) or any(
        "Traceback (most" in line for line in lines
    )
    top = _headline(found, python)
    source = _source_of(lines, taken, aside, found[top]) if _is_bare(found[top].text) else ""
    if source:
        found[top].details.append(masked(source))
    if top >= MOST_STATEMENTS:
        found = [found[top], *found[: MOST_STATEMENTS - 1]]
        top = 0
    return Report(
        tuple(found[:MOST_STATEMENTS]),
        top,
        location(lines, frames, found[top].line, found[top].raw),
        notes,
        _ports(lines, taken),
        tuple(filter(has_digit, compiled(_VALUE).findall(found[top].raw)))[:_MOST_VALUES],
    )


def _is_bare(text: str) -> bool:
    """Whether a headline names a type, or an assertion, and nothing else."""
    rest = text.rpartition(":")[2].split()
    return len(text.split()) < 4 and all(
        word in _BARE or word.endswith(("error", "exception")) for word in rest
    )


def _source_of(
    lines: Sequence[str], taken: set[int], aside: Sequence[tuple[int, str]], top: Statement
) -> str:
    """The line of source that raised a bare error: below its frame, or marked by the runner."""
    marked = [line for at, line in aside if -12 < at - top.line < 4 and strength_of(line) != ADVICE]
    if marked:
        return marked[-1].strip()
    below = [
        lines[at].strip()
        for at in sorted(taken)
        if at < top.line
        and lines[at][:1] == " "
        and not lines[at].lstrip().startswith(("File ", "at ", "^", "~"))
    ]
    return below[-1] if below else ""


def _ports(lines: Sequence[str], taken: set[int]) -> tuple[str, ...]:
    """The ports that source lines of a traceback name."""
    found = [
        port
        for at in sorted(taken)
        if "File" not in lines[at]
        for port in compiled(_SOURCE_PORT).findall(lines[at])
    ]
    return tuple(dict.fromkeys(found))[:4]
