"""The writes of one transaction of a store in memory."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from reflection_mcp.store.interactions import Effect, Feedback
from reflection_mcp.store.memory import upkeep
from reflection_mcp.store.memory.feedback import judge_offer
from reflection_mcp.store.memory.shelf import (
    Shelf,
    ShelfRow,
    add_wording,
    attempts_of,
    count,
    recognised,
    with_its_lesson,
)
from reflection_mcp.store.merging import both_keys, met_first, wordings_said
from reflection_mcp.store.records import Attempt, Observation, RecordResult, Scope
from reflection_mcp.store.scrub import scrub, scrubbed
from reflection_mcp.store.upkeep import Adopted, StoredReflection


@dataclass(frozen=True, slots=True)
class MemoryWrites:
    """See `Writes`; the first of `shelves` is the one of `scope`, the others can be read."""

    shelves: Sequence[Shelf]
    scope: Scope
    number: Callable[[], int]

    def record(self, sighting: Observation) -> RecordResult:
        """See `Writes.record`."""
        shelf, sighting = self.shelves[0], scrubbed(sighting)
        event = (sighting.event_id, sighting.reflection.kind)
        if event in shelf.events:
            known = shelf.rows[shelf.events[event]]
            return RecordResult(reflection=known.whole(), created=False, counted=False)
        row = recognised(shelf, sighting)
        if row is None:
            row = self._new_row(shelf, sighting)
            made = RecordResult(reflection=row.reflection, created=True, counted=True)
        else:
            made = count(shelf, row, sighting)
        shelf.events[event] = row.reflection.id
        another = not made.created and sighting.source not in row.met_by
        row.met_by[sighting.source] += 1
        row.reflection = replace(row.reflection, sources=row.reflection.sources + another)
        row.keys = dict.fromkeys(both_keys(tuple(row.keys), sighting.keys))
        row.features |= set(sighting.features)
        for said in wordings_said(sighting):
            add_wording(row, said)
        made = with_its_lesson(shelf, row, made)
        return replace(made, reflection=row.whole())

    def _new_row(self, shelf: Shelf, sighting: Observation) -> ShelfRow:
        new = met_first(self.scope, sighting)
        if new.id in shelf.rows:
            raise ValueError("this id already names another reflection")
        row = ShelfRow(reflection=new, author=sighting.source, number=self.number())
        shelf.rows[new.id] = row
        return row

    def add_attempt(self, attempt: Attempt, *, event_id: str) -> Attempt:
        """See `Writes.add_attempt`."""
        shelf, attempt, event_id = self.shelves[0], scrubbed(attempt), scrub(event_id)
        if event_id in shelf.attempt_events:
            return shelf.attempts[shelf.attempt_events[event_id]]
        if attempt.id in shelf.attempts:
            raise ValueError("this id already names another attempt")
        attempt = replace(attempt, metadata=dict(attempt.metadata))
        shelf.attempts[attempt.id] = attempt
        shelf.attempt_events[event_id] = attempt.id
        return attempt

    def adopt(self, rows: Sequence[StoredReflection], by_hand: bool = False) -> Adopted:
        """See `Writes.adopt`."""
        done = Adopted()
        for row in rows:
            done += upkeep.adopt(
                self.shelves[0], self.scope, scrubbed(row), by_hand=by_hand, number=self.number()
            )
        return done

    def apply_feedback(self, feedback: Feedback) -> Effect:
        """See `Writes.apply_feedback`."""
        feedback = scrubbed(feedback)
        assert feedback.kind in ("positive", "negative")  # a vote
        return judge_offer(self.shelves, feedback, feedback.kind)

    def attempts(self, conversation_id: str, limit: int) -> Sequence[Attempt]:
        """See `Writes.attempts`."""
        return attempts_of(self.shelves, conversation_id=conversation_id)[: max(limit, 0)]
