"""What a host tells while work goes on: steps are noted, and a fix that shows is kept as candidate.

Rules: nothing is judged and no model is asked. A step is written down only while a command of the
conversation has failed and not worked since. A candidate becomes a lesson when it works again in
another conversation, or when somebody says that it did; until then it is no advice. An error whose
lesson is known needs no candidate.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reflection_mcp.store.contract import Store
from reflection_mcp.store.records import Recorded, Reflection, Step
from reflection_mcp.tools import intake
from reflection_mcp.tools.identity import fingerprint
from reflection_mcp.tools.learning import fix_candidates, reflector
from reflection_mcp.tools.learning.episode import Event, cleaned
from reflection_mcp.tools.learning.maintenance import enforce_limit
from reflection_mcp.tools.ports import Workshop
from reflection_mcp.tools.recall.matching import known_here, recognise

UNFINISHED = ("interrupted", "background")
"""Facts about an event under which its end tells nothing: the user stopped it, or it still runs."""


@dataclass(frozen=True, slots=True)
class Noted:
    """What became of the events: how many steps were written down, what was kept, what confirmed.

    `candidate` and `lesson` are ids.
    """

    steps: int = 0
    candidate: str = ""
    lesson: str = ""


async def note(workshop: Workshop, events: Sequence[Event], conversation_id: str = "") -> Noted:
    """Note what was done, in the order in which it was done.

    Args:
        workshop: whose.
        events: tool calls that have ended; `error` says how, and the others are left out.
        conversation_id: of the host; empty is that of the connection.

    Raises:
        InvalidInput: the id of the conversation is too long.
        StoreError: it cannot be kept.
    """
    store = workshop.store
    conversation = intake.conversation(conversation_id, workshop.caller.conversation_id)
    workshop = replace(workshop, caller=replace(workshop.caller, conversation_id=conversation))
    noted = Noted()
    for event in events:
        step = _step(workshop, event)
        if step is not None:
            noted = await _noted(workshop, store, step, noted)
    return noted


def _step(workshop: Workshop, event: Event) -> Step | None:
    """The event as a step, None for one that tells nothing."""
    unfinished = any(str(event.metadata.get(name, "")) not in _NO for name in UNFINISHED)
    if event.type != "tool_call" or not event.content.strip() or unfinished:
        return None
    clean = cleaned(event, workshop.limits)
    return Step(
        id=clean.id or workshop.ids("step"),
        conversation_id=workshop.caller.conversation_id,
        at=workshop.clock(),
        tool=clean.tool,
        told=clean.content,
        error=clean.error.strip(),
    )


_NO = ("", "false", "False", "None")


async def _noted(workshop: Workshop, store: Store, step: Step, so_far: Noted) -> Noted:
    trail = await store.trail(workshop.scope, step.conversation_id)
    if not step.error and not fix_candidates.has_unresolved_failure(trail):
        return so_far
    await store.add_step(workshop.scope, step)
    noted = replace(so_far, steps=so_far.steps + 1)
    pair = fix_candidates.find_pair((*trail, step))
    return noted if pair is None else await _kept(workshop, store, pair, noted)


async def _kept(workshop: Workshop, store: Store, pair: fix_candidates.Pair, noted: Noted) -> Noted:
    seen = fingerprint(pair.failure.error, None)
    if seen.unusable or not fix_candidates.states_cause(pair.failure.error):
        return noted
    known = await recognise(store, workshop.scope, seen)
    if known.match is not None and known.match.lesson:
        return noted
    source = workshop.caller.source
    candidates = await fix_candidates.open_candidates(store, workshop.scope, seen.signature)
    for row in candidates:
        common = fix_candidates.common_steps(row, pair)
        if common and row.source != source:
            how = "a command that had failed worked after these steps, in two conversations"
            recorded = await confirm(workshop, store, row, how, common)
            workshop.emit("fix_confirmed", {"by": "recurrence"})
            return replace(noted, lesson=recorded.reflection.id)
    for row in candidates[fix_candidates.MOST_CANDIDATES - 1 :]:
        await store.forget(workshop.scope, row.id)
    sighting = fix_candidates.candidate(pair, seen, workshop.ids("cand"), workshop.scope, source)
    recorded = await store.record(workshop.scope, sighting)
    await _within_limits(workshop, store)
    workshop.emit("fix_paired", {"steps": len(pair.steps)})
    return replace(noted, candidate=recorded.reflection.id)


async def confirm(
    workshop: Workshop,
    store: Store,
    candidate: Reflection,
    how: str,
    steps: Sequence[str] = (),
) -> Recorded:
    """Make a lesson of a candidate; confirming it again changes nothing.

    Args:
        workshop: whose.
        store: of the workshop.
        candidate: an open one.
        how: the evidence, in a sentence.
        steps: those that are confirmed, if not all.

    Raises:
        StoreError: it cannot be kept.
    """
    seen = fingerprint(candidate.example, None)
    known = await known_here(store, workshop.scope, seen)
    learned = reflector.Learned(
        scope=workshop.scope,
        source=f"paired:{candidate.source}",  # takes no other's lesson away
        at=workshop.clock(),
        event_id=f"{candidate.id}/{fix_candidates.CONFIRMED}",
        question=candidate.question,
        lesson=fix_candidates.lesson_text(
            candidate.question, steps or fix_candidates.steps_of(candidate)
        ),
        outcome="success",
        error=candidate.example,
        evidence=f"{how}; {candidate.id}",
    )
    sighting = reflector.from_caller(
        learned,
        workshop.ids("ref"),
        seen,
        known.error,
        known.others,
    )
    assert sighting is not None  # it has a lesson
    recorded = await store.record(workshop.scope, sighting)
    marked = replace(candidate, tags=(*candidate.tags, fix_candidates.CONFIRMED))
    await store.record(
        workshop.scope,
        replace(
            sighting,
            reflection=marked,
            keys=(),
            features=(),
            same_as=candidate.id,
            event_id=f"{learned.event_id}/mark",
        ),
    )
    await _within_limits(workshop, store)
    return recorded


async def _within_limits(workshop: Workshop, store: Store) -> None:
    gone = await enforce_limit(store, workshop.scope, workshop.clock(), workshop.max_entries)
    if gone.rows:
        workshop.emit("reflections_evicted", {"count": len(gone.rows)})
