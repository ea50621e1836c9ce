"""The contract of a store, executable: dictionaries, one process, gone when it ends.

Rule of this module: the plainest code that keeps every promise of `contract.py`. Nothing awaits
inside a method, so each method is one transaction. It is the backend of tests and of a server that
was told to keep nothing, and the oracle that `tests/contract` holds the other backend against.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from re import compile as regex
from typing import Literal

from reflection_mcp.store.contract import Order
from reflection_mcp.store.errors import StoreUnavailable
from reflection_mcp.store.merging import (
    later,
    met_again,
    met_first,
    wordings_said,
)
from reflection_mcp.store.opinions import offered, quality_after
from reflection_mcp.store.records import (
    Attempt,
    Effect,
    Feedback,
    Health,
    Hit,
    Key,
    Kind,
    Lookup,
    Recorded,
    Reflection,
    Scope,
    Sighting,
    Stats,
    Unresolved,
    Wording,
)
from reflection_mcp.store.scrub import scrub, scrubbed

MOST_HITS = 50
"""How many hits `find` returns: contract.py."""

CROWDED = 1000
"""A feature that so many rows of a scope share tells nothing apart: storage.md 2.1 measured 1,500
as affordable at a million rows; 1,000 keeps the worst look-up of 28 features under 20 ms."""

_WORD = regex(r"[^\W_]+")


@dataclass(slots=True)
class _Row:
    """A reflection with what is kept beside it."""

    reflection: Reflection
    author: str
    number: int
    met_by: Counter[str] = field(default_factory=Counter[str])
    keys: dict[Key, None] = field(default_factory=dict[Key, None])
    features: set[int] = field(default_factory=set[int])
    wordings: dict[tuple[str, str], Wording] = field(default_factory=dict[tuple[str, str], Wording])

    def whole(self) -> Reflection:
        """The reflection with its links and the wordings that are not the shown one."""
        others = (w for w in self.wordings.values() if w.lesson != self.reflection.lesson)
        return replace(
            self.reflection,
            wordings=tuple(sorted(others, key=lambda w: (w.at, w.source, w.lesson))),
        )

    def bare(self) -> Reflection:
        """The reflection without links and wordings, as lists show it."""
        return replace(self.reflection, links=())


@dataclass(slots=True)
class _Shelf:
    """All that one scope keeps."""

    attempts: dict[str, Attempt] = field(default_factory=dict[str, Attempt])
    attempt_events: dict[str, str] = field(default_factory=dict[str, str])
    rows: dict[str, _Row] = field(default_factory=dict[str, _Row])
    events: dict[tuple[str, Kind], str] = field(default_factory=dict[tuple[str, Kind], str])
    lookups: dict[str, Lookup] = field(default_factory=dict[str, Lookup])
    shown: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    votes: dict[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    vetoes: dict[str, set[str]] = field(default_factory=dict[str, set[str]])


class MemoryStore:
    """A `Store` made of dictionaries."""

    def __init__(self) -> None:
        self._shelves: dict[Scope, _Shelf] = {}
        self._made = 0
        self._closed = False

    async def close(self) -> None:
        """Forget everything."""
        self._closed = True
        self._shelves.clear()

    async def health(self) -> Health:
        """Always healthy, and says that nothing outlives the process."""
        return Health(
            backend="memory",
            location="memory:",
            writable=not self._closed,
            schema=0,
            engine="dict",
            size_bytes=0,
            problems=("the store is closed",) if self._closed else (),
            notes=("everything is forgotten when the process ends",),
        )

    def _own(self, scope: Scope) -> _Shelf:
        if self._closed:
            raise StoreUnavailable("the store is closed", "open it again")
        return self._shelves.setdefault(scrubbed(scope), _Shelf())

    def _readable(self, scope: Scope) -> tuple[_Shelf, ...]:
        return tuple(self._own(each) for each in scope.readable)

    def _row(self, scope: Scope, reflection_id: str) -> _Row | None:
        found = (shelf.rows.get(scrub(reflection_id)) for shelf in self._readable(scope))
        return next((row for row in found if row is not None), None)

    # ----------------------------------------------------------------- attempts

    async def add_attempt(self, scope: Scope, attempt: Attempt, *, event_id: str) -> Attempt:
        """See `Store.add_attempt`."""
        shelf, attempt, event_id = self._own(scope), scrubbed(attempt), scrub(event_id)
        if event_id in shelf.attempt_events:
            return shelf.attempts[shelf.attempt_events[event_id]]
        if attempt.id in shelf.attempts:
            raise ValueError("this id already names another attempt")
        shelf.attempts[attempt.id] = attempt
        shelf.attempt_events[event_id] = attempt.id
        return attempt

    async def attempt(self, scope: Scope, attempt_id: str) -> Attempt | None:
        """See `Store.attempt`."""
        found = (shelf.attempts.get(scrub(attempt_id)) for shelf in self._readable(scope))
        return next((attempt for attempt in found if attempt is not None), None)

    async def attempts(
        self,
        scope: Scope,
        *,
        conversation_id: str | None = None,
        max_quality: float | None = None,
        since: datetime | None = None,
        limit: int = 10,
    ) -> Sequence[Attempt]:
        """See `Store.attempts`."""
        chosen = [
            attempt
            for shelf in self._readable(scope)
            for attempt in shelf.attempts.values()
            if (conversation_id is None or attempt.conversation_id == scrub(conversation_id))
            and (
                max_quality is None
                or (attempt.quality is not None and attempt.quality < max_quality)
            )
            and (since is None or attempt.at >= since)
        ]
        chosen.sort(key=lambda attempt: attempt.id)
        chosen.sort(key=lambda attempt: attempt.at, reverse=True)
        return chosen[: max(limit, 0)]

    # ----------------------------------------------------------------- reflections

    async def record(self, scope: Scope, sighting: Sighting) -> Recorded:
        """See `Store.record`."""
        shelf, scope, sighting = self._own(scope), scrubbed(scope), scrubbed(sighting)
        event = (sighting.event_id, sighting.reflection.kind)
        if event in shelf.events:
            known = shelf.rows[shelf.events[event]]
            return Recorded(reflection=known.whole(), created=False, counted=False)
        row = _recognised(shelf, sighting)
        created = row is None
        if row is None:
            row = self._new_row(shelf, scope, sighting)
        else:
            _count(row, sighting)
        shelf.events[event] = row.reflection.id
        row.met_by[sighting.source] += 1
        row.reflection = replace(row.reflection, sources=len(row.met_by))
        row.keys |= dict.fromkeys(sighting.keys)
        row.features |= set(sighting.features)
        for said in wordings_said(sighting):
            _add_wording(row, said)
        return Recorded(reflection=row.whole(), created=created, counted=True)

    def _new_row(self, shelf: _Shelf, scope: Scope, sighting: Sighting) -> _Row:
        new = met_first(scope, sighting)
        if new.id in shelf.rows:
            raise ValueError("this id already names another reflection")
        self._made += 1
        row = _Row(reflection=new, author=sighting.source, number=self._made)
        shelf.rows[new.id] = row
        return row

    async def reflection(self, scope: Scope, reflection_id: str) -> Reflection | None:
        """See `Store.reflection`."""
        row = self._row(scope, reflection_id)
        return None if row is None else row.whole()

    async def reflections(
        self,
        scope: Scope,
        *,
        kind: Kind | None = None,
        tags: Sequence[str] = (),
        min_importance: float = 0.0,
        error_type: str | None = None,
        include_retired: bool = False,
        order: Order = "newest",
        limit: int = 10,
        offset: int = 0,
    ) -> Sequence[Reflection]:
        """See `Store.reflections`."""
        wanted = {scrub(tag) for tag in tags}
        chosen = [
            row.bare()
            for row in self._rows(scope)
            if (kind is None or row.reflection.kind == kind)
            and wanted <= set(row.reflection.tags)
            and row.reflection.importance >= min_importance
            and (error_type is None or row.reflection.error_type == scrub(error_type))
            and (include_retired or not row.reflection.retired)
        ]
        _sort(chosen, order)
        first = max(offset, 0)
        return chosen[first : first + max(limit, 0)]

    def _rows(self, scope: Scope) -> Iterator[_Row]:
        for shelf in self._readable(scope):
            yield from shelf.rows.values()

    async def find(self, scope: Scope, digests: Sequence[str]) -> Sequence[Hit]:
        """See `Store.find`."""
        wanted = {scrub(digest) for digest in digests}
        hits = [
            Hit(key=key, reflection=row.bare())
            for row in self._rows(scope)
            for key in row.keys
            if key.digest in wanted
        ]
        hits.sort(key=lambda hit: (hit.reflection.id, hit.key.kind, hit.key.digest))
        hits.sort(key=lambda hit: hit.reflection.last_seen, reverse=True)
        return hits[:MOST_HITS]

    async def shortlist(
        self, scope: Scope, features: Sequence[int], *, limit: int = 30
    ) -> Sequence[Reflection]:
        """See `Store.shortlist`."""
        shared: Counter[int] = Counter()
        rows: dict[int, _Row] = {}
        for shelf in self._readable(scope):
            for feature in set(features):
                having = [row for row in shelf.rows.values() if feature in row.features]
                if len(having) < CROWDED:
                    shared.update(row.number for row in having)
                    rows |= {row.number: row for row in having}
        best = sorted(shared, key=lambda number: (-shared[number], -number))
        return [rows[number].bare() for number in best[: max(limit, 0)]]

    async def search(
        self, scope: Scope, words: Sequence[str], *, limit: int = 20
    ) -> Sequence[tuple[Reflection, float]]:
        """See `Store.search`; the relevance is the number of words that were met."""
        wanted = {" ".join(tokens) for word in words if (tokens := _tokens(word))}
        found: list[tuple[Reflection, float]] = []
        for row in self._rows(scope):
            reflection = row.bare()
            text = f" {' | '.join(' '.join(_tokens(part)) for part in _texts(reflection))} "
            met = sum(f" {word} " in text for word in wanted)
            if met:
                found.append((reflection, float(met)))
        found.sort(key=lambda pair: pair[0].id)
        found.sort(key=lambda pair: pair[1], reverse=True)
        return found[: max(limit, 0)]

    async def forget(self, scope: Scope, target_id: str) -> bool:
        """See `Store.forget`."""
        return _forget(self._own(scope), scrub(target_id), self._tenant(scope))

    def _tenant(self, scope: Scope) -> tuple[_Shelf, ...]:
        return tuple(s for each, s in self._shelves.items() if each.tenant == scope.tenant)

    # ----------------------------------------------------------------- looking up, feedback

    async def log_lookup(self, scope: Scope, lookup: Lookup) -> None:
        """See `Store.log_lookup`."""
        shelf, lookup = self._own(scope), scrubbed(lookup)
        if lookup.id in shelf.lookups:
            return
        shelf.lookups[lookup.id] = lookup
        before = shelf.shown.setdefault(lookup.signature, set())
        self._add(scope, before, "recurred")
        now = set(lookup.shown)
        self._add(scope, now, "shown")
        before |= now

    def _add(self, scope: Scope, ids: set[str], counter: Literal["shown", "recurred"]) -> None:
        for row in (self._row(scope, each) for each in ids):
            if row is not None:
                count = getattr(row.reflection, counter) + 1
                row.reflection = replace(row.reflection, **{counter: count})

    async def lookup(self, scope: Scope, lookup_id: str) -> Lookup | None:
        """See `Store.lookup`."""
        found = (shelf.lookups.get(scrub(lookup_id)) for shelf in self._readable(scope))
        return next((lookup for lookup in found if lookup is not None), None)

    async def unresolved(
        self, scope: Scope, *, min_times: int = 2, limit: int = 5
    ) -> Sequence[Unresolved]:
        """See `Store.unresolved`."""
        shelves = self._readable(scope)
        resolved = {row.reflection.signature for row in self._rows(scope) if row.reflection.lesson}
        for shelf in shelves:
            resolved |= {signature for signature, ids in shelf.shown.items() if ids}
        asked: dict[str, list[Lookup]] = {}
        for lookup in (lookup for shelf in shelves for lookup in shelf.lookups.values()):
            if lookup.signature not in resolved:
                asked.setdefault(lookup.signature, []).append(lookup)
        found = [_unresolved(lookups) for lookups in asked.values() if len(lookups) >= min_times]
        found.sort(key=lambda each: each.signature)
        found.sort(key=lambda each: (each.times, each.last_seen), reverse=True)
        return found[: max(limit, 0)]

    async def apply_feedback(self, scope: Scope, feedback: Feedback) -> Effect:
        """See `Store.apply_feedback`."""
        shelf, feedback = self._own(scope), scrubbed(feedback)
        if feedback.kind == "forget":
            return self._forget_all(scope, shelf, feedback)
        if feedback.kind == "wrong_match":
            return _veto(shelf, feedback)
        if feedback.conversation_id is not None:
            return _judge_conversation(shelf, feedback, feedback.kind)
        target = feedback.target_id or ""
        if target in shelf.attempts:
            return _judge_attempts(shelf, [target], feedback, feedback.kind)
        if target in shelf.lookups:
            ids = offered(shelf.lookups[target])
            return self._vote(scope, ids, feedback, feedback.kind)
        return self._vote(scope, (target,), feedback, feedback.kind)

    def _forget_all(self, scope: Scope, shelf: _Shelf, feedback: Feedback) -> Effect:
        targets = [feedback.target_id] if feedback.target_id is not None else []
        if feedback.conversation_id is not None:
            both: list[Attempt | Lookup] = [*shelf.attempts.values(), *shelf.lookups.values()]
            targets = [x.id for x in both if x.conversation_id == feedback.conversation_id]
        tenant = self._tenant(scope)
        return Effect(forgotten=tuple(x for x in targets if _forget(shelf, x, tenant)))

    def _vote(
        self,
        scope: Scope,
        ids: Sequence[str],
        feedback: Feedback,
        kind: Literal["positive", "negative"],
    ) -> Effect:
        rows = [row for each in dict.fromkeys(ids) if (row := self._row(scope, each)) is not None]
        changed: list[Reflection] = []
        for row in rows:
            votes = self._own(row.reflection.scope).votes
            ballot = (row.reflection.id, feedback.source)
            before = votes.get(ballot)
            if before == kind:
                continue
            votes[ballot] = kind
            good, bad = row.reflection.helped, row.reflection.failed
            good += (kind == "positive") - (before == "positive")
            bad += (kind == "negative") - (before == "negative")
            row.reflection = replace(row.reflection, helped=good, failed=bad)
            changed.append(row.whole())
        return Effect(reflections=tuple(changed), repeated=bool(rows) and not changed)

    async def vetoes(self, scope: Scope, signature: str) -> frozenset[str]:
        """See `Store.vetoes`."""
        vetoed = (shelf.vetoes.get(scrub(signature), set()) for shelf in self._readable(scope))
        return frozenset[str]().union(*vetoed)

    # ----------------------------------------------------------------- the whole

    async def stats(self, scope: Scope) -> Stats:
        """See `Store.stats`."""
        shelves = self._readable(scope)
        attempts = [attempt for shelf in shelves for attempt in shelf.attempts.values()]
        lookups = [lookup for shelf in shelves for lookup in shelf.lookups.values()]
        rows = [row.reflection for row in self._rows(scope)]
        qualities = [a.quality for a in attempts if a.quality is not None]
        times = [attempt.at for attempt in attempts] + [lookup.at for lookup in lookups]
        times += [time for row in rows for time in (row.first_seen, row.last_seen)]
        return Stats(
            attempts=len(attempts),
            mean_quality=sum(qualities) / len(qualities) if qualities else None,
            reflections=sum(row.kind == "reflection" for row in rows),
            strategies=sum(row.kind == "strategy" for row in rows),
            occurrences=sum(row.occurrences for row in rows),
            lookups=len(lookups),
            lookups_by_verdict=dict(Counter[str](lookup.verdict for lookup in lookups)),
            shown=sum(row.shown for row in rows),
            helped=sum(row.helped for row in rows),
            failed=sum(row.failed for row in rows),
            recurred=sum(row.recurred for row in rows),
            feedback=sum(_feedback_count(shelf) for shelf in shelves),
            first_at=min(times, default=None),
            last_at=max(times, default=None),
        )


# --------------------------------------------------------------------- on one shelf


def _recognised(shelf: _Shelf, sighting: Sighting) -> _Row | None:
    kind, signature = sighting.reflection.kind, sighting.reflection.signature
    row = shelf.rows.get(sighting.same_as or "")
    if row is not None and row.reflection.kind == kind:
        return row
    same = (
        row
        for row in shelf.rows.values()
        if row.reflection.kind == kind and row.reflection.signature == signature
    )
    return next(same, None)


def _count(row: _Row, sighting: Sighting) -> None:
    merged, row.author = met_again(row.reflection, sighting, author=row.author)
    row.reflection = replace(
        merged,
        occurrences=merged.occurrences + 1,
        last_seen=later(merged.last_seen, sighting.reflection.last_seen),
        links=tuple(dict.fromkeys(merged.links + sighting.reflection.links)),
    )


def _add_wording(row: _Row, said: Wording) -> None:
    before = row.wordings.get((said.source, said.lesson))
    row.wordings[said.source, said.lesson] = (
        said
        if before is None
        else replace(
            before, times=before.times + said.times, strategy=before.strategy or said.strategy
        )
    )


def _sort(reflections: list[Reflection], order: Order) -> None:
    reflections.sort(key=lambda reflection: reflection.id)
    if order == "newest":
        reflections.sort(key=lambda reflection: reflection.last_seen, reverse=True)
    elif order == "most_met":
        reflections.sort(key=lambda reflection: reflection.occurrences, reverse=True)
    else:
        reflections.sort(key=lambda reflection: reflection.importance, reverse=True)


def _texts(reflection: Reflection) -> tuple[str, ...]:
    return (
        reflection.lesson,
        reflection.strategy,
        reflection.trigger,
        reflection.evidence,
        reflection.example,
        reflection.question,
        *reflection.tags,
    )


def _tokens(text: str) -> list[str]:
    plain = unicodedata.normalize("NFKD", scrub(text)).casefold()
    return _WORD.findall("".join(char for char in plain if not unicodedata.combining(char)))


def _unresolved(lookups: Sequence[Lookup]) -> Unresolved:
    last = max(lookups, key=lambda lookup: (lookup.at, lookup.id))
    return Unresolved(
        signature=last.signature,
        summary=last.summary,
        error_type=last.error_type,
        times=len(lookups),
        first_seen=min(lookup.at for lookup in lookups),
        last_seen=last.at,
    )


def _forget(shelf: _Shelf, target: str, tenant: Sequence[_Shelf]) -> bool:
    for votes in [vote for vote in shelf.votes if vote[0] == target]:
        del shelf.votes[votes]
    if shelf.attempts.pop(target, None) is not None:
        shelf.attempt_events = {e: i for e, i in shelf.attempt_events.items() if i != target}
        return True
    if shelf.lookups.pop(target, None) is not None:
        return True
    if shelf.rows.pop(target, None) is None:
        return False
    shelf.events = {event: each for event, each in shelf.events.items() if each != target}
    for other in tenant:
        _unlink(other.rows, target)
        _discard(other.shown, target)
        _discard(other.vetoes, target)
    return True


def _unlink(rows: Mapping[str, _Row], target: str) -> None:
    for row in rows.values():
        kept = tuple(link for link in row.reflection.links if link.target_id != target)
        row.reflection = replace(row.reflection, links=kept)


def _discard(named: Mapping[str, set[str]], target: str) -> None:
    for ids in named.values():
        ids.discard(target)


def _judge_conversation(
    shelf: _Shelf, feedback: Feedback, kind: Literal["positive", "negative"]
) -> Effect:
    ids = [a.id for a in shelf.attempts.values() if a.conversation_id == feedback.conversation_id]
    return _judge_attempts(shelf, ids, feedback, kind)


def _judge_attempts(
    shelf: _Shelf, ids: Sequence[str], feedback: Feedback, kind: Literal["positive", "negative"]
) -> Effect:
    changed: list[Attempt] = []
    for each in ids:
        if shelf.votes.get((each, feedback.source)) == kind:
            continue
        shelf.votes[each, feedback.source] = kind
        attempt = shelf.attempts[each]
        quality = quality_after(kind, attempt.judged_quality, attempt.quality)
        shelf.attempts[each] = replace(attempt, quality=quality, feedback=kind)
        changed.append(shelf.attempts[each])
    return Effect(attempts=tuple(changed), repeated=bool(ids) and not changed)


def _veto(shelf: _Shelf, feedback: Feedback) -> Effect:
    pairs = _mismatched(shelf, feedback)
    fresh = [
        (signature, each)
        for signature, each in pairs
        if each not in shelf.vetoes.get(signature, set())
    ]
    for signature, each in fresh:
        shelf.vetoes.setdefault(signature, set()).add(each)
    return Effect(vetoed=tuple(fresh), repeated=bool(pairs) and not fresh)


def _mismatched(shelf: _Shelf, feedback: Feedback) -> list[tuple[str, str]]:
    """The pairs of signature and reflection that a `wrong_match` is about."""
    newest_first = list(reversed(shelf.lookups.values()))
    if feedback.conversation_id is not None:
        newest_first = [x for x in newest_first if x.conversation_id == feedback.conversation_id]
        lookup = next((x for x in newest_first if offered(x)), None)
        return [] if lookup is None else [(lookup.signature, each) for each in offered(lookup)]
    target = feedback.target_id or ""
    if target in shelf.lookups:
        lookup = shelf.lookups[target]
        return [(lookup.signature, each) for each in offered(lookup)]
    lookup = next((x for x in newest_first if target in offered(x)), None)
    return [] if lookup is None else [(lookup.signature, target)]


def _feedback_count(shelf: _Shelf) -> int:
    return len(shelf.votes) + sum(len(ids) for ids in shelf.vetoes.values())
