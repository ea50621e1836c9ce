"""Reflections in SQLite, read: by id, key, feature, word and property.

Rule of this module: every function runs inside the transaction of its caller, reads all rows of a
statement at once, and names the tenant and the projects in every statement.
"""

import sqlite3
from collections import Counter
from collections.abc import Sequence
from typing import Any

from reflection_mcp.store.contract import CROWDED, MOST_HITS, Order
from reflection_mcp.store.records import (
    GLOBAL_PROJECT,
    Hit,
    Key,
    Kind,
    Link,
    Reflection,
    Scope,
)
from reflection_mcp.store.sqlite.attempts import bounded
from reflection_mcp.store.sqlite.indexes import salt
from reflection_mcp.store.sqlite.rows import (
    AUTHOR,
    LESSON,
    REPEATED,
    SELECT_REFLECTION,
    STORED,
    STRATEGY,
    WIDTH,
    Row,
    reflection_from,
    signed,
    wording_from,
)


def readable(scope: Scope) -> tuple[str, str, str]:
    """The values of `tenant = ? AND project IN (?, ?)`."""
    return (scope.tenant, scope.project, GLOBAL_PROJECT)


def wordings_of(db: sqlite3.Connection, rid: int) -> list[Row]:
    """All that was said, oldest first, for `wording_from`."""
    return db.execute(
        "SELECT source, lesson, strategy, at, times, suspicious FROM wording"
        " WHERE rid = ? ORDER BY at, source, lesson, strategy",
        (rid,),
    ).fetchall()


def whole(db: sqlite3.Connection, row: Sequence[Any], wordings: Sequence[Row]) -> Reflection:
    """The reflection of a row of `STORED` with its links and these wordings."""
    links = db.execute(
        "SELECT kind, target_id FROM link WHERE rid = ? ORDER BY kind, target_id", (row[WIDTH],)
    ).fetchall()
    shown = (row[AUTHOR], row[LESSON], row[STRATEGY])
    return reflection_from(
        row,
        links=tuple(Link(kind=kind, target_id=target) for kind, target in links),
        wordings=tuple(
            wording_from(wording, row[REPEATED] if wording[:3] == shown else 0)
            for wording in wordings
        ),
    )


def numbered(db: sqlite3.Connection, scope: Scope, reflection_id: str) -> int | None:
    """The row number of a reflection that the scope can read."""
    rows = db.execute(
        "SELECT rid FROM reflection WHERE tenant = ? AND project IN (?, ?) AND id = ?"
        " ORDER BY project = ? DESC LIMIT 1",
        (*readable(scope), reflection_id, scope.project),
    ).fetchall()
    return rows[0][0] if rows else None


def by_number(db: sqlite3.Connection, rid: int) -> Reflection:
    """The reflection of a row number that is known to exist, whole."""
    rows = db.execute(f"SELECT {STORED} FROM reflection r WHERE rid = ?", (rid,)).fetchall()
    return whole(db, rows[0], wordings_of(db, rid))


def by_id(db: sqlite3.Connection, scope: Scope, reflection_id: str) -> Reflection | None:
    """See `Store.reflection`."""
    rid = numbered(db, scope, reflection_id)
    return None if rid is None else by_number(db, rid)


_ORDER: dict[Order, str] = {
    "newest": "last_seen DESC, id, rid",
    "most_met": "occurrences DESC, id, rid",
    "importance": "importance DESC, id, rid",
}
"""The first and the last as an index of their own has them; to be most met changes too often."""

_FLOOR: dict[Order, str] = {
    "newest": "+importance >= ?",
    "most_met": "+importance >= ?",
    "importance": "importance >= ?",
}
"""The plus keeps SQLite from walking the index of importance and sorting what it finds there."""


def listed(
    db: sqlite3.Connection,
    scope: Scope,
    *,
    kind: Kind | None,
    tags: Sequence[str],
    min_importance: float,
    error_type: str | None,
    include_retired: bool,
    order: Order,
    limit: int,
    offset: int,
) -> Sequence[Reflection]:
    """See `Store.reflections`: each project in the order of its index, merged as far as needed."""
    # One tag may be on every row, several together are on few: those are found by the tags.
    plus = "+" if len(tags) > 1 else ""
    where = [f"{plus}tenant = ? AND {plus}project = ?", _FLOOR[order]]
    values: list[Any] = [min_importance]
    if kind is not None:
        where.append("kind = ?")
        values.append(kind)
    if error_type is not None:
        where.append("error_type = ?")
        values.append(error_type)
    if not include_retired:
        where.append("retired = 0")
    for tag in tags:
        where.append("rid IN (SELECT rid FROM tag WHERE tag = ?)")
        values.append(tag)
    of_one = f"SELECT {SELECT_REFLECTION}, rid FROM reflection r WHERE {' AND '.join(where)}"
    places = scope.readable
    rows = db.execute(
        f"{' UNION ALL '.join([of_one] * len(places))} ORDER BY {_ORDER[order]} LIMIT ? OFFSET ?",
        (
            *(value for each in places for value in (each.tenant, each.project, *values)),
            bounded(limit),
            bounded(offset),
        ),
    ).fetchall()
    return [reflection_from(row) for row in rows]


def found(db: sqlite3.Connection, scope: Scope, digests: Sequence[str]) -> Sequence[Hit]:
    """See `Store.find`."""
    wanted = list(dict.fromkeys(digests))
    rows = db.execute(
        f"SELECT {SELECT_REFLECTION}, r.rid, k.kind, k.digest"
        " FROM key k JOIN reflection r USING(rid)"
        " WHERE k.tenant = ? AND k.project IN (?, ?)"
        f" AND k.digest IN ({', '.join('?' * len(wanted))}) AND r.retired = 0"
        f" ORDER BY r.last_seen DESC, r.id, k.kind, k.digest LIMIT {MOST_HITS}",
        (*readable(scope), *wanted),
    ).fetchall()
    by_rid = {row[-3]: row for row in rows}
    reflections = {rid: reflection_from(row) for rid, row in by_rid.items()}
    return [
        Hit(key=Key(kind=kind, digest=digest), reflection=reflections[rid])
        for *_, rid, kind, digest in rows
    ]


def shortlisted(
    db: sqlite3.Connection, scope: Scope, features: Sequence[int], limit: int
) -> Sequence[Reflection]:
    """See `Store.shortlist`: one seek per feature, and lists that are full are dropped."""
    shared: Counter[int] = Counter()
    wanted = set(map(signed, features))
    for each in scope.readable:
        mixed = salt(each)
        for feature in wanted:
            rows = db.execute(
                "SELECT rid FROM feature WHERE h = ? LIMIT ?", (feature ^ mixed, CROWDED)
            ).fetchall()
            if len(rows) < CROWDED:
                shared.update(rid for (rid,) in rows)
    best = sorted(shared, key=lambda rid: (-shared[rid], -rid))
    chosen: list[Reflection] = []
    limit = bounded(limit)
    while best and len(chosen) < limit:  # once, unless some of the best are retired
        wave, best = best[:limit], best[limit:]
        rows = db.execute(
            f"SELECT r.rid, {SELECT_REFLECTION} FROM reflection r"
            f" WHERE rid IN ({', '.join('?' * len(wave))})"
            # the signs keep SQLite from walking an index of the whole project instead
            " AND +tenant = ? AND +project IN (?, ?) AND retired = 0",
            (*wave, *readable(scope)),
        ).fetchall()
        by_rid = {row[0]: row[1:] for row in rows}
        chosen += [reflection_from(by_rid[rid]) for rid in wave if rid in by_rid]
    return chosen[:limit]


MOST_WORDS = 32
"""Words of one search that are looked for; a longer query is a text, not a question."""


def searched(
    db: sqlite3.Connection, scope: Scope, words: Sequence[str], limit: int
) -> Sequence[tuple[Reflection, float]]:
    """See `Store.search`: each word is quoted, so that none is taken for query syntax."""
    plain = [word for word in dict.fromkeys(words) if any(map(str.isalnum, word))]
    if not plain:
        return []
    query = " OR ".join('"' + word.replace('"', '""') + '"' for word in plain[:MOST_WORDS])
    rows = db.execute(
        f"SELECT {SELECT_REFLECTION}, -bm25(words) AS relevance"
        " FROM words JOIN reflection r ON r.rid = words.rowid"
        " WHERE words MATCH ? AND r.tenant = ? AND r.project IN (?, ?) AND r.retired = 0"
        " ORDER BY relevance DESC, r.id LIMIT ?",
        (query, *readable(scope), bounded(limit)),
    ).fetchall()
    return [(reflection_from(row), row[-1]) for row in rows]
