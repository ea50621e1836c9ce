"""Recording a reflection: a new row, or one more count of a known one; and its end.

Rules of this module: what a merge does to texts is decided in `merging`. Whoever changes a row has
locked it, and reads it after that.
"""

from collections.abc import Sequence
from dataclasses import replace

from reflection_mcp.store.columns import micros
from reflection_mcp.store.lesson_versions import first_id
from reflection_mcp.store.maintenance import StoredReflection
from reflection_mcp.store.merging import (
    both_keys,
    is_completed,
    met_again,
    met_first,
    replaced,
    wordings_said,
)
from reflection_mcp.store.records import Key, Observation, RecordResult, Reflection
from reflection_mcp.store.rows import (
    StoredRow,
    WholeRow,
    features_blob,
    features_from,
    keys_from,
    keys_text,
    signed,
)
from reflection_mcp.store.sql.db import Db, Raced, Statement, first, nearest
from reflection_mcp.store.sql.statements import Count

# --------------------------------------------------------------------- by number

_NUMBERED = Statement(
    "SELECT r.rid, r.place FROM reflection r"
    " WHERE r.tenant = $1 AND r.place = ANY($2::bigint[]) AND r.id = $3"
)
OWN = Statement(
    "SELECT r.rid, r.id FROM reflection r WHERE r.tenant = $1 AND r.place = $2"
    " AND r.id = ANY($3::text[])"
)


async def numbered(db: Db, reflection_id: str) -> int | None:
    """The row number of a reflection that the scope can read."""
    row = await nearest(db, _NUMBERED, reflection_id)
    return None if row is None else int(row[0])


async def whole(db: Db, rid: int) -> WholeRow:
    """The row with a number that is known to exist, unless it has just been deleted."""
    for row in await db.statements.whole(db, [rid]):
        return row
    raise Raced


async def by_id(db: Db, reflection_id: str) -> Reflection | None:
    """See `Store.reflection`."""
    rid = await numbered(db, reflection_id)
    return None if rid is None else (await whole(db, rid)).record()


# --------------------------------------------------------------------- recording

_NAMED = Statement(
    "SELECT r.rid FROM reflection r"
    " WHERE r.tenant = $1 AND r.place = $2 AND r.id = $3 AND r.kind = $4"
)
_EVENT_ADDED = Statement(
    "INSERT INTO event(tenant, place, event_id, kind, rid) VALUES($1, $2, $3, $4, $5)"
    " ON CONFLICT DO NOTHING RETURNING rid"
)
_EVENT = Statement(
    "SELECT e.rid FROM event e"
    " WHERE e.tenant = $1 AND e.place = $2 AND e.event_id = $3 AND e.kind = $4"
)
SOURCE_ADDED = Statement(
    "INSERT INTO source(tenant, rid, source) VALUES($1, $2, $3) ON CONFLICT DO NOTHING"
    " RETURNING rid"
)


async def record(db: Db, observation: Observation) -> RecordResult:
    """See `Store.record`; in a transaction."""
    done = await db.statements.at_once(db, observation)
    if done is None:
        done = await _merged(db, observation)
    return await _with_its_lesson(db, done) if done.counted or done.created else done


async def _merged(db: Db, observation: Observation) -> RecordResult:
    new = observation.reflection
    event = (db.place, observation.event_id, new.kind)
    rid = await _meant(db, observation)
    if rid is not None:
        await db.statements.lock(db, [rid])
        if await db.rows(_EVENT_ADDED, *event, rid):
            return await _count(db, rid, observation)
    if (known := await first(db, _EVENT, *event)) is not None:
        row = await whole(db, known[0])
        return RecordResult(reflection=row.record(), created=False, counted=False)
    if await db.rows(OWN, db.place, [new.id]):
        raise ValueError("this id already names another reflection")
    rid = await db.statements.make(db, new_row(db, observation), [observation.person])
    await db.rows(_EVENT_ADDED, *event, rid)
    return RecordResult(reflection=(await whole(db, rid)).record(), created=True, counted=True)


async def _meant(db: Db, observation: Observation) -> int | None:
    """The row that the observation means: the one it names, else the one with its signature."""
    new = observation.reflection
    if observation.same_as is not None:
        row = await first(db, _NAMED, db.place, observation.same_as, new.kind)
        if row is not None:
            return int(row[0])
    (rid,) = await db.statements.signed(db, [(new.kind, new.signature)])
    return rid


def new_row(db: Db, observation: Observation) -> StoredReflection:
    """The row of what is met first."""
    return StoredReflection(
        reflection=met_first(db.scope, observation),
        keys=tuple(both_keys((), observation.keys)),
        features=tuple(dict.fromkeys(map(signed, observation.features))),
        author=observation.source,
    )


async def _count(db: Db, rid: int, observation: Observation) -> RecordResult:
    """Count one more occurrence of the row, if it is one, and fill in what is new."""
    new, statements = observation.reflection, db.statements
    was = await whole(db, rid)
    fresh = bool(await db.rows(SOURCE_ADDED, rid, observation.person))
    counted = fresh or not observation.corrects
    said = wordings_said(observation)
    again = len(said) == 1 and said[0].times == 1 and _is_shown(said[0].key, was)
    met = not observation.of_vote
    more = Count(int(counted and met), int(fresh), int(again), micros(new.last_seen) if met else 0)
    await statements.count(db, was.row, more)
    learned = await learn_keys(db, was.row, observation.keys)
    learned |= await _learn_features(db, was.row, observation.features)
    if new.links or (said and not again):
        await statements.add(db, rid, new.links, () if again else said)
        was = await whole(db, rid)
    else:
        was = _counted(was, more)
    row, before = was.row, was.record()
    after, author = met_again(before, observation, author=row.author)
    if after is before:
        if not learned and (again or not said):
            await statements.unchanged(db, rid, observation)
        return RecordResult(reflection=before, created=False, counted=counted)
    completes = is_completed(before, after)
    retired = await show_first(db, row, before, after, author, completes=completes)
    return RecordResult(
        reflection=(await whole(db, rid)).record(),
        created=False,
        counted=counted,
        replaced=replaced(before, after, row.author),
        retired=retired,
    )


def _counted(was: WholeRow, more: Count) -> WholeRow:
    """The row after it was counted, and nothing else."""
    row = was.row.reflection
    row = row._replace(
        occurrences=row.occurrences + more.occurrences,
        sources=row.sources + more.sources,
        last_seen=max(row.last_seen, more.seen),
    )
    repeated = was.row.repeated + more.repeated
    return was._replace(row=was.row._replace(reflection=row, repeated=repeated))


def _is_shown(said: tuple[str, str, str], was: WholeRow) -> bool:
    """Return True if the author repeats what the row shows."""
    return said == was.row.shown and any(each.key == said for each in was.said)


async def learn_keys(db: Db, row: StoredRow, given: Sequence[Key]) -> bool:
    """Add the keys that the row does not have yet; returns True if there was one."""
    if not given or keys_text(given) == row.keys:
        return False
    known = keys_from(row.keys)
    kept = both_keys(known, given)
    if kept == known:
        return False
    came, gone = set(kept).difference(known), set(known).difference(kept)
    await db.statements.keep_keys(db, row.rid, kept, came, gone)
    return True


async def _learn_features(db: Db, row: StoredRow, given: Sequence[int]) -> bool:
    """Add the features that the row does not have yet; returns True if there was one."""
    if not given or features_blob(given) == row.features:
        return False
    known = features_from(row.features)
    came = [*set(map(signed, given)).difference(known)]
    if came:
        await db.statements.keep_features(db, row.rid, [*known, *came], came)
    return bool(came)


# --------------------------------------------------------------------- changed words

_RULES = Statement(
    "SELECT r.rid, r.id, r.lesson, r.retired, link.target_id FROM reflection r"
    " JOIN link ON link.tenant = $1 AND link.rid = r.rid AND link.kind = 'strategy_of'"
    " WHERE r.tenant = $1 AND r.place = $2 AND r.kind = 'strategy' AND r.lesson IN ($3, $4)"
    " ORDER BY r.id"
)
_RETIRED = Statement("UPDATE reflection AS r SET retired = $3 WHERE r.tenant = $1 AND r.rid = $2")


async def show_first(
    db: Db,
    row: StoredRow,
    before: Reflection,
    after: Reflection,
    author: str,
    *,
    completes: bool,
) -> tuple[str, ...]:
    """Write a row that may show other words than before; return the strategies that retired.

    Args:
        db: in a transaction, the row locked.
        row: as it is stored.
        before: the same as a record, whole.
        after: as it is to be, with the votes of the version that it shows.
        author: whose words it shows.
        completes: whether the version shown only gains a strategy, instead of giving way to
        another.
    """
    place = db.place_of(after.scope)
    await _settle(db, place, row, before, after, completes=completes)
    await db.statements.rewrite(db, row, after, author)
    if after.kind == "strategy" or before.strategy == after.strategy:
        return ()
    lessons: dict[tuple[int, str, str, int], list[str]] = {}
    for *rule, lesson in await db.rows(_RULES, place, before.strategy, after.strategy):
        lessons.setdefault((rule[0], rule[1], rule[2], rule[3]), []).append(lesson)
    retired: list[str] = []
    for (rid, name, rule, is_retired), of in lessons.items():
        if goes := rule == before.strategy and of == [after.id]:
            retired.append(name)
        if goes or (is_retired and after.id in of and rule == after.strategy):
            await db.rows(_RETIRED, rid, int(goes))
    return tuple(retired)


_REPEATED = Statement(
    "UPDATE wording SET times = times + $6 WHERE wording.tenant = $1 AND wording.rid = $2"
    " AND wording.source = $3 AND wording.lesson = $4 AND wording.strategy = $5"
)
_JUDGED = Statement(
    "UPDATE wording SET helped = $5, failed = $6 WHERE wording.tenant = $1 AND wording.rid = $2"
    " AND wording.lesson = $3 AND wording.strategy = $4"
)
_OUTVOTED = Statement(
    "DELETE FROM vote AS v WHERE v.tenant = $1 AND v.place = $2 AND v.target_id = $4"
    " AND EXISTS(SELECT FROM vote o WHERE o.tenant = $1 AND o.place = $2 AND o.target_id = $3"
    "  AND o.source = v.source AND o.occasion = v.occasion)"
)
_REVOTED = Statement(
    "UPDATE vote AS v SET target_id = $4 WHERE v.tenant = $1 AND v.place = $2 AND v.target_id = $3"
)


async def _settle(
    db: Db,
    place: object,
    row: StoredRow,
    before: Reflection,
    after: Reflection,
    *,
    completes: bool,
) -> None:
    """Store the counts of the shown version with it before another one may be shown."""
    await db.rows(_REPEATED, row.rid, *row.shown, row.repeated)
    words = (after.lesson, after.strategy)
    if words == row.shown[1:]:
        return
    if completes:
        for statement in (_OUTVOTED, _REVOTED):
            await db.rows(statement, place, first_id(before), first_id(after))
    else:
        await db.rows(_JUDGED, row.rid, *row.shown[1:], before.helped, before.failed)
    await db.rows(_JUDGED, row.rid, *words, 0, 0)


# --------------------------------------------------------------------- strategies

_OTHERWISE = Statement(
    "UPDATE reflection AS r SET retired = 1 WHERE r.tenant = $1 AND r.place = $2 AND r.id = $3"
    " AND r.retired = 0 AND EXISTS(SELECT FROM reflection o WHERE o.tenant = $1 AND o.place = $2"
    "  AND o.id = $4 AND o.kind = 'reflection' AND o.strategy <> r.lesson) RETURNING rid"
)


async def _with_its_lesson(db: Db, made: RecordResult) -> RecordResult:
    """The result, a strategy retired that came with words that its lesson does not show."""
    row = made.reflection
    lessons = {link.target_id for link in row.links if link.kind == "strategy_of"}
    if row.kind != "strategy" or len(lessons) != 1:
        return made
    if not await db.rows(_OTHERWISE, db.place, row.id, *lessons):
        return made
    return replace(made, reflection=replace(row, retired=True), retired=(row.id,))


# --------------------------------------------------------------------- forgetting

_UNNAMED = (
    Statement("DELETE FROM shown AS s WHERE s.tenant = $1 AND s.reflection_id = $2"),
    Statement("DELETE FROM veto AS v WHERE v.tenant = $1 AND v.reflection_id = $2"),
    Statement(
        "DELETE FROM link WHERE link.tenant = $1 AND link.target_id = $2 AND EXISTS("
        "SELECT FROM reflection r WHERE r.tenant = $1 AND r.rid = link.rid)"
    ),
)


async def forget(db: Db, reflection_id: str) -> bool:
    """Delete the reflection and all that hangs on it, in the other scopes of the tenant too."""
    found = await first(db, OWN, db.place, [reflection_id])
    if found is None:
        return False
    await db.statements.lock(db, [found[0]])
    await db.statements.erase(db, (await whole(db, found[0])).row)
    for statement in _UNNAMED:
        await db.rows(statement, reflection_id)
    return True
