"""The writes of one transaction of a PostgreSQL store.

Rule of this module: the work that calls them waits for nothing and runs in a thread; what it asks
for is done in the event loop of the store, which meanwhile serves others.
"""

import asyncio
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from reflection_mcp.store.interactions import Effect, Feedback
from reflection_mcp.store.maintenance import Adopted, StoredReflection
from reflection_mcp.store.postgres import attempts, maintenance, recording
from reflection_mcp.store.postgres import feedback as postgres_feedback
from reflection_mcp.store.postgres.connections import Db
from reflection_mcp.store.records import Attempt, Observation, RecordResult
from reflection_mcp.store.scrub import scrub, scrubbed

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PostgresWrites:
    """See `Writes`; `db` is in a transaction, and belongs to `loop`; `events` were recorded."""

    db: Db
    loop: asyncio.AbstractEventLoop
    events: list[str]

    def _done(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result()

    def record(self, observation: Observation) -> RecordResult:
        """See `Writes.record`."""
        self.events.append(observation.event_id)
        return self._done(recording.record(self.db, scrubbed(observation)))

    def add_attempt(self, attempt: Attempt, *, event_id: str) -> Attempt:
        """See `Writes.add_attempt`."""
        return self._done(attempts.add(self.db, scrubbed(attempt), scrub(event_id)))

    def adopt(self, rows: Sequence[StoredReflection]) -> Adopted:
        """See `Writes.adopt`."""
        clean = [scrubbed(row) for row in rows]
        return self._done(maintenance.adopt(self.db, clean, False))

    def attempts(self, conversation_id: str, limit: int) -> Sequence[Attempt]:
        """See `Writes.attempts`."""
        return self._done(
            attempts.listed(
                self.db,
                conversation_id=scrub(conversation_id),
                max_quality=None,
                since=None,
                limit=limit,
            )
        )

    def apply_feedback(self, feedback: Feedback) -> Effect:
        """See `Writes.apply_feedback`."""
        return self._done(postgres_feedback.apply(self.db, scrubbed(feedback)))
