"""Feedback in SQLite: one vote for each source and occasion, vetoes, forgetting."""

import sqlite3
from collections.abc import Sequence
from typing import Literal

from reflection_mcp.store.opinions import (
    OCCASIONS,
    joining_key,
    occasion,
    offered,
    quality_after,
    tally,
    tried,
)
from reflection_mcp.store.records import Attempt, Effect, Feedback, Lookup, Scope
from reflection_mcp.store.sqlite import lookups, recording, reflections
from reflection_mcp.store.sqlite.indexes import learn_keys
from reflection_mcp.store.sqlite.rows import ATTEMPT, attempt_from, keys_from, micros

Vote = Literal["positive", "negative"]


def apply(db: sqlite3.Connection, scope: Scope, feedback: Feedback) -> Effect:
    """See `Store.apply_feedback`."""
    if feedback.kind == "forget":
        targets = _targets(db, scope, feedback)
        return Effect(forgotten=tuple(each for each in targets if forget(db, scope, each)))
    if feedback.kind == "wrong_match":
        return _veto(db, scope, feedback)
    attempts = _attempts(db, scope, feedback)
    if attempts or feedback.conversation_id is not None:
        return _judge(db, scope, attempts, feedback, feedback.kind)
    return _rate(db, scope, feedback, feedback.kind)


def forget(db: sqlite3.Connection, scope: Scope, target_id: str) -> bool:
    """See `Store.forget`."""
    place = (scope.tenant, scope.project, target_id)
    db.execute("DELETE FROM vote WHERE tenant = ? AND project = ? AND target_id = ?", place)
    deleted = db.execute(
        "DELETE FROM attempt WHERE tenant = ? AND project = ? AND id = ?", place
    ).rowcount
    return (
        deleted > 0 or lookups.erase(db, scope, target_id) or recording.erase(db, scope, target_id)
    )


def vetoes(db: sqlite3.Connection, scope: Scope, signature: str) -> dict[str, str]:
    """See `Store.vetoes`."""
    rows = db.execute(
        "SELECT v.reflection_id, coalesce((SELECT l.id FROM lookup l WHERE l.tenant = v.tenant"
        "  AND l.project = v.project AND v.project = ?2 AND l.signature = v.signature"
        f"  AND {lookups.OFFERED.format('v.reflection_id')} ORDER BY l.rid DESC LIMIT 1), '')"
        " FROM veto v WHERE v.tenant = ?1 AND v.project IN (?2, ?3) AND v.signature = ?4"
        " ORDER BY v.project = ?2, v.reflection_id",
        (*reflections.readable(scope), signature),
    ).fetchall()
    return dict(rows)


# --------------------------------------------------------------------- what it is about


def _targets(db: sqlite3.Connection, scope: Scope, feedback: Feedback) -> Sequence[str]:
    if feedback.conversation_id is None:
        target = feedback.target_id or ""
        return (target, *_strategies_of_only(db, scope, target))
    place = (scope.tenant, scope.project, feedback.conversation_id)
    rows = db.execute(
        "SELECT id FROM attempt WHERE tenant = ?1 AND project = ?2 AND conversation_id = ?3"
        " UNION ALL"
        " SELECT id FROM lookup WHERE tenant = ?1 AND project = ?2 AND conversation_id = ?3",
        place,
    ).fetchall()
    return [each for (each,) in rows]


def _strategies_of_only(db: sqlite3.Connection, scope: Scope, lesson: str) -> list[str]:
    """The strategies that came with this lesson and with no other, in the order of their ids."""
    rows = db.execute(
        "SELECT r.id FROM reflection r JOIN link l ON l.rid = r.rid AND l.kind = 'strategy_of'"
        " WHERE r.tenant = ? AND r.project = ? AND r.kind = 'strategy'"
        " GROUP BY r.rid HAVING group_concat(l.target_id, ' ') = ? ORDER BY r.id",
        (scope.tenant, scope.project, lesson),
    ).fetchall()
    return [each for (each,) in rows]


def _attempts(db: sqlite3.Connection, scope: Scope, feedback: Feedback) -> Sequence[Attempt]:
    conversation = feedback.conversation_id
    column, value = (
        ("id", feedback.target_id) if conversation is None else ("conversation_id", conversation)
    )
    rows = db.execute(
        f"SELECT {ATTEMPT} FROM attempt a WHERE tenant = ? AND project = ? AND {column} = ?"
        " ORDER BY rid",
        (scope.tenant, scope.project, value),
    ).fetchall()
    return [attempt_from(row) for row in rows]


# --------------------------------------------------------------------- votes


def _cast(
    db: sqlite3.Connection, scope: Scope, target: str, feedback: Feedback, when: str = ""
) -> bool:
    """Cast a vote on one occasion; return True if it is new."""
    place = (scope.tenant, scope.project, target, feedback.source, when)
    said = db.execute(
        "SELECT kind FROM vote WHERE tenant = ? AND project = ? AND target_id = ? AND source = ?"
        " AND occasion = ?",
        place,
    ).fetchall()
    if said == [(feedback.kind,)]:
        return False
    db.execute(
        "INSERT OR REPLACE INTO vote(tenant, project, target_id, source, occasion, kind, at,"
        " comment) VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
        (*place, feedback.kind, micros(feedback.at), feedback.comment),
    )
    return True


def _tally(
    db: sqlite3.Connection, scope: Scope, target: str, feedback: Feedback
) -> tuple[int, int]:
    rows = db.execute(
        "SELECT kind FROM vote WHERE tenant = ? AND project = ? AND target_id = ? AND source = ?"
        " ORDER BY at DESC, occasion DESC LIMIT ?",
        (scope.tenant, scope.project, target, feedback.source, OCCASIONS),
    ).fetchall()
    return tally([kind for (kind,) in rows])


def _judge(
    db: sqlite3.Connection,
    scope: Scope,
    attempts: Sequence[Attempt],
    feedback: Feedback,
    vote: Vote,
) -> Effect:
    changed: list[Attempt] = []
    for attempt in attempts:
        if not _cast(db, scope, attempt.id, feedback):
            continue
        rows = db.execute(
            "UPDATE attempt AS a SET quality = ?, feedback = ?"
            f" WHERE tenant = ? AND project = ? AND id = ? RETURNING {ATTEMPT.replace('a.', '')}",
            (
                quality_after(vote, attempt.judged_quality, attempt.quality),
                vote,
                scope.tenant,
                scope.project,
                attempt.id,
            ),
        ).fetchall()
        changed.append(attempt_from(rows[0]))
    return Effect(attempts=tuple(changed), repeated=bool(attempts) and not changed)


def _rate(db: sqlite3.Connection, scope: Scope, feedback: Feedback, vote: Vote) -> Effect:
    target = feedback.target_id or ""
    lookup = lookups.own(db, scope, target)
    restored = _restored(db, scope, lookup) if lookup and vote == "positive" else ()
    joined, asked = _joined(db, scope, lookup) if lookup and vote == "positive" else ((), False)
    shown = lookup or lookups.of_reflection(db, scope, target, feedback.said_in)
    when = occasion(shown, feedback)
    ids = [target] if lookup is None else tried(lookup)
    there = [rid for each in ids if (rid := reflections.numbered(db, scope, each))]
    counted = [rid for rid in there if _counted(db, rid, feedback, when)]
    return Effect(
        reflections=tuple(reflections.by_number(db, rid) for rid in counted),
        restored=restored,
        joined=joined,
        repeated=(bool(there) or asked) and not (counted or restored or joined),
    )


def _counted(db: sqlite3.Connection, rid: int, feedback: Feedback, when: str) -> bool:
    """Cast a vote on a reflection; return True if it is new."""
    target = reflections.by_number(db, rid)
    before = _tally(db, target.scope, target.id, feedback)
    if not _cast(db, target.scope, target.id, feedback, when):
        return False
    after = _tally(db, target.scope, target.id, feedback)
    db.execute(
        "UPDATE reflection SET helped = helped + ?, failed = failed + ? WHERE rid = ?",
        (after[0] - before[0], after[1] - before[1], rid),
    )
    return True


def _joined(
    db: sqlite3.Connection, scope: Scope, lookup: Lookup
) -> tuple[tuple[tuple[str, str], ...], bool]:
    """Let the error that was asked about be found for this one; whether there is such an error."""
    rows = db.execute(
        "SELECT rid, keys FROM reflection WHERE tenant = ? AND project = ? AND id = ?",
        (scope.tenant, scope.project, lookup.asked_id),
    ).fetchall()
    if not rows:
        return (), False
    rid, keys = rows[0]
    key = joining_key(lookup)
    if key in keys_from(keys):
        return (), True
    learn_keys(db, rid, scope, keys, [key])
    return ((lookup.signature, lookup.asked_id or ""),), True


# --------------------------------------------------------------------- vetoes


def _veto(db: sqlite3.Connection, scope: Scope, feedback: Feedback) -> Effect:
    lookup, ids = _mismatched(db, scope, feedback)
    if lookup is None:
        return Effect()
    fresh = [
        (lookup.signature, each)
        for each in ids
        if db.execute(
            "INSERT OR IGNORE INTO veto(tenant, project, signature, reflection_id, source, at,"
            " comment) VALUES(?, ?, ?, ?, ?, ?, ?)",
            (
                scope.tenant, scope.project, lookup.signature, each, feedback.source,
                micros(feedback.at), feedback.comment,
            ),
        ).rowcount
    ]  # fmt: skip
    return Effect(vetoed=tuple(fresh), lookup_id=lookup.id, repeated=not fresh)


def _mismatched(
    db: sqlite3.Connection, scope: Scope, feedback: Feedback
) -> tuple[Lookup | None, Sequence[str]]:
    """The look-up that a `wrong_match` is about, and what of its offer."""
    if feedback.conversation_id is not None:
        logged = lookups.of_conversation(db, scope, feedback.conversation_id)
        lookup = next((each for each in logged if offered(each)), None)
        return lookup, offered(lookup) if lookup else ()
    target = feedback.target_id or ""
    lookup = lookups.own(db, scope, target)
    if lookup is not None:
        return (lookup if offered(lookup) else None), offered(lookup)
    return lookups.of_reflection(db, scope, target), (target,)


def _restored(db: sqlite3.Connection, scope: Scope, lookup: Lookup) -> tuple[tuple[str, str], ...]:
    """Let match again what a look-up offered."""
    pairs = [(lookup.signature, each) for each in offered(lookup)]
    return tuple(
        pair
        for pair in pairs
        if db.execute(
            "DELETE FROM veto WHERE tenant = ? AND project = ? AND signature = ?"
            " AND reflection_id = ?",
            (scope.tenant, scope.project, *pair),
        ).rowcount
    )
