"""Feedback in SQLite: one vote for each source and object, vetoes, forgetting."""

import sqlite3
from collections.abc import Sequence
from typing import Literal

from reflection_mcp.store.opinions import offered, quality_after
from reflection_mcp.store.records import Attempt, Effect, Feedback, Reflection, Scope
from reflection_mcp.store.sqlite import lookups, recording, reflections
from reflection_mcp.store.sqlite.rows import ATTEMPT, attempt_from, micros

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
    target = feedback.target_id or ""
    lookup = lookups.own(db, scope, target)
    ids = (target,) if lookup is None else offered(lookup)
    return _rate(db, scope, ids, feedback, feedback.kind)


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


def vetoes(db: sqlite3.Connection, scope: Scope, signature: str) -> frozenset[str]:
    """See `Store.vetoes`."""
    rows = db.execute(
        "SELECT reflection_id FROM veto WHERE tenant = ? AND project IN (?, ?) AND signature = ?",
        (*reflections.readable(scope), signature),
    ).fetchall()
    return frozenset(each for (each,) in rows)


# --------------------------------------------------------------------- what it is about


def _targets(db: sqlite3.Connection, scope: Scope, feedback: Feedback) -> Sequence[str]:
    if feedback.conversation_id is None:
        return (feedback.target_id or "",)
    place = (scope.tenant, scope.project, feedback.conversation_id)
    rows = db.execute(
        "SELECT id FROM attempt WHERE tenant = ?1 AND project = ?2 AND conversation_id = ?3"
        " UNION ALL"
        " SELECT id FROM lookup WHERE tenant = ?1 AND project = ?2 AND conversation_id = ?3",
        place,
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


def _moved(
    db: sqlite3.Connection, scope: Scope, target: str, feedback: Feedback, vote: Vote
) -> tuple[bool, Vote | None]:
    """Cast the vote; whether it changed anything, and what the same source said before."""
    ballot = (scope.tenant, scope.project, target, feedback.source)
    rows = db.execute(
        "SELECT kind FROM vote WHERE tenant = ? AND project = ? AND target_id = ? AND source = ?",
        ballot,
    ).fetchall()
    before: Vote | None = rows[0][0] if rows else None
    if before == vote:
        return False, before
    db.execute(
        "INSERT OR REPLACE INTO vote(tenant, project, target_id, source, kind, at, comment)"
        " VALUES(?, ?, ?, ?, ?, ?, ?)",
        (*ballot, vote, micros(feedback.at), feedback.comment),
    )
    return True, before


def _judge(
    db: sqlite3.Connection,
    scope: Scope,
    attempts: Sequence[Attempt],
    feedback: Feedback,
    vote: Vote,
) -> Effect:
    changed: list[Attempt] = []
    for attempt in attempts:
        if not _moved(db, scope, attempt.id, feedback, vote)[0]:
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


def _rate(
    db: sqlite3.Connection, scope: Scope, ids: Sequence[str], feedback: Feedback, vote: Vote
) -> Effect:
    there = [rid for each in ids if (rid := reflections.numbered(db, scope, each))]
    changed: list[Reflection] = []
    for rid in there:
        target = reflections.by_number(db, rid)
        moved, before = _moved(db, target.scope, target.id, feedback, vote)
        if not moved:
            continue
        db.execute(
            "UPDATE reflection SET helped = helped + ?, failed = failed + ? WHERE rid = ?",
            (
                (vote == "positive") - (before == "positive"),
                (vote == "negative") - (before == "negative"),
                rid,
            ),
        )
        changed.append(reflections.by_number(db, rid))
    return Effect(reflections=tuple(changed), repeated=bool(there) and not changed)


# --------------------------------------------------------------------- vetoes


def _veto(db: sqlite3.Connection, scope: Scope, feedback: Feedback) -> Effect:
    pairs = _mismatched(db, scope, feedback)
    fresh = [
        pair
        for pair in pairs
        if db.execute(
            "INSERT OR IGNORE INTO veto(tenant, project, signature, reflection_id, source, at,"
            " comment) VALUES(?, ?, ?, ?, ?, ?, ?)",
            (
                scope.tenant, scope.project, *pair, feedback.source, micros(feedback.at),
                feedback.comment,
            ),
        ).rowcount
    ]  # fmt: skip
    return Effect(vetoed=tuple(fresh), repeated=bool(pairs) and not fresh)


def _mismatched(
    db: sqlite3.Connection, scope: Scope, feedback: Feedback
) -> Sequence[tuple[str, str]]:
    """The pairs of signature and reflection that a `wrong_match` is about."""
    if feedback.conversation_id is not None:
        logged = lookups.of_conversation(db, scope, feedback.conversation_id)
        lookup = next((each for each in logged if offered(each)), None)
        return [] if lookup is None else [(lookup.signature, each) for each in offered(lookup)]
    target = feedback.target_id or ""
    lookup = lookups.own(db, scope, target)
    if lookup is not None:
        return [(lookup.signature, each) for each in offered(lookup)]
    lookup = lookups.of_reflection(db, scope, target)
    return [] if lookup is None else [(lookup.signature, target)]
