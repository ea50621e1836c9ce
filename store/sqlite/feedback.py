"""Feedback in SQLite: one vote for each source and occasion, vetoes, forgetting."""

import sqlite3
from collections.abc import Sequence
from typing import Literal

from reflection_mcp.store.columns import micros
from reflection_mcp.store.feedback_rules import (
    OCCASIONS,
    joining_key,
    occasion,
    offered,
    quality_after,
    tally,
    voted_on,
)
from reflection_mcp.store.interactions import Effect, Feedback, Lookup
from reflection_mcp.store.log_rows import ATTEMPT, attempt_from
from reflection_mcp.store.merging import put_first
from reflection_mcp.store.records import Attempt, Reflection, Scope
from reflection_mcp.store.rows import keys_from
from reflection_mcp.store.sqlite import lookups, recording, reflections
from reflection_mcp.store.sqlite.indexes import learn_keys
from reflection_mcp.store.versions import (
    first_after,
    first_id,
    has_version,
    meant,
    row_named,
    version_id,
    votes_on,
)

Vote = Literal["positive", "negative", "withdrawn"]


def apply(db: sqlite3.Connection, scope: Scope, feedback: Feedback) -> Effect:
    """See `Store.apply_feedback`."""
    if feedback.kind == "forget":
        targets = _targets(db, scope, feedback)
        return Effect(forgotten=tuple(each for each in targets if forget(db, scope, each)))
    if feedback.kind == "wrong_match":
        return _veto(db, scope, feedback)
    if feedback.kind == "withdrawn":
        return _rate(db, scope, feedback, feedback.kind)
    attempts = _attempts(db, scope, feedback)
    if attempts or feedback.conversation_id is not None:
        return _judge(db, scope, attempts, feedback, feedback.kind)
    return _rate(db, scope, feedback, feedback.kind)


def forget(db: sqlite3.Connection, scope: Scope, target_id: str) -> bool:
    """See `Store.forget`."""
    place = (scope.tenant, scope.project, target_id)
    db.execute(
        "DELETE FROM vote WHERE tenant = ?1 AND project = ?2"
        " AND (target_id = ?3 OR target_id > ?3 || '.' AND target_id < ?3 || '/')",
        place,
    )
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
        "  AND l.project = v.project AND v.project = ?1 AND l.signature = v.signature"
        f"  AND {lookups.OFFERED.format('v.reflection_id')} ORDER BY l.rid DESC LIMIT 1), '')"
        f" FROM veto v WHERE {reflections.readers(scope, 'v.')} AND v.signature = ?"
        " ORDER BY v.project = ?1, v.reflection_id",
        (scope.project, *reflections.readable(scope), signature),
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
    """Cast a vote on one occasion, or take it back; return True if that is new."""
    place = (scope.tenant, scope.project, target, feedback.source, when)
    if feedback.kind == "withdrawn":
        deleted = db.execute(
            "DELETE FROM vote WHERE tenant = ? AND project = ? AND target_id = ? AND source = ?"
            " AND occasion = ?",
            place,
        )
        return deleted.rowcount > 0
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
    restored = _restored(db, scope, lookup) if lookup and vote != "negative" else ()
    joined, asked = _joined(db, scope, lookup) if lookup and vote == "positive" else ((), False)
    ids = voted_on(target, lookup, vote)
    there = [named for each in ids if (named := _named(db, scope, each))]
    counted: list[tuple[int, str]] = []
    for row, version in there:
        shown = lookup or lookups.of_reflection(db, scope, row.id, feedback.said_in)
        judged = version or meant(row, shown)
        if _counted(db, row, judged, feedback, occasion(shown, feedback)):
            counted.append((_number(db, row), judged))
    before = {row.id: first_id(row) for row, _ in there}
    rows = [reflections.by_number(db, rid) for rid, _ in counted]
    return Effect(
        reflections=tuple(rows),
        versions=tuple(votes_on(row, name) for row, (_, name) in zip(rows, counted, strict=True)),
        first=tuple(name for row in rows if (name := first_id(row)) != before[row.id]),
        restored=restored,
        joined=joined,
        repeated=(bool(there) or asked) and not (counted or restored or joined),
    )


def _named(db: sqlite3.Connection, scope: Scope, target: str) -> tuple[Reflection, str] | None:
    """The reflection with this id, else the one with a version of this id, and that id."""
    rid = reflections.numbered(db, scope, target)
    if rid is not None:
        return reflections.by_number(db, rid), ""
    rid = reflections.numbered(db, scope, row_named(target))
    row = None if rid is None else reflections.by_number(db, rid)
    return (row, target) if row is not None and has_version(row, target) else None


def _number(db: sqlite3.Connection, row: Reflection) -> int:
    rid = reflections.numbered(db, row.scope, row.id)
    assert rid is not None  # it was read in this transaction
    return rid


def _counted(
    db: sqlite3.Connection, row: Reflection, judged: str, feedback: Feedback, when: str
) -> bool:
    """Cast a vote on a version of a reflection; return True if it is new."""
    before = _tally(db, row.scope, judged, feedback)
    if not _cast(db, row.scope, judged, feedback, when):
        return False
    after = _tally(db, row.scope, judged, feedback)
    rid, more = _number(db, row), (after[0] - before[0], after[1] - before[1])
    if judged == first_id(row):
        db.execute(
            "UPDATE reflection SET helped = helped + ?, failed = failed + ? WHERE rid = ?",
            (*more, rid),
        )
    else:
        said = next(each for each in row.wordings if version_id(row.id, *each.words) == judged)
        db.execute(
            "UPDATE wording SET helped = helped + ?, failed = failed + ?"
            " WHERE rid = ? AND lesson = ? AND strategy = ?",
            (*more, rid, *said.words),
        )
    now = reflections.by_number(db, rid)
    better = first_after(now, judged, feedback.kind)
    if better is not None:
        recording.show_first(
            db, recording.stored(db, rid), now, put_first(now, better), better.source
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
