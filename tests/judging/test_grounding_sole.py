import pytest

from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.grounding import sole as grounding_sole
from reflection_mcp.tools.judging.texts.source import Source

CONTEXT = "The Vardal joins the Temsk near Brezno. Anselm Roth laid it out for Queen Victoria."


@pytest.mark.parametrize(
    ("question", "answer", "found"),
    [
        ("Which river does it join?", "Danube", ["Danube"]),
        ("Which river does it join?", "Danube river", ["Danube"]),
        ("Which river does it join?", "Temsk river.", []),
        ("What era is it of?", "Baroque era", ["Baroque"]),
        ("What era is it of?", "Victorian era", []),
        ("Which river does it join?", "Sava is the river.", ["Sava"]),
        ("Who laid it out?", "Fielding laid it out.", []),
        ("Who laid it out?", "Novak was the planner.", ["Novak"]),
        ("Who laid it out?", "Roth was the planner.", []),
        ("Who laid it out?", "Nobody was named.", []),
        ("Who laid it out?", "Someone was paid for it.", []),
        ("Who laid it out?", "Surveying was his job.", []),
        ("Which fuel does it burn?", "Petrol is what it burns.", []),
        ("Where is it?", "Upstairs is where it is.", []),
        ("Who laid it out?", "His was the plan.", []),
        ("Tell me more.", "Danube", []),
        ("What type of river is it?", "Torrent", []),
    ],
)
def test_the_name_that_an_answer_is_or_begins_with(
    question: str, answer: str, found: list[str]
) -> None:
    case = Case(question, answer, CONTEXT)
    assert [one.stated for one in grounding_sole.check(case, Source(CONTEXT))] == found
