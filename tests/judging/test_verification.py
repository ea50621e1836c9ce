import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.verification import (
    GAP,
    Expected,
    Question,
    compare,
    questions_for,
)

ANSWER = (
    "The Lindqvist Bridge was opened on 14 June 1932. It is 412 metres long and 412 feet deep. "
    "1. The old bridge was built by Olof Strand for the town of Varberg. "
    "The sum is 5 + 7 = 12. Is it old? The parts are:"
)


def question(kind: Expected, value: str) -> Question:
    return Question(id="q", text="Which?", kind=kind, value=value)


def test_questions_ask_for_facts_without_giving_them_away() -> None:
    asked = questions_for(Case("Tell me of the bridge.", ANSWER))
    assert [(one.kind, one.value) for one in asked] == [
        ("date", "14 June 1932"),
        ("number", "412"),
        ("name", "Varberg"),
    ]
    for one in asked:
        assert one.value not in one.text
        assert GAP in one.text
        assert "Tell me of the bridge." in one.text


def test_a_question_has_the_same_id_each_time() -> None:
    case = Case("Tell me of the bridge.", ANSWER)
    assert questions_for(case) == questions_for(case)
    assert len({one.id for one in questions_for(case)}) == 3


def test_there_are_no_more_questions_than_asked_for() -> None:
    case = Case("Tell me of the bridge.", ANSWER)
    assert len(questions_for(case, limit=2)) == 2
    assert questions_for(case, limit=0) == ()


def test_without_a_question_a_sentence_must_stand_by_itself() -> None:
    answer = "It was opened on 14 June 1932. The old bridge cost 500 crowns."
    assert [one.value for one in questions_for(Case("", answer))] == ["500"]


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
        ("number", "7", "vii, or half", "wrong"),
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
