import json
import sys
import tomllib
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.budget import Budget
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.syntax.json_blocks import read_json
from reflection_mcp.tools.judging.syntax.python_blocks import EXCUSES, Excuse, read_python
from reflection_mcp.tools.judging.syntax.reading import line_of
from reflection_mcp.tools.judging.syntax.syntax_check import BLOCK, CHARACTER, READERS, check
from reflection_mcp.tools.judging.syntax.yaml_blocks import read_yaml
from tests.rows import each_row

DATA = Path(__file__).parent / "data"
FENCE = "```"


def checks(language: str, body: str, *, question: str = "", lead: str = "Here:") -> list[Check]:
    return list(check(Case(question, f"{lead}\n\n{FENCE}{language}\n{body}\n{FENCE}\n")))


def status(language: str, body: str, *, question: str = "", lead: str = "Here:") -> list[str]:
    return [one.status for one in checks(language, body, question=question, lead=lead)]


def test_a_brace_of_an_f_string_that_stays_open_is_no_newer_syntax() -> None:
    assert read_python('print(f"{x()")').result == "broken"


@each_row("excuse", EXCUSES, ids=lambda excuse: excuse.name)
def test_each_excuse_holds_for_its_example_only(excuse: Excuse) -> None:
    reading = read_python(excuse.example)
    if excuse.name == "syntax of a newer Python" and sys.version_info >= (3, 12):
        assert reading.result == "whole"
    else:
        assert (reading.result, reading.message) == ("unclear", excuse.name)
    assert read_python(excuse.counter_example).result == "broken"


def test_code_that_cannot_be_read_whole_is_unclear() -> None:
    assert read_python("x = 1\n" * 10_000).result == "unclear"
    assert read_python("(" * 5_000 + ")" * 5_000).result != "whole"
    assert read_python("a" + ".b" * 9_000).result != "broken"  # since 3.13 it is read whole
    assert read_python("x = 1\0").result in ("unclear", "broken")


def test_python_indented_as_a_whole_parses() -> None:
    assert read_python("    x = 1\n    y = 2").result == "whole"
    assert read_python("\tx = 1\n\ty = 2").result == "whole"


def test_an_f_string_that_is_broken_otherwise_is_broken() -> None:
    assert read_python('print(f"{x}"').result == "broken"
    assert read_python('print(f"x", y z)').result == "broken"


def test_a_line_that_does_not_exist_is_empty() -> None:
    assert line_of("a\nb", 2) == "b"
    assert line_of("a\nb", 3) == ""


def test_the_broken_line_is_the_place() -> None:
    (one,) = checks("python", "x = 1\ny = (2\nz = 3")
    assert one.quote == "y = (2"
    assert one.stated == "'(' was never closed"


def test_a_warning_of_the_parser_does_not_leak() -> None:
    assert status("python", "s = 'C:\\dir'\nassert (1, 'x')") == ["ok"]


@each_row("lead", ["This is wrong:", "Before the change:", "Do not write"])
def test_code_that_the_text_calls_wrong_is_left_alone(lead: str) -> None:
    assert status("python", "if x = 1:\n    pass", lead=lead) == ["unchecked"]


def test_code_of_the_question_is_not_the_answer_s() -> None:
    body = "for i in range(3)\n    print(i)"
    question = f"What is amiss here?\n{body}"
    assert status("python", body, question=question) == ["unchecked"]


def test_a_block_that_is_not_closed_is_left_to_truncation() -> None:
    (one,) = check(Case("", f"{FENCE}json\n[1, 2"))
    assert (one.status, one.kind) == ("unchecked", "syntax:json")


def test_unknown_languages_and_empty_blocks_say_nothing() -> None:
    assert status("cobol", "x (") == []
    assert status("json", "  ") == []


def test_the_code_of_one_answer_has_a_budget() -> None:
    body = "[1, 2]"
    answer = f"{FENCE}json\n{body}\n{FENCE}\n" * 5
    enough_for_two = Budget(2 * (BLOCK + CHARACTER * len(body)))
    found = check(Case("", answer, budget=enough_for_two))
    assert [one.status for one in found] == ["ok", "ok", "unchecked", "unchecked", "unchecked"]


# --------------------------------------------------------------------------- json


def test_json_without_a_fence_is_read_where_it_was_asked_for() -> None:
    ask = "Return the result as JSON."
    assert [one.status for one in check(Case(ask, '{"a": 1}'))] == ["ok"]
    (one,) = check(Case(ask, '{"a": 1,\n"b": 2,}'))
    assert (one.status, one.quote) == ("wrong", '"b": 2,}')
    assert [one.status for one in check(Case(ask, '{"a": ...}'))] == ["unchecked"]
    assert list(check(Case("What is it?", '{"a": 1'))) == []
    assert [one.status for one in check(Case(ask, f"{FENCE}\n[1, 2\n{FENCE}"))] == ["wrong"]


def test_text_after_the_json_that_was_asked_for_is_unclear() -> None:
    (one,) = check(Case("Return it as JSON.", '{"a": 1}\n\nThat is all.'))
    assert one.status == "unchecked"


@each_row(
    ("body", "result"),
    [
        ('{"a": NaN}', "unclear"),
        ("[" * 100_000, "unclear"),
        ("[1," * 50_000, "unclear"),
        ('{"a": 1} {"b": 2}', "unclear"),
        ('{"a": 1} {"b": ', "broken"),
        ('{"a": 1} x', "unclear"),
        ('HTTP/1.1 200 OK\n\n{"a": 1}', "unclear"),
        ('POST /x\n{"a": 1}', "unclear"),
        ('"a": 1,', "unclear"),
        ("[1] \n [2", "broken"),
    ],
)
def test_json_that_is_usual_in_explanations_is_unclear(body: str, result: str) -> None:
    assert read_json(body).result == result


# --------------------------------------------------------------------------- the others


@each_row(
    ("body", "result"),
    [
        ("a: 1", "unclear"),
        ("a:\n\t- b", "broken"),
        ("a: [1, 2\nb: 3", "broken"),
        ("a: [1,\n  2]\nb: {x: 1}", "unclear"),
        ("a: 'it''s'\nb: \"a \\\" b\"", "unclear"),
        ('a: "x\n  y: [\n  z"', "unclear"),
        ("a: 'open", "broken"),
        ("a: b: c", "broken"),
        ("- a: b: c", "broken"),
        ("a: |\n  b: c: d\n  [\n\ne: f", "unclear"),
        ("# a: b: c\n---\na: 1 # b: c", "unclear"),
        ("a: {{ x", "unclear"),
        ("a: ...", "unclear"),
        ("a: 1\n" * 5_000, "unclear"),
        ("[it's, 2]", "unclear"),
    ],
)
def test_yaml_is_faulted_only_for_what_no_reader_forgives(body: str, result: str) -> None:
    assert read_yaml(body).result == result


@given(st.text(max_size=200), st.sampled_from(sorted(READERS)))
def test_no_text_makes_a_reader_raise(body: str, language: str) -> None:
    assert READERS[language](body).result in ("whole", "broken", "unclear")


@each_row("size", [64_000, 1_000_000])
@each_row("unit", ["(", "[", "'", '"', "a: ", "\t", "<a>", "{", "\n", "a=[", "if "])
def test_readers_are_bounded_on_hostile_text(unit: str, size: int) -> None:
    body = (unit * size)[:size]
    for read in READERS.values():
        read(body)


ROWS = [
    json.loads(line)
    for line in (Path(__file__).parent / "data" / "text_code.jsonl").read_text("utf-8").splitlines()
]


def _wrong(row: dict[str, Any]) -> list[str]:
    case = Case(row["question"], row["answer"])
    return sorted({one.kind for one in check(case) if one.status == "wrong"})


def test_blocks_of_many_languages() -> None:
    assert {row["id"]: _wrong(row) for row in ROWS} == {row["id"]: row["wrong"] for row in ROWS}


def test_python_2_is_unclear() -> None:
    assert read_python('print "hello"').result == "unclear"
    assert read_python("if a <> b:\n    pass").result == "unclear"


@each_row(
    "body",
    [
        "elif x > 3:\n    y()",
        "elif x > 3:",
        "# in the loop\nelse:\n    y()",
        "except ValueError as e:\n    print(e)",
        "except ValueError as e:",
        "finally:\n    close()",
        "case 3:\n    f()",
        "case 3:",
        '@app.get("/x")',
        "class X(Base):",
        "class X(Base):\n    def f(self):",
        "def f(\n    a: int,\n    b: int,\n) -> str:",
        "def f():\ndef g(a, b):",
        "async def iter_sse() -> AsyncIterator[Event]",
        "def connect(\n    url: str,\n    **kwargs,\n) -> ContextManager[Source]",
        "get(key: str) -> dict[str, Any] | None:\n\nput(key: str, ttl: float = 0.0) -> None:",
        "cpdef double g(double y) nogil:\n    return y",
        "from libc.math cimport sin\nx = <double> sin(1)",
        "+ x = 1\n- y = 2",
        "x = 1\n-y = 2\n+y = 3\n",
        "- x = 1",
        "'key': 1,\n'other': 2,",
        "*args,\nname='x',\n**options,",
        "if x = 3:  # SyntaxError\n    pass",
        "# \u274c\nif x = 3:\n    pass",
    ],
)
def test_a_piece_of_python_is_no_fault(body: str) -> None:
    assert status("python", body) == ["unchecked"]


@each_row(
    "body",
    [
        "else\n    y()",
        "except ValueError as e\n    print(e)",
        "case 3\n    f()",
        "def f(a: int -> str:",
        "def f(a:\ndef g(b):",
        "class X(Base):\n    y = 1\n    def f(self):",
        "x = 1\ndef f():",
        "@app.get(",
    ],
)
def test_a_piece_of_python_may_still_be_broken(body: str) -> None:
    assert status("python", body) == ["wrong"]


BROKEN = "def f()\n    return 1"


@each_row(
    ("question", "lead", "after"),
    [
        ("Give pseudocode for it.", "Here:", ""),
        ("", "As pseudo-code, with a colon left out on purpose and then some words:", ""),
        ("Fix my code.", "Your code lacks a colon:", ""),
        ("Fix my code.", "You have:", ""),
        ("Fix my code.", "Current code:", ""),
        ("Fix my code.", "Replace the first line of", ""),
        ("What does it print?", "Output:", ""),
        ("Fix my code.", "The first line:", "This is missing a colon."),
        ("Fix my code.", "The first line:", "It raises a SyntaxError. Add the colon."),
        ("Fix my code.", "The first line:", "That won't parse."),
    ],
)
def test_code_that_is_shown_to_be_wrong_or_no_code_is_left_alone(
    question: str, lead: str, after: str
) -> None:
    answer = f"{lead}\n\n{FENCE}python\n{BROKEN}\n{FENCE}\n\n{after}"
    assert [one.status for one in check(Case(question, answer))] == ["unchecked"]
    assert status("python", BROKEN, question="Write it.", lead="Here it is:") == ["wrong"]


def test_a_diff_or_a_branch_is_no_fault_in_other_languages() -> None:
    assert status("json", '-  "a": 1\n+  "a": 2') == ["unchecked"]


BLOCKS_ON_PURPOSE = tomllib.loads((DATA / "broken_blocks.toml").read_text("utf-8"))["case"]


@each_row("row", BLOCKS_ON_PURPOSE, ids=lambda row: row["question"][:40])
def test_a_piece_that_was_asked_for_and_a_fault_that_is_explained_are_no_faults(
    row: dict[str, Any],
) -> None:
    found = check(Case(question=row["question"], answer=row["answer"]))
    assert any(one.status == "wrong" for one in found) == row["fault"]
