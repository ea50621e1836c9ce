"""A connection for one scope, whatever database it leads to.

Rules of this module. A statement is written in PostgreSQL's words; `sqlite/db.py` says what SQLite
says instead. Its first value is the tenant, which the connection gives, so that none can be sent
without. What the two databases cannot say in the same words is a function of `Statements`.
Everything runs in a coroutine; that of SQLite never waits.
"""

from collections.abc import Callable, Coroutine, Sequence
from typing import Any, NewType, Protocol, TypeVar

from reflection_mcp.store.records import Scope
from reflection_mcp.store.sql.statements import Statements

T = TypeVar("T")

Statement = NewType("Statement", str)
"""A statement whose first value, `$1`, is the tenant: a constant of a module, never put together
from what a caller says."""

Row = Sequence[Any]

EVER = -(2**62)
"""Microseconds before all that has a time."""


class Raced(Exception):
    """Another transaction has just created the same row: the caller has to decide again.

    No caller sees it: the work is done again.
    """


class Db(Protocol):
    """A connection for one scope."""

    scope: Scope
    place: Any
    """The value of the column `place` for the scope."""
    places: Sequence[Any]
    """Those of all scopes that it can read, the nearest first."""
    statements: Statements
    """The statements that only this database needs."""

    async def at(self, scope: Scope) -> "Db":
        """The same connection, for another scope of the tenant."""
        ...

    def place_of(self, scope: Scope) -> Any:
        """The value of the column `place` for another scope of the tenant."""
        ...

    async def rows(self, statement: Statement, *values: object) -> list[Any]:
        """The rows of a statement; the tenant is its first value."""
        ...


Work = Callable[[Any], Coroutine[Any, Any, T]]
"""Work with a `Db` of the store that does it."""


async def first(db: Db, statement: Statement, *values: object) -> Row | None:
    """The first row of a statement, or None."""
    found: list[Row] = await db.rows(statement, *values)
    return found[0] if found else None


async def nearest(db: Db, statement: Statement, *values: object) -> Row | None:
    """Of the rows of a statement, which end with their place, the one of the nearest scope; the
    second value of the statement is `places`."""
    found: list[Row] = await db.rows(statement, db.places, *values)
    if len(found) < 2:
        return found[0] if found else None
    return min(found, key=lambda row: db.places.index(row[-1]))
