"""Which lines are beside the message: what is printed after an error, and reports of an end.

Rule of this module: the tables stay apart, for each says what it knows; they are asked together,
since to look through the words of a line is dear and serves them all.
"""

import re
from functools import cached_property

from reflection_mcp.tools.identity.rule import Shape, any_of, compiled
from reflection_mcp.tools.identity.sieve import Sieve
from reflection_mcp.tools.identity.verdicts import runners, trailers

_TABLES = (
    (trailers.TRAILERS, trailers.BEFORE, trailers.AFTER),
    (runners.ALL_ENDINGS, runners.BEFORE, runners.AFTER),
)
"""Rows of whole lines, and what may stand around each."""


class _Asides:
    """The rows of all tables as one question, made ready when it is first asked."""

    @cached_property
    def _common(self) -> re.Pattern[str]:
        """The rows that can always apply."""
        tables = (
            any_of((row for row in rows if not row.needs), before, after).pattern
            for rows, before, after in _TABLES
        )
        return compiled("|".join(tables))

    @cached_property
    def _rare(self) -> tuple[tuple[Shape, re.Pattern[str]], ...]:
        return tuple(
            (row, any_of((row,), before, after))
            for rows, before, after in _TABLES
            for row in rows
            if row.needs
        )

    @cached_property
    def _sieve(self) -> Sieve:
        return Sieve({at: tuple(row.needs.split("|")) for at, (row, _) in enumerate(self._rare)})

    def hold(self, line: str) -> bool:
        """Whether a casefolded line is a row of any table."""
        if self._common.match(line):
            return True
        for at in self._sieve.rows(line):  # noqa: SIM110 - of most lines it holds back all rows
            if self._rare[at][1].match(line):
                return True
        return False


_ASIDES = _Asides()


def is_aside(line: str) -> bool:
    """Whether a stripped line is a trailer or an ending."""
    return _ASIDES.hold(line.casefold())
