"""Candidates for a fix from the transcript of a session: what failed in it and what fixed it.

Rules: those of hooks, for each pair by itself: the same command works after some steps, or the next
command that works is the failed one in other words. A fix says what was changed: if a step is an
edit whose change is too long or not known, there is no candidate. Nothing becomes a lesson: every
candidate waits for a person to confirm it, and an error that has a lesson needs none.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from reflection_mcp.store.interactions import Step
from reflection_mcp.store.records import Reflection
from reflection_mcp.store.terms import MOST_STEPS
from reflection_mcp.tools.identity import fingerprint
from reflection_mcp.tools.learning import fix_candidates
from reflection_mcp.tools.learning.episode import Event
from reflection_mcp.tools.learning.fix_candidates import Pair
from reflection_mcp.tools.learning.progress import Stage, no_stage, watched
from reflection_mcp.tools.learning.transcript import CHANGED
from reflection_mcp.tools.ports import Services
from reflection_mcp.tools.recall.before_action import count_failure
from reflection_mcp.tools.recall.candidates import step_of, within_limits
from reflection_mcp.tools.recall.matching import recognise

SHARED_WORDS = 0.5
"""The share of words from which the command that works is the failed one in other words."""


@dataclass
class Proposed:
    """The result: how many `steps` and `failures` there were, the new candidates, and how many
    pairs were `known`, as a lesson or as a candidate."""

    steps: int = 0
    failures: int = 0
    candidates: list[Reflection] = field(default_factory=list[Reflection])
    known: int = 0


@dataclass
class TranscriptPairs:
    """The pairs of one session, found while its steps arrive."""

    services: Services
    steps: int = 0
    failures: int = 0
    pairs: list[Pair] = field(default_factory=list[Pair])
    _trail: list[Step] = field(default_factory=list[Step])
    _untold: set[str] = field(default_factory=set[str])

    def add(self, events: Iterable[Event]) -> None:
        """Take the next calls of the session."""
        for event in events:
            self.steps += 1
            self.failures += bool(event.error)
            if event.error or fix_candidates.has_unresolved_failure(self._trail):
                step = step_of(self.services, event)
                if step is not None:
                    if _is_untold(event):
                        self._untold.add(fix_candidates.shown(step))
                    self._take(replace(step, at=event.at or step.at))

    def _take(self, step: Step) -> None:
        before = self._trail[-1] if self._trail else None
        self._trail = [*self._trail, step][-MOST_STEPS:]
        pair = fix_candidates.find_pair(self._trail)
        if pair is None and before is not None and _is_reworded(before, step):
            pair = Pair(before, step, (fix_candidates.shown(step),))
        if pair is not None and not self._untold.intersection(pair.steps):
            self.pairs.append(pair)


def _is_untold(event: Event) -> bool:
    """Return True for an edit whose change is not known, or too long to show."""
    is_command = event.tool.casefold() in fix_candidates.COMMAND_TOOLS
    return not is_command and not event.metadata.get(CHANGED)


def _is_reworded(failure: Step, success: Step) -> bool:
    """Return True if a command that works is the failed one in other words."""
    both = fix_candidates.is_command(failure) and fix_candidates.is_command(success)
    if not both or not failure.error or success.error or not fix_candidates.proves(success.told):
        return False
    if fix_candidates.only_looks(success.told):
        return False
    old, new = (set(fix_candidates.action_key("bash", each.told)[1]) for each in (failure, success))
    return old != new and len(old & new) / len(old | new) >= SHARED_WORDS


def _is_same_command(pair: Pair) -> bool:
    failure, success = pair.failure, pair.success
    keys = (fix_candidates.action_key(each.tool, each.told) for each in (failure, success))
    return len(set(keys)) == 1


async def propose(services: Services, found: TranscriptPairs, stage: Stage = no_stage) -> Proposed:
    """Store the pairs of a session as candidates, each once.

    Raises:
        StoreError: they cannot be stored.
    """
    result = Proposed(steps=found.steps, failures=found.failures)
    store, scope = services.store, services.scope
    for pair in watched(found.pairs, stage("comparing", len(found.pairs))):
        seen = fingerprint(pair.failure.error, None)
        if seen.unusable or not fix_candidates.states_cause(pair.failure.error):
            continue
        match = (await recognise(store, scope, seen, describes=False)).match
        rows = await fix_candidates.open_candidates(store, scope, seen.signature)
        if (match and match.lesson) or len(rows) >= fix_candidates.MOST_CANDIDATES:
            result.known += 1
            continue
        source = services.caller.told_in
        observation = fix_candidates.candidate(pair, seen, services.ids("cand"), scope, source)
        recorded = await store.record(scope, observation)
        if recorded.created:
            result.candidates.append(recorded.reflection)
            if not _is_same_command(pair):  # known as a mistake once the candidate is confirmed
                await count_failure(services, pair.failure)
        else:
            result.known += 1
    await within_limits(services)
    services.emit("transcript_read", {"steps": found.steps, "candidates": len(result.candidates)})
    return result
