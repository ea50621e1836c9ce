"""Numbers and names of an answer against a context that it was to rest on alone."""

from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.grounding.grounding_check import check
from reflection_mcp.tools.judging.grounding.name_check import peoples
from reflection_mcp.tools.judging.grounding.number_check import Ledger
from reflection_mcp.tools.judging.texts.source import Source
from tests.rows import each_row

PAGE = (
    "Halvor Marine closed the quarter with a revenue of $412.6 million, up from $367.9 million. "
    "The yards in Bergen and Gdynia employ 1,140 people, 240 of them in Gdynia. The firm was "
    "founded in 1958 and has paid a dividend for 12 years. On 3 May 2023 it sold 8 ferries of 95 "
    "metres for 30% of their price. Release 2.14.7 of its software is used by Port Authority staff."
)


def statuses(answer: str, kind: str, question: str = "") -> list[str]:
    case = Case(question, answer, PAGE, only_context=True)
    return [one.status for one in check(case) if one.kind == f"grounding:{kind}"]


@each_row(
    ("answer", "expected"),
    [
        ("It sold them on May 3, 2023.", "ok"),
        ("It sold them on 9 June 2023.", "unchecked"),
        ("It sold them on 3 May 2019.", "wrong"),
        ("The yards employ 1,140 people.", "ok"),
        ("The yards employ 1140 people.", "ok"),
        ("The yards employ about 1,100 people.", "unchecked"),
        ("The yards employ 900 people outside of Gdynia.", "unchecked"),
        ("Revenue was $413 million.", "unchecked"),
        ("Revenue was $512 million.", "wrong"),
        ("Revenue rose by $44.7 million.", "unchecked"),
        ("Revenue rose by 12.1 percent.", "unchecked"),
        ("It was founded in 1958.", "ok"),
        ("It was founded in 1985.", "wrong"),
        ("It was founded in the 1950s.", "ok"),
        ("It was founded in the 1980s.", "unchecked"),
        ("It began to pay in 1970, the firm then 12 years old.", "unchecked"),
        ("They are all of them, 100 %.", "unchecked"),
        ("The ferries are 95 metres long.", "ok"),
        ("The ferries are 760 metres long in total.", "unchecked"),
        ("Each of the ferries weighs 540 tonnes.", "unchecked"),
        ("The staff use version 9 of it.", "unchecked"),
        ("It is told on page 77 of it.", "unchecked"),
        ("The ferries have 5 decks each.", "unchecked"),
        ("The yards employ 1,620 people in total, with those of Gdynia.", "wrong"),
        ("The firm was founded 65 years before 2023, in 1958.", "unchecked"),
    ],
)
def test_a_number_stands_there_or_follows_or_is_a_fault(answer: str, expected: str) -> None:
    assert statuses(answer, "number")[0] == expected


def test_parts_of_dates_and_versions_are_no_numbers_and_no_material() -> None:
    assert statuses("On 3 May 2023 they used 3.15.2 at 10:30.", "number") == ["ok"]  # the year
    assert Ledger(Source(PAGE)).material == [
        412.6e6, 367.9e6, 1140.0, 240.0, 1958.0, 12.0, 2023.0, 8.0, 95.0, 30.0,
    ]  # fmt: skip


@each_row(
    ("answer", "expected"),
    [
        ("The yards are in Bergen.", ["ok"]),
        ("The yards are in Tromso.", ["wrong"]),
        ("The firm is called Halvor Shipping.", ["wrong"]),
        ("The firm is the Halvor of Norway.", ["unchecked"]),
        ("The firm has a Norwegian owner.", ["unchecked"]),
        ("Halvorsen Marine sold them.", ["unchecked"]),
        ("The yards lie in Bergen, Vestland.", ["ok", "wrong"]),
        ("The yards lie in Bergen and Zorgtown.", ["ok", "wrong"]),
        ("The staff of the PA use it.", ["ok"]),
        ("Use `Tromso` here.", []),
        ("# About Tromso\n| Tromso | 5 |", []),
        ("- **Tromso yard:** it is in Gdynia.", ["ok"]),
        ("It was sold by Olaf Gdynia Bergen Marine Halvor there.", ["unchecked"]),
    ],
)
def test_a_name_stands_there_or_may_be_known_otherwise_or_is_a_fault(
    answer: str, expected: list[str]
) -> None:
    assert statuses(answer, "name") == expected


@each_row(
    ("question", "answer", "expected"),
    [
        ("Which town is it?", "Tromso", ["wrong"]),
        ("Which town is it?", "Gdynia", []),
        ("Which country is it?", "Norway", []),
        ("How did it go?", "Splendid", []),
    ],
)
def test_an_answer_of_one_name(question: str, answer: str, expected: list[str]) -> None:
    assert statuses(answer, "name", question) == expected


def test_a_context_that_uses_no_capitals_says_nothing_of_names() -> None:
    case = Case("", "It is Tromso there.", "the yards are in bergen and gdynia.", only_context=True)
    assert [one.kind for one in check(case)] == ["grounding"]


def test_a_name_that_the_context_has_in_capitals_is_held() -> None:
    page = "In May the WHO opened an office in Bergen. The WHO has three of them now."
    case = Case("", "The World Health Organization has an office.", page, only_context=True)
    assert [one.status for one in check(case)] == ["ok"]


def test_no_more_names_are_looked_at_than_there_is_time_for() -> None:
    answer = " ".join(
        f"It is Tromso{'abcdefghij'[n % 10]}{'abcdefghij'[n // 10 % 10]}x{n // 100} Yard."
        for n in range(500)
    )
    case = Case("", answer, PAGE, only_context=True)
    assert sum(one.kind == "grounding:name" for one in check(case)) == 200


def test_nothing_is_said_without_a_context_or_an_answer() -> None:
    assert list(check(Case("", "It is Tromso.", " ", only_context=True))) == []
    assert list(check(Case("", " ", PAGE, only_context=True))) == []


def test_another_language_is_left_alone() -> None:
    german = "Der Umsatz der Werft in Gdynia ist nicht von dem Rat und das ist nicht die Zahl 77."
    (one,) = check(Case("", german, PAGE, only_context=True))
    assert (one.kind, one.status) == ("grounding", "unchecked")


def test_the_peoples_are_words_in_small_letters() -> None:
    assert {"norway", "norwegian", "europe"} <= peoples()
    assert all(one == one.lower() and one for one in peoples())


WORDS = st.sampled_from(
    """The in 1958 1,140 30% $5 million v2.14 3 May 2023 Bergen Tromso about total years per
    12""".split()
)


@given(st.lists(WORDS, max_size=25), st.booleans())
def test_every_finding_quotes_its_place(words: list[str], closed: bool) -> None:
    answer = " ".join(words)
    for one in check(Case("", answer, PAGE, only_context=closed)):
        if one.kind == "grounding":
            continue
        assert one.start is not None
        assert answer[one.start : one.end] == one.quote
        assert closed or one.status == "unchecked"


def test_a_year_follows_from_a_number_of_years_that_is_told_beside_it() -> None:
    page = "It was founded in 1958, and closed twelve years later. He was aged 40 then."
    led_to = Ledger(Source(page)).led_to
    assert {1970, 1918, 1959} <= led_to
    assert 1965 not in led_to
    assert 1970 not in Ledger(Source(page.replace(", and", f". {'And so on. ' * 30} It"))).led_to


def test_nothing_is_divided_by_nought() -> None:
    case = Case("", "There are 77 bugs per 9 lines.", "0 bugs and 5 bugs in 3 files.")
    assert [one.status for one in check(case)] == ["unchecked"]


def test_a_capital_of_another_script_makes_no_name() -> None:
    page = "The firm of Ann Lee moved from Calgary to Bergen."
    case = Case("", "The firm moved from Calgary to \u01c5ork.", page, only_context=True)
    assert "\u01c5ork" not in [one.quote for one in check(case)]
