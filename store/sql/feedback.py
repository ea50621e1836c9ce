"""Feedback: one vote for each source and occasion, vetoes, forgetting.

Rule of this module: every function runs inside the transaction of its caller; the rows that are
judged are locked first, in the order of their numbers, so that two votes on one are counted one
after the other.
"""

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
from reflection_mcp.store.lesson_versions import (
    first_after,
    first_id,
    has_version,
    meant,
    row_named,
    version_id,
    votes_on,
)
from reflection_mcp.store.log_rows import ATTEMPT, AttemptRow, attempt_from
from reflection_mcp.store.merging import put_first
from reflection_mcp.store.records import Attempt, Reflection
from reflection_mcp.store.rows import StoredRow, keys_from
from reflection_mcp.store.sql import journal, lookups, recording
from reflection_mcp.store.sql.db import Db, Statement, first

Vote = Literal["positive", "negative", "withdrawn"]


async def apply(db: Db, feedback: Feedback) -> Effect:
    """See `Store.apply_feedback`."""
    if feedback.kind == "forget":
        targets = await _targets(db, feedback)
        return Effect(forgotten=tuple([each for each in targets if await forget(db, each)]))
    if feedback.kind == "wrong_match":
        return await _veto(db, feedback)
    if feedback.kind == "withdrawn":
        return await _rate(db, feedback, feedback.kind)
    attempts = await _attempts(db, feedback)
    if attempts or feedback.conversation_id is not None:
        return await _judge(db, attempts, feedback, feedback.kind)
    return await _rate(db, feedback, feedback.kind)


_VOTES_FORGOTTEN = Statement(
    "DELETE FROM vote AS v WHERE v.tenant = $1 AND v.place = $2 AND (v.target_id = $3::text"
    " OR v.target_id > $3::text || '.' AND v.target_id < $3::text || '/')"
)
_ATTEMPT_FORGOTTEN = Statement(
    "DELETE FROM attempt AS a WHERE a.tenant = $1 AND a.place = $2 AND a.id = $3 RETURNING rid"
)


async def forget(db: Db, target_id: str) -> bool:
    """See `Store.forget`."""
    await db.rows(_VOTES_FORGOTTEN, db.place, target_id)
    await journal.leave_out(db, [target_id])
    return (
        bool(await db.rows(_ATTEMPT_FORGOTTEN, db.place, target_id))
        or await lookups.erase(db, target_id)
        or await recording.forget(db, target_id)
    )


_QUOTED = "'\"' || v.reflection_id || '\"'"
_VETOES = Statement(
    "SELECT v.reflection_id, coalesce((SELECT l.id FROM lookup l WHERE l.tenant = $1"
    "  AND l.place = v.place AND v.place = $3 AND l.signature = v.signature"
    f"  AND {lookups.OFFERED.format('v.reflection_id', _QUOTED)} ORDER BY l.rid DESC LIMIT 1), '')"
    " FROM veto v WHERE v.tenant = $1 AND v.place = ANY($2::bigint[]) AND v.signature = $4"
    " ORDER BY v.place = $3, v.reflection_id"
)


async def vetoes(db: Db, signature: str) -> dict[str, str]:
    """See `Store.vetoes`."""
    rows = await db.rows(_VETOES, db.places, db.place, signature)
    return dict(map(tuple, rows))


# --------------------------------------------------------------------- what it is about

_SAID = Statement(
    "SELECT a.id, 0 AS n, a.rid FROM attempt a WHERE a.tenant = $1 AND a.place = $2"
    "  AND a.conversation_id = $3"
    " UNION ALL SELECT l.id, 1, l.rid FROM lookup l WHERE l.tenant = $1 AND l.place = $2"
    "  AND l.conversation_id = $3 ORDER BY 2, 3"
)
_STRATEGIES = Statement(
    "SELECT r.id FROM reflection r"
    " JOIN link ON link.tenant = $1 AND link.rid = r.rid AND link.kind = 'strategy_of'"
    " WHERE r.tenant = $1 AND r.place = $2 AND r.kind = 'strategy' GROUP BY r.rid, r.id"
    " HAVING min(link.target_id) = $3 AND max(link.target_id) = $3 ORDER BY r.id"
)
_OF_ID = Statement(
    f"SELECT {ATTEMPT} FROM attempt a WHERE a.tenant = $1 AND a.place = $2 AND a.id = $3"
    " ORDER BY a.rid FOR UPDATE"
)
_OF_TALK = Statement(
    f"SELECT {ATTEMPT} FROM attempt a WHERE a.tenant = $1 AND a.place = $2"
    " AND a.conversation_id = $3 ORDER BY a.rid FOR UPDATE"
)


async def _targets(db: Db, feedback: Feedback) -> Sequence[str]:
    if feedback.conversation_id is None:
        target = feedback.target_id or ""
        rows = await db.rows(_STRATEGIES, db.place, target)
        return (target, *(row[0] for row in rows))
    return [row[0] for row in await db.rows(_SAID, db.place, feedback.conversation_id)]


async def _attempts(db: Db, feedback: Feedback) -> Sequence[Attempt]:
    conversation = feedback.conversation_id
    rows = (
        await db.rows(_OF_ID, db.place, feedback.target_id)
        if conversation is None
        else await db.rows(_OF_TALK, db.place, conversation)
    )
    return [attempt_from(row) for row in rows]


# --------------------------------------------------------------------- votes

_CAST = Statement(
    "INSERT INTO vote AS v(tenant, place, target_id, source, occasion, kind, at, comment)"
    " VALUES($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT(tenant, place, target_id, source,"
    " occasion) DO UPDATE SET kind = excluded.kind, at = excluded.at, comment = excluded.comment"
    " WHERE v.kind <> excluded.kind RETURNING kind"
)
_WITHDRAWN = Statement(
    "DELETE FROM vote AS v WHERE v.tenant = $1 AND v.place = $2 AND v.target_id = $3"
    " AND v.source = $4 AND v.occasion = $5 RETURNING kind"
)
_COUNTING = Statement(
    "SELECT v.kind FROM vote v WHERE v.tenant = $1 AND v.place = $2 AND v.target_id = $3"
    " AND v.source = $4 ORDER BY v.at DESC, v.occasion DESC LIMIT $5"
)
_QUALITY = Statement(
    "UPDATE attempt AS a SET quality = $4, feedback = $5 WHERE a.tenant = $1 AND a.place = $2"
    f" AND a.id = $3 RETURNING {', '.join(AttemptRow._fields)}"
)


async def _cast(db: Db, place: int, target: str, feedback: Feedback, when: str = "") -> bool:
    """Cast a vote on one occasion, or take it back; return True if that is new."""
    if feedback.kind == "withdrawn":
        return bool(await db.rows(_WITHDRAWN, place, target, feedback.source, when))
    said = (target, feedback.source, when, feedback.kind, micros(feedback.at), feedback.comment)
    return bool(await db.rows(_CAST, place, *said))


async def _tally(db: Db, place: int, target: str, feedback: Feedback) -> tuple[int, int]:
    rows = await db.rows(_COUNTING, place, target, feedback.source, OCCASIONS)
    return tally([kind for (kind,) in rows])


async def _judge(db: Db, attempts: Sequence[Attempt], feedback: Feedback, vote: Vote) -> Effect:
    changed: list[Attempt] = []
    for attempt in attempts:
        if not await _cast(db, db.place, attempt.id, feedback):
            continue
        quality = quality_after(vote, attempt.judged_quality, attempt.quality)
        (row,) = await db.rows(_QUALITY, db.place, attempt.id, quality, vote)
        changed.append(attempt_from(row))
    return Effect(attempts=tuple(changed), repeated=bool(attempts) and not changed)


async def _rate(db: Db, feedback: Feedback, vote: Vote) -> Effect:
    target = feedback.target_id or ""
    lookup = await lookups.own(db, target)
    praised = lookup if vote == "positive" else None
    restored = await _restored(db, lookup) if lookup and vote != "negative" else ()
    joined, asked = await _joined(db, praised) if praised else ((), False)
    there = [named for each in voted_on(target, lookup, vote) if (named := await _named(db, each))]
    counted: list[tuple[str, Reflection, str]] = []
    for row, reflection, version in there:
        shown = lookup or await lookups.of_reflection(db, reflection.id, feedback.said_in)
        judged = version or meant(reflection, shown)
        if await _counted(db, row, reflection, judged, feedback, occasion(shown, feedback)):
            now = (await recording.whole(db, row.rid)).record()
            counted.append((first_id(reflection), now, judged))
    return Effect(
        reflections=tuple(now for _, now, _ in counted),
        versions=tuple(votes_on(now, judged) for _, now, judged in counted),
        first=tuple(name for before, now, _ in counted if (name := first_id(now)) != before),
        restored=restored,
        joined=joined,
        repeated=(bool(there) or asked) and not (counted or restored or joined),
    )


async def _named(db: Db, target: str) -> tuple[StoredRow, Reflection, str] | None:
    """The reflection with this id, else the one with a version of this id, and that id; locked."""
    for name, version in ((target, ""), (row_named(target), target)):
        rid = await recording.numbered(db, name)
        if rid is not None:
            await db.statements.lock(db, [rid])
            whole = await recording.whole(db, rid)
            reflection = whole.record()
            if not version or has_version(reflection, version):
                return whole.row, reflection, version
    return None


_OTHER_JUDGED = Statement(
    "UPDATE wording SET helped = helped + $5, failed = failed + $6 WHERE wording.tenant = $1"
    " AND wording.rid = $2 AND wording.lesson = $3 AND wording.strategy = $4"
)


async def _counted(
    db: Db, whole: StoredRow, row: Reflection, judged: str, feedback: Feedback, when: str
) -> bool:
    """Cast a vote on a version of a reflection; return True if it is new."""
    place, rid = db.place_of(row.scope), whole.rid
    before = await _tally(db, place, judged, feedback)
    if not await _cast(db, place, judged, feedback, when):
        return False
    after = await _tally(db, place, judged, feedback)
    more = (after[0] - before[0], after[1] - before[1])
    if judged == first_id(row):
        await db.statements.judge(db, whole, *more)
    else:
        said = next(each for each in row.wordings if version_id(row.id, *each.words) == judged)
        await db.rows(_OTHER_JUDGED, rid, *said.words, *more)
    stored = await recording.whole(db, rid)
    now = stored.record()
    better = first_after(now, judged, feedback.kind)
    if better is not None:
        turned = put_first(now, better)
        await recording.show_first(db, stored.row, now, turned, better.source, completes=False)
    return True


async def _joined(db: Db, lookup: Lookup) -> tuple[tuple[tuple[str, str], ...], bool]:
    """Let the error that was asked about be found for this one; whether there is such an error."""
    found = await first(db, recording.OWN, db.place, [lookup.asked_id or ""])
    if found is None:
        return (), False
    await db.statements.lock(db, [found[0]])
    row = (await recording.whole(db, found[0])).row
    key = joining_key(lookup)
    if key in keys_from(row.keys):
        return (), True
    await recording.learn_keys(db, row, [key])
    return ((lookup.signature, lookup.asked_id or ""),), True


# --------------------------------------------------------------------- vetoes

_VETOED = Statement(
    "INSERT INTO veto(tenant, place, signature, reflection_id, source, at, comment)"
    " VALUES($1, $2, $3, $4, $5, $6, $7) ON CONFLICT DO NOTHING RETURNING at"
)
_RESTORED = Statement(
    "DELETE FROM veto AS v WHERE v.tenant = $1 AND v.place = $2 AND v.signature = $3"
    " AND v.reflection_id = $4 RETURNING at"
)


async def _veto(db: Db, feedback: Feedback) -> Effect:
    lookup, ids = await _mismatched(db, feedback)
    if lookup is None:
        return Effect()
    who = (feedback.source, micros(feedback.at), feedback.comment)
    fresh = [
        (lookup.signature, each)
        for each in ids
        if await db.rows(_VETOED, db.place, lookup.signature, each, *who)
    ]
    return Effect(vetoed=tuple(fresh), lookup_id=lookup.id, repeated=not fresh)


async def _mismatched(db: Db, feedback: Feedback) -> tuple[Lookup | None, Sequence[str]]:
    """The look-up that a `wrong_match` is about, and what of its offer."""
    if feedback.conversation_id is not None:
        logged = await lookups.of_conversation(db, feedback.conversation_id)
        lookup = next((each for each in logged if offered(each)), None)
        return lookup, offered(lookup) if lookup else ()
    target = feedback.target_id or ""
    lookup = await lookups.own(db, target)
    if lookup is not None:
        return (lookup if offered(lookup) else None), offered(lookup)
    return await lookups.of_reflection(db, target), (target,)


async def _restored(db: Db, lookup: Lookup) -> tuple[tuple[str, str], ...]:
    """Let match again what a look-up offered."""
    pairs = [(lookup.signature, each) for each in offered(lookup)]
    return tuple([pair for pair in pairs if await db.rows(_RESTORED, db.place, *pair)])
