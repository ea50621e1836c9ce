from hypothesis import given
from hypothesis import strategies as st

from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.scoring import evaluate
from reflection_mcp.tools.judging.verification.comparison import compare
from reflection_mcp.tools.judging.verification.questions import (
    GAP,
    HIDDEN,
    Expected,
    Question,
    questions_for,
)
from tests.rows import each_row


def question(kind: Expected, value: str) -> Question:
    return Question(id="q", text="Which?", kind=kind, value=value)


MARS = (
    "The planet Mars has 3 small moons, found on 18 August 1877 by Edwin Hubble in his "
    "observatory near the river."
)


def test_each_fact_is_asked_with_the_others_blanked() -> None:
    asked = questions_for(Case("How many moons does Mars have, and who found them?", MARS))
    assert [(one.kind, one.value) for one in asked] == [
        ("date", "18 August 1877"),
        ("number", "3"),
        ("name", "Edwin Hubble"),
    ]
    for one in asked:
        assert one.text.count(GAP) == 1
        assert "Mars" in one.text  # the question itself gives it
        hidden = {"3", "18 August 1877", "Edwin Hubble"}
        assert not any(fact in one.text for fact in hidden)
    assert asked[1].text.count(HIDDEN) == 2


def test_a_number_is_asked_only_on_how_many_when_or_which_version() -> None:
    answer = "The bridge over the Varn is 412 metres long."
    assert [one.value for one in questions_for(Case("How long is the bridge?", answer))] == [
        "412", "Varn",
    ]  # fmt: skip
    assert [one.value for one in questions_for(Case("Describe the bridge.", answer))] == ["Varn"]


@each_row(
    "answer",
    [
        "No. 12.5 GiB of 16.0 GiB are available; only 3.5 GiB is unused by Linux.",
        "Mars has 3 moons, called Phobos, Deimos and Ares, found on 18 August 1877 by Hall.",
        "In Rome Nero met Seneca.",
    ],
)
def test_a_sentence_of_which_too_little_is_left_is_not_asked(answer: str) -> None:
    assert questions_for(Case("How much is there?", answer)) == ()


def test_a_question_has_the_same_id_each_time() -> None:
    case = Case("Tell me of Mars.", MARS)
    assert questions_for(case) == questions_for(case)
    assert len({one.id for one in questions_for(case)}) == 2


def test_there_are_no_more_questions_than_asked_for() -> None:
    case = Case("How many moons has Mars?", MARS)
    assert len(questions_for(case, limit=1)) == 1
    assert questions_for(case, limit=0) == ()


@each_row(
    ("asked", "answer"),
    [
        ("Is water wet?", "Yes, it is."),
        ("How long is it?", "It is 412 metres long and was built by Olof Strand."),
        ("How long is it?", "I measured the bridge, and the bridge is 412 metres long."),
        ("npm install fails", "Upgraded react-dnd to 16 and npm install runs."),
        ("Make the bridge longer", "The bridge of four spans is 412 metres long."),
        ("How long are 412 metres?", "The bridge in question is 412 metres long."),
        ("How long is it?", "The bridge is measured by span(412) in the program."),
        ("How long is it?", "Here is 412 and 96 and 7."),
        ("How long is it?", "Is the old bridge 412 metres long?"),
        ("Wie lang ist sie?", "Die Anlage ist nicht von dem Rat und 412 Meter lang."),
    ],
)  # fmt: skip
def test_nothing_is_asked_where_nothing_is_left_to_ask(asked: str, answer: str) -> None:
    assert questions_for(Case(asked, answer)) == ()


def test_a_list_item_is_asked_without_its_mark() -> None:
    (one,) = questions_for(Case("Who built it?", "1. The bridge was built by Olof Strand."))
    assert one.text.endswith('"The bridge was built by ____."')


def test_a_difference_says_both_sides_and_lowers_nothing() -> None:
    found = compare(question("name", "Asaph Hall"), "Edwin Hubble")
    assert found.status == "wrong"
    assert "differs" in found.why
    assert "Asaph Hall" in found.why
    assert "Edwin Hubble" in found.why
    judged = evaluate([found])
    assert (judged.flaws, judged.quality, judged.retry, judged.issues) == ((), None, False, ())


@each_row(
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
        ("number", "5 gallons", "20 quarts", "unchecked"),
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
        ("date", "14 June 1932", "June 14, 1932", "ok"),
        ("date", "14 June 1932", "June 14", "ok"),
        ("date", "14 June 1932", "June 14, 1933", "wrong"),
        ("date", "14 June", "15 June", "wrong"),
        ("date", "14 June 1932", "1932-06-14", "ok"),
        ("date", "6 September 2024", "2024-08-06", "wrong"),
        ("date", "14 June 1932", "06/07/1932", "unchecked"),
        ("date", "14 June", "15 or 16 June or May 3", "unchecked"),
        ("date", "14 June", "in summer", "unchecked"),
        ("name", "Marie Curie", "It was Marie Curie.", "ok"),
        ("name", "Marie Curie", "Curie", "ok"),
        ("name", "Marie Curie", "Pierre Curie", "unchecked"),
        ("name", "Marie Curie", "Lise Meitner", "wrong"),
        ("name", "Marie Curie", "somebody else", "unchecked"),
        ("name", "X", "Anna", "unchecked"),
        ("number", "16", "  ", "unchecked"),
        ("number", "16", "I don't know", "unchecked"),
    ],
)
def test_comparing(kind: Expected, value: str, fresh: str, status: str) -> None:
    found = compare(question(kind, value), fresh)
    assert (found.status, found.kind) == (status, "verification")
    assert (found.stated, found.severity) == (value, "hint")


@given(st.text(max_size=80), st.text(max_size=80), st.sampled_from(["number", "date", "name"]))
def test_no_text_makes_it_raise(value: str, fresh: str, kind: Expected) -> None:
    assert compare(question(kind, value), fresh).status in ("ok", "wrong", "unchecked")
    questions_for(Case(value, fresh))


def test_a_day_that_no_month_has_is_no_date() -> None:
    asked = questions_for(Case("When was it?", "The bridge near town was opened on 45 March."))
    assert all(one.kind != "date" for one in asked)
