"""Which lines say what failed, and where, tool by tool."""

import pytest

from reflection_mcp.tools.identity.cleaning.clean import clean
from reflection_mcp.tools.identity.verdicts.verdict import Verdict, verdict_of


def verdict(text: str) -> Verdict:
    return verdict_of(clean(text))


CASES: list[tuple[str, str, list[str], str | None]] = [
    (
        "the last exception of a Python traceback",
        'Traceback (most recent call last):\n  File "/app/a.py", line 3, in run\n    f()\n'
        "ValueError: bad\n  detail\nhint: try again",
        ["ValueError: bad", "  detail"],
        "a.py:run",
    ),
    (
        "the service a Python frame speaks of",
        'Traceback (most recent call last):\n  File "/app/a.py", line 3, in run\n    dial(5432)\n'
        "OSError: refused",
        ["OSError: refused"],
        "a.py:run@5432",
    ),
    (
        "the first exception of JavaScript and its cause",
        "TypeError: fetch failed\n    at run (/app/a.js:3:9) {\n"
        "  [cause]: Error: connect ECONNREFUSED 127.0.0.1:9200\n}",
        ["TypeError: fetch failed", "  [cause]: Error: connect ECONNREFUSED 127.0.0.1:9200"],
        "a.js:run",
    ),
    (
        "no location when all code is foreign",
        "Error: x\n    at f (node:net:1:2)\n    at Object.<anonymous> (a.js:1:2)",
        ["Error: x"],
        "a.js:<anonymous>",
    ),
    ("frames without an exception", "    at f (/app/a.js:3:9)\nit is over",
     ["it is over"], "a.js:f"),
    ("a traceback without its frames", "Traceback (most recent call last):\nValueError: bad",
     ["ValueError: bad"], None),
    ("a panic before Rust 1.73", "thread 'main' panicked at 'bad', src/a.rs:3:9",
     ["panicked: bad"], "a.rs:"),
    ("a panic since Rust 1.73", "thread 'main' panicked at src/a.rs:3:9:\nbad",
     ["panicked: bad"], "a.rs:"),
    ("a panic without a message", "thread 'main' panicked at src/a.rs:3:9:",
     ["thread 'main' panicked at src/a.rs:3:9:"], "a.rs:"),
    ("a panic without a place", "it panicked at once", ["it panicked at once"], None),
    (
        "pytest's marked lines and the type below them",
        "____ test_a ____\n>   assert 1 == 2\nE   assert 1 == 2\n\ntests/test_x.py:3: "
            "AssertionError",
        ["AssertionError", "assert 1 == 2"],
        "test_x.py:test_a",
    ),
    ("a failing test without its file", "def test_a():\nE   KeyError: 1",
     ["KeyError: 1"], ":test_a"),
    ("marked lines without a title", "E   KeyError: 1", ["KeyError: 1"], None),
    ("marked lines without a type", "E   assert 1 == 2",
     ["AssertionError", "assert 1 == 2"], None),
    (
        "a failing Go test before what it logged",
        "    a_test.go:3: got 1\n--- FAIL: TestA (0.00s)",
        ["--- FAIL: TestA (0.00s)", "    a_test.go:3: got 1"],
        None,
    ),
    (
        "the title of a failing jest test",
        "\u25cf Cart \u203a adds\n\n  expect(received).toBe(expected)\n\n    3 | a\n",
        ["\u25cf Cart ' adds", "  expect(received).toBe(expected)"],
        None,
    ),
    ("a bullet alone", "\u25cf adds", ["\u25cf adds"], None),
    ("a bullet above a stack", "\u25cf adds\n    at f (/app/a.js:3:9)", ["\u25cf adds"], "a.js:f"),
    (
        "npm without its tree and advice",
        "npm ERR! code ERESOLVE\nnpm ERR! Found: react@18.2.0\nnpm ERR! Could not resolve a\n"
        "npm ERR! A complete log of this run can be found in: /x",
        ["npm ERR! code ERESOLVE", "npm ERR! Could not resolve a"],
        None,
    ),
    (
        "rustc with its labels",
        "error[E0308]: mismatched types\n --> src/a.rs:3:9\n  |\n3 |     f(x)\n  |       "
            "^ expected `u8`\n"
        "  | why not\nerror: aborting",
        ["error[E0308]: mismatched types", "expected 'u8'", "why not"],
        "a.rs:",
    ),
    ("an error that only looks like rustc's", "error: no --> here", ["error: no --> here"], None),
    (
        "TypeScript with its details",
        "a.ts(3,9): error TS2322: Type 'a' is not assignable\n  Type 'b' is not\n\nb",
        ["a.ts(3,9): error TS2322: Type 'a' is not assignable", "  Type 'b' is not"],
        None,
    ),
    (
        "what stands below the only diagnostic",
        "error: cannot save\nthe disk\n\nthe end\nmore",
        ["error: cannot save", "the disk"],
        None,
    ),
    ("two diagnostics and a line each", "error: a\nx\ny\nerror: b\nz",
     ["error: a", "x", "y", "error: b", "z"], None),
    ("three diagnostics and nothing else", "error: a\nx\nerror: b\nerror: c",
     ["error: a", "error: b", "error: c"], None),
    ("what make gave up", "cc -o a\nmake: *** [Makefile:3: test] Error 2",
     ["make: *** [Makefile:3: test] Error 2"], None),
    ("the opening of what nobody knows", "es war einmal\n-----\nein K\u00f6nig",
     ["es war einmal", "ein K\u00f6nig"], None),
    ("advice when there is nothing else", "Please log in", ["Please log in"], None),
    ("noise when there is nothing else", "$ make check", ["$ make check"], None),
    ("nothing", "", [], None),
    ("the function a C compiler names", "a.c: In function 'run':\na.c:3:9: error: bad",
     ["a.c:3:9: error: bad"], "a.c:run"),
    ("a place in a line of its own", "/app/src/rec.js:3\n  loop()\nRangeError: too deep",
     ["RangeError: too deep"], "rec.js:"),
    ("no place in the runtime", "/usr/lib/node_modules/x.js:3\nRangeError: too deep",
     ["RangeError: too deep"], None),
    ("a quoted end that names no function", "cannot open 'a.txt'", ["cannot open 'a.txt'"], None),
    ("a quoted end of a plain line", "the file is called 'a'", ["the file is called 'a'"], None),
]  # fmt: skip


@pytest.mark.parametrize(("text", "lines", "location"), [case[1:] for case in CASES],
                         ids=[case[0] for case in CASES])  # fmt: skip
def test_a_verdict_is_chosen(text: str, lines: list[str], location: str | None) -> None:
    found = verdict(text)
    assert found.lines == lines
    assert found.location == location


def test_notes_of_a_compiler_are_context() -> None:
    found = verdict(
        "error[E0277]: bad\n --> a.rs:1:2\n  |\n  = note: expected `a`\n             found `b`\n"
        "  = note: run with `X`\nhelp: c"
    )
    assert found.context == ("note: expected 'a'", "             found 'b'")


def test_the_first_exception_of_a_chain_is_context() -> None:
    frame = '  File "/app/a.py", line 3, in run\n    f()\n'
    chain = f"{frame}KeyError: 1\n\nDuring handling of the above exception\n\n{frame}ValueError: 2"
    assert verdict(chain).context == ("Caused by: KeyError: 1",)
    assert verdict(f"{frame}ValueError: 2").context == ()
    assert verdict(f"{frame}it is over").context == ()


def test_advice_that_names_something_is_context() -> None:
    found = verdict("error: bad\nhint: use 'reset' first\nhint: see 'https://x.example'")
    assert found.context == ("hint: use 'reset' first",)


def test_advice_goes_on_until_its_sentence_ends() -> None:
    found = verdict("error: bad\nTo fix it, install\nthe tool.\nthe end")
    assert found.lines == ["error: bad", "the end"]


def test_the_mark_of_a_test_runner_inside_of_a_line_makes_no_report_of_tests() -> None:
    for mark in ("--- FAIL: ", "\u25cf "):
        line = f"error: cannot read the line with {mark}TestTotal"
        assert verdict_of([line]).lines == [line]
