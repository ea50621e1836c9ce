"""Whole rows in memory: read out for an export, brought in by an import, changed by a plan.

Rule of this module: functions on one `ScopeData`; what becomes of a row is decided in
`store.maintenance`.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

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
from reflection_mcp.store.memory.scope_data import ScopeData, ScopeRow, same_row
from reflection_mcp.store.merging import without_votes_of
from reflection_mcp.store.records import Attempt, Scope
from reflection_mcp.store.versions import row_named


def stored(data: ScopeData, after: str, limit: int, only: str) -> list[StoredReflection]:
    """See `Store.stored`."""
    ids = sorted(each for each in data.rows if each > after and only in ("", each))
    return [_whole(data.rows[each]) for each in ids[:limit]]


def _whole(row: ScopeRow) -> StoredReflection:
    return tidy(
        StoredReflection(
            reflection=row.whole(),
            keys=tuple(row.keys),
            features=tuple(row.features),
            author=row.author,
        )
    )


def adopt(
    data: ScopeData, scope: Scope, given: StoredReflection, *, by_hand: bool, number: int
) -> Adopted:
    """One row of `Store.adopt`."""
    known = same_row(data, given.reflection)
    if known is None:
        name = free_id(given.reflection.id, lambda each: each in data.rows)
        _put(data, placed(scope, given, name), number)
        return Adopted(created=1)
    before = _whole(known)
    after = united(before, placed(scope, given, before.reflection.id), by_hand=by_hand)
    if after == before:
        return Adopted(unchanged=1)
    _put(data, after, known.number)
    return Adopted(changed=1)


def move(
    data: ScopeData, ids: Iterable[str], there: ScopeData, to: Scope, number: Callable[[], int]
) -> dict[str, str]:
    """See `Store.move`."""
    named: dict[str, str] = {}
    for name in dict.fromkeys(ids):
        row = data.rows.pop(name, None)
        if row is None:
            continue
        given = relinked(_whole(row), named)
        twin = same_row(there, given.reflection)
        if twin is None:
            new = free_id(name, lambda each: each in there.rows)
            _put(there, placed(to, given, new), number())
        else:
            new = twin.reflection.id
            _put(there, added_up(_whole(twin), placed(to, given, new)), twin.number)
        now = there.rows[new]
        now.met_by.update(row.met_by)
        sources = max(now.reflection.sources, len(now.met_by))
        now.reflection = replace(now.reflection, sources=sources)
        for ballot in [each for each in data.votes if name in (each[0], row_named(each[0]))]:
            target = f"{new}{ballot[0].removeprefix(name)}"
            there.votes[(target, *ballot[1:])] = data.votes.pop(ballot)
        data.events = {event: each for event, each in data.events.items() if each != name}
        for other in data.rows.values():
            links = tuple(
                replace(link, target_id=new) if link.target_id == name else link
                for link in other.reflection.links
            )
            other.reflection = replace(other.reflection, links=tuple(dict.fromkeys(links)))
        named[name] = new
    return named


def rewrite(data: ScopeData, scope: Scope, changes: Sequence[Change]) -> tuple[str, ...]:
    """See `Store.rewrite`."""
    ready: list[StoredReflection] = []
    hindered: list[str] = []
    for change in changes:
        row = data.rows.get(change.before.reflection.id)
        after = carried_out(_whole(row), change) if row is not None else None
        if after is None or _is_taken(data, after, ready):
            hindered.append(change.before.reflection.id)
        else:
            ready.append(placed(scope, after))
    if not hindered:
        for after, change in zip(ready, changes, strict=True):
            _put(data, after, data.rows[after.reflection.id].number)
            for old, new in change.renamed:
                _rename(data, old, new, after.reflection.id)
    return tuple(hindered)


def _is_taken(data: ScopeData, row: StoredReflection, ready: Sequence[StoredReflection]) -> bool:
    """Return True if another row has the signature of this one, or is about to get it."""
    known = same_row(data, row.reflection)
    others = [each.reflection for each in ready]
    others += [known.reflection] if known else []
    name = (row.reflection.kind, row.reflection.signature)
    return any((e.kind, e.signature) == name and e.id != row.reflection.id for e in others)


def _rename(data: ScopeData, old: str, new: str, row_id: str) -> None:
    """Log under a new signature what was logged under an old one."""
    for name, lookup in data.lookups.items():
        if lookup.signature == old:
            data.lookups[name] = replace(lookup, signature=new)
    data.shown.setdefault(new, set()).update(data.shown.pop(old, set()))
    vetoed = data.vetoes.get(old, set())
    others = vetoed - {row_id}
    vetoed -= others
    data.vetoes.setdefault(new, set()).update(others)


def _put(data: ScopeData, new: StoredReflection, number: int) -> None:
    """Store a row; the people who recorded it before stay."""
    reflection = new.reflection
    before = data.rows.get(reflection.id)
    met_by = Counter(before.met_by) if before is not None else Counter[str]()
    met_by.update(person for person in new.people if person not in met_by)
    data.rows[reflection.id] = ScopeRow(
        reflection=replace(reflection, wordings=()),
        author=new.author,
        number=number,
        met_by=met_by,
        keys=dict.fromkeys(new.keys),
        features=set(new.features),
        wordings={w.key: w for w in without_votes_of(reflection, reflection.wordings)},
    )


def verdicts(data: ScopeData) -> list[VoteTally]:
    """See `Store.verdicts`."""
    by_judge: dict[str, list[tuple[Attempt, float]]] = {}
    for attempt in data.attempts.values():
        reported = attempt.metadata.get("reported")
        if attempt.feedback is not None and isinstance(reported, int | float):
            by_judge.setdefault(attempt.judge, []).append((attempt, reported))
    return [
        VoteTally(
            judge=judge,
            given=len(judged),
            positive=sum(attempt.feedback == "positive" for attempt, _ in judged),
            reported=sum(reported for _, reported in judged) / len(judged),
        )
        for judge, judged in sorted(by_judge.items())
    ]
