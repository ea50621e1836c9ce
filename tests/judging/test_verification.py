import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.verification.questions import (
    GAP,
    Expected,
    Question,
    compare,
    questions_for,
)

ANSWER = (
    "The Lindqvist Bridge was opened on 14 June 1932. It is 412 metres long and 96 feet deep. "
    "1. The old bridge was built by Olof Strand for the town of Varberg. "
    "The sum is 5 + 7 = 12. Is it old? The parts are:"
)


def question(kind: Expected, value: str) -> Question:
    return Question(id="q", text="Which?", kind=kind, value=value)


def test_questions_ask_for_facts_without_giving_them_away() -> None:
    asked = questions_for(Case("Tell me of the bridge: 4 spans of 103 metres.", ANSWER))
    assert [(one.kind, one.value) for one in asked] == [
        ("date", "14 June 1932"),
        ("number", "96"),
        ("name", "Varberg"),
    ]
    for one in asked:
        assert one.value not in one.text
        assert GAP in one.text
        assert "Tell me of the bridge: 4 spans of 103 metres." in one.text


def test_a_question_has_the_same_id_each_time() -> None:
    case = Case("Tell me of the bridge.", ANSWER)
    assert questions_for(case) == questions_for(case)
    assert len({one.id for one in questions_for(case)}) == 2


def test_there_are_no_more_questions_than_asked_for() -> None:
    case = Case("Tell me of the bridge.", ANSWER)
    assert len(questions_for(case, limit=1)) == 1
    assert questions_for(case, limit=0) == ()


def test_without_a_question_a_sentence_must_stand_by_itself() -> None:
    answer = "It was opened on 14 June 1932. The old bridge was sold on 2 May 1950."
    assert [one.value for one in questions_for(Case("", answer))] == ["2 May 1950"]


BRIDGE = "How long are 4 spans of 103 metres?"


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("npm install fails", "Upgraded react-dnd to 16 and npm install runs."),
        ("Why does npm install fail?", "The package react-dnd is to be upgraded to 16 first."),
        ("Make 4 spans of 103 metres", "The bridge of four spans is 412 metres long."),
        (BRIDGE, "I measured the bridge, and it is 412 metres long."),
        (BRIDGE, "The bridge has 4 spans of 103 metres each."),
        (BRIDGE, "The bridge is in the list as parcel 88213 of the county."),
        (BRIDGE, "The bridge was measured in 1998 for the last time."),
        (BRIDGE, "The bridge was measured on 2026-01-15 by the county."),
        ("How long is a bridge of 2 million parts?", "The bridge is 412 metres long."),
        (BRIDGE, "The bridge was measured in March 2026 by the county."),
        (BRIDGE, 'The bridge is kept as {"a": 7, "b": [7, 2]} in the archive.'),
        (BRIDGE, "The bridge is measured by span(412) in the program."),
        (BRIDGE, "The bridge is measured by release 2.1.7 or version 9 of it."),
        (BRIDGE, "The bridge has the plan /plans/412/bridge and no other one."),
        (BRIDGE, "The bridge is 412 metres long, I repeat 412 metres."),
        ("Why is parcel 88213 of order 4 late?", "The parcel lay for 12 days at the depot."),
        ("Why is it late on 3 May, 4 days and 5 hours?", "It lay there for 12 long days."),
    ],
)
def test_no_number_is_asked_that_cannot_be_worked_out(question: str, answer: str) -> None:
    assert [one for one in questions_for(Case(question, answer)) if one.kind == "number"] == []


def test_a_number_that_can_be_worked_out_is_asked_for() -> None:
    first = questions_for(Case(BRIDGE, "The bridge is 412 metres long in all."))[0]
    assert (first.kind, first.value) == ("number", "412")
    assert first.text.endswith('"The bridge is ____ metres long in all."')
    spelled = Case("How long are four spans of twenty metres?", "The bridge is 80 metres long.")
    assert questions_for(spelled)[0].value == "80"


def test_only_whole_numbers_are_blanked() -> None:
    answer = "Of them 5 crossed on 2026-01-15 and 1 in March."
    asked = [one.text for one in questions_for(Case(BRIDGE, answer))]
    assert asked[0].endswith('"Of them 5 crossed on 2026-01-15 and ____ in March."')


def test_the_newest_fact_that_is_not_given_is_asked_for() -> None:
    answer = "The bridge is 412 metres long with 4 spans."
    assert questions_for(Case(BRIDGE, answer))[0].value == "412"


def test_a_short_question_can_be_asked_again() -> None:
    (one,) = questions_for(Case("Is water wet?", "Yes, it is."))
    assert (one.kind, one.text, one.value) == ("text", "Is water wet?", "Yes, it is.")
    assert questions_for(Case("Explain water.", "It is wet.")) == ()
    assert questions_for(Case("\u6c34\u662f\u6e7f\u7684\u5417?", "\u662f\u7684"))[0].kind == "text"


@pytest.mark.parametrize(
    ("kind", "value", "fresh", "status"),
    [
        ("number", "42", "forty-two", "ok"),
        ("number", "42", "It is 42.", "ok"),
        ("number", "42", "43", "wrong"),
        ("number", "42", "41 or 43", "unchecked"),
        ("number", "42", "no idea", "unchecked"),
        ("number", "88%", "88 percent", "ok"),
        ("number", "5 km", "5000 m", "ok"),
        ("number", "5 km", "3.1 miles", "ok"),
        ("number", "5 km", "5 kg", "wrong"),
        ("number", "1,250,000", "1.25 million", "ok"),
        ("number", "7", "vii, or half", "unchecked"),
        ("number", "16", "I would guess 15", "unchecked"),
        ("number", "16", "I would guess 16", "unchecked"),
        ("number", "16", "maybe 15", "unchecked"),
        ("number", "16", "15, but I am not sure", "unchecked"),
        ("number", "16", "~15", "unchecked"),
        ("number", "16", "about fifteen", "unchecked"),
        ("number", "16", "15-20", "unchecked"),
        ("number", "16", "not 16", "unchecked"),
        ("number", "16", "15?", "unchecked"),
        ("number", "16", "15 or 16", "unchecked"),
        ("number", "16", "I can't know that without the draft: 15", "unchecked"),
        ("number", "16", "The package that they released last of all is 15", "unchecked"),
        ("number", "16", "The package that they released last of all is 16", "ok"),
        ("number", "16", "It is 15.", "wrong"),
        ("date", "14 June", "probably 15 June", "unchecked"),
        ("name", "Marie Curie", "I think it was Lise Meitner", "unchecked"),
        ("text", "Yes, it is.", "Perhaps not, no.", "unchecked"),
        ("text", "Yes, it is.", "No, it is not, as everybody can see who reads it all.", "wrong"),
        ("date", "14 June 1932", "June 14, 1932", "ok"),
        ("date", "14 June 1932", "June 14", "ok"),
        ("date", "14 June 1932", "June 14, 1933", "wrong"),
        ("date", "14 June", "15 June", "wrong"),
        ("date", "14 June", "15 or 16 June or May 3", "unchecked"),
        ("date", "14 June", "in summer", "unchecked"),
        ("name", "Marie Curie", "It was Marie Curie.", "ok"),
        ("name", "Marie Curie", "Curie", "ok"),
        ("name", "Marie Curie", "Pierre Curie", "unchecked"),
        ("name", "Marie Curie", "Lise Meitner", "wrong"),
        ("name", "Marie Curie", "somebody else", "unchecked"),
        ("name", "X", "Anna", "unchecked"),
        ("text", "Paris is the capital", "The capital is Paris", "ok"),
        ("text", "Paris is the capital", "It depends on the year", "unchecked"),
        ("text", "Yes, it is.", "No.", "wrong"),
        ("text", "True", "yes indeed", "ok"),
        ("text", "Yes, it is.", "I don't know", "unchecked"),
        ("text", "Yes, it is.", "  ", "unchecked"),
    ],
)
def test_comparing(kind: Expected, value: str, fresh: str, status: str) -> None:
    found = compare(question(kind, value), fresh)
    assert (found.status, found.kind) == (status, "verification")
    assert found.stated == value


@settings(derandomize=True, deadline=None, max_examples=150)
@given(st.text(max_size=80), st.text(max_size=80), st.sampled_from(["number", "date", "name"]))
def test_no_text_makes_it_raise(value: str, fresh: str, kind: Expected) -> None:
    assert compare(question(kind, value), fresh).status in ("ok", "wrong", "unchecked")
    questions_for(Case(value, fresh))
