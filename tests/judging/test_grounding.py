import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.grounding import check as grounding
from reflection_mcp.tools.judging.grounding import citations
from reflection_mcp.tools.judging.grounding.dates import Calendar, days, months
from reflection_mcp.tools.judging.grounding.derivation import (
    MEASURE_FACTORS,
    TIME_FACTORS,
    Ledger,
)
from reflection_mcp.tools.judging.grounding.told import MOST
from reflection_mcp.tools.judging.texts.source import Source


def told(context: str, answer: str, question: str = "") -> list[tuple[str, str, str]]:
    found = grounding.check(Case(question, answer, context))
    return [(one.kind.split(":")[1], one.quote, one.status) for one in found]


CONTEXT = (
    "The Lindqvist Bridge was opened on 14 June 1932. It is 412 metres long. "
    "The repair began in 1998 and took three years. In Calgary they liked it. "
)


@pytest.mark.parametrize(
    ("answer", "finding"),
    [
        ("It is 412 metres long.", ("number", "412", "ok")),
        ("It is 0.412 km long.", ("number", "0.412", "unchecked")),
        ("It has 426 arches.", ("number", "426", "unchecked")),
        ("It has 7 arches.", ("number", "7", "unchecked")),
        ("It has 97 arches.", ("number", "97", "wrong")),
        ("It lasted fifty-three years.", ("number", "fifty-three", "wrong")),
        ("It opened in the 1930s.", ("number", "1930s", "ok")),
        ("It opened in the 1950s.", ("number", "1950s", "wrong")),
        ("It opened in the 30s.", ("number", "30s", "ok")),
        ("It is of the 20th century.", ("number", "20th", "ok")),
        ("It ended in 2001.", ("number", "2001", "unchecked")),
        ("It ended in 2007.", ("number", "2007", "wrong")),
        ('It is in the 2007 film "Calgary".', ("number", "2007", "unchecked")),
        ("It is in a 2007 film of it.", ("number", "2007", "wrong")),
        ("It opened on June 14.", ("date", "June 14", "ok")),
        ("It opened on June 15.", ("date", "June 15", "wrong")),
        ("It opened on 1 June.", ("date", "1 June", "wrong")),
        ("It opened on 14 June 1932.", ("date", "14 June", "ok")),
        ("It opened in June 1932.", ("date", "June 1932", "ok")),
        ("It opened in May 1932.", ("date", "May 1932", "wrong")),
        ("It is the Lindqvist Bridge.", ("name", "Lindqvist Bridge", "ok")),
        ("It is the Lindqvist Tower.", ("name", "Lindqvist Tower", "wrong")),
        ("It is by Olof Strand.", ("name", "Olof Strand", "wrong")),
        ("It was liked in Calgary, Oldmark.", ("name", "Oldmark", "unchecked")),
        ("Famous Lindqvist is long.", ("name", "Famous Lindqvist", "unchecked")),
        ("It is the Lindqvist Bridge Repair Calgary Crossing.",
         ("name", "Lindqvist Bridge Repair Calgary Crossing", "unchecked")),
    ],
)  # fmt: skip
def test_facts_against_a_context(answer: str, finding: tuple[str, str, str]) -> None:
    assert finding in told(CONTEXT, answer)


def test_without_a_context_nothing_is_said() -> None:
    assert told(" \n", "It opened in 1901 in Paris.") == []


def test_what_the_question_says_is_known() -> None:
    found = told(CONTEXT, "It is not by Olof Strand of 1871.", "Is it by Olof Strand of 1871?")
    assert {status for _, _, status in found} == {"ok"}


def test_a_name_is_told_once() -> None:
    assert len(told(CONTEXT, "It is by Olof Strand. Yes, by Olof Strand.")) == 1


def test_names_of_a_text_without_capitals_or_of_another_language_are_not_looked_at() -> None:
    assert told("the bridge is long and old and by nobody", "It is by Olof Strand.") == []
    german = "Das ist die alte Br\u00fccke und sie ist nicht von Herrn Strand gebaut."
    assert told(CONTEXT, german) == []


@pytest.mark.parametrize(
    "answer",
    [
        "\u0e40\u0e1b\u0e34\u0e14\u0e43\u0e19\u0e1b\u0e35 2475",
        "Die Br\u00fccke ist 1.412 Meter lang und nicht von Herrn Strand gebaut.",
    ],
)
def test_numbers_of_other_languages_are_never_faulted(answer: str) -> None:
    assert [status for _, _, status in told(CONTEXT, answer)] == ["unchecked"]


def test_inline_code_holds_no_facts() -> None:
    answer = "Set `timeout=600` in the old `Olof Strand` file on `3 May`."
    assert told(CONTEXT, answer) == []


def test_advice_and_fiction_bring_facts_of_their_own() -> None:
    for question in ("Suggest a builder.", "How should I paint it?", "Write a story of it."):
        found = told(CONTEXT, "It is by Olof Strand, for 97 crowns.", question)
        assert {status for _, _, status in found} == {"unchecked"}


def test_all_of_it_is_no_figure() -> None:
    assert told(CONTEXT, "It is 100% safe.") == [("number", "100%", "unchecked")]


@pytest.mark.parametrize(
    ("context", "answer", "status"),
    [
        ("On 3 Sep 2024: we move on Monday.", "They move on 9 September.", "unchecked"),
        ("On 3 Sep 2024: we never move on Mondays.", "They move on 9 September.", "wrong"),
        ("On 3 Sep 2024: we move on Monday.", "They move on 23 September.", "wrong"),
        ("Sent on 2024-03-01, due within 30 days.", "It is due on 31 March.", "unchecked"),
        ("Sent on 1 March, due in two or 4 weeks.", "It is due on 29 March.", "unchecked"),
        ("Sent on 2024-99-01 and 31 June 2023, on 3 May 2023.", "It was on 29 February.", "wrong"),
        ("It ran from 19 to 21 May 2023.", "It ended after 20 May.", "ok"),
        ("It ends on 24 June 2025, with six months' notice.", "Tell by 24 December.", "unchecked"),
        ("It ends on 24 June 2025, with 6 months' notice.", "Tell by 25 December.", "wrong"),
        ("Sent Tue 4 June; it ships next Thursday.", "It ships on 13 June.", "unchecked"),
        ("Sent 4 June; it ships later.", "It ships on 13 June.", "wrong"),
        ("It broke on 4 June 2024. Yesterday it rained.", "It rained on 6 June.", "unchecked"),
        ("It broke on 4 June 2024. Yesterday it rained.", "It rained on 6 July.", "wrong"),
    ],
)
def test_days_that_follow_from_a_full_date(context: str, answer: str, status: str) -> None:
    assert [one[2] for one in told(context, answer) if one[0] == "date"] == [status]


def test_headings_labels_and_tables_hold_no_names() -> None:
    answer = (
        "## Key Takeaways\n\n- **Market Share:** it is long\n1. Final Thoughts: it is old\n"
        "| Year | Grand Event |\n**Olof Strand** built it."
    )
    assert [one for one in told(CONTEXT, answer) if one[0] == "name"] == []


def test_days_told_in_another_way_are_unchecked() -> None:
    assert told("It opened yesterday, on 3 May.", "It opened on May 2.")[0][2] == "unchecked"
    assert told("It opened.", "It opened on May 2.")[0][2] == "unchecked"
    assert told("It opened in the spring of June.", "It opened in May 1932.")[0] == (
        "date", "May 1932", "unchecked",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("question", "answer", "status"),
    [
        ("Where is it?", "Calgary, Oldmark", "unchecked"),
        ("Where is it?", "Calgary, Oldmark, and more", "wrong"),
        ("Where is it?", "Lisbon, Estremadura", "wrong"),
        ("Who built it?", "Calgary, Oldmark", "wrong"),
    ],
)
def test_where_a_known_place_lies_is_unchecked(question: str, answer: str, status: str) -> None:
    assert [one for one in told(CONTEXT, answer, question) if one[0] == "name"][-1][2] == status


def test_a_time_of_day_needs_a_context_that_tells_times() -> None:
    assert ("date", "5:53 am", "wrong") in told(CONTEXT, "It opened at 5:53 am.")
    for context in ("It opened at half past five.", "It opened at 17:30.", "It took an hour."):
        assert told(f"{CONTEXT}{context}", "It opened at 5:30 am.") == []


def test_a_year_next_to_one_of_the_context_may_be_meant() -> None:
    context = "In 1998 it closed. The following year it opened again."
    assert told(context, "It opened in 1999.") == [("number", "1999", "unchecked")]
    assert told("After closing in 1998 it burnt.", "It burnt in 1999.")[0][2] == "wrong"
    assert told("In 1998 it closed.", "It opened in 1999.") == [("number", "1999", "wrong")]


@pytest.mark.parametrize(
    ("question", "answer", "status"),
    [
        ("Which town is it?", "Lisbon", ["wrong"]),
        ("Which town is it?", "**Lisbon.**", ["wrong"]),
        ("Which town is it?", "Calgary", []),
        ("Which town is it?", "Calgry", []),
        ("Which town is it?", "Yes", []),
        ("Which month is it?", "March", []),
        ("Which of them?", "7", []),
        ("What type is it?", "Lisbon", []),
        ("Explain it.", "Lisbon", []),
    ],
)
def test_an_answer_of_one_name(question: str, answer: str, status: list[str]) -> None:
    found = told(CONTEXT, answer, question)
    assert [one[2] for one in found if one[0] == "name"] == status


def test_initials_and_written_out_names_are_the_same() -> None:
    context = "The FBI and the World Health Organization met Anna in Geneva."
    found = told(context, "The Federal Bureau of Investigation met the WHO.")
    assert [status for _, _, status in found] == ["ok", "ok"]


# --------------------------------------------------------------------------- days


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("on 3 May 2001", (3, 5)),
        ("May 3rd", (3, 5)),
        ("the 3rd of Sept.", (3, 9)),
        ("3-5 May", (3, 5)),
        ("May 3 to 5", (5, 5)),
        ("2001-05-03", (3, 5)),
        ("03/05/2001", (3, 5)),
        ("03/05/2001", (5, 3)),
        ("on 3/5", (3, 5)),
    ],
)
def test_days_of_a_source(text: str, known: tuple[int, int]) -> None:
    assert known in Calendar(Source(text)).days


def test_what_is_no_day() -> None:
    assert days("5 may be enough, May 45, in May, 3:05 May") == []
    assert Calendar(Source("1.5 and 200-300-4000")).days <= {(5, 1), (1, 5), (200, 300), (300, 200)}
    assert months("on 3 May 2001, May 2002", days("on 3 May 2001")) == [(15, 23, 5)]
    assert Calendar(Source("In June and Dec. they met")).months == {6, 12}


# --------------------------------------------------------------------------- derivation

TEN = Ledger(Source("10 and 5, 0 and 100"))


@pytest.mark.parametrize(
    ("value", "derived"),
    [
        (15, True),
        (5, True),
        (50, True),
        (2, True),
        (100, True),
        (90, True),
        (120, True),
        (37.77, True),
        (777, False),
    ],
)
def test_one_step_from_two_numbers(value: float, derived: bool) -> None:
    assert TEN.leads_to(value, MEASURE_FACTORS, loose=True) is derived


def test_a_change_of_unit_needs_a_unit() -> None:
    ten = Ledger(Source("10"))
    assert ten.leads_to(16.09344, MEASURE_FACTORS)
    assert ten.leads_to(16, MEASURE_FACTORS, loose=True)
    assert not ten.leads_to(16.09344, TIME_FACTORS)
    assert not ten.leads_to(16, loose=True)


def test_round_numbers_stand_for_what_they_round() -> None:
    assert Ledger(Source("263,421 people")).rounds_to(260_000)
    assert Ledger(Source("1,523,000 people")).rounds_to(1_500_000)
    assert not Ledger(Source("412 and 0")).rounds_to(700_000)
    assert not Ledger(Source("21")).rounds_to(20)
    assert Ledger(Source("0.51")).rounds_to(0.5)


def test_that_two_numbers_of_a_long_text_make_a_small_one_says_nothing() -> None:
    told = "Rooms 5 and 8 are shut."
    many = " ".join(f"Hall {number} holds {7 * number} seats." for number in range(31, 51))
    answer = "The works took three weeks."
    assert [one.status for one in grounding.check(Case("", answer, told))] == ["unchecked"]
    assert [one.status for one in grounding.check(Case("", answer, f"{told} {many}"))] == ["wrong"]


def test_of_a_source_of_many_numbers_the_first_ones_are_put_in_order() -> None:
    assert Ledger(Source("two, " * MOST + "three, 4")).order == [2] * MOST


def test_the_numbers_of_a_source_in_order() -> None:
    assert Ledger(Source("hundred, 1,250 of two million")).order == [1250, 2_000_000]
    assert len(Ledger(Source("7 " * 5_000)).order) == MOST


def test_a_number_may_come_from_one_of_the_answer_and_one_of_the_source() -> None:
    assert TEN.joins(50, 5)
    assert TEN.joins(17, 7)
    assert not TEN.joins(73, 7)
    assert not TEN.joins(0, 0)
    assert told("In the first month 21,450 people came of 180,000 a year.",
                "The average is 15,000, so the first month was 6,450 above it.")[1][2] == (
        "unchecked"
    )  # fmt: skip


def test_a_year_may_be_some_years_from_another() -> None:
    ledger = Ledger(
        Source("It began in 1998 and took three years, then 1 year, then 7-year leave.")
    )
    assert ledger.leads_to_year(2001)
    assert ledger.leads_to_year(2005)
    assert not ledger.leads_to_year(1999)
    assert Ledger(Source("The year after 1998.")).leads_to_year(1999)


def test_an_age_may_follow_from_a_birth_and_the_year_that_the_question_names() -> None:
    born = "Ann Lee was born in 1990 in Leeds."
    asked = "How old is Ann Lee in 2024?"
    assert told(born, "Ann was born in 1990 and is 34.", asked)[1] == ("number", "34", "unchecked")
    assert told(born, "Ann was born in 1990; she turns 34.", asked)[1][2] == "unchecked"
    assert told(born, "Ann was born in 1990 and is 37.", asked)[1] == ("number", "37", "wrong")


def test_a_sentence_is_no_title_even_where_one_is_asked_for() -> None:
    context = "The team of Leeds won the cup on Friday, and the town celebrated all night."
    (name,) = told(context, "The cup was won by the team of Bradford.", "Give a headline.")
    assert name == ("name", "Bradford", "wrong")


def test_years_that_no_number_counts_lead_to_no_year() -> None:
    assert not Ledger(
        Source("In 1998, 3,000 decades; 1998 - years later, 20,000 years.")
    ).leads_to_year(2000)


def test_a_span_of_years_is_read_once_and_told_each_time() -> None:
    ledger = Ledger(
        Source("It began in 1998 and took three years. It then took three years from 1998.")
    )
    assert [ledger.leads_to_year(year) for year in (2001, 1995, 2001, 1999)] == [
        True, True, True, False,
    ]  # fmt: skip


def test_a_scale_with_an_i_that_has_no_dot_is_no_scale() -> None:
    assert Ledger(Source("5 m\u0131llion")).known == {5}


# --------------------------------------------------------------------------- quotations


def cited(context: str, answer: str, question: str = "") -> list[tuple[str, str]]:
    found = citations.check(Case(question, answer, context))
    return [(one.kind.split(":")[1], one.status) for one in found]


SAID = 'She said: "We expect steady growth in the coming year, but no miracles." See https://a.io/r'


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ('She said "we expect steady growth in the coming year".', "ok"),
        ('She said "We expect [...] no miracles".', "ok"),
        ('She said "we expected steady growth in the coming year".', "ok"),
        ('She said "we expect a steady growth, for the coming years and all".', "unchecked"),
        ('She said "the market will never see such a thing again".', "wrong"),
        ('She said "great fun".', "unchecked"),
        ('It is called "The Long Way Home From Sea".', "unchecked"),
        ("Sie sagte: \u00abdas ist nicht die ganze Wahrheit und wird es nicht\u00bb.", "unchecked"),
    ],
)
def test_quotations(answer: str, status: str) -> None:
    assert cited(SAID, answer) == [("quote", status)]


def test_new_words_that_were_asked_for_are_no_quotations() -> None:
    answer = '"The market will never see such a thing again"'
    assert cited(SAID, answer, "Write a slogan.") == [("quote", "unchecked")]
    assert cited("", answer) == []


def test_a_long_context_is_not_searched_to_its_end() -> None:
    answer = 'She said "the market will never see such a thing again".'
    assert cited("so it is " * 9_000, answer) == [("quote", "unchecked")]


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("See https://www.a.io/r/.", "ok"),
        ("See http://a.io/other.", "wrong"),
        ("See https://example.com/x.", "unchecked"),
        ("See arXiv:2309.11495.", "wrong"),
    ],
)
def test_addresses(answer: str, status: str) -> None:
    assert cited(SAID, answer) == [("citation", status)]


def test_references_to_numbered_sources() -> None:
    context = "[1] Soil holds carbon. [2] Forests as well."
    assert cited(context, "Soil does [1], oceans too [4].") == [
        ("citation", "ok"),
        ("citation", "wrong"),
    ]
    assert cited("[1] Soil holds carbon.", "Oceans too [4].") == []


# --------------------------------------------------------------------------- many, and hostile

DATA = sorted((Path(__file__).parent / "data").glob("text_ground*.jsonl"))
ROWS = [json.loads(line) for file in DATA for line in file.read_text("utf-8").splitlines()]


def _wrong(row: dict[str, Any]) -> list[str]:
    case = Case(row["question"], row["answer"], row["context"])
    found = [*grounding.check(case), *citations.check(case)]
    return sorted({one.kind for one in found if one.status == "wrong"})


def test_answers_against_many_contexts() -> None:
    assert {row["id"]: _wrong(row) for row in ROWS} == {row["id"]: row["wrong"] for row in ROWS}


@settings(derandomize=True, deadline=None, max_examples=150)
@given(st.text(max_size=120))
def test_an_answer_that_repeats_its_context_is_never_faulted(text: str) -> None:
    case = Case("What?", text, f"{text}\n{CONTEXT}")
    assert [one for one in grounding.check(case) if one.status == "wrong"] == []
    assert [one for one in citations.check(case) if one.status == "wrong"] == []


@pytest.mark.parametrize(
    "unit", ["Aa ", "9 ", "May 3 ", "\n", '"a b ', "[1]", "http://a", "A-", "1."]
)
def test_grounding_is_bounded_on_hostile_text(unit: str) -> None:
    text = (unit * 64_000)[:64_000]
    for answer, context in ((text, CONTEXT), ("It was by Olof Strand in 1871.", text)):
        case = Case("Who?", answer, context)
        list(grounding.check(case))
        list(citations.check(case))


def test_no_more_names_are_told_than_a_reader_would_take_in() -> None:
    answer = "".join(f"It is by Olof Str{'abcdefghij'[n % 10]}{n}. " for n in range(300))
    assert sum(kind == "name" for kind, _, _ in told(CONTEXT, answer)) == grounding.FACTS


def test_a_number_word_inside_another_word_is_no_number() -> None:
    assert Ledger(Source("One bone and a phone.")).order == [1]


def test_what_is_yearly_and_what_something_was_are_no_numbers_of_years() -> None:
    ledger = Ledger(Source("A four-yearly run took 3 years. It was 7, she was 40, and left."))
    assert list(ledger.spans) == [3, 40]


def test_the_year_of_a_day_that_follows_from_the_context_follows_as_well() -> None:
    context = "The lease ends on 24 June 2025, with six months' notice."
    assert told(context, "Tell them by 24 December 2024.") == [
        ("date", "24 December", "unchecked"),
        ("number", "2024", "unchecked"),
    ]
    assert told(context, "Tell them by 25 December 2024.")[1][2] == "wrong"


@pytest.mark.parametrize(
    ("context", "answer", "status"),
    [
        ("The film runs for 97 minutes.", "It runs for 1 h 37 min.", "unchecked"),
        ("The film runs for 97 minutes.", "It runs for an hour and 37 minutes.", "unchecked"),
        ("The film runs for 97 minutes.", "It runs for one hour and thirty-seven minutes.",
         "unchecked"),
        ("The film runs for 97 minutes.", "It runs for 1 h 39 min.", "wrong"),
        ("The film runs for 97 minutes.", "It stops for 81 min, runs 1 h 37 min.", "unchecked"),
    ],
)  # fmt: skip
def test_hours_and_minutes_are_one_time(context: str, answer: str, status: str) -> None:
    assert told(context, answer)[-1][2] == status


LONG = (
    "In 1998 the town had 143 pupils and 118 of them passed. It has 14 schools, 23 shops, "
    "61 farms, 9 mills, 37 wells and 44 barns. A walk of 5 km takes 90 minutes. 812 people live "
    "in 305 houses; 19 people moved away, 12 people came. The hall is 7 m high, the tower 29 m; "
    "4 roads meet there."
)


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("It is 29 m high, and 31 people came or went.", "unchecked"),  # of one kind
        ("Over 300 people came.", "wrong"),  # people are counted, and never so many
        ("Over 800 people live there.", "unchecked"),
        ("In all, 25 failed.", "unchecked"),
        ("There 25 of 143 failed.", "unchecked"),  # two numbers of one sentence
        ("They passed 100 exams.", "wrong"),  # one digit comes out of many numbers by chance
        ("The walk takes 1.5 hours.", "unchecked"),  # another unit
        ("The walk takes 1.7 hours.", "wrong"),
        ("It has 98 buildings: 61 farms and 37 wells.", "unchecked"),  # worked out beside it
        ("It came with release 25.", "wrong"),  # a label is not worked out
        ("It took 30 seconds.", "wrong"),
    ],
)
def test_of_many_numbers_only_some_are_put_together(answer: str, status: str) -> None:
    found = [one for one in told(LONG, answer) if one[0] == "number"]
    assert status in {one[2] for one in found}
    assert ("wrong" in {one[2] for one in found}) is (status == "wrong")


def test_a_question_may_ask_for_what_takes_several_steps() -> None:
    context = "We confirm 12 desks at EUR 420 each and 12 chairs at EUR 185, less a discount of 5%."
    asked = "What is the price with the discount?"
    assert told(context, "It is 6,897 euros.", asked)[0][2] == "unchecked"
    assert told(context, "It is 6,897 euros.", "What is the price?")[0][2] == "wrong"


def test_what_a_source_counts() -> None:
    counted = Ledger(Source("3 in ten of 40 people, 2 km")).counted
    assert counted["peopl"] == [40]
    assert counted["length"] == [2000]
    assert "in" not in counted


def test_no_one_rounds_to_a_first_digit_that_is_far_off() -> None:
    assert Ledger(Source("2.6 million people")).rounds_to(3_000_000)
    assert not Ledger(Source("1.4 million people")).rounds_to(1_000_000)


@pytest.mark.parametrize(
    ("context", "month", "status"),
    [
        ("It begins in spring; it ended in July 2020.", "April 2021", "unchecked"),
        ("It begins in spring; it ended in July 2020.", "December 2021", "wrong"),
        ("It ended in July 2020; next month it begins.", "December 2021", "unchecked"),
        ("It ended in July 2020, or in Q4.", "December 2021", "unchecked"),
        ("It ended in July 2020, or in Q4.", "May 2021", "wrong"),
    ],
)
def test_months_that_are_told_by_a_season(context: str, month: str, status: str) -> None:
    assert told(context, f"It begins in {month}.")[0][2] == status


def test_an_answer_is_english_in_spite_of_the_accents_of_its_names() -> None:
    context = "The yards of the firm are in \u00c5lesund, Flor\u00f8 and Gdynia, where it grew."
    assert ("name", "Szczecin", "wrong") in told(
        context, "The yards are in \u00c5lesund, Flor\u00f8 and Szczecin."
    )
    lakes = "Lake V\u00e4ttern covers 1,912 square kilometres of the land."
    assert told(lakes, "V\u00e4ttern covers 1,219 square kilometres.")[-1][2] == "wrong"


def test_some_script_in_a_page_makes_it_no_code() -> None:
    page = "The town had 412 people in it.\n" * 40 + "if (a != b) {\n}\nlet x = 3;\nvar y = 4;\n"
    assert told(page, "The town had 977 people in it.") == [("number", "977", "wrong")]
    script = "The town.\n" + "if (a != b) {\n}\nlet x = 3;\nvar y = 4;\n"
    assert told(script, "The town had 977 people in it.") == [("number", "977", "unchecked")]


def test_accents_that_are_signs_of_their_own_part_no_name() -> None:
    povetkin = "\u041f\u043e\u0432\u0435\u0301\u0442\u043a\u0438\u043d"
    context = f"He lost to Alexander Povetkin ({povetkin}) in May."
    answer = f"He lost to {povetkin} and to nobody else in the ring."
    assert "wrong" not in {status for _, _, status in told(context, answer)}


def test_what_is_left_of_a_hundred_beside_two_shares() -> None:
    context = "She won 52.3% of the votes, he won 43.2%; the remaining ones went to others."
    assert told(context, "The others had 4.5 percent.") == [("number", "4.5", "unchecked")]
    assert told(context, "The others had 6.7 percent.") == [("number", "6.7", "wrong")]


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("He died in 2024 or so, as he lived to 91.", "unchecked"),
        ("He died in 2027 or so, as he lived to 91.", "wrong"),
    ],
)
def test_an_age_leads_to_a_year_or_the_next(answer: str, status: str) -> None:
    found = told("He was born in 1932 and died at the age of 91.", answer)
    assert found[0] == ("number", answer.split()[3], status)


def test_a_number_beside_another_may_be_the_same_in_another_unit() -> None:
    context = "You have repaid 30 instalments of 345.20 pounds; six of them remain."
    found = told(context, "There are 36 monthly instalments, so three years.")
    assert [one[2] for one in found] == ["unchecked", "unchecked"]


def test_counts_are_added_before_they_are_multiplied() -> None:
    ledger = Ledger(Source("You have repaid 30 instalments of 345.20 pounds; six remain."))
    assert ledger.adds_up_to(12_427.2)
    assert not ledger.adds_up_to(12_447.2)
