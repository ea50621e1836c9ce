"""Reflections in SQLite, read: by id, key, feature, word and property.

Rule of this module: every function runs inside the transaction of its caller, reads all rows of a
statement at once, and names the tenant and the projects in every statement.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any

from reflection_mcp.store.columns import bounded, salt
from reflection_mcp.store.records import (
    Hit,
    Key,
    Kind,
    Reflection,
    Scope,
)
from reflection_mcp.store.rows import (
    SELECT_REFLECTION,
    Values,
    reflection_from,
    reflection_row,
    signed,
)
from reflection_mcp.store.sqlite.db import SqliteDb
from reflection_mcp.store.terms import CROWDED, MOST_HITS, Order


def readable(scope: Scope) -> tuple[str, ...]:
    """The values of the condition that `readers` returns."""
    return (scope.tenant, *scope.projects)


def readers(scope: Scope, of: str = "") -> str:
    """Return the condition on a row, the columns of which begin with `of`, that a reader of the
    scope may see it."""
    marks = "?, ?, ?"[: 3 * len(scope.projects) - 2]
    return f"{of}tenant = ? AND {of}project IN ({marks})"


_COLUMN: dict[Order, str] = {
    "newest": "last_seen",
    "most_met": "occurrences",
    "importance": "importance",
}
"""The column that a list is ordered by, the largest value first; each has an index."""


def _stretches(
    order: Order, after: Reflection | None, project: str
) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Yield the conditions on the stretches of a project's index that a page is read from, each of
    which is in the order of the list: the rows with the value of the last row, those behind it, and
    in the order `most_met` those that were met once, which its index leaves out."""
    column = _COLUMN[order]
    once = order == "most_met"
    rest = " AND occurrences > 1" if once else ""
    if after is None:
        yield rest, ()
    else:
        row = reflection_row(after)
        last = getattr(row, column)
        beside = ">=" if project > row.project else ">"
        if once and last == 1:
            yield f" AND occurrences = 1 AND id {beside} ?", (row.id,)
            return
        yield f"{rest} AND {column} = ? AND id {beside} ?", (last, row.id)
        yield f"{rest} AND {column} < ?", (last,)
    if once:
        yield " AND occurrences = 1", ()


FREQUENT = 5_000
"""So many rows of one error type are read and sorted by importance or count in about 10 ms; of a
type with more, among a million, the first 50 in that order are found among as many rows."""


def _is_frequent(db: SqliteDb, error_type: str) -> bool:
    """Return True if a project has more rows of an error type than should be sorted."""
    return bool(
        db.execute(
            f"SELECT 1 FROM reflection WHERE {readers(db.scope)} AND error_type = ?"
            " LIMIT 1 OFFSET ?",
            (*readable(db.scope), error_type, FREQUENT),
        ).fetchall()
    )


RARE = 100
"""So many rows of one tag are read and sorted in well under 1 ms."""


def _carriers(db: SqliteDb, tag: str) -> int:
    """The number of rows of any tenant with a tag; those beyond `RARE` are not counted."""
    return len(db.execute("SELECT 1 FROM tag WHERE tag = ? LIMIT ?", (tag, RARE + 1)).fetchall())


async def listed(
    db: SqliteDb,
    *,
    kind: Kind | None = None,
    tags: Sequence[str] = (),
    min_importance: float = 0.0,
    error_type: str | None = None,
    include_retired: bool = False,
    order: Order = "newest",
    limit: int = 10,
    after: Reflection | None = None,
) -> Sequence[Reflection]:
    """See `Store.reflections`: stretches of indexes, merged as far as needed."""
    # One tag may be on every row, several together are on few: those are found by the rarest.
    plus = "+" if len(tags) > 1 else ""
    tags = sorted(tags, key=lambda tag: _carriers(db, tag)) if plus else tags
    # The other plus keeps SQLite from walking the index of importance and sorting what it finds.
    floor = "importance >= ?" if order == "importance" else "+importance >= ?"
    where = [f"{plus}tenant = ? AND {plus}project = ?", floor]
    values: list[Any] = [min_importance]
    if kind is not None:
        where.append("kind = ?")
        values.append(kind)
    by_type = ""
    if error_type is not None:
        where.append("error_type = ?")
        values.append(error_type)
        if not plus and (order == "newest" or not _is_frequent(db, error_type)):
            by_type = "INDEXED BY reflection_type"
    if not include_retired:
        where.append("retired = 0")
    for number, tag in enumerate(tags):
        others = "EXISTS(SELECT 1 FROM tag t WHERE t.tag = ? AND t.rid = r.rid)"
        where.append(others if number else "rid IN (SELECT rid FROM tag WHERE tag = ?)")
        values.append(tag)
    of_one = f"SELECT {SELECT_REFLECTION} FROM reflection r {by_type} WHERE {' AND '.join(where)}"
    asked: list[Any] = []
    parts: list[str] = []
    for project in db.places:
        for condition, bounds in _stretches(order, after, project):
            parts.append(of_one + condition)
            asked += (db.scope.tenant, project, *values, *bounds)
    rows = db.execute(
        f"{' UNION ALL '.join(parts)} ORDER BY {_COLUMN[order]} DESC, id, project LIMIT ?",
        (*asked, bounded(limit)),
    ).fetchall()
    return [reflection_from(row) for row in rows]


_PLACES = 4
"""The number of the first project among the values, behind tenant, signature and limit."""


def _offered(places: int) -> str:
    """Return the condition that a row is offered to the reader of so many projects. Not `IN`: of a
    list SQLite makes a table first, and that takes longer than to ask for each."""
    return "r.retired = 0" + "".join(
        " AND NOT EXISTS(SELECT 1 FROM veto v WHERE v.tenant = ?1"
        f" AND v.project = ?{project} AND v.signature = ?2 AND v.reflection_id = r.id)"
        for project in range(_PLACES, _PLACES + places)
    )


_HIT = "r.rid, r.id, r.last_seen, k.kind, k.digest"
"""The columns by which hits are ordered, after whatever else is read of them."""
_FEW = 4
"""So many hits are read whole at once: most errors have one, under one or two of its keys."""


@cache
def _sharing(places: int, digests: int) -> str:
    """Return the statement for the rows that have one of so many digests in so many projects.

    It names each pair of the two for the reason above, and is cached, because building it is slow,
    too.
    """
    first = _PLACES + places
    pairs = product(range(_PLACES, first), range(first, first + digests))
    asked = ", ".join(f"(?{project}, ?{digest})" for project, digest in pairs)
    return (
        f"SELECT {SELECT_REFLECTION}, {_HIT} FROM (VALUES {asked}) asked"
        " CROSS JOIN key k"
        " ON k.tenant = ?1 AND k.project = asked.column1 AND k.digest = asked.column2"
        f" CROSS JOIN reflection r USING(rid) WHERE {_offered(places)} LIMIT ?3"
    )


@cache
def _latest(places: int) -> str:
    """Return the statement for the latest rows of one of so many projects with one digest."""
    project, digest = _PLACES + places, _PLACES + places + 1
    return (
        f"SELECT {_HIT} FROM key k JOIN reflection r USING(rid)"
        f" WHERE k.tenant = ?1 AND k.project = ?{project} AND k.digest = ?{digest}"
        f" AND {_offered(places)} ORDER BY k.rid DESC, k.kind DESC LIMIT ?3"
    )


async def found(
    db: SqliteDb, digests: Sequence[str], signature: str, limit: int
) -> Sequence[Hit] | None:
    """See `Store.find`; None if there are more than a few hits, which is for `crowded`."""
    wanted = list(dict.fromkeys(digests))
    if not wanted:
        return []
    most = min(bounded(limit), _FEW)
    tenant, places = db.scope.tenant, db.places
    asked = (tenant, signature, most + 1, *places, *wanted)
    rows = db.execute(_sharing(len(places), len(wanted)), asked).fetchall()
    if len(rows) > most:
        return None
    return _hits(_ordered(rows) if len(rows) > 1 else rows, {row[_RID]: row for row in rows})


async def crowded(
    db: SqliteDb, digests: Sequence[str], signature: str, limit: int
) -> Sequence[Hit]:
    """See `Store.find`, for any number of hits: they are read in the order of the index, so that
    the others, which may be ten thousand, are not read, and of these only what ranks them."""
    tenant, places = db.scope.tenant, db.places
    hits: list[Values] = []
    for digest, each in product(dict.fromkeys(digests), places):
        if len(hits) < MOST_HITS:
            asked = (tenant, signature, MOST_HITS - len(hits), *places, each, digest)
            hits += db.execute(_latest(len(places)), asked).fetchall()
    hits = _ordered(hits)
    best = list(dict.fromkeys(hit[_RID] for hit in hits))[: bounded(limit)]
    return _hits(hits, _rows(db, best))


_RID, _KIND, _DIGEST = -5, -2, -1


def _ordered(hits: Sequence[Values]) -> list[Values]:
    """Rows that end with `_HIT`, as `Store.find` puts them."""
    shared = Counter(hit[_RID] for hit in hits)

    def place(hit: Values) -> Values:
        rid, name, last_seen, kind, digest = hit[_RID:]
        return -shared[rid], -last_seen, name, rid, kind, digest

    return sorted(hits, key=place)


def _hits(hits: Sequence[Values], rows: Mapping[int, Values]) -> Sequence[Hit]:
    """Those hits whose reflection is among the rows."""
    reflections = {rid: reflection_from(row) for rid, row in rows.items()}
    return [
        Hit(key=Key(kind=hit[_KIND], digest=hit[_DIGEST]), reflection=reflections[hit[_RID]])
        for hit in hits
        if hit[_RID] in reflections
    ]


def _rows(db: SqliteDb, rids: Sequence[int]) -> dict[int, Values]:
    """The rows of those row numbers that are not retired, for `reflection_from`."""
    rows = db.execute(
        f"SELECT r.rid, {SELECT_REFLECTION} FROM reflection r"
        f" WHERE rid IN ({', '.join('?' * len(rids))})"
        # the unary plus keeps SQLite from walking an index of the whole project instead
        f" AND {readers(db.scope, '+')} AND retired = 0",
        (*rids, *readable(db.scope)),
    ).fetchall()
    return {row[0]: row[1:] for row in rows}


_RANKED = """
WITH asked(h) AS (SELECT value FROM json_each(?)),
  telling(h) AS (SELECT h FROM asked WHERE NOT EXISTS (
    SELECT 1 FROM feature f WHERE f.h = asked.h LIMIT 1 OFFSET ?))
SELECT f.rid FROM telling t CROSS JOIN feature f ON f.h = t.h
GROUP BY f.rid ORDER BY count(*) DESC, f.rid DESC LIMIT ? OFFSET ?
"""
"""Row numbers by how many of the features they have. Lists are counted, dropped and merged inside
SQLite: that takes less than half of the time that it takes to hand their rows over."""


async def shortlisted(
    db: SqliteDb, features: Sequence[int], *, limit: int = 30
) -> Sequence[Reflection]:
    """See `Store.shortlist`."""
    wanted = set(map(signed, features))
    mixed = [feature ^ salt(each) for each in db.scope.readable for feature in wanted]
    asked, limit = json.dumps(mixed), bounded(limit)
    chosen: list[Reflection] = []
    looked_at = 0
    while len(chosen) < limit:  # once, unless some of the best are retired
        ranked = db.execute(_RANKED, (asked, CROWDED - 1, limit, looked_at)).fetchall()
        wave = [rid for (rid,) in ranked]
        rows = _rows(db, wave)
        chosen += [reflection_from(rows[rid]) for rid in wave if rid in rows]
        looked_at += limit
        if len(wave) < limit:
            break
    return chosen[:limit]


MOST_WORDS = 32
"""Words of one search that are looked for; a longer query is a text, not a question."""


async def searched(
    db: SqliteDb, words: Sequence[str], *, limit: int = 20
) -> Sequence[tuple[Reflection, float]]:
    """See `Store.search`: each word is quoted, so that none is taken for query syntax."""
    plain = [word for word in dict.fromkeys(words) if any(map(str.isalnum, word))]
    if not plain:
        return []
    query = " OR ".join('"' + word.replace('"', '""') + '"' for word in plain[:MOST_WORDS])
    rows = db.execute(
        f"SELECT {SELECT_REFLECTION}, -bm25(words) AS relevance"
        " FROM words JOIN reflection r ON r.rid = words.rowid"
        f" WHERE words MATCH ? AND {readers(db.scope, 'r.')} AND r.retired = 0"
        " ORDER BY relevance DESC, r.id LIMIT ?",
        (query, *readable(db.scope), bounded(limit)),
    ).fetchall()
    return [(reflection_from(row), row[-1]) for row in rows]
