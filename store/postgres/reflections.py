"""Reflections in PostgreSQL, read: by id, key, feature, word and property.

Rule of this module: one statement for each question, and every table in it is asked for one tenant.
"""

from collections import Counter
from collections.abc import Sequence

from reflection_mcp.store.columns import bounded
from reflection_mcp.store.postgres.connections import PostgresDb
from reflection_mcp.store.postgres.rows import (
    ROWS,
    SELECT,
    WHOLE,
    bare_from,
    digest_number,
    whole_from,
)
from reflection_mcp.store.postgres.words import lexeme, query_of
from reflection_mcp.store.records import Hit, Key, Kind, Reflection
from reflection_mcp.store.rows import WholeRow, reflection_row
from reflection_mcp.store.rows import signed as signed_number
from reflection_mcp.store.sql.db import Statement, first
from reflection_mcp.store.terms import CROWDED, MOST_HITS, Order

_READ = Statement(
    f"SELECT {WHOLE} FROM {ROWS} WHERE r.tenant = $1 AND r.rid = ANY($2::bigint[]) ORDER BY r.rid"
)
_BY_ID = Statement(
    f"SELECT {WHOLE} FROM {ROWS} WHERE r.tenant = $1 AND r.place = ANY($2::bigint[])"
    " AND r.id = $3 ORDER BY array_position($2, r.place) LIMIT 1"
)
_SIGNED = Statement(
    "SELECT (SELECT r.rid FROM reflection r WHERE r.tenant = $1 AND r.place = $2"
    "  AND r.kind = a.kind AND r.signature = a.signature)"
    " FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS a(kind, signature, n) ORDER BY a.n"
)


async def whole(db: PostgresDb, rids: Sequence[int]) -> list[WholeRow]:
    """See `Statements.whole`."""
    return [whole_from(db, row) for row in await db.rows(_READ, list(rids))]


async def by_id(db: PostgresDb, reflection_id: str) -> Reflection | None:
    """See `Store.reflection`."""
    row = await first(db, _BY_ID, db.places, reflection_id)
    return None if row is None else whole_from(db, row).record()


async def signed(db: PostgresDb, names: Sequence[tuple[Kind, str]]) -> list[int | None]:
    """See `Statements.signed`."""
    kinds, signatures = [kind for kind, _ in names], [signature for _, signature in names]
    return [rid for (rid,) in await db.rows(_SIGNED, db.place, kinds, signatures)]


# --------------------------------------------------------------------- by property

_COLUMN: dict[Order, str] = {
    "newest": "s.last_seen",
    "most_met": "s.occurrences",
    "importance": "r.importance",
}
"""The column that a list is ordered by, the largest value first; each has an index."""
_CHOSEN = (
    "r.importance >= $3 AND ($4::text IS NULL OR r.kind = $4) AND ($5::boolean OR r.retired = 0)"
)
_TAGGED = (
    "r.rid = ANY(ARRAY(SELECT t.rid FROM tag t WHERE t.tenant = $1 AND t.place = p.place"
    " AND t.tag = ANY($7::text[]) GROUP BY t.rid HAVING count(*) = cardinality($7::text[])))"
)
"""Several tags together are on few rows: those are found by the tags."""
_ONE_TAG = (
    "EXISTS(SELECT FROM tag t WHERE t.tenant = $1 AND t.place = p.place AND t.rid = r.rid"
    " AND t.tag = ANY($7::text[]))"
)
"""One tag may be on every row: the rows are gone through in their order."""
_TYPED = "r.error_type = $6::text"


def _listing(order: Order, tagged: str, typed: str) -> Statement:
    column = _COLUMN[order]
    last = f"$8::{'double precision' if order == 'importance' else 'bigint'}"
    return Statement(
        "SELECT x.* FROM unnest($2::bigint[], $11::text[]) AS p(place, project)"
        f" CROSS JOIN LATERAL (SELECT {SELECT}, {column} AS rank FROM {ROWS}"
        "  WHERE r.tenant = $1 AND r.place = p.place AND s.place = p.place"
        f"  AND {_CHOSEN} AND {tagged} AND {typed} AND {column} <= {last}"
        f"  AND ({column} < {last} OR r.id > $9 OR (r.id = $9 AND p.project > $10))"
        f"  ORDER BY {column} DESC, r.id LIMIT $12) x"
        " ORDER BY x.rank DESC, x.id, p.project LIMIT $12"
    )


_LISTED = {
    (order, tags, typed == _TYPED): _listing(order, tagged, typed)
    for order in _COLUMN
    for tags, tagged in enumerate(("$7::text[] IS NOT NULL", _ONE_TAG, _TAGGED))
    for typed in ("$6::text IS NULL", _TYPED)
}
_LARGEST = 2**62


async def listed(
    db: PostgresDb,
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
    """See `Store.reflections`: each project in the order of its index, merged as far as needed."""
    wanted = list(dict.fromkeys(tags))
    last: tuple[float, str, str] = (_LARGEST, "", "")
    if after is not None:
        rank = getattr(reflection_row(after), _COLUMN[order].partition(".")[2])
        last = (rank, after.id, after.scope.project)
    rows = await db.rows(
        _LISTED[order, min(len(wanted), 2), error_type is not None],
        db.places, min_importance, kind, include_retired, error_type, wanted, *last,
        [*db.projects.values()], bounded(limit),
    )  # fmt: skip
    return [bare_from(db, row) for row in rows]


# --------------------------------------------------------------------- by key

OFFERED = (
    "r.retired = 0 AND NOT EXISTS(SELECT FROM veto v WHERE v.tenant = $1"
    " AND v.place = ANY($2::bigint[]) AND v.signature = $4 AND v.reflection_id = r.id)"
)
_FOUND = Statement(
    f"SELECT {SELECT}, h.rid, h.rules, h.numbers FROM"
    " (SELECT y.rid, array_agg(y.rule) AS rules, array_agg(y.n) AS numbers FROM"
    "  (SELECT x.rid, x.rule, a.n FROM unnest($3::bigint[]) WITH ORDINALITY AS a(digest, n)"
    "   CROSS JOIN unnest($2::bigint[]) WITH ORDINALITY AS p(place, n) CROSS JOIN LATERAL"
    "   (SELECT k.rid, k.kind AS rule FROM key k"
    "    JOIN reflection r ON r.tenant = $1 AND r.rid = k.rid"
    f"    WHERE k.tenant = $1 AND k.digest = a.digest AND k.place = p.place AND {OFFERED}"
    "    ORDER BY k.rid DESC, k.kind DESC LIMIT $5) x"
    "   ORDER BY a.n, p.n, x.rid DESC, x.rule DESC LIMIT $5) y GROUP BY y.rid) h"
    " JOIN reflection r ON r.tenant = $1 AND r.rid = h.rid"
    " JOIN standing s ON s.tenant = $1 AND s.rid = h.rid"
)
"""The hits first, then each reflection once: most have several of the digests."""


async def found(
    db: PostgresDb, digests: Sequence[str], signature: str, limit: int
) -> Sequence[Hit]:
    """See `Store.find`."""
    wanted = list(dict.fromkeys(digests))
    rows = await db.rows(_FOUND, db.places, [*map(digest_number, wanted)], signature, MOST_HITS)
    if not rows:
        return []
    reflections: dict[int, Reflection] = {row[-3]: bare_from(db, row) for row in rows}
    hits: list[tuple[int, str, str]] = [
        (row[-3], rule, wanted[number - 1])
        for row in rows
        for rule, number in zip(row[-2], row[-1], strict=True)
    ]
    shared = Counter(rid for rid, _, _ in hits)
    hits.sort(key=lambda hit: (reflections[hit[0]].id, *hit))
    hits.sort(key=lambda hit: reflections[hit[0]].last_seen, reverse=True)
    hits.sort(key=lambda hit: -shared[hit[0]])
    best = set(list(dict.fromkeys(rid for rid, _, _ in hits))[: bounded(limit)])
    return [
        Hit(key=Key(kind=rule, digest=digest), reflection=reflections[rid])
        for rid, rule, digest in hits
        if rid in best
    ]


# --------------------------------------------------------------------- by feature

_SHORTLIST = Statement(
    "WITH telling AS MATERIALIZED (SELECT a.h FROM unnest($2::bigint[]) AS a(h) WHERE NOT EXISTS("
    "  SELECT FROM feature f WHERE f.tenant = $1 AND f.h = a.h OFFSET $3::bigint - 1 LIMIT 1)),"
    " ranked AS (SELECT f.rid, count(*) AS n FROM telling t CROSS JOIN LATERAL"
    "   (SELECT f.rid FROM feature f WHERE f.tenant = $1 AND f.h = t.h OFFSET 0) f"
    "  GROUP BY f.rid ORDER BY n DESC, f.rid DESC LIMIT $4 OFFSET $5)"
    f" SELECT {SELECT}, r.retired, r.rid, ranked.n, ARRAY(SELECT t.h FROM telling t)"
    " FROM (SELECT 1) one LEFT JOIN ranked ON true"
    " LEFT JOIN reflection r ON r.tenant = $1 AND r.rid = ranked.rid"
    " LEFT JOIN standing s ON s.tenant = $1 AND s.rid = ranked.rid"
    " ORDER BY ranked.n DESC, ranked.rid DESC"
)
"""Rows by how many of the telling features they have. `OFFSET 0` keeps the look at the index of
each feature, whatever the size of the table was when the statement was planned."""


async def shortlisted(
    db: PostgresDb, features: Sequence[int], *, limit: int = 30
) -> Sequence[Reflection]:
    """See `Store.shortlist`."""
    wanted = set(map(signed_number, features))
    limit = bounded(limit)
    chosen: list[Reflection] = []
    looked_at = 0
    while len(chosen) < limit:  # once, unless some of the best are retired
        asked = db.crowds.without([feature ^ place for place in db.places for feature in wanted])
        if not asked:
            break
        rows = await db.rows(_SHORTLIST, asked, CROWDED, limit, looked_at)
        db.crowds.add([*set(asked).difference(rows[0][-1])])
        wave = [row for row in rows if row[-3] is not None]
        chosen += [bare_from(db, row) for row in wave if not row[-4]]
        looked_at += limit
        if len(wave) < limit:
            break
    return chosen[:limit]


# --------------------------------------------------------------------- by word

MOST_WORDS = 32
"""Words of one search that are looked for; a longer query is a text, not a question."""

_SEARCHED = Statement(
    f"SELECT {SELECT}, ts_rank(r.words, $3::text::tsquery) AS relevance FROM {ROWS}"
    " WHERE r.tenant = $1 AND r.words @@ $2::text::tsquery AND r.retired = 0"
    " ORDER BY relevance DESC, r.id LIMIT $4"
)


async def searched(
    db: PostgresDb, words: Sequence[str], *, limit: int = 20
) -> Sequence[tuple[Reflection, float]]:
    """See `Store.search`."""
    plain = [word for word in dict.fromkeys(words) if any(map(str.isalnum, word))]
    query = query_of(plain[:MOST_WORDS])
    if not query:
        return []
    here = f"({' | '.join(map(lexeme, db.places))}) & ({query})"
    rows = await db.rows(_SEARCHED, here, query, bounded(limit))
    return [(bare_from(db, row), row[-1]) for row in rows]
