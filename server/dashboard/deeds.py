"""Actions done from a page: a message for the next page, and an undo for an hour.

Rules of this module: a way back is a change of rows turned round, as the undo of a consolidation
is, and a vote that is withdrawn or as it was before. It is kept in this process alone. What
somebody else changed since is left as it is.
"""

import secrets
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from reflection_mcp.store.errors import StoreBusy
from reflection_mcp.store.interactions import Feedback
from reflection_mcp.store.maintenance import Change, StoredReflection
from reflection_mcp.store.records import Scope
from reflection_mcp.store.state import Vote
from reflection_mcp.tools.errors import NotFound
from reflection_mcp.tools.feedback.record_feedback import UNCHANGED
from reflection_mcp.tools.manual_lesson import strategy_row
from reflection_mcp.tools.ports import Services

KEPT = timedelta(hours=1)
MOST = 200  # deeds of one person


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """What was done in a project, by whom, and in lines for a reader; `about` are the ids of the
    lessons that `back` leaves as they were, if anything can."""

    lines: tuple[str, ...]
    scope: Scope
    at: datetime
    by: str
    about: tuple[str, ...] = ()
    back: tuple[Change | Feedback, ...] = ()


def told(services: Services, lines: Sequence[str]) -> Deed:
    """Return what was done now, for good."""
    by = services.caller.person
    return Deed(lines=tuple(lines), scope=services.scope, at=services.clock(), by=by)


@dataclass(kw_only=True)
class Deeds:
    """The deeds of this process, by names that nobody can guess."""

    _done: dict[str, Deed] = field(default_factory=dict[str, Deed])

    def add(self, deed: Deed) -> str:
        """Remember a deed; return its name."""
        name = secrets.token_urlsafe(12)
        kept = {each: old for each, old in self._done.items() if deed.at - old.at < KEPT}
        self._done = kept | {name: deed}
        own = [each for each, old in self._done.items() if old.by == deed.by]
        for each in own[:-MOST]:
            del self._done[each]
        return name

    def get(self, name: str, services: Services) -> Deed | None:
        """Return what this person has done in this project under this name, if it is known."""
        deed = self._done.get(name)
        mine = deed and (deed.scope, deed.by) == (services.scope, services.caller.person)
        return deed if mine else None

    def recent(self, services: Services, about: str = "") -> dict[str, Deed]:
        """Return what this person can still undo in this project, or about one lesson, by its name;
        the latest first."""
        since = services.clock() - KEPT
        found = {name: self.get(name, services) for name in reversed(self._done)}
        return {
            name: deed
            for name, deed in found.items()
            if deed and deed.back and deed.at > since and (not about or about in deed.about)
        }

    async def undo(self, services: Services, name: str) -> tuple[str, ...]:
        """Take a deed back, once; return what changed, in sentences.

        Raises:
            NotFound: it is not known, or too old, or cannot be undone.
            StoreBusy: others have changed one of the rows since; nothing was changed.
            StoreError: the store cannot be written.
        """
        deed = self.recent(services).get(name)
        if deed is None:
            raise NotFound("this can no longer be undone", "change the lesson itself")
        changes = [each for each in deed.back if isinstance(each, Change)]
        if changes and await services.store.rewrite(services.scope, changes):
            raise StoreBusy("the lesson was changed meanwhile", "nothing was undone; look at it")
        for each in deed.back:
            if isinstance(each, Feedback):
                await services.store.apply_feedback(services.scope, each)
        del self._done[name]
        return tuple(f"{each}: as it was before" for each in deed.about)


async def done(
    services: Services, ids: Sequence[str], act: Callable[[], Awaitable[Sequence[str]]]
) -> Deed:
    """Act on lessons, and return what was done together with the way back.

    Raises:
        ReflectionError: as `act` does.
        StoreError: as `act` does.
    """
    before = await _rows(services, ids)
    cast = [await _votes(services, row) for row in before]
    deed = told(services, await act())
    if set(deed.lines) == {UNCHANGED}:
        return deed  # what differs was changed by somebody else, or by the same form sent before
    back: list[Change | Feedback] = []
    changed: set[str] = set()
    for row, votes in zip(before, cast, strict=True):
        for now in await _stored(services, row.reflection.id):
            said = list(_unsaid(services, votes, await _votes(services, row)))
            if said and _words(now) != _words(row):
                return deed  # other words stand first since: whose vote it was cannot be told
            was = _with_votes_of(row, now) if said else row
            way = [*([Change(before=now, after=was)] if now != was else ()), *said]
            back += way
            changed |= {row.reflection.id} if way else set()
    return replace(deed, about=tuple(each for each in ids if each in changed), back=tuple(back))


def _words(row: StoredReflection) -> tuple[object, ...]:
    shown = row.reflection
    return (shown.lesson, shown.strategy, {said.key for said in shown.wordings})


def _with_votes_of(row: StoredReflection, now: StoredReflection) -> StoredReflection:
    """The row with the votes of now: those that are withdrawn are counted by the store."""
    known = now.reflection
    was = replace(row.reflection, helped=known.helped, failed=known.failed, wordings=known.wordings)
    return replace(row, reflection=was)


async def _votes(services: Services, row: StoredReflection) -> Mapping[tuple[str, str], Vote]:
    """The votes of whoever acts on a lesson, by version and occasion."""
    of_all = await services.store.votes(services.scope, target_id=row.reflection.id)
    own = (vote for vote in of_all if vote.source == services.caller.person)
    return {(vote.version or vote.target_id, vote.occasion): vote for vote in own}


def _unsaid(
    services: Services,
    before: Mapping[tuple[str, str], Vote],
    now: Mapping[tuple[str, str], Vote],
) -> Iterator[Feedback]:
    """What takes votes back that were cast in between; each is as it was before."""
    for (target, occasion), vote in now.items():
        old = before.get((target, occasion))
        if old != vote:
            yield Feedback(
                kind=old.kind if old else "withdrawn",
                at=old.at if old else vote.at,
                source=vote.source,
                target_id=target,
                said_in=services.caller.home,
                comment=old.comment if old else "",
            )


async def _rows(services: Services, ids: Sequence[str]) -> list[StoredReflection]:
    """The lessons with these ids, each with the strategy that goes with it."""
    found: dict[str, StoredReflection] = {}
    for each in ids:
        for row in await _stored(services, each):
            found[each] = row
            if row.reflection.strategy and row.reflection.kind == "reflection":
                twin = await strategy_row(services, row.reflection)
                found |= {} if twin is None else {twin.reflection.id: twin}
    return list(found.values())


async def _stored(services: Services, name: str) -> Sequence[StoredReflection]:
    return await services.store.stored(services.scope, limit=1, only=name)
