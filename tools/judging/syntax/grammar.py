"""Whether a block in a language that has a tree-sitter grammar can be parsed.

Rules of this module: the extra `syntax` brings the grammars, each inside its wheel, and nothing is
fetched; without it every block is unclear, and says so. An answer shows pieces of programs: what
parses inside the least that may surround it is no fault. A language that moves faster than its
grammar, or has a preprocessor, is faulted only for brackets that are never closed or close nothing,
or also for what is missing, which a newer syntax does not look like.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Literal

from reflection_mcp.tools.judging.syntax.reading import WHOLE, Reading, line_of, unclear

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Parser

LIMIT = 10_000
"""Characters that are parsed; 3 ms, and 100 ms where nearly every sign is a fault."""
PIECE_LIMIT = 3_000
"""Characters of a block that may be a piece of a program; each surrounding is tried on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grammar:
    """The grammars of a language and its kin, as `module:function`, the own one first.

    `faults` are those that are certain, `pieces` what may surround a piece, `%`. The example is
    whole or a piece of something whole, the counter-example is broken.
    """

    languages: tuple[str, ...]
    faults: Literal["brackets", "missing", "all"] = "brackets"
    pieces: tuple[str, ...] = ()
    example: str
    counter: str


_MARKUP = "<>\n%\n</>"
"""Takes any words, so it is for what begins as markup only."""
_TYPESCRIPT = "tree_sitter_typescript:language_typescript", "tree_sitter_typescript:language_tsx"

GRAMMARS: dict[str, Grammar] = {
    "javascript": Grammar(
        languages=("tree_sitter_javascript:language", *_TYPESCRIPT),
        faults="all",
        pieces=(
            "class A {\n%\n}", "async function* f() {\n%\n}", "x = {\n%\n}", "f(\n%\n)", "x = %",
            "switch (x) {\n%\n}", "if (x) {}\n%", "try {}\n%", "x\n%", _MARKUP, "%\nclass A {}",
            "interface A {\n%\n}", "type A = %", "%\nfunction f() {}",
        ),
        example="name: 'x',\nage: 3,",
        counter="const a = { name: 'x' age: 3 };",
    ),
    "go": Grammar(
        languages=("tree_sitter_go:language",),
        faults="all",
        pieces=(
            "func f() {\n%\n}", "type A struct {\n%\n}", "type A interface {\n%\n}",
            "var x = T{\n%\n}", "func f() { switch x {\n%\n} }", "func f() { select {\n%\n} }",
            "import (\n%\n)", "const (\n%\n)", "func f() { x =\n%\n}", "func f() { g(\n%\n) }",
            "%\n{}", "func f() { if x {}\n%\n}", "type A %", "func %",
        ),
        example="case x := <-done:\n\treturn x",
        counter="func f() int {\n\treturn := 1\n}",
    ),
    "java": Grammar(
        languages=("tree_sitter_java:language",),
        faults="missing",
        pieces=(
            "class A {\n%\n}", "interface A {\n%\n}", "class A { void f() {\n%\n} }",
            "enum A {\n%\n}", "class A { Object x =\n%\n; }", "%\nclass A {}",
            "class A { void f() { switch (x) {\n%\n} } }", "class A {\n%\nvoid f() {} }",
            "class A { void f() { if (x) {}\n%\n} }", "class A { void f() { try {}\n%\n} }",
            "class A { void f() { x\n%\n; } }", "class A { void f() {\n%\n; } }",
            "interface A {\n%\n; }",
        ),
        example=".map(String::length)\n.toList();",
        counter="int f() { int x = 1 return x; }",
    ),
    "typescript": Grammar(
        languages=_TYPESCRIPT,
        example="function f<T>(x: T): T { return x; }",
        counter="interface A { name: string;",
    ),
    "rust": Grammar(
        languages=("tree_sitter_rust:language",),
        example="fn f<'a>(x: &'a str) -> char { '(' }",
        counter="fn f() -> i32 { g(1; 2 }",
    ),
    "csharp": Grammar(
        languages=("tree_sitter_c_sharp:language",),
        example='var s = $"{x} (";',
        counter="class A { void F( { } }",
    ),
    "c": Grammar(
        languages=("tree_sitter_c:language", "tree_sitter_cpp:language"),
        example='case 1: printf("(%c", \')\'); return 2;',
        counter="int f(int x { return x; }",
    ),
    "cpp": Grammar(
        languages=("tree_sitter_cpp:language",),
        example="template <typename T> T f(T x) { return x >> 1; }",
        counter="int f() { std::vector<int> v = {1, 2; }",
    ),
    "php": Grammar(
        languages=("tree_sitter_php:language_php_only",),
        example="<?php\nfunction f(): string { return \"it's (\"; }",
        counter="function f($x { return $x; }",
    ),
}  # fmt: skip
"""A row for each language."""

_LEFT_OUT = re.compile(
    r"(?<![\w\])>&])\.\.\.(?![\w$\[({\"'])|\.\.\.\w+ \w|\u2026|<[a-z]{1,30}[ _-][\w -]{0,40}>|\{\{"
    r"|\{%|<%|\[, |[(=,]\s{0,4}/\*[^*]{0,80}\*/\s{0,4}[),;]|\[(?:your|insert|rest)\b"
    r"|\b(?:your|some)[_ -](?:code|logic|implementation)\b|<\w{1,30}>[ \t]{0,8}$",
    re.IGNORECASE | re.MULTILINE,
)
_CUT = re.compile(r"\A\s{0,40}[)\]}]|[(\[{]\s{0,40}\Z")
_NO_PROGRAM = re.compile(
    r"^[ \t]{0,8}(?:(?://[ \t]{0,4})?(?:=>|[A-Z]\w{0,40}(?:\(\d{1,9}\))? [\[{]$)|[$>#] |>>>|[+-] "
    r"|@@ |\d{1,4}[|:] |at [\w.$<> ]{1,80}\(|error(?:\[\w{1,9}\])?: |panic: |goroutine \d"
    r"|(?:Uncaught )?[\w.]{0,60}(?:Error|Exception)(?::|$)|(?:npm|npx|yarn|pnpm|go|cargo|dotnet"
    r"|mvn|gradle|composer|pip|curl|git|cd) [\w./-])",
    re.MULTILINE,
)
_MACRO = re.compile(
    r"^[ \t]{0,20}#[ \t]{0,8}(?:define|if|ifdef|ifndef|elif|else|endif)\b|\b[A-Z][A-Z\d_]{2,}\b"
    r"|\b__\w|\b(?:signals|slots|asm)\b|<<<",
    re.MULTILINE,
)
_MARKED = re.compile(
    r"(?://|#|/\*).{0,80}?(?:\b(?:wrong|incorrect|invalid|bad|broken|error|not allowed|won't|"
    r"doesn't|does not|syntax|missing)\b|[\u274c\u2717\u2718])",
    re.IGNORECASE,
)
_TAGS = re.compile(r"\A\s{0,20}<\?php\b|\?>\s{0,20}\Z")


def read_with_grammar(language: str, body: str) -> Reading:
    """Parse a block of one of the languages of `GRAMMARS`."""
    if len(body) > LIMIT:
        return unclear(f"longer than {LIMIT} characters")
    grammar = GRAMMARS[language]
    parsers = [parser for name in grammar.languages if (parser := _parser(name)) is not None]
    if len(parsers) < len(grammar.languages):
        return unclear("no grammar is installed; pip install reflection-mcp[syntax]")
    if language == "php":
        body = _TAGS.sub("", body)
    root = _root(parsers[0], body)
    if not root.has_error:
        return WHOLE
    bracket = _odd_bracket(root)
    line, message = bracket or _first_fault(root)
    certain = bracket is not None or grammar.faults == "all"
    certain = certain or (grammar.faults == "missing" and message.endswith(_MISSING))
    if excuse := _excused(language, body, line):
        return unclear(excuse)
    if any(not _root(kin, body).has_error for kin in parsers[1:]):
        return unclear("it is written in a related language")
    if not certain or (bracket is None and len(body) > PIECE_LIMIT):
        return unclear("it may be newer than its grammar, or a piece of a program")
    # What surrounds a piece closes its own brackets, so it cannot mend one of the piece.
    if bracket is None and any(
        not _root(parser, piece.replace("%", body)).has_error
        for piece in grammar.pieces
        if piece != _MARKUP or body.lstrip().startswith("<")
        for parser in parsers
    ):
        return unclear("a piece of a program")
    if bracket is None and all(
        not _root(parsers[0], text).has_error for text in body.split("\n") if text.strip()
    ):
        return unclear("lines of their own")
    return Reading("broken", message, line)


def _excused(language: str, body: str, line: int) -> str:
    """Why a block that does not parse may be meant that way, or nothing."""
    if _LEFT_OUT.search(body):
        return "something was left out"
    if _CUT.search(body):
        return "a piece of a program"
    if _NO_PROGRAM.search(body):
        return "a session, a diff or an output"
    if any(_MARKED.search(line_of(body, near)) for near in (line - 1, line, line + 1)):
        return "a comment that calls it wrong"
    if language in ("c", "cpp") and _MACRO.search(body):
        return "macros, which only a preprocessor can read"
    return ""


# --------------------------------------------------------------------------- trees


def _parser(name: str) -> "Parser | None":
    module, _, function = name.partition(":")
    try:
        library, grammar = import_module("tree_sitter"), import_module(module)
    except ImportError:
        return None
    parser: Parser = library.Parser(_language(library, grammar, function))
    return parser


@cache
def _language(library: ModuleType, grammar: ModuleType, function: str) -> "Language":
    language: Language = library.Language(getattr(grammar, function)())
    return language


def _root(parser: "Parser", body: str) -> "Node":
    return parser.parse(f"{body}\n".encode("utf-8", "replace")).root_node


def _leaves(root: "Node") -> "Iterator[Node]":
    nodes = [root]
    while nodes:
        node = nodes.pop()
        if node.child_count == 0:
            yield node
        nodes.extend(reversed(node.children))


_CLOSERS = {"(": ")", "[": "]", "{": "}", "${": "}", "#[": "]"}


def _odd_bracket(root: "Node") -> tuple[int, str] | None:
    """The line of a bracket without its other half, from 1, and what to say of it."""
    opened: list[Node] = []
    for leaf in _leaves(root):
        if leaf.is_missing:
            continue
        if leaf.type in _CLOSERS:
            opened.append(leaf)
        elif leaf.type in _CLOSERS.values():
            if not any(_CLOSERS[bracket.type] == leaf.type for bracket in opened):
                return leaf.start_point[0] + 1, f"{leaf.type} closes nothing"
            if _CLOSERS[opened[-1].type] != leaf.type:
                break
            opened.pop()
    return (opened[-1].start_point[0] + 1, f"{opened[-1].type} is never closed") if opened else None


_MISSING = " is missing"


def _first_fault(root: "Node") -> tuple[int, str]:
    """The line of the first place that does not parse, from 1, and what is amiss there."""
    node, inner = root, [root]
    while inner and not (node.is_error or node.is_missing):
        node = inner[0]
        inner = [child for child in node.children if child.has_error]
    line = node.start_point[0] + 1
    return line, f"{node.type}{_MISSING}" if node.is_missing else "it cannot be parsed from here"
