"""Logs in PostgreSQL: look-ups, steps, showings and failed actions; and rows from elsewhere.

Rule of this module: one statement for each note, and no statement sees what it has just added, so
that what goes is counted without it.
"""

import json
from collections.abc import Sequence

from reflection_mcp.store.columns import micros
from reflection_mcp.store.history import LOGS, Log, LogRow
from reflection_mcp.store.interactions import FailedAction, Lookup, Showing, Step
from reflection_mcp.store.log_rows import LookupRow, lookup_row
from reflection_mcp.store.postgres import tallies
from reflection_mcp.store.postgres.connections import PostgresDb
from reflection_mcp.store.sql.db import Statement
from reflection_mcp.store.terms import MOST_FAILED_ACTIONS, MOST_STEPS, SHOWINGS_LAST, STEPS_LAST

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


_STEP = Statement(
    "WITH new AS (INSERT INTO step(tenant, place, id, conversation_id, at, tool, told, error)"
    "  VALUES($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING RETURNING rid)"
    " DELETE FROM step t WHERE t.tenant = $1 AND t.place = $2 AND (t.at < $9"
    " OR t.rid = ANY(ARRAY(SELECT o.rid FROM step o WHERE o.tenant = $1 AND o.place = $2"
    "  AND o.conversation_id = $4"
    "  ORDER BY o.rid DESC OFFSET $10 - (SELECT count(*) FROM new))))"
)


async def add_step(db: PostgresDb, step: Step) -> None:
    """See `Store.add_step`."""
    await db.rows(
        _STEP, db.place, step.id, step.conversation_id, micros(step.at), step.tool, step.told,
        step.error, micros(step.at - STEPS_LAST), MOST_STEPS,
    )  # fmt: skip


_SHOWING = Statement(
    "WITH new AS (INSERT INTO showing(tenant, place, conversation_id, subject_id, kind, at)"
    "  VALUES($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING)"
    " DELETE FROM showing s WHERE s.tenant = $1 AND s.place = $2 AND s.at < $7"
)


async def add_showing(db: PostgresDb, showing: Showing) -> None:
    """See `Store.add_showing`."""
    await db.rows(
        _SHOWING, db.place, showing.conversation_id, showing.subject_id, showing.kind,
        micros(showing.at), micros(showing.at - SHOWINGS_LAST),
    )  # fmt: skip


_WORKED = Statement(
    "UPDATE failed_action f SET worked = f.worked + $4"
    " WHERE f.tenant = $1 AND f.place = $2 AND f.id = $3"
)
_FAILED = Statement(
    "WITH fits AS (SELECT count(*) <= $12 AS yes FROM failed_action o WHERE o.tenant = $1"
    "  AND o.place = $2 AND o.id <> $3 AND (o.at > $9 OR o.at = $9 AND o.id < $3)),"
    " new AS (INSERT INTO failed_action AS f(tenant, place, id, heading, tool, told, error,"
    "   conversation_id, at, failed, worked)"
    "  SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11 FROM fits WHERE fits.yes"
    "  ON CONFLICT(tenant, place, id) DO UPDATE SET heading = excluded.heading,"
    "   tool = excluded.tool, told = excluded.told, error = excluded.error, at = excluded.at,"
    "   failed = f.failed + CASE WHEN f.conversation_id = excluded.conversation_id THEN 0"
    "    ELSE excluded.failed END,"
    "   worked = f.worked + excluded.worked, conversation_id = excluded.conversation_id)"
    " DELETE FROM failed_action f USING fits WHERE f.tenant = $1 AND f.place = $2 AND fits.yes"
    "  AND f.id = ANY(ARRAY(SELECT o.id FROM failed_action o WHERE o.tenant = $1 AND o.place = $2"
    "   AND o.id <> $3 ORDER BY o.at DESC, o.id OFFSET $12))"
)
"""A statement sees no row that it has inserted itself, so one that is older than all that stay is
not inserted."""


async def count_action(db: PostgresDb, action: FailedAction) -> None:
    """See `Store.count_action`."""
    if not action.failed:
        await db.rows(_WORKED, db.place, action.id, action.worked)
        return
    await db.rows(
        _FAILED, db.place, action.id, action.heading, action.tool, action.told, action.error,
        action.conversation_id, micros(action.at), action.failed, action.worked,
        MOST_FAILED_ACTIONS - 1,
    )  # fmt: skip


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
