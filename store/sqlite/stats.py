"""Counts over everything that a scope can read, in SQLite.

Rule of this module: no row of a reflection is looked at; the schema keeps a tally, and an index of
the versions that were judged and are not shown. Attempts and look-ups are counted in an index that
holds all that is asked.
"""

import sqlite3

from reflection_mcp.store.columns import moment
from reflection_mcp.store.records import Kind, Scope
from reflection_mcp.store.sqlite.reflections import readable
from reflection_mcp.store.state import Stats

_HERE = "WHERE tenant = ? AND project IN (?, ?)"


def counted(db: sqlite3.Connection, scope: Scope) -> Stats:
    """See `Store.stats`."""
    place = readable(scope)
    attempts, mean, *attempt_times = db.execute(
        f"SELECT count(*), avg(quality), min(at), max(at) FROM attempt {_HERE}", place
    ).fetchall()[0]
    reflections, strategies, occurrences, shown, helped, failed, recurred = db.execute(
        "SELECT total(reflections) FILTER (WHERE kind = 'reflection'),"
        " total(reflections) FILTER (WHERE kind = 'strategy'), total(occurrences), total(shown),"
        f" total(helped), total(failed), total(recurred) FROM tally {_HERE}",
        place,
    ).fetchall()[0]
    more_helped, more_failed = db.execute(
        "SELECT total(helped), total(failed) FROM (SELECT DISTINCT w.rid, w.lesson, w.strategy,"
        " w.helped, w.failed FROM wording w JOIN reflection r USING(rid)"
        " WHERE w.helped + w.failed > 0 AND +r.tenant = ? AND +r.project IN (?, ?))",
        place,
    ).fetchall()[0]
    times = [stamp for each in scope.readable for stamp in _first_and_last(db, each)]
    verdicts = db.execute(
        f"SELECT verdict, count(*), min(at), max(at) FROM lookup {_HERE} GROUP BY verdict", place
    ).fetchall()
    (feedback,) = db.execute(
        f"SELECT (SELECT count(*) FROM vote {_HERE}) + (SELECT count(*) FROM veto {_HERE})",
        (*place, *place),
    ).fetchall()[0]
    stamps = [*attempt_times, *times, *(at for row in verdicts for at in row[2:])]
    known = [stamp for stamp in stamps if stamp is not None]
    return Stats(
        attempts=attempts,
        mean_quality=None if mean is None else round(mean, 4),
        reflections=int(reflections),
        strategies=int(strategies),
        occurrences=int(occurrences),
        lookups=sum(row[1] for row in verdicts),
        lookups_by_verdict={row[0]: row[1] for row in verdicts},
        shown=int(shown),
        helped=int(helped + more_helped),
        failed=int(failed + more_failed),
        recurred=int(recurred),
        feedback=feedback,
        first_at=moment(min(known)) if known else None,
        last_at=moment(max(known)) if known else None,
    )


def rows_counted(db: sqlite3.Connection, scope: Scope, kind: Kind) -> int:
    """See `Store.count`."""
    counted = db.execute(
        "SELECT reflections FROM tally WHERE tenant = ? AND project = ? AND kind = ?",
        (scope.tenant, scope.project, kind),
    ).fetchall()
    return int(counted[0][0]) if counted else 0


def _first_and_last(db: sqlite3.Connection, scope: Scope) -> tuple[int | None, int | None]:
    """Return the times of the first and the last reflection of exactly this scope: the ends of
    indexes, which SQLite reads for one end at a time only."""
    here = "FROM reflection WHERE tenant = ? AND project = ?"
    place = (scope.tenant, scope.project)
    ends: tuple[int | None, int | None] = db.execute(
        f"SELECT (SELECT min(first_seen) {here}), (SELECT max(last_seen) {here})",
        (*place, *place),
    ).fetchall()[0]
    return ends
