"""Reflections in SQLite: recorded and counted, found by id, key, feature, word and property.

Rule of this module: every function runs inside the transaction of its caller and says what it does
in SQL; what a merge does to texts is decided in `merging`, the same for every backend.
"""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from hashlib import blake2b
from typing import Any

from reflection_mcp.store.contract import CROWDED, MOST_HITS, Order
from reflection_mcp.store.merging import met_again, met_first, wordings_said
from reflection_mcp.store.records import (
    GLOBAL_PROJECT,
    Hit,
    Key,
    Kind,
    Link,
    Recorded,
    Reflection,
    Scope,
    Sighting,
    Wording,
)
from reflection_mcp.store.sqlite_attempts import bounded
from reflection_mcp.store.sqlite_rows import (
    REFLECTION,
    SELECT_REFLECTION,
    Row,
    features_blob,
    features_from,
    keys_from,
    keys_text,
    micros,
    moment,
    reflection_from,
    reflection_row,
    signed,
)

_WIDTH = len(REFLECTION)
_COLUMNS = ", ".join(f'"{name}"' for name in REFLECTION)
_MARKS = ", ".join("?" * (_WIDTH + 3))
_STORED = f"{SELECT_REFLECTION}, r.rid, r.author, r.keys, r.features"

_COUNT = f"""UPDATE reflection AS r SET
  occurrences = occurrences + 1,
  last_seen = max(last_seen, ?),
  sources = sources + NOT EXISTS(SELECT 1 FROM source s WHERE s.rid = r.rid AND s.source = ?)
WHERE %s RETURNING {_COLUMNS}, rid, author, keys, features"""

_COUNT_SAME = _COUNT % "tenant = ? AND project = ? AND id = ? AND kind = ?"
_COUNT_SIGNED = _COUNT % "tenant = ? AND project = ? AND kind = ? AND signature = ?"

_TEXTS = ("lesson", "strategy", "trigger", "evidence", "example", "question", "tags")
_TEXT_AT = tuple(REFLECTION.index(name) for name in _TEXTS)
_INDEXED = ", ".join(f'"{name}"' for name in _TEXTS)


# --------------------------------------------------------------------- recording


def record(db: sqlite3.Connection, scope: Scope, sighting: Sighting) -> Recorded:
    """See `Store.record`."""
    new, place = sighting.reflection, (scope.tenant, scope.project)
    known = db.execute(
        "SELECT rid FROM event WHERE tenant = ? AND project = ? AND event_id = ? AND kind = ?",
        (*place, sighting.event_id, new.kind),
    ).fetchall()
    if known:
        return Recorded(reflection=_whole(db, known[0][0]), created=False, counted=False)
    row = _count(db, place, sighting)
    if row is None:
        rid, reflection = _insert(db, scope, sighting)
    else:
        rid, reflection = row[_WIDTH], _merge(db, row, sighting)
    db.execute(
        "INSERT INTO event(tenant, project, event_id, kind, rid) VALUES(?, ?, ?, ?, ?)",
        (*place, sighting.event_id, new.kind, rid),
    )
    db.execute(
        "INSERT INTO source(rid, source, times) VALUES(?, ?, 1)"
        " ON CONFLICT(rid, source) DO UPDATE SET times = times + 1",
        (rid, sighting.source),
    )
    for said in wordings_said(sighting):
        _say(db, rid, said)
    if new.links:
        db.executemany(
            "INSERT OR IGNORE INTO link(rid, kind, target_id) VALUES(?, ?, ?)",
            [(rid, link.kind, link.target_id) for link in new.links],
        )
    whole = _with_links_and_wordings(db, rid, reflection)
    return Recorded(reflection=whole, created=row is None, counted=True)


def _count(db: sqlite3.Connection, place: tuple[str, str], sighting: Sighting) -> Row | None:
    """Count one more occurrence of the row that the sighting means, if there is one."""
    new = sighting.reflection
    seen = (micros(new.last_seen), sighting.source)
    if sighting.same_as is not None:
        same = (*seen, *place, sighting.same_as, new.kind)
        if rows := db.execute(_COUNT_SAME, same).fetchall():
            return tuple(rows[0])
    rows = db.execute(_COUNT_SIGNED, (*seen, *place, new.kind, new.signature)).fetchall()
    return tuple(rows[0]) if rows else None


def _insert(db: sqlite3.Connection, scope: Scope, sighting: Sighting) -> tuple[int, Reflection]:
    new = met_first(scope, sighting)
    if db.execute(
        "SELECT 1 FROM reflection WHERE tenant = ? AND project = ? AND id = ?",
        (scope.tenant, scope.project, new.id),
    ).fetchall():
        raise ValueError("this id already names another reflection")
    values = reflection_row(new)
    keys = list(dict.fromkeys(sighting.keys))
    features = list(dict.fromkeys(map(signed, sighting.features)))
    rid = db.execute(
        f"INSERT INTO reflection({_COLUMNS}, author, keys, features) VALUES({_MARKS})",
        (*values, sighting.source, keys_text(keys), features_blob(features)),
    ).lastrowid
    assert rid is not None
    _index_words(db, rid, values)
    _index_tags(db, rid, new.tags)
    _index_keys(db, rid, scope, keys)
    _index_features(db, rid, scope, features)
    return rid, replace(new, links=())


def _merge(db: sqlite3.Connection, row: Row, sighting: Sighting) -> Reflection:
    """Bring the texts, keys and features of a sighting into the row that was counted."""
    rid, author, keys, blob = row[_WIDTH:]
    before = reflection_from(row)
    after, said_by = met_again(before, sighting, author=author)
    if after is not before:
        _rewrite(db, rid, row[:_WIDTH], after, said_by)
    _learn_keys(db, rid, before.scope, keys, sighting.keys)
    _learn_features(db, rid, before.scope, blob, sighting.features)
    return after


def _rewrite(db: sqlite3.Connection, rid: int, old: Row, after: Reflection, author: str) -> None:
    new = reflection_row(after)
    if any(old[at] != new[at] for at in _TEXT_AT):
        _unindex_words(db, rid, old)
        _index_words(db, rid, new)
    _unindex_tags(db, rid, reflection_from(old).tags)
    _index_tags(db, rid, after.tags)
    db.execute(
        f"UPDATE reflection SET ({_COLUMNS}, author) = ({', '.join('?' * (_WIDTH + 1))})"
        " WHERE rid = ?",
        (*new, author, rid),
    )


def _say(db: sqlite3.Connection, rid: int, said: Wording) -> None:
    db.execute(
        "INSERT INTO wording(rid, source, lesson, strategy, at, times, suspicious)"
        " VALUES(?, ?, ?, ?, ?, ?, ?) ON CONFLICT(rid, source, lesson, strategy)"
        " DO UPDATE SET times = times + excluded.times",
        (
            rid, said.source, said.lesson, said.strategy, micros(said.at), said.times,
            int(said.suspicious),
        ),
    )  # fmt: skip


# --------------------------------------------------------------------- what finds a row again


def salt(scope: Scope) -> int:
    """Keeps equal features of different scopes in different lists."""
    name = f"{scope.tenant}\0{scope.project}".encode()
    return int.from_bytes(blake2b(name, digest_size=8).digest(), "little", signed=True)


def _index_words(db: sqlite3.Connection, rid: int, values: Row) -> None:
    db.execute(
        f"INSERT INTO words(rowid, {_INDEXED}) VALUES(?{', ?' * len(_TEXTS)})",
        (rid, *(values[at] for at in _TEXT_AT)),
    )


def _unindex_words(db: sqlite3.Connection, rid: int, values: Row) -> None:
    """An index without a copy of the text has to be told what to take out."""
    db.execute(
        f"INSERT INTO words(words, rowid, {_INDEXED}) VALUES('delete', ?{', ?' * len(_TEXTS)})",
        (rid, *(values[at] for at in _TEXT_AT)),
    )


def _index_tags(db: sqlite3.Connection, rid: int, tags: Iterable[str]) -> None:
    db.executemany("INSERT OR IGNORE INTO tag(tag, rid) VALUES(?, ?)", [(t, rid) for t in tags])


def _unindex_tags(db: sqlite3.Connection, rid: int, tags: Iterable[str]) -> None:
    db.executemany("DELETE FROM tag WHERE tag = ? AND rid = ?", [(t, rid) for t in tags])


def _index_keys(db: sqlite3.Connection, rid: int, scope: Scope, keys: Iterable[Key]) -> None:
    db.executemany(
        "INSERT OR IGNORE INTO key(tenant, project, digest, rid, kind) VALUES(?, ?, ?, ?, ?)",
        [(scope.tenant, scope.project, key.digest, rid, key.kind) for key in keys],
    )


def _index_features(
    db: sqlite3.Connection, rid: int, scope: Scope, features: Iterable[int]
) -> None:
    mixed = salt(scope)
    db.executemany(
        "INSERT OR IGNORE INTO feature(h, rid) VALUES(?, ?)",
        [(feature ^ mixed, rid) for feature in features],
    )


def _learn_keys(
    db: sqlite3.Connection, rid: int, scope: Scope, stored: str, given: Sequence[Key]
) -> None:
    known = keys_from(stored)
    fresh = [key for key in dict.fromkeys(given) if key not in known]
    if fresh:
        _index_keys(db, rid, scope, fresh)
        db.execute("UPDATE reflection SET keys = ? WHERE rid = ?", (keys_text(known + fresh), rid))


def _learn_features(
    db: sqlite3.Connection, rid: int, scope: Scope, stored: bytes, given: Sequence[int]
) -> None:
    if not given:
        return
    known = features_from(stored)
    fresh = set(map(signed, given)).difference(known)
    if fresh:
        _index_features(db, rid, scope, fresh)
        db.execute(
            "UPDATE reflection SET features = ? WHERE rid = ?",
            (features_blob([*known, *fresh]), rid),
        )


# --------------------------------------------------------------------- reading


def readable(scope: Scope) -> tuple[str, str, str]:
    """The values of `tenant = ? AND project IN (?, ?)`."""
    return (scope.tenant, scope.project, GLOBAL_PROJECT)


def _whole(db: sqlite3.Connection, rid: int) -> Reflection:
    row = db.execute(f"SELECT {SELECT_REFLECTION} FROM reflection r WHERE rid = ?", (rid,))
    return _with_links_and_wordings(db, rid, reflection_from(row.fetchall()[0]))


def _with_links_and_wordings(
    db: sqlite3.Connection, rid: int, reflection: Reflection
) -> Reflection:
    links = db.execute(
        "SELECT kind, target_id FROM link WHERE rid = ? ORDER BY kind, target_id", (rid,)
    ).fetchall()
    wordings = db.execute(
        "SELECT source, lesson, strategy, at, times, suspicious FROM wording"
        " WHERE rid = ? ORDER BY at, source, lesson, strategy",
        (rid,),
    ).fetchall()
    if not links and not wordings:
        return reflection
    return replace(
        reflection,
        links=tuple(Link(kind=kind, target_id=target) for kind, target in links),
        wordings=tuple(
            Wording(source=w[0], lesson=w[1], strategy=w[2], at=moment(w[3]), times=w[4],
                    suspicious=w[5] == 1)
            for w in wordings
        ),
    )  # fmt: skip


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
    return _whole(db, rid)


def by_id(db: sqlite3.Connection, scope: Scope, reflection_id: str) -> Reflection | None:
    """See `Store.reflection`."""
    rid = numbered(db, scope, reflection_id)
    return None if rid is None else _whole(db, rid)


_ORDER: dict[Order, str] = {
    "newest": "last_seen DESC, id, rid",
    "most_met": "occurrences DESC, id, rid",
    "importance": "importance DESC, id, rid",
}


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
    """See `Store.reflections`."""
    where = ["tenant = ? AND project IN (?, ?) AND importance >= ?"]
    values: list[Any] = [*readable(scope), min_importance]
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
    rows = db.execute(
        f"SELECT {SELECT_REFLECTION} FROM reflection r WHERE {' AND '.join(where)}"
        f" ORDER BY {_ORDER[order]} LIMIT ? OFFSET ?",
        (*values, bounded(limit), bounded(offset)),
    ).fetchall()
    return [reflection_from(row) for row in rows]


def found(db: sqlite3.Connection, scope: Scope, digests: Sequence[str]) -> Sequence[Hit]:
    """See `Store.find`."""
    wanted = list(dict.fromkeys(digests))
    rows = db.execute(
        f"SELECT {SELECT_REFLECTION}, k.kind, k.digest FROM key k JOIN reflection r USING(rid)"
        " WHERE k.tenant = ? AND k.project IN (?, ?)"
        f" AND k.digest IN ({', '.join('?' * len(wanted))}) AND r.retired = 0"
        f" ORDER BY r.last_seen DESC, r.id, k.kind, k.digest LIMIT {MOST_HITS}",
        (*readable(scope), *wanted),
    ).fetchall()
    return [Hit(key=Key(kind=r[-2], digest=r[-1]), reflection=reflection_from(r)) for r in rows]


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
            " AND tenant = ? AND project IN (?, ?) AND retired = 0",
            (*wave, *readable(scope)),
        ).fetchall()
        by_rid = {row[0]: row[1:] for row in rows}
        chosen += [reflection_from(by_rid[rid]) for rid in wave if rid in by_rid]
    return chosen[:limit]


MOST_WORDS = 32
"""Words of one search that are looked for: storage.md 9."""


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


# --------------------------------------------------------------------- forgetting


def erase(db: sqlite3.Connection, scope: Scope, reflection_id: str) -> bool:
    """Delete the reflection and all that hangs on it, in the other scopes of the tenant too."""
    rows = db.execute(
        f"SELECT {_STORED} FROM reflection r WHERE tenant = ? AND project = ? AND id = ?",
        (scope.tenant, scope.project, reflection_id),
    ).fetchall()
    if not rows:
        return False
    row = rows[0]
    rid, _, keys, blob = row[_WIDTH:]
    _unindex_words(db, rid, row)
    _unindex_tags(db, rid, reflection_from(row).tags)
    mixed = salt(scope)
    db.executemany(
        "DELETE FROM key WHERE tenant = ? AND project = ? AND digest = ? AND rid = ?",
        [(scope.tenant, scope.project, key.digest, rid) for key in keys_from(keys)],
    )
    db.executemany(
        "DELETE FROM feature WHERE h = ? AND rid = ?",
        [(feature ^ mixed, rid) for feature in features_from(blob)],
    )
    db.execute("INSERT INTO words(words) VALUES('optimize')")  # or its words stay in old segments
    db.execute("DELETE FROM event WHERE rid = ?", (rid,))
    db.execute("DELETE FROM reflection WHERE rid = ?", (rid,))
    of_tenant = (scope.tenant, reflection_id)
    for table in ("shown", "veto"):
        db.execute(f"DELETE FROM {table} WHERE tenant = ? AND reflection_id = ?", of_tenant)
    db.execute(
        "DELETE FROM link WHERE target_id = ?"
        " AND rid IN (SELECT rid FROM reflection WHERE tenant = ?)",
        of_tenant[::-1],
    )
    return True
