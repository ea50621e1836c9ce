"""A statement that looks false, with everything one needs to know to doubt it, and the doubts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from reflection_mcp.tools.judging.maths.rounding import Rounded
from reflection_mcp.tools.judging.maths.statements import Equality, Side
from reflection_mcp.tools.judging.maths.tokens import Token

WINDOW = 160
"""Characters before and after a statement that may say what it means."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """A statement whose sides differ, with what stands around it.

    `before` and `after` are the text up to it and behind it, cut to `WINDOW` characters; `topics`
    are the offsets at which the answer speaks of another arithmetic, with a negative one if the
    question does; `english` says whether the words around the numbers can be understood; `question`
    is what was asked.
    """

    row: Sequence[Token]
    statement: Equality
    said: str
    before: str
    after: str
    topics: Sequence[int]
    rounded: Rounded
    english: bool = True
    question: str = ""

    @property
    def left(self) -> Side:
        """The left side of the comparison."""
        return self.statement.left

    @property
    def right(self) -> Side:
        """The stated result."""
        return self.statement.right

    @property
    def near(self) -> str:
        """The statement with its surroundings."""
        return f"{self.before} {self.said} {self.after}"

    @property
    def tokens(self) -> Sequence[Token]:
        """The tokens of its left side."""
        return self.row[self.left.first : self.left.last]

    @property
    def ratio(self) -> Fraction:
        """Return how many times the larger side holds the smaller one; 0 for none."""
        left, right = abs(self.left.value.number), abs(self.right.value.number)
        return max(left, right) / min(left, right) if left and right else Fraction(0)


Applies = Callable[[Suspect], bool]


class Doubt(NamedTuple):
    """One reason, as data: it catches its examples and not the counter-examples beside them."""

    name: str
    pairs: tuple[tuple[str, str], ...]
    applies: Applies


class Doubts(list[Doubt]):
    """A table of reasons."""

    def row(self, name: str, *pairs: tuple[str, str]) -> Callable[[Applies], Applies]:
        """Return a decorator that adds a function to the table, with its examples."""

        def add(applies: Applies) -> Applies:
            self.append(Doubt(name, pairs, applies))
            return applies

        return add
