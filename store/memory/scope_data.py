"""The data of one scope in memory, and the operations on it.

Rule of this module: functions on one `ScopeData`; which scopes a reader may see is decided in
`memory`.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from reflection_mcp.store.contract import Order
from reflection_mcp.store.interactions import FailedAction, Lookup, Showing, Step
from reflection_mcp.store.merging import (
    is_completed,
    later,
    met_again,
    replaced,
    without_votes_of,
)
from reflection_mcp.store.records import (
    Attempt,
    Key,
    Kind,
    Observation,
    RecordResult,
    Reflection,
    Wording,
)
from reflection_mcp.store.scrub import scrub
from reflection_mcp.store.versions import first_id, row_named
from reflection_mcp.store.words import texts, tokens_of

_BEGIN = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(slots=True)
class ScopeRow:
    """A reflection with what is kept beside it."""

    reflection: Reflection
    author: str
    number: int
    met_by: Counter[str] = field(default_factory=Counter[str])
    keys: dict[Key, None] = field(default_factory=dict[Key, None])
    features: set[int] = field(default_factory=set[int])
    wordings: dict[tuple[str, str, str], Wording] = field(
        default_factory=dict[tuple[str, str, str], Wording]
    )
    _spelled: tuple[Reflection | None, str] = (None, "")

    def spelled(self) -> str:
        """The words that `search` looks in; they are split again when something has changed."""
        if self._spelled[0] is not self.reflection:
            parts = (" ".join(tokens_of(part)) for part in texts(self.reflection))
            self._spelled = (self.reflection, f" {' | '.join(parts)} ")
        return self._spelled[1]

    def whole(self) -> Reflection:
        """The reflection with its links and wordings, in their order."""
        row = self.reflection
        links = sorted(row.links, key=lambda link: (link.kind, link.target_id))
        wordings = sorted(self.wordings.values(), key=lambda w: (w.at, *w.key))
        first = (row.lesson, row.strategy)
        with_votes = (
            replace(w, helped=row.helped, failed=row.failed) if w.words == first else w
            for w in wordings
        )
        return replace(row, links=tuple(links), wordings=tuple(with_votes))

    def votes(self) -> list[tuple[int, int]]:
        """The votes on each version, those on the one that is shown first."""
        others = {said.words: (said.helped, said.failed) for said in self.wordings.values()}
        return [(self.reflection.helped, self.reflection.failed), *others.values()]

    def copy(self) -> "ScopeRow":
        """The same, to be put back when this one has been changed in vain."""
        return replace(
            self,
            met_by=Counter(self.met_by),
            keys=dict(self.keys),
            features=set(self.features),
            wordings=dict(self.wordings),
        )

    def bare(self) -> Reflection:
        """The reflection without links and wordings, as lists show it."""
        return replace(self.reflection, links=())


Ballot = tuple[str, str, str]
"""The key of a vote: its object, source and occasion."""


@dataclass(slots=True)
class ScopeData:
    """All that one scope keeps."""

    attempts: dict[str, Attempt] = field(default_factory=dict[str, Attempt])
    attempt_events: dict[str, str] = field(default_factory=dict[str, str])
    rows: dict[str, ScopeRow] = field(default_factory=dict[str, ScopeRow])
    events: dict[tuple[str, Kind], str] = field(default_factory=dict[tuple[str, Kind], str])
    lookups: dict[str, Lookup] = field(default_factory=dict[str, Lookup])
    steps: dict[str, Step] = field(default_factory=dict[str, Step])
    showings: dict[tuple[str, str, str], Showing] = field(
        default_factory=dict[tuple[str, str, str], Showing]
    )
    failed_actions: dict[str, FailedAction] = field(default_factory=dict[str, FailedAction])
    shown: dict[str, set[str]] = field(default_factory=dict[str, set[str]])
    recurred: set[str] = field(default_factory=set[str])
    """The ids of look-ups that matched what an earlier one had shown for the same signature."""
    votes: dict[Ballot, tuple[datetime, str, str]] = field(
        default_factory=dict[Ballot, tuple[datetime, str, str]]
    )
    """When it was cast, its kind and the comment."""
    vetoes: dict[str, set[str]] = field(default_factory=dict[str, set[str]])

    def copy(self) -> "ScopeData":
        """The same attempts, rows, votes and events, to be put back when writes failed."""
        return replace(
            self,
            attempts=dict(self.attempts),
            attempt_events=dict(self.attempt_events),
            rows={name: row.copy() for name, row in self.rows.items()},
            events=dict(self.events),
            votes=dict(self.votes),
        )


# --------------------------------------------------------------------- on one data


def attempts_of(
    scopes: Iterable[ScopeData],
    *,
    conversation_id: str | None = None,
    max_quality: float | None = None,
    since: datetime | None = None,
) -> list[Attempt]:
    """See `Store.attempts`."""
    chosen = [
        attempt
        for data in scopes
        for attempt in data.attempts.values()
        if (conversation_id is None or attempt.conversation_id == scrub(conversation_id))
        and (max_quality is None or (attempt.quality is not None and attempt.quality < max_quality))
        and (since is None or attempt.at >= since)
    ]
    chosen.sort(key=lambda attempt: attempt.id)
    chosen.sort(key=lambda attempt: attempt.at, reverse=True)
    return chosen


def recognised(data: ScopeData, observation: Observation) -> ScopeRow | None:
    """The row that the observation means: the one it names, else the one with its signature."""
    kind = observation.reflection.kind
    row = data.rows.get(observation.same_as or "")
    if row is not None and row.reflection.kind == kind:
        return row
    return same_row(data, observation.reflection)


def same_row(data: ScopeData, reflection: Reflection) -> ScopeRow | None:
    """The row of the same kind with the same signature."""
    kind, signature = reflection.kind, reflection.signature
    same = (
        row
        for row in data.rows.values()
        if row.reflection.signature == signature and row.reflection.kind == kind
    )
    return next(same, None)


def count(data: ScopeData, row: ScopeRow, observation: Observation) -> RecordResult:
    """Merge the observation's fields, and count it unless it corrects an earlier wording."""
    counted = not (observation.corrects and observation.person in row.met_by)
    before, was_by = row.whole(), row.author
    merged, author = met_again(before, observation, author=was_by)
    retired = show_first(data, row, before, merged, author)
    row.reflection = replace(
        row.reflection,
        occurrences=merged.occurrences + counted,
        last_seen=later(merged.last_seen, observation.reflection.last_seen),
        links=tuple(dict.fromkeys(merged.links + observation.reflection.links)),
    )
    return RecordResult(
        reflection=row.reflection,
        created=False,
        counted=counted,
        replaced=replaced(before, merged, was_by),
        retired=retired,
    )


def show_first(
    data: ScopeData, row: ScopeRow, before: Reflection, after: Reflection, author: str
) -> tuple[str, ...]:
    """Store a row that may show other words than before; return the strategies that retired.

    Args:
        data: where it is.
        row: as it is stored.
        before: the same as a record, whole.
        after: as it is to be, with the votes of the version that it shows.
        author: whose words it shows.
    """
    if is_completed(before, after) and first_id(before) != first_id(after):
        for ballot in [each for each in data.votes if each[0] == first_id(before)]:
            data.votes[(first_id(after), *ballot[1:])] = data.votes.pop(ballot)
    elif first_id(before) != first_id(after):
        for key, said in row.wordings.items():
            if said.words == (before.lesson, before.strategy):
                row.wordings[key] = replace(said, helped=before.helped, failed=before.failed)
    row.reflection, row.author = replace(after, wordings=()), author
    row.wordings = {said.key: said for said in without_votes_of(after, row.wordings.values())}
    if after.kind == "strategy" or before.strategy == after.strategy:
        return ()
    retired: list[str] = []
    for other in data.rows.values():
        rule = other.reflection
        lessons = {link.target_id for link in rule.links if link.kind == "strategy_of"}
        if rule.kind == "reflection" or after.id not in lessons:
            continue
        if rule.lesson == before.strategy and len(lessons) == 1:
            other.reflection = replace(rule, retired=True)
            retired.append(rule.id)
        elif rule.lesson == after.strategy:
            other.reflection = replace(rule, retired=False)
    return tuple(sorted(retired))


def with_its_lesson(data: ScopeData, row: ScopeRow, made: RecordResult) -> RecordResult:
    """The result, a strategy retired that came with words that its lesson does not show."""
    rule = row.reflection
    lessons = {link.target_id for link in rule.links if link.kind == "strategy_of"}
    for lesson in lessons if rule.kind == "strategy" and len(lessons) == 1 else ():
        of = data.rows.get(lesson)
        if of is None or of.reflection.kind == "strategy" or rule.retired:
            continue
        if of.reflection.strategy != rule.lesson:
            row.reflection = replace(rule, retired=True)
            return replace(made, retired=(rule.id,))
    return made


def add_wording(row: ScopeRow, said: Wording) -> None:
    """Keep a wording, or count it once more."""
    before = row.wordings.get(said.key)
    row.wordings[said.key] = (
        said if before is None else replace(before, times=before.times + said.times)
    )


def position(order: Order, row: Reflection) -> tuple[Any, str, str]:
    """Return what a list is sorted by; ties go by id, and of one id by project."""
    first: Any = {
        "newest": _BEGIN - row.last_seen,
        "most_met": -row.occurrences,
        "importance": -row.importance,
    }[order]
    return first, row.id, row.scope.project


def erase(data: ScopeData, target: str, tenant: Sequence[ScopeData]) -> bool:
    """Delete what has this id, and what names it on the other scopes of the tenant."""
    for votes in [vote for vote in data.votes if target in (vote[0], row_named(vote[0]))]:
        del data.votes[votes]
    if data.attempts.pop(target, None) is not None:
        data.attempt_events = {e: i for e, i in data.attempt_events.items() if i != target}
        return True
    if data.lookups.pop(target, None) is not None:
        return True
    if data.rows.pop(target, None) is None:
        return False
    data.events = {event: each for event, each in data.events.items() if each != target}
    for other in tenant:
        _unlink(other.rows, target)
        _discard(other.shown, target)
        _discard(other.vetoes, target)
    return True


def _unlink(rows: Mapping[str, ScopeRow], target: str) -> None:
    for row in rows.values():
        kept = tuple(link for link in row.reflection.links if link.target_id != target)
        row.reflection = replace(row.reflection, links=kept)


def _discard(named: Mapping[str, set[str]], target: str) -> None:
    for ids in named.values():
        ids.discard(target)
