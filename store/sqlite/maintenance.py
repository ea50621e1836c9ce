"""Whole rows in SQLite: read out for an export, brought in by an import, changed by a plan.

Rule of this module: every function runs inside the transaction of its caller; what becomes of a row
is decided in `store.maintenance`, the same for every backend. A row that is put down replaces
everything that hung on the one before: words, tags, keys, features, links, wordings.
"""

import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from reflection_mcp.store.columns import bounded
from reflection_mcp.store.maintenance import (
    Adopted,
    Change,
    StoredReflection,
    VoteTally,
    added_up,
    carried_out,
    free_id,
    placed,
    relinked,
    tidy,
    united,
)
from reflection_mcp.store.merging import without_votes_of
from reflection_mcp.store.records import Link, Scope
from reflection_mcp.store.rows import (
    COLUMNS,
    MARKS,
    STORED,
    WORDING,
    WORDING_MARKS,
    StoredRow,
    WordingRow,
    features_blob,
    features_from,
    keys_from,
    keys_text,
    reflection_from,
    reflection_row,
    signed,
    stored_row,
    wording_from,
    wording_row,
)
from reflection_mcp.store.sqlite import recording
from reflection_mcp.store.sqlite.indexes import (
    index_features,
    index_keys,
    index_tags,
    index_words,
    unindex_keys_and_features,
    unindex_tags,
    unindex_words,
)

_SELECT = f"SELECT {STORED} FROM reflection r WHERE tenant = ? AND project = ?"


# --------------------------------------------------------------------- reading


def stored(
    db: sqlite3.Connection, scope: Scope, after: str, limit: int, only: str
) -> Sequence[StoredReflection]:
    """See `Store.stored`: one look at each table for all rows of the page."""
    which = "AND id = ?4 AND id > ?3" if only else "AND id > ?3 AND ?4 = ''"
    rows = db.execute(
        f"{_SELECT} {which} ORDER BY id LIMIT ?5",
        (scope.tenant, scope.project, after, only, bounded(limit)),
    ).fetchall()
    return _whole(db, [stored_row(row) for row in rows])


def _whole(db: sqlite3.Connection, rows: Sequence[StoredRow]) -> list[StoredReflection]:
    rids = [row.rid for row in rows]
    marks = ", ".join("?" * len(rids))
    links: dict[int, list[Link]] = defaultdict(list)
    for rid, kind, target in db.execute(
        f"SELECT rid, kind, target_id FROM link WHERE rid IN ({marks})", rids
    ).fetchall():
        links[rid].append(Link(kind=kind, target_id=target))
    said: dict[int, list[WordingRow]] = defaultdict(list)
    for rid, *wording in db.execute(
        f"SELECT rid, {WORDING} FROM wording WHERE rid IN ({marks})", rids
    ).fetchall():
        said[rid].append(WordingRow(*wording))
    return [_one(row, links[row.rid], said[row.rid]) for row in rows]


def _one(row: StoredRow, links: Sequence[Link], said: Sequence[WordingRow]) -> StoredReflection:
    wordings = (wording_from(each, row) for each in said)
    return tidy(
        StoredReflection(
            reflection=reflection_from(
                row.reflection, links=tuple(links), wordings=tuple(wordings)
            ),
            keys=tuple(keys_from(row.keys)),
            features=tuple(features_from(row.features)),
            author=row.author,
        )
    )


def _find(db: sqlite3.Connection, scope: Scope, where: str, *values: object) -> StoredRow | None:
    place = (scope.tenant, scope.project)
    rows = db.execute(f"{_SELECT} AND {where}", (*place, *values)).fetchall()
    return stored_row(rows[0]) if rows else None


# --------------------------------------------------------------------- writing


def adopt(
    db: sqlite3.Connection, scope: Scope, rows: Iterable[StoredReflection], by_hand: bool
) -> Adopted:
    """See `Store.adopt`."""
    done = Adopted()
    for given in rows:
        new = given.reflection
        row = _find(db, scope, "kind = ? AND signature = ?", new.kind, new.signature)
        if row is None:
            name = free_id(new.id, lambda each: _find(db, scope, "id = ?", each) is not None)
            _put(db, scope, placed(scope, given, name), None)
            done += Adopted(created=1)
            continue
        before = _whole(db, [row])[0]
        after = united(before, placed(scope, given, before.reflection.id), by_hand=by_hand)
        if after != before:
            _put(db, scope, after, row)
        done += Adopted(changed=int(after != before), unchanged=int(after == before))
    return done


def move(db: sqlite3.Connection, scope: Scope, ids: Sequence[str], project: str) -> dict[str, str]:
    """See `Store.move`."""
    to, named = replace(scope, project=project), dict[str, str]()
    for name in dict.fromkeys(ids if to != scope else ()):
        row = _find(db, scope, "id = ?", name)
        if row is None:
            continue
        given = relinked(_whole(db, [row])[0], named)
        kind, signature = given.reflection.kind, given.reflection.signature
        twin = _find(db, to, "kind = ? AND signature = ?", kind, signature)
        if twin is None:
            new = free_id(name, lambda each: _find(db, to, "id = ?", each) is not None)
            _put(db, to, placed(to, given, new), None)
        else:
            there = _whole(db, [twin])[0]
            new = there.reflection.id
            _put(db, to, added_up(there, placed(to, given, new)), twin)
        _bring_people(db, row.rid, to, new)
        _bring_votes(db, scope, name, to, new)
        recording.delete(db, scope, row)
        if new != name:
            db.execute(
                "UPDATE OR REPLACE link SET target_id = ? WHERE target_id = ?"
                " AND rid IN (SELECT rid FROM reflection WHERE tenant = ? AND project = ?)",
                (new, name, scope.tenant, scope.project),
            )
        named[name] = new
    return named


def _bring_people(db: sqlite3.Connection, rid: int, to: Scope, new: str) -> None:
    """Let those who recorded a row count for the one that it is now."""
    row = _find(db, to, "id = ?", new)
    assert row is not None  # it was put down in this transaction
    db.execute(
        "INSERT OR IGNORE INTO source(rid, source) SELECT ?, source FROM source WHERE rid = ?",
        (row.rid, rid),
    )
    db.execute(
        "UPDATE reflection SET sources ="
        " max(sources, (SELECT count(*) FROM source WHERE rid = ?1)) WHERE rid = ?1",
        (row.rid,),
    )


def _bring_votes(db: sqlite3.Connection, scope: Scope, name: str, to: Scope, new: str) -> None:
    db.execute(
        "UPDATE OR REPLACE vote SET project = ?4, target_id = ?5 || substr(target_id, ?6)"
        " WHERE tenant = ?1 AND project = ?2"
        " AND (target_id = ?3 OR target_id > ?3 || '.' AND target_id < ?3 || '/')",
        (scope.tenant, scope.project, name, to.project, new, len(name) + 1),
    )


def rewrite(db: sqlite3.Connection, scope: Scope, changes: Sequence[Change]) -> tuple[str, ...]:
    """See `Store.rewrite`."""
    ready: list[tuple[StoredReflection, StoredRow]] = []
    hindered: list[str] = []
    for change in changes:
        name = change.before.reflection.id
        row = _find(db, scope, "id = ?", name)
        after = carried_out(_whole(db, [row])[0], change) if row is not None else None
        if row is None or after is None or _is_taken(db, scope, after, ready):
            hindered.append(name)
        else:
            ready.append((placed(scope, after), row))
    if not hindered:
        for (after, row), change in zip(ready, changes, strict=True):
            _put(db, scope, after, row)
            for old, new in change.renamed:
                _rename(db, scope, old, new, after.reflection.id)
    return tuple(hindered)


def _is_taken(
    db: sqlite3.Connection,
    scope: Scope,
    row: StoredReflection,
    ready: Sequence[tuple[StoredReflection, StoredRow]],
) -> bool:
    """Return True if another row has the signature of this one, or is about to get it."""
    new = row.reflection
    name = (new.kind, new.signature)
    if any((e.reflection.kind, e.reflection.signature) == name for e, _ in ready):
        return True
    return _find(db, scope, "kind = ? AND signature = ? AND id <> ?", *name, new.id) is not None


def _rename(db: sqlite3.Connection, scope: Scope, old: str, new: str, row_id: str) -> None:
    """Log under a new signature what was logged under an old one."""
    place = (scope.tenant, scope.project, old)
    of_old = "WHERE tenant = ?1 AND project = ?2 AND signature = ?3"
    db.execute(f"UPDATE lookup SET signature = ?4 {of_old}", (*place, new))
    for table, which in (("shown", of_old), ("veto", f"{of_old} AND reflection_id <> ?5")):
        values = (*place, new, row_id)[: 5 if table == "veto" else 4]
        db.execute(f"UPDATE OR IGNORE {table} SET signature = ?4 {which}", values)
        db.execute(f"DELETE FROM {table} {which} AND ?4 <> ?3", values)


def _put(
    db: sqlite3.Connection, scope: Scope, new: StoredReflection, old: StoredRow | None
) -> None:
    """Put a row down, in the place of `old` if there is one."""
    values = reflection_row(new.reflection)
    features = [signed(feature) for feature in new.features]
    kept: tuple[Any, ...] = (*values, new.author, keys_text(new.keys), features_blob(features))
    if old is None:
        rid = db.execute(
            f"INSERT INTO reflection({COLUMNS}, author, keys, features) VALUES({MARKS}, ?, ?, ?)",
            kept,
        ).lastrowid
        assert rid is not None
    else:
        rid = old.rid
        unindex_words(db, rid, old.reflection)
        unindex_tags(db, rid, reflection_from(old.reflection).tags)
        unindex_keys_and_features(db, rid, scope, old.keys, old.features)
        for table in ("link", "wording"):
            db.execute(f"DELETE FROM {table} WHERE rid = ?", (rid,))
        db.execute(
            f"UPDATE reflection SET ({COLUMNS}, author, keys, features) = ({MARKS}, ?, ?, ?),"
            " repeated = 0 WHERE rid = ?",
            (*kept, rid),
        )
    index_words(db, rid, values)
    index_tags(db, rid, new.reflection.tags)
    index_keys(db, rid, scope, new.keys)
    index_features(db, rid, scope, features)
    db.executemany(
        "INSERT OR IGNORE INTO link(rid, kind, target_id) VALUES(?, ?, ?)",
        [(rid, link.kind, link.target_id) for link in new.reflection.links],
    )
    db.executemany(
        f"INSERT INTO wording(rid, {WORDING}) VALUES(?, {WORDING_MARKS})",
        [
            (rid, *wording_row(said))
            for said in without_votes_of(new.reflection, new.reflection.wordings)
        ],
    )
    db.executemany(
        "INSERT INTO source(rid, source) VALUES(?, ?) ON CONFLICT DO NOTHING",
        [(rid, person) for person in new.people],
    )


# --------------------------------------------------------------------- verdicts of people


def verdicts(db: sqlite3.Connection, scope: Scope) -> Sequence[VoteTally]:
    """See `Store.verdicts`."""
    rows = db.execute(
        "SELECT json_extract(body, '$.judge') AS judge, count(*), total(feedback = 'positive'),"
        " avg(json_extract(body, '$.metadata.reported')) FROM attempt"
        " WHERE tenant = ? AND project = ? AND feedback IS NOT NULL"
        " AND json_extract(body, '$.metadata.reported') IS NOT NULL GROUP BY judge ORDER BY judge",
        (scope.tenant, scope.project),
    ).fetchall()
    return [
        VoteTally(judge=judge, given=given, positive=int(positive), reported=reported)
        for judge, given, positive, reported in rows
    ]
