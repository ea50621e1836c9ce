"""Look-ups in PostgreSQL: the log of queries, and the queries over it."""

from collections.abc import Sequence
from datetime import datetime

from reflection_mcp.store.columns import bounded, micros, moment
from reflection_mcp.store.contract import MOST_MET
from reflection_mcp.store.interactions import OCCURRED, ErrorHistory, Lookup, Unresolved
from reflection_mcp.store.log_rows import (
    ATTEMPT,
    LOOKUP,
    LookupRow,
    attempt_from,
    lookup_from,
    lookup_row,
)
from reflection_mcp.store.postgres import tallies
from reflection_mcp.store.postgres.activity import EVER
from reflection_mcp.store.postgres.connections import Db, Statement

_VALUES = ", ".join(f"${3 + number}" for number in range(len(LookupRow._fields)))
_MATCHED_ID = f"${3 + LookupRow._fields.index('matched_id')}"
_SHOWN, _PLACES, _SIGNATURE = (f"${3 + len(LookupRow._fields) + number}" for number in range(3))
_LOGGED = Statement(
    "WITH before AS (SELECT s.reflection_id AS id FROM shown s WHERE s.tenant = $1"
    f"  AND s.place = $2 AND s.signature = {_SIGNATURE}::text),"
    f" new AS (INSERT INTO lookup(tenant, place, {', '.join(LookupRow._fields)}, showing, recurred)"
    f"  VALUES($1, $2, {_VALUES}, least(cardinality({_SHOWN}::text[]), 1),"
    f"   (SELECT count(*) FROM before b WHERE b.id = {_MATCHED_ID}))"
    "  ON CONFLICT DO NOTHING RETURNING rid),"
    f" now AS (SELECT DISTINCT u.id FROM unnest({_SHOWN}::text[]) AS u(id)),"
    " named AS (SELECT DISTINCT ON (r.id) r.id, r.rid, r.place, r.kind FROM reflection r"
    f"  WHERE r.tenant = $1 AND r.place = ANY({_PLACES}::bigint[]) AND EXISTS(SELECT FROM new)"
    f"  AND r.id = ANY(ARRAY(SELECT b.id FROM before b) || {_SHOWN}::text[])"
    "  ORDER BY r.id, r.place = $2 DESC),"
    " locked AS (SELECT s.rid FROM standing s WHERE s.tenant = $1"
    "  AND s.rid = ANY(ARRAY(SELECT n.rid FROM named n)) ORDER BY s.rid FOR UPDATE),"
    " more AS (SELECT n.rid, n.place, n.kind, (EXISTS(SELECT FROM now o WHERE o.id = n.id))::int"
    "  AS shown, (EXISTS(SELECT FROM before b WHERE b.id = n.id))::int AS recurred"
    "  FROM named n JOIN locked l ON l.rid = n.rid),"
    " up AS (UPDATE standing s SET shown = s.shown + m.shown, recurred = s.recurred + m.recurred"
    "  FROM more m WHERE s.tenant = $1 AND s.rid = m.rid),"
    " sh AS (INSERT INTO shown(tenant, place, signature, reflection_id)"
    f"  SELECT $1, $2, {_SIGNATURE}::text, o.id FROM now o WHERE EXISTS(SELECT FROM new)"
    "  ON CONFLICT DO NOTHING)"
    f" {tallies.INTO} SELECT $1, m.place, m.kind, 0, 0, sum(m.shown), 0, 0, sum(m.recurred)"
    "  FROM more m GROUP BY m.place, m.kind"
)


async def log(db: Db, lookup: Lookup) -> None:
    """See `Store.log_lookup`."""
    row, shown = lookup_row(lookup), list(lookup.shown)
    await db.rows(_LOGGED, db.place, *row, shown, db.places, lookup.signature)


_BY_ID = Statement(
    f"SELECT {LOOKUP} FROM lookup l WHERE l.tenant = $1 AND l.place = ANY($2::bigint[])"
    " AND l.id = $3 ORDER BY array_position($2, l.place) LIMIT 1"
)
_OF_CONVERSATION = Statement(
    f"SELECT {LOOKUP} FROM lookup l WHERE l.tenant = $1 AND l.place = $2"
    " AND l.conversation_id = $3 ORDER BY l.rid DESC"
)
OFFERED = "({0} IN (l.matched_id, l.neighbour_id, l.asked_id) OR l.shown::jsonb ? {0})"
"""The condition that the look-up `l` offered the reflection whose id fills the gap."""
_OF_REFLECTION = Statement(
    f"SELECT {LOOKUP} FROM lookup l WHERE l.tenant = $1 AND l.place = $2"
    f" AND ($4::text IS NULL OR l.conversation_id = $4) AND {OFFERED.format('$3::text')}"
    " ORDER BY l.rid DESC LIMIT 1"
)
_LAST_SHOWN = Statement(
    f"SELECT {LOOKUP} FROM lookup l WHERE l.tenant = $1 AND l.place = $2"
    " AND l.conversation_id = $3 AND l.shown::jsonb ? $4::text ORDER BY l.rid DESC LIMIT 1"
)
_ERASED = Statement(
    "DELETE FROM lookup l WHERE l.tenant = $1 AND l.place = $2 AND l.id = $3 RETURNING l.rid"
)


async def by_id(db: Db, lookup_id: str) -> Lookup | None:
    """See `Store.lookup`."""
    row = await db.row(_BY_ID, db.places, lookup_id)
    return None if row is None else lookup_from(row)


async def own(db: Db, lookup_id: str) -> Lookup | None:
    """The look-up with this id that was logged in exactly this scope."""
    row = await db.row(_BY_ID, [db.place], lookup_id)
    return None if row is None else lookup_from(row)


async def of_conversation(db: Db, conversation_id: str) -> list[Lookup]:
    """The look-ups that a conversation logged in exactly this scope, the last one first."""
    return [*map(lookup_from, await db.rows(_OF_CONVERSATION, db.place, conversation_id))]


async def of_reflection(
    db: Db, reflection_id: str, conversation_id: str | None = None
) -> Lookup | None:
    """The last look-up of exactly this scope, or of one conversation in it, that offered this."""
    row = await db.row(_OF_REFLECTION, db.place, reflection_id, conversation_id)
    return None if row is None else lookup_from(row)


async def last_shown(db: Db, reflection_id: str, conversation_id: str) -> Lookup | None:
    """See `Store.last_shown`."""
    row = await db.row(_LAST_SHOWN, db.place, conversation_id, reflection_id)
    return None if row is None else lookup_from(row)


async def erase(db: Db, lookup_id: str) -> bool:
    """Delete the log line; what it counted stays counted."""
    return bool(await db.rows(_ERASED, db.place, lookup_id))


# --------------------------------------------------------------------- over the log

_LISTED = (
    f"SELECT {LOOKUP} FROM lookup l WHERE l.tenant = $1 AND l.place = $2 AND l.at >= $3"
    " AND ($5::text IS NULL OR l.signature = $5) AND ($6::text IS NULL OR l.matched_id = $6){0}"
    " ORDER BY l.at DESC, l.id LIMIT $4"
)
_ALL = Statement(_LISTED.format(""))
_OF_SIGNATURE = Statement(_LISTED.format(" AND l.signature = $5"))
_MATCHED = Statement(_LISTED.format(" AND l.matched_id = $6"))
_UNRESOLVED = Statement(
    "SELECT a.signature, a.times, a.first, a.last, n.summary, n.error_type FROM"
    " (SELECT l.signature, count(*) AS times, min(l.at) AS first, max(l.at) AS last FROM lookup l"
    "  WHERE l.tenant = $1 AND l.place = ANY($2::bigint[])"
    "  AND NOT EXISTS(SELECT FROM shown s WHERE s.tenant = $1 AND s.place = ANY($2::bigint[])"
    "   AND s.signature = l.signature)"
    "  AND NOT EXISTS(SELECT FROM reflection r WHERE r.tenant = $1"
    "   AND r.place = ANY($2::bigint[]) AND r.kind IN ('reflection', 'strategy')"
    "   AND r.signature = l.signature AND r.lesson <> '')"
    "  GROUP BY l.signature HAVING count(*) >= $3"
    "  ORDER BY times DESC, last DESC, l.signature LIMIT $4) a"
    " CROSS JOIN LATERAL (SELECT l.summary, l.error_type FROM lookup l WHERE l.tenant = $1"
    "  AND l.place = ANY($2::bigint[]) AND l.signature = a.signature"
    "  ORDER BY l.at DESC, l.id DESC LIMIT 1) n"
    " ORDER BY a.times DESC, a.last DESC, a.signature"
)
_MET = Statement(
    f"SELECT {ATTEMPT} FROM (SELECT * FROM attempt o WHERE o.tenant = $1"
    "  AND o.place = ANY($2::bigint[]) ORDER BY o.at DESC LIMIT $3) a"
    " WHERE a.error_signature = $4 ORDER BY a.at DESC"
)
_ASKED = Statement(
    "SELECT count(*), count(*) FILTER (WHERE starts_with(l.id, $4)), min(l.at) FROM lookup l"
    " WHERE l.tenant = $1 AND l.place = ANY($2::bigint[]) AND l.signature = $3"
)


async def listed(
    db: Db,
    *,
    signature: str | None,
    matched_id: str | None,
    since: datetime | None,
    limit: int,
) -> Sequence[Lookup]:
    """See `Store.lookups`: by the index of what is asked for."""
    statement = _ALL if signature is None else _OF_SIGNATURE
    if matched_id is not None:
        statement = _MATCHED
    begin = EVER if since is None else micros(since)
    rows = await db.rows(statement, db.place, begin, bounded(limit), signature, matched_id)
    return [lookup_from(row) for row in rows]


async def unresolved(db: Db, min_times: int, limit: int) -> Sequence[Unresolved]:
    """See `Store.unresolved`."""
    rows = await db.rows(_UNRESOLVED, db.places, min_times, bounded(limit))
    return [
        Unresolved(
            signature=signature,
            summary=summary,
            error_type=error_type,
            times=times,
            first_seen=moment(first),
            last_seen=moment(last),
        )
        for signature, times, first, last, summary, error_type in rows
    ]


async def met(db: Db, signature: str) -> ErrorHistory:
    """See `Store.met`."""
    rows = await db.rows(_MET, db.places, MOST_MET, signature)
    attempts = tuple(map(attempt_from, rows))
    ((asked, occurred, first),) = await db.rows(_ASKED, db.places, signature, f"{OCCURRED}-")
    begun = [each.at for each in attempts] + ([moment(first)] if asked else [])
    return ErrorHistory(
        attempts=attempts,
        occurred=occurred,
        looked_up=asked - occurred,
        since=min(begun, default=None),
    )
