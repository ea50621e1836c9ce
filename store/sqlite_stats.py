"""Counts over everything that a scope can read, in SQLite."""

import sqlite3

from reflection_mcp.store.records import Scope, Stats
from reflection_mcp.store.sqlite_reflections import readable
from reflection_mcp.store.sqlite_rows import moment

_HERE = "WHERE tenant = ? AND project IN (?, ?)"


def counted(db: sqlite3.Connection, scope: Scope) -> Stats:
    """See `Store.stats`."""
    place = readable(scope)
    attempts, mean, *attempt_times = db.execute(
        f"SELECT count(*), avg(quality), min(at), max(at) FROM attempt {_HERE}", place
    ).fetchall()[0]
    reflections, strategies, occurrences, shown, helped, failed, recurred, *times = db.execute(
        "SELECT total(kind = 'reflection'), total(kind = 'strategy'), total(occurrences),"
        " total(shown), total(helped), total(failed), total(recurred),"
        f" min(first_seen), max(last_seen) FROM reflection {_HERE}",
        place,
    ).fetchall()[0]
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
        mean_quality=mean,
        reflections=int(reflections),
        strategies=int(strategies),
        occurrences=int(occurrences),
        lookups=sum(row[1] for row in verdicts),
        lookups_by_verdict={row[0]: row[1] for row in verdicts},
        shown=int(shown),
        helped=int(helped),
        failed=int(failed),
        recurred=int(recurred),
        feedback=feedback,
        first_at=moment(min(known)) if known else None,
        last_at=moment(max(known)) if known else None,
    )
