"""The state of a reflection."""

from dataclasses import replace
from typing import Any

from reflection_mcp.tools.learning.fix_candidates import CANDIDATE, CONFIRMED
from reflection_mcp.tools.learning.row_state import State, state_of
from tests.contract.samples import learned
from tests.requirements import requirement
from tests.rows import each_row


@requirement("overview:states")
@each_row(
    ("row", "state"),
    [
        ({}, "untried"),
        ({"shown": 3}, "untried"),
        ({"helped": 1}, "unproven"),
        ({"helped": 1, "failed": 1}, "unproven"),
        ({"failed": 1}, "unproven"),
        ({"helped": 2}, "proven"),
        ({"helped": 4, "failed": 1}, "proven"),
        ({"helped": 3, "failed": 1}, "unproven"),
        ({"failed": 2}, "harmful"),
        ({"suspicious": True}, "suspicious"),
        ({"suspicious": True, "failed": 2}, "harmful"),
        ({"retired": True, "failed": 2}, "retired"),
        ({"retired": True, "tags": (CANDIDATE,)}, "candidate"),
        ({"tags": (CANDIDATE, CONFIRMED)}, "untried"),
        ({"retired": True, "tags": (CANDIDATE,), "failed": 1}, "retired"),
    ],
)
def test_a_row_has_the_first_state_that_fits(row: dict[str, Any], state: State) -> None:
    assert state_of(replace(learned("lock"), **row)) == state
