"""A store in a database: the contract as work with a connection.

Rule of this module: texts are cleaned here, and each question goes to the module that knows it;
where and when the work is done, and with which connection, is each database's own affair.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import TypeVar

from reflection_mcp.store.contract import MOST_HITS, Order, Writes
from reflection_mcp.store.history import Log, LogRow
from reflection_mcp.store.interactions import (
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
from reflection_mcp.store.sql import (
    activity,
    attempts,
    history,
    lookups,
    maintenance,
    recording,
    trail,
)
from reflection_mcp.store.sql import feedback as sql_feedback
from reflection_mcp.store.sql.db import Work
from reflection_mcp.store.state import DailyActivity, Stats, TrackRecord, Vote

T = TypeVar("T")
Note = Lookup | Step | Showing | FailedAction


class SqlStore:
    """A `Store`, but for `close`, `hasty` and `health`."""

    # ----------------------------------------------------------------- where work is done

    @abstractmethod
    async def _near(self, scope: Scope, work: Work[T], *, whole: bool = False) -> T:
        """A read that takes no time; on one snapshot if `whole`."""

    @abstractmethod
    async def _far(self, scope: Scope, work: Work[T]) -> T:
        """A read that may take long, on one snapshot."""

    @abstractmethod
    async def _write(self, scope: Scope, work: Work[T]) -> T:
        """A transaction."""

    @abstractmethod
    async def _erase(self, scope: Scope, work: Work[T]) -> T:
        """A transaction that deletes for good."""

    @abstractmethod
    async def _note(self, scope: Scope, note: Note, work: Work[None]) -> None:
        """A note: a write that need not outlive a power cut."""

    @abstractmethod
    async def transaction(self, scope: Scope, work: Callable[[Writes], T]) -> T:
        """See `Store.transaction`."""

    # ----------------------------------------------------------------- attempts

    async def add_attempt(self, scope: Scope, attempt: Attempt, *, event_id: str) -> Attempt:
        clean, event = scrubbed(attempt), scrub(event_id)
        return await self._write(scope, lambda db: attempts.add(db, clean, event))

    async def attempt(self, scope: Scope, attempt_id: str) -> Attempt | None:
        return await self._near(scope, lambda db: attempts.by_id(db, scrub(attempt_id)))

    async def attempts(
        self,
        scope: Scope,
        *,
        conversation_id: str | None = None,
        max_quality: float | None = None,
        since: datetime | None = None,
        limit: int = 10,
    ) -> Sequence[Attempt]:
        way = self._far if conversation_id is None else self._near
        return await way(
            scope,
            lambda db: attempts.listed(
                db,
                conversation_id=scrubbed(conversation_id),
                max_quality=max_quality,
                since=since,
                limit=limit,
            ),
        )

    # ----------------------------------------------------------------- reflections

    async def record(self, scope: Scope, observation: Observation) -> RecordResult:
        clean = scrubbed(observation)
        return await self._write(scope, lambda db: recording.record(db, clean))

    async def reflection(self, scope: Scope, reflection_id: str) -> Reflection | None:
        name = scrub(reflection_id)
        return await self._near(scope, lambda db: recording.by_id(db, name), whole=True)

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
        return await self._far(
            scope,
            lambda db: db.tables.listed(
                db,
                kind=kind,
                tags=scrubbed(tuple(tags)),
                min_importance=min_importance,
                error_type=scrubbed(error_type),
                include_retired=include_retired,
                order=order,
                limit=limit,
                after=scrubbed(after),
            ),
        )

    async def find(
        self,
        scope: Scope,
        digests: Sequence[str],
        *,
        signature: str = "",
        limit: int = MOST_HITS,
    ) -> Sequence[Hit]:
        asked = (*scrubbed((tuple(digests), signature)), limit)
        hits: Sequence[Hit] | None = await self._near(scope, lambda db: db.tables.found(db, *asked))
        if hits is not None:
            return hits
        return await self._near(scope, lambda db: db.tables.crowded(db, *asked), whole=True)

    async def shortlist(
        self, scope: Scope, features: Sequence[int], *, limit: int = 30
    ) -> Sequence[Reflection]:
        return await self._near(
            scope, lambda db: db.tables.shortlisted(db, features, limit), whole=True
        )

    async def search(
        self, scope: Scope, words: Sequence[str], *, limit: int = 20
    ) -> Sequence[tuple[Reflection, float]]:
        wanted = [scrub(word) for word in words]
        return await self._far(scope, lambda db: db.tables.searched(db, wanted, limit))

    async def forget(self, scope: Scope, target_id: str) -> bool:
        return await self._erase(scope, lambda db: sql_feedback.forget(db, scrub(target_id)))

    # ----------------------------------------------------------------- looking up, feedback

    async def log_lookup(self, scope: Scope, lookup: Lookup) -> None:
        clean = scrubbed(lookup)
        await self._note(scope, clean, lambda db: db.tables.log(db, clean))

    async def lookup(self, scope: Scope, lookup_id: str) -> Lookup | None:
        return await self._near(scope, lambda db: lookups.by_id(db, scrub(lookup_id)))

    async def lookups(
        self,
        scope: Scope,
        *,
        signature: str | None = None,
        matched_id: str | None = None,
        since: datetime | None = None,
        limit: int = 50,
    ) -> Sequence[Lookup]:
        return await self._far(
            scope,
            lambda db: lookups.listed(
                db,
                signature=scrubbed(signature),
                matched_id=scrubbed(matched_id),
                since=since,
                limit=limit,
            ),
        )

    async def last_shown(
        self, scope: Scope, reflection_id: str, conversation_id: str
    ) -> Lookup | None:
        asked = (scrub(reflection_id), scrub(conversation_id))
        return await self._near(scope, lambda db: lookups.last_shown(db, *asked))

    async def unresolved(
        self, scope: Scope, *, min_times: int = 2, limit: int = 5
    ) -> Sequence[Unresolved]:
        return await self._far(scope, lambda db: lookups.unresolved(db, min_times, limit))

    async def met(self, scope: Scope, signature: str) -> ErrorHistory:
        return await self._near(scope, lambda db: lookups.met(db, scrub(signature)))

    async def apply_feedback(self, scope: Scope, feedback: Feedback) -> Effect:
        clean = scrubbed(feedback)
        way = self._erase if clean.kind == "forget" else self._write
        return await way(scope, lambda db: sql_feedback.apply(db, clean))

    async def votes(
        self,
        scope: Scope,
        *,
        target_id: str | None = None,
        since: datetime | None = None,
        limit: int = 200,
    ) -> Sequence[Vote]:
        asked = (scrubbed(target_id), since, limit)
        return await self._far(scope, lambda db: activity.votes(db, *asked))

    async def vetoes(self, scope: Scope, signature: str) -> Mapping[str, str]:
        return await self._near(scope, lambda db: sql_feedback.vetoes(db, scrub(signature)))

    # ----------------------------------------------------------------- what was done

    async def add_step(self, scope: Scope, step: Step) -> None:
        clean = scrubbed(step)
        await self._note(scope, clean, lambda db: db.tables.add_step(db, clean))

    async def steps(self, scope: Scope, conversation_id: str) -> Sequence[Step]:
        return await self._near(scope, lambda db: trail.steps(db, scrub(conversation_id)))

    async def add_showing(self, scope: Scope, showing: Showing) -> None:
        clean = scrubbed(showing)
        await self._note(scope, clean, lambda db: db.tables.add_showing(db, clean))

    async def showings(self, scope: Scope, conversation_id: str) -> Sequence[Showing]:
        return await self._near(scope, lambda db: trail.showings(db, scrub(conversation_id)))

    async def count_action(self, scope: Scope, action: FailedAction) -> None:
        clean = scrubbed(action)
        await self._note(scope, clean, lambda db: db.tables.count_action(db, clean))

    async def failed_actions(self, scope: Scope, headings: Sequence[str]) -> Sequence[FailedAction]:
        wanted = scrubbed(tuple(headings))
        return await self._near(scope, lambda db: trail.failed_actions(db, wanted))

    # ----------------------------------------------------------------- rows as a whole

    async def stored(
        self, scope: Scope, *, after: str = "", limit: int = 500, only: str = ""
    ) -> Sequence[StoredReflection]:
        asked = (scrub(after), limit, scrub(only))
        return await self._far(scope, lambda db: maintenance.stored(db, *asked))

    async def adopt(
        self, scope: Scope, rows: Sequence[StoredReflection], *, by_hand: bool = False
    ) -> Adopted:
        clean = [scrubbed(row) for row in rows]
        return await self._write(scope, lambda db: maintenance.adopt(db, clean, by_hand))

    async def move(self, scope: Scope, ids: Sequence[str], project: str) -> Mapping[str, str]:
        wanted, name = scrubbed(tuple(ids)), scrub(project)
        return await self._write(scope, lambda db: maintenance.move(db, wanted, name))

    async def history(
        self, scope: Scope, log: Log, *, after: LogRow | None = None, limit: int = 500
    ) -> Sequence[LogRow]:
        return await self._far(scope, lambda db: history.read(db, log, after, limit))

    async def restore(self, scope: Scope, log: Log, rows: Sequence[LogRow]) -> int:
        return await self._write(scope, lambda db: db.tables.restore(db, log, rows))

    async def rewrite(self, scope: Scope, changes: Sequence[Change]) -> tuple[str, ...]:
        clean = [scrubbed(change) for change in changes]
        return await self._write(scope, lambda db: maintenance.rewrite(db, clean))

    async def verdicts(self, scope: Scope) -> Sequence[VoteTally]:
        return await self._far(scope, maintenance.verdicts)

    # ----------------------------------------------------------------- the whole

    async def count(self, scope: Scope, kind: Kind) -> int:
        return await self._near(scope, lambda db: db.tables.rows_counted(db, kind))

    async def stats(self, scope: Scope) -> Stats:
        return await self._far(scope, lambda db: db.tables.counted(db))

    async def activity(self, scope: Scope, first: date, last: date) -> Sequence[DailyActivity]:
        return await self._far(scope, lambda db: activity.activity(db, first, last))

    async def daily_lookups(
        self, scope: Scope, reflection_ids: Sequence[str], *, since: datetime
    ) -> Mapping[str, Mapping[date, int]]:
        ids = scrubbed(tuple(reflection_ids))
        return await self._far(scope, lambda db: activity.daily_lookups(db, ids, since))

    async def track_records(self, scope: Scope, *, since: datetime) -> Mapping[str, TrackRecord]:
        return await self._far(scope, lambda db: activity.track_records(db, since))

    async def places(self, tenant: str) -> Mapping[str, Stats]:
        return await self._far(Scope(tenant=tenant), lambda db: db.tables.places(db))
