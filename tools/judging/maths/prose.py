"""The prose of an answer as tokens of arithmetic, and the statements in it.

Rule of this module: what several checks need is read once for each case.
"""

from collections.abc import Sequence

from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.maths.statements import Equality, Unread, statements
from reflection_mcp.tools.judging.maths.tokens import Token, may_relate, tokens


def row_of(case: Case) -> Sequence[Token]:
    """Return the prose as tokens of arithmetic."""
    return tokens(case.prose)


def statements_of(case: Case) -> Sequence[Equality | Unread]:
    """Return the statements of the prose that expressions have certain values."""
    # Most prose relates nothing, and to read it as arithmetic is what costs.
    return statements(case.view(row_of)) if may_relate(case.prose) else ()
