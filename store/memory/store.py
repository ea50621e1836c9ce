"""The contract of a store, executable: dictionaries, one process, gone when it ends.

Rule of this module: the plainest code that keeps every promise of `contract.py`. Nothing awaits
inside a method, so each method is one transaction. It is the backend of tests and of a server that
is configured to store nothing, and the reference that `tests/contract` compares the other backend
with.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from itertools import count
from typing import Literal, TypeVar

from reflection_mcp.store.contract import (
    CROWDED,
    FOUND_ACTIONS,
    MOST_FAILED_ACTIONS,
    MOST_HITS,
    MOST_MET,
    MOST_STEPS,
    SHOWINGS_LAST,
    STEPS_LAST,
    Order,
    Writes,
)
from reflection_mcp.store.errors import StoreUnavailable
from reflection_mcp.store.history import Log, LogRow
from reflection_mcp.store.interactions import (
    OCCURRED,
    Effect,
    ErrorHistory,
    FailedAction,
    Feedback,
    Lookup,
    Showing,
    Step,
    Unresolved,
)
from reflection_mcp.store.maintenance import Adopted, Change, StoredReflection, VoteTally
from reflection_mcp.store.memory import history, maintenance
from reflection_mcp.store.memory.activity import activity, daily_lookups, track_records, votes
from reflection_mcp.store.memory.feedback import apply, vetoes
from reflection_mcp.store.memory.lookups import listed, unresolved
from reflection_mcp.store.memory.scope_data import (
    ScopeData,
    ScopeRow,
    attempts_of,
    erase,
    position,
)
from reflection_mcp.store.memory.stats import counted
from reflection_mcp.store.memory.writes import MemoryWrites
from reflection_mcp.store.records import (
    Attempt,
    Hit,
    Kind,
    Observation,
    RecordResult,
    Reflection,
    Scope,
)
from reflection_mcp.store.scrub import scrub, scrubbed
from reflection_mcp.store.state import DailyActivity, Health, Stats, TrackRecord, Vote
from reflection_mcp.store.words import tokens_of

T = TypeVar("T")


class MemoryStore:
    """A `Store` made of dictionaries."""

    def __init__(self) -> None:
        self._scopes: dict[Scope, ScopeData] = {}
        self._number = count(1).__next__
        self._closed = False

    async def close(self) -> None:
        """Forget everything."""
        self._closed = True
        self._scopes.clear()

    def hasty(self, wait: float) -> "MemoryStore":
        """Return the store itself: there is nobody to wait for."""
        return self

    async def health(self) -> Health:
        """Return a healthy state, with the note that nothing outlives the process."""
        self._check()
        return Health(
            backend="memory",
            location="memory:",
            writable=True,
            schema=0,
            engine="dict",
            size_bytes=0,
            notes=("everything is forgotten when the process ends",),
        )

    def _check(self) -> None:
        if self._closed:
            raise StoreUnavailable("the store is closed", "open it again")

    def _own(self, scope: Scope) -> ScopeData:
        self._check()
        return self._scopes.setdefault(scrubbed(scope), ScopeData())

    def _readable(self, scope: Scope) -> tuple[ScopeData, ...]:
        return tuple(self._own(each) for each in scope.readable)

    def _row(self, scope: Scope, reflection_id: str) -> ScopeRow | None:
        found = (data.rows.get(scrub(reflection_id)) for data in self._readable(scope))
        return next((row for row in found if row is not None), None)

    def _writes(self, scope: Scope) -> MemoryWrites:
        own = self._own(scope)
        scope = scrubbed(scope)
        scopes = (own, *(self._own(each) for each in scope.readable if each != scope))
        return MemoryWrites(scopes, scope, self._number)

    async def transaction(self, scope: Scope, work: Callable[[Writes], T]) -> T:
        """See `Store.transaction`."""
        before = self._own(scope).copy()
        try:
            return work(self._writes(scope))
        except BaseException:
            self._scopes[scrubbed(scope)] = before
            raise

    # ----------------------------------------------------------------- attempts

    async def add_attempt(self, scope: Scope, attempt: Attempt, *, event_id: str) -> Attempt:
        """See `Store.add_attempt`."""
        return self._writes(scope).add_attempt(attempt, event_id=event_id)

    async def attempt(self, scope: Scope, attempt_id: str) -> Attempt | None:
        """See `Store.attempt`."""
        found = (data.attempts.get(scrub(attempt_id)) for data in self._readable(scope))
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
        chosen = attempts_of(
            self._readable(scope),
            conversation_id=conversation_id,
            max_quality=max_quality,
            since=since,
        )
        return chosen[: max(limit, 0)]

    # ----------------------------------------------------------------- reflections

    async def record(self, scope: Scope, observation: Observation) -> RecordResult:
        """See `Store.record`."""
        return self._writes(scope).record(observation)

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
        after: Reflection | None = None,
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
        chosen.sort(key=lambda row: position(order, row))
        if after is not None:
            behind = position(order, after)
            chosen = [row for row in chosen if position(order, row) > behind]
        return chosen[: max(limit, 0)]

    def _rows(self, scope: Scope) -> Iterator[ScopeRow]:
        for data in self._readable(scope):
            yield from data.rows.values()

    async def find(
        self,
        scope: Scope,
        digests: Sequence[str],
        *,
        signature: str = "",
        limit: int = MOST_HITS,
    ) -> Sequence[Hit]:
        """See `Store.find`."""
        vetoed = await self.vetoes(scope, signature)
        hits = [
            (row, key)
            for digest in dict.fromkeys(map(scrub, digests))
            for data in self._readable(scope)
            for row in sorted(data.rows.values(), key=lambda row: -row.number)
            for key in sorted(row.keys, key=lambda key: key.kind, reverse=True)
            if key.digest == digest
            if not row.reflection.retired and row.reflection.id not in vetoed
        ][:MOST_HITS]
        shared = Counter(row.number for row, _ in hits)
        hits.sort(key=lambda hit: (hit[0].reflection.id, hit[0].number, hit[1].kind, hit[1].digest))
        hits.sort(key=lambda hit: hit[0].reflection.last_seen, reverse=True)
        hits.sort(key=lambda hit: -shared[hit[0].number])
        chosen = list(dict.fromkeys(row.number for row, _ in hits))[: max(limit, 0)]
        return [Hit(key=key, reflection=row.bare()) for row, key in hits if row.number in chosen]

    async def shortlist(
        self, scope: Scope, features: Sequence[int], *, limit: int = 30
    ) -> Sequence[Reflection]:
        """See `Store.shortlist`."""
        shared: Counter[int] = Counter()
        rows: dict[int, ScopeRow] = {}
        for data in self._readable(scope):
            for feature in set(features):
                having = [row for row in data.rows.values() if feature in row.features]
                if len(having) < CROWDED:
                    offered = {r.number: r for r in having if not r.reflection.retired}
                    shared.update(offered.keys())
                    rows |= offered
        best = sorted(shared, key=lambda number: (-shared[number], -number))
        return [rows[number].bare() for number in best[: max(limit, 0)]]

    async def search(
        self, scope: Scope, words: Sequence[str], *, limit: int = 20
    ) -> Sequence[tuple[Reflection, float]]:
        """See `Store.search`; the relevance is the number of words that match."""
        wanted = {f" {' '.join(tokens)} " for word in words if (tokens := tokens_of(word))}
        found: list[tuple[Reflection, float]] = []
        for row in self._rows(scope):
            met = sum(word in row.spelled() for word in wanted)
            if met and not row.reflection.retired:
                found.append((row.bare(), float(met)))
        found.sort(key=lambda pair: pair[0].id)
        found.sort(key=lambda pair: pair[1], reverse=True)
        return found[: max(limit, 0)]

    async def forget(self, scope: Scope, target_id: str) -> bool:
        """See `Store.forget`."""
        return erase(self._own(scope), scrub(target_id), self._tenant(scope))

    def _tenant(self, scope: Scope) -> tuple[ScopeData, ...]:
        return tuple(s for each, s in self._scopes.items() if each.tenant == scope.tenant)

    # ----------------------------------------------------------------- looking up, feedback

    async def log_lookup(self, scope: Scope, lookup: Lookup) -> None:
        """See `Store.log_lookup`."""
        data, lookup = self._own(scope), scrubbed(lookup)
        if lookup.id in data.lookups:
            return
        data.lookups[lookup.id] = lookup
        before = data.shown.setdefault(lookup.signature, set())
        if lookup.matched_id in before:
            data.recurred.add(lookup.id)
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
        found = (data.lookups.get(scrub(lookup_id)) for data in self._readable(scope))
        return next((lookup for lookup in found if lookup is not None), None)

    async def lookups(
        self,
        scope: Scope,
        *,
        signature: str | None = None,
        matched_id: str | None = None,
        since: datetime | None = None,
        limit: int = 50,
    ) -> Sequence[Lookup]:
        """See `Store.lookups`."""
        found = listed(self._own(scope), scrubbed(signature), scrubbed(matched_id), since)
        return found[: max(limit, 0)]

    async def last_shown(
        self, scope: Scope, reflection_id: str, conversation_id: str
    ) -> Lookup | None:
        """See `Store.last_shown`."""
        asked = reversed(self._own(scope).lookups.values())
        of_it = (each for each in asked if each.conversation_id == scrub(conversation_id))
        return next((each for each in of_it if scrub(reflection_id) in each.shown), None)

    async def unresolved(
        self, scope: Scope, *, min_times: int = 2, limit: int = 5
    ) -> Sequence[Unresolved]:
        """See `Store.unresolved`."""
        found = unresolved(self._readable(scope), min_times)
        return found[: max(limit, 0)]

    async def met(self, scope: Scope, signature: str) -> ErrorHistory:
        """See `Store.met`."""
        scopes = self._readable(scope)
        newest = sorted(
            (each for data in scopes for each in data.attempts.values()),
            key=lambda each: each.at,
            reverse=True,
        )
        attempts = tuple(a for a in newest[:MOST_MET] if a.error_signature == signature)
        asked = [
            each for data in scopes for each in data.lookups.values() if each.signature == signature
        ]
        begun = [*(each.at for each in asked), *(each.at for each in attempts)]
        since = min(begun, default=None)
        occurred = sum(each.id.startswith(f"{OCCURRED}-") for each in asked)
        looked_up = len(asked) - occurred
        return ErrorHistory(attempts=attempts, occurred=occurred, looked_up=looked_up, since=since)

    async def apply_feedback(self, scope: Scope, feedback: Feedback) -> Effect:
        """See `Store.apply_feedback`."""
        return apply(self._readable(scope), scrubbed(feedback), self._tenant(scope))

    async def votes(
        self,
        scope: Scope,
        *,
        target_id: str | None = None,
        since: datetime | None = None,
        limit: int = 200,
    ) -> Sequence[Vote]:
        """See `Store.votes`."""
        return votes(self._own(scope), scrubbed(target_id), since)[: max(limit, 0)]

    async def vetoes(self, scope: Scope, signature: str) -> Mapping[str, str]:
        """See `Store.vetoes`."""
        own, *others = self._readable(scope)
        elsewhere = (each for data in others for each in vetoes(data, scrub(signature)))
        return dict.fromkeys(elsewhere, "") | vetoes(own, scrub(signature))

    # ----------------------------------------------------------------- what was done

    async def add_step(self, scope: Scope, step: Step) -> None:
        """See `Store.add_step`."""
        data, step = self._own(scope), scrubbed(step)
        data.steps.setdefault(step.id, step)
        begin = step.at - STEPS_LAST
        data.steps = {each.id: each for each in data.steps.values() if each.at >= begin}
        for each in (await self.steps(scope, step.conversation_id))[:-MOST_STEPS]:
            del data.steps[each.id]

    async def steps(self, scope: Scope, conversation_id: str) -> Sequence[Step]:
        """See `Store.steps`."""
        steps = self._own(scope).steps.values()
        return [step for step in steps if step.conversation_id == scrub(conversation_id)]

    async def add_showing(self, scope: Scope, showing: Showing) -> None:
        """See `Store.add_showing`."""
        data, showing = self._own(scope), scrubbed(showing)
        key = (showing.conversation_id, showing.subject_id, showing.kind)
        data.showings.setdefault(key, showing)
        begin = showing.at - SHOWINGS_LAST
        data.showings = {key: each for key, each in data.showings.items() if each.at >= begin}

    async def showings(self, scope: Scope, conversation_id: str) -> Sequence[Showing]:
        """See `Store.showings`."""
        showings = self._own(scope).showings.values()
        found = [each for each in showings if each.conversation_id == scrub(conversation_id)]
        return sorted(found, key=lambda each: (each.at, each.subject_id, each.kind))

    async def count_action(self, scope: Scope, action: FailedAction) -> None:
        """See `Store.count_action`."""
        data, action = self._own(scope), scrubbed(action)
        known = data.failed_actions.get(action.id)
        if known is not None:
            again = action.conversation_id == known.conversation_id
            failed = known.failed + (0 if again else action.failed)
            newest = action if action.failed else known
            worked = known.worked + action.worked
            action = replace(newest, failed=failed, worked=worked)
        elif not action.failed:
            return
        data.failed_actions[action.id] = action
        newest_first = sorted(data.failed_actions.values(), key=lambda each: each.id)
        newest_first.sort(key=lambda each: each.at, reverse=True)
        data.failed_actions = {each.id: each for each in newest_first[:MOST_FAILED_ACTIONS]}

    async def failed_actions(self, scope: Scope, headings: Sequence[str]) -> Sequence[FailedAction]:
        """See `Store.failed_actions`."""
        wanted = set(map(scrub, headings))
        actions = self._own(scope).failed_actions.values()
        return [each for each in actions if each.heading in wanted][:FOUND_ACTIONS]

    # ----------------------------------------------------------------- rows as a whole

    async def stored(
        self, scope: Scope, *, after: str = "", limit: int = 500, only: str = ""
    ) -> Sequence[StoredReflection]:
        """See `Store.stored`."""
        return maintenance.stored(self._own(scope), scrub(after), max(limit, 0), scrub(only))

    async def adopt(
        self, scope: Scope, rows: Sequence[StoredReflection], *, by_hand: bool = False
    ) -> Adopted:
        """See `Store.adopt`."""
        return self._writes(scope).adopt(rows, by_hand)

    async def move(self, scope: Scope, ids: Sequence[str], project: str) -> Mapping[str, str]:
        """See `Store.move`."""
        to = scrubbed(replace(scope, project=project))
        wanted = map(scrub, ids if to != scrubbed(scope) else ())
        return maintenance.move(self._own(scope), wanted, self._own(to), to, self._number)

    async def history(
        self, scope: Scope, log: Log, *, after: LogRow | None = None, limit: int = 500
    ) -> Sequence[LogRow]:
        """See `Store.history`."""
        return history.read(self._own(scope), log, after, limit)

    async def restore(self, scope: Scope, log: Log, rows: Sequence[LogRow]) -> int:
        """See `Store.restore`."""
        return history.restore(self._own(scope), log, rows)

    async def rewrite(self, scope: Scope, changes: Sequence[Change]) -> tuple[str, ...]:
        """See `Store.rewrite`."""
        data, scope = self._own(scope), scrubbed(scope)
        return maintenance.rewrite(data, scope, [scrubbed(change) for change in changes])

    async def verdicts(self, scope: Scope) -> Sequence[VoteTally]:
        """See `Store.verdicts`."""
        return maintenance.verdicts(self._own(scope))

    # ----------------------------------------------------------------- the whole

    async def count(self, scope: Scope, kind: Kind) -> int:
        """See `Store.count`."""
        return sum(row.reflection.kind == kind for row in self._own(scope).rows.values())

    async def stats(self, scope: Scope) -> Stats:
        """See `Store.stats`."""
        return counted(self._readable(scope))

    async def activity(self, scope: Scope, first: date, last: date) -> Sequence[DailyActivity]:
        """See `Store.activity`."""
        return activity(self._own(scope), first, last)

    async def daily_lookups(
        self, scope: Scope, reflection_ids: Sequence[str], *, since: datetime
    ) -> Mapping[str, Mapping[date, int]]:
        """See `Store.daily_lookups`."""
        return daily_lookups(self._own(scope), list(map(scrub, reflection_ids)), since)

    async def track_records(self, scope: Scope, *, since: datetime) -> Mapping[str, TrackRecord]:
        """See `Store.track_records`."""
        return track_records(self._readable(scope), since)

    async def places(self, tenant: str) -> Mapping[str, Stats]:
        """See `Store.places`."""
        self._check()
        used = [
            (scope.project, data)
            for scope, data in self._scopes.items()
            if scope.tenant == scrub(tenant) and (data.rows or data.attempts or data.lookups)
        ]
        return {project: counted([data]) for project, data in sorted(used)}
