"""Feedback in memory, and its effect on the rows.

Rule of this module: functions on shelves; how feedback changes a quality is decided in `opinions`.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

from reflection_mcp.store.memory.shelf import Shelf, ShelfRow, erase
from reflection_mcp.store.opinions import joining_key, occasion, offered, quality_after, tally
from reflection_mcp.store.records import Attempt, Effect, Feedback, Lookup

Vote = Literal["positive", "negative"]


def judge_offer(
    shelf: Shelf, rows: Sequence[tuple[Shelf, ShelfRow]], feedback: Feedback, kind: Vote
) -> Effect:
    """Count a vote for a reflection or for all that a look-up offered.

    `shelf` is the one of the feedback; each row comes with its own.
    """
    target = feedback.target_id or ""
    lookup = shelf.lookups.get(target)
    restored = _restored(shelf, lookup) if lookup and kind == "positive" else ()
    asked = shelf.rows.get(lookup.asked_id or "") if lookup and kind == "positive" else None
    joined = _joined(asked, lookup) if asked and lookup else ()
    shown = lookup or next(
        (
            each
            for each in reversed(shelf.lookups.values())
            if each.conversation_id == feedback.said_in and target in offered(each)
        ),
        None,
    )
    changed = [
        row.whole()
        for home, row in rows
        if _counted(home, row, feedback, kind, occasion(shown, feedback))
    ]
    repeated = bool(rows or asked) and not (changed or restored or joined)
    return Effect(reflections=tuple(changed), restored=restored, joined=joined, repeated=repeated)


def _joined(asked: ShelfRow, lookup: Lookup) -> tuple[tuple[str, str], ...]:
    """Let the error that was asked about be found for this one."""
    key = joining_key(lookup)
    if key in asked.keys:
        return ()
    asked.keys[key] = None
    return ((lookup.signature, asked.reflection.id),)


def _counted(shelf: Shelf, row: ShelfRow, feedback: Feedback, kind: Vote, when: str) -> bool:
    """Cast a vote; return True if it is new."""
    target = row.reflection.id
    ballot = (target, feedback.source, when)
    if shelf.votes.get(ballot, (None, ""))[1] == kind:
        return False
    before = _tally(shelf, target, feedback.source)
    shelf.votes[ballot] = (feedback.at, kind)
    after = _tally(shelf, target, feedback.source)
    row.reflection = replace(
        row.reflection,
        helped=row.reflection.helped + after[0] - before[0],
        failed=row.reflection.failed + after[1] - before[1],
    )
    return True


def _tally(shelf: Shelf, target: str, source: str) -> tuple[int, int]:
    said = [
        (at, when, kind)
        for (each, by, when), (at, kind) in shelf.votes.items()
        if (each, by) == (target, source)
    ]
    return tally([kind for _, _, kind in sorted(said, reverse=True)])


def judge_conversation(shelf: Shelf, feedback: Feedback, kind: Vote) -> Effect:
    """Let a vote decide over every attempt of a conversation."""
    ids = [a.id for a in shelf.attempts.values() if a.conversation_id == feedback.conversation_id]
    return judge_attempts(shelf, ids, feedback, kind)


def judge_attempts(shelf: Shelf, ids: Sequence[str], feedback: Feedback, kind: Vote) -> Effect:
    """Apply a vote to these attempts, unless the same source said the same before."""
    changed: list[Attempt] = []
    for each in ids:
        ballot = (each, feedback.source, "")
        if shelf.votes.get(ballot, (None, ""))[1] == kind:
            continue
        shelf.votes[ballot] = (feedback.at, kind)
        attempt = shelf.attempts[each]
        quality = quality_after(kind, attempt.judged_quality, attempt.quality)
        shelf.attempts[each] = replace(attempt, quality=quality, feedback=kind)
        changed.append(shelf.attempts[each])
    return Effect(attempts=tuple(changed), repeated=bool(ids) and not changed)


def veto(shelf: Shelf, feedback: Feedback) -> Effect:
    """Keep the pairs that a person called different from ever matching again."""
    lookup, ids = _mismatched(shelf, feedback)
    if lookup is None:
        return Effect()
    vetoed = shelf.vetoes.setdefault(lookup.signature, set())
    fresh = [each for each in ids if each not in vetoed]
    vetoed.update(fresh)
    return Effect(
        vetoed=tuple((lookup.signature, each) for each in fresh),
        lookup_id=lookup.id,
        repeated=not fresh,
    )


def _mismatched(shelf: Shelf, feedback: Feedback) -> tuple[Lookup | None, Sequence[str]]:
    """The look-up that a `wrong_match` is about, and what of its offer."""
    newest_first = list(reversed(shelf.lookups.values()))
    if feedback.conversation_id is not None:
        of_it = (x for x in newest_first if x.conversation_id == feedback.conversation_id)
        lookup = next((x for x in of_it if offered(x)), None)
        return lookup, offered(lookup) if lookup else ()
    target = feedback.target_id or ""
    if target in shelf.lookups:
        lookup = shelf.lookups[target]
        return (lookup if offered(lookup) else None), offered(lookup)
    return next((x for x in newest_first if target in offered(x)), None), (target,)


def _restored(shelf: Shelf, lookup: Lookup) -> tuple[tuple[str, str], ...]:
    """Let match again what a look-up offered."""
    vetoed = shelf.vetoes.get(lookup.signature, set())
    back = [each for each in offered(lookup) if each in vetoed]
    vetoed.difference_update(back)
    return tuple((lookup.signature, each) for each in back)


def vetoes(shelf: Shelf, signature: str) -> dict[str, str]:
    """Return the vetoes for a signature, each with the last look-up that offered it."""
    asked = [each for each in shelf.lookups.values() if each.signature == signature]
    return {
        each: next((look.id for look in reversed(asked) if each in offered(look)), "")
        for each in sorted(shelf.vetoes.get(signature, set()))
    }


def forget_all(shelf: Shelf, feedback: Feedback, tenant: Sequence[Shelf]) -> Effect:
    """Delete what a `forget` names, on the other shelves of the tenant too."""
    targets = [feedback.target_id] if feedback.target_id is not None else []
    targets += [each for target in targets for each in _strategies_of_only(shelf, target)]
    if feedback.conversation_id is not None:
        both: list[Attempt | Lookup] = [*shelf.attempts.values(), *shelf.lookups.values()]
        targets = [x.id for x in both if x.conversation_id == feedback.conversation_id]
    return Effect(forgotten=tuple(x for x in targets if erase(shelf, x, tenant)))


def _strategies_of_only(shelf: Shelf, lesson: str) -> list[str]:
    """The strategies that came with this lesson and with no other, in the order of their ids."""
    rows = [row.reflection for row in shelf.rows.values() if row.reflection.kind == "strategy"]
    lessons = {
        row.id: {link.target_id for link in row.links if link.kind == "strategy_of"} for row in rows
    }
    return sorted(each for each, of in lessons.items() if of == {lesson})
