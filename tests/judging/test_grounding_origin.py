import pytest

from reflection_mcp.tools.judging import grounding_origin
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.source import Source

CONTEXT = (
    "Marta Oyelaran (born 3 March 1951) is a noted Nigerian painter. Ian Moss is a British singer. "
    "Eva Holm lives in Finland, where Al Kin, a Dane, works."
)


@pytest.mark.parametrize(
    ("answer", "found"),
    [
        ("No, Marta Oyelaran is Brazilian.", ["Brazilian"]),
        ("Oyelaran was a Kenyan painter.", ["Kenyan"]),
        ("Marta Oyelaran is Nigerian.", []),
        ("Marta Oyelaran is Finnish.", []),
        ("Moss is Scottish.", []),
        ("Moss is French.", ["French"]),
        ("Holm is Swedish.", []),
        ("Moss is French-born.", []),
    ],
)
def test_another_nationality_than_the_context_tells(answer: str, found: list[str]) -> None:
    checks = grounding_origin.check(Case("", answer, CONTEXT), Source(CONTEXT))
    assert [one.stated for one in checks] == found


@pytest.mark.parametrize("unit", ["Moss is French ", "Moss (", "Aa ", "is a "])
def test_nationalities_are_bounded_on_hostile_text(unit: str) -> None:
    text = (unit * 64_000)[:64_000]
    list(grounding_origin.check(Case("", text, CONTEXT), Source(CONTEXT)))
    list(grounding_origin.check(Case("", "Moss is French.", text), Source(text)))
