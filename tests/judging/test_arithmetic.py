"""The family that follows arithmetic: what it flags, where, and what it leaves alone."""

import pytest

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.arithmetic import check
from reflection_mcp.tools.judging.arithmetic_doubts import DOUBTS, Doubt
from reflection_mcp.tools.judging.case import Case


def found(answer: str, question: str = "") -> list[Check]:
    return list(check(Case(question=question, answer=answer)))


def wrong(answer: str, question: str = "") -> list[Check]:
    return [one for one in found(answer, question) if one.status == "wrong"]


def test_a_wrong_product_is_located_and_its_reuse_is_told() -> None:
    answer = "15 x 12.99 = 195.00. Shipping is 195.00 + 5 = 200.00. Then 195 / 3 = 65."
    (flag,) = wrong(answer)
    assert (flag.stated, flag.expected) == ("195", "194.85")
    assert flag.quote == "15 x 12.99 = 195.00" == answer[flag.start : flag.end]
    assert flag.why == "15 x 12.99 comes to 194.85, not 195; two later values reuse 195."


@pytest.mark.parametrize("row", DOUBTS, ids=lambda row: row.name)
def test_each_doubt_spares_its_example_and_not_its_counter_example(row: Doubt) -> None:
    assert not wrong(row.example)
    assert any(one.why == row.name for one in found(row.example))
    assert wrong(row.counter)
