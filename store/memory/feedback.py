"""What people say, and what it does to what is kept in memory.

Rule of this module: functions on shelves; how a verdict moves a quality is decided in `opinions`.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from reflection_mcp.store.memory.shelf import Row, Shelf, erase
from reflection_mcp.store.opinions import offered, quality_after
from reflection_mcp.store.records import Attempt, Effect, Feedback, Lookup, Reflection

Verdict = Literal["positive", "negative"]


def judge_reflections(
    ballots: Sequence[tuple[Shelf, Row]], feedback: Feedback, kind: Verdict
) -> Effect:
    """Let a vote count for these rows, each with its shelf, unless the source said it before."""
    changed: list[Reflection] = []
    for shelf, row in ballots:
        ballot = (row.reflection.id, feedback.source)
        before = shelf.votes.get(ballot)
        if before == kind:
            continue
        shelf.votes[ballot] = kind
        good, bad = row.reflection.helped, row.reflection.failed
        good += (kind == "positive") - (before == "positive")
        bad += (kind == "negative") - (before == "negative")
        row.reflection = replace(row.reflection, helped=good, failed=bad)
        changed.append(row.whole())
    return Effect(reflections=tuple(changed), repeated=bool(ballots) and not changed)


def judge_conversation(shelf: Shelf, feedback: Feedback, kind: Verdict) -> Effect:
    """Let a vote decide over every attempt of a conversation."""
    ids = [a.id for a in shelf.attempts.values() if a.conversation_id == feedback.conversation_id]
    return judge_attempts(shelf, ids, feedback, kind)


def judge_attempts(shelf: Shelf, ids: Sequence[str], feedback: Feedback, kind: Verdict) -> Effect:
    """Let a vote decide over these attempts, unless the same source said the same before."""
    changed: list[Attempt] = []
    for each in ids:
        if shelf.votes.get((each, feedback.source)) == kind:
            continue
        shelf.votes[each, feedback.source] = kind
        attempt = shelf.attempts[each]
        quality = quality_after(kind, attempt.judged_quality, attempt.quality)
        shelf.attempts[each] = replace(attempt, quality=quality, feedback=kind)
        changed.append(shelf.attempts[each])
    return Effect(attempts=tuple(changed), repeated=bool(ids) and not changed)


def veto(shelf: Shelf, feedback: Feedback) -> Effect:
    """Keep the pairs that a person called different from ever matching again."""
    pairs = _mismatched(shelf, feedback)
    fresh = [
        (signature, each)
        for signature, each in pairs
        if each not in shelf.vetoes.get(signature, set())
    ]
    for signature, each in fresh:
        shelf.vetoes.setdefault(signature, set()).add(each)
    return Effect(vetoed=tuple(fresh), repeated=bool(pairs) and not fresh)


def _mismatched(shelf: Shelf, feedback: Feedback) -> list[tuple[str, str]]:
    """The pairs of signature and reflection that a `wrong_match` is about."""
    newest_first = list(reversed(shelf.lookups.values()))
    if feedback.conversation_id is not None:
        newest_first = [x for x in newest_first if x.conversation_id == feedback.conversation_id]
        lookup = next((x for x in newest_first if offered(x)), None)
        return [] if lookup is None else [(lookup.signature, each) for each in offered(lookup)]
    target = feedback.target_id or ""
    if target in shelf.lookups:
        lookup = shelf.lookups[target]
        return [(lookup.signature, each) for each in offered(lookup)]
    lookup = next((x for x in newest_first if target in offered(x)), None)
    return [] if lookup is None else [(lookup.signature, target)]


def forget_all(shelf: Shelf, feedback: Feedback, tenant: Sequence[Shelf]) -> Effect:
    """Delete what a `forget` names, on the other shelves of the tenant too."""
    targets = [feedback.target_id] if feedback.target_id is not None else []
    if feedback.conversation_id is not None:
        both: list[Attempt | Lookup] = [*shelf.attempts.values(), *shelf.lookups.values()]
        targets = [x.id for x in both if x.conversation_id == feedback.conversation_id]
    return Effect(forgotten=tuple(x for x in targets if erase(shelf, x, tenant)))
