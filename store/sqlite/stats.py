"""Counts over everything that a scope can read, in SQLite.

Rule of this module: no row of a reflection is looked at; the schema keeps a tally, and an index of
the versions that were judged and are not shown. Nor is a look-up: they are counted by day. Attempts
are counted in an index that holds all that is asked.
"""

from collections.abc import Iterator, Sequence

from reflection_mcp.store.records import Kind
from reflection_mcp.store.sql.activity import stats_of
from reflection_mcp.store.sqlite.db import SqliteDb
from reflection_mcp.store.state import Stats


async def counted(db: SqliteDb) -> Stats:
    """See `Store.stats`."""
    return _counted(db, db.places)


async def places(db: SqliteDb) -> dict[str, Stats]:
    """See `Store.places`."""
    names: set[str] = set()
    for table, used in (("tally", "reflections > 0"), ("attempt", "1"), ("lookup", "1")):
        names.update(_projects(db, table, used))
    return {name: _counted(db, [name]) for name in sorted(names)}


def _projects(db: SqliteDb, table: str, used: str) -> Iterator[str]:
    """Return the projects of a tenant with rows in a table, each by one look at its index."""
    name = ""
    while found := db.execute(
        f"SELECT project FROM {table} WHERE tenant = ? AND project > ? AND {used}"
        " ORDER BY project LIMIT 1",
        (db.scope.tenant, name),
    ).fetchall():
        ((name,),) = found
        yield name


def _counted(db: SqliteDb, projects: Sequence[str]) -> Stats:
    """The counts of these projects of a tenant together."""
    place, marks = (db.scope.tenant, *projects), ", ".join("?" * len(projects))
    here = f"WHERE tenant = ? AND project IN ({marks})"
    attempts, mean, *attempt_times = db.execute(
        f"SELECT count(*), avg(quality), min(at), max(at) FROM attempt {here}", place
    ).fetchall()[0]
    reflections, strategies, occurrences, shown, helped, failed = db.execute(
        "SELECT total(reflections) FILTER (WHERE kind = 'reflection'),"
        " total(reflections) FILTER (WHERE kind = 'strategy'),"
        " total(occurrences) FILTER (WHERE kind = 'reflection'), total(shown),"
        f" total(helped), total(failed) FROM tally {here}",
        place,
    ).fetchall()[0]
    more_helped, more_failed = db.execute(
        "SELECT total(helped), total(failed) FROM (SELECT DISTINCT w.rid, w.lesson, w.strategy,"
        " w.helped, w.failed FROM wording w JOIN reflection r USING(rid)"
        f" WHERE w.helped + w.failed > 0 AND +r.tenant = ? AND +r.project IN ({marks}))",
        place,
    ).fetchall()[0]
    times = [stamp for project in projects for stamp in _first_and_last(db, project)]
    verdicts = db.execute(
        "SELECT verdict, sum(lookups) AS counted, sum(recurred)"
        f" FROM lookup_day {here}"
        " GROUP BY verdict HAVING counted > 0",
        place,
    ).fetchall()
    (feedback,) = db.execute(
        f"SELECT (SELECT count(*) FROM vote {here}) + (SELECT count(*) FROM veto {here})",
        (*place, *place),
    ).fetchall()[0]
    return stats_of(
        attempts=attempts,
        mean_quality=mean,
        reflections=int(reflections),
        strategies=int(strategies),
        occurrences=int(occurrences),
        shown=int(shown),
        helped=int(helped + more_helped),
        failed=int(failed + more_failed),
        verdicts=verdicts,
        feedback=feedback,
        stamps=[*attempt_times, *times],
    )


async def rows_counted(db: SqliteDb, kind: Kind) -> int:
    """See `Store.count`."""
    counted = db.execute(
        "SELECT reflections FROM tally WHERE tenant = ? AND project = ? AND kind = ?",
        (db.scope.tenant, db.place, kind),
    ).fetchall()
    return int(counted[0][0]) if counted else 0


def _first_and_last(db: SqliteDb, project: str) -> tuple[int | None, ...]:
    """Return the times of the first and the last reflection and look-up of exactly this scope: the
    ends of indexes, which SQLite reads for one end at a time only."""
    here = "WHERE tenant = ?1 AND project = ?2"
    ends: tuple[int | None, ...] = db.execute(
        f"SELECT (SELECT min(first_seen) FROM reflection {here}),"
        f" (SELECT max(last_seen) FROM reflection {here}),"
        f" (SELECT min(at) FROM lookup {here}), (SELECT max(at) FROM lookup {here})",
        (db.scope.tenant, project),
    ).fetchall()[0]
    return ends
