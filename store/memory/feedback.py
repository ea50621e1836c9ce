"""Feedback in memory, and its effect on the rows.

Rule of this module: functions on the data of one scope; how feedback changes a quality is decided
in `feedback_rules`.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from reflection_mcp.store.feedback_rules import (
    joining_key,
    occasion,
    offered,
    quality_after,
    tally,
    voted_on,
)
from reflection_mcp.store.interactions import Effect, Feedback, Lookup
from reflection_mcp.store.memory.scope_data import ScopeData, ScopeRow, erase, show_first
from reflection_mcp.store.merging import put_first
from reflection_mcp.store.records import Attempt, Reflection
from reflection_mcp.store.versions import (
    first_after,
    first_id,
    has_version,
    meant,
    row_named,
    version_id,
    votes_on,
)

Vote = Literal["positive", "negative"]
Said = Vote | Literal["withdrawn"]


def apply(scopes: Sequence[ScopeData], feedback: Feedback, tenant: Sequence[ScopeData]) -> Effect:
    """See `Store.apply_feedback`; the first of the scopes is its own, the others can be read."""
    data, target = scopes[0], feedback.target_id or ""
    if feedback.kind == "forget":
        return forget_all(data, feedback, tenant)
    if feedback.kind == "wrong_match":
        return veto(data, feedback)
    if feedback.kind == "withdrawn":
        return judge_offer(scopes, feedback, feedback.kind)
    if feedback.conversation_id is not None:
        return judge_conversation(data, feedback, feedback.kind)
    if target in data.attempts:
        return judge_attempts(data, [target], feedback, feedback.kind)
    return judge_offer(scopes, feedback, feedback.kind)


def judge_offer(scopes: Sequence[ScopeData], feedback: Feedback, kind: Said) -> Effect:
    """Count a vote for a version of a reflection, or for all that a look-up offered.

    The first of the scopes is the one of the feedback, the others can be read.
    """
    data = scopes[0]
    target = feedback.target_id or ""
    lookup = data.lookups.get(target)
    restored = _restored(data, lookup) if lookup and kind != "negative" else ()
    asked = data.rows.get(lookup.asked_id or "") if lookup and kind == "positive" else None
    joined = _joined(asked, lookup) if asked and lookup else ()
    ids = voted_on(target, lookup, kind)
    there = [named for each in ids if (named := _named(scopes, each))]
    counted: list[tuple[Reflection, str]] = []
    first: list[str] = []
    for home, row, version in there:
        shown = lookup or _offer_of(data, row.reflection.id, feedback.said_in)
        before = first_id(row.reflection)
        judged = version or meant(row.whole(), shown)
        if _counted(home, row, judged, feedback, kind, occasion(shown, feedback)):
            counted.append((row.whole(), judged))
            now = first_id(row.reflection)
            first += [now] if now != before else []
    return Effect(
        reflections=tuple(row for row, _ in counted),
        versions=tuple(votes_on(row, judged) for row, judged in counted),
        first=tuple(first),
        restored=restored,
        joined=joined,
        repeated=bool(there or asked) and not (counted or restored or joined),
    )


def _named(scopes: Sequence[ScopeData], target: str) -> tuple[ScopeData, ScopeRow, str] | None:
    """The reflection with this id, else the one with a version of this id, and that id."""
    for name, version in ((target, ""), (row_named(target), target)):
        for data in scopes:
            row = data.rows.get(name)
            if row is not None and (not version or has_version(row.whole(), version)):
                return data, row, version
    return None


def _offer_of(data: ScopeData, target: str, conversation: str) -> Lookup | None:
    """The last look-up of a conversation that offered a reflection."""
    newest_first = reversed(data.lookups.values())
    of_it = (each for each in newest_first if each.conversation_id == conversation)
    return next((each for each in of_it if target in offered(each)), None)


def _joined(asked: ScopeRow, lookup: Lookup) -> tuple[tuple[str, str], ...]:
    """Let the error that was asked about be found for this one."""
    key = joining_key(lookup)
    if key in asked.keys:
        return ()
    asked.keys[key] = None
    return ((lookup.signature, asked.reflection.id),)


def _counted(
    data: ScopeData, row: ScopeRow, judged: str, feedback: Feedback, kind: Said, when: str
) -> bool:
    """Cast a vote on a version, or take it back; return True if that is new."""
    ballot = (judged, feedback.source, when)
    if data.votes[ballot][1] == kind if ballot in data.votes else kind == "withdrawn":
        return False
    before = _tally(data, judged, feedback.source)
    if kind == "withdrawn":
        del data.votes[ballot]
    else:
        data.votes[ballot] = (feedback.at, kind, feedback.comment)
    after = _tally(data, judged, feedback.source)
    helped, failed = after[0] - before[0], after[1] - before[1]
    was = row.whole()
    if judged == first_id(was):
        row.reflection = replace(
            row.reflection, helped=was.helped + helped, failed=was.failed + failed
        )
    for key, said in row.wordings.items():
        if judged == version_id(was.id, *said.words) != first_id(was):
            row.wordings[key] = replace(
                said, helped=said.helped + helped, failed=said.failed + failed
            )
    now = row.whole()
    better = first_after(now, judged, kind)
    if better is not None:
        show_first(data, row, now, put_first(now, better), better.source)
    return True


def _tally(data: ScopeData, target: str, source: str) -> tuple[int, int]:
    said = [
        (at, when, kind)
        for (each, by, when), (at, kind, _) in data.votes.items()
        if (each, by) == (target, source)
    ]
    return tally([kind for _, _, kind in sorted(said, reverse=True)])


def judge_conversation(data: ScopeData, feedback: Feedback, kind: Vote) -> Effect:
    """Let a vote decide over every attempt of a conversation."""
    ids = [a.id for a in data.attempts.values() if a.conversation_id == feedback.conversation_id]
    return judge_attempts(data, ids, feedback, kind)


def judge_attempts(data: ScopeData, ids: Sequence[str], feedback: Feedback, kind: Vote) -> Effect:
    """Apply a vote to these attempts, unless the same source said the same before."""
    changed: list[Attempt] = []
    for each in ids:
        ballot = (each, feedback.source, "")
        if ballot in data.votes and data.votes[ballot][1] == kind:
            continue
        data.votes[ballot] = (feedback.at, kind, feedback.comment)
        attempt = data.attempts[each]
        quality = quality_after(kind, attempt.judged_quality, attempt.quality)
        data.attempts[each] = replace(attempt, quality=quality, feedback=kind)
        changed.append(data.attempts[each])
    return Effect(attempts=tuple(changed), repeated=bool(ids) and not changed)


def veto(data: ScopeData, feedback: Feedback) -> Effect:
    """Keep the pairs that a person called different from ever matching again."""
    lookup, ids = _mismatched(data, feedback)
    if lookup is None:
        return Effect()
    vetoed = data.vetoes.setdefault(lookup.signature, set())
    fresh = [each for each in ids if each not in vetoed]
    vetoed.update(fresh)
    return Effect(
        vetoed=tuple((lookup.signature, each) for each in fresh),
        lookup_id=lookup.id,
        repeated=not fresh,
    )


def _mismatched(data: ScopeData, feedback: Feedback) -> tuple[Lookup | None, Sequence[str]]:
    """The look-up that a `wrong_match` is about, and what of its offer."""
    newest_first = list(reversed(data.lookups.values()))
    if feedback.conversation_id is not None:
        of_it = (x for x in newest_first if x.conversation_id == feedback.conversation_id)
        lookup = next((x for x in of_it if offered(x)), None)
        return lookup, offered(lookup) if lookup else ()
    target = feedback.target_id or ""
    if target in data.lookups:
        lookup = data.lookups[target]
        return (lookup if offered(lookup) else None), offered(lookup)
    return next((x for x in newest_first if target in offered(x)), None), (target,)


def _restored(data: ScopeData, lookup: Lookup) -> tuple[tuple[str, str], ...]:
    """Let match again what a look-up offered."""
    vetoed = data.vetoes.get(lookup.signature, set())
    back = [each for each in offered(lookup) if each in vetoed]
    vetoed.difference_update(back)
    return tuple((lookup.signature, each) for each in back)


def vetoes(data: ScopeData, signature: str) -> dict[str, str]:
    """Return the vetoes for a signature, each with the last look-up that offered it."""
    asked = [each for each in data.lookups.values() if each.signature == signature]
    return {
        each: next((look.id for look in reversed(asked) if each in offered(look)), "")
        for each in sorted(data.vetoes.get(signature, set()))
    }


def forget_all(data: ScopeData, feedback: Feedback, tenant: Sequence[ScopeData]) -> Effect:
    """Delete what a `forget` names, on the other scopes of the tenant too."""
    targets = [feedback.target_id] if feedback.target_id is not None else []
    targets += [each for target in targets for each in _strategies_of_only(data, target)]
    if feedback.conversation_id is not None:
        both: list[Attempt | Lookup] = [*data.attempts.values(), *data.lookups.values()]
        targets = [x.id for x in both if x.conversation_id == feedback.conversation_id]
    return Effect(forgotten=tuple(x for x in targets if erase(data, x, tenant)))


def _strategies_of_only(data: ScopeData, lesson: str) -> list[str]:
    """The strategies that came with this lesson and with no other, in the order of their ids."""
    rows = [row.reflection for row in data.rows.values() if row.reflection.kind == "strategy"]
    lessons = {
        row.id: {link.target_id for link in row.links if link.kind == "strategy_of"} for row in rows
    }
    return sorted(each for each, of in lessons.items() if of == {lesson})
