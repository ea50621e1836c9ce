"""The indexes of a reflection: its words, tags, keys and features.

Rule of this module: an index entry can be computed from the row it leads to, so that it can be
removed again without an index of the index.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from operator import attrgetter

from reflection_mcp.store.columns import salt
from reflection_mcp.store.merging import both_keys
from reflection_mcp.store.records import (
    Key,
    Scope,
)
from reflection_mcp.store.rows import (
    ReflectionRow,
    features_blob,
    features_from,
    keys_from,
    keys_text,
    signed,
)

_TEXTS = (
    "lesson", "strategy", "trigger", "evidence", "example", "question", "tags", "situations",
)  # fmt: skip
_texts_of = attrgetter(*_TEXTS)
_INDEXED = ", ".join(f'"{name}"' for name in _TEXTS)


def index_words(db: sqlite3.Connection, rid: int, row: ReflectionRow) -> None:
    """Let `search` find the row by the words of its texts."""
    db.execute(
        f"INSERT INTO words(rowid, {_INDEXED}) VALUES(?{', ?' * len(_TEXTS)})",
        (rid, *_texts_of(row)),
    )


def unindex_words(db: sqlite3.Connection, rid: int, row: ReflectionRow) -> None:
    """Remove the words of a row; an index without a copy of the text needs them named."""
    db.execute(
        f"INSERT INTO words(words, rowid, {_INDEXED}) VALUES('delete', ?{', ?' * len(_TEXTS)})",
        (rid, *_texts_of(row)),
    )


def index_tags(db: sqlite3.Connection, rid: int, tags: Iterable[str]) -> None:
    """Let `reflections` find the row by its tags."""
    db.executemany("INSERT OR IGNORE INTO tag(tag, rid) VALUES(?, ?)", [(t, rid) for t in tags])


def unindex_tags(db: sqlite3.Connection, rid: int, tags: Iterable[str]) -> None:
    """The reverse of `index_tags`."""
    db.executemany("DELETE FROM tag WHERE tag = ? AND rid = ?", [(t, rid) for t in tags])


def index_keys(db: sqlite3.Connection, rid: int, scope: Scope, keys: Iterable[Key]) -> None:
    """Let `find` find the row by its keys."""
    db.executemany(
        "INSERT OR IGNORE INTO key(tenant, project, digest, rid, kind) VALUES(?, ?, ?, ?, ?)",
        [(scope.tenant, scope.project, key.digest, rid, key.kind) for key in keys],
    )


def _unindex_keys(db: sqlite3.Connection, rid: int, scope: Scope, keys: Iterable[Key]) -> None:
    """The reverse of `index_keys`."""
    db.executemany(
        "DELETE FROM key WHERE tenant = ? AND project = ? AND digest = ? AND rid = ? AND kind = ?",
        [(scope.tenant, scope.project, key.digest, rid, key.kind) for key in keys],
    )


def index_features(db: sqlite3.Connection, rid: int, scope: Scope, features: Iterable[int]) -> None:
    """Let `shortlist` find the row by its features."""
    mixed = salt(scope)
    db.executemany(
        "INSERT OR IGNORE INTO feature(h, rid) VALUES(?, ?)",
        [(feature ^ mixed, rid) for feature in features],
    )


def learn_keys(
    db: sqlite3.Connection, rid: int, scope: Scope, stored: str, given: Sequence[Key]
) -> None:
    """Add the keys that the row does not have yet; `stored` is its list of keys."""
    if not given or keys_text(given) == stored:
        return
    known = keys_from(stored)
    kept = both_keys(known, given)
    if kept != known:
        _unindex_keys(db, rid, scope, set(known).difference(kept))
        index_keys(db, rid, scope, set(kept).difference(known))
        db.execute("UPDATE reflection SET keys = ? WHERE rid = ?", (keys_text(kept), rid))


def learn_features(
    db: sqlite3.Connection, rid: int, scope: Scope, stored: bytes, given: Sequence[int]
) -> None:
    """Add the features that the row does not have yet; `stored` is its list of features."""
    if not given or features_blob(given) == stored:
        return
    known = features_from(stored)
    fresh = set(map(signed, given)).difference(known)
    if fresh:
        index_features(db, rid, scope, fresh)
        db.execute(
            "UPDATE reflection SET features = ? WHERE rid = ?",
            (features_blob([*known, *fresh]), rid),
        )


def texts_differ(one: ReflectionRow, other: ReflectionRow) -> bool:
    """Return True if two rows are found by different words."""
    return bool(_texts_of(one) != _texts_of(other))


def unindex_keys_and_features(
    db: sqlite3.Connection, rid: int, scope: Scope, keys: str, features: bytes
) -> None:
    """Remove the index entries of a row; `keys` and `features` are its own lists."""
    mixed = salt(scope)
    _unindex_keys(db, rid, scope, keys_from(keys))
    db.executemany(
        "DELETE FROM feature WHERE h = ? AND rid = ?",
        [(feature ^ mixed, rid) for feature in features_from(features)],
    )
