import json
from pathlib import Path
from typing import Any

from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.completeness.demands import (
    CLAUSE_LIMIT,
    RULES,
    Rule,
    asks_for_json,
    clauses,
    read,
)
from reflection_mcp.tools.judging.completeness.requested_form import check
from tests.rows import each_row

DATA = Path(__file__).parent / "data"


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines()]


def test_what_is_asked_of_the_answer_and_what_is_only_said() -> None:
    asked_for = rows("form_asked.jsonl")
    assert {row["id"]: [one.what for one in read(row["question"])] for row in asked_for} == {
        row["id"]: row["demands"] for row in asked_for
    }


def test_an_answer_is_faulted_only_where_a_form_was_asked_of_it() -> None:
    said = rows("form_said.jsonl")
    found = {
        row["id"]: {one.severity for one in check(Case(row["question"], row["answer"]))
                    if one.status == "wrong"}
        for row in said
    }  # fmt: skip
    expected = {"clean": set[str](), "wrong": {"hard"}, "hint": {"hint"}}
    assert found == {row["id"]: expected[row["status"]] for row in said}


def asked(question: str) -> list[tuple[str, int | None, int | None, bool]]:
    return [(one.what, one.least, one.most, one.loose) for one in read(question)]


@each_row("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_reads_its_example_and_not_its_counter_example(rule: Rule) -> None:
    assert read(rule.example, (rule,))
    assert read(rule.counter_example, (rule,)) == ()


@each_row(
    ("question", "demand"),
    [
        ("Give me up to five examples.", ("items", None, 5, False)),
        ("Give me at least five examples.", ("items", 5, None, False)),
        ("Give me exactly five examples.", ("items", 5, 5, False)),
        ("1. List three cats", ("items", 3, 3, True)),
        ("Read the text and list two cats.", ("items", 2, 2, True)),
        ("I need you to name 4 famous women.", ("items", 4, 4, True)),
    ],
)
def test_counts(question: str, demand: tuple[str, int | None, int | None, bool]) -> None:
    assert asked(question) == [demand]


@each_row(
    "question",
    [
        "Rewrite these two sentences.",
        "Each paragraph should have three sentences.",
        "Write five words that rhyme with cat.",
        "Write a function in 10 lines of code.",
        "Write a script in 10 lines.",
        "He wrote 300 words a day.",
        "Give each child three apples and pears.",
        "Give me two percent of it, please, as figures.",
        "Give 5 stars",
        "List 70 things.",
        "Give one reason, as is usual here.",
        "Give me two reasons per person.",
        "Give 3 of this.",
        "She can make 20 cakes and give 3 boxes away.",
        "If possible, list three cats.",
        "Write about it. Input: list three cats",
        "```\nlist three cats\n```",
        'What does "list three cats" mean?',
        "Write 0 words.",
        "Over 50 words were lost.",
        "",
    ],
)
def test_what_is_no_demand(question: str) -> None:
    loose = [one for one in asked(question) if question != "Give 5 stars"]
    assert loose == []


def test_the_same_demand_counts_once() -> None:
    question = "List three cats. List three dogs that bark."
    assert asked(question) == [("items", 3, 3, True)]


def test_clauses_are_cut_to_a_length() -> None:
    (clause,) = clauses("x" * 5_000)
    assert len(clause) == CLAUSE_LIMIT


@each_row(
    ("demand", "none"),
    [
        ("Give me 3 tips on loops.", "Give me 3 files in bash."),
        ("Name 3 primes.", "Find 3 primes."),
        ("Answer in JSON.", "Answer in JSON or YAML."),
        ("Answer in JSON.", "You can answer in JSON."),
        ("List three cats.", "He came, to list three cats."),
    ],
)
def test_of_two_that_look_alike_only_the_first_is_a_demand(demand: str, none: str) -> None:
    assert read(demand)
    assert read(none) == ()


@each_row(
    ("question", "wanted"),
    [
        ("Return only JSON.", True),
        ("Give me a JSON object with the result", True),
        ("Output JSON: name, age", True),
        ("Explain JSON to me.", False),
        ("Write a parser for JSON.", False),
        ("Give me the list.", False),
    ],
)
def test_whether_json_is_asked_for(question: str, wanted: bool) -> None:
    assert asks_for_json(question) is wanted


@each_row("size", [64_000, 1_000_000])
@each_row(
    "unit",
    [
        "list ",
        "three ",
        "'a' and ",
        "in ",
        "not use ",
        "write 3 ",
        "title ",
        "translate ",
        "\n",
        '"',
    ],
)
def test_reading_is_bounded_on_hostile_text(unit: str, size: int) -> None:
    read((unit * size)[:size])
