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


_CHOSEN = (
    "($3::double precision IS NULL OR a.quality < $3) AND a.at >= $2 ORDER BY a.at DESC, a.id"
    " LIMIT $4"
)
_OF_CONVERSATION = Statement(
    f"SELECT {ATTEMPT} FROM attempt a WHERE a.tenant = $1 AND a.place = ANY($5::bigint[])"
    f" AND a.conversation_id = $6 AND {_CHOSEN}"
)


def _newest(places: int) -> Statement:
    """Return the statement for the newest attempts of so many places, each of which is read in the
    order of an index, as far as needed."""
    parts = (
        f"SELECT * FROM (SELECT {ATTEMPT} FROM attempt a"
        f" WHERE a.tenant = $1 AND a.place = ${5 + number} AND {_CHOSEN}) AS of_one"
        for number in range(places)
    )
    return Statement(f"{' UNION ALL '.join(parts)} ORDER BY at DESC, id LIMIT $4")


_NEWEST = {places: _newest(places) for places in (1, 2, 3)}


async def add(db: Db, attempt: Attempt, *, event_id: str) -> Attempt:
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
    limit: int = 10,
) -> Sequence[Attempt]:
    """See `Store.attempts`."""
    asked = (EVER if since is None else micros(since), max_quality, bounded(limit))
    rows = (
        await db.rows(_NEWEST[len(db.places)], *asked, *db.places)
        if conversation_id is None
        else await db.rows(_OF_CONVERSATION, *asked, db.places, conversation_id)
    )
    return [attempt_from(row) for row in rows]
