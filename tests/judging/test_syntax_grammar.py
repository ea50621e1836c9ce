"""Blocks in languages with a tree-sitter grammar; the real grammars run."""

import sys

import pytest

from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.syntax.check import check
from reflection_mcp.tools.judging.syntax.grammar import (
    GRAMMARS,
    LIMIT,
    PIECE_LIMIT,
    read_with_grammar,
)

_OUTPUT = "a session, a diff or an output"


@pytest.mark.parametrize("language", GRAMMARS)
def test_each_row_spares_its_example_and_faults_its_counter_example(language: str) -> None:
    row = GRAMMARS[language]
    assert read_with_grammar(language, row.example).result != "broken"
    assert read_with_grammar(language, row.counter).result == "broken"


@pytest.mark.parametrize(
    ("language", "body"),
    [
        ("javascript", "const f = async ({ a, ...rest }) => `${a} it's (` + /[(]/g.exec(rest);"),
        ("javascript", 'return <div className="a">{x && <B />}</div>;'),
        ("typescript", "const f = <T,>(x: T): x is T & {} => x satisfies unknown;"),
        ("go", "func Sum[T ~int](xs ...T) (s T) {\n\tfor _, x := range xs {\n\t\ts += x\n\t}\n}"),
        ("go", "for i := range 10 {\n\tgo func() { ch <- i }()\n}"),
        (
            "java",
            'var s = switch (x) { case P(int a, var b) when a > 0 -> "("; default -> null; };',
        ),
        ("java", 'String s = """\n    (\n    """;'),
        ("rust", "let x: &'static str = r#\"(\"#; match x { '('..=')' => {}, _ => () }"),
        ("csharp", 'record A(int X); var y = x switch { 1 => $"{x}(", _ => @"(" };'),
        ("c", "#include <stdio.h>\nint main(void) { puts(\"(\"); return '('; }"),
        ("cpp", "auto f = [&](auto&& x) -> decltype(auto) { return x; };"),
        ("php", "<?php\nenum A: string { case B = 'it\\'s ('; }\n?>"),
    ],
)
def test_a_whole_program_parses(language: str, body: str) -> None:
    assert read_with_grammar(language, body).result == "whole"


@pytest.mark.parametrize(
    ("language", "body", "why"),
    [
        ("javascript", "app.get('/', (req, res) => { ... }", "something was left out"),
        ("javascript", "if (/* condition */) { f(; }", "something was left out"),
        ("javascript", "parse(pattern[, options]);", "something was left out"),
        ("javascript", "fetch(<your url>", "something was left out"),
        ("javascript", "} else {\n  f();\n}", "a piece of a program"),
        ("go", "func (s *Server) Handle(x int) {", "a piece of a program"),
        ("javascript", "await f()\n=>\n[ 'a'", _OUTPUT),
        ("javascript", "Module {\n  id: '.' path: 'x',\n}", _OUTPUT),
        ("java", "$ java Main\nx(1", _OUTPUT),
        ("javascript", "Uncaught TypeError: x\n    at f (a.js:1:2)", _OUTPUT),
        ("go", "goroutine 1 [running]:\nmain.main()", _OUTPUT),
        ("javascript", "'5' - 3 // 2\n[] + {} // 'a'\n{} + [] // 0", "lines of their own"),
        ("javascript", "f(; // a syntax error", "a comment that calls it wrong"),
        ("c", "#define A(x) (x\nint x = A(1));", "macros, which only a preprocessor can read"),
        ("javascript", "let x: number = 1;", "it is written in a related language"),
        ("c", "using namespace std;", "it is written in a related language"),
        ("javascript", "a: 1,\nb: 2,", "a piece of a program"),
        ("javascript", "<A b={1} />\n<B />", "a piece of a program"),
        ("go", "GET(ctx context.Context, key string) error", "a piece of a program"),
        ("java", "public static <T> T max(List<T> xs)", "a piece of a program"),
        (
            "java",
            "import module java.base;",
            "it may be newer than its grammar, or a piece of a program",
        ),
        (
            "rust",
            'unsafe extern "C" { safe fn f(); }',
            "it may be newer than its grammar, or a piece of a program",
        ),
        (
            "javascript",
            "let x = 1;\n" * (PIECE_LIMIT // 10) + "let y 2;",
            "it may be newer than its grammar, or a piece of a program",
        ),
        ("javascript", "x;\n" * LIMIT, f"longer than {LIMIT} characters"),
    ],
)
def test_what_may_be_meant_that_way_is_unclear(language: str, body: str, why: str) -> None:
    assert read_with_grammar(language, body) == ("unclear", why, 1)


@pytest.mark.parametrize(
    ("language", "body", "message", "line"),
    [
        ("javascript", "f();\nconst a = [1, 2;", "[ is never closed", 2),
        ("javascript", "for (const x of y) {\n  f(x));\n}", ") closes nothing", 2),
        ("javascript", "f();\nlet x = ;", "it cannot be parsed from here", 2),
        ("javascript", "const s = 'abc;\nf(s);", "it cannot be parsed from here", 1),
        ("typescript", "interface A {\n  a: string\n", "{ is never closed", 1),
        ("go", 'func main() {\n\tf("hi"\n}', "( is never closed", 2),
        ("go", "if x == 1\n\treturn 2\n}", "} closes nothing", 3),
        ("java", "class A {\n  void f() {\n    int x = 1\n  }\n}", "; is missing", 3),
        ("rust", 'fn main() {\n    println!("hi";\n}', "( is never closed", 2),
        ("c", 'int main(void) {\n  puts("hi";\n  return 0;\n}', "( is never closed", 2),
        ("cpp", "int main() {\n  std::cout << 1;\n", "{ is never closed", 1),
        ("csharp", "var x = new List<int> { 1, 2;", "{ is never closed", 1),
        ("php", "<?php\n$x = [1, 2;\necho $x;", "[ is never closed", 2),
    ],
)
def test_what_is_broken_is_faulted_at_its_line(
    language: str, body: str, message: str, line: int
) -> None:
    assert read_with_grammar(language, body) == ("broken", message, line)


def test_a_block_of_an_answer_is_faulted_where_it_is_broken() -> None:
    (one,) = check(Case("", "Here:\n\n```tsx\nf();\ng([1, 2;\n```\n"))
    assert (one.kind, one.status, one.quote) == ("syntax:typescript", "wrong", "g([1, 2;")


def test_what_has_to_be_tried_as_a_piece_uses_up_more_of_what_is_read() -> None:
    block = "```js\n" + "f();\n" * 500 + "let y 2;\n```\n"
    told = [one.status for one in check(Case("", block * 9))]
    assert told == ["wrong"] * 4 + ["unchecked"] * 5
    whole = "```js\n" + "f();\n" * 500 + "```\n"
    assert {one.status for one in check(Case("", whole * 9))} == {"ok"}


def test_without_the_grammars_every_block_is_unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tree_sitter_go", None)  # as where it is not installed
    (one,) = check(Case("", "Here:\n\n```go\nfunc f( {\n```\n"))
    assert one.status == "unchecked"
    assert "pip install reflection-mcp[syntax]" in one.why
