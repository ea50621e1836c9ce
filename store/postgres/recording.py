"""Recording a reflection in PostgreSQL: a new row, or one more count of a known one; and its end.

Rules of this module. What a merge does to texts is decided in `merging`, the same for every
backend. Whoever changes a row has locked its `standing`, and reads it after that. The commonest
case, a known reflection whose author says the same again, is one statement, and so is a new row:
`again` is the number of an observation that changed nothing, and is 0 after every change of what
the row says, so that the statement needs to compare nothing else.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from reflection_mcp.store.columns import micros, salt, strings_from
from reflection_mcp.store.merging import (
    both_keys,
    is_completed,
    met_again,
    met_first,
    replaced,
    wordings_said,
)
from reflection_mcp.store.postgres import counts, tallies
from reflection_mcp.store.postgres.children import (
    FIRST,
    PUT,
    add,
    erase,
    learn_features,
    learn_keys,
    put_values,
)
from reflection_mcp.store.postgres.connections import Db, Row, Statement
from reflection_mcp.store.postgres.errors import Raced
from reflection_mcp.store.postgres.reflections import by_number
from reflection_mcp.store.postgres.rows import (
    ROWS,
    TEXTS,
    WHOLE,
    columns_of,
    number,
    repetition,
    stored_from,
    whole_from,
    wordings_from,
    words_of,
)
from reflection_mcp.store.records import Observation, RecordResult, Reflection, Wording
from reflection_mcp.store.rows import (
    StoredRow,
    features_blob,
    keys_text,
    reflection_row,
    signed,
)
from reflection_mcp.store.versions import first_id

# --------------------------------------------------------------------- the two fast ways

_STANDING = (
    "last_seen", "occurrences", "sources", "shown", "helped", "failed", "recurred",
)  # fmt: skip
_ROW = (*TEXTS, "author", "keys", "features", "words")
_ROW_NAMES = ", ".join(f'"{name}"' for name in _ROW)
_ROW_VALUES = ", ".join(
    f"${FIRST + number}{'::text::tsvector' if name == 'words' else ''}"
    for number, name in enumerate(_ROW)
)
_NEXT = FIRST + len(_ROW)
_STANDING_NAMES = ", ".join(_STANDING)
_STANDING_VALUES = ", ".join(f"${_NEXT + number}::bigint" for number in range(len(_STANDING)))
_EVENT = _NEXT + len(_STANDING)
_MADE = Statement(
    f"WITH one AS (INSERT INTO reflection(tenant, place, {_ROW_NAMES})"
    f"  VALUES($1, $2, {_ROW_VALUES}) RETURNING rid, kind),"
    f" st AS (INSERT INTO standing(tenant, rid, place, {_STANDING_NAMES}, repeated, again)"
    f"  SELECT $1, one.rid, $2, {_STANDING_VALUES}, 0, ${_EVENT + 1}::bigint FROM one),"
    " ev AS (INSERT INTO event(tenant, place, event_id, kind, rid)"
    f"  SELECT $1, $2, ${_EVENT}::text, one.kind, one.rid FROM one WHERE ${_EVENT}::text <> ''),"
    f" de AS ({tallies.INTO} SELECT $1, $2, one.kind, 1, "
    + ", ".join(f"${_NEXT + number}::bigint" for number in (1, 3, 4, 5, 6))
    + " FROM one),"
    f"{PUT} SELECT one.rid FROM one"
)

SENT_TOGETHER = 100
"""New rows that are sent without waiting for an answer: a page of a copy takes seconds."""


async def fast(db: Db, observation: Observation) -> RecordResult | None:
    """Record in one statement or two; None for what has to be merged in a transaction."""
    new = observation.reflection
    seen = await counts.seen(db, observation)
    known, there, taken, counted = seen[:4]
    if counted is not None:
        row = whole_from(db, seen[4:])
        return RecordResult(reflection=row, created=False, counted=True)
    if known is not None:
        row = await by_number(db, known)
        return RecordResult(reflection=row, created=False, counted=False)
    if there is not None or new.kind != "reflection":
        return None
    if taken:
        raise ValueError("this id already names another reflection")
    return await _made(db, observation)


async def _made(db: Db, observation: Observation) -> RecordResult:
    """Make a row for the observation, and everything that will find it again."""
    new = met_first(db.scope, observation)
    row = new_values(
        new,
        author=observation.source,
        keys=both_keys((), observation.keys),
        features=list(dict.fromkeys(map(signed, observation.features))),
        values=put_values(
            db.place,
            keys=both_keys((), observation.keys),
            features=observation.features,
            tags=new.tags,
            links=new.links,
            people=(observation.person,),
            wordings=wordings_said(observation),
        ),
        event_id=observation.event_id,
        again=repetition(observation),
    )
    ((rid,),) = await db.rows(_MADE, *row)
    return RecordResult(reflection=await by_number(db, rid), created=True, counted=True)


def new_values(
    new: Reflection,
    *,
    author: str,
    keys: Sequence[Any],
    features: Sequence[int],
    values: Sequence[Any],
    event_id: str = "",
    again: int = 0,
) -> list[object]:
    """The values of `_MADE`: a new row, and the `put_values` of all that hangs on it."""
    columns = columns_of(new)
    return [
        *values,
        *(columns[name] for name in TEXTS),
        author,
        keys_text(keys),
        features_blob(features),
        words_of(new, values[0]),
        *(columns[name] for name in _STANDING),
        event_id,
        again,
    ]


async def put_new(db: Db, rows: Sequence[Sequence[object]]) -> None:
    """Put new rows down, each as the `new_values` of one.

    Raises:
        asyncpg.UniqueViolationError: another transaction was faster; then all is done again.
    """
    for first in range(0, len(rows), SENT_TOGETHER):
        await db.each(_MADE, rows[first : first + SENT_TOGETHER])


# --------------------------------------------------------------------- the whole way

_LOCKED = Statement(
    "SELECT s.rid FROM reflection r JOIN standing s ON s.tenant = $1 AND s.rid = r.rid"
    " WHERE r.tenant = $1 AND r.place = $2 AND r.kind = $3 AND (r.id = $5 OR r.signature = $4)"
    " ORDER BY r.id = $5 DESC NULLS LAST LIMIT 1 FOR UPDATE OF s"
)
_EVENT_ADDED = Statement(
    "INSERT INTO event(tenant, place, event_id, kind, rid) VALUES($1, $2, $3, $4, $5)"
    " ON CONFLICT DO NOTHING RETURNING rid"
)
_MET_BY = Statement(
    "SELECT EXISTS(SELECT FROM source s WHERE s.tenant = $1 AND s.rid = $2 AND s.source = $3)"
)
_READ = Statement(f"SELECT {WHOLE}, s.again FROM {ROWS} WHERE r.tenant = $1 AND r.rid = $2")
_STOOD = Statement(
    "UPDATE standing s SET occurrences = s.occurrences + $3, sources = s.sources + $4,"
    " last_seen = greatest(s.last_seen, $5), repeated = s.repeated + $6"
    " WHERE s.tenant = $1 AND s.rid = $2"
)
_AGAIN = Statement("UPDATE standing s SET again = $3 WHERE s.tenant = $1 AND s.rid = $2")


async def record(db: Db, observation: Observation) -> RecordResult:
    """See `Store.record`; in a transaction."""
    done = await fast(db, observation)
    if done is None:
        done = await _merged(db, observation)
    return await _with_its_lesson(db, done) if done.counted or done.created else done


async def _merged(db: Db, observation: Observation) -> RecordResult:
    new = observation.reflection
    locked = await db.row(_LOCKED, db.place, new.kind, new.signature, observation.same_as)
    if locked is None:
        _, _, taken, _, *_ = await counts.seen(db, observation)
        if taken:
            raise ValueError("this id already names another reflection")
        return await _made(db, observation)
    (rid,) = locked
    if not await db.rows(_EVENT_ADDED, db.place, observation.event_id, new.kind, rid):
        raise Raced  # the same event has just come
    ((known,),) = await db.rows(_MET_BY, rid, observation.person)
    counted = not (observation.corrects and known)
    return await _count(db, rid, observation, counted, fresh=not known)


async def stored(db: Db, rid: int) -> tuple[StoredRow, Row]:
    """The row with a number that is known to exist and is locked, and all its values."""
    (values,) = await db.rows(_READ, rid)
    return stored_from(db, values), values


async def _count(
    db: Db, rid: int, observation: Observation, counted: bool, *, fresh: bool
) -> RecordResult:
    """Count one more occurrence of the row, if it is one, and fill in what is new."""
    new = observation.reflection
    was, values = await stored(db, rid)
    place, said = values[0], wordings_said(observation)
    again = len(said) == 1 and said[0].times == 1 and _is_shown(said[0], was, values)
    added = () if again else said
    if fresh or added or new.links:
        people = (observation.person,)
        more = put_values(place, links=new.links, people=people, wordings=added)
        await add(db, rid, more)
    seen = micros(new.last_seen)
    await db.rows(_STOOD, rid, int(counted), int(fresh), seen, int(again))
    learned = await learn_keys(db, place, rid, was.keys, observation.keys)
    learned |= await learn_features(db, place, rid, was.features, observation.features)
    row, values = await stored(db, rid)
    await tallies.changed(db, place, new.kind, was.reflection, row.reflection)
    before = whole_from(db, values)
    after, author = met_again(before, observation, author=was.author)
    if after == before:
        known = 0 if learned or added else repetition(observation)
        if known not in (0, values[-1]):
            await db.rows(_AGAIN, rid, known)
        return RecordResult(reflection=before, created=False, counted=counted)
    retired = await show_first(db, row, before, after, author)
    return RecordResult(
        reflection=await by_number(db, rid),
        created=False,
        counted=counted,
        replaced=replaced(before, after, was.author),
        retired=retired,
    )


def _is_shown(said: Wording, row: StoredRow, values: Row) -> bool:
    """Return True if the author repeats what the row shows."""
    return said.key == row.shown and any(each.key == said.key for each in wordings_from(values))


# --------------------------------------------------------------------- changed words

_RULES = Statement(
    "SELECT r.rid, r.id, r.lesson, r.retired, string_agg(l.target_id, ' ')"
    " FROM reflection r JOIN link l ON l.tenant = $1 AND l.rid = r.rid AND l.kind = 'strategy_of'"
    " WHERE r.tenant = $1 AND r.place = $2 AND r.kind = 'strategy' AND r.lesson = ANY($3::text[])"
    " GROUP BY r.rid, r.id, r.lesson, r.retired ORDER BY r.id"
)
_RETIRED = Statement("UPDATE reflection r SET retired = $3 WHERE r.tenant = $1 AND r.rid = $2")


async def show_first(
    db: Db, row: StoredRow, before: Reflection, after: Reflection, author: str
) -> tuple[str, ...]:
    """Write a row that may show other words than before; return the strategies that retired.

    Args:
        db: in a transaction, the row locked.
        row: as it is stored.
        before: the same as a record, whole.
        after: as it is to be, with the votes of the version that it shows.
        author: whose words it shows.
    """
    place = salt(after.scope)
    await _settle(db, place, row, before, after)
    await rewrite(db, place, row, after, author)
    if after.kind == "strategy" or before.strategy == after.strategy:
        return ()
    retired: list[str] = []
    rules = await db.rows(_RULES, place, [before.strategy, after.strategy])
    for rid, name, rule, is_retired, lessons in rules:
        if goes := rule == before.strategy and lessons == after.id:
            retired.append(name)
        if goes or (is_retired and after.id in lessons.split(" ") and rule == after.strategy):
            await db.rows(_RETIRED, rid, int(goes))
    return tuple(retired)


_REPEATED = Statement(
    "UPDATE wording w SET times = w.times + $4 WHERE w.tenant = $1 AND w.rid = $2 AND w.said = $3"
)
_JUDGED = Statement(
    "UPDATE wording w SET helped = $5, failed = $6"
    " WHERE w.tenant = $1 AND w.rid = $2 AND w.lesson = $3 AND w.strategy = $4"
)
_OUTVOTED = Statement(
    "DELETE FROM vote v USING vote o WHERE v.tenant = $1 AND v.place = $2 AND v.target_id = $4"
    " AND o.tenant = $1 AND o.place = $2 AND o.target_id = $3 AND o.source = v.source"
    " AND o.occasion = v.occasion"
)
_REVOTED = Statement(
    "UPDATE vote v SET target_id = $4 WHERE v.tenant = $1 AND v.place = $2 AND v.target_id = $3"
)


async def _settle(
    db: Db, place: int, row: StoredRow, before: Reflection, after: Reflection
) -> None:
    """Bring the counts of the shown wording home before another one may be shown."""
    await db.rows(_REPEATED, row.rid, number("\0".join(row.shown)), row.repeated)
    words = (after.lesson, after.strategy)
    if words == row.shown[1:]:
        return
    if is_completed(before, after):
        names = (first_id(before), first_id(after))
        await db.rows(_OUTVOTED, place, *names)
        await db.rows(_REVOTED, place, *names)
    else:
        await db.rows(_JUDGED, row.rid, *row.shown[1:], before.helped, before.failed)
    await db.rows(_JUDGED, row.rid, *words, 0, 0)


_REWRITTEN = Statement(
    "WITH st AS (UPDATE standing s SET"
    f"   ({_STANDING_NAMES}, repeated, again) = ($3, $4, $5, $6, $7, $8, $9, 0, 0)"
    "  WHERE s.tenant = $1 AND s.rid = $2)"
    f" UPDATE reflection r SET ({_ROW_NAMES}) = ("
    + ", ".join(
        f"${10 + place}{'::text::tsvector' if name == 'words' else ''}"
        for place, name in enumerate(_ROW)
    )
    + ") WHERE r.tenant = $1 AND r.rid = $2"
)
_UNTAGGED = Statement(
    "DELETE FROM tag t WHERE t.tenant = $1 AND t.place = $2 AND t.rid = $3"
    " AND t.tag = ANY($4::text[])"
)


async def rewrite(
    db: Db,
    place: int,
    row: StoredRow,
    after: Reflection,
    author: str,
    keys: str | None = None,
    features: bytes | None = None,
) -> None:
    """Write a row anew, with its tags; keys and features stay if none are given."""
    columns, rid = columns_of(after), row.rid
    await db.rows(
        _REWRITTEN,
        rid,
        *(columns[name] for name in _STANDING),
        *(columns[name] for name in TEXTS),
        author,
        row.keys if keys is None else keys,
        row.features if features is None else features,
        words_of(after, place),
    )
    tags = strings_from(row.reflection.tags)
    if gone := set(tags).difference(after.tags):
        await db.rows(_UNTAGGED, place, rid, sorted(gone))
    if came := set(after.tags).difference(tags):
        await add(db, rid, put_values(place, tags=came))
    now = reflection_row(after)
    await tallies.changed(db, place, after.kind, row.reflection, now)


# --------------------------------------------------------------------- strategies

_OTHERWISE = Statement(
    "UPDATE reflection r SET retired = 1 WHERE r.tenant = $1 AND r.place = $2 AND r.id = $3"
    " AND r.retired = 0 AND EXISTS(SELECT FROM reflection o WHERE o.tenant = $1 AND o.place = $2"
    "  AND o.id = $4 AND o.kind = 'reflection' AND o.strategy <> r.lesson) RETURNING r.rid"
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

_FORGOTTEN = Statement(
    f"SELECT r.rid FROM {ROWS} WHERE r.tenant = $1 AND r.place = $2 AND r.id = $3 FOR UPDATE OF s"
)
_UNNAMED = Statement(
    "WITH sh AS (DELETE FROM shown s WHERE s.tenant = $1 AND s.reflection_id = $2),"
    " ve AS (DELETE FROM veto v WHERE v.tenant = $1 AND v.reflection_id = $2)"
    " DELETE FROM link l WHERE l.tenant = $1 AND l.target_id = $2"
)


async def forget(db: Db, reflection_id: str) -> bool:
    """Delete the reflection and all that hangs on it, in the other scopes of the tenant too."""
    locked = await db.row(_FORGOTTEN, db.place, reflection_id)
    if locked is None:
        return False
    row, _ = await stored(db, locked[0])
    tags = strings_from(row.reflection.tags)
    await erase(db, db.place, row.rid, row.keys, row.features, tags)
    await db.rows(_UNNAMED, reflection_id)
    await tallies.changed(db, db.place, row.reflection.kind, row.reflection, None)
    return True
