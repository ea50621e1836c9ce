"""Which words about a form are a demand on the answer, and which only speak of a form."""

import json
from pathlib import Path
from typing import Any

import pytest

from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.requests import addressed as decisions
from reflection_mcp.tools.judging.requests import moods, nouns
from reflection_mcp.tools.judging.requests.addressed import addressed, scene
from reflection_mcp.tools.judging.requests.check import check
from reflection_mcp.tools.judging.requests.demands import read
from reflection_mcp.tools.judging.requests.form import FORM_RULES
from reflection_mcp.tools.judging.requests.length import LENGTH_RULES
from reflection_mcp.tools.judging.requests.moods import pieces
from reflection_mcp.tools.judging.requests.nouns import TEXT_NOUN
from reflection_mcp.tools.judging.requests.wording import RequestPhrase

RULES = (*LENGTH_RULES, *FORM_RULES)
DATA = Path(__file__).parent / "data"
WORDINGS = {
    f"{module.__name__.rpartition('.')[2]}.{name}": wording
    for module in (nouns, moods, decisions)
    for name, wording in vars(module).items()
    if isinstance(wording, RequestPhrase)
}


def rows(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines()]


def status(question: str, answer: str) -> str:
    wrong = [found for found in check(Case(question, answer)) if found.status == "wrong"]
    if any(found.severity == "hard" for found in wrong):
        return "wrong"
    return "hint" if wrong else "clean"


def test_only_answers_that_miss_what_was_asked_of_them_are_flagged() -> None:
    said = rows("form_said.jsonl")
    found = {row["id"]: status(row["question"], row["answer"]) for row in said}
    assert found == {row["id"]: row["status"] for row in said}


def test_a_question_about_a_form_asks_for_none_and_an_order_does() -> None:
    asked = rows("form_asked.jsonl")
    found = {r["id"]: sorted({one.what for one in read(r["question"], RULES)}) for r in asked}
    assert found == {row["id"]: row["demands"] for row in asked}


@pytest.mark.parametrize("wording", WORDINGS.values(), ids=WORDINGS)
def test_a_wording_is_found_in_its_example_and_not_in_what_looks_like_it(
    wording: RequestPhrase,
) -> None:
    assert wording.found(wording.example)
    assert not wording.found(wording.counter)


@pytest.mark.parametrize(
    ("clause", "meant"),
    [
        ("How do I return JSON", ["question"]),
        ("how do I return JSON", ["question"]),
        ("Please also return JSON", ["order"]),
        ("1. Briefly describe it", ["order"]),
        ("Can you return JSON", ["order"]),
        ("Can curl return JSON", ["question"]),
        ("Should I write it", ["question"]),
        ("I want JSON", ["wish"]),
        ("I want to return JSON", ["statement"]),
        ("Make sure that it ends", ["wish"]),
        ("It must end", ["statement"]),
        ("My string must end", [""]),
        ("You are not allowed to end", ["order"]),
        ("Do it", ["order"]),
        ("Do you", ["question"]),
        ("In short: why", ["", "question"]),
        ("Write a note and I want it short", ["order", "wish"]),
    ],
)
def test_the_mood_of_a_piece_is_that_of_its_first_words(clause: str, meant: list[str]) -> None:
    assert [piece.mood for piece in pieces(clause)] == meant


def demanded(question: str) -> bool:
    return bool(read(question, RULES))


@pytest.mark.parametrize(
    ("demand", "none"),
    [
        ("Write a poem in all caps.", "Write a CSS rule in all caps."),
        ("Write a poem to my aunt in all caps.", "Write a line to show names in all caps."),
        ("Write a poem that is sad in all caps.", "Write a poem that shows names in all caps."),
        ("Write a poem to cats in all caps.", "Write words to print in all caps."),
        ("The answer must start with 'So'. Why?", "The output must start with 'So'. Why?"),
        ("It must start with 'So'. Write a tale.", "It must start with 'So'. Write a regex."),
        ("It must start with 'So'.", "It must start with 'So', how do I check it?"),
        ("I want it to start with 'So'.", "I want my ids to start with 'So'."),
        ("Make sure to use the word 'so'.", "Make sure my file does not use the word 'so'."),
        ("Be sure you use the word 'so'.", "Make sure the app shows that to use the word 'so'."),
        ("I want the list of towns in JSON.", "I want a query for the list in JSON."),
        ("I want the list of towns in JSON.", "I want the list of towns from bash in JSON."),
        ("Note: do not use the word 'so'.", "The guide says: do not use the word 'so'."),
        ("Explain it in two sentences.", "Explain how to split it in two sentences."),
        ("What is rain in one sentence?", "What is the longest tale in one sentence?"),
        ("Why does it rain, in one word?", "Why does it rain, one word at most 5 lines?"),
        ("Who is he, in at most 5 words?", "Who wrote, at most 5 words a day, in vain?"),
        ("Write a regex. Explain it in 50 words.", "Write a regex. Use at most 50 words."),
        ("Write a tale of at most 50 words.", "Give me a name of at most 50 characters."),
        ("Write a tale containing the word 'so'.", "List files containing the word 'so'."),
        ("Write to Ann, with at least 50 words.", "He came, with at least 50 words to say."),
        ("Give me 3 tips on loops in bash.", "Give me 3 files in bash."),
        ("Find 3 songs that last.", "Find 3 songs whose lengths add up."),
        ("Name 3 primes.", "Name 3 primes whose sum is 15."),
        ("Choose 3 cards.", "Choose 3 cards: how many ways are there?"),
        ("Begin with 'Dear [name]'.", "Begin with '[name]'."),
        ("Begin with 'Yes' or 'No'.", "Begin with 'Yes' or something like it."),
        ("Write a poem about rain in French.", "Write an essay about verbs in French."),
        ("Fix it. Your answer must end with 'So'.", "Fix it. The output must end with 'So'."),
    ],
)
def test_of_two_that_look_alike_only_the_first_is_a_demand(demand: str, none: str) -> None:
    assert demanded(demand)
    assert not demanded(none)


def test_words_that_follow_nothing_that_is_known_are_no_demand() -> None:
    clause = "Grep for it in one word"
    assert not addressed(clause, scene([clause]), 12, len(clause), "words")
    assert TEXT_NOUN.startswith("(?:answer|")


@pytest.mark.parametrize(
    ("question", "bounds"),
    [
        ("Do not write more than 50 words.", [("words", None, 50)]),
        ("Your answer should not be longer than 50 words.", [("words", None, 50)]),
        ("Never write over 20 words.", [("words", None, 20)]),
        ("Do not use less than 30 words.", [("words", 30, None)]),
        ("Do not use commas and write at least 30 words.", [("words", 30, None), ("no commas",)]),
        ("Do not write at least 30 words.", []),
        ("Do not write 30 words.", []),
        ("Do not write at most 30 words.", []),
        ("Try not to start with 'So'.", []),
        ("Don't answer in French.", []),
        ("Please do not respond in JSON.", []),
        ("Your answer must not be in all caps.", []),
        ("You can answer in French.", []),
        ("You may use at most 5 words.", [("words", None, 5)]),
        ("Answer in JSON or YAML.", []),
        ("Write it in all caps or not.", []),
        ("Write at least 50 words or draw it.", []),
    ],
)
def test_what_is_not_to_be_is_turned_round_or_left_and_a_choice_binds_to_nothing(
    question: str, bounds: list[tuple[object, ...]]
) -> None:
    found = [
        (one.what, one.least, one.most) if one.least or one.most else (one.what,)
        for one in read(question, RULES)
    ]
    assert found == bounds
