"""How far a loop may go."""

import pytest

from reflection_mcp.tools.answer.plan import Plan, retries_of
from reflection_mcp.tools.errors import InvalidInput
from tests.requirements import requirement
from tests.rows import each_row


@requirement("loop:depth", "loop:max-two-retries")
@each_row(("depth", "retries"), [("none", 0), ("fast", 0), ("balanced", 2), ("deep", 3)])
def test_each_depth_has_its_number_of_retries(depth: str, retries: int) -> None:
    assert retries_of(depth) == retries
    assert Plan(retries=retries).attempts == retries + 1


@requirement("loop:max-iterations")
def test_attempts_in_all_are_three_unless_one_to_ten_are_asked_for() -> None:
    assert Plan().attempts == 3
    assert [retries_of("balanced", most) + 1 for most in (1, 5, 10)] == [1, 5, 10]
    assert retries_of("deep", 1) == 0


@requirement("loop:max-iterations")
@each_row("most", [0, 11, -1])
def test_a_number_of_attempts_out_of_range_is_refused(most: int) -> None:
    with pytest.raises(InvalidInput, match="max_iterations is out of range"):
        retries_of("balanced", most)


def test_a_depth_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(InvalidInput) as refused:
        retries_of("bottomless")
    assert "balanced" in refused.value.hint
