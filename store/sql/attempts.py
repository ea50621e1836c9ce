"""Attempts: appended once, found by id, conversation, quality and time."""

from collections.abc import Sequence
from datetime import datetime

from reflection_mcp.store.columns import bounded, micros
from reflection_mcp.store.log_rows import ATTEMPT, AttemptRow, attempt_from, attempt_row
from reflection_mcp.store.records import Attempt
from reflection_mcp.store.sql.db import EVER, Db, Raced, Statement, nearest

_ADDED = Statement(
    f"INSERT INTO attempt(tenant, place, event_id, {', '.join(AttemptRow._fields)})"
    " VALUES($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING RETURNING rid"
)
_KNOWN = Statement(
    f"SELECT {ATTEMPT}, a.event_id FROM attempt a"
    " WHERE a.tenant = $1 AND a.place = $2 AND (a.event_id = $3 OR a.id = $4)"
)
_BY_ID = Statement(
    f"SELECT {ATTEMPT}, a.place FROM attempt a"
    " WHERE a.tenant = $1 AND a.place = ANY($2::bigint[]) AND a.id = $3"
)


def _listed(places: int, *, of_one: bool) -> Statement:
    """Return the statement for the newest attempts of so many places: each is read in the order of
    an index, as far as needed."""
    condition = "a.conversation_id = $5" if of_one else "$5::text IS NULL"
    parts = (
        f"SELECT * FROM (SELECT {ATTEMPT} FROM attempt a"
        f" WHERE a.tenant = $1 AND a.place = ${6 + number} AND {condition}"
        "  AND ($3::double precision IS NULL OR a.quality < $3) AND a.at >= $2"
        "  ORDER BY a.at DESC, a.id LIMIT $4) AS of_one"
        for number in range(places)
    )
    return Statement(f"{' UNION ALL '.join(parts)} ORDER BY at DESC, id LIMIT $4")


_LISTED = {
    (places, of_one): _listed(places, of_one=of_one)
    for places in (1, 2, 3)
    for of_one in (False, True)
}


async def add(db: Db, attempt: Attempt, event_id: str) -> Attempt:
    """See `Store.add_attempt`."""
    if await db.rows(_ADDED, db.place, event_id, *attempt_row(attempt)):
        return attempt
    known = await db.rows(_KNOWN, db.place, event_id, attempt.id)
    for *values, event in known:
        if event == event_id:
            return attempt_from(values)
    if not known:
        raise Raced  # it has been forgotten since
    raise ValueError("this id already names another attempt")


async def by_id(db: Db, attempt_id: str) -> Attempt | None:
    """See `Store.attempt`."""
    row = await nearest(db, _BY_ID, attempt_id)
    return None if row is None else attempt_from(row[:-1])


async def listed(
    db: Db,
    *,
    conversation_id: str | None = None,
    max_quality: float | None = None,
    since: datetime | None = None,
    limit: int,
) -> Sequence[Attempt]:
    """See `Store.attempts`."""
    begin = EVER if since is None else micros(since)
    statement = _LISTED[len(db.places), conversation_id is not None]
    asked = (begin, max_quality, bounded(limit), conversation_id)
    return [attempt_from(row) for row in await db.rows(statement, *asked, *db.places)]
