"""One more count of a known reflection in PostgreSQL: alone, or many in one statement.

Rules of this module. Of a repetition, by the number of what it says, everything is known: it only
counts, and nothing that the row says has to be compared or written. Many in one statement cost the
server a tenth of what each costs alone, and one wait for the disk (measured: 40 us each of 32 that
come together, 450 us alone). Rows are locked in the order of their numbers, so that two who count
the same ones wait for each other once. Whatever is no repetition is left to `recording`.
"""

from collections.abc import Sequence

from reflection_mcp.store.columns import micros
from reflection_mcp.store.postgres import tallies
from reflection_mcp.store.postgres.connections import PostgresDb
from reflection_mcp.store.postgres.rows import WHOLE, repetition, whole_from
from reflection_mcp.store.records import Observation, RecordResult
from reflection_mcp.store.sql.db import Row, Statement

_KNOWN = (
    "known AS (SELECT e.rid FROM event e WHERE e.tenant = $1 AND e.place = $2 AND e.event_id = $6"
    "  AND e.kind = $3),"
    " one AS (SELECT r.rid FROM reflection r WHERE r.tenant = $1 AND r.place = $2 AND r.kind = $3"
    "  AND (r.id = $5 OR r.signature = $4) ORDER BY r.id = $5 DESC NULLS LAST LIMIT 1)"
)
_COUNTED = Statement(
    f"WITH {_KNOWN},"
    " same AS (SELECT s.rid FROM standing s WHERE s.tenant = $1"
    "  AND s.rid = (SELECT one.rid FROM one) AND s.again = $9 AND $9 <> 0 FOR UPDATE),"
    " ev AS (INSERT INTO event(tenant, place, event_id, kind, rid)"
    "  SELECT $1, $2, $6, $3, same.rid FROM same ON CONFLICT DO NOTHING RETURNING rid),"
    " so AS (INSERT INTO source(tenant, rid, source) SELECT $1, ev.rid, $7 FROM ev"
    "  ON CONFLICT DO NOTHING RETURNING rid),"
    " up AS (UPDATE standing s SET occurrences = s.occurrences + 1,"
    "   sources = s.sources + (SELECT count(*) FROM so), last_seen = greatest(s.last_seen, $8),"
    "   repeated = s.repeated + $10 FROM ev WHERE s.tenant = $1 AND s.rid = ev.rid RETURNING s.*),"
    f" de AS ({tallies.INTO} SELECT $1, $2, $3, 0, 1, 0, 0, 0, 0 FROM ev)"
    " SELECT (SELECT known.rid FROM known), (SELECT one.rid FROM one),"
    "  EXISTS(SELECT FROM reflection t WHERE t.tenant = $1 AND t.place = $2 AND t.id = $11),"
    f"  s.rid, {WHOLE} FROM (SELECT 1) always LEFT JOIN up s ON true"
    " LEFT JOIN reflection r ON r.tenant = $1 AND r.rid = s.rid"
)


async def seen(db: PostgresDb, observation: Observation) -> Row:
    """Count a repetition; else see what is there.

    Returns:
        The row that knows the event, the row that is meant, whether another row has the id, the row
        that was counted, and that row's `WHOLE`.
    """
    new = observation.reflection
    found: list[Row] = await db.rows(
        _COUNTED, db.place, new.kind, new.signature, observation.same_as, observation.event_id,
        observation.person, micros(new.last_seen), repetition(observation), int(bool(new.lesson)),
        new.id,
    )  # fmt: skip
    return found[0]


_ASKED = (
    "unnest($3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::bigint[],"
    " $9::bigint[], $10::bigint[]) WITH ORDINALITY"
    " AS a(kind, signature, same_as, event_id, person, seen, again, said, n)"
)
_TOGETHER = Statement(
    "WITH asked AS MATERIALIZED (SELECT a.*, coalesce("
    "  (SELECT r.rid FROM reflection r WHERE r.tenant = $1 AND r.place = $2 AND r.id = a.same_as"
    "    AND r.kind = a.kind),"
    "  (SELECT r.rid FROM reflection r WHERE r.tenant = $1 AND r.place = $2 AND r.kind = a.kind"
    f"    AND r.signature = a.signature)) AS rid FROM {_ASKED}),"
    " same AS MATERIALIZED (SELECT s.rid, s.again FROM standing s WHERE s.tenant = $1"
    "  AND s.rid = ANY(ARRAY(SELECT a.rid FROM asked a WHERE a.again <> 0))"
    "  ORDER BY s.rid FOR UPDATE),"
    " ev AS (INSERT INTO event(tenant, place, event_id, kind, rid)"
    "  SELECT $1, $2, a.event_id, a.kind, a.rid FROM same"
    "   JOIN asked a ON a.rid = same.rid AND a.again = same.again"
    "  ON CONFLICT DO NOTHING RETURNING event_id, kind),"
    " done AS MATERIALIZED (SELECT a.* FROM ev"
    "  JOIN asked a ON a.event_id = ev.event_id AND a.kind = ev.kind),"
    " so AS (INSERT INTO source(tenant, rid, source) SELECT $1, d.rid, d.person FROM done d"
    "  ON CONFLICT DO NOTHING RETURNING rid),"
    " up AS (UPDATE standing s SET occurrences = s.occurrences + d.times,"
    "   sources = s.sources + (SELECT count(*) FROM so WHERE so.rid = s.rid),"
    "   last_seen = greatest(s.last_seen, d.seen), repeated = s.repeated + d.said"
    "  FROM (SELECT d.rid, count(*) AS times, max(d.seen) AS seen, sum(d.said)::bigint AS said"
    "   FROM done d GROUP BY d.rid) d WHERE s.tenant = $1 AND s.rid = d.rid RETURNING s.*),"
    f" de AS ({tallies.INTO} SELECT $1, $2, d.kind, 0, count(*), 0, 0, 0, 0 FROM done d"
    "  GROUP BY d.kind)"
    f" SELECT d.n, {WHOLE} FROM done d JOIN up s ON s.rid = d.rid"
    " JOIN reflection r ON r.tenant = $1 AND r.rid = d.rid"
)


async def together(
    db: PostgresDb, observations: Sequence[Observation]
) -> list[RecordResult | None]:
    """Count those that are repetitions, in one statement; None for each of the others.

    Args:
        db: of the scope of all of them; in no transaction that has locked a row.
        observations: no two of the same event.
    """
    new = [each.reflection for each in observations]
    rows = await db.rows(
        _TOGETHER,
        db.place,
        [each.kind for each in new],
        [each.signature for each in new],
        [each.same_as for each in observations],
        [each.event_id for each in observations],
        [each.person for each in observations],
        [micros(each.last_seen) for each in new],
        [*map(repetition, observations)],
        [int(bool(each.lesson)) for each in new],
    )
    done: list[RecordResult | None] = [None] * len(new)
    for number, *values in rows:
        row = whole_from(db, values).record()
        done[number - 1] = RecordResult(reflection=row, created=False, counted=True)
    return done
