import pytest

from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.grounding import check as grounding
from reflection_mcp.tools.judging.grounding.elsewhere import PLACES

TOLD = (
    "Ida Lund, a professor of hydraulic engineering, directs the institute for coastal "
    "protection of the university and advises the ministry on dikes. "
)
FILLER = "Many letters came, and nobody who read them would say what they were about. " * 8
ANSWER = (
    "In 2009 the professor of hydraulic engineering became director of the institute for coastal "
    "protection of the university."
)
ANSWER_OF_A_NAME = (
    "In Vilnius the professor of hydraulic engineering directs the institute for coastal "
    "protection of the university and advises the ministry."
)


def apart(context: str, answer: str, question: str = "") -> list[str]:
    found = grounding.check(Case(question, answer, context))
    return [one.stated for one in found if one.kind == grounding.APART]


def test_a_year_that_the_context_tells_of_something_else() -> None:
    assert apart(f"{TOLD}{FILLER}Waves and walls, vol. 21 (2009).", ANSWER) == ["2009"]


def test_a_name_that_the_context_tells_of_something_else() -> None:
    assert apart(f"{TOLD}{FILLER}A wall fell in Vilnius.", ANSWER_OF_A_NAME) == ["Vilnius"]


@pytest.mark.parametrize(
    ("context", "answer"),
    [
        pytest.param(f"{TOLD}Since 2009 she has led it.{FILLER}", ANSWER, id="it stands near"),
        pytest.param(
            f"{TOLD}{FILLER}Written on 3 May 2009.", ANSWER, id="a page may be of that year"
        ),
        pytest.param(
            f"Ida Lund leads it.{FILLER}Waves and walls, vol. 21 (2009).",
            ANSWER,
            id="the context tells it in other words",
        ),
        pytest.param(
            f"{TOLD}{FILLER}Waves and walls, vol. 21 (2009).",
            "In 2009 she became director of the institute.",
            id="a short sentence",
        ),
        pytest.param(
            f"{TOLD}{FILLER}Waves and walls, vol. 21 (2009).",
            "In 2009 she was one of the few who had been there when it was all over and done.",
            id="a sentence of few telling words",
        ),
        pytest.param(
            f"{TOLD}{FILLER}{'A year later, in 2009. ' * (PLACES + 1)}",
            ANSWER,
            id="what stands everywhere",
        ),
        pytest.param(
            f"{TOLD}{FILLER}Waves and walls, vol. 21, 42 pages.",
            ANSWER.replace("2009", "42 months"),
            id="a number that is no year",
        ),
        pytest.param(
            f"{TOLD}{FILLER}Waves and walls, vol. 21 (in 2009-10).",
            ANSWER.replace("2009", "2010"),
            id="a year that is told in another form",
        ),
    ],
)
def test_what_is_not_held_against_a_sentence(context: str, answer: str) -> None:
    assert apart(context, answer) == []
