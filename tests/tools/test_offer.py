"""What is offered of several lessons."""

from dataclasses import replace

from reflection_mcp.tools.advice import offer
from tests.learning.test_consolidation import LESSON
from tests.tools.stage import NOON


def test_of_two_that_contradict_each_other_the_better_proven_is_moved_before_the_other() -> None:
    fitting = replace(LESSON, id="ref-1", lesson="Never commit the .env file.", strategy="")
    between = replace(LESSON, id="ref-2", lesson="Rotate the keys.", strategy="")
    proven = replace(
        LESSON, id="ref-3", lesson="Always commit the .env file.", strategy="", helped=3
    )
    shown = offer([fitting, between, proven], NOON, 5, in_order=True)
    assert [advice.id for advice in shown.advice] == ["ref-3", "ref-1", "ref-2"]
    assert [advice.mark for advice in shown.advice] == [
        "contradicts ref-1",
        "contradicts ref-3",
        "",
    ]
