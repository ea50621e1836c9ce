"""Whole rows: read out for an export, brought in by an import, changed by a plan.

Rule of this module: what becomes of a row is decided in `store.maintenance`, the same for every
backend. Every row that is changed is locked before it is read. A row that is put down replaces
everything that hung on the one before: words, tags, keys, features, links, wordings.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

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
    united,
)
from reflection_mcp.store.rows import StoredRow, WholeRow
from reflection_mcp.store.sql import feedback, journal, recording
from reflection_mcp.store.sql.db import Db, Raced, Statement

_PAGE = Statement(
    "SELECT r.rid FROM reflection r WHERE r.tenant = $1 AND r.place = $2 AND r.id > $3"
    " ORDER BY r.id LIMIT $4"
)
_TAKEN = Statement(
    "SELECT r.id FROM reflection r WHERE r.tenant = $1 AND r.place = $2"
    " AND (r.id = $3::text OR r.id > $3::text || '-' AND r.id < $3::text || '.')"
)

Whole = tuple[StoredReflection, StoredRow]


async def stored(
    db: Db, *, after: str = "", limit: int = 500, only: str = ""
) -> Sequence[StoredReflection]:
    """See `Store.stored`."""
    rows = (
        await db.rows(_PAGE, db.place, after, bounded(limit))
        if not only
        else await db.rows(recording.OWN, db.place, [only] if only > after else [])
    )
    found = await _read(db, [row[0] for row in rows][: bounded(limit)])
    return sorted((row.stored() for row in found), key=lambda row: row.reflection.id)


async def locked(db: Db, rids: Sequence[int]) -> dict[int, Whole]:
    """Rows by their numbers, as they are since they are locked."""
    await db.statements.lock(db, rids)
    return {row.row.rid: (row.stored(), row.row) for row in await _read(db, rids)}


async def _read(db: Db, rids: Sequence[int]) -> list[WholeRow]:
    found = await db.statements.whole(db, rids)
    if len(found) < len(rids):
        raise Raced  # somebody has just deleted one
    return found


async def _signed(db: Db, rows: Iterable[StoredReflection]) -> list[int | None]:
    """The number of the row with the same kind and signature, for each."""
    return await db.statements.signed(
        db, [(row.reflection.kind, row.reflection.signature) for row in rows]
    )


# --------------------------------------------------------------------- writing


async def adopt(db: Db, rows: Iterable[StoredReflection], *, by_hand: bool = False) -> Adopted:
    """See `Store.adopt`: few statements for all, whatever is new sent together."""
    done = Adopted()
    for some in _different(rows):
        numbers = await _signed(db, some)
        new = [row for row, rid in zip(some, numbers, strict=True) if rid is None]
        await _make(db, new)
        done += Adopted(created=len(new))
        there = await locked(db, [rid for rid in numbers if rid is not None])
        for given, rid in zip(some, numbers, strict=True):
            if rid is not None:
                before, row = there[rid]
                own = placed(db.scope, given, before.reflection.id)
                after = united(before, own, by_hand=by_hand)
                if after != before:
                    await db.statements.put(db, after, row)
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
    taken = {name for _, name in await db.rows(recording.OWN, db.place, wanted)}
    names: list[str] = []
    for name in wanted:
        if name in taken:
            taken.update([each for (each,) in await db.rows(_TAKEN, db.place, name)])
        names.append(free_id(name, taken.__contains__))
        taken.add(names[-1])
    made = [placed(db.scope, row, name) for row, name in zip(rows, names, strict=True)]
    await db.statements.make_all(db, made)
    return names


PEOPLE_BROUGHT = Statement(
    "INSERT INTO source(tenant, rid, source) SELECT $1, $3, s.source FROM source s"
    " WHERE s.tenant = $1 AND s.rid = $2 ON CONFLICT DO NOTHING"
)
_OF_ROW = (
    "(v.target_id = $3::text OR v.target_id > $3::text || '.' AND v.target_id < $3::text || '/')"
)
_MOVED_ID = "$5::text || substr(v.target_id, length($3::text) + 1)"
_OUTVOTED = Statement(
    "DELETE FROM vote AS o WHERE o.tenant = $1 AND o.place = $4 AND EXISTS(SELECT FROM vote v"
    f" WHERE v.tenant = $1 AND v.place = $2 AND {_OF_ROW} AND o.target_id = {_MOVED_ID}"
    " AND o.source = v.source AND o.occasion = v.occasion)"
)
_REVOTED = Statement(
    f"UPDATE vote AS v SET place = $4, target_id = {_MOVED_ID}"
    f" WHERE v.tenant = $1 AND v.place = $2 AND {_OF_ROW}"
)
_LINKS = (
    "link.tenant = $1 AND link.target_id = $3 AND EXISTS(SELECT FROM reflection r"
    " WHERE r.tenant = $1 AND r.place = $2 AND r.rid = link.rid)"
)
_LINKS_GONE = Statement(
    f"DELETE FROM link WHERE {_LINKS} AND EXISTS(SELECT FROM link other_link"
    " WHERE other_link.tenant = $1 AND other_link.rid = link.rid"
    " AND other_link.kind = link.kind AND other_link.target_id = $4)"
)
_RELINKED = Statement(f"UPDATE link SET target_id = $4 WHERE {_LINKS}")


async def move(db: Db, ids: Sequence[str], project: str) -> dict[str, str]:
    """See `Store.move`."""
    to, named = replace(db.scope, project=project), dict[str, str]()
    there = await db.at(to)
    wanted = list(dict.fromkeys(ids if to != db.scope else ()))
    numbers = {name: rid for rid, name in await db.rows(recording.OWN, db.place, wanted)}
    rows = await locked(db, [*numbers.values()])
    for name in (each for each in wanted if each in numbers):
        whole, row = rows[numbers[name]]
        given = relinked(whole, named)
        (twin,) = await _signed(there, [given])
        if twin is None:
            (new,) = await _make(there, [given])
        else:
            before, known = (await locked(there, [twin]))[twin]
            new = before.reflection.id
            await there.statements.put(there, added_up(before, placed(to, given, new)), known)
        ((rid, _),) = await there.rows(recording.OWN, there.place, [new])
        await db.rows(PEOPLE_BROUGHT, row.rid, rid)
        await db.statements.count_people(db, rid)
        for statement in (_OUTVOTED, _REVOTED):
            await db.rows(statement, db.place, name, there.place, new)
        await db.statements.erase(db, row)
        for statement in (_LINKS_GONE, _RELINKED) if new != name else ():
            await db.rows(statement, db.place, name, new)
        named[name] = new
    await journal.leave_out(db, named)
    return named


async def rewrite(
    db: Db, changes: Sequence[Change], *, consolidated: datetime | None = None
) -> tuple[str, ...]:
    """See `Store.rewrite`."""
    names = [change.before.reflection.id for change in changes]
    numbers = {name: rid for rid, name in await db.rows(recording.OWN, db.place, names)}
    rows = await locked(db, [*numbers.values()])
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
        if consolidated is not None:
            await journal.save(db, changes, consolidated)
        for (after, row), change in zip(ready, changes, strict=True):
            if change.gone:
                await feedback.forget(db, after.reflection.id)
                continue
            await _take_back(db, row.rid, change)
            await db.statements.put(db, after, row)
            for old, new in change.renamed:
                await _rename(db, old, new, after.reflection.id)
    return tuple(hindered)


_UNRECORDED = Statement(
    "DELETE FROM event AS e WHERE e.tenant = $1 AND e.place = $2 AND e.rid = $3 AND e.event_id = $4"
)
_UNMET = Statement(
    "DELETE FROM source WHERE source.tenant = $1 AND source.rid = $2"
    " AND source.source = ANY($3::text[])"
)


async def _take_back(db: Db, rid: int, change: Change) -> None:
    """Forget the events of a change and the people who came with them, so that both can be recorded
    again."""
    for event in change.unrecorded:
        await db.rows(_UNRECORDED, db.place, rid, event)
    if change.after.reflection.sources < change.before.reflection.sources:
        people = set(change.before.people).difference(change.after.people)
        await db.rows(_UNMET, rid, [*people])


async def undo(db: Db) -> tuple[int, tuple[str, ...]]:
    """See `Store.undo`."""
    changes = await journal.changes_undone(db)
    hindered = await rewrite(db, changes)
    left = [change for change in changes if change.before.reflection.id not in hindered]
    if hindered:
        await rewrite(db, left)
    await journal.empty(db)
    return len(left), hindered


async def _is_taken(
    db: Db, row: StoredReflection, ready: Sequence[tuple[StoredReflection, StoredRow]]
) -> bool:
    """Return True if another row has the signature of this one, or is about to get it."""
    new = row.reflection
    name = (new.kind, new.signature)
    if any((each.reflection.kind, each.reflection.signature) == name for each, _ in ready):
        return True
    (found,) = await _signed(db, [row])
    return found is not None and (await recording.whole(db, found)).row.reflection.id != new.id


_RENAMED = (
    Statement(
        "UPDATE lookup AS l SET signature = $4"
        " WHERE l.tenant = $1 AND l.place = $2 AND l.signature = $3"
    ),
    Statement(
        "INSERT INTO shown(tenant, place, signature, reflection_id)"
        " SELECT $1, $2, $4, s.reflection_id FROM shown s"
        " WHERE s.tenant = $1 AND s.place = $2 AND s.signature = $3 ON CONFLICT DO NOTHING"
    ),
    Statement(
        "DELETE FROM shown AS s WHERE s.tenant = $1 AND s.place = $2 AND s.signature = $3"
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
        "DELETE FROM veto AS v WHERE v.tenant = $1 AND v.place = $2 AND v.signature = $3"
        " AND v.reflection_id <> $5 AND $3::text <> $4::text"
    ),
)


async def _rename(db: Db, old: str, new: str, row_id: str) -> None:
    """Log under a new signature what was logged under an old one."""
    for statement in _RENAMED:
        await db.rows(statement, db.place, old, new)
    for statement in _VETOES_RENAMED:
        await db.rows(statement, db.place, old, new, row_id)


# --------------------------------------------------------------------- verdicts of people

VERDICTS = Statement(
    "SELECT a.judge, count(*), count(*) FILTER (WHERE a.feedback = 'positive'), avg(a.reported)"
    " FROM (SELECT o.feedback, o.body::jsonb ->> 'judge' AS judge,"
    "   (o.body::jsonb -> 'metadata' ->> 'reported')::double precision AS reported"
    "  FROM attempt o WHERE o.tenant = $1 AND o.place = $2 AND o.feedback IS NOT NULL) a"
    " WHERE a.reported IS NOT NULL GROUP BY a.judge ORDER BY a.judge"
)


async def verdicts(db: Db) -> Sequence[VoteTally]:
    """See `Store.verdicts`."""
    rows = await db.rows(VERDICTS, db.place)
    return [
        VoteTally(judge=judge, given=given, positive=positive, reported=reported)
        for judge, given, positive, reported in rows
    ]
