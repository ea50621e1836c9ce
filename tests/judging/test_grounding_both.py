import pytest

from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.grounding import both as grounding_both
from reflection_mcp.tools.judging.grounding.pairs import pair

DRINKS = (
    "A gin and tonic is a highball made with tonic water poured over ice. "
    "The paloma is a cocktail based on tequila and grapefruit soda."
)
FIRMS = (
    "Harbor Robotics was founded in Pittsburgh in 2011 and builds diving robots. "
    "Stillwater Dynamics, a maker of sonar for survey ships, was founded in Boston in 2006."
)
FILMS = (
    "Kai Strand is a film director and producer of many documentaries. "
    "Lea Moreau has been a director and producer of films and plays since 1990."
)


def stated(context: str, question: str, answer: str) -> list[str]:
    return [one.stated for one in grounding_both.check(Case(question, answer, context))]


@pytest.mark.parametrize(
    ("context", "question", "answer", "wrong"),
    [
        (DRINKS, "Are Gin and tonic and Paloma both based on tequila?", " Yes, both are. ", True),
        (DRINKS, "Are Gin and tonic and Paloma both based on tequila?", "No.", False),
        (DRINKS, "Are Gin and tonic and Paloma both based on rum?", "Yes.", False),
        (DRINKS, "Are Gin and tonic and Paloma both based on tequila?", "They may be.", False),
        (FIRMS, "Were Harbor Robotics and Stillwater Dynamics both made in Boston?", "Yes", True),
        (FIRMS, "Were Harbor Robotics and Stillwater Dynamics both made in Boston?", "No", False),
        (FIRMS, "Were Harbor Robotics and Stillwater Dynamics both founded in Ohio?", "Yes", False),
        (FIRMS, "Were Harbor Robotics and Stillwater Dynamics founded in the same state?",
         "Yes, in one.", True),
        (FIRMS, "Were Harbor Robotics and Stillwater Dynamics founded in the same state?",
         "No.", False),
        (FIRMS, "Were Harbor Robotics and Stillwater Dynamics founded in the same year?",
         "Yes.", False),
        (FILMS, "Do Kai Strand and Lea Moreau direct and produce films?", "No, one did.", True),
        (FILMS, "Did Kai Strand and Lea Moreau both direct operas?", "No, neither.", False),
        (FILMS + " They do not direct films.", "Did Kai Strand and Lea Moreau both direct films?",
         "No.", False),
        (FILMS, "Are Kai Strand and Lea Moreau?", "No.", False),
        (FILMS, "Are Kai Strand and Bo Lind both directors?", "No.", False),
    ],
)  # fmt: skip
def test_what_is_said_of_both(context: str, question: str, answer: str, wrong: bool) -> None:
    assert stated(context, question, answer) == [answer.strip()] * wrong


@pytest.mark.parametrize(
    ("question", "answer", "wrong"),
    [
        ("Which makes sonar for ships, Harbor Robotics or Stillwater Dynamics?",
         "Harbor Robotics makes it.", True),
        ("Which makes sonar for ships, Harbor Robotics or Stillwater Dynamics?",
         "Stillwater Dynamics", False),
        ("Which makes sonar for ships, Harbor Robotics or Stillwater Dynamics?",
         "Harbor Robotics does not.", False),
        ("Which makes sonar for ships, Harbor Robotics or Stillwater Dynamics?",
         "Harbor Robotics or Stillwater Dynamics.", False),
        ("Which makes sonar for ships, Harbor Robotics or Stillwater Dynamics?",
         "Harbor Robotics " + "may " * 40, False),
        ("Which was founded first, Harbor Robotics or Stillwater Dynamics?",
         "Harbor Robotics", False),
        ("Which is better, Harbor Robotics or Blue Lake?", "Harbor Robotics", False),
        ("Which builds robots and sonar for ships, Harbor Robotics or Stillwater Dynamics?",
         "Harbor Robotics", False),
        ("Which one is it, Harbor Robotics or Stillwater Dynamics?", "Harbor Robotics", False),
        ("Name Harbor Robotics or Stillwater Dynamics.", "Harbor Robotics", False),
    ],
)  # fmt: skip
def test_which_of_two_an_answer_chooses(question: str, answer: str, wrong: bool) -> None:
    assert stated(FIRMS, question, answer) == [answer.strip()] * wrong


def test_what_is_told_of_each_of_two() -> None:
    found = pair(Case("Is it the Paloma or Gin and tonic?", "", DRINKS), "or")
    assert found
    assert (found.one.name, found.two.name) == ("paloma", "gin and tonic")
    assert found.one.told.has_word("tequila") and not found.two.told.has_word("tequila")
    assert found.rest == ("Is", "it", "the")


@pytest.mark.parametrize(
    ("context", "question"),
    [
        (FIRMS + " Harbor Robotics bought it.", "Are Harbor Robotics and Stillwater Dynamics old?"),
        ("Ann Lee met Bo Day in the town.", "Are Ann Lee and Bo Day singers?"),
        (FIRMS, "Are Harbor Robotics and their boats old?"),
        (FIRMS, "Are robots and Stillwater Dynamics old?"),
        (FIRMS, "Are Harbor Robotics and"),
        (FIRMS, f"Are Harbor Robotics and Stillwater Dynamics old? {'Tell. ' * 60}"),
    ],
)  # fmt: skip
def test_where_it_is_not_plain_which_is_told_of_whom_nothing_is_said(
    context: str, question: str
) -> None:
    assert pair(Case(question, "", context), "and") is None


@pytest.mark.parametrize("unit", ["A and B ", "and ", "or ", "Are A and B both C? ", "A "])
def test_two_are_bounded_on_hostile_text(unit: str) -> None:
    text = (unit * 64_000)[:64_000]
    for question, answer in ((text, "Yes"), (text[:300], text), (f"Are {text[:290]}", "Yes")):
        list(grounding_both.check(Case(question, answer, text)))
