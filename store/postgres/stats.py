"""Counts over everything that a scope can read, in PostgreSQL: one statement, so of one snapshot.

Rule of this module: no row of a reflection is looked at, since every new one asks for these counts;
a tally is kept, and an index of the versions that were judged and are not shown.
"""

from collections.abc import Sequence
from typing import Any

from reflection_mcp.store.postgres import schema
from reflection_mcp.store.postgres.connections import PostgresDb
from reflection_mcp.store.records import Kind
from reflection_mcp.store.sql.activity import stats_of
from reflection_mcp.store.sql.db import Statement
from reflection_mcp.store.state import Stats

_SUMS = ("shown", "helped", "failed")
_HERE = "{0}.tenant = $1 AND {0}.place = ANY($2::bigint[])"
_TALLY = (
    f"SELECT * FROM tally o WHERE {_HERE.format('o')}"
    f" UNION ALL SELECT * FROM tally_delta d WHERE {_HERE.format('d')}"
)
_COUNTED = Statement(
    "SELECT a.n, a.mean, a.first, a.last, t.*, w.helped, w.failed, r.first, s.last,"
    f" (SELECT count(*) FROM vote v WHERE {_HERE.format('v')})"
    f" + (SELECT count(*) FROM veto v WHERE {_HERE.format('v')}),"
    " ARRAY(SELECT ROW(l.verdict, count(*), sum(l.recurred), min(l.at), max(l.at)) FROM lookup l"
    f"  WHERE {_HERE.format('l')} GROUP BY l.verdict)"
    " FROM (SELECT count(*) AS n, avg(o.quality) AS mean, min(o.at) AS first, max(o.at) AS last"
    f"  FROM attempt o WHERE {_HERE.format('o')}) a,"
    " (SELECT coalesce(sum(y.reflections) FILTER (WHERE y.kind = 'reflection'), 0)::bigint,"
    "   coalesce(sum(y.reflections) FILTER (WHERE y.kind = 'strategy'), 0)::bigint,"
    "   coalesce(sum(y.occurrences) FILTER (WHERE y.kind = 'reflection'), 0)::bigint, "
    + ", ".join(f"coalesce(sum(y.{name}), 0)::bigint" for name in _SUMS)
    + f"  FROM ({_TALLY}) y) t,"
    " (SELECT coalesce(sum(x.helped), 0)::bigint AS helped,"
    "   coalesce(sum(x.failed), 0)::bigint AS failed FROM (SELECT DISTINCT g.rid, g.lesson,"
    "    g.strategy, g.helped, g.failed FROM wording g"
    "    JOIN reflection q ON q.tenant = $1 AND q.rid = g.rid"
    f"    WHERE g.tenant = $1 AND g.helped + g.failed > 0 AND {_HERE.format('q')}) x) w,"
    f" (SELECT min(i.first_seen) AS first FROM reflection i WHERE {_HERE.format('i')}) r,"
    f" (SELECT max(j.last_seen) AS last FROM standing j WHERE {_HERE.format('j')}) s"
)


async def counted(db: PostgresDb) -> Stats:
    """See `Store.stats`."""
    return await _counted(db, db.places)


_PROJECTS = Statement("SELECT p.place, p.project FROM place p WHERE p.tenant = $1 ORDER BY 2")


async def places(db: PostgresDb) -> dict[str, Stats]:
    """See `Store.places`."""
    known = await db.rows(_PROJECTS)
    found = {project: await _counted(db, [place]) for place, project in known}
    return {
        project: each
        for project, each in found.items()
        if each.reflections or each.strategies or each.attempts or each.lookups
    }


_ROWS = Statement(
    f"SELECT coalesce(sum(y.reflections), 0)::bigint FROM ({_TALLY}) y WHERE y.kind = $3"
)


async def rows_counted(db: PostgresDb, kind: Kind) -> int:
    """See `Store.count`."""
    ((rows,),) = await db.rows(_ROWS, [db.place], kind)
    return int(rows)


async def _counted(db: PostgresDb, here: Sequence[int]) -> Stats:
    (row,) = await db.rows(_COUNTED, here)
    attempts, mean, *attempt_times = row[:4]
    reflections, strategies, occurrences, shown, helped, failed = row[4:10]
    more_helped, more_failed, first, last, feedback, verdicts = row[10:]
    return stats_of(
        attempts=attempts,
        mean_quality=mean,
        reflections=reflections,
        strategies=strategies,
        occurrences=occurrences,
        shown=shown,
        helped=helped + more_helped,
        failed=failed + more_failed,
        verdicts=[each[:3] for each in verdicts],
        feedback=feedback,
        stamps=[*attempt_times, first, last, *(at for each in verdicts for at in each[3:])],
    )


_ABOUT = Statement(
    "SELECT current_setting('server_version'), $1::bigint IS NOT NULL AND"
    " NOT (pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean),"
    " coalesce((SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c"
    "  WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace), 0)::bigint,"
    " row_security_active('reflection')"
)


async def about(db: PostgresDb) -> list[Any]:
    """The engine, whether it can be written to, the size in bytes, whether row level security holds
    this user, and the version of the schema."""
    (row,) = await db.rows(_ABOUT)
    return [*row, await schema.found_version(db.connection)]
