"""The writes of one transaction of a store in memory."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from reflection_mcp.store.interactions import Effect, Feedback
from reflection_mcp.store.maintenance import Adopted, StoredReflection
from reflection_mcp.store.memory import maintenance
from reflection_mcp.store.memory.feedback import judge_offer
from reflection_mcp.store.memory.scope_data import (
    ScopeData,
    ScopeRow,
    add_wording,
    attempts_of,
    count,
    recognised,
    with_its_lesson,
)
from reflection_mcp.store.merging import both_keys, met_first, wordings_said
from reflection_mcp.store.records import Attempt, Observation, RecordResult, Scope
from reflection_mcp.store.scrub import scrub, scrubbed


@dataclass(frozen=True, slots=True)
class MemoryWrites:
    """See `Writes`; the first of `scopes` is the one of `scope`, the others can be read."""

    scopes: Sequence[ScopeData]
    scope: Scope
    number: Callable[[], int]

    def record(self, observation: Observation) -> RecordResult:
        """See `Writes.record`."""
        data, observation = self.scopes[0], scrubbed(observation)
        event = (observation.event_id, observation.reflection.kind)
        if event in data.events:
            known = data.rows[data.events[event]]
            return RecordResult(reflection=known.whole(), created=False, counted=False)
        row = recognised(data, observation)
        if row is None:
            row = self._new_row(data, observation)
            made = RecordResult(reflection=row.reflection, created=True, counted=True)
        else:
            made = count(data, row, observation)
        data.events[event] = row.reflection.id
        another = not made.created and observation.person not in row.met_by
        row.met_by[observation.person] += 1
        row.reflection = replace(row.reflection, sources=row.reflection.sources + another)
        row.keys = dict.fromkeys(both_keys(tuple(row.keys), observation.keys))
        row.features |= set(observation.features)
        for said in wordings_said(observation):
            add_wording(row, said)
        made = with_its_lesson(data, row, made)
        return replace(made, reflection=row.whole())

    def _new_row(self, data: ScopeData, observation: Observation) -> ScopeRow:
        new = met_first(self.scope, observation)
        if new.id in data.rows:
            raise ValueError("this id already names another reflection")
        row = ScopeRow(reflection=new, author=observation.source, number=self.number())
        data.rows[new.id] = row
        return row

    def add_attempt(self, attempt: Attempt, *, event_id: str) -> Attempt:
        """See `Writes.add_attempt`."""
        data, attempt, event_id = self.scopes[0], scrubbed(attempt), scrub(event_id)
        if event_id in data.attempt_events:
            return data.attempts[data.attempt_events[event_id]]
        if attempt.id in data.attempts:
            raise ValueError("this id already names another attempt")
        attempt = replace(attempt, metadata=dict(attempt.metadata))
        data.attempts[attempt.id] = attempt
        data.attempt_events[event_id] = attempt.id
        return attempt

    def adopt(self, rows: Sequence[StoredReflection], by_hand: bool = False) -> Adopted:
        """See `Writes.adopt`."""
        done = Adopted()
        for row in rows:
            done += maintenance.adopt(
                self.scopes[0],
                self.scope,
                scrubbed(row),
                by_hand=by_hand,
                number=self.number(),
            )
        return done

    def apply_feedback(self, feedback: Feedback) -> Effect:
        """See `Writes.apply_feedback`."""
        feedback = scrubbed(feedback)
        assert feedback.kind in ("positive", "negative")  # a vote
        return judge_offer(self.scopes, feedback, feedback.kind)

    def attempts(self, conversation_id: str, limit: int) -> Sequence[Attempt]:
        """See `Writes.attempts`."""
        return attempts_of(self.scopes, conversation_id=conversation_id)[: max(limit, 0)]
