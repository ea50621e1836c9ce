"""One quantity with two values."""

import pytest

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.quantities.consistency import check


def found(answer: str) -> list[Check]:
    return list(check(Case(answer=answer)))


def test_the_second_value_of_a_named_quantity_is_flagged() -> None:
    text = "The total cost of the trip is $45.\nTo sum up, the total cost of the trip is $54."
    (flag,) = found(text)
    assert (flag.status, flag.stated, flag.expected) == ("wrong", "54", "45")
    assert flag.quote == "total cost of the trip is $54"


@pytest.mark.parametrize(
    "text",
    [
        "The total cost of the trip is $45. In short, the total cost of the trip is $45.00!",
    ],
)
def test_the_same_value_again_is_ok(text: str) -> None:
    assert [one.status for one in found(text)] == ["ok"]


def test_a_value_that_is_taken_back_is_unchecked() -> None:
    text = "The cost of the trip is 45.\nThe cost of the trip is 54. Wait, that is wrong."
    assert [one.status for one in found(text)] == ["unchecked"]


@pytest.mark.parametrize(
    "text",
    [
        "The cost is 45. The cost is 54.",
        "The remaining cost of it is 45. The remaining cost of it is 54.",
        "The cost of the trip is 45 + 3. The cost of the trip is 48.",
        "The cost of the trip is 45. The cost of the trip is 45.5 with tax.",
        "The length of the road is 45 miles. The length of the road is 72 km.",
        "Case 1: the cost of the trip is 45. Case 2: the cost of the trip is 54.",
        "The cost of the trip is 45. The cost of the trip is 45.",
        "Problem 1: the sum of all angles is 180.\nProblem 2: the sum of all angles is 360.",
        "The cost of the trip is 45.3. The cost of the trip is 45.",
        "Die Kosten der Reise sind nicht klar: Kosten der Reise = 45. Kosten der Reise = 54.",
    ],
)
def test_names_that_may_mean_two_things_are_not_compared(text: str) -> None:
    assert [one for one in found(text) if one.status == "wrong"] == []
