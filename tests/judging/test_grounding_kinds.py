import pytest

from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.grounding import kinds as grounding_kinds
from reflection_mcp.tools.judging.grounding.closed_kinds import KINDS, Kind


def stated(context: str, answer: str) -> list[str]:
    found = grounding_kinds.check(Case("", answer, context))
    return [one.stated for one in found if one.status == "wrong"]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_another_one_of_a_kind_is_wrong(kind: Kind) -> None:
    assert len(stated(kind.context, kind.example)) == 1
    assert stated(kind.context, kind.counter_example) == []


def test_where_the_context_names_none_of_a_kind_nothing_is_said() -> None:
    assert stated("Park Dietz lives in Newark.", "Park Dietz is a lawyer.") == []


def test_what_the_context_says_instead_is_told() -> None:
    (found,) = grounding_kinds.check(Case("", "They are drummers.", "They are two dentists."))
    assert (found.stated, found.expected) == ("drummer", "dentist")


@pytest.mark.parametrize(
    ("context", "answer", "found"),
    [
        ("Ross Lynch plays in a band.", "Ross Lynch is Glenn's grandson.", ["grandson"]),
        ("Ross Lynch plays in a band.", "He came with his late wife.", ["wife"]),
        ("Ross Lynch and his family play.", "Ross Lynch is Glenn's grandson.", []),
        ("Ross Lynch, born in 1995, wrote a song.", "Ross Lynch is Glenn's son.", ["son"]),
        ("Ross Lynch was born to Ann and Glenn.", "Ross Lynch is Glenn's son.", []),
        ("Ross Lynch and a son of Glenn play.", "Ross Lynch is Glenn's son.", []),
        ("Ross Lynch plays in a band.", "It is the sister of nobody.", []),
    ],
)
def test_kinship_where_the_context_tells_of_none(
    context: str, answer: str, found: list[str]
) -> None:
    assert stated(context, answer) == found


@pytest.mark.parametrize("unit", ["his ", "lawyer ", "a's ", "x" * 50 + " "])
def test_kinds_are_bounded_on_hostile_text(unit: str) -> None:
    text = (unit * 64_000)[:64_000]
    assert len(stated("He is a dentist.", text)) <= grounding_kinds.CLAIMS
    stated(text, "He is a lawyer.")


def test_a_question_that_offers_two_of_a_kind_tells_of_neither() -> None:
    case = Case("Was he a Democrat or a Republican?", "He was a Republican.", "He is a Democrat.")
    assert [one.stated for one in grounding_kinds.check(case)] == ["Republican"]
