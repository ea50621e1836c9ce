"""The state of a reflection."""

from dataclasses import replace
from typing import Any

import pytest

from reflection_mcp.store.state import Recurrence
from reflection_mcp.tools.learning.fix_candidates import CANDIDATE, CONFIRMED
from reflection_mcp.tools.learning.row_state import State, state_of
from tests.contract.samples import at, learned
from tests.requirements import requirement

BACK = Recurrence(recurred_at=at(5))
HELPED_SINCE = Recurrence(recurred_at=at(5), helped_at=at(6))
HELPED_BEFORE = Recurrence(recurred_at=at(5), helped_at=at(4))


@requirement("overview:states")
@pytest.mark.parametrize(
    ("row", "recurrence", "state"),
    [
        ({}, Recurrence(), "untried"),
        ({"shown": 3}, Recurrence(), "untried"),
        ({"helped": 1}, Recurrence(), "unproven"),
        ({"helped": 1, "failed": 1}, Recurrence(), "unproven"),
        ({"failed": 1}, Recurrence(), "unproven"),
        ({"helped": 2}, Recurrence(), "proven"),
        ({"helped": 4, "failed": 1}, Recurrence(), "proven"),
        ({"helped": 3, "failed": 1}, Recurrence(), "unproven"),
        ({"helped": 9}, BACK, "came back"),
        ({"helped": 9}, HELPED_BEFORE, "came back"),
        ({"helped": 9}, HELPED_SINCE, "proven"),
        ({"failed": 2}, BACK, "harmful"),
        ({"suspicious": True}, BACK, "suspicious"),
        ({"suspicious": True, "failed": 2}, BACK, "harmful"),
        ({"retired": True, "failed": 2}, BACK, "retired"),
        ({"retired": True, "tags": (CANDIDATE,)}, BACK, "candidate"),
        ({"tags": (CANDIDATE, CONFIRMED)}, Recurrence(), "untried"),
        ({"retired": True, "tags": (CANDIDATE,), "failed": 1}, Recurrence(), "retired"),
    ],
)
def test_a_row_has_the_first_state_that_fits(
    row: dict[str, Any], recurrence: Recurrence, state: State
) -> None:
    assert state_of(replace(learned("lock"), **row), recurrence) == state
