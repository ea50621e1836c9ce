"""Stack frames: which lines are frames, and the file and function that each names.

Rule of this module: a frame never belongs to a message. Line numbers, addresses and arguments are
left out.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from reflection_mcp.tools.identity.regex import compiled

_PYTHON = r'\s*File "([^"]+)", line \d+(?:, in (.+?))?\s*$'
_IPYTHON = (
    r"(?:File )?(\S+\.py|[~/\\A-Z][^\s(]*\.py|<ipython-input-[^>]+>"
    r"|Cell In\[?\s?\[?\d+\]?)(?::\d+)?,?(?: in (?:<(?:cell line: )?\w+>"
    r"|([\w.<>]+)\s?\(.*\)))$"
)
_JAVA = r"\s*at (?:[\w.@-]+/{1,2})*([\w$.<>]+)\.([\w$<>]+)\(([\w.$ ]+)(?::\d+)?\)(?: ~?\[.*\])?\s*$"
_JAVASCRIPT = (
    r"\s*at (?:async )?(?:(?:new )?([\w$.<>\[\] #]{1,120}?) (?:\[as [\w.$]+\] )?\()?(["
    r"^()]+?)(?::\d+)?(?::\d+)?\)?\s*,?$"
)
_GECKO = r"([\w$./<]*|[^@]*(?=@(?:https?|file):))@(\S+?):\d+(?::\d+)?$"
_RUNNER = r"(\S+\.py):\d+: (?:in (\w+)|\w*(?:Error|Exception|Failed|Exit)\b.*)?$"
_DOTNET = r"\s*at ([\w.<>`+]+)\.([\w<>`|]+)(?:\[\w+\])?\([^)]*\)(?: in (\S+?):line \d+)?\s*$"
_RUBY = r"\s*(?:from |# |\d+: from )?(\S+\.rb):\d+:in [`'](?:.*[#.])?([^'`]+)'"
_PHP = r"\s*#\d+ (\S+\.php)(?:\(\d+\)|:\d+): ?(?:.*(?:->|::))?(\w+)?\(?"
_GO = r"((?:[\w.\-]+/)*[\w.\-]+\.(?:\(\*?\w+\)\.)?[\w.\u00b7]+)\(.*\)$"
_NATIVE = (
    r"\s*#\d+:?\s+(?:0x[0-9a-fA-F]+\s+)?(?:in\s+)?([\w:~<>$.@]+)(?:\s?\([^)]*\))?(?:\s"
    r"(?:\S*/)?([\w.+-]+)(?::\d+)*)?.*$"
)
_VALGRIND = (
    r"(?:==\d+==)?\s+(?:at|by) 0x[0-9A-Fa-f]+: ([\w:~<>]+)(?:\([^)]*\))? \((?:in )?(?:"
    r"\S*/)?([\w.+-]+)(?::\d+)?\)$"
)
_RUST = r"\s*\d+:\s+(?:0x[0-9a-f]+ - )?([\w:<>{}# ]+)$"
_LUA = r"\s+(?:\S+\.lua:\d+|\[C\]): in .*$"
_CMAKE = r"\s*\S+:\d+ \(\w+\)$"
_DART = r"#\d+\s+([\w.<> ]+) \(([\w:./-]+?)(?::\d+)*\)$"
_LIBRARY = (
    r"site-packages|dist-packages|[\\/]lib[\\/]python\d|[\\/]Lib[\\/]|node_modules"
    r"|node:|^internal[/\\]|"
    r"^(?:java|javax|jdk|sun|kotlin|kotlinx|scala|reactor|io\.netty|org\.(?:junit"
    r"|opentest4j|springframework|apache|hibernate|gradle|jetbrains|codehaus)"
    r"|com\.(?:fasterxml|zaxxer|google|sun)|System|Microsoft|Npgsql|Xunit|NUnit|android"
    r"|androidx|dart|package:flutter)[.:/]|"
    r"^runtime[./]|/rustc/|<frozen|<anonymous>|native code|^net\.js|^events\.js"
    r"|/usr/local/go|importlib|/gems/|/vendor/|/ruby/\d|^std::|^core::|^alloc::"
    r"|^rust_begin|^__|^_start"
    r"|(?:^|/)(?:react|react-dom|vue|zone|core|vendor|polyfills|jquery)(?:[.-][\w.-]*)?\.js"
)
_NAMELESS = r"<|anonymous|top-level|block |eval$|\{closure|\{main\}"
"""What a runtime calls a function without a name."""
_TITLES = (
    ("::", r"(?:FAILED|ERROR) (?P<file>[^\s:]+)::(?P<title>\S+)"),
    ("---- ", r"---- (?P<title>\S+) stdout ----$"),
    ("__ ", r"_{3,} (?:ERROR at \w+ of )?(?P<title>[\w.\[\]-]+?) _{3,}$"),
    ("--- FAIL", r"\s*--- FAIL: (?P<title>\S+)"),
    (": ", r"(?:FAIL|ERROR): (?P<title>\w+) \([\w.]+\)"),
    ("\u25cf", r"\s*\u25cf (?!Console|Test suite)(?P<title>.+\S)$"),
    ("not ok", r"not ok \d+ -? ?(?P<title>.+)$"),
    (") ", r"\s*\d+\) (?!\w+:$)(?P<title>\S.{2,200})$"),
    ("#", r"(?P<title>\w+#\w+) \[(?P<file>[\w./-]+\.\w+):\d+\]:?"),
    (" FAILED", r"(?P<title>\w+ > \w+)(?:\(.{0,80}\))? FAILED$"),
    ("<<< ", r"(?:\w+\.)*(?P<title>\w+\.\w+)\s.{0,80}<<< (?:FAILURE|ERROR)!"),
    ("\u2717", r"\s*\u2717 (?P<title>.{3,200})$"),
    ("\u2718", r"\s*\u2718 (?P<title>.{3,200})$"),
    ("\u2715", r"\s*\u2715 (?P<title>.{3,200})$"),
    (
        " - ",
        r"\s*\d+ - (?P<title>\S+) \((?:Failed|SEGFAULT|Timeout|Subprocess aborted|Not Run)\)",
    ),
    (" [FAIL]", r".{0,40}\s(?P<title>[\w.]+) \[FAIL\]$"),
    ("FAIL ", r"\s*FAIL\s+(?P<file>\S+\.\w+) > (?P<title>.+)$"),
)
"""What a runner writes in front of a failed test, each with a text that it holds."""
_PYTHON_SOURCE = 3
_ENDS = (
    r"(?:[A-Za-z_][\w.]*\.)?[A-Za-z_]\w*(?:Error|Exception|Warning|Exit|Interrupt)\b"
    r"|\w+(?:\.\w+)*: |During|The above"
)
"""What follows the frames of a traceback that lost its margins."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame: names without folders and lines; `kind` is the runtime, or `title` of a test."""

    file: str
    function: str
    library: bool
    kind: str


def _name(path: str) -> str:
    return path.partition("?")[0].replace("\\", "/").rpartition("/")[2]


def _library(name: str) -> bool:
    return compiled(_LIBRARY).search(name) is not None


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _framed(line: str, body: str, follower: str) -> Frame | None:
    """The frame that a line is, by what it begins with."""
    if body.startswith(("at ", "by 0x", "==")):
        if match := compiled(_VALGRIND).match(line):
            return Frame(
                match[2] if "." in match[2] else "",
                match[1].split("::")[-1],
                ".so" in line,
                "native",
            )
        if match := compiled(_JAVA).match(line):
            return Frame("", f"{match[1].split('.')[-1]}.{match[2]}", _library(match[1]), "java")
        if (match := compiled(_DOTNET).match(line)) and (
            match[3] or ("." in match[1] and not compiled(r":\d").search(line))
        ):
            return Frame("", f"{match[1].split('.')[-1]}.{match[2]}", _library(match[1]), "dotnet")
        if (match := compiled(_JAVASCRIPT).match(line)) and (
            compiled(r":\d+").search(line) or "native" in line or "<anonymous>" in line
        ):
            return Frame(
                _name(match[2]), (match[1] or "").split(".")[-1], _library(match[2]), "javascript"
            )
        return (
            Frame("", "", True, "other")
            if line[0] == " " and line[-1] == ")" and "(" in line
            else None
        )
    if body.startswith("File ") and (match := compiled(_PYTHON).match(line)):
        return Frame(_name(match[1]), match[2] or "", _library(match[1]), "python")
    if ".rb:" in line and (match := compiled(_RUBY).match(line)):
        return Frame(_name(match[1]), match[2], _library(match[1]), "ruby")
    if body[:1] == "#":
        if match := compiled(_PHP).match(line):
            return Frame(_name(match[1]), match[2] or "", _library(match[1]), "php")
        if match := compiled(_DART).match(line):
            return Frame(_name(match[2]), match[1].split(".")[-1], _library(match[2]), "dart")
        if (match := compiled(_NATIVE).match(line)) and (
            " in " in line or "0x" in line or " at " in line or "(" in line
        ):
            return Frame(
                match[2] or "",
                match[1].split("::")[-1],
                _library(match[1]) or ".so" in line,
                "native",
            )
        return None
    if ".py:" in line and (match := compiled(_RUNNER).match(line)):
        return Frame(_name(match[1]), match[2] or "", _library(match[1]), "runner")
    if (
        " in " in line
        and (".py" in line or "<ipython" in line or "Cell In" in line)
        and (match := compiled(_IPYTHON).match(body))
    ):
        return Frame(
            _name(match[1]) if ".py" in match[1] else "",
            match[2] or "",
            _library(match[1]),
            "python",
        )
    if "@" in line and (match := compiled(_GECKO).match(body)):
        return Frame(_name(match[2]), match[1].split("/")[0], _library(match[2]), "javascript")
    if line[-1:] == ")" and ".go:" in follower and (match := compiled(_GO).match(line)):
        return Frame(
            "", match[1].split("/")[-1], _library(match[1]) or "/usr/local/go" in follower, "go"
        )
    if (
        line[-1:] == ")"
        and (".cmake:" in line or "CMakeLists.txt:" in line)
        and compiled(_CMAKE).match(line)
    ):
        return Frame("", "", True, "cmake")
    if (".lua:" in line and compiled(_LUA).match(line)) or body == "[C]: in ?":
        return Frame("", "", True, "lua")
    if (
        body[:1].isdigit()
        and ("::" in body or follower.lstrip().startswith("at "))
        and (match := compiled(_RUST).match(line))
    ):
        return Frame("", match[1].split("::")[-1], _library(match[1]), "rust")
    return None


def title_of(line: str) -> tuple[str, str]:
    """The file and the name of the test that a line says failed; empty if it names none."""
    for needed, pattern in _TITLES:
        match = compiled(pattern).match(line) if needed in line else None
        if match:
            found = match.groupdict()
            title = (
                found["title"]
                .partition("[")[0]
                .strip(" :")
                .casefold()
                .replace("::", ".")
                .replace(" > ", ".")
            )
            return _name(found.get("file") or "").casefold(), title
    return "", ""


def frames_of(lines: Sequence[str]) -> tuple[list[Frame], set[int], dict[int, str]]:
    """The frames of a text, the lines they take, and messages that stand behind a frame."""
    frames: list[Frame] = []
    taken: set[int] = set()
    behind: dict[int, str] = {}
    skip = -1
    for at, line in enumerate(lines):
        if at <= skip or not line:
            continue
        body = line.lstrip()
        follower = lines[at + 1] if at + 1 < len(lines) else ""
        frame = _framed(line, body, follower)
        if frame is None:
            file, title = title_of(line)
            if title:
                frames.append(Frame(file, title, False, "title"))
                if " - " not in line:
                    taken.add(at)
            continue
        frames.append(frame)
        taken.add(at)
        if frame.kind == "ruby":
            end = compiled(_RUBY).match(line)
            rest = line[end.end() :] if end else ""
            if rest.startswith(": "):
                behind[at] = rest[2:]
        elif frame.kind == "python" and body.startswith("File"):
            margin = _indent(line)
            for other in range(at + 1, min(at + 1 + _PYTHON_SOURCE, len(lines))):
                nearby = lines[other]
                if margin == 0 and not nearby.strip() and other == at + 1:
                    continue  # pasted with blank lines between
                if (
                    not nearby.strip()
                    or (_indent(nearby) <= margin and (margin or compiled(_ENDS).match(nearby)))
                    or compiled(_PYTHON).match(nearby)
                ):
                    break
                taken.add(other)
                skip = other
        elif frame.kind in ("go", "rust") and (
            ".go:" in follower or follower.lstrip().startswith("at ")
        ):
            taken.add(at + 1)
            skip = at + 1
    return frames, taken, behind


def place_of(frames: Sequence[Frame]) -> str | None:
    """`file:function` of the innermost frame of the user's own code, or the test that failed."""
    own = [frame for frame in frames if not frame.library and frame.kind != "title"]
    real = [frame for frame in own if not frame.file.startswith("<")] or own
    titles = [frame for frame in frames if frame.kind == "title"]
    title = titles[0].function if titles else ""
    file = next((frame.file for frame in titles if frame.file), "")
    if not real:
        return f"{file}:{title}" if title else None
    frame = real[-1] if real[-1].kind in ("python", "runner") else real[0]
    if title:
        return f"{file or frame.file.casefold()}:{title}"
    if frame.function == "<module>" and frames[-1].library and not frames[-1].file.startswith("<"):
        return None
    nameless = compiled(_NAMELESS).match(frame.function) is not None
    place = f"{frame.file.casefold()}:{'' if nameless else frame.function.casefold()}"
    return place if place != ":" else None
