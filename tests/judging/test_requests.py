import pytest

from reflection_mcp.tools.judging.requests.demands import CLAUSE_LIMIT, Demand, Rule, clauses, read
from reflection_mcp.tools.judging.requests.form import FORM_RULES, asks_for_json
from reflection_mcp.tools.judging.requests.length import LENGTH_RULES

RULES = (*LENGTH_RULES, *FORM_RULES)


def asked(question: str) -> list[tuple[str, int | None, int | None, bool]]:
    return [(one.what, one.least, one.most, one.loose) for one in read(question, RULES)]


def named(question: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(one.what, one.texts) for one in read(question, RULES)]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_reads_its_example_and_not_its_counter_example(rule: Rule) -> None:
    assert read(rule.example, (rule,))
    assert read(rule.counter_example, (rule,)) == ()


@pytest.mark.parametrize(
    "question",
    [
        *(f"Answer in exactly two {unit}." for unit in ("sentences", "paragraphs", "lines")),
        *(
            f"Use at most 50 {unit}."
            for unit in ("WORDS", "characters", "bullet points", "sections")
        ),
        *(f"Write your answer in {letters}." for letters in ("all caps", "ALL CAPITAL LETTERS")),
        *(f"Write it in {letters}." for letters in ("all uppercase", "all lowercase letters")),
        "Write it in all small letters.",
        *(f'{verb} your answer with "Dear diary".' for verb in ("Start", "Begin", "Open")),
        *(
            f'{verb} your answer with "So be it".'
            for verb in ("End", "Finish", "Conclude", "Close")
        ),
        "Reply in valid Json.",
        "Do not use any Commas.",
    ],
)
def test_each_word_of_a_demand_is_enough_to_read_it(question: str) -> None:
    assert len(read(question, RULES)) == 1


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
        ("Write two more sentences.", ("sentences", 2, None, True)),
        ("Write a dozen lines of verse.", ("lines", 12, 12, True)),
        ("Answer in 5 words.", ("words", 5, 5, True)),
        ("Give me up to five examples.", ("items", None, 5, False)),
        ("1. List three cats", ("items", 3, 3, True)),
        ("Read the text and list two cats.", ("items", 2, 2, True)),
        ("I need you to name 4 famous women.", ("items", 4, 4, True)),
        ("Do it in 280 characters max.", ("characters", None, 280, False)),
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
        ("Include keywords ['alps', 'bern'] in the response.", ("keyword", ("alps", "bern"))),
        ("Avoid using the word 'nice'.", ("forbidden", ("nice",))),
        ("Never use the letter 'e'.", ("forbidden", ("e",))),
        ('Please end with "Bye".', ("end", ("Bye",))),
        ("Reply in Korean, please.", ("language", ("korean",))),
        ("Translate it to German.", ("language", ("german",))),
        ("Write it without commas.", ("no commas", ())),
    ],
)
def test_words_and_languages(question: str, demand: tuple[str, tuple[str, ...]]) -> None:
    assert named(question) == [demand]


def test_empty_quotation_marks_demand_nothing() -> None:
    assert named("Use the word '.'.") == []


def test_the_same_demand_counts_once() -> None:
    question = "List three cats. List three dogs that bark."
    assert asked(question) == [("items", 3, 3, True)]


def test_how_often_something_should_stand() -> None:
    (demand,) = read("The word 'a b' should appear at least 3 times.", RULES)
    assert demand == Demand(
        what="keyword",
        said="word 'a b' should appear at least 3 times",
        least=3,
        texts=("a b",),
    )


def test_clauses_are_cut_to_a_length() -> None:
    ((written, blanked),) = clauses("x" * 5_000)
    assert len(written) == len(blanked) == CLAUSE_LIMIT


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
    read((unit * size)[:size], RULES)
