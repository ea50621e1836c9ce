"""Logs in PostgreSQL: look-ups, and rows of a log from elsewhere."""

import json
from collections.abc import Sequence

from reflection_mcp.store.history import LOGS, Log, LogRow
from reflection_mcp.store.interactions import Lookup
from reflection_mcp.store.log_rows import LookupRow, lookup_row
from reflection_mcp.store.postgres import tallies
from reflection_mcp.store.postgres.connections import PostgresDb
from reflection_mcp.store.sql.db import Statement

_VALUES = ", ".join(f"${3 + number}" for number in range(len(LookupRow._fields)))
_MATCHED_ID = f"${3 + LookupRow._fields.index('matched_id')}"
_SHOWN, _PLACES, _SIGNATURE = (f"${3 + len(LookupRow._fields) + number}" for number in range(3))
_LOGGED = Statement(
    "WITH before AS (SELECT s.reflection_id AS id FROM shown s WHERE s.tenant = $1"
    f"  AND s.place = $2 AND s.signature = {_SIGNATURE}::text),"
    f" new AS (INSERT INTO lookup(tenant, place, {', '.join(LookupRow._fields)}, recurred)"
    f"  VALUES($1, $2, {_VALUES},"
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


async def log(db: PostgresDb, lookup: Lookup) -> None:
    """See `Store.log_lookup`."""
    row, shown = lookup_row(lookup), list(lookup.shown)
    await db.rows(_LOGGED, db.place, *row, shown, db.places, lookup.signature)


def _restored(log: Log) -> Statement:
    names = ", ".join(LOGS[log].columns)
    return Statement(
        f"INSERT INTO {log}(tenant, place, {names}) SELECT $1, $2, {names}"
        f" FROM json_populate_recordset(NULL::{log}, $3::json) ON CONFLICT DO NOTHING"
        " RETURNING tenant"
    )


_RESTORED = {log: _restored(log) for log in LOGS}


async def restore(db: PostgresDb, log: Log, rows: Sequence[LogRow]) -> int:
    """See `Store.restore`."""
    columns = LOGS[log].columns
    given = json.dumps([dict(zip(columns, row, strict=True)) for row in rows])
    return len(await db.rows(_RESTORED[log], db.place, given))
