"""The limits of a loop, and the quality that is good enough."""

from collections.abc import Mapping
from dataclasses import dataclass

from reflection_mcp.tools.errors import InvalidInput
from reflection_mcp.tools.judging.scoring import GOOD_ENOUGH, RETRY_BELOW

RETRIES: Mapping[str, int] = {"none": 0, "fast": 0, "balanced": 2, "deep": 3}
"""Attempts after the first one, by depth (seed rule loop:depth)."""

FEWEST, MOST = 1, 10  # seed rule loop:max-iterations, counted in attempts, the first included
DEADLINE = 45.0  # seconds; hosts are known to give up at 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a loop was asked to do.

    always: reflect even when no fault is found.
    good_enough: the quality above which there is nothing left to do.
    retry_below: the quality below which a retry is asked for.
    deadline: seconds after which the best so far is returned; binds only a loop in one call.
    """

    retries: int = RETRIES["balanced"]
    always: bool = False
    good_enough: float = GOOD_ENOUGH
    retry_below: float = RETRY_BELOW
    deadline: float = DEADLINE

    @property
    def attempts(self) -> int:
        """How many attempts there may be in all."""
        return self.retries + 1


def retries_of(depth: str, max_iterations: int | None = None) -> int:
    """Return the number of attempts after the first one.

    Args:
        depth: `none` or `fast` (no retry), `balanced` (2) or `deep` (3).
        max_iterations: attempts in all, 1 to 10; says more than the depth, which else decides.

    Raises:
        InvalidInput: an unknown depth, or a number of attempts outside its range.
    """
    if depth not in RETRIES:
        raise InvalidInput("depth is unknown", f"pass one of {', '.join(RETRIES)}")
    if max_iterations is None:
        return RETRIES[depth]
    if not FEWEST <= max_iterations <= MOST:
        raise InvalidInput(
            "max_iterations is out of range", f"pass a whole number from {FEWEST} to {MOST}"
        )
    return max_iterations - 1
