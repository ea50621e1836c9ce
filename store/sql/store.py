"""A store in a database: the contract as work with a connection.

Rule of this module: each question goes to the function that knows it, with clean texts; where and
when the work is done, and with which connection, is each database's own affair.
"""

from abc import abstractmethod
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Concatenate, ParamSpec, TypeVar

from reflection_mcp.store.contract import Writes
from reflection_mcp.store.interactions import Effect, FailedAction, Feedback, Lookup, Showing, Step
from reflection_mcp.store.records import Hit, Observation, RecordResult, Scope
from reflection_mcp.store.scrub import scrubbed
from reflection_mcp.store.sql import activity as sql_activity
from reflection_mcp.store.sql import attempts as sql_attempts
from reflection_mcp.store.sql import feedback as sql_feedback
from reflection_mcp.store.sql import history as sql_history
from reflection_mcp.store.sql import journal as sql_journal
from reflection_mcp.store.sql import lookups as sql_lookups
from reflection_mcp.store.sql import maintenance as sql_maintenance
from reflection_mcp.store.sql import recording as sql_recording
from reflection_mcp.store.sql import trail as sql_trail
from reflection_mcp.store.sql.db import Db, Work
from reflection_mcp.store.sql.statements import Statements
from reflection_mcp.store.state import Stats
from reflection_mcp.store.terms import MOST_HITS, Answer

P = ParamSpec("P")
T = TypeVar("T")
Note = Lookup | Step | Showing | FailedAction

Function = Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]
"""A function of a `Db` that answers a question of `Store` with the arguments of that method."""
Method = Callable[Concatenate["SqlStore", Scope, P], Answer[T]]


def cleaned(function: Function[P, T], given: tuple[Any, ...], named: Mapping[str, Any]) -> Work[T]:
    """The work of a function with these arguments, whose texts hold nothing that a database
    refuses."""
    values = scrubbed((*given, *named.values()))
    more = dict(zip(named, values[len(given) :], strict=True))
    return lambda db: function(db, *values[: len(given)], **more)


def own(function: Callable[Concatenate[Statements, Any, P], Answer[T]]) -> Function[P, T]:
    """The function of `Statements` that the database of a connection has."""
    name = function.__name__

    async def found(db: Any, /, *given: P.args, **named: P.kwargs) -> T:
        answer: T = await getattr(db.statements, name)(db, *given, **named)
        return answer

    return found


def quick(function: Function[P, T], *, whole: bool = False) -> Method[P, T]:
    """The method for a question whose answer takes no time; on one snapshot if `whole`."""

    async def asked(self: "SqlStore", scope: Scope, /, *given: P.args, **named: P.kwargs) -> T:
        return await self.near(scope, cleaned(function, given, named), whole=whole)

    return asked


def slow(function: Function[P, T], *, unless: str = "") -> Method[P, T]:
    """The method for a question whose answer may take long, `unless` that argument is given."""

    async def asked(self: "SqlStore", scope: Scope, /, *given: P.args, **named: P.kwargs) -> T:
        way = self.near if named.get(unless) is not None else self.far
        return await way(scope, cleaned(function, given, named))

    return asked


def written(function: Function[P, T]) -> Method[P, T]:
    """The method for a transaction."""

    async def asked(self: "SqlStore", scope: Scope, /, *given: P.args, **named: P.kwargs) -> T:
        return await self.write(scope, cleaned(function, given, named))

    return asked


def noted(function: Function[P, None]) -> Method[P, None]:
    """The method for a write of one note that need not outlive a power cut."""

    async def asked(self: "SqlStore", scope: Scope, /, *given: P.args, **named: P.kwargs) -> None:
        note: Any = scrubbed((*given, *named.values()))[0]
        await self.note(scope, note, cleaned(function, given, named))

    return asked


class SqlStore:
    """A `Store`, but for `close`, `hasty` and `health`."""

    # ----------------------------------------------------------------- where work is done

    @abstractmethod
    async def near(self, scope: Scope, work: Work[T], *, whole: bool = False) -> T:
        """A read that takes no time; on one snapshot if `whole`."""

    @abstractmethod
    async def far(self, scope: Scope, work: Work[T]) -> T:
        """A read that may take long, on one snapshot."""

    @abstractmethod
    async def write(self, scope: Scope, work: Work[T]) -> T:
        """A transaction."""

    @abstractmethod
    async def erase(self, scope: Scope, work: Work[T]) -> T:
        """A transaction that deletes for good."""

    @abstractmethod
    async def note(self, scope: Scope, note: Note, work: Work[None]) -> None:
        """A note: a write that need not outlive a power cut."""

    @abstractmethod
    async def transaction(self, scope: Scope, /, work: Callable[[Writes], T]) -> T:
        """See `Store.transaction`."""

    # ----------------------------------------------------------------- what is asked

    add_attempt = written(sql_attempts.add)
    attempt = quick(sql_attempts.by_id)
    attempts = slow(sql_attempts.listed, unless="conversation_id")

    record = written(sql_recording.record)
    reflection = quick(sql_recording.by_id, whole=True)
    reflections = slow(own(Statements.listed))
    shortlist = quick(own(Statements.shortlisted), whole=True)
    search = slow(own(Statements.searched))

    async def find(
        self,
        scope: Scope,
        /,
        digests: Sequence[str],
        *,
        signature: str = "",
        limit: int = MOST_HITS,
    ) -> Sequence[Hit]:
        asked = (*scrubbed((tuple(digests), signature)), limit)
        hits: Sequence[Hit] | None = await self.near(
            scope, lambda db: db.statements.found(db, *asked)
        )
        if hits is not None:
            return hits
        return await self.near(scope, lambda db: db.statements.crowded(db, *asked), whole=True)

    async def forget(self, scope: Scope, /, target_id: str) -> bool:
        return await self.erase(scope, lambda db: sql_feedback.forget(db, scrubbed(target_id)))

    log_lookup = noted(own(Statements.log))
    lookup = quick(sql_lookups.by_id)
    lookups = slow(sql_lookups.listed)
    last_shown = quick(sql_lookups.last_shown)
    unresolved = slow(sql_lookups.unresolved)
    met = quick(sql_lookups.met)

    async def apply_feedback(self, scope: Scope, /, feedback: Feedback) -> Effect:
        clean = scrubbed(feedback)
        way = self.erase if clean.kind == "forget" else self.write
        return await way(scope, lambda db: sql_feedback.apply(db, clean))

    votes = slow(sql_activity.votes)
    vetoes = quick(sql_feedback.vetoes)

    add_step = noted(sql_trail.add_step)
    steps = quick(sql_trail.steps)
    add_showing = noted(sql_trail.add_showing)
    showings = quick(sql_trail.showings)
    count_action = noted(sql_trail.count_action)
    failed_actions = quick(sql_trail.failed_actions)

    stored = slow(sql_maintenance.stored)
    adopt = written(sql_maintenance.adopt)
    move = written(sql_maintenance.move)
    history = slow(sql_history.read)
    restore = written(own(Statements.restore))
    rewrite = written(sql_maintenance.rewrite)
    changes_undone = slow(sql_journal.changes_undone)
    undo = written(sql_maintenance.undo)
    claim_consolidation = written(sql_journal.claim_consolidation)
    verdicts = slow(sql_maintenance.verdicts)

    count = quick(own(Statements.rows_counted))
    stats = slow(own(Statements.counted))
    activity = slow(sql_activity.activity)
    daily_lookups = slow(sql_activity.daily_lookups)
    track_records = slow(sql_activity.track_records)

    async def places(self, tenant: str) -> Mapping[str, Stats]:
        return await self.far(Scope(tenant=tenant), lambda db: db.statements.places(db))


# --------------------------------------------------------------------- in one transaction


def finished(function: Function[P, T]) -> Callable[Concatenate["SqlWrites", P], T]:
    """The method for a write that is done when it returns."""

    def write(self: "SqlWrites", /, *given: P.args, **named: P.kwargs) -> T:
        result: T = self.done(cleaned(function, given, named)(self.db))
        return result

    return write


@dataclass(frozen=True, slots=True)
class SqlWrites:
    """See `Writes`; `db` is in a transaction, `done` runs a coroutine to its end, and `events` are
    those that were recorded."""

    db: Db
    done: Callable[[Coroutine[Any, Any, Any]], Any]
    events: list[str] = field(default_factory=list[str])

    add_attempt = finished(sql_attempts.add)
    adopt = finished(sql_maintenance.adopt)
    attempts = finished(sql_attempts.listed)
    apply_feedback = finished(sql_feedback.apply)
    _recorded = finished(sql_recording.record)

    def record(self, observation: Observation) -> RecordResult:
        """See `Writes.record`."""
        self.events.append(observation.event_id)
        return self._recorded(observation)
