"""The writes of one transaction."""

from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from typing import Any, Concatenate, ParamSpec, TypeVar

from reflection_mcp.store.records import Observation, RecordResult
from reflection_mcp.store.sql import attempts as sql_attempts
from reflection_mcp.store.sql import feedback as sql_feedback
from reflection_mcp.store.sql import maintenance as sql_maintenance
from reflection_mcp.store.sql import recording as sql_recording
from reflection_mcp.store.sql.db import Db, Function, cleaned

P = ParamSpec("P")
T = TypeVar("T")


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
