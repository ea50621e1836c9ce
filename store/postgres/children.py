"""The rows that belong to a reflection: keys, features, tags, links, wordings and sources.

Rule of this module: the parts of one statement that put it down, whether the row is new or was
there before; an entry of an index can be computed from the row that it leads to.
"""

from collections.abc import Iterable, Sequence

from reflection_mcp.store.columns import strings_from
from reflection_mcp.store.postgres.connections import PostgresDb
from reflection_mcp.store.postgres.rows import key_columns, wording_columns
from reflection_mcp.store.records import Key, Link, Wording
from reflection_mcp.store.rows import (
    StoredRow,
    WordingRow,
    features_blob,
    features_from,
    keys_from,
    keys_text,
    signed,
)
from reflection_mcp.store.sql.db import Statement

_WORDING_TYPES = {"at": "bigint", "times": "bigint", "suspicious": "smallint",
                  "helped": "bigint", "failed": "bigint"}  # fmt: skip
_SAID = ("said", *WordingRow._fields)
_SAID_NAMES = ", ".join(_SAID)
_SAID_VALUES = ", ".join(
    f"${10 + number}::{'bigint' if name == 'said' else _WORDING_TYPES.get(name, 'text')}[]"
    for number, name in enumerate(_SAID)
)
FIRST = 10 + len(_SAID)
"""The number of the first value behind those of `PUT`."""

PUT = (
    " ke AS (INSERT INTO key(tenant, digest, place, rid, kind)"
    "  SELECT $1, u.digest, $2, one.rid, u.kind FROM one,"
    "   unnest($3::bigint[], $4::text[]) AS u(digest, kind) ON CONFLICT DO NOTHING),"
    " fe AS (INSERT INTO feature(tenant, h, rid)"
    "  SELECT $1, u.h, one.rid FROM one, unnest($5::bigint[]) AS u(h) ON CONFLICT DO NOTHING),"
    " ta AS (INSERT INTO tag(tenant, place, tag, rid)"
    "  SELECT $1, $2, u.tag, one.rid FROM one, unnest($6::text[]) AS u(tag)"
    "  ON CONFLICT DO NOTHING),"
    " li AS (INSERT INTO link(tenant, rid, kind, target_id)"
    "  SELECT $1, one.rid, u.kind, u.target FROM one,"
    "   unnest($7::text[], $8::text[]) AS u(kind, target) ON CONFLICT DO NOTHING),"
    " so AS (INSERT INTO source(tenant, rid, source)"
    "  SELECT $1, one.rid, u.source FROM one, unnest($9::text[]) AS u(source)"
    "  ON CONFLICT DO NOTHING),"
    f" wo AS (INSERT INTO wording AS w(tenant, rid, {_SAID_NAMES})"
    f"  SELECT $1, one.rid, u.* FROM one, unnest({_SAID_VALUES}) AS u({_SAID_NAMES})"
    "  ON CONFLICT(tenant, rid, said) DO UPDATE SET times = w.times + excluded.times)"
)
"""The parts that put all of it down for the row of `one`; the values are those of `put_values`."""

ADDED = Statement(f"WITH one AS (SELECT ${FIRST}::bigint AS rid),{PUT} SELECT")
_UNINDEXED = (
    " ke AS (DELETE FROM key k WHERE k.tenant = $1 AND k.place = $2 AND k.rid = $3"
    "  AND k.digest = ANY($4::bigint[])),"
    " fe AS (DELETE FROM feature f WHERE f.tenant = $1 AND f.rid = $3"
    "  AND f.h = ANY($5::bigint[])),"
    " ta AS (DELETE FROM tag t WHERE t.tenant = $1 AND t.place = $2 AND t.rid = $3"
    "  AND t.tag = ANY($6::text[])),"
    " li AS (DELETE FROM link l WHERE l.tenant = $1 AND l.rid = $3),"
    " wo AS (DELETE FROM wording w WHERE w.tenant = $1 AND w.rid = $3)"
)
_CLEARED = Statement(f"WITH{_UNINDEXED} SELECT")
_ERASED = Statement(
    f"WITH{_UNINDEXED},"
    " so AS (DELETE FROM source s WHERE s.tenant = $1 AND s.rid = $3),"
    " st AS (DELETE FROM standing s WHERE s.tenant = $1 AND s.rid = $3),"
    " ev AS (DELETE FROM event e WHERE e.tenant = $1 AND e.place = $2 AND e.rid = $3)"
    " DELETE FROM reflection r WHERE r.tenant = $1 AND r.rid = $3"
)


def put_values(
    place: int,
    *,
    keys: Iterable[Key] = (),
    features: Iterable[int] = (),
    tags: Iterable[str] = (),
    links: Iterable[Link] = (),
    people: Iterable[str] = (),
    wordings: Iterable[Wording] = (),
) -> list[object]:
    """The values `$2` and following of `PUT`."""
    digests, kinds = key_columns(keys)
    pairs = list(dict.fromkeys((link.kind, link.target_id) for link in links))
    return [
        place,
        digests,
        kinds,
        sorted({signed(feature) ^ place for feature in features}),
        sorted(set(tags)),
        [kind for kind, _ in pairs],
        [target for _, target in pairs],
        sorted(set(people)),
        *wording_columns(wordings),
    ]


async def add(db: PostgresDb, rid: int, links: Iterable[Link], wordings: Iterable[Wording]) -> None:
    """See `Statements.add`."""
    await db.rows(ADDED, *put_values(db.place, links=links, wordings=wordings), rid)


async def clear(db: PostgresDb, row: StoredRow, *, whole: bool) -> None:
    """Delete all that hangs on a row but for its sources, or the `whole` row."""
    digests, _ = key_columns(keys_from(row.keys))
    features = [each ^ db.place for each in features_from(row.features)]
    entries = (digests, features, list(strings_from(row.reflection.tags)))
    await db.rows(_ERASED if whole else _CLEARED, db.place, row.rid, *entries)


_LEARNED = (
    "WITH st AS (UPDATE standing s SET again = 0 WHERE s.tenant = $1 AND s.rid = $2)"
    " UPDATE reflection r SET {0} = $3 WHERE r.tenant = $1 AND r.rid = $2"
)
_KEYS = Statement(_LEARNED.format("keys"))
_FEATURES = Statement(_LEARNED.format("features"))
_UNLEARNED = Statement(
    "DELETE FROM key k USING unnest($4::bigint[], $5::text[]) AS u(digest, kind)"
    " WHERE k.tenant = $1 AND k.place = $2 AND k.rid = $3 AND k.digest = u.digest"
    " AND k.kind = u.kind"
)


async def keep_keys(
    db: PostgresDb, rid: int, kept: Sequence[Key], came: Iterable[Key], gone: Iterable[Key]
) -> None:
    """See `Statements.keep_keys`."""
    await db.rows(_UNLEARNED, db.place, rid, *key_columns(gone))
    await db.rows(ADDED, *put_values(db.place, keys=came), rid)
    await db.rows(_KEYS, rid, keys_text(kept))


async def keep_features(db: PostgresDb, rid: int, kept: Sequence[int], came: Sequence[int]) -> None:
    """See `Statements.keep_features`."""
    await db.rows(ADDED, *put_values(db.place, features=came), rid)
    await db.rows(_FEATURES, rid, features_blob(kept))
