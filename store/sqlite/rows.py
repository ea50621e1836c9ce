"""Rows of `reflection` in SQLite: read whole, put down, counted, deleted.

Rule of this module: an entry of an index can be computed from the row that it leads to, so that it
can be removed again without an index of the index. Totals are kept by the schema.
"""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from operator import attrgetter

from reflection_mcp.store.columns import salt, strings_from
from reflection_mcp.store.maintenance import StoredReflection
from reflection_mcp.store.merging import without_votes_of
from reflection_mcp.store.records import (
    Key,
    Kind,
    Link,
    Observation,
    RecordResult,
    Reflection,
    Wording,
)
from reflection_mcp.store.rows import (
    COLUMNS,
    MARKS,
    STORED,
    WORDING,
    WORDING_MARKS,
    ReflectionRow,
    StoredRow,
    Values,
    WholeRow,
    WordingRow,
    features_blob,
    features_from,
    keys_from,
    keys_text,
    reflection_row,
    stored_row,
    wording_row,
)
from reflection_mcp.store.rows import (
    signed as signed_number,
)
from reflection_mcp.store.sql.statements import Count
from reflection_mcp.store.sqlite.db import SqliteDb

# --------------------------------------------------------------------- reading


def _parts(which: str) -> tuple[str, str, str]:
    """Return the statements for rows, their links and their wordings."""
    return (
        f"SELECT {STORED} FROM reflection r WHERE rid {which}",
        f"SELECT rid, kind, target_id FROM link WHERE rid {which} ORDER BY kind, target_id",
        f"SELECT rid, {WORDING} FROM wording WHERE rid {which}"
        " ORDER BY at, source, lesson, strategy",
    )


_OF_ONE = _parts("= ?")
_OF_MANY = _parts("IN (SELECT value FROM json_each(?))")


async def whole(db: SqliteDb, rids: Sequence[int]) -> list[WholeRow]:
    """See `Statements.whole`: one look at each table for all of them."""
    rows, links, said = (
        db.execute(part, (rids[0],) if len(rids) == 1 else (json.dumps(rids),)).fetchall()
        for part in (_OF_ONE if len(rids) == 1 else _OF_MANY)
    )
    linked: dict[int, list[Link]] = defaultdict(list)
    for rid, kind, target in links:
        linked[rid].append(Link(kind=kind, target_id=target))
    worded: dict[int, list[WordingRow]] = defaultdict(list)
    for rid, *wording in said:
        worded[rid].append(WordingRow._make(wording))
    return [WholeRow(row, linked[row.rid], worded[row.rid]) for row in map(stored_row, rows)]


async def signed(db: SqliteDb, names: Sequence[tuple[Kind, str]]) -> list[int | None]:
    """See `Statements.signed`."""
    found = (
        db.execute(
            "SELECT rid FROM reflection"
            " WHERE tenant = ? AND project = ? AND kind = ? AND signature = ?",
            (db.scope.tenant, db.place, *name),
        ).fetchall()
        for name in names
    )
    return [rows[0][0] if rows else None for rows in found]


# --------------------------------------------------------------------- putting down


async def lock(db: SqliteDb, rids: Sequence[int]) -> None:
    """See `Statements.lock`: nobody else writes."""


async def at_once(db: SqliteDb, observation: Observation) -> RecordResult | None:
    """See `Statements.at_once`: no statement of SQLite records all."""
    return None


async def make(db: SqliteDb, row: StoredReflection, people: Iterable[str]) -> int:
    """See `Statements.make`."""
    kept = _kept(row)
    rid = db.execute(
        f"INSERT INTO reflection({COLUMNS}, author, keys, features) VALUES({MARKS}, ?, ?, ?)", kept
    ).lastrowid
    assert rid is not None
    await _hang(db, rid, row, kept, people)
    return rid


async def make_all(db: SqliteDb, rows: Sequence[StoredReflection]) -> None:
    """See `Statements.make_all`."""
    for row in rows:
        await make(db, row, row.people)


async def put(db: SqliteDb, new: StoredReflection, old: StoredRow) -> None:
    """See `Statements.put`."""
    _unindex(db, old)
    for table in ("link", "wording"):
        db.execute(f"DELETE FROM {table} WHERE rid = ?", (old.rid,))
    kept = _kept(new)
    db.execute(
        f"UPDATE reflection SET ({COLUMNS}, author, keys, features) = ({MARKS}, ?, ?, ?),"
        " repeated = 0 WHERE rid = ?",
        (*kept, old.rid),
    )
    await _hang(db, old.rid, new, kept, new.people)


def _kept(row: StoredReflection) -> Values:
    features = features_blob(map(signed_number, row.features))
    return (*reflection_row(row.reflection), row.author, keys_text(row.keys), features)


async def _hang(
    db: SqliteDb, rid: int, row: StoredReflection, kept: Values, people: Iterable[str]
) -> None:
    """Put down all that hangs on a row, which has nothing yet."""
    new = row.reflection
    _index_words(db, rid, ReflectionRow._make(kept[:-3]))
    _index_tags(db, rid, new.tags)
    _index_keys(db, rid, row.keys)
    _index_features(db, rid, map(signed_number, row.features))
    await add(db, rid, new.links, without_votes_of(new, new.wordings))
    db.executemany(
        "INSERT OR IGNORE INTO source(rid, source) VALUES(?, ?)", [(rid, each) for each in people]
    )


async def rewrite(db: SqliteDb, old: StoredRow, new: Reflection, author: str) -> None:
    """See `Statements.rewrite`."""
    was, row = old.reflection, reflection_row(new)
    if _texts_of(was) != _texts_of(row):
        _unindex_words(db, old.rid, was)
        _index_words(db, old.rid, row)
    if was.tags != row.tags:  # none ever goes
        _index_tags(db, old.rid, new.tags)
    db.execute(
        f"UPDATE reflection SET ({COLUMNS}, author) = ({MARKS}, ?), repeated = 0 WHERE rid = ?",
        (*row, author, old.rid),
    )


async def erase(db: SqliteDb, row: StoredRow) -> None:
    """See `Statements.erase`; what begins with the number of the row goes by cascade."""
    _unindex(db, row)
    db.execute("DELETE FROM event WHERE rid = ?", (row.rid,))
    db.execute("DELETE FROM reflection WHERE rid = ?", (row.rid,))


# --------------------------------------------------------------------- counting


async def count(db: SqliteDb, row: StoredRow, more: Count) -> None:
    """See `Statements.count`: of the indexes only those by time and by count are touched."""
    db.execute(
        "UPDATE reflection SET occurrences = occurrences + ?, sources = sources + ?,"
        " repeated = repeated + ?, last_seen = max(last_seen, ?) WHERE rid = ?",
        (*more, row.rid),
    )


async def judge(db: SqliteDb, row: StoredRow, helped: int, failed: int) -> None:
    """See `Statements.judge`."""
    db.execute(
        "UPDATE reflection SET helped = helped + ?, failed = failed + ? WHERE rid = ?",
        (helped, failed, row.rid),
    )


async def count_people(db: SqliteDb, rid: int) -> None:
    """See `Statements.count_people`."""
    db.execute(
        "UPDATE reflection SET sources ="
        " max(sources, (SELECT count(*) FROM source WHERE rid = ?1)) WHERE rid = ?1",
        (rid,),
    )


async def unchanged(db: SqliteDb, rid: int, observation: Observation) -> None:
    """See `Statements.unchanged`: nothing is made of that."""


# --------------------------------------------------------------------- what hangs on a row


async def add(db: SqliteDb, rid: int, links: Iterable[Link], wordings: Iterable[Wording]) -> None:
    """See `Statements.add`."""
    db.executemany(
        "INSERT OR IGNORE INTO link(rid, kind, target_id) VALUES(?, ?, ?)",
        [(rid, link.kind, link.target_id) for link in links],
    )
    db.executemany(
        f"INSERT INTO wording(rid, {WORDING}) VALUES(?, {WORDING_MARKS})"
        " ON CONFLICT(rid, source, lesson, strategy) DO UPDATE SET times = times + excluded.times",
        [(rid, *wording_row(said)) for said in wordings],
    )


async def keep_keys(
    db: SqliteDb, rid: int, kept: Sequence[Key], came: Iterable[Key], gone: Iterable[Key]
) -> None:
    """See `Statements.keep_keys`."""
    _unindex_keys(db, rid, gone)
    _index_keys(db, rid, came)
    db.execute("UPDATE reflection SET keys = ? WHERE rid = ?", (keys_text(kept), rid))


async def keep_features(db: SqliteDb, rid: int, kept: Sequence[int], came: Sequence[int]) -> None:
    """See `Statements.keep_features`."""
    _index_features(db, rid, came)
    db.execute("UPDATE reflection SET features = ? WHERE rid = ?", (features_blob(kept), rid))


_TEXTS = (
    "lesson", "strategy", "trigger", "evidence", "example", "question", "tags", "situations",
)  # fmt: skip
_texts_of = attrgetter(*_TEXTS)
_INDEXED = ", ".join(f'"{name}"' for name in _TEXTS)


def _index_words(db: SqliteDb, rid: int, row: ReflectionRow) -> None:
    """Let `search` find the row by the words of its texts."""
    db.execute(
        f"INSERT INTO words(rowid, {_INDEXED}) VALUES(?{', ?' * len(_TEXTS)})",
        (rid, *_texts_of(row)),
    )


def _unindex_words(db: SqliteDb, rid: int, row: ReflectionRow) -> None:
    """Remove the words of a row; an index without a copy of the text needs them named."""
    db.execute(
        f"INSERT INTO words(words, rowid, {_INDEXED}) VALUES('delete', ?{', ?' * len(_TEXTS)})",
        (rid, *_texts_of(row)),
    )


def _index_tags(db: SqliteDb, rid: int, tags: Iterable[str]) -> None:
    db.executemany("INSERT OR IGNORE INTO tag(tag, rid) VALUES(?, ?)", [(t, rid) for t in tags])


def _index_keys(db: SqliteDb, rid: int, keys: Iterable[Key]) -> None:
    db.executemany(
        "INSERT OR IGNORE INTO key(tenant, project, digest, rid, kind) VALUES(?, ?, ?, ?, ?)",
        [(db.scope.tenant, db.place, key.digest, rid, key.kind) for key in keys],
    )


def _unindex_keys(db: SqliteDb, rid: int, keys: Iterable[Key]) -> None:
    db.executemany(
        "DELETE FROM key WHERE tenant = ? AND project = ? AND digest = ? AND rid = ? AND kind = ?",
        [(db.scope.tenant, db.place, key.digest, rid, key.kind) for key in keys],
    )


def _index_features(db: SqliteDb, rid: int, features: Iterable[int]) -> None:
    mixed = salt(db.scope)
    db.executemany(
        "INSERT OR IGNORE INTO feature(h, rid) VALUES(?, ?)",
        [(feature ^ mixed, rid) for feature in features],
    )


def _unindex(db: SqliteDb, row: StoredRow) -> None:
    """Remove everything by which a row of this scope is found."""
    _unindex_words(db, row.rid, row.reflection)
    tags = [(tag, row.rid) for tag in strings_from(row.reflection.tags)]
    db.executemany("DELETE FROM tag WHERE tag = ? AND rid = ?", tags)
    _unindex_keys(db, row.rid, keys_from(row.keys))
    mixed = salt(db.scope)
    db.executemany(
        "DELETE FROM feature WHERE h = ? AND rid = ?",
        [(feature ^ mixed, row.rid) for feature in features_from(row.features)],
    )
