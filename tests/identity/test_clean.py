"""What was added on the way goes; what the failing tool said stays."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reflection_mcp.tools.identity.cleaning import prefixes
from reflection_mcp.tools.identity.cleaning.clean import clean

SAID = "KeyError: 'a'"
BOX = """\
\u256d\u2500 Traceback \u2500\u2500\u256e
\u2502 KeyError: 'a' \u2502
\u2570\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u2500\u256f"""


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("\x1b[31mKeyError\x1b[0m: 'a'", [SAID]),
        ("\x1b]0;title\x07KeyError: 'a'", [SAID]),
        ("[1;31mKeyError: 'a'[0m", [SAID]),
        ("\u200bKeyError:\u00a0\u2018a\u2019\x00", [SAID]),
        ("\uff2bey\uff25rror: 'a'", [SAID]),
        ("KeyError: `a`", [SAID]),
        ("KeyError: 'a'\r\n", [SAID, ""]),
        ("KeyError: &#39;a&#39;", [SAID]),
        ("<pre><code>KeyError: 'a'</code></pre>", [SAID]),
        ("```\nKeyError: 'a'\n```", [SAID]),
        ("    KeyError: 'a'", [SAID]),
        ("> KeyError: 'a'", [SAID]),
        ("1 KeyError:\n2 one\n3 two", ["KeyError:", "one", "two"]),
        ("1 KeyError:\n2 one\n7 two", ["1 KeyError:", "2 one", "7 two"]),
        ("deploy\tRun tests\t2025-06-01T08:00:11.113Z KeyError: 'a'", [SAID]),
        ("2025-06-01T08:00:11Z [pod/a-1/api] KeyError: 'a'", [SAID]),
        ("> ```\n> KeyError: 'a'\n> ```", [SAID]),
        ("It breaks.\n```python\nx = {}\n```\nKeyError: 'a'", ["It breaks.", "x = {}", SAID]),
        ("see\n~~~log\nKeyError: 'a'\n", [SAID, ""]),
        ("Hi, I'm getting this:\n\nKeyError: 'a'\n\nAny idea?", ["", SAID, ""]),
        ("I see KeyError: 'b' and then\nKeyError: 'a'", ["I see KeyError: 'b' and then", SAID]),
        ("What now?", ["What now?"]),
        (BOX, [SAID, ""]),
        ("\u2500\u2500 KeyError: 'a' \u2500\u2500", ["\u2500\u2500 KeyError: 'a' \u2500\u2500"]),
        ("a/b: one\na/b: two\na/b: three", ["one", "two", "three"]),
        ("a/b.c: one\na/b.c: two\na/b.c: three", ["a/b.c: one", "a/b.c: two", "a/b.c: three"]),
        ("a/b: one\na/b: two\nthree", ["a/b: one", "a/b: two", "three"]),
        ("2025-06-01 08:00:11 ERROR ValueError : x", ["ValueError : x"]),
        ("2025-06-01 08:00:11 [ERROR]    | x\n2025-06-01 08:00:11 y", ["   | x", "y"]),
        ("08:00:11.113 E   x", ["E   x"]),
        (
            "ImportError while importing tests/test_cart.py:3: in <module> from cart import total"
            " cart.py:1: in <module> import yaml",
            [
                "ImportError while importing",
                "tests/test_cart.py:3: in <module> from cart import total",
                "cart.py:1: in <module> import yaml",
            ],
        ),
        (
            "error: Command returned non-zero exit status 2 while it built the wheel of the shop",
            ["error: Command returned non-zero exit status 2 while it built the wheel of the shop"],
        ),
        (
            "make: the build of the shop has stopped in the midst of its second part exit status 2",
            [
                "make: the build of the shop has stopped in the midst of its second part",
                "exit status 2",
            ],
        ),
        ("the array a[0m] is fine", ["the array a[0m] is fine"]),
        ("C:\\new\\nginx is gone", ["C:\\new\\nginx is gone"]),
        ("x" * 600 + "y" * 600, ["x" * 500 + " " + "y" * 500]),
    ],
)
def test_a_text_is_cleaned(text: str, lines: list[str]) -> None:
    assert clean(text) == lines


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (json.dumps(SAID), [SAID]),
        (json.dumps({"message": SAID}), [SAID]),
        (json.dumps({"level": "error", "error": {"code": 404, "message": "no cart"}}),
         ["code: 404", "no cart"]),
        (json.dumps({"msg": "job failed", "stack": "KeyError: 'a'\n  at x"}), [SAID, "  at x"]),
        (json.dumps({"msg": "job failed", "stack": "none"}), ["job failed", "none"]),
        (json.dumps({"errors": [{"message": "first"}, {"message": "second"}, 3]}),
         ["first", "second"]),
        (json.dumps([{"message": SAID}]), [SAID]),
        (json.dumps({"result": True, "count": 3}), ['{"result": true, "count": 3}']),
        (json.dumps({"message": ""}), ['{"message": ""}']),
        ("Tool call failed: " + json.dumps(SAID), [SAID]),
        ("b'KeyError: \\'a\\'\\nagain'", [SAID, "again"]),
        ("'one\\n\u2018two\u2019'", ["one", "'two'"]),
        (json.dumps(json.dumps({"msg": SAID})), [SAID]),
        ("error: |\n  KeyError: 'a'\n", [SAID]),
        ("fatal: [web1]: FAILED! => " + json.dumps({"msg": "rc 1", "stderr": SAID}), [SAID]),
        ("cannot parse " + json.dumps(SAID), ["cannot parse \"KeyError: 'a'\""]),
        ('{"message": broken', ['{"message": broken']),
        ('level=error ts=1 msg="cannot open \\"a\\"\\nagain"', ['cannot open "a"', "again"]),
        ('level=error ts=1 msg="no \\u25cf here"', ["no \u25cf here"]),
        ('level=error ts=1 msg="no C:\\q here\\n\\tat x"', ["no C:\\q here", "\tat x"]),
        ('level=error count="3"', ['level=error count="3"']),
        ("starting\n" + json.dumps({"message": SAID}), ["starting", SAID]),
        ("starting\n" + json.dumps({"count": 3}), ["starting", '{"count": 3}']),
        ("> " + json.dumps({"message": SAID}), [SAID]),
        ("KeyError: 'a'\\nat line 3\\nin b", [SAID, "at line 3", "in b"]),
        ("cannot open \\\"a\\x\\\"", ['cannot open "a\\x"']),
    ],
)  # fmt: skip
def test_an_envelope_is_opened(text: str, lines: list[str]) -> None:
    assert clean(text) == lines


def test_json_that_is_nested_for_ever_is_left_alone() -> None:
    assert clean('{"a":' * 3_000) != []
    deep: object = "too deep"
    for _ in range(9):
        deep = {"error": deep}
    assert clean(json.dumps(deep)) == [json.dumps(deep)]


def test_lines_cut_at_one_width_are_joined() -> None:
    long = (
        "error: the server at shop.example did not answer in time, so the order was not "
        "placed at all"
    )
    cut = "\n".join(long[at : at + 40] for at in range(0, len(long), 40))
    assert clean("\n".join(long[at : at + 80] for at in range(0, len(long), 80))) == [long]
    assert clean(cut) == cut.split("\n")


@pytest.mark.parametrize(
    "below",
    ["Next sentence", "", "a.py:4: again", "  indented", "-- b", "12 | code"],
)
def test_a_whole_line_of_a_terminals_width_is_not_joined_with_the_next(below: str) -> None:
    line = ("a.py:3: error " + "word " * 20)[:80]
    assert clean(f"{line}\n{below}") == [line.rstrip(), below]


def test_a_line_that_ends_with_a_place_is_whole() -> None:
    line = "x" * 76 + ".c:9"
    assert clean(f"{line}\nfoo(") == [line, "foo("]


def test_a_line_cut_before_a_space_is_joined() -> None:
    line = "x" * 80
    assert clean(f"{line}\n y") == [f"{line} y"]
    other = "y" * 80
    assert clean(f"{line}\n{other}\n z\n.") == [f"{line}{other} z", "."]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (
            'Traceback (most recent call last): File "/a.py", line 3, in f x() KeyError: \'a\'',
            ["Traceback (most recent call last):", '  File "/a.py", line 3, in f', "    x()", SAID],
        ),
        (
            'log: Traceback (most recent call last): File "/a.py", line 3, in f KeyError: 1\nend',
            [
                "Traceback (most recent call last):", '  File "/a.py", line 3, in f', "",
                "KeyError: 1", "end",
            ],
        ),
        (
            "Error: x at f (/a.js:1:2) at g (/a.js:3:4)",
            ["Error: x", "    at f (/a.js:1:2)", "    at g (/a.js:3:4)"],
        ),
        (
            "noise\nError: x at f (/a.js:1:2) at g (/a.js:3:4) Caused by: y",
            ["noise", "Error: x", "    at f (/a.js:1:2)", "    at g (/a.js:3:4)", "Caused by: y"],
        ),
        ("error: x --> a.rs:1:2", ["error: x", " --> a.rs:1:2"]),
        ("one | two | three", ["one", "two", "three"]),
        ("type 'a | b | c' is wrong", ["type 'a | b | c' is wrong"]),
        ("one \u23ce two<br>three", ["one", "two", "three"]),
    ],
)  # fmt: skip
def test_what_was_collapsed_into_one_line_is_spread(text: str, lines: list[str]) -> None:
    assert clean(text) == lines


def test_an_exception_group_loses_its_frame() -> None:
    text = (
        "  + Exception Group Traceback (most recent call last):\n  | KeyError: 'a'\n  +-+--- 1 ----"
    )
    assert clean(text)[1].strip() == SAID


@settings(derandomize=True, deadline=None, max_examples=150)
@given(st.text(max_size=200))
def test_any_text_is_cleaned(text: str) -> None:
    assert all("\n" not in line for line in clean(text))


def test_where_a_line_was_found_in_a_log_goes_and_a_log_that_is_named_stays() -> None:
    row = prefixes.FOUND
    assert prefixes.without_prefixes([row.example]) == ["x"]
    assert prefixes.without_prefixes([row.other, "/var/app.log:3 is full"]) == [
        row.other, "/var/app.log:3 is full",
    ]  # fmt: skip
