"""The writes of one transaction."""

from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from typing import Any

from reflection_mcp.store.interactions import Effect, Feedback
from reflection_mcp.store.maintenance import Adopted, StoredReflection
from reflection_mcp.store.records import Attempt, Observation, RecordResult
from reflection_mcp.store.scrub import scrub, scrubbed
from reflection_mcp.store.sql import attempts, maintenance, recording
from reflection_mcp.store.sql import feedback as sql_feedback
from reflection_mcp.store.sql.db import Db


@dataclass(frozen=True, slots=True)
class SqlWrites:
    """See `Writes`; `db` is in a transaction, `done` runs a coroutine to its end, and `events` are
    those that were recorded."""

    db: Db
    done: Callable[[Coroutine[Any, Any, Any]], Any]
    events: list[str] = field(default_factory=list[str])

    def record(self, observation: Observation) -> RecordResult:
        """See `Writes.record`."""
        self.events.append(observation.event_id)
        result: RecordResult = self.done(recording.record(self.db, scrubbed(observation)))
        return result

    def add_attempt(self, attempt: Attempt, *, event_id: str) -> Attempt:
        """See `Writes.add_attempt`."""
        added: Attempt = self.done(attempts.add(self.db, scrubbed(attempt), scrub(event_id)))
        return added

    def adopt(self, rows: Sequence[StoredReflection]) -> Adopted:
        """See `Writes.adopt`."""
        clean = [scrubbed(row) for row in rows]
        adopted: Adopted = self.done(maintenance.adopt(self.db, clean, False))
        return adopted

    def attempts(self, conversation_id: str, limit: int) -> Sequence[Attempt]:
        """See `Writes.attempts`."""
        found: Sequence[Attempt] = self.done(
            attempts.listed(self.db, conversation_id=scrub(conversation_id), limit=limit)
        )
        return found

    def apply_feedback(self, feedback: Feedback) -> Effect:
        """See `Writes.apply_feedback`."""
        effect: Effect = self.done(sql_feedback.apply(self.db, scrubbed(feedback)))
        return effect
