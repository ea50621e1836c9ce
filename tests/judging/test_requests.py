import json
from pathlib import Path
from typing import Any

import pytest

from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.requests.clauses import CLAUSE_LIMIT, clauses
from reflection_mcp.tools.judging.requests.demands import RULES, Rule, asks_for_json, read
from reflection_mcp.tools.judging.requests.request_check import check

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


def named(question: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(one.what, one.texts) for one in read(question)]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_reads_its_example_and_not_its_counter_example(rule: Rule) -> None:
    assert read(rule.example, (rule,))
    assert read(rule.counter_example, (rule,)) == ()


@pytest.mark.parametrize(
    ("question", "demand"),
    [
        ("Write at least 50 words.", ("words", 50, None, False)),
        ("Use no more than 50 words.", ("words", None, 50, False)),
        ("Write more than 50 words.", ("words", 51, None, False)),
        ("Explain it in under 50 words.", ("words", None, 49, False)),
        ("Explain it in about 50 words.", ("words", 50, 50, True)),
        ("Explain it in exactly 50 words.", ("words", 50, 50, False)),
        ("Explain it in 50-80 words.", ("words", 50, 80, False)),
        ("Explain it in 50 words or less.", ("words", None, 50, False)),
        ("Explain it in 50 words or more.", ("words", 50, None, False)),
        ("Write a 3-paragraph text.", ("paragraphs", 3, 3, True)),
        ("Write a dozen lines of verse.", ("lines", 12, 12, True)),
        ("Answer in 5 words.", ("words", 5, 5, True)),
        ("Give me up to five examples.", ("items", None, 5, False)),
        ("1. List three cats", ("items", 3, 3, True)),
        ("Read the text and list two cats.", ("items", 2, 2, True)),
        ("I need you to name 4 famous women.", ("items", 4, 4, True)),
        ("Do it in at most 280 characters.", ("characters", None, 280, False)),
    ],
)
def test_counts_and_lengths(
    question: str, demand: tuple[str, int | None, int | None, bool]
) -> None:
    assert asked(question) == [demand]


@pytest.mark.parametrize(
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


@pytest.mark.parametrize(
    ("question", "demand"),
    [
        ("Use the words 'a b', 'c' and \u201cd\u201d.", ("keyword", ("a b", "c", "d"))),
        ("Avoid using the word 'nice'.", ("forbidden", ("nice",))),
        ("Never use the letter 'e'.", ("forbidden", ("e",))),
        ("Reply in Korean, please.", ("language", ("korean",))),
        ("Translate it to German.", ("language", ("german",))),
    ],
)
def test_words_and_languages(question: str, demand: tuple[str, tuple[str, ...]]) -> None:
    assert named(question) == [demand]


def test_empty_quotation_marks_demand_nothing() -> None:
    assert named("Use the word '.'.") == []


def test_the_same_demand_counts_once() -> None:
    question = "List three cats. List three dogs that bark."
    assert asked(question) == [("items", 3, 3, True)]


def test_clauses_are_cut_to_a_length() -> None:
    (clause,) = clauses("x" * 5_000)
    assert len(clause) == CLAUSE_LIMIT


@pytest.mark.parametrize(
    ("demand", "none"),
    [
        ("Write a poem in French.", "Write a CSS rule in French."),
        ("Explain it in two sentences.", "Explain how to split it in two sentences."),
        ("What is rain in one sentence?", "Why is rain shown in one sentence?"),
        ("Write a regex. Explain it in 50 words.", "Write a regex of at most 50 characters."),
        ("Write a tale of at most 50 words.", "Give me a username of at most 50 characters."),
        ("Write a tale containing the word 'so'.", "List files containing the word 'so'."),
        ("Give me 3 tips on loops in bash.", "Give me 3 files in bash."),
        ("Find 3 songs that last.", "Find 3 songs whose lengths add up."),
        ("Name 3 primes.", "Name 3 primes whose sum is 15."),
        ("Write at most 50 words.", "Do not write 50 words."),
        ("Answer in JSON.", "Answer in JSON or YAML."),
        ("Answer in French.", "You can answer in French."),
        ("Use the word 'sun'.", "Use the word 'sun' or something like it."),
        ("Your summary must have at most 50 words.", "He came, with at least 50 words to say."),
        ("The summary must have 50 words.", "The summary must have 50 words. How do I count?"),
    ],
)
def test_of_two_that_look_alike_only_the_first_is_a_demand(demand: str, none: str) -> None:
    assert read(demand)
    assert read(none) == ()


@pytest.mark.parametrize(
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


@pytest.mark.parametrize("size", [64_000, 1_000_000])
@pytest.mark.parametrize(
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
