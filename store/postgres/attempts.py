"""Attempts in PostgreSQL: appended once, found by id, conversation, quality and time."""

from collections.abc import Sequence
from datetime import datetime

from reflection_mcp.store.columns import bounded, micros
from reflection_mcp.store.log_rows import ATTEMPT, attempt_from, attempt_row
from reflection_mcp.store.postgres.activity import EVER
from reflection_mcp.store.postgres.connections import Db, Statement
from reflection_mcp.store.postgres.errors import Raced
from reflection_mcp.store.records import Attempt

_ADDED = Statement(
    "INSERT INTO attempt(tenant, place, event_id, error_signature, id, conversation_id, at,"
    " judged_quality, quality, feedback, body) VALUES($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)"
    " ON CONFLICT DO NOTHING RETURNING rid"
)
_BY_EVENT = Statement(
    f"SELECT {ATTEMPT}, a.event_id FROM attempt a"
    " WHERE a.tenant = $1 AND a.place = $2 AND (a.event_id = $3 OR a.id = $4)"
)
_BY_ID = Statement(
    f"SELECT {ATTEMPT} FROM attempt a"
    " WHERE a.tenant = $1 AND a.place = ANY($2::bigint[]) AND a.id = $3"
    " ORDER BY array_position($2, a.place) LIMIT 1"
)
_LISTED = Statement(
    "SELECT x.* FROM unnest($2::bigint[]) AS p(place) CROSS JOIN LATERAL"
    f" (SELECT {ATTEMPT} FROM attempt a WHERE a.tenant = $1 AND a.place = p.place"
    "  AND ($3::text IS NULL OR a.conversation_id = $3)"
    "  AND ($4::double precision IS NULL OR a.quality < $4) AND a.at >= $5"
    "  ORDER BY a.at DESC, a.id LIMIT $6) x ORDER BY x.at DESC, x.id LIMIT $6"
)


async def add(db: Db, attempt: Attempt, event_id: str) -> Attempt:
    """See `Store.add_attempt`."""
    row = attempt_row(attempt)
    if await db.rows(_ADDED, db.place, event_id, attempt.error_signature, *row):
        return attempt
    known = await db.rows(_BY_EVENT, db.place, event_id, attempt.id)
    for *values, event in known:
        if event == event_id:
            return attempt_from(values)
    if not known:
        raise Raced  # it has been forgotten since
    raise ValueError("this id already names another attempt")


async def by_id(db: Db, attempt_id: str) -> Attempt | None:
    """See `Store.attempt`."""
    row = await db.row(_BY_ID, db.places, attempt_id)
    return None if row is None else attempt_from(row)


async def listed(
    db: Db,
    *,
    conversation_id: str | None,
    max_quality: float | None,
    since: datetime | None,
    limit: int,
) -> Sequence[Attempt]:
    """See `Store.attempts`."""
    begin = EVER if since is None else micros(since)
    rows = await db.rows(_LISTED, db.places, conversation_id, max_quality, begin, bounded(limit))
    return [attempt_from(row) for row in rows]
