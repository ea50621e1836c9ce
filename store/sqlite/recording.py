"""Recording a reflection in SQLite: a new row, or one more count of a known one; and its end.

Rule of this module: every function runs inside the transaction of its caller; what a merge does to
texts is decided in `merging`, the same for every backend. The commonest case, a known reflection
whose author says the same again, changes one row, adds one event, and touches no index.
"""

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from reflection_mcp.store.columns import micros
from reflection_mcp.store.merging import (
    both_keys,
    is_completed,
    met_again,
    met_first,
    replaced,
    wordings_said,
)
from reflection_mcp.store.records import (
    Link,
    Observation,
    RecordResult,
    Reflection,
    Scope,
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
    WordingRow,
    features_blob,
    keys_text,
    reflection_from,
    reflection_row,
    signed,
    stored_row,
    wording_row,
)
from reflection_mcp.store.sqlite.indexes import (
    index_features,
    index_keys,
    index_tags,
    index_words,
    learn_features,
    learn_keys,
    texts_differ,
    unindex_keys_and_features,
    unindex_tags,
    unindex_words,
)
from reflection_mcp.store.sqlite.reflections import by_number, whole, wordings_of
from reflection_mcp.store.versions import first_id


def record(db: sqlite3.Connection, scope: Scope, observation: Observation) -> RecordResult:
    """See `Store.record`."""
    new, place = observation.reflection, (scope.tenant, scope.project)
    event = (*place, observation.event_id, new.kind)
    row = _recognised(db, place, observation)
    if row is not None and _is_new(db, event, row.rid):
        known = db.execute(_MET_BY, (row.rid, observation.person)).fetchall()
        counted = not (observation.corrects and known)
        return _with_its_lesson(db, scope, observation, _count(db, row, observation, counted))
    known = db.execute(
        "SELECT rid FROM event WHERE tenant = ? AND project = ? AND event_id = ? AND kind = ?",
        event,
    ).fetchall()
    if known:
        return RecordResult(reflection=by_number(db, known[0][0]), created=False, counted=False)
    rid = _insert(db, scope, observation)
    _is_new(db, event, rid)
    made = RecordResult(reflection=by_number(db, rid), created=True, counted=True)
    return _with_its_lesson(db, scope, observation, made)


def _recognised(
    db: sqlite3.Connection, place: tuple[str, str], observation: Observation
) -> StoredRow | None:
    """The row that the observation means: the one it names, else the one with its signature."""
    new = observation.reflection
    rows: list[Sequence[Any]] = []
    if observation.same_as is not None:
        rows = db.execute(_SAME, (*place, observation.same_as, new.kind)).fetchall()
    if not rows:
        rows = db.execute(_SIGNED, (*place, new.kind, new.signature)).fetchall()
    return stored_row(rows[0]) if rows else None


_SAME = (
    f"SELECT {STORED} FROM reflection r WHERE tenant = ? AND project = ? AND id = ? AND kind = ?"
)
_SIGNED = (
    f"SELECT {STORED} FROM reflection r"
    " WHERE tenant = ? AND project = ? AND kind = ? AND signature = ?"
)


def stored(db: sqlite3.Connection, rid: int) -> StoredRow:
    """The row with a number that is known to exist."""
    return stored_row(
        db.execute(f"SELECT {STORED} FROM reflection r WHERE rid = ?", (rid,)).fetchall()[0]
    )


_MET_BY = "SELECT 1 FROM source WHERE rid = ? AND source = ?"


def _is_new(db: sqlite3.Connection, event: tuple[str, str, str, str], rid: int) -> bool:
    """Note the event; False when it was delivered before."""
    added = db.execute(
        "INSERT INTO event(tenant, project, event_id, kind, rid) VALUES(?, ?, ?, ?, ?)"
        " ON CONFLICT DO NOTHING",
        (*event, rid),
    )
    return added.rowcount == 1


def _met_by(db: sqlite3.Connection, rid: int, person: str) -> int:
    """1 if this person is new to the row, else 0."""
    return db.execute(
        "INSERT INTO source(rid, source) VALUES(?, ?) ON CONFLICT DO NOTHING", (rid, person)
    ).rowcount


def _count(
    db: sqlite3.Connection, row: StoredRow, observation: Observation, counted: bool
) -> RecordResult:
    """Count one more occurrence of the row, if it is one, and fill in what is new."""
    rid, was = row.rid, row.reflection
    fresh = _met_by(db, rid, observation.person)
    seen = micros(observation.reflection.last_seen)
    wordings = wordings_of(db, rid)
    said = wordings_said(observation)
    again = len(said) == 1 and said[0].times == 1 and _is_shown(said[0], row, wordings)
    db.execute(
        "UPDATE reflection SET occurrences = occurrences + ?, sources = sources + ?,"
        " last_seen = max(last_seen, ?), repeated = repeated + ? WHERE rid = ?",
        (counted, fresh, seen, again, rid),
    )
    now = was._replace(
        occurrences=was.occurrences + counted,
        sources=was.sources + fresh,
        last_seen=max(was.last_seen, seen),
    )
    row = row._replace(reflection=now, repeated=row.repeated + again)
    _add_links(db, rid, observation.reflection.links)
    if said and not again:
        _say(db, rid, said)
        wordings = wordings_of(db, rid)
    before = whole(db, row, wordings)
    after, now_by = met_again(before, observation, author=row.author)
    learn_keys(db, rid, before.scope, row.keys, observation.keys)
    learn_features(db, rid, before.scope, row.features, observation.features)
    if after is before:
        return RecordResult(reflection=before, created=False, counted=counted)
    retired = show_first(db, row, before, after, now_by)
    return RecordResult(
        reflection=by_number(db, rid),
        created=False,
        counted=counted,
        replaced=replaced(before, after, row.author),
        retired=retired,
    )


def _is_shown(said: Wording, row: StoredRow, wordings: Sequence[WordingRow]) -> bool:
    """Return True if the author repeats what the row shows."""
    return said.key == row.shown and any(wording.key == said.key for wording in wordings)


def show_first(
    db: sqlite3.Connection, row: StoredRow, before: Reflection, after: Reflection, author: str
) -> tuple[str, ...]:
    """Write a row that may show other words than before; return the strategies that retired.

    Args:
        db: in a transaction.
        row: as it is stored.
        before: the same as a record, whole.
        after: as it is to be, with the votes of the version that it shows.
        author: whose words it shows.
    """
    _settle(db, row, before, after)
    _rewrite(db, row.rid, row.reflection, after, author)
    if after.kind == "strategy" or before.strategy == after.strategy:
        return ()
    retired: list[str] = []
    for rid, name, rule, is_retired, lessons in db.execute(
        "SELECT r.rid, r.id, r.lesson, r.retired, group_concat(l.target_id, ' ') FROM reflection r"
        " JOIN link l ON l.rid = r.rid AND l.kind = 'strategy_of'"
        " WHERE r.tenant = ? AND r.project = ? AND r.kind = 'strategy' AND r.lesson IN (?, ?)"
        " GROUP BY r.rid ORDER BY r.id",
        (after.scope.tenant, after.scope.project, before.strategy, after.strategy),
    ).fetchall():
        if goes := rule == before.strategy and lessons == after.id:
            retired.append(name)
        if goes or (is_retired and after.id in lessons.split(" ") and rule == after.strategy):
            db.execute("UPDATE reflection SET retired = ? WHERE rid = ?", (goes, rid))
    return tuple(retired)


def _settle(db: sqlite3.Connection, row: StoredRow, before: Reflection, after: Reflection) -> None:
    """Bring the counts of the shown wording home before another one may be shown."""
    db.execute(
        "UPDATE wording SET times = times + ?"
        " WHERE rid = ? AND source = ? AND lesson = ? AND strategy = ?",
        (row.repeated, row.rid, *row.shown),
    )
    db.execute("UPDATE reflection SET repeated = 0 WHERE rid = ?", (row.rid,))
    words = (after.lesson, after.strategy)
    if words == row.shown[1:]:
        return
    votes = (
        "UPDATE wording SET helped = ?, failed = ? WHERE rid = ? AND lesson = ? AND strategy = ?"
    )
    if is_completed(before, after):
        db.execute(
            "UPDATE OR REPLACE vote SET target_id = ?"
            " WHERE tenant = ? AND project = ? AND target_id = ?",
            (first_id(after), after.scope.tenant, after.scope.project, first_id(before)),
        )
    else:
        db.execute(votes, (before.helped, before.failed, row.rid, *row.shown[1:]))
    db.execute(votes, (0, 0, row.rid, *words))


def _with_its_lesson(
    db: sqlite3.Connection, scope: Scope, observation: Observation, made: RecordResult
) -> RecordResult:
    """The result, a strategy retired that came with words that its lesson does not show."""
    row = made.reflection
    lessons = {link.target_id for link in row.links if link.kind == "strategy_of"}
    for lesson in lessons if row.kind == "strategy" and len(lessons) == 1 else ():
        shown = db.execute(
            "SELECT strategy FROM reflection WHERE tenant = ? AND project = ? AND id = ?"
            " AND kind = 'reflection' AND strategy <> ?",
            (scope.tenant, scope.project, lesson, row.lesson),
        ).fetchall()
        if shown and not row.retired:
            db.execute(
                "UPDATE reflection SET retired = 1 WHERE tenant = ? AND project = ? AND id = ?",
                (scope.tenant, scope.project, row.id),
            )
            return replace(made, reflection=replace(row, retired=True), retired=(row.id,))
    return made


def _insert(db: sqlite3.Connection, scope: Scope, observation: Observation) -> int:
    """Make a row for the observation, and everything that will find it again."""
    new = met_first(scope, observation)
    if db.execute(
        "SELECT 1 FROM reflection WHERE tenant = ? AND project = ? AND id = ?",
        (scope.tenant, scope.project, new.id),
    ).fetchall():
        raise ValueError("this id already names another reflection")
    values = reflection_row(new)
    keys = both_keys((), observation.keys)
    features = list(dict.fromkeys(map(signed, observation.features)))
    rid = db.execute(
        f"INSERT INTO reflection({COLUMNS}, author, keys, features) VALUES({MARKS}, ?, ?, ?)",
        (*values, observation.source, keys_text(keys), features_blob(features)),
    ).lastrowid
    assert rid is not None
    _met_by(db, rid, observation.person)
    _add_links(db, rid, new.links)
    _say(db, rid, wordings_said(observation))
    index_words(db, rid, values)
    index_tags(db, rid, new.tags)
    index_keys(db, rid, scope, keys)
    index_features(db, rid, scope, features)
    return rid


def _rewrite(
    db: sqlite3.Connection, rid: int, old: ReflectionRow, after: Reflection, author: str
) -> None:
    new = reflection_row(after)
    if texts_differ(old, new):
        unindex_words(db, rid, old)
        index_words(db, rid, new)
    if old.tags != new.tags:
        unindex_tags(db, rid, reflection_from(old).tags)
        index_tags(db, rid, after.tags)
    db.execute(
        f"UPDATE reflection SET ({COLUMNS}, author) = ({MARKS}, ?) WHERE rid = ?",
        (*new, author, rid),
    )


def _say(db: sqlite3.Connection, rid: int, wordings: Iterable[Wording]) -> None:
    for said in wordings:
        db.execute(
            f"INSERT INTO wording(rid, {WORDING}) VALUES(?, {WORDING_MARKS})"
            " ON CONFLICT(rid, source, lesson, strategy)"
            " DO UPDATE SET times = times + excluded.times",
            (rid, *wording_row(said)),
        )


def _add_links(db: sqlite3.Connection, rid: int, links: Iterable[Link]) -> None:
    for link in links:
        db.execute(
            "INSERT OR IGNORE INTO link(rid, kind, target_id) VALUES(?, ?, ?)",
            (rid, link.kind, link.target_id),
        )


# --------------------------------------------------------------------- forgetting


def erase(db: sqlite3.Connection, scope: Scope, reflection_id: str) -> bool:
    """Delete the reflection and all that hangs on it, in the other scopes of the tenant too."""
    rows = db.execute(
        f"SELECT {STORED} FROM reflection r WHERE tenant = ? AND project = ? AND id = ?",
        (scope.tenant, scope.project, reflection_id),
    ).fetchall()
    if not rows:
        return False
    delete(db, scope, stored_row(rows[0]))
    of_tenant = (scope.tenant, reflection_id)
    for table in ("shown", "veto"):
        db.execute(f"DELETE FROM {table} WHERE tenant = ? AND reflection_id = ?", of_tenant)
    db.execute(
        "DELETE FROM link WHERE target_id = ?"
        " AND rid IN (SELECT rid FROM reflection WHERE tenant = ?)",
        of_tenant[::-1],
    )
    return True


def delete(db: sqlite3.Connection, scope: Scope, row: StoredRow) -> None:
    """Delete a row of this scope and all that hangs on it; what names it stays."""
    rid = row.rid
    unindex_words(db, rid, row.reflection)
    unindex_tags(db, rid, reflection_from(row.reflection).tags)
    unindex_keys_and_features(db, rid, scope, row.keys, row.features)
    db.execute("DELETE FROM event WHERE rid = ?", (rid,))
    db.execute("DELETE FROM reflection WHERE rid = ?", (rid,))
