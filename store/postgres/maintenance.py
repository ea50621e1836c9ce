"""Whole rows in PostgreSQL: read out for an export, brought in by an import, changed by a plan.

Rule of this module: what becomes of a row is decided in `store.maintenance`, the same for every
backend. Every row that is changed is locked before it is read. A row that is put down replaces
everything that hung on the one before: words, tags, keys, features, links, wordings.
"""

from collections.abc import Iterable, Sequence

from reflection_mcp.store.columns import bounded, strings_from
from reflection_mcp.store.maintenance import (
    Adopted,
    Change,
    StoredReflection,
    VoteTally,
    carried_out,
    free_id,
    placed,
    tidy,
    united,
)
from reflection_mcp.store.merging import without_votes_of
from reflection_mcp.store.postgres import recording
from reflection_mcp.store.postgres.children import add, clear, put_values
from reflection_mcp.store.postgres.connections import Db, Row, Statement
from reflection_mcp.store.postgres.feedback import lock
from reflection_mcp.store.postgres.rows import ROWS, WHOLE, stored_from, whole_from
from reflection_mcp.store.rows import (
    StoredRow,
    features_blob,
    features_from,
    keys_from,
    keys_text,
    signed,
)

_STORED = Statement(
    f"SELECT {WHOLE} FROM {ROWS} WHERE r.tenant = $1 AND r.place = $2 AND r.id > $3"
    " AND ($4::text = '' OR r.id = $4) ORDER BY r.id LIMIT $5"
)
_SIGNED = Statement(
    "SELECT r.rid FROM reflection r WHERE r.tenant = $1 AND r.place = $2 AND r.kind = $3"
    " AND r.signature = $4"
)
_TAKEN = Statement(
    "SELECT r.id FROM reflection r WHERE r.tenant = $1 AND r.place = $2"
    " AND (r.id = $3::text OR starts_with(r.id, $3::text || '-'))"
)
_NUMBERED = Statement(
    "SELECT r.rid, r.id FROM reflection r WHERE r.tenant = $1 AND r.place = $2"
    " AND r.id = ANY($3::text[])"
)


async def stored(db: Db, after: str, limit: int, only: str) -> Sequence[StoredReflection]:
    """See `Store.stored`."""
    rows = await db.rows(_STORED, db.place, after, only, bounded(limit))
    return [_one(db, row)[0] for row in rows]


def _one(db: Db, values: Row) -> tuple[StoredReflection, StoredRow]:
    row = stored_from(db, values)
    whole = StoredReflection(
        reflection=whole_from(db, values),
        keys=tuple(keys_from(row.keys)),
        features=tuple(features_from(row.features)),
        author=row.author,
    )
    return tidy(whole), row


async def _read(db: Db, rid: int) -> tuple[StoredReflection, StoredRow]:
    """A row as it is since it is locked."""
    _, values = await recording.stored(db, rid)
    return _one(db, values)


# --------------------------------------------------------------------- writing


async def adopt(db: Db, rows: Iterable[StoredReflection], by_hand: bool) -> Adopted:
    """See `Store.adopt`."""
    done = Adopted()
    for given in rows:
        new = given.reflection
        found = await db.row(_SIGNED, db.place, new.kind, new.signature)
        if found is None:
            taken = {row[0] for row in await db.rows(_TAKEN, db.place, new.id)}
            await _make(db, placed(db.scope, given, free_id(new.id, taken.__contains__)))
            done += Adopted(created=1)
            continue
        await lock(db, [found[0]])
        before, row = await _read(db, found[0])
        after = united(before, placed(db.scope, given, before.reflection.id), by_hand=by_hand)
        if after != before:
            await _put(db, after, row)
        done += Adopted(changed=int(after != before), unchanged=int(after == before))
    return done


async def rewrite(db: Db, changes: Sequence[Change]) -> tuple[str, ...]:
    """See `Store.rewrite`."""
    names = [change.before.reflection.id for change in changes]
    numbers = {name: rid for rid, name in await db.rows(_NUMBERED, db.place, names)}
    await lock(db, [*numbers.values()])
    ready: list[tuple[StoredReflection, StoredRow]] = []
    hindered: list[str] = []
    for name, change in zip(names, changes, strict=True):
        if name in numbers:
            before, row = await _read(db, numbers[name])
            after = carried_out(before, change)
            if after is not None and not await _is_taken(db, after, ready):
                ready.append((placed(db.scope, after), row))
                continue
        hindered.append(name)
    if not hindered:
        for (after, row), change in zip(ready, changes, strict=True):
            await _put(db, after, row)
            for old, new in change.renamed:
                await _rename(db, old, new, after.reflection.id)
    return tuple(hindered)


async def _is_taken(
    db: Db, row: StoredReflection, ready: Sequence[tuple[StoredReflection, StoredRow]]
) -> bool:
    """Return True if another row has the signature of this one, or is about to get it."""
    new = row.reflection
    name = (new.kind, new.signature)
    if any((each.reflection.kind, each.reflection.signature) == name for each, _ in ready):
        return True
    found = await db.row(_SIGNED, db.place, *name)
    if found is None:
        return False
    other, _ = await recording.stored(db, found[0])
    return other.reflection.id != new.id


_RENAMED = (
    Statement(
        "UPDATE lookup l SET signature = $4"
        " WHERE l.tenant = $1 AND l.place = $2 AND l.signature = $3"
    ),
    Statement(
        "INSERT INTO shown(tenant, place, signature, reflection_id)"
        " SELECT $1, $2, $4, s.reflection_id FROM shown s"
        " WHERE s.tenant = $1 AND s.place = $2 AND s.signature = $3 ON CONFLICT DO NOTHING"
    ),
    Statement(
        "DELETE FROM shown s WHERE s.tenant = $1 AND s.place = $2 AND s.signature = $3"
        " AND $3::text <> $4::text"
    ),
)
_VETOES_RENAMED = (
    Statement(
        "INSERT INTO veto(tenant, place, signature, reflection_id, source, at, comment)"
        " SELECT $1, $2, $4, v.reflection_id, v.source, v.at, v.comment FROM veto v"
        " WHERE v.tenant = $1 AND v.place = $2 AND v.signature = $3 AND v.reflection_id <> $5"
        " ON CONFLICT DO NOTHING"
    ),
    Statement(
        "DELETE FROM veto v WHERE v.tenant = $1 AND v.place = $2 AND v.signature = $3"
        " AND v.reflection_id <> $5 AND $3::text <> $4::text"
    ),
)


async def _rename(db: Db, old: str, new: str, row_id: str) -> None:
    """Log under a new signature what was logged under an old one."""
    for statement in _RENAMED:
        await db.rows(statement, db.place, old, new)
    for statement in _VETOES_RENAMED:
        await db.rows(statement, db.place, old, new, row_id)


def _hanging(db: Db, row: StoredReflection) -> list[object]:
    reflection = row.reflection
    return put_values(
        db.place,
        keys=row.keys,
        features=row.features,
        tags=reflection.tags,
        links=reflection.links,
        people=row.people,
        wordings=without_votes_of(reflection, reflection.wordings),
    )


async def _make(db: Db, new: StoredReflection) -> None:
    """Put a new row down."""
    await recording.put_new(
        db,
        new.reflection,
        author=new.author,
        keys=new.keys,
        features=[*map(signed, new.features)],
        values=_hanging(db, new),
    )


async def _put(db: Db, new: StoredReflection, old: StoredRow) -> None:
    """Put a row down in the place of `old`."""
    tags = strings_from(old.reflection.tags)
    await clear(db, db.place, old.rid, old.keys, old.features, tags)
    await add(db, old.rid, _hanging(db, new))
    await recording.rewrite(
        db,
        db.place,
        old,
        new.reflection,
        new.author,
        keys_text(new.keys),
        features_blob(map(signed, new.features)),
    )


# --------------------------------------------------------------------- verdicts of people

_VERDICTS = Statement(
    "SELECT a.judge, count(*), count(*) FILTER (WHERE a.feedback = 'positive'), avg(a.reported)"
    " FROM (SELECT o.feedback, o.body::jsonb ->> 'judge' AS judge,"
    "   (o.body::jsonb -> 'metadata' ->> 'reported')::double precision AS reported"
    "  FROM attempt o WHERE o.tenant = $1 AND o.place = $2 AND o.feedback IS NOT NULL) a"
    " WHERE a.reported IS NOT NULL GROUP BY a.judge ORDER BY a.judge"
)


async def verdicts(db: Db) -> Sequence[VoteTally]:
    """See `Store.verdicts`."""
    rows = await db.rows(_VERDICTS, db.place)
    return [
        VoteTally(judge=judge, given=given, positive=positive, reported=reported)
        for judge, given, positive, reported in rows
    ]
