"""Parser for blocks of Python.

Rules of this module: the standard parser decides, and it never runs anything. What is not meant to
be a whole file (a session at the prompt, a notebook's magic lines, a diff, Python 2, code with its
middle left out) is unclear, and so is syntax newer than the Python that runs this.
"""

import ast
import re
import textwrap
import warnings
from collections.abc import Callable
from dataclasses import dataclass

from reflection_mcp.tools.judging.syntax.fragments import is_fragment
from reflection_mcp.tools.judging.syntax.reading import WHOLE, ParseResult, elided, line_of, unclear

LIMIT = 40_000
"""Characters that are parsed; about 40 ms."""


@dataclass(frozen=True, slots=True)
class Excuse:
    """Why a block that does not parse may be meant that way."""

    name: str
    holds: Callable[[str, SyntaxError], bool]
    example: str
    counter_example: str


def _any_line(pattern: str) -> Callable[[str, SyntaxError], bool]:
    compiled = re.compile(pattern, re.MULTILINE)
    return lambda body, _: bool(compiled.search(body))


_SAID_OF_PYTHON_2 = (
    "Missing parentheses in call to",
    "multiple exception types must be parenthesized",
    "leading zeros in decimal integer",
)
_PYTHON_2 = re.compile(r"\s{0,60}(?:raise [\w.]{1,80},|exec [\"']|print >>)|.{0,200}<>")


def _python_2(body: str, error: SyntaxError) -> bool:
    said = error.msg or ""
    line = line_of(body, error.lineno or 1)
    return any(part in said for part in _SAID_OF_PYTHON_2) or bool(_PYTHON_2.match(line))


def _left_out(body: str, error: SyntaxError) -> bool:
    line = error.lineno or 1
    return any(elided(line_of(body, near)) for near in (line - 1, line))


def _only_a_comment(body: str, error: SyntaxError) -> bool:
    """A header whose body is a comment: code to be filled in, and usual in explanations."""
    if "expected an indented block" not in (error.msg or ""):
        return False
    header = int(found[1]) if (found := re.search(r"on line (\d+)", error.msg or "")) else 1
    after = body.split("\n")[header : (error.lineno or header) + 1]
    return any(line.lstrip().startswith("#") for line in after)


def _starts_inside(body: str, error: SyntaxError) -> bool:
    """A snippet whose first line lost its indentation when it was cut out."""
    before = body.split("\n")[: (error.lineno or 1) - 1]
    code = [line for line in before if line.strip() and not line.lstrip().startswith("#")]
    return "unexpected indent" in (error.msg or "") and len(code) <= 1


_MARKED = re.compile(
    r"#.{0,80}?(?:\b(?:wrong|incorrect|invalid|bad|broken|missing|error|syntax ?error|"
    r"indentation ?error|don't|not valid|not allowed)\b|[\u274c\u2717\u2718])",
    re.IGNORECASE,
)


def _marked(body: str, error: SyntaxError) -> bool:
    """A comment at the place, or directly above it, says that this is wrong."""
    line = error.lineno or 1
    return any(_MARKED.search(line_of(body, near)[:2_000]) for near in (line - 1, line))


_NEWER = re.compile(
    r"^\s{0,40}(?:type \w{1,60} ?[=\[]|(?:async )?def \w{1,60}\[|class \w{1,60}\[)"
    r"|(?<![\w'\"])[tT][rR]?[\"']"
)
_F_STRING = re.compile(r"(?<![\w'\"])(?:[fF][rR]?|[rR][fF])([\"'])")


def _newer(body: str, error: SyntaxError) -> bool:
    """Type aliases and parameters, template strings, or a quote reused inside an f-string."""
    line = line_of(body, error.lineno or 1)[:2_000]
    if _NEWER.search(line):
        return True
    for opening in _F_STRING.finditer(line):
        brace = line.find("{", opening.end())
        if 0 <= brace < line.find("}", brace) and opening[1] in line[brace : line.find("}", brace)]:
            return True
    return False


EXCUSES = (
    Excuse(
        "a session at the prompt",
        _any_line(r"^\s{0,12}(?:>>>|In \[\d{0,5}\]:|\$ )"),
        ">>> 1 +\n1",
        "x = (1 >>\n",
    ),
    Excuse(
        "a traceback",
        _any_line(r"\A\s{0,20}Traceback \(most recent call last\):$"),
        'Traceback (most recent call last):\n  File "x.py", line 1, in <module>',
        "Traceback (most recent call last",
    ),
    Excuse(
        "magic lines of a notebook",
        _any_line(r"^\s{0,12}(?:%{1,2}[A-Za-z]|![A-Za-z]|\?{1,2}[A-Za-z]|[\w.]{1,60}\?{1,2}$)"),
        "%matplotlib inline\nx = 1",
        "x = 5 %\n",
    ),
    Excuse(
        "commands for a shell",
        _any_line(r"^(?:pip3?|python3?|uv|conda|poetry|cd|export|source|git|npm) [\w./-]"),
        "pip install requests",
        "pip = (1",
    ),
    Excuse(
        "a diff",
        _any_line(
            r"^-(?!\d).{0,400}\n\+|\A(?:\+.{0,400}\n-|(?:[+-] .{0,400}(?:\n|\Z))+\Z)"
            r"|^(?:@@ |--- |\+\+\+ |diff --git |[+-] {0,8}(?:def|return|import|from|if|for)\b)"
        ),
        "-def f(a)\n+def f(a, b):",
        "x = (1\n- 2",
    ),
    Excuse("lines with their numbers", _any_line(r"\A\s{0,6}1\s?[|:.]\s{0,4}[^\W\d]"),
           "1 | def f(:\n2 |     pass", "x = 1 |"),
    Excuse("something left out", _left_out, "def f(a, ...):\n    return a",
           "def f(a, :\n    return a"),
    Excuse("a body that is only a comment", _only_a_comment, "def f():\n    # do the work\n",
           "def f():\nx = 1"),
    Excuse("a piece of a statement, a literal or a call", lambda body, _: is_fragment(body),
           "else:\n    x = 1", "else\n    x = 1"),
    Excuse("a comment that calls it wrong", _marked,
           "# wrong\nif x = 3:\n    pass", "# set x\nif x = 3:\n    pass"),
    Excuse("Cython",
           _any_line(r"^\s{0,40}(?:cdef|cpdef|ctypedef|cimport|from [\w.]{1,80} cimport)\b"),
           "cdef int f(int x):\n    return x", "int f(int x):\n    return x"),
    Excuse("a piece from the middle of a file", _starts_inside, "x = 1\n    y = 2\n",
           "x = 1\ny = 2\n    z = 3\n"),
    Excuse(
        "Python 2",
        _python_2,
        'raise ValueError, "bad"',
        'raise ValueError("bad"',
    ),
    Excuse("syntax of a newer Python", _newer, "type Pair = tuple[int, int]", "type(x = 1"),
)  # fmt: skip


def read_python(body: str) -> ParseResult:
    """Parse a block of Python."""
    if len(body) > LIMIT:
        return unclear(f"longer than {LIMIT} characters")
    text = textwrap.dedent(body.expandtabs(8) if "\t" in body[:1] else body)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(text)
    except SyntaxError as error:
        for excuse in EXCUSES:
            if excuse.holds(text, error):
                return unclear(excuse.name)
        return ParseResult("broken", error.msg or "invalid syntax", max(1, error.lineno or 1))
    except (ValueError, RecursionError, MemoryError):
        return unclear("nested too deeply, or not text")
    return WHOLE
