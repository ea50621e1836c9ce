import pytest

from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.grounding import relation as grounding_relation


@pytest.mark.parametrize(
    ("question", "answer", "found"),
    [
        ("Who is the cook and uncle of Lena Diaz?", "Lena Diaz", ["Lena Diaz"]),
        (
            "Who is the cook and uncle of Lena Diaz?",
            "Lena Diaz is the cook.",
            ["Lena Diaz"],
        ),
        ("Who is the cook and uncle of Lena Diaz?", "Pablo Diaz", []),
        ("Who is the cook and uncle of Lena Diaz?", "Diaz", []),
        ("Who is the cook and uncle of Lena Diaz?", "Lena Diaz is a guest.", []),
        ("Who is the friend of Lena Diaz from Porto?", "In Porto, Lena Diaz", ["Lena Diaz"]),
        ("Who is the son of Lena Diaz?", "Lena Diaz", []),
        ("Who is the friend of Lena Diaz, Al Kin or Bo Day?", "Lena Diaz", []),
        ("Is he the uncle of Lena Diaz?", "Lena Diaz", []),
        (f"Who is the uncle of Lena Diaz? {'Tell. ' * 80}", "Lena Diaz", []),
    ],
)
def test_nobody_is_his_own_uncle(question: str, answer: str, found: list[str]) -> None:
    checks = grounding_relation.check(Case(question, answer, "Any."))
    assert [one.stated for one in checks] == found


@pytest.mark.parametrize("unit", ["who ", "uncle of ", "who uncle of A B ", "A B "])
def test_relations_are_bounded_on_hostile_text(unit: str) -> None:
    text = (unit * 64_000)[:64_000]
    for question, answer in ((text, "A B"), (text[:400], text[:400]), ("Who?", text)):
        list(grounding_relation.check(Case(question, answer, "Any.")))
