"""What a stack frame looks like, language by language.

Rule of this module: a form answers only for a line that is a frame and nothing else; a message that
mentions a place is none.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from reflection_mcp.tools.identity.rule import Match, compiled
from reflection_mcp.tools.identity.verdicts.frame import NATIVE_CODE, Frame
from reflection_mcp.tools.identity.verdicts.made_names import MADE_BY_COMPILER


class Met(NamedTuple):
    """A frame that was found, and how many lines it takes up."""

    frame: Frame
    lines: int = 1


class Form(NamedTuple):
    """The frames of one language.

    `marks` are texts of which the first line of a frame holds at least one. `example` is a frame
    that `read` finds, and `found` what it finds, as `file:function`. `begins` are the texts one of
    which that line begins with, behind blanks; nothing where anything may stand there, and `marks`
    rule out most texts. `below` is what the line below it holds.
    """

    language: str
    marks: tuple[str, ...]
    read: Callable[[Sequence[str], int], Met | None]
    example: str
    found: str
    begins: tuple[str, ...] = ("",)
    below: str = ""


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
    r"\()?([^()\n]{1,400}?)(?![^:) \n])(?::\d{1,7}){0,2}\)?(?: \{)?$"
)
"""Behind the file one sign is looked at first: what may follow begins with one of few."""
_VITEST = r"[ \t]*\u276f ([\w$.<>#\[\]]{1,200}) (\S{1,400}?):\d{1,7}:\d{1,7}$"
_CALLED = r"Object\.(?:require|to[A-Z]\w{1,60})$"
"""What a function without a name called last, by which Jest names it since version 28."""
_BROWSER = (
    r"(?:Error created at )?([\w$./<>*\[\]\"' (),:-]{0,200})@([^\s@]{1,400}?):\d{1,7}(?::\d{1,7})?$"
)
_GO = (
    r"((?:[\w.\-]{1,80}/){0,8}[\w.\-]{1,80}\.(?:\(\*?\w{1,80}\)\.)?[\w.\u00b7]{1,120})\(.{0,300}\)$"
)
_RUST = r"[ \t]*\d{1,4}:[ \t]+(?:0x[0-9a-f]{1,16} - )?([\w<>:{}&\[\] ,$.]{1,300})$"
_RUST_AT = r"[ \t]+at (\S{1,400}):\d{1,7}:\d{1,7}$"
_RUBY = (
    r"[ \t]*(?:# )?(?:from )?(?:\d{1,3}: from )?"
    r"([^\s:]{1,300}(?:\.rb|file)|[^\s:]{0,300}/(?:bin|exe)/[\w.-]{1,60}):\d{1,7}"
    r":in ['\"`]([^'\"`\n]{1,120})['\"`](:.{0,400})?$"
)
_PHP = r"#\d{1,3} (?:([^\s(]{1,300})\(\d{1,7}\): (.{1,200})|\{main\})$"
_PHP_TRACE = r"(?:PHP)?[ \t]+\d{1,3}\. [\w\\{}>:-]{1,200}\(.{0,400}\) \S{1,300}\.php:\d{1,7}$"
_DART = (
    r"#\d{1,4}[ \t]+(\S.{0,200}?) \((?:package|dart|file|"
    r"org-dartlang-app):(\S{1,300}?):\d{1,7}(?::\d{1,7})?\)$"
)
_ELIXIR = r"[ \t]+\((\w{1,80}) [\d.]{1,20}\) (\S{1,300}):\d{1,7}: (.{1,200})$"
_ELIXIR_LIBRARIES = (
    r"elixir|stdlib|kernel|mix|ex_unit|ecto\w*|phoenix\w*|plug\w*|cowboy|bandit|thousand_island|"
    r"db_connection|postgrex|myxql|oban|tesla|finch|mint|req|jason|absinthe\w*|telemetry"
)
_LUA = (
    r"[ \t]+([^\s:]{1,300}):(?:\d{1,7}:)? in (?:function |method |local |upvalue |"
    r"field )?<?'?([^'>\n]{1,120})'?>?$"
)
_UNSOURCED = (
    r"[ \t]*#\d{1,3}:?[ \t]+0x[0-9a-f]{1,16} in ([\w:~<>]{1,200})(?:\([^\n]{0,300}\))? "
    r"\(\S{1,400}\+0x[0-9a-f]{1,16}\)(?: \(BuildId: \w{1,80}\))?$"
)
_VALGRIND = (
    r"(?:==\d{1,9}==)?[ \t]*(?:at|by) 0x[0-9A-Fa-f]{1,16}: "
    r"(?:([\w:~<>]{1,200})(?:\([^\n]{0,300}\))?|\?{3}) \((?:in \S{1,400}|(\S{1,300}):\d{1,7})\)$"
)
_LIBC = (
    r"__\w+|_start|_(?:IO|dl|nl)_\w+|raise|abort|gsignal|std::.*|(?:re|c|m)alloc|free|\?{3}|"
    r"operator.*|(?:mem|str)(?:cpy|move|set|cmp|len|chr|dup|cat)"
)
"""Functions of the C library: what a program that aborts, or copies too much, was last in."""
_ADDRESS = r"[ \t]*\d{1,4}: 0x[0-9a-f]{1,16} .*\[.{0,300}\]$"
_PLACE = r"([a-z]{2,16}://\S{1,400}):\d{1,7}:\d{1,7}$"
_NESTED = r"[ \t]*at .{0,600}:\d{1,7}:\d{1,7}\){1,3}[\"']?$"
_NATIVE = (
    r"[ \t]*(?:#\d{1,3}:?[ \t]+(?:0x[0-9a-f]{1,16} )?(?:in )?|0x[0-9a-f]{1,16} in )"
    r"([\w:~<>]{1,200}) ?(?:\([^)"
    r"\n]{0,300}\) )?(?:at |from )?(\S{1,300}?):\d{1,7}(?::\d{1,5})?\)?$"
)


_COMPILED = (".pyx", ".pxi")
"""Files of Cython: a coroutine in one does not name its module."""
_MOST_SOURCE = 4
"""Lines of source and markers that Python shows of a frame."""


def _native_if(foreign: bool) -> str:
    return NATIVE_CODE if foreign else ""


_NEXT_OF_PYTHON = (
    r"[ \t]*(?:File \"|[\^~]+$|(?:\w{1,60}\.){0,8}[A-Z]\w{0,60}(?:Error|Exception|Warning)\b)"
)
"""So goes on a stack behind a line of source, if it is known whether it still goes on."""


def _python_end(lines: Sequence[str], at: int) -> int:
    """The line after the source lines and markers that belong to a Python frame."""
    margin = len(lines[at]) - len(lines[at].lstrip())
    if not margin and lines[at + 1 : at + 2] and not lines[at + 1][:1].isspace():
        return _end_at_the_margin(lines, at + 1)
    below = lines[at + 1 : at + 1 + _MOST_SOURCE]
    for end, line in enumerate(below, at + 1):
        source = line.lstrip()
        indent = len(line) - len(source)
        if (
            (len(line[:indent].expandtabs()) if line[:1] == "\t" else indent) <= margin
            or not source
            or source.startswith("...")
            or 'File "' in source
        ):
            return end
    return at + 1 + len(below)


def _end_at_the_margin(lines: Sequence[str], at: int) -> int:
    """The same in a stack whose lines all lost what they were set in by: one of source, at most."""
    follows = compiled(_NEXT_OF_PYTHON).match
    if not lines[at] or follows(lines[at]) or not lines[at + 1 :] or not follows(lines[at + 1]):
        return at
    return at + 1 + (lines[at + 1].strip("^~ \t") == "")


def _python(lines: Sequence[str], at: int) -> Met | None:
    found = compiled(_PYTHON).match(lines[at])
    if not found:
        return None
    end = _python_end(lines, at)
    source = lines[at + 1] if end > at + 1 else ""
    function = found[2] or ""
    compiled_code = "." in function or found[1].endswith(_COMPILED)  # only it names its module
    origin = NATIVE_CODE if compiled_code else found[1]
    frame = Frame(found[1], function, origin, source)
    return Met(frame, end - at)


def _java(lines: Sequence[str], at: int) -> Met | None:
    found = compiled(_JAVA).match(lines[at])
    if not found:
        return None
    function = MADE_BY_COMPILER.apply(found[2])
    return Met(Frame(found[1].rsplit(".", 1)[-1], function, found[1]))


def _dotnet(lines: Sequence[str], at: int) -> Met | None:
    found = compiled(_DOTNET).match(lines[at])
    if not found or compiled(r"\.[mc]?[jt]sx?\b").search(lines[at]):
        return None
    owner, _, function = MADE_BY_COMPILER.apply(f"{found[1]}.{found[2]}").rpartition(".")
    file = found[3] or owner.rsplit(".", 1)[-1]
    return Met(Frame(file, function, found[1]))


def _script(lines: Sequence[str], at: int) -> Met | None:
    line = lines[at]
    found = compiled(_SCRIPT).match(line)
    if found and (compiled(r":\d").search(line) or "native" in line or "<anonymous>" in line):
        function = found[1] or ""
        if function.startswith("Object.") and compiled(_CALLED).match(function):
            function = "<anonymous>"
        return Met(Frame(found[2], function.rsplit(".", 1)[-1], found[2]))
    if compiled(_NESTED).match(line):
        return Met(Frame("", "", NATIVE_CODE))
    return None


def _vitest(lines: Sequence[str], at: int) -> Met | None:
    found = compiled(_VITEST).match(lines[at])
    return Met(Frame(found[2], found[1].rsplit(".", 1)[-1], found[2])) if found else None


def _browser(lines: Sequence[str], at: int) -> Met | None:
    found = compiled(_BROWSER).match(lines[at].strip())
    if not found:
        return None
    function = found[1].split("/")[0].split("(")[0]
    return Met(Frame(found[2], function, _native_if("native" in found[2])))


def _place(lines: Sequence[str], at: int) -> Met | None:
    found = compiled(_PLACE).match(lines[at].strip())
    return Met(Frame(found[1], "", "")) if found else None


def _go(lines: Sequence[str], at: int) -> Met | None:
    if at + 1 == len(lines) or ".go:" not in lines[at + 1]:
        return None
    found = compiled(_GO).match(lines[at])
    if not found:
        return None
    name = MADE_BY_COMPILER.apply(found[1].rsplit("/", 1)[-1])
    return Met(Frame(name, "", f"{found[1]}\n{lines[at + 1]}"), 2)


def _ruby(lines: Sequence[str], at: int) -> Met | None:
    found = compiled(_RUBY).match(lines[at])
    if not found:
        return None
    installed = found[1].startswith("/") and not found[1].endswith((".rb", "file"))
    origin = _native_if(installed) or found[1]
    return Met(Frame(found[1], MADE_BY_COMPILER.apply(found[2]), origin), 0 if found[3] else 1)


def _dart(lines: Sequence[str], at: int) -> Met | None:
    found = compiled(_DART).match(lines[at])
    if not found:
        return None
    return Met(Frame(found[2], found[1], _native_if("(dart:" in lines[at])))


def _php(lines: Sequence[str], at: int) -> Met | None:
    found = compiled(_PHP).match(lines[at])
    if not found:
        return None
    file, call = found[1] or "", found[2] or ""
    function = MADE_BY_COMPILER.apply(call).split("(")[0]
    return Met(Frame(file, function, file or NATIVE_CODE))


def _php_trace(lines: Sequence[str], at: int) -> Met | None:
    """A frame of Xdebug, the innermost last: it is no message, and the message names its place."""
    return Met(Frame("", "", NATIVE_CODE)) if compiled(_PHP_TRACE).match(lines[at]) else None


def _native(lines: Sequence[str], at: int) -> Met | None:
    found = compiled(_NATIVE).match(lines[at])
    return _of_program(found[1], found[2]) if found else None


def _unsourced(lines: Sequence[str], at: int) -> Met | None:
    """A frame of a program without symbols for a debugger."""
    found = compiled(_UNSOURCED).match(lines[at])
    return _of_program(found[1], "") if found else None


def _valgrind(lines: Sequence[str], at: int) -> Met | None:
    found = compiled(_VALGRIND).match(lines[at])
    return _of_program(found[1] or "???", found[2] or "") if found else None


def _of_program(function: str, path: str) -> Met:
    """A frame of machine code, of the C library or not."""
    foreign = compiled(_LIBC).fullmatch(function) is not None
    return Met(Frame(path, function, NATIVE_CODE if foreign else path))


def _address(lines: Sequence[str], at: int) -> Met | None:
    return Met(Frame("", "", NATIVE_CODE)) if compiled(_ADDRESS).match(lines[at]) else None


def _elixir(lines: Sequence[str], at: int) -> Met | None:
    found = compiled(_ELIXIR).match(lines[at])
    if not found:
        return None
    foreign = compiled(_ELIXIR_LIBRARIES).fullmatch(found[1]) is not None
    return Met(Frame(found[2], found[3], _native_if(foreign)))


def _lua(lines: Sequence[str], at: int) -> Met | None:
    found = compiled(_LUA).match(lines[at])
    if not found:
        return None
    return Met(Frame(found[1], found[2], _native_if(found[1] == "[C]")))


def _rust(lines: Sequence[str], at: int) -> Met | None:
    found = compiled(_RUST).match(lines[at])
    below: Match | None = None
    if found and at + 1 < len(lines):
        below = compiled(_RUST_AT).match(lines[at + 1])
    if not found or not (below or "::" in lines[at]):
        return None
    function = found[1].rsplit("::", 1)[-1]
    if not below:
        return Met(Frame("", function, NATIVE_CODE))
    return Met(Frame(below[1], function, found[1] + below[1]), 2)


_AT = ("at ", "bei ", "\u00e0 ", "en ", "\u5728 ")
"""What stands before a frame of .NET, in the languages in which it is printed."""

FORMS: tuple[Form, ...] = (
    Form(
        "python",
        ('File "',),
        _python,
        '  File "/app/a.py", line 3, in run\n    f()',
        "a.py:run",
        ('File "', "E ", "E\t"),
    ),
    Form("java", ("at ",), _java, "\tat com.acme.Main.run(Main.java:9)", "Main:run", ("at ",)),
    Form(
        "dotnet",
        _AT,
        _dotnet,
        "   at Shop.Basket.Total(Int32 id) in C:\\src\\Basket.cs:line 88",
        "Basket.cs:Total",
        _AT,
    ),
    Form(
        "script", ("at ",), _script, "    at Object.run (/app/src/a.js:3:9)", "a.js:run", ("at ",)
    ),
    Form(
        "script",
        ("\u276f ",),
        _vitest,
        " \u276f exports.total src/cart.js:2:31",
        "cart.js:total",
        ("\u276f ",),
    ),
    Form("script", ("@",), _browser, "run@https://shop.example/static/a.js:3:9", "a.js:run"),
    Form("script", ("://",), _place, "https://shop.example/static/a.js:3:9", "a.js:"),
    Form("go", (")",), _go, "main.run(0x1)\n\t/app/a.go:3 +0x1d", "main.run:", below=".go:"),
    Form("ruby", (":in ",), _ruby, "\tfrom app/a.rb:3:in 'run'", "a.rb:run"),
    Form(
        "dart",
        ("#",),
        _dart,
        "#0      Cart.add (package:shop/cart.dart:51:18)",
        "cart.dart:Cart.add",
        ("#",),
    ),
    Form(
        "php",
        ("#",),
        _php,
        "#0 /app/a.php(31): App\\Mailer->send(NULL)",
        "a.php:App\\Mailer->send",
        ("#",),
    ),
    Form("php", (".php:",), _php_trace, "PHP   2. Cart->add() /app/cart.php:12", ":"),
    Form(
        "native",
        ("#", "0x"),
        _native,
        "    #0 0x401233 in price_of /src/price.c:18",
        "price.c:price_of",
        ("#", "0x"),
    ),
    Form(
        "native",
        ("+0x",),
        _unsourced,
        "    #0 0x55b2 in scale (/app/scale+0x118a)",
        ":scale",
        ("#",),
    ),
    Form(
        "native",
        (" 0x",),
        _valgrind,
        "   at 0x109186: total (cart.c:9)",
        "cart.c:total",
        ("at 0x", "by 0x", "=="),
    ),
    Form("native", ("0x",), _address, " 1: 0xb06730 node::Abort() [node]", ":"),
    Form(
        "elixir",
        (") ",),
        _elixir,
        "    (shop 0.1.0) lib/order.ex:12: Order.total/1",
        "order.ex:Order.total/1",
        ("(",),
    ),
    Form(
        "lua",
        (": in ",),
        _lua,
        "\tgame/player.lua:33: in function 'Player.drop'",
        "player.lua:Player.drop",
    ),
    Form(
        "rust",
        (": ",),
        _rust,
        "   4: shop::cart::total\n             at ./src/cart.rs:3:9",
        "cart.rs:total",
        tuple("0123456789"),
    ),
)
"""Asked in this order; the first that knows a line has it."""
