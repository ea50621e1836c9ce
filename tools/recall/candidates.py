"""Candidates for a fix from hooks: the steps between a failure and a success.

Rules: nothing is judged and no model is asked. A step is written down only while a command of the
conversation has failed and not worked since. A candidate becomes a lesson when it works again in
another conversation, or when somebody says that it did; until then it is no advice. An error whose
lesson is known needs no candidate.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from reflection_mcp.store.interactions import Step
from reflection_mcp.store.maintenance import COUNTERS, Change
from reflection_mcp.store.records import Observation, Reflection
from reflection_mcp.tools import intake
from reflection_mcp.tools.identity import fingerprint
from reflection_mcp.tools.learning import fix_candidates, reflector
from reflection_mcp.tools.learning.episode import Event, cleaned
from reflection_mcp.tools.learning.row_limit import enforce_limit
from reflection_mcp.tools.ports import Services
from reflection_mcp.tools.recall.before_action import count_failure
from reflection_mcp.tools.recall.matching import known_here, recognise, with_past

SECOND = "%Y-%m-%d %H:%M:%S UTC"
_CONFIRMATION = re.compile(r"; confirmed by ([^,;]{1,200}), (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC)")

UNFINISHED = ("interrupted", "background")
"""Facts about an event under which its end tells nothing: the user stopped it, or it still runs."""


@dataclass(frozen=True, slots=True)
class Noted:
    """The result of the events: how many steps were logged, what was stored, what was confirmed.

    `candidate` and `lesson` are ids.
    """

    steps: int = 0
    candidate: str = ""
    lesson: str = ""


async def note(services: Services, events: Sequence[Event], conversation_id: str = "") -> Noted:
    """Note what was done, in the order in which it was done.

    Args:
        services: those of the call.
        events: tool calls that have ended; `error` says how, and the others are left out.
        conversation_id: of the host; empty is that of the connection.

    Raises:
        InvalidInput: the id of the conversation is too long.
        StoreError: it cannot be kept.
    """
    conversation = intake.conversation(conversation_id, services.caller.conversation_id)
    services = replace(services, caller=replace(services.caller, conversation_id=conversation))
    noted = Noted()
    for event in events:
        step = step_of(services, event)
        if step is not None:
            noted = await _noted(services, step, noted)
    return noted


def is_unfinished(event: Event) -> bool:
    """Return True if the user stopped it, or if it still runs."""
    return any(str(event.metadata.get(name, "")) not in _NO for name in UNFINISHED)


def step_of(services: Services, event: Event) -> Step | None:
    """Return the event as a step, None for one that tells nothing."""
    if event.type != "tool_call" or not event.content.strip() or is_unfinished(event):
        return None
    clean = cleaned(event, services.limits)
    return Step(
        id=clean.id or services.ids("step"),
        conversation_id=services.caller.conversation_id,
        at=services.clock(),
        tool=clean.tool,
        told=clean.content,
        error=clean.error.strip(),
    )


_NO = ("", "false", "False", "None")


async def _noted(services: Services, step: Step, so_far: Noted) -> Noted:
    store = services.store
    steps = await store.steps(services.scope, step.conversation_id)
    if not step.error and not fix_candidates.has_unresolved_failure(steps):
        return so_far
    await store.add_step(services.scope, step)
    if step.error:
        await count_failure(services, step)
    noted = replace(so_far, steps=so_far.steps + 1)
    pair = fix_candidates.find_pair((*steps, step))
    return noted if pair is None else await _kept(services, pair, noted)


async def _kept(services: Services, pair: fix_candidates.Pair, noted: Noted) -> Noted:
    store = services.store
    seen = fingerprint(pair.failure.error, None)
    if seen.unusable or not fix_candidates.states_cause(pair.failure.error):
        return noted
    known = await recognise(store, services.scope, seen, describes=False)
    if known.match is not None and known.match.lesson:
        return noted
    source = services.caller.told_in
    candidates = await fix_candidates.open_candidates(store, services.scope, seen.signature)
    for row in candidates:
        common = fix_candidates.common_steps(row, pair)
        if common and row.source != source:
            how = "a command that had failed worked after these steps, in two conversations"
            lesson = await confirm(services, row, how, common)
            services.emit("fix_confirmed", {"by": "recurrence"})
            return replace(noted, lesson=lesson.id)
    for row in candidates[fix_candidates.MOST_CANDIDATES - 1 :]:
        await store.forget(services.scope, row.id)
    observation = fix_candidates.candidate(pair, seen, services.ids("cand"), services.scope, source)
    recorded = await store.record(services.scope, observation)
    await within_limits(services)
    services.emit("fix_paired", {"steps": len(pair.steps)})
    return replace(noted, candidate=recorded.reflection.id)


async def confirm(
    services: Services,
    candidate: Reflection,
    how: str = "",
    steps: Sequence[str] = (),
) -> Reflection:
    """Make a lesson of a candidate, and return it.

    It keeps its id, its counters and its steps as what to do next time. Where a lesson of its error
    was learned meanwhile it becomes a version of that one, and the candidate stays hidden.

    Args:
        services: those of the call.
        candidate: an open one.
        how: the evidence, in a sentence; without one the caller is named as who confirmed it.
        steps: those that are confirmed, if not all.

    Raises:
        StoreError: it cannot be kept.
    """
    seen = fingerprint(candidate.example, None)
    store = services.store
    known = await known_here(store, services.scope, seen)
    who, when = services.caller.person, f"{services.clock():{SECOND}}"
    how = how or f"a command that had failed worked after these steps; confirmed by {who}, {when}"
    learned = reflector.LessonFacts(
        scope=services.scope,
        source=f"paired:{candidate.source}",  # takes no other's lesson away
        at=services.clock(),
        event_id=f"{candidate.id}/{fix_candidates.CONFIRMED}",
        question=candidate.question,
        lesson=fix_candidates.words_of(candidate, steps or fix_candidates.steps_of(candidate)),
        error=candidate.example,
        evidence=f"{how}; {candidate.id}" if known.error else how,
    )
    observation = reflector.from_caller(
        learned, services.ids("ref"), seen, known.error, known.others
    )
    assert observation is not None  # it has a lesson
    if known.error is None:
        observation = await with_past(store, services.scope, observation)
        met = learned.at if steps else candidate.last_seen  # who confirms it has not met it
        lesson = await _opened(services, observation, candidate.id, met)
        if lesson is not None:
            return lesson
    recorded = await store.record(services.scope, observation)
    marked = replace(candidate, tags=(*candidate.tags, fix_candidates.CONFIRMED))
    await store.record(
        services.scope,
        replace(
            observation,
            reflection=marked,
            keys=(),
            features=(),
            same_as=candidate.id,
            event_id=f"{learned.event_id}/mark",
        ),
    )
    await within_limits(services)
    return recorded.reflection


async def _opened(
    services: Services, observation: Observation, name: str, met: datetime
) -> Reflection | None:
    """Rewrite a candidate as the lesson of its error; None where somebody else was faster, or where
    it belongs to all projects."""
    for before in await services.store.stored(services.scope, limit=1, only=name):
        new, old = observation.reflection, before.reflection
        own = (tag for tag in old.tags if not fix_candidates.names_candidate(tag))
        # Who confirms it has not said it: its words stay those of whoever edited it, else of where
        # it happened.
        author = before.author or old.source
        edited = [said for said in old.wordings if said.words == (new.lesson, new.strategy)]
        said = edited[0] if edited else new.wording(author, old.last_seen)
        lesson = replace(
            new,
            id=old.id,
            source=old.source,
            first_seen=old.first_seen,
            last_seen=met,
            tags=(*own, fix_candidates.CONFIRMED),
            wordings=(said,),
            **{name: getattr(old, name) for name in COUNTERS}
            | {"occurrences": max(old.occurrences, 1 + observation.met_before)},
        )
        after = replace(
            before,
            reflection=lesson,
            keys=observation.keys,
            features=observation.features,
            author=said.source,
        )
        if not await services.store.rewrite(services.scope, [Change(before=before, after=after)]):
            return lesson
    return None


def confirmation(lesson: Reflection) -> tuple[str, datetime] | None:
    """Return who confirmed the candidate that a lesson was, and when, to the second; None where
    nobody did."""
    found = _CONFIRMATION.search(lesson.evidence)
    if found is None or fix_candidates.CONFIRMED not in lesson.tags:
        return None
    try:
        return found[1], datetime.strptime(found[2], SECOND).replace(tzinfo=UTC)
    except ValueError:  # an imported text may say anything
        return None


def confirmed(candidate: Reflection, lesson: Reflection) -> str:
    """Return in a sentence what a candidate became."""
    if lesson.id == candidate.id:
        return f"{candidate.id}: confirmed, a lesson from now on"
    return f"{candidate.id}: confirmed, now a version of {lesson.id}"


async def within_limits(services: Services) -> None:
    """Let the least useful rows go when there are too many."""
    gone = await enforce_limit(
        services.store, services.scope, services.clock(), services.max_entries
    )
    if gone.rows:
        services.emit("reflections_evicted", {"count": len(gone.rows)})
