"""The connections of a store, each lent for one piece of work.

Rules of this module. A statement gets the tenant as its first value, so that none can be sent
without; row level security gets the same from the setting `reflection.tenant`, which is sent only
when a connection's tenant or patience changes. A connection whose work was not waited for is
closed, never lent again. A second try is made once, and only for what it may cure (`errors.py`).
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Protocol, TypeVar

from reflection_mcp.store.columns import salt
from reflection_mcp.store.errors import StoreBusy, StoreError, StoreUnavailable
from reflection_mcp.store.postgres.crowds import Crowds
from reflection_mcp.store.postgres.errors import TRIED_AGAIN, gone, named, sqlstate
from reflection_mcp.store.records import Scope
from reflection_mcp.store.sql.db import Raced, Statement, Work
from reflection_mcp.store.sql.statements import Statements

T = TypeVar("T")

RACES = 10
"""The number of times that work is done again because another transaction made the same row."""

_MADE_BY_ANOTHER = "23505"  # unique_violation

IDLE = 300.0
"""Seconds after which a connection that nobody needed is closed."""

GRACE = 2.0
"""Seconds beyond the caller's patience after which a server that does not even refuse is gone."""

FAREWELL = 1.0
"""Seconds that closing a connection may take."""

SETTINGS = {"plan_cache_mode": "force_generic_plan", "application_name": "reflection-mcp"}
"""Generic plans: otherwise each look-up in a young database is planned anew (three times as long,
measured at 10,000 rows)."""


class Connection(Protocol):
    """The part of asyncpg's connection that is used."""

    async def fetch(self, query: str, *values: object) -> list[Any]:
        """Rows of one statement."""
        ...

    async def executemany(self, query: str, many: Sequence[Sequence[object]]) -> None:
        """Run one statement many times, without waiting for each answer."""
        ...

    async def execute(self, query: str) -> str:
        """Run statements without values."""
        ...

    def is_closed(self) -> bool:
        """Return True if nothing can be sent any more."""
        ...

    def terminate(self) -> None:
        """Close at once."""
        ...

    async def close(self) -> None:
        """Say goodbye."""
        ...


Connect = Callable[[], Awaitable[Connection]]


def tenant_of(scope: Scope) -> int:
    """The number of the tenant of a scope."""
    return salt(Scope(tenant=scope.tenant, project=""))


_PLACED = Statement(
    "INSERT INTO place(tenant, place, tenant_name, project) VALUES($1, $2, $3, $4)"
    " ON CONFLICT DO NOTHING"
)


class PostgresDb:
    """A lent connection, for one scope and for statements that answer within `patience` seconds."""

    __slots__ = (
        "connection", "crowds", "patience", "place", "places", "projects", "scope", "statements",
        "tenant",
    )  # fmt: skip

    def __init__(
        self,
        connection: Connection,
        scope: Scope,
        patience: float,
        statements: Statements,
        crowds: Crowds,
    ) -> None:
        self.connection = connection
        self.patience = patience
        self.statements = statements
        self.crowds = crowds
        self.scope = scope
        self.tenant = tenant_of(scope)
        self.projects = {salt(each): each.project for each in scope.readable}
        self.places: Sequence[int] = list(self.projects)
        self.place = self.places[0]

    async def at(self, scope: Scope) -> "PostgresDb":
        """The same connection, for another scope of the tenant, whose place is noted."""
        there = PostgresDb(self.connection, scope, self.patience, self.statements, self.crowds)
        await there.found()
        return there

    def place_of(self, scope: Scope) -> int:
        """The number of the place of a scope."""
        return salt(scope)

    async def found(self) -> None:
        """Note the names of the place, unless that was done before."""
        await self.rows(_PLACED, self.place, self.scope.tenant, self.scope.project)

    async def rows(self, statement: Statement, *values: object) -> list[Any]:
        """The rows of a statement; the tenant is its first value."""
        async with asyncio.timeout(self.patience):
            return await self.connection.fetch(statement, self.tenant, *values)

    async def each(self, statement: Statement, many: Sequence[Sequence[object]]) -> None:
        """Run a statement for each of many values, sent together."""
        async with asyncio.timeout(self.patience):
            values = [(self.tenant, *each) for each in many]
            await self.connection.executemany(statement, values)

    async def say(self, command: str) -> None:
        """Send a command without values that concerns the connection itself."""
        async with asyncio.timeout(self.patience):
            await self.connection.execute(command)


class _Held:
    """A connection with what was said in it last."""

    __slots__ = ("connection", "said", "since")

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.said: tuple[int, float] | None = None
        self.since = 0.0


class Connections:
    """At most `most` connections, made when they are needed.

    Args:
        connect: makes one.
        most: so many at once.
        statements: what their `PostgresDb` says in words of its own.
        pooled: a pooler stands between that lends a server for one transaction at a time, so that
            every piece of work is a transaction and says all of its settings in it.
        settings: what a pooled transaction has to say besides.
    """

    def __init__(
        self,
        connect: Connect,
        most: int,
        statements: Statements,
        *,
        pooled: bool = False,
        settings: str = "",
    ) -> None:
        self._statements = statements
        self.crowds = Crowds()
        self._connect = connect
        self._room = asyncio.Semaphore(most)
        self._idle: list[_Held] = []
        self._pooled = pooled
        self._settings = settings
        self.closed = False

    async def close(self) -> None:
        """Close all; work that is being done ends first, or is cut off after a second."""
        self.closed = True
        idle, self._idle = self._idle, []
        for held in idle:
            await self._part(held)

    def _drop_idle(self) -> None:
        """Close those that nobody uses: where one was lost, the others are, too."""
        idle, self._idle = self._idle, []
        for held in idle:
            held.connection.terminate()

    async def _part(self, held: _Held) -> None:
        try:
            async with asyncio.timeout(FAREWELL):
                await held.connection.close()
        except (TimeoutError, OSError):
            held.connection.terminate()

    async def run(self, scope: Scope, wait: float, work: Work[T], *, whole: bool = False) -> T:
        """Do the work in a connection, as one transaction if `whole`.

        Raises:
            StoreError: by `errors.NAMES`; nothing was changed, unless the connection was lost while
                it was being committed: the same event again then counts once.
        """
        races, again = 0, False
        while True:
            try:
                return await self._once(scope, wait, work, whole)
            except StoreError:
                raise
            except Exception as error:
                if isinstance(error, Raced) or sqlstate(error) == _MADE_BY_ANOTHER:
                    races += 1
                    if races > RACES:
                        raise StoreBusy("other writers were faster", "try again") from error
                    continue
                if (known := named(error)) is None:
                    raise
                if again or not sqlstate(error).startswith(TRIED_AGAIN):
                    raise known from error
                again = True
                if not sqlstate(error).startswith("40"):
                    self._drop_idle()

    async def _once(self, scope: Scope, wait: float, work: Work[T], whole: bool) -> T:
        held = await self._taken(wait)
        try:
            result = await self._done(held, scope, wait, work, whole)
        except TimeoutError as late:
            held.connection.terminate()
            raise gone() from late
        except asyncio.CancelledError:
            held.connection.terminate()
            raise
        except Exception as error:
            if held.connection.is_closed() and not sqlstate(error):
                raise ConnectionError("the connection was lost") from error
            raise
        finally:
            await self._given_back(held)
        return result

    async def _done(self, held: _Held, scope: Scope, wait: float, work: Work[T], whole: bool) -> T:
        db = PostgresDb(held.connection, scope, wait + GRACE, self._statements, self.crowds)
        if held.said != (db.tenant, wait):
            held.said = None
            said = (
                f"SELECT set_config('reflection.tenant', '{db.tenant}', {self._pooled}),"
                f" set_config('statement_timeout', '{max(1, int(wait * 1000))}', {self._pooled})"
            )
            if self._pooled:
                await db.say(f"BEGIN; {said};{self._settings}")
                whole = True
            else:
                await db.say(f"{said}{'; BEGIN' if whole else ''}")
                held.said = (db.tenant, wait)
        elif whole:
            await db.say("BEGIN")
        if not whole:
            return await work(db)
        try:
            result = await work(db)
            await db.say("COMMIT")
        except (TimeoutError, asyncio.CancelledError):
            raise  # the connection is closed, and the transaction with it
        except BaseException:
            held.said = None  # it may have been said in this transaction, and goes with it
            if not held.connection.is_closed():
                await db.say("ROLLBACK")
            raise
        return result

    async def _taken(self, wait: float) -> _Held:
        if self.closed:
            raise StoreUnavailable("the store is closed", "open it again")
        try:
            async with asyncio.timeout(wait if self._room.locked() else None):
                await self._room.acquire()
        except TimeoutError as late:
            raise StoreBusy("all connections of this process are at work", "try again") from late
        try:
            while self._idle:
                held = self._idle.pop()
                if not held.connection.is_closed():
                    return held
            async with asyncio.timeout(wait + GRACE):
                return _Held(await self._connect())
        except TimeoutError as late:
            self._room.release()
            raise gone() from late
        except BaseException:
            self._room.release()
            raise

    async def _given_back(self, held: _Held) -> None:
        self._room.release()
        if held.connection.is_closed():
            return
        if self.closed:
            await self._part(held)
            return
        held.since = now = time.monotonic()
        self._idle.append(held)
        if now - self._idle[0].since > IDLE:
            await self._part(self._idle.pop(0))
