"""Look-ups: the queries over their log."""

from collections.abc import Sequence
from datetime import datetime

from reflection_mcp.store.columns import bounded, micros, moment, text_of
from reflection_mcp.store.interactions import OCCURRED, ErrorHistory, Lookup, Unresolved
from reflection_mcp.store.log_rows import ATTEMPT, LOOKUP, attempt_from, lookup_from
from reflection_mcp.store.sql.db import EVER, Db, Statement, first, nearest
from reflection_mcp.store.terms import MOST_MET, MOST_REPORTS

OFFERED = "({0} IN (l.matched_id, l.neighbour_id, l.asked_id) OR strpos(l.shown, {1}) > 0)"
"""The condition that the look-up `l` offered a reflection: its id, and the same as JSON has it."""

_BY_ID = Statement(
    f"SELECT {LOOKUP}, l.place FROM lookup l"
    " WHERE l.tenant = $1 AND l.place = ANY($2::bigint[]) AND l.id = $3"
)
_OWN = Statement(
    f"SELECT {LOOKUP} FROM lookup l WHERE l.tenant = $1 AND l.place = $2 AND l.id = $3"
)
_OF_CONVERSATION = Statement(
    f"SELECT {LOOKUP} FROM lookup l WHERE l.tenant = $1 AND l.place = $2"
    " AND l.conversation_id = $3 ORDER BY l.rid DESC"
)
_OF_REFLECTION = Statement(
    f"SELECT {LOOKUP} FROM lookup l WHERE l.tenant = $1 AND l.place = $2"
    " AND ($5::text IS NULL OR l.conversation_id = $5)"
    f" AND {OFFERED.format('$3::text', '$4::text')} ORDER BY l.rid DESC LIMIT 1"
)
_LAST_SHOWN = Statement(
    f"SELECT {LOOKUP} FROM lookup l WHERE l.tenant = $1 AND l.place = $2"
    " AND l.conversation_id = $3 AND strpos(l.shown, $4) > 0 ORDER BY l.rid DESC LIMIT 1"
)
_ERASED = Statement(
    "DELETE FROM lookup AS l WHERE l.tenant = $1 AND l.place = $2 AND l.id = $3 RETURNING rid"
)


async def by_id(db: Db, lookup_id: str) -> Lookup | None:
    """See `Store.lookup`."""
    row = await nearest(db, _BY_ID, lookup_id)
    return None if row is None else lookup_from(row[:-1])


async def own(db: Db, lookup_id: str) -> Lookup | None:
    """The look-up with this id that was logged in exactly this scope."""
    row = await first(db, _OWN, db.place, lookup_id)
    return None if row is None else lookup_from(row)


async def of_conversation(db: Db, conversation_id: str) -> list[Lookup]:
    """The look-ups that a conversation logged in exactly this scope, the last one first."""
    return [*map(lookup_from, await db.rows(_OF_CONVERSATION, db.place, conversation_id))]


async def of_reflection(
    db: Db, reflection_id: str, conversation_id: str | None = None
) -> Lookup | None:
    """The last look-up of exactly this scope, or of one conversation in it, that offered this."""
    asked = (reflection_id, text_of(reflection_id), conversation_id)
    row = await first(db, _OF_REFLECTION, db.place, *asked)
    return None if row is None else lookup_from(row)


async def last_shown(db: Db, reflection_id: str, conversation_id: str) -> Lookup | None:
    """See `Store.last_shown`."""
    row = await first(db, _LAST_SHOWN, db.place, conversation_id, text_of(reflection_id))
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
_NEWEST = (
    "(SELECT n.{0} FROM lookup n WHERE n.tenant = $1 AND n.place = ANY($2::bigint[])"
    "  AND n.signature = e.signature ORDER BY n.at DESC, n.id DESC LIMIT 1)"
)
_AMONG_NEWEST = (
    "a.tenant = $1 AND a.rid IN (SELECT o.rid FROM attempt o WHERE o.tenant = $1"
    " AND o.place = ANY($2::bigint[]) ORDER BY o.at DESC LIMIT {0})"
)
"""The condition that the attempt `a` is one of the newest; by their numbers, since to sort whole
attempts takes six times as long."""
_REPORTED = "a.body::jsonb #>> '{metadata,error}'"
"""The error with which the attempt `a` ended, in a line; NULL if it did not fail with one."""

_UNRESOLVED = Statement(
    "SELECT e.signature, e.times, e.first, e.last,"
    f" coalesce({_NEWEST.format('summary')}, e.summary), {_NEWEST.format('error_type')} FROM"
    " (SELECT m.signature, sum(m.times)::bigint AS times, min(m.first) AS first,"
    "   max(m.last) AS last, max(m.summary) AS summary FROM"
    "  (SELECT l.signature, count(*) AS times, min(l.at) AS first, max(l.at) AS last,"
    "    NULL::text AS summary FROM lookup l"
    "   WHERE l.tenant = $1 AND l.place = ANY($2::bigint[]) GROUP BY l.signature UNION ALL"
    "   SELECT r.signature, sum(CASE WHEN r.failed > r.asked THEN r.failed - r.asked ELSE 0 END),"
    "    min(r.first), max(r.last), max(r.summary) FROM"
    "    (SELECT a.error_signature AS signature, count(*) AS failed, min(a.at) AS first,"
    f"     max(a.at) AS last, max({_REPORTED}) AS summary,"
    "     (SELECT count(*) FROM lookup l WHERE l.tenant = $1 AND l.place = ANY($2::bigint[])"
    "      AND l.signature = a.error_signature AND l.conversation_id = a.conversation_id) AS asked"
    f"     FROM attempt a WHERE {_AMONG_NEWEST.format('$5')}"
    f"     AND strpos(a.body, '\"error\":\"') > 0 AND {_REPORTED} <> ''"
    "     GROUP BY a.error_signature, a.conversation_id) r GROUP BY r.signature) m"
    "  WHERE NOT EXISTS(SELECT FROM shown s WHERE s.tenant = $1 AND s.place = ANY($2::bigint[])"
    "   AND s.signature = m.signature)"
    "  AND NOT EXISTS(SELECT FROM reflection r WHERE r.tenant = $1"
    "   AND r.place = ANY($2::bigint[]) AND r.kind IN ('reflection', 'strategy')"
    "   AND r.signature = m.signature AND r.lesson <> '')"
    "  GROUP BY m.signature HAVING sum(m.times) >= $3"
    "  ORDER BY times DESC, last DESC, m.signature LIMIT $4) e"
    " ORDER BY e.times DESC, e.last DESC, e.signature"
)
_MET = Statement(
    f"SELECT {ATTEMPT} FROM attempt a WHERE {_AMONG_NEWEST.format('$3')}"
    " AND a.error_signature = $4 ORDER BY a.at DESC"
)
_ASKED = Statement(
    "SELECT count(*), count(*) FILTER (WHERE substr(l.id, 1, length($4::text)) = $4), min(l.at)"
    " FROM lookup l WHERE l.tenant = $1 AND l.place = ANY($2::bigint[]) AND l.signature = $3"
)


async def listed(
    db: Db,
    *,
    signature: str | None = None,
    matched_id: str | None = None,
    since: datetime | None = None,
    limit: int = 50,
) -> Sequence[Lookup]:
    """See `Store.lookups`: by the index of what is asked for."""
    statement = _ALL if signature is None else _OF_SIGNATURE
    if matched_id is not None:
        statement = _MATCHED
    begin = EVER if since is None else micros(since)
    rows = await db.rows(statement, db.place, begin, bounded(limit), signature, matched_id)
    return [lookup_from(row) for row in rows]


async def unresolved(db: Db, *, min_times: int = 2, limit: int = 5) -> Sequence[Unresolved]:
    """See `Store.unresolved`."""
    rows = await db.rows(_UNRESOLVED, db.places, min_times, bounded(limit), MOST_REPORTS)
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
    ((asked, occurred, begin),) = await db.rows(_ASKED, db.places, signature, f"{OCCURRED}-")
    begun = [each.at for each in attempts] + ([moment(begin)] if asked else [])
    return ErrorHistory(
        attempts=attempts,
        occurred=occurred,
        looked_up=asked - occurred,
        since=min(begun, default=None),
    )
