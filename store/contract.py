"""The contract of a store.

Promises that hold for every method of every backend:

- A method that returns has been made durable (`log_lookup` and `add_step` say how far); a method
  that raises has changed nothing.
- Each call is one transaction, `transaction` one of several writes. Counting is one atomic
  statement: no caller reads, adds and writes.
- `Scope` comes first. Reads see `scope.readable` (the project and the tenant's `global`, and before
  them the place of a person's own, for that person alone); rows are made and deleted in `scope`
  alone; `shown`, `recurred`, `helped` and `failed` reach whatever the scope can read; nothing of
  another tenant is ever visible or changed.
- Ids and times are made by the caller and passed in; the store has no clock. An id names one
  attempt, reflection or look-up of a scope: another one under the same id is a `ValueError`.
- An event id makes a repeated delivery count once; it is known within a scope, for attempts, for
  reflections and for strategies each by itself.
- No text keeps a NUL or a lone surrogate (`scrub`); a limit below zero is zero.
- Trouble is a `StoreError`; see `reflection_mcp.store.errors`.
- Any number of processes may use one store; any of them may be killed at any time.

A backend is one module that implements `Store`, a branch in `open.py`, and one parameter of
`tests/contract`, which is this docstring as a program.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Protocol, TypeVar

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
from reflection_mcp.store.maintenance import Adopted, StoredReflection, VoteTally
from reflection_mcp.store.records import (
    Attempt,
    Hit,
    Kind,
    Observation,
    RecordResult,
    Reflection,
    Scope,
)
from reflection_mcp.store.state import DailyActivity, Health, Stats, TrackRecord, Vote
from reflection_mcp.store.terms import MOST_HITS, Answer, Order
from reflection_mcp.store.whole_rows import WholeRows

T = TypeVar("T")


class Writes(Protocol):
    """The writes of one transaction; each sees the result of those before it."""

    def record(self, observation: Observation) -> RecordResult:
        """As `Store.record`."""
        ...

    def add_attempt(self, attempt: Attempt, *, event_id: str) -> Attempt:
        """As `Store.add_attempt`."""
        ...

    def adopt(self, rows: Sequence[StoredReflection]) -> Adopted:
        """As `Store.adopt`."""
        ...

    def attempts(self, *, conversation_id: str, limit: int) -> Sequence[Attempt]:
        """As `Store.attempts`, of one conversation."""
        ...

    def apply_feedback(self, feedback: Feedback) -> Effect:
        """As `Store.apply_feedback`, of a vote on a reflection."""
        ...


class Store(WholeRows, Protocol):
    """A durable memory shared by any number of processes."""

    def close(self) -> Answer[None]:
        """Release everything. Idempotent; a closed store refuses with `StoreUnavailable`."""
        ...

    def hasty(self, wait: float) -> "Store":
        """This store for one who waits no longer than `wait` seconds for other processes."""
        ...

    def health(self) -> Answer[Health]:
        """Describe the store and say what is wrong with it; never raises for a damaged store."""
        ...

    def transaction(self, scope: Scope, /, work: Callable[[Writes], T]) -> Answer[T]:
        """Do several writes in one transaction: all of them last, or none.

        `work` waits for nothing, may be run in another thread, and leaves nothing behind when it
        raises. Returns what it returns."""
        ...

    # ----------------------------------------------------------------- attempts

    def add_attempt(self, scope: Scope, /, attempt: Attempt, *, event_id: str) -> Answer[Attempt]:
        """Append an attempt; a known `event_id` returns the attempt it made the first time."""
        ...

    def attempt(self, scope: Scope, /, attempt_id: str) -> Answer[Attempt | None]:
        """The attempt with this id, or None when the scope cannot see one."""
        ...

    def attempts(
        self,
        scope: Scope,
        /,
        *,
        conversation_id: str | None = None,
        max_quality: float | None = None,
        since: datetime | None = None,
        limit: int = 10,
    ) -> Answer[Sequence[Attempt]]:
        """Newest first, ties by id. `max_quality` is exclusive and leaves out attempts without a
        quality; `since` is inclusive."""
        ...

    # ----------------------------------------------------------------- reflections

    def record(self, scope: Scope, /, observation: Observation) -> Answer[RecordResult]:
        """Record that a reflection was met: a new row, or one more occurrence of a known one.

        The row is the one of this scope and kind that `same_as` names, else the one whose signature
        equals the observation's. A new row begins to count at one. A known `event_id` counts
        nothing and returns the row as it stands. Meeting again raises `occurrences`, `sources` (for
        a new source), `last_seen` (never backwards) and keeps the larger importance; empty fields
        are filled in. The comment of a vote raises `sources` alone. Every lesson with its strategy
        is kept in `wordings` under its source and is a version with votes of its own
        (`lesson_versions.py`). Another version takes the place of the one that is shown, whole,
        when the same source said both, unless the shown one is proven and the new one is not of
        work that failed; or when the observation `refutes` what is shown, or that has failed more
        often than it helped. A strategy of this scope that came with the version replaced, and with
        no other lesson, retires, and returns with it; so does one that comes with a version that is
        not shown. New keys, features, tags, situations and links are added to the row; of the keys
        that stand for a text to the letter the latest stay. A suspicious text is kept as a wording,
        but neither replaces nor fills in what is not suspicious; an honest lesson replaces a
        suspicious one. What merging decides is in `merging.py`.
        """
        ...

    def reflection(self, scope: Scope, /, reflection_id: str) -> Answer[Reflection | None]:
        """The reflection with this id, with its links and wordings, or None."""
        ...

    def reflections(
        self,
        scope: Scope,
        /,
        *,
        kind: Kind | None = None,
        tags: Sequence[str] = (),
        min_importance: float = 0.0,
        error_type: str | None = None,
        include_retired: bool = False,
        order: Order = "newest",
        limit: int = 10,
        after: Reflection | None = None,
    ) -> Answer[Sequence[Reflection]]:
        """Reflections that carry every tag given, without links and wordings. Ties go by id, and
        of one id by project. `after` is the last row of the page before: as it was then, so that
        the next page begins behind that place, whatever has become of the row."""
        ...

    def find(
        self,
        scope: Scope,
        /,
        digests: Sequence[str],
        *,
        signature: str = "",
        limit: int = MOST_HITS,
    ) -> Answer[Sequence[Hit]]:
        """Return reflections that have one of these key digests, without links and wordings: a hit
        for each digest, reflections with most of them first, then the newest.

        Retired ones are left out, here and in the next two, and so are those marked as not the
        error with this `signature`. At most 50 hits are read. If there are more, the order is by
        digest as named, then this project before global, then the newest. `limit` counts
        reflections.
        """
        ...

    def shortlist(
        self, scope: Scope, /, features: Sequence[int], *, limit: int = 30
    ) -> Answer[Sequence[Reflection]]:
        """Return reflections that share features, those sharing most first; features that occur in
        too many rows to distinguish anything are ignored."""
        ...

    def search(
        self, scope: Scope, /, words: Sequence[str], *, limit: int = 20
    ) -> Answer[Sequence[tuple[Reflection, float]]]:
        """Reflections whose texts hold any of the words, with a relevance (larger is better).

        Words are plain words, never query syntax."""
        ...

    def forget(self, scope: Scope, /, target_id: str) -> Answer[bool]:
        """Delete a reflection, attempt or look-up with all that hangs on it, for good."""
        ...

    # ----------------------------------------------------------------- looking up, feedback

    def log_lookup(self, scope: Scope, /, lookup: Lookup) -> Answer[None]:
        """Append to the look-up log; a known id changes nothing.

        Raises `shown` of what is shown now, and `recurred` of every lesson that an earlier look-up
        of this scope had shown for the same signature: the error has come back. Nobody has to
        wait for it: it is written in its turn, as well as that can be done, a later read finds it,
        and trouble may be raised by a later note. What was written outlives the death of any
        process, though not a power cut, and everything later is ordered behind it."""
        ...

    def lookup(self, scope: Scope, /, lookup_id: str) -> Answer[Lookup | None]:
        """The log line with this id, or None."""
        ...

    def lookups(
        self,
        scope: Scope,
        /,
        *,
        signature: str | None = None,
        matched_id: str | None = None,
        since: datetime | None = None,
        limit: int = 50,
    ) -> Answer[Sequence[Lookup]]:
        """Return look-ups of exactly this scope, newest first, ties by id; `since` is inclusive."""
        ...

    def last_shown(
        self, scope: Scope, /, reflection_id: str, conversation_id: str
    ) -> Answer[Lookup | None]:
        """Return the last look-up of a conversation, in exactly this scope, that showed this
        reflection as a lesson, or None."""
        ...

    def unresolved(
        self, scope: Scope, /, *, min_times: int = 2, limit: int = 5
    ) -> Answer[Sequence[Unresolved]]:
        """Signatures met at least `min_times` without any reflection to show, most first.

        It is met when somebody or a hook looks it up, or when one of the newest `MOST_REPORTS`
        attempts failed with it, which says in its metadata what `error` it was; of one conversation
        the larger of both numbers counts. A signature is resolved once a look-up has shown
        something for it, or a reflection with this signature and a lesson can be read."""
        ...

    def met(self, scope: Scope, /, signature: str) -> Answer[ErrorHistory]:
        """Return which of the newest `MOST_MET` attempts had the error with this signature, and how
        often it was looked up."""
        ...

    def apply_feedback(self, scope: Scope, /, feedback: Feedback) -> Answer[Effect]:
        """Apply what a person said, once.

        positive: `quality` of each attempt becomes at least 0.7, `helped` of a reflection + 1;
        negative: at most 0.3, `failed` + 1; computed from what was judged, so that a source that
        changes its mind moves its vote. On a look-up: all that it showed. On a conversation: its
        attempts.
        A version of a reflection has one vote for each source and occasion, and of one source the
        newest four occasions count; `feedback_rules.py` says what an occasion is, and why four. The
        id of a reflection or a look-up means the version that was shown, the id of a version that
        one; `lesson_versions.py` says which one is shown first after the vote.
        wrong_match: the pairs (signature of the look-up, reflection offered) never match again; on
        a reflection its last look-up is meant, on a conversation the last that offered anything.
        Only positive on a look-up takes that back, whoever says it: for the pairs it offered. Of a
        look-up that asked whether a stored error of this very project is this one, positive adds a
        `joined` key to that error, by which its signature finds it.
        withdrawn: the vote of this source on a reflection, on the same occasion, was never cast; on
        a look-up, the pairs it offered may match again. The version that is shown first stays.
        forget: as `forget`, and of a lesson the strategies of this scope that came with it and
        with no other; on a conversation its attempts and look-ups.
        An object that is not there gives an empty effect.
        """
        ...

    def votes(
        self,
        scope: Scope,
        /,
        *,
        target_id: str | None = None,
        since: datetime | None = None,
        limit: int = 200,
    ) -> Answer[Sequence[Vote]]:
        """Return votes of exactly this scope, newest first, ties by target, source and occasion.

        The id of a reflection stands for all its versions. A source that has changed its mind on
        one occasion has one vote, its last. `since` is inclusive."""
        ...

    def vetoes(self, scope: Scope, /, signature: str) -> Answer[Mapping[str, str]]:
        """Return the ids of reflections marked as not the error with this signature, each with the
        look-up of exactly this scope whose praise reverses that, empty if none is left."""
        ...

    # ----------------------------------------------------------------- what was done

    def add_step(self, scope: Scope, /, step: Step) -> Answer[None]:
        """Append to the steps of a conversation; a known id changes nothing.

        Of a conversation the newest `MOST_STEPS` stay. Steps of this scope that are older than
        `STEPS_LAST` before this one go. As durable as a look-up."""
        ...

    def steps(self, scope: Scope, /, conversation_id: str) -> Answer[Sequence[Step]]:
        """The steps of a conversation in exactly this scope, oldest first, in the order of their
        arrival."""
        ...

    def add_showing(self, scope: Scope, /, showing: Showing) -> Answer[None]:
        """Note what was shown; the same kind of the same subject in one conversation is one.

        Showings of this scope that are older than `SHOWINGS_LAST` before this one go. As durable
        as a look-up."""
        ...

    def showings(self, scope: Scope, /, conversation_id: str) -> Answer[Sequence[Showing]]:
        """The showings of a conversation in exactly this scope, oldest first."""
        ...

    def count_action(self, scope: Scope, /, action: FailedAction) -> Answer[None]:
        """Add the counts of an action to those under its id; a failure replaces all else.

        A failure in the conversation of the last one counts nothing more. An action that was never
        stored and did not fail is not stored. Of a project the `MOST_FAILED_ACTIONS` newest stay.
        As durable as a look-up."""
        ...

    def failed_actions(
        self, scope: Scope, /, headings: Sequence[str]
    ) -> Answer[Sequence[FailedAction]]:
        """Failed actions of exactly this scope under one of these headings, newest first, at most
        `FOUND_ACTIONS`."""
        ...

    # ----------------------------------------------------------------- the whole

    def verdicts(self, scope: Scope, /) -> Answer[Sequence[VoteTally]]:
        """Return people's feedback on the attempts of exactly this scope, by judge."""
        ...

    def count(self, scope: Scope, /, kind: Kind) -> Answer[int]:
        """Return the number of rows of this kind in exactly this scope, retired ones too; every
        new row asks for it."""
        ...

    def activity(self, scope: Scope, /, first: date, last: date) -> Answer[Sequence[DailyActivity]]:
        """Return what happened in exactly this scope on each UTC day from `first` to `last`, both
        included, days without any activity too. Votes belong to the scope of what they are on."""
        ...

    def daily_lookups(
        self, scope: Scope, /, reflection_ids: Sequence[str], *, since: datetime
    ) -> Answer[Mapping[str, Mapping[date, int]]]:
        """Return for each of these reflections how many look-ups of exactly this scope matched it
        from `since` on, by UTC day; days without any are left out."""
        ...

    def track_records(
        self, scope: Scope, /, *, since: datetime
    ) -> Answer[Mapping[str, TrackRecord]]:
        """Return what became of each lesson that the scope can read in exactly this scope from
        `since` on; lessons without any are left out. Votes on all its versions count.

        An error comes back with every look-up that matches a reflection which an earlier look-up of
        the same error has shown: the look-ups that `activity` and `stats` count as `recurred`."""
        ...

    def places(self, tenant: str) -> Answer[Mapping[str, Stats]]:
        """Return the projects of a tenant that hold reflections, attempts or look-ups, and the
        places of persons' own in them, in the order of their names, each with its own counts."""
        ...

    def stats(self, scope: Scope, /) -> Answer[Stats]:
        """Counts over all that the scope can read."""
        ...
