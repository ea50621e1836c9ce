"""The work that all checks of one answer may do together.

Rule of this module: work is counted in what is read, never in time, so that the same answer is
always checked as far; whoever asks for more than is left is granted what is left.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Piece = TypeVar("Piece")

WORK = 450_000
"""Units for one answer, each about a microsecond: an answer of 20 kB over a context of 60 kB takes
nearly a third of them."""
FINDING = 150
"""Work to make a finding, to look at it and to write it down."""


class Budget:
    """The work that is left for one answer; `is_short` once more was asked for than was granted."""

    def __init__(self, work: int = WORK) -> None:
        self.left = work
        self.is_short = False

    def grant(self, wanted: int, cost: int = 1) -> int:
        """Return how many of the wanted pieces of work may be done, at that cost each."""
        granted = min(wanted, self.left // cost)
        self.left -= granted * cost
        self.is_short |= granted < wanted
        return granted

    def grant_half(self, wanted: int, cost: int = 1) -> int:
        """Return as `grant` does, and leave the others half of what is left."""
        granted = self.grant(min(wanted, self.left // 2 // cost), cost)
        self.is_short |= granted < wanted
        return granted

    def afford(self, pieces: Iterable[Piece], cost: Callable[[Piece], int]) -> Iterator[Piece]:
        """Yield pieces for as long as there is work left for them."""
        for piece in pieces:
            if not self.grant(1, cost(piece)):
                return
            yield piece
