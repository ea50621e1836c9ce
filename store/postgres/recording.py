"""Rows of `reflection` in PostgreSQL: inserted, updated, counted, deleted.

Rules of this module. The commonest case, a known reflection whose author says the same again, is
one statement, and so is a new row: `again` is the number of an observation that changed nothing,
and is 0 after every change of what the row says, so that the statement needs to compare nothing
else.
"""

from collections.abc import Iterable, Sequence
from typing import Any

from reflection_mcp.store.columns import strings_from
from reflection_mcp.store.maintenance import StoredReflection
from reflection_mcp.store.merging import without_votes_of
from reflection_mcp.store.postgres import counts, tallies
from reflection_mcp.store.postgres.children import ADDED, FIRST, PUT, clear, put_values
from reflection_mcp.store.postgres.connections import PostgresDb
from reflection_mcp.store.postgres.rows import (
    TEXTS,
    columns_of,
    repetition,
    whole_from,
)
from reflection_mcp.store.postgres.words import words_of
from reflection_mcp.store.records import Observation, RecordResult, Reflection
from reflection_mcp.store.rows import (
    StoredRow,
    features_blob,
    keys_text,
    reflection_row,
    signed,
)
from reflection_mcp.store.sql.db import Statement
from reflection_mcp.store.sql.recording import new_row, whole
from reflection_mcp.store.sql.statements import Count

_STANDING = (
    "last_seen", "occurrences", "sources", "shown", "helped", "failed", "recurred",
)  # fmt: skip
_ROW = (*TEXTS, "author", "keys", "features", "words")
_ROW_NAMES = ", ".join(f'"{name}"' for name in _ROW)


def _row_values(first: int) -> str:
    return ", ".join(
        f"${first + number}{'::text::tsvector' if name == 'words' else ''}"
        for number, name in enumerate(_ROW)
    )


_NEXT = FIRST + len(_ROW)
_STANDING_NAMES = ", ".join(_STANDING)
_STANDING_VALUES = ", ".join(f"${_NEXT + number}::bigint" for number in range(len(_STANDING)))
_EVENT = _NEXT + len(_STANDING)
_MADE = Statement(
    f"WITH one AS (INSERT INTO reflection(tenant, place, {_ROW_NAMES})"
    f"  VALUES($1, $2, {_row_values(FIRST)}) RETURNING rid, kind),"
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


async def at_once(db: PostgresDb, observation: Observation) -> RecordResult | None:
    """See `Statements.at_once`: what is known and repeated, and what is new."""
    new = observation.reflection
    seen = await counts.seen(db, observation)
    known, there, taken, counted = seen[:4]
    if counted is not None:
        again = whole_from(db, seen[4:]).record()
        return RecordResult(reflection=again, created=False, counted=True)
    if known is not None:
        again = (await whole(db, known)).record()
        return RecordResult(reflection=again, created=False, counted=False)
    if there is not None or new.kind != "reflection":
        return None
    if taken:
        raise ValueError("this id already names another reflection")
    event = (observation.event_id, repetition(observation))
    row = new_row(db, observation)
    ((rid,),) = await db.rows(_MADE, *_new_values(db, row, [observation.person], *event))
    return RecordResult(reflection=(await whole(db, rid)).record(), created=True, counted=True)


def _new_values(
    db: PostgresDb, row: StoredReflection, people: Iterable[str], event_id: str = "", again: int = 0
) -> list[object]:
    """The values of `_MADE`: a new row, and all that hangs on it."""
    columns = columns_of(row.reflection)
    return [
        *_hanging(db, row, people),
        *(columns[name] for name in TEXTS),
        *_found_by(db, row),
        *(columns[name] for name in _STANDING),
        event_id,
        again,
    ]


def _hanging(db: PostgresDb, row: StoredReflection, people: Iterable[str]) -> list[object]:
    reflection = row.reflection
    return put_values(
        db.place,
        keys=row.keys,
        features=row.features,
        tags=reflection.tags,
        links=reflection.links,
        people=people,
        wordings=without_votes_of(reflection, reflection.wordings),
    )


def _found_by(db: PostgresDb, row: StoredReflection) -> tuple[Any, ...]:
    features = features_blob(map(signed, row.features))
    return row.author, keys_text(row.keys), features, words_of(row.reflection, db.place)


async def make(db: PostgresDb, row: StoredReflection, people: Iterable[str]) -> int:
    """See `Statements.make`.

    Raises:
        asyncpg.UniqueViolationError: another transaction was faster; then all is done again.
    """
    ((rid,),) = await db.rows(_MADE, *_new_values(db, row, people))
    return int(rid)


async def make_all(db: PostgresDb, rows: Sequence[StoredReflection]) -> None:
    """See `Statements.make_all`; raises what `make` does."""
    values = [_new_values(db, row, row.people) for row in rows]
    for first in range(0, len(values), SENT_TOGETHER):
        await db.each(_MADE, values[first : first + SENT_TOGETHER])


async def put(db: PostgresDb, new: StoredReflection, old: StoredRow) -> None:
    """See `Statements.put`."""
    await clear(db, old, whole=False)
    await db.rows(ADDED, *_hanging(db, new, new.people), old.rid)
    await _rewrite(db, db.place, old, new.reflection, _found_by(db, new))


# --------------------------------------------------------------------- changed rows

_LOCKED = Statement(
    "SELECT s.rid FROM standing s WHERE s.tenant = $1 AND s.rid = ANY($2::bigint[])"
    " ORDER BY s.rid FOR UPDATE"
)
_REWRITTEN = Statement(
    "WITH st AS (UPDATE standing s SET"
    f"   ({_STANDING_NAMES}, repeated, again) = ($3, $4, $5, $6, $7, $8, $9, 0, 0)"
    "  WHERE s.tenant = $1 AND s.rid = $2)"
    f" UPDATE reflection r SET ({_ROW_NAMES}) = ({_row_values(10)})"
    " WHERE r.tenant = $1 AND r.rid = $2"
)


async def lock(db: PostgresDb, rids: Sequence[int]) -> None:
    """See `Statements.lock`."""
    await db.rows(_LOCKED, list(rids))


async def rewrite(db: PostgresDb, old: StoredRow, new: Reflection, author: str) -> None:
    """See `Statements.rewrite`."""
    place = db.place_of(new.scope)
    found_by = (author, old.keys, old.features, words_of(new, place))
    await _rewrite(db, place, old, new, found_by)
    if came := set(new.tags).difference(strings_from(old.reflection.tags)):  # none ever goes
        await db.rows(ADDED, *put_values(place, tags=came), old.rid)


async def _rewrite(
    db: PostgresDb, place: int, old: StoredRow, new: Reflection, found_by: tuple[Any, ...]
) -> None:
    columns = columns_of(new)
    standing, texts = ((columns[name] for name in names) for names in (_STANDING, TEXTS))
    await db.rows(_REWRITTEN, old.rid, *standing, *texts, *found_by)
    await tallies.changed(db, place, new.kind, old.reflection, reflection_row(new))


async def erase(db: PostgresDb, row: StoredRow) -> None:
    """See `Statements.erase`."""
    await clear(db, row, whole=True)
    await tallies.changed(db, db.place, row.reflection.kind, row.reflection, None)


# --------------------------------------------------------------------- counting

_STOOD = Statement(
    "WITH st AS (UPDATE standing s SET occurrences = s.occurrences + $3, sources = s.sources + $4,"
    "  repeated = s.repeated + $5, last_seen = greatest(s.last_seen, $6)"
    "  WHERE s.tenant = $1 AND s.rid = $2)"
    f" {tallies.INTO} SELECT $1, $7, $8, 0, $3, 0, 0, 0, 0 WHERE $3 > 0"
)
_JUDGED = Statement(
    "WITH st AS (UPDATE standing s SET helped = s.helped + $3, failed = s.failed + $4"
    "  WHERE s.tenant = $1 AND s.rid = $2)"
    f" {tallies.INTO} SELECT $1, $5, $6, 0, 0, 0, $3, $4, 0"
)
_PEOPLE = Statement(
    "UPDATE standing t SET again = 0, sources = greatest(t.sources, (SELECT count(*) FROM source s"
    " WHERE s.tenant = $1 AND s.rid = $2)) WHERE t.tenant = $1 AND t.rid = $2"
)
_AGAIN = Statement("UPDATE standing s SET again = $3 WHERE s.tenant = $1 AND s.rid = $2")


async def count(db: PostgresDb, row: StoredRow, more: Count) -> None:
    """See `Statements.count`."""
    await db.rows(_STOOD, row.rid, *more, db.place, row.reflection.kind)


async def judge(db: PostgresDb, row: StoredRow, helped: int, failed: int) -> None:
    """See `Statements.judge`."""
    here = next(place for place, name in db.projects.items() if name == row.reflection.project)
    await db.rows(_JUDGED, row.rid, helped, failed, here, row.reflection.kind)


async def count_people(db: PostgresDb, rid: int) -> None:
    """See `Statements.count_people`."""
    await db.rows(_PEOPLE, rid)


async def unchanged(db: PostgresDb, rid: int, observation: Observation) -> None:
    """See `Statements.unchanged`: the same again only counts."""
    if number := repetition(observation):
        await db.rows(_AGAIN, rid, number)
