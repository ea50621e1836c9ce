"""Chooses, out of all that was printed, the lines that say what failed.

Rule of this module: readers are asked in order, the first that recognises its kind of output
answers. A Python traceback says it last, JavaScript, Java and compilers first, test runners in
the middle. What no reader knows, in whatever human language, keeps its first lines that are not
noise.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from reflection_mcp.tools.identity.frames import Stack, is_foreign, location_of, stack_of
from reflection_mcp.tools.identity.noise import is_hint, is_noise, is_trailer
from reflection_mcp.tools.identity.rule import compiled

MOST_LINES = 8
MOST_CONTEXT = 6


class Verdict(NamedTuple):
    """The chosen lines as printed, where it happened, and notes that may tell two apart."""

    lines: list[str]
    location: str | None = None
    context: Sequence[str] = ()


class Text(NamedTuple):
    """Cleaned lines together with what is known of each.

    `spoken` holds for each line whether it is message: no frame, no trailer, no noise; `hinted`
    whether it is advice or goes on with it.
    """

    lines: Sequence[str]
    stack: Stack
    spoken: Sequence[bool]
    hinted: Sequence[bool]


_TYPE = (
    r"(?:[A-Za-z_][\w$]{0,80}(?:\.|::|\\)){0,10}[A-Z][\w$]{0,80}(?:Error|Exception|Warning|Exit|Interrupt|Timeout|"
    r"Iteration|Violation|NotFound|Undefined\w{0,20}|Duplicate\w{0,20}|Fault|Failure|Refused|Denied|Rejection|"
    r"ExceptionGroup|DoesNotExist)"
)
EXCEPTION = (
    r"(?:E[ \t]{1,20})?\[?(?:Uncaught (?:\(in promise\):? ?)?|Unhandled[^:.\n]{0,60}[:.] |"
    r"Exception in thread \"?[^\"\n]{0,120}?\"? |PHP Fatal error: {1,2}Uncaught |"
    r"(?:\[cause\]|Caused by|nested exception is|panic|Fatal error|[Ee]rror|ERROR|Exception)[: ]{1,3})?"
    r"(?:" + _TYPE + r"|Error|panic|fatal error)"
    r"\b(?: \[\w{1,60}\])?(?: \(.{1,300}\))?(?::[ \t]*.*|[ \t]*)$"
)
_CAUSE = r"[ \t]*(?:Caused by|\[cause\])"
_ERROR_LIKE = (
    r"(?i)\berror\b|\bERR!|\bfatal\b|^panic|^E[ \t]{2}|\bfail(?:ed|ure|s)?\b|exception|denied|cannot|can't|can not|"
    r"could ?n[o']t|not found|no such|unknown|invalid|unable|undefined|unresolved|unsupported|must|conflict|refus|"
    r"reject|timed? ?out|killed|abort|overflow|already|missing|required|expected|does(?: not|n't)|did(?: not|n't)|"
    r"is not|isn't|are not|mismatch|unbound|segmentation|\u2716|\u00d7|\u2718|no rule|usage:|unexpected|incompatible|"
    r"not a\b|forbidden|unauthorized|TS\d{4}|E\d{4}|panicked|terminate called|what\(\)|throw|too many|"
    r"out of (?:range|bounds|memory)|deadlock|warning:|no space|corrupt|unreachable|not supported|not allowed|"
    r"exceed|exhaust|insufficient|malformed|violat|illegal|lost|exited|crash|duplicate|\bno [a-z]|requires?\b|expired|problem|wrong|\bbad\b|^curl: |null\b|never|"
    r"fehler|nicht|kein|erreur|impossible|aucun|introuvable|ung\u00fcltig|errore|non \w|fall[o\u00f3]|no se |no existe|"
    r"n\u00e3o |\u043e\u0448\u0438\u0431|\u043d\u0435 |\u043d\u0435\u0442 |[\u9519\u932f][\u8bef\u8aa4]|[\u65e0\u7121][\u6cd5\u6548]|\u672a|\u4e0d|"
    r"[\u5931\u5931][\u8d25\u6557]|\u627e\u4e0d|\u30a8\u30e9\u30fc|\u307e\u305b\u3093|\uc624\ub958|\uc5c6|\uc2e4\ud328|\u0e44\u0e21\u0e48|\u0e1c\u0e34\u0e14"
)
_GUTTER = r"[ \t]*>?[ \t]*(?:\d{1,7}[ \t]*[|\u2502](?:[ \t]|$)|[|\u2502](?:[ \t]{2}|$))"
_CODE_LINE = r"[ \t]{4,}\S.*[;{}]$|\d{1,7} {1,3}\S"
_MARKERS = r"[ \t]*(?:\d{1,7}[ \t]*)?\|?[ \t]*[|_ \t]{0,200}[\^~+-]{1,400}[ \t|]{0,200}$"
_FAILED = r"(?i)\*\*\*.*\berror\b|exit(?:ed)?\b.*[1-9]|core dumped"
_RULE_LINE = r"[-=_*~^+#. \t]{3,}$"


def _reading(lines: Sequence[str]) -> Text:
    stack = stack_of(lines)
    spoken = [
        at not in stack.lines
        and bool(stripped := line.strip())
        and not is_noise(line)
        and not is_trailer(stripped)
        for at, line in enumerate(lines)
    ]
    hinted: list[bool] = []
    going_on = False
    for line in lines:
        going_on = bool(line.strip()) and (
            is_hint(line) or (going_on and not compiled(_ERROR_LIKE).search(line))
        )
        hinted.append(going_on)
        going_on = going_on and not line.endswith((".", "!", "?"))
    return Text(lines, stack, spoken, hinted)


_DETAIL_ENDS = (
    r"[ \t]*(?:\.\.\. \d{1,5} (?:more|common)|['\"]?(?:errno|syscall|address|code|port|path|filename|dest)['\"]?:|"
    r"[{}\]]|LINE \d|Emitted '|    at )"
)


def _message_below(text: Text, at: int, heads: Sequence[int]) -> list[str]:
    """An exception's line and the lines of its message that follow."""
    found = [text.lines[at]]
    for below in range(at + 1, min(at + 7, len(text.lines))):
        line = text.lines[below]
        if (
            not line.strip()
            or below in text.stack.lines
            or below in heads
            or compiled(_DETAIL_ENDS).match(line)
        ):
            break
        if text.spoken[below] and not text.hinted[below] and not compiled(_MARKERS).match(line):
            found.append(line)
    return found


def _exceptions(text: Text) -> list[str]:
    """A traceback: the last exception in Python, the first and its root cause elsewhere."""
    python = text.stack.language == "python" or any(
        "Traceback (most recent call last)" in line for line in text.lines
    )
    if not text.stack.frames and not python:
        return []
    heads = [
        at
        for at, line in enumerate(text.lines)
        if text.spoken[at] and compiled(EXCEPTION).match(line.strip())
    ]
    if not heads:
        return []
    causes = [at for at in heads[1:] if compiled(_CAUSE).match(text.lines[at])]
    chosen = heads[-1:] if python else heads[:1] + causes[-1:]
    return [line for at in chosen for line in _message_below(text, at, heads)]


def _rust_panic(text: Text) -> list[str]:
    for at, line in enumerate(text.lines):
        if "panicked at" not in line:
            continue
        old = compiled(r".*panicked at '(.{0,800})', \S{1,400}:\d{1,7}:\d{1,7}$").match(line)
        if old:
            return [f"panicked: {old[1]}"]
        below = [
            text.lines[number]
            for number in range(at + 1, min(at + 4, len(text.lines)))
            if text.spoken[number] and not text.hinted[number]
        ]
        return [f"panicked: {below[0]}", *below[1:]] if below else [line]
    return []


def _pytest(text: Text) -> list[str]:
    said = [
        line.strip()[1:].strip()
        for at, line in enumerate(text.lines)
        if text.spoken[at] and compiled(r"[ \t]*E[ \t]{2,}\S").match(line)
    ]
    if said and not compiled(EXCEPTION).match(said[0]):
        ends = (compiled(_TEST_FILE).match(line) for line in reversed(text.lines))
        said[:0] = next(([found[2]] for found in ends if found), [])
    return said[:6]


def _rust_compiler(text: Text) -> list[str]:
    head = compiled(r"error(?:\[E\d{4}\])?: ")
    start = next((at for at, line in enumerate(text.lines) if head.match(line.strip())), None)
    if start is None or not any("-->" in line for line in text.lines):
        return []
    found = [text.lines[start]]
    for line in text.lines[start + 1 :]:
        if compiled(r"(?:error|warning)(?:\[|:)|(?:note|help):").match(line.strip()):
            break
        caret = compiled(_CARET_LABEL).match(line)
        label = caret or compiled(r"[ \t]*\|[ \t|_]{0,200}([a-z'][^;{}\n]*)$").match(line)
        if label and len(found) < 6:
            found.append(label[1])
    return found


_CARET_LABEL = r"[ \t]*(?:\d{1,7}[ \t]*)?\|?[ \t]*[|_ \t~+-]{0,200}\^[\^~_ |+-]{0,400}[ \t|]{0,200}([A-Za-z'\"&].*)$"
_GO_TEST = r"[ \t]*--- FAIL: \S|[ \t]{4,}\S{1,200}_test\.go:\d{1,7}: \S"


def _go_test(text: Text) -> list[str]:
    if not any(line.lstrip().startswith("--- FAIL: ") for line in text.lines):
        return []
    return sorted(
        (line for line in text.lines if compiled(_GO_TEST).match(line)),
        key=lambda line: "--- FAIL" not in line,
    )


_NPM_ASIDE = (
    r"(?i)\b(?:while resolving|found:|from the root project|node_modules/|path [/\\a-z]|"
    r"npm (?:err!|error)[ \t]+(?:this command|to accept|fix the upstream|or retry|this is|404[ \t]+(?:note|tarball)))"
)


def _npm(text: Text) -> list[str]:
    voice = compiled(r"(?i)[ \t]*npm (?:err!|error)(?:[ \t]|$)").match
    return [
        line
        for at, line in enumerate(text.lines)
        if voice(line)
        and text.spoken[at]
        and len(line.split()) > 2
        and not compiled(_NPM_ASIDE).search(line)
    ]


def _plain(text: Text, at: int) -> bool:
    """Whether a line is message rather than source code or a marker under it."""
    line = text.lines[at]
    return (
        text.spoken[at]
        and not compiled(_GUTTER).match(line)
        and not compiled(_CODE_LINE).match(line)
        and not compiled(_MARKERS).match(line)
        and not compiled(_RULE_LINE).match(line)
    )


def _with_details(text: Text, at: int) -> list[str]:
    """A diagnostic and the indented lines right below it."""
    end = at + 1
    while end < min(at + 4, len(text.lines)) and text.lines[end][:2] == "  " and _plain(text, end):
        end += 1
    return list(text.lines[at:end])


def _diagnostics(text: Text) -> list[str]:
    """Anything that sounds like an error; the detail under one or two of them belongs to them."""
    error_like = compiled(_ERROR_LIKE).search
    heads = [
        at
        for at, line in enumerate(text.lines)
        if text.spoken[at] and error_like(line) and _plain(text, at) and not text.hinted[at]
    ]
    typescript = [at for at in heads if compiled(r"\bTS\d{4}\b").search(text.lines[at])]
    if typescript:
        return [line for at in typescript[:3] for line in _with_details(text, at)]
    if len(heads) > 2:
        return [text.lines[at] for at in heads]
    chosen: list[int] = []
    for head in heads:
        chosen.append(head)
        for below in range(head + 1, min(head + 4, len(text.lines))):
            if below in heads or (not text.lines[below].strip() and below > head + 1):
                break
            if _plain(text, below) and not text.hinted[below]:
                chosen.append(below)
    return [text.lines[at] for at in chosen[:4]]


def _opening(text: Text) -> list[str]:
    """The first lines that are neither noise nor source code."""
    plain = [at for at in range(len(text.lines)) if _plain(text, at)]
    firm = [text.lines[at] for at in plain if not text.hinted[at]]
    if not any(compiled(_ERROR_LIKE).search(line) for line in firm):
        last = [
            line
            for line in text.lines
            if is_trailer(line.strip()) and compiled(_FAILED).search(line)
        ]
        firm = last[:3] or firm
    told = [text.lines[at] for at in plain]
    return (firm or told or [line for line in text.lines if line.strip()])[:6]


def _jest(text: Text) -> list[str]:
    """The title of a failing test and what was expected of it."""
    for at, line in enumerate(text.lines):
        if not compiled(r"[ \t]*\u25cf \S").match(line):
            continue
        found = [line]
        for below in range(at + 1, min(at + 12, len(text.lines))):
            said = text.lines[below]
            if below in text.stack.lines or compiled(_GUTTER).match(said):
                break
            if _plain(text, below) and not text.hinted[below]:
                found.append(said)
        return found[:6] if len(found) > 1 else []
    return []


READERS: tuple[Callable[[Text], list[str]], ...] = (
    _exceptions, _rust_panic, _pytest, _go_test, _jest, _npm, _rust_compiler, _diagnostics, _opening,
)  # fmt: skip

_TEST_TITLE = r"_{3,} (.{1,200}) _{3,}$"
_TEST_FUNCTION = r"[ \t]*(?:async )?def (test_\w{1,120})\("
_TEST_FILE = r"(?:\S{0,400}[/\\])?([^\s/\\:]{1,120}):\d{1,7}: ([A-Z][\w.]{2,80})$"
_IN_FUNCTION = r"(\S{1,300}\.\w{1,4}): [^'\":\n]{2,60} '([^'\n]{1,200})':?$"
_AT_PLACE = (
    r"(?:[ \t]*--> |ERROR in |file://)?(?:[^\s:]{0,400}[/\\])?([^\s/\\:]{1,120}\.[a-zA-Z]\w{0,9})"
    r"(?:[: ]\d{1,7}(?:[:-]\d{1,7}){0,3}:?|(?<=[a-z]))$"
)
_PANIC_PLACE = (
    r"panicked at (?:'.{0,800}', )?(?:\S{0,400}[/\\])?([^\s/\\:]{1,120}):\d{1,7}:\d{1,7}:?$"
)


def _place(text: Text, reader: Callable[[Text], list[str]]) -> str | None:
    """Where it happened, for output that says so without a stack."""
    for line in text.lines:
        if reader is _pytest:
            found = compiled(_TEST_TITLE).match(line) or compiled(_TEST_FUNCTION).match(line)
            if found:
                name = found[1].rsplit(" of ", 1)[-1].replace("ERROR at setup of ", "")
                files = (compiled(_TEST_FILE).match(below) for below in reversed(text.lines))
                file = next((found[1] for found in files if found), "")
                return f"{file}:{name}".casefold()
        elif reader is _rust_panic:
            found = compiled(_PANIC_PLACE).search(line)
            if found:
                return f"{found[1]}:".casefold()
        elif compiled(_AT_PLACE).match(line):
            found = compiled(_AT_PLACE).match(line)
            if found and not is_foreign(line):
                return f"{found[1]}:".casefold()
        elif line.endswith(("':", "'")):
            found = compiled(_IN_FUNCTION).match(line)
            if found and not compiled(_ERROR_LIKE).search(line):
                return f"{found[1]}:{found[2]}".replace("\\", "/").rsplit("/", 1)[-1].casefold()
    return None


def _notes(text: Text) -> list[str]:
    """What a compiler adds to its message and what may differ between two look-alikes."""
    note = compiled(r"[ \t]*= (?:note|help): (?!.{0,40}(?:run with|for more|cargo )).{3,}$").match
    found: list[str] = []
    for line in text.lines:
        if note(line):
            found.append(line.strip(" ="))
        elif found and compiled(r"[ \t]{10,}[^\s|].*$").match(line):
            found.append(line)
    return found[:MOST_CONTEXT]


def _advice(text: Text) -> list[str]:
    """Advice that names something: of two look-alikes it may name different things."""
    return [
        line.strip()
        for at, line in enumerate(text.lines)
        if text.hinted[at]
        and compiled(r"['\"][\w.@/-]{3,60}['\"]").search(line)
        and "://" not in line
    ][:3]


def _root(text: Text, found: Sequence[str]) -> list[str]:
    """The first exception of a chain, when the verdict is the last."""
    if text.stack.language != "python":
        return []
    for at, line in enumerate(text.lines):
        if text.spoken[at] and compiled(EXCEPTION).match(line.strip()):
            return [] if line in found else [f"Caused by: {line.strip()}"]
    return []


def verdict_of(lines: Sequence[str]) -> Verdict:
    """The lines that say what failed, and where."""
    text = _reading(lines)
    for reader in READERS:
        found = reader(text)
        if found:
            location = None if reader is _rust_panic else location_of(text.stack)
            notes = _notes(text) if reader is _rust_compiler else _root(text, found)
            context = [*notes, *_advice(text)]
            return Verdict(found[:MOST_LINES], location or _place(text, reader), context)
    return Verdict([])
