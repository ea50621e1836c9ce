"""The prose of an answer as tokens of arithmetic, and the statements in it.

Rule of this module: what several checks need is read once for each case.
"""

from collections.abc import Sequence

from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.maths.statements import Equality, Unread, statements
from reflection_mcp.tools.judging.maths.tokens import Token, may_relate, tokens

CHARACTER, STATEMENT = 2, 100
"""Work to read a character of prose as arithmetic, and a statement in it."""


def row_of(case: Case) -> Sequence[Token]:
    """Return the prose as tokens of arithmetic."""
    return tokens(case.prose[: case.budget.grant_half(len(case.prose), CHARACTER)])


def statements_of(case: Case) -> Sequence[Equality | Unread]:
    """Return the statements of the prose that expressions have certain values."""
    # Most prose relates nothing, and to read it as arithmetic is what costs.
    if not may_relate(case.prose):
        return ()
    return [*case.budget.afford(statements(case.view(row_of)), lambda _: STATEMENT)]
