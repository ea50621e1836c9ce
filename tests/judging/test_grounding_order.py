import pytest

from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.grounding import order as grounding_order

CONTEXT = (
    'Marta Oyelaran (born 3 March 1951) is a Nigerian painter. Joseph "Joe" Prior (12 November 1948'
    ' - 2 May 2011) was a poet. "Tin Harbour" is a 1987 film. "The Salt Road" was released in '
    "1979. "
    "Mr Undated left. Ann Late died in 1900. The Kettles are a band since 1990 or so. "
    "Ida Same was born in 1951. Ed Kin, son of Al Kin (1900), sang."
)
PEOPLE = "Who was born first, Marta Oyelaran or Joseph Prior?"
FILMS = "Which film was released first, Tin Harbour or The Salt Road?"


@pytest.mark.parametrize(
    ("question", "answer", "found"),
    [
        (PEOPLE, "Joseph Prior", ["ok"]),
        (PEOPLE, "Prior was born first, in 1948.", ["ok"]),
        (PEOPLE, "Marta Oyelaran", ["wrong"]),
        (PEOPLE, "Marta Oyelaran was actually born first.", ["wrong"]),
        (PEOPLE, "Joseph Prior was born before Marta Oyelaran.", ["ok"]),
        (PEOPLE, "Marta Oyelaran was born after Joseph Prior.", ["ok"]),
        (PEOPLE, "Marta Oyelaran was born before Joseph Prior.", ["wrong"]),
        (PEOPLE, "Marta Oyelaran is Joseph Prior's daughter.", []),
        (PEOPLE, "Marta Oyelaran, Joseph Prior", []),
        (PEOPLE, "Prior was born first, not last.", []),
        (PEOPLE, "Prior is the first, Marta Oyelaran is younger than him.", []),
        (PEOPLE, "Prior was first and last.", []),
        (PEOPLE, "Prior was the first born, the last died.", []),
        (PEOPLE, "first last Prior", []),
        (PEOPLE, "Nobody knows.", []),
        ("Who is older, Marta Oyelaran or Joe Prior?", "Joe Prior", ["ok"]),
        ("Who is older Marta Oyelaran or Joe Prior?", "Marta Oyelaran is older", ["wrong"]),
        ("Who is younger, Joe Prior or Marta Oyelaran?", "Joe Prior is the younger", ["wrong"]),
        ("Who is younger, Joe Prior or Marta Oyelaran?", "Marta Oyelaran", ["ok"]),
        ("Between the poets Marta Oyelaran and Joe Prior, who is older?", "Joe Prior", ["ok"]),
        ("Between Marta Prior and Joe Prior, who is older?", "Joe Prior", []),
        (PEOPLE, "They are the same age.", ["wrong"]),
        (PEOPLE, "Prior is a year older.", ["wrong"]),
        (PEOPLE, "Marta Oyelaran is 12 years younger.", ["wrong"]),
        (PEOPLE, "Marta Oyelaran is three years younger.", []),
        (PEOPLE, "Marta Oyelaran is many years younger.", []),
        (FILMS, "The Salt Road", ["ok"]),
        (FILMS, "Tin Harbour", ["wrong"]),
        ("Was Tin Harbour or The Salt Road released first?", "Tin Harbour.", ["wrong"]),
        ("Tin Harbour or The Salt Road, which came out first?", "The Salt Road.", []),
        ("Which came out first, Tin Harbour or The Salt Road?", "The Salt Road.", ["ok"]),
        ("Which was released first, The Kettles or Tin Harbour?", "Tin Harbour", []),
        ("Which was released first, Harbour Lane or Tin Harbour?", "Tin Harbour", []),
        ("Who is older, Mr Undated or Joe Prior?", "Joe Prior", []),
        ("Who is older, Ann Late or Joe Prior?", "Joe Prior", []),
        ("Who is older, Ed Kin or Joe Prior?", "Joe Prior", []),
        ("Who is older, Ida Same or Marta Oyelaran?", "Ida Same", []),
        ("Who is older, Al Kin or Ed Kin?", "Al Kin", []),
        ("Who is older, Al or Ed or Joe?", "Al", []),
        ("Who is older, ? or ??", "Al", []),
        ("Is Joe Prior older than twelve?", "Yes", []),
        ("Who painted?", "Marta Oyelaran", []),
        (PEOPLE + " Tell me more." * 40, "Marta Oyelaran", []),
        (PEOPLE, "Das ist Marta Oyelaran und nicht der Joseph Prior.", []),
    ],
)
def test_which_of_two_came_first(question: str, answer: str, found: list[str]) -> None:
    case = Case(question, answer, CONTEXT)
    assert [one.status for one in grounding_order.check(case)] == found


def test_the_finding_says_the_dates_and_the_other_one() -> None:
    (one,) = grounding_order.check(Case(PEOPLE, " Marta Oyelaran ", CONTEXT))
    assert one.quote == "Marta Oyelaran"
    assert one.expected == "joseph prior"
    assert "1951 and 1948" in one.why


@pytest.mark.parametrize("unit", ["a or ", "or ", "1999 ", "(", "Joe Prior ", ", "])
def test_the_order_is_bounded_on_hostile_text(unit: str) -> None:
    text = (unit * 64_000)[:64_000]
    for case in (Case(PEOPLE, text, CONTEXT), Case(PEOPLE, "Joseph Prior", text)):
        list(grounding_order.check(case))
    list(grounding_order.check(Case(f"Who is older, {text[:250]}", "Joe", CONTEXT)))
