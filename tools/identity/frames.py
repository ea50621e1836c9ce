"""Stack frames: where it happened, and which lines are not message.

Rule of this module: a frame is a file's base name and a function, never a line number or an
absolute path. The location of an error is the innermost frame of the user's own code: code of the
language, its standard library and installed packages says nothing about whose fault it is.
"""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from reflection_mcp.tools.identity.ports import WELL_KNOWN_PORTS
from reflection_mcp.tools.identity.rule import compiled


class Frame(NamedTuple):
    """One line of a stack: base name of the file, function, and whether it is foreign code."""

    file: str
    function: str
    foreign: bool
    innermost_last: bool = False
    source: str = ""


class Stack(NamedTuple):
    """The frames of a text in the order printed, and the numbers of the lines they take up."""

    frames: tuple[Frame, ...]
    lines: frozenset[int]
    language: str


_FOREIGN = (
    r"site-packages|dist-packages|[\\/]lib[\\/]python\d|node_modules|node:|^internal[/\\]|"
    r"^(?:java|javax|jdk|sun|kotlin|scala|groovy|org\.junit|org\.springframework|"
    r"org\.apache)\.|^runtime[./]|/rustc/|<frozen|<anonymous>|"
    r"native|^(?:net|events|fs|timers|module|child_process)\.js|/usr/local/go|/go/pkg/mod|"
    r"importlib|[\\/]vendor[\\/]|[\\/]gems[\\/]|"
    r"^<(?:string|stdin|module|eval)|\.(?:development|production)(?:\.min)?\.js|\.min\.js|"
    r"(?:^|/)(?:chunk-)?vendors?[\w.~-]*\.js|polyfills[\w.-]*\.js|esm-bundler|"
    r"\.cargo[\\/]registry|^(?:System|Microsoft)\.|/usr/lib|^(?:std|core|alloc|tokio)::|"
    r"^bootstrap_node"
)

_PYTHON = r'[ \t]*(?:E[ \t]+)?File "([^"\n]{1,400})", line \d{1,8}(?:, in (.{1,120}))?$'
_JAVA = (
    r"[ \t]*at (?:[\w.@-]{1,80}//?)?([\w$.<>]{1,300})\.([\w$<>]{1,120})\(([\w.$ -]{1,120})"
    r"(?::\d{1,7})?\)(?: ~?\[[^\]]{0,120}\])?$"
)
_DOTNET = (
    r"[ \t]*(?:at|bei|\u00e0|en|\u5728) ([\w.<>`\[\],+]{1,300})\.([\w<>`|"
    r"\[\]]{1,120})\([^)\n]{0,400}\)(?: (?:in|en|dans|\u4f4d\u7f6e) (.{1,300}?):(?:line|"
    r"Zeile|ligne)? ?\d{1,7})?$"
)
_SCRIPT = (
    r"[ \t]*at (?:async )?(?:(?:new )?([\w$.<>\[\] #]{1,200}?) (?:\[as [\w.]{1,80}\] )?"
    r"\()?([^()\n]{1,400}?)(?::\d{1,7}){0,2}\)?(?: \{)?$"
)
_BROWSER = (
    r"(?:Error created at )?([\w$./<>*\[\]\"' (),:-]{0,200})@([^\s@]{1,400}?):\d{1,7}(?::\d{1,7})?$"
)
_GO = (
    r"((?:[\w.\-]{1,80}/){0,8}[\w.\-]{1,80}\.(?:\(\*?\w{1,80}\)\.)?[\w.\u00b7]{1,120})\(.{0,300}\)$"
)
_RUST = r"[ \t]*\d{1,4}:[ \t]+(?:0x[0-9a-f]{1,16} - )?([\w<>:{}&\[\] ,$.]{1,300})$"
_RUST_AT = r"[ \t]+at (\S{1,400}):\d{1,7}:\d{1,7}$"
_RUBY = (
    r"[ \t]*(?:from )?(?:\d{1,3}: from )?([^\s:]{1,300}\.rb):\d{1,7}"
    r":in ['\"`]([^'\"`\n]{1,120})['\"`](:.{0,400})?$"
)
_PHP = r"#\d{1,3} (?:([^\s(]{1,300})\(\d{1,7}\): (.{1,200})|\{main\})$"
_DART = (
    r"#\d{1,4}[ \t]+(\S.{0,200}?) \((?:package|dart|file|"
    r"org-dartlang-app):(\S{1,300}?):\d{1,7}(?::\d{1,7})?\)$"
)
_ELIXIR = r"[ \t]+\((\w{1,80}) [\d.]{1,20}\) (\S{1,300}):\d{1,7}: (.{1,200})$"
_LUA = (
    r"[ \t]+([^\s:]{1,300}):(?:\d{1,7}:)? in (?:function |method |local |upvalue |"
    r"field )?<?'?([^'>\n]{1,120})'?>?$"
)
_ADDRESS = r"[ \t]*\d{1,4}: 0x[0-9a-f]{1,16} .*\[.{0,300}\]$"
_PLACE = r"[a-z]{2,16}://\S{1,400}:\d{1,7}:\d{1,7}$"
_NATIVE = (
    r"[ \t]*#\d{1,3}:?[ \t]+(?:0x[0-9a-f]{1,16} )?(?:in )?([\w:~<>]{1,200}) ?(?:\([^)"
    r"\n]{0,300}\) )?(?:at |from )?(\S{1,300}?):\d{1,7}(?::\d{1,5})?\)?$"
)


def _base(path: str) -> str:
    return re.split(r"[\\/]", path.split("?")[0].rstrip("/\\"))[-1]


def is_foreign(place: str) -> bool:
    """Whether a path or qualified name is of the language, its library or an installed package."""
    return compiled(_FOREIGN).search(place) is not None


def _python_end(lines: Sequence[str], at: int) -> int:
    """The line after the source lines and markers that belong to a Python frame."""
    margin = len(lines[at]) - len(lines[at].lstrip())
    end = at + 1
    while (
        end < len(lines)
        and end <= at + 4
        and lines[end].strip()
        and len(lines[end]) - len(lines[end].lstrip()) > margin
        and 'File "' not in lines[end]
    ):
        end += 1
    return end


def _at(line: str) -> tuple[Frame, str] | None:
    """A frame that starts with `at`: Java, .NET or JavaScript."""
    found = compiled(_JAVA).match(line)
    if found:
        return Frame(found[1].rsplit(".", 1)[-1], found[2], is_foreign(found[1])), "java"
    found = compiled(_DOTNET).match(line)
    if found and not compiled(r"\.[mc]?[jt]sx?\b").search(line):
        name = found[1].rsplit(".", 1)[-1]
        return Frame(
            _base(found[3]) if found[3] else name, found[2], is_foreign(found[1])
        ), "dotnet"
    found = compiled(_SCRIPT).match(line)
    if found and (compiled(r":\d").search(line) or "native" in line or "<anonymous>" in line):
        function = (found[1] or "").rsplit(".", 1)[-1]
        return Frame(_base(found[2]), function, is_foreign(found[2])), "script"
    if compiled(r":\d{1,7}:\d{1,7}\){1,3}[\"']?$").search(line):
        return Frame("", "", True), "script"
    return None


def _other(lines: Sequence[str], at: int) -> tuple[Frame, str, int] | None:
    """A frame of the remaining languages: frame, language, number of lines it takes."""
    line = lines[at]
    if "@" in line and ":" in line:
        found = compiled(_BROWSER).match(line.strip())
        if found:
            return (
                Frame(_base(found[2]), found[1].split("/")[0].split("(")[0], "native" in found[2]),
                "script",
                1,
            )
    if line.endswith(")") and at + 1 < len(lines) and ".go:" in lines[at + 1]:
        found = compiled(_GO).match(line)
        if found:
            foreign = is_foreign(found[1]) or is_foreign(lines[at + 1])
            return Frame(found[1].rsplit("/", 1)[-1], "", foreign), "go", 2
    if ".rb:" in line:
        found = compiled(_RUBY).match(line)
        if found:
            return (
                Frame(_base(found[1]), found[2], is_foreign(found[1])),
                "ruby",
                0 if found[3] else 1,
            )
    if "#" in line:
        found = compiled(_DART).match(line)
        if found:
            return Frame(_base(found[2]), found[1], is_foreign(line) or "(dart:" in line), "dart", 1
        found = compiled(_PHP).match(line)
        if found:
            return (
                Frame(
                    _base(found[1] or ""),
                    (found[2] or "").split("(")[0],
                    is_foreign(found[1] or "/vendor/"),
                ),
                "php",
                1,
            )
        found = compiled(_NATIVE).match(line)
        if found:
            return Frame(_base(found[2]), found[1], is_foreign(found[2])), "native", 1
    if "://" in line and compiled(_PLACE).match(line.strip()):
        return Frame(_base(line.strip().rsplit(":", 2)[0]), "", False), "script", 1
    if "0x" in line and compiled(_ADDRESS).match(line):
        return Frame("", "", True), "native", 1
    if line[:1] in " \t":
        found = compiled(_ELIXIR).match(line)
        if found:
            return (
                Frame(_base(found[2]), found[3], found[1] in ("elixir", "stdlib", "kernel", "mix")),
                "elixir",
                1,
            )
        found = compiled(_LUA).match(line) if " in " in line else None
        if found:
            return Frame(_base(found[1]), found[2], found[1] == "[C]"), "lua", 1
    if "::" in line or (at + 1 < len(lines) and compiled(_RUST_AT).match(lines[at + 1])):
        found = compiled(_RUST).match(line)
        if found:
            below = compiled(_RUST_AT).match(lines[at + 1]) if at + 1 < len(lines) else None
            place = below[1] if below else ""
            foreign = is_foreign(found[1]) or is_foreign(place) or not below
            return (
                Frame(_base(place), found[1].rsplit("::", 1)[-1], foreign),
                "rust",
                2 if below else 1,
            )
    return None


def stack_of(lines: Sequence[str]) -> Stack:
    """Find the stack frames in cleaned lines."""
    frames: list[Frame] = []
    taken: set[int] = set()
    language = ""
    python: Callable[[str], re.Match[str] | None] = compiled(_PYTHON).match
    for at, line in enumerate(lines):
        if at in taken or not line:
            continue
        if 'File "' in line:
            found = python(line)
            if found:
                end = _python_end(lines, at)
                source = lines[at + 1] if end > at + 1 else ""
                frames.append(
                    Frame(_base(found[1]), found[2] or "", is_foreign(found[1]), True, source)
                )
                taken.update(range(at, end))
                language = language or "python"
                continue
        stripped = line.lstrip()
        if stripped.startswith(("at ", "bei ", "\u00e0 ", "en ", "\u5728 ")):
            met = _at(line)
            if met:
                frames.append(met[0])
                taken.add(at)
                language = language or met[1]
                continue
        other = _other(lines, at)
        if other:
            frames.append(other[0])
            taken.update(range(at, at + other[2]))
            language = language or other[1]
    return Stack(tuple(frames), frozenset(taken), language)


def location_of(stack: Stack) -> str | None:
    """`file:function` of the innermost frame of the user's own code, casefolded; None without.

    A well-known port in the source line shown says which service was meant: `file:function@port`.
    """
    own = [frame for frame in stack.frames if not frame.foreign and (frame.file or frame.function)]
    if not own:
        return None
    frame = own[-1] if own[-1].innermost_last else own[0]
    ports = compiled(r"(?<![\w.])\d{4,5}(?![\w.])").findall(frame.source)
    service = next((f"@{port}" for port in ports if port in WELL_KNOWN_PORTS), "")
    return f"{frame.file}:{frame.function}{service}".casefold()
