"""The writes of one transaction of a SQLite store."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from reflection_mcp.store.interactions import Effect, Feedback
from reflection_mcp.store.maintenance import Adopted, StoredReflection
from reflection_mcp.store.records import Attempt, Observation, RecordResult, Scope
from reflection_mcp.store.scrub import scrub, scrubbed
from reflection_mcp.store.sqlite import attempts, maintenance, recording
from reflection_mcp.store.sqlite import feedback as sqlite_feedback


@dataclass(frozen=True, slots=True)
class SqliteWrites:
    """See `Writes`; `db` is in a transaction."""

    db: sqlite3.Connection
    scope: Scope

    def record(self, observation: Observation) -> RecordResult:
        """See `Writes.record`."""
        return recording.record(self.db, self.scope, scrubbed(observation))

    def add_attempt(self, attempt: Attempt, *, event_id: str) -> Attempt:
        """See `Writes.add_attempt`."""
        return attempts.add(self.db, self.scope, scrubbed(attempt), scrub(event_id))

    def adopt(self, rows: Sequence[StoredReflection]) -> Adopted:
        """See `Writes.adopt`."""
        return maintenance.adopt(self.db, self.scope, [scrubbed(row) for row in rows], False)

    def attempts(self, conversation_id: str, limit: int) -> Sequence[Attempt]:
        """See `Writes.attempts`."""
        return attempts.listed(
            self.db,
            self.scope,
            conversation_id=scrub(conversation_id),
            max_quality=None,
            since=None,
            limit=limit,
        )

    def apply_feedback(self, feedback: Feedback) -> Effect:
        """See `Writes.apply_feedback`."""
        return sqlite_feedback.apply(self.db, self.scope, scrubbed(feedback))
