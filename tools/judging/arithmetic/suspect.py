"""A statement that looks false, with everything one needs to know to doubt it."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from reflection_mcp.tools.judging.expressions.rounding import Rounded
from reflection_mcp.tools.judging.expressions.statements import Equality, Side
from reflection_mcp.tools.judging.expressions.tokens import Token

WINDOW = 160
"""Characters before and after a statement that may say what it means."""


@dataclass(frozen=True, slots=True)
class Suspect:
    """A statement whose sides differ, with what stands around it.

    `before` is the text of its line up to it and of the line above, `after` the rest of the line
    and the next one, both cut to `WINDOW` characters; `topics` are the offsets at which the answer
    speaks of another arithmetic, with a negative one if the question does; `english` says whether
    the words around the numbers can be understood; `question` is what was asked.
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
    def ratio(self) -> Fraction:
        """Left over right; zero when there is none."""
        right = self.right.value.number
        return self.left.value.number / right if right else Fraction(0)
