"""Whole rows in PostgreSQL: read out for an export, brought in by an import, changed by a plan.

Rule of this module: what becomes of a row is decided in `store.maintenance`, the same for every
backend. Every row that is changed is locked before it is read. A row that is put down replaces
everything that hung on the one before: words, tags, keys, features, links, wordings.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from reflection_mcp.store.columns import bounded, strings_from
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
from reflection_mcp.store.postgres import recording, tallies
from reflection_mcp.store.postgres.children import add, clear, erase, put_values
from reflection_mcp.store.postgres.connections import Db, Row, Statement
from reflection_mcp.store.postgres.errors import Raced
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
_READ = Statement(f"SELECT {WHOLE} FROM {ROWS} WHERE r.tenant = $1 AND r.rid = ANY($2::bigint[])")
_SIGNED = Statement(
    "SELECT (SELECT r.rid FROM reflection r WHERE r.tenant = $1 AND r.place = $2"
    "  AND r.kind = a.kind AND r.signature = a.signature)"
    " FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS a(kind, signature, n) ORDER BY a.n"
)
_TAKEN = Statement(
    "SELECT r.id FROM reflection r WHERE r.tenant = $1 AND r.place = $2"
    " AND (r.id = $3::text OR r.id > $3::text || '-' AND r.id < $3::text || '.')"
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


async def _locked(db: Db, rids: Sequence[int]) -> dict[int, tuple[StoredReflection, StoredRow]]:
    """Rows by their numbers, as they are since they are locked."""
    await lock(db, rids)
    return await _read(db, rids)


async def _read(db: Db, rids: Sequence[int]) -> dict[int, tuple[StoredReflection, StoredRow]]:
    found = [_one(db, values) for values in await db.rows(_READ, [*rids])]
    if len(found) < len(rids):
        raise Raced  # somebody has just deleted one
    return {row.rid: (whole, row) for whole, row in found}


async def _signed(db: Db, rows: Iterable[StoredReflection]) -> list[int | None]:
    """The number of the row with the same kind and signature, for each."""
    names = [(row.reflection.kind, row.reflection.signature) for row in rows]
    kinds, signatures = [kind for kind, _ in names], [signature for _, signature in names]
    return [rid for (rid,) in await db.rows(_SIGNED, db.place, kinds, signatures)]


# --------------------------------------------------------------------- writing


async def adopt(db: Db, rows: Iterable[StoredReflection], by_hand: bool) -> Adopted:
    """See `Store.adopt`: few statements for all, whatever is new sent together."""
    done = Adopted()
    for some in _different(rows):
        numbers = await _signed(db, some)
        new = [row for row, rid in zip(some, numbers, strict=True) if rid is None]
        await _make(db, new)
        done += Adopted(created=len(new))
        there = await _locked(db, [rid for rid in numbers if rid is not None])
        for given, rid in zip(some, numbers, strict=True):
            if rid is not None:
                before, row = there[rid]
                own = placed(db.scope, given, before.reflection.id)
                after = united(before, own, by_hand=by_hand)
                if after != before:
                    await _put(db, after, row)
                done += Adopted(changed=int(after != before), unchanged=int(after == before))
    return done


def _different(rows: Iterable[StoredReflection]) -> Iterator[list[StoredReflection]]:
    """The rows in their order, cut where one has the signature of one before."""
    some: list[StoredReflection] = []
    names: set[tuple[str, str]] = set()
    for row in rows:
        name = (row.reflection.kind, row.reflection.signature)
        if name in names:
            yield some
            some, names = [], set()
        some.append(row)
        names.add(name)
    if some:
        yield some


async def _make(db: Db, rows: Sequence[StoredReflection]) -> list[str]:
    """Put new rows down; returns the ids under which they are stored."""
    wanted = [row.reflection.id for row in rows]
    taken = {name for _, name in await db.rows(_NUMBERED, db.place, wanted)}
    names: list[str] = []
    for name in wanted:
        if name in taken:
            taken.update([each for (each,) in await db.rows(_TAKEN, db.place, name)])
        names.append(free_id(name, taken.__contains__))
        taken.add(names[-1])
    made = [placed(db.scope, row, name) for row, name in zip(rows, names, strict=True)]
    await recording.put_new(db, [_new_values(db, row) for row in made])
    return names


_PEOPLE = Statement(
    "INSERT INTO source(tenant, rid, source) SELECT $1, $3, s.source FROM source s"
    " WHERE s.tenant = $1 AND s.rid = $2 ON CONFLICT DO NOTHING"
)
_COUNTED = Statement(
    "UPDATE standing t SET again = 0, sources = greatest(t.sources, (SELECT count(*) FROM source s"
    " WHERE s.tenant = $1 AND s.rid = $2)) WHERE t.tenant = $1 AND t.rid = $2"
)
_OF_ROW = (
    "(v.target_id = $3::text OR v.target_id > $3::text || '.' AND v.target_id < $3::text || '/')"
)
_MOVED_ID = "$5::text || substr(v.target_id, length($3::text) + 1)"
_OUTVOTED = Statement(
    "DELETE FROM vote o USING vote v WHERE o.tenant = $1 AND o.place = $4 AND v.tenant = $1"
    f" AND v.place = $2 AND {_OF_ROW} AND o.target_id = {_MOVED_ID} AND o.source = v.source"
    " AND o.occasion = v.occasion"
)
_REVOTED = Statement(
    f"UPDATE vote v SET place = $4, target_id = {_MOVED_ID}"
    f" WHERE v.tenant = $1 AND v.place = $2 AND {_OF_ROW}"
)
_LINKS_GONE = Statement(
    "DELETE FROM link l USING reflection r, link o WHERE l.tenant = $1 AND r.tenant = $1"
    " AND o.tenant = $1 AND r.rid = l.rid AND r.place = $2 AND l.target_id = $3"
    " AND o.rid = l.rid AND o.kind = l.kind AND o.target_id = $4"
)
_RELINKED = Statement(
    "UPDATE link l SET target_id = $4 FROM reflection r WHERE l.tenant = $1 AND r.tenant = $1"
    " AND r.rid = l.rid AND r.place = $2 AND l.target_id = $3"
)


async def move(db: Db, ids: Sequence[str], project: str) -> dict[str, str]:
    """See `Store.move`."""
    to, named = replace(db.scope, project=project), dict[str, str]()
    there = Db(db.connection, to, db.patience)
    await there.found()
    wanted = list(dict.fromkeys(ids if to != db.scope else ()))
    numbers = {name: rid for rid, name in await db.rows(_NUMBERED, db.place, wanted)}
    rows = await _locked(db, [*numbers.values()])
    for name in (each for each in wanted if each in numbers):
        whole, row = rows[numbers[name]]
        given = relinked(whole, named)
        kind = given.reflection.kind
        (twin,) = await _signed(there, [given])
        if twin is None:
            (new,) = await _make(there, [given])
        else:
            before, known = (await _locked(there, [twin]))[twin]
            new = before.reflection.id
            await _put(there, added_up(before, placed(to, given, new)), known)
        ((rid, _),) = await there.rows(_NUMBERED, there.place, [new])
        await db.rows(_PEOPLE, row.rid, rid)
        await db.rows(_COUNTED, rid)
        for statement in (_OUTVOTED, _REVOTED):
            await db.rows(statement, db.place, name, there.place, new)
        tags = strings_from(row.reflection.tags)
        await erase(db, db.place, row.rid, row.keys, row.features, tags)
        await tallies.changed(db, db.place, kind, row.reflection, None)
        for statement in (_LINKS_GONE, _RELINKED) if new != name else ():
            await db.rows(statement, db.place, name, new)
        named[name] = new
    return named


async def rewrite(db: Db, changes: Sequence[Change]) -> tuple[str, ...]:
    """See `Store.rewrite`."""
    names = [change.before.reflection.id for change in changes]
    numbers = {name: rid for rid, name in await db.rows(_NUMBERED, db.place, names)}
    rows = await _locked(db, [*numbers.values()])
    ready: list[tuple[StoredReflection, StoredRow]] = []
    hindered: list[str] = []
    for name, change in zip(names, changes, strict=True):
        if name in numbers:
            before, row = rows[numbers[name]]
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
    (found,) = await _signed(db, [row])
    if found is None:
        return False
    other, _ = (await _read(db, [found]))[found]
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


def _new_values(db: Db, new: StoredReflection) -> list[object]:
    return recording.new_values(
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
