import pytest

from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.grounding import origin as grounding_origin
from reflection_mcp.tools.judging.texts.source import Source

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


BOTH = "Are Marta Oyelaran and Ian Moss both"
SAME = "Do Marta Oyelaran and Ian Moss share the same nationality?"


@pytest.mark.parametrize(
    ("question", "answer", "found"),
    [
        (SAME, "Yes, they do.", ["the same nationality"]),
        (SAME, "No.", []),
        (SAME, "Both are of the same nationality.", ["the same nationality"]),
        ("Do Ian Moss and Ed Kin share the same nationality?", "Yes.", []),
        ("Are Marta Oyelaran and Ian Moss Nigerian singers?", "Yes, both are.", ["Nigerian"]),
        (f"{BOTH} what?", "Both are Nigerian.", ["Nigerian"]),
        (f"{BOTH} what?", "Both are alive.", []),
        ("Are Ed Kin and Eva Holm both what?", "Both are Nigerian.", []),
        (f"{BOTH} what? {'Tell me. ' * 40}", "Both are Nigerian.", []),
        ("What nationality is Ian Moss?", "French", ["French"]),
        ("What nationality is Ian Moss?", "Scottish", []),
        ("What nationality is Ian Moss?", "Nigerian", []),
        ("Where is he from?", "French", []),
    ],
)
def test_the_nationality_that_was_asked_for(question: str, answer: str, found: list[str]) -> None:
    case = Case(question, answer, CONTEXT)
    assert [one.stated for one in grounding_origin.check(case, case.source)] == found


@pytest.mark.parametrize("unit", ["Moss is French ", "Moss (", "Aa ", "is a "])
def test_nationalities_are_bounded_on_hostile_text(unit: str) -> None:
    text = (unit * 64_000)[:64_000]
    list(grounding_origin.check(Case("", text, CONTEXT), Source(CONTEXT)))
    list(grounding_origin.check(Case("", "Moss is French.", text), Source(text)))
