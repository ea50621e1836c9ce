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
from reflection_mcp.tools.manual_lesson import strategy_row
from reflection_mcp.tools.ports import Services

KEPT = timedelta(hours=1)
MOST = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """What was done in a project, in lines for a reader; `back` undoes it, if anything can."""

    lines: tuple[str, ...]
    scope: Scope
    at: datetime
    back: tuple[Change | Feedback, ...] = ()


@dataclass(kw_only=True)
class Deeds:
    """The deeds of this process, by names that nobody can guess."""

    _done: dict[str, Deed] = field(default_factory=dict[str, Deed])

    def add(self, deed: Deed) -> str:
        """Remember a deed; return its name."""
        name = secrets.token_urlsafe(12)
        kept = {each: old for each, old in self._done.items() if deed.at - old.at < KEPT}
        self._done = dict([*kept.items(), (name, deed)][-MOST:])
        return name

    def get(self, name: str, scope: Scope) -> Deed | None:
        """Return the deed of this project with this name, if it is still known."""
        deed = self._done.get(name)
        return deed if deed is not None and deed.scope == scope else None

    async def undo(self, services: Services, name: str) -> tuple[str, ...]:
        """Take a deed back, once; return what changed, in sentences.

        Raises:
            NotFound: it is not known, or too old, or cannot be undone.
            StoreBusy: others have changed one of the rows since; nothing was changed.
            StoreError: the store cannot be written.
        """
        deed = self.get(name, services.scope)
        if deed is None or not deed.back or services.clock() - deed.at >= KEPT:
            raise NotFound("this can no longer be undone", "change the lesson itself")
        changes = [each for each in deed.back if isinstance(each, Change)]
        if changes and await services.store.rewrite(services.scope, changes):
            raise StoreBusy("the lesson was changed meanwhile", "nothing was undone; look at it")
        said = [each for each in deed.back if isinstance(each, Feedback)]
        for each in said:
            await services.store.apply_feedback(services.scope, each)
        del self._done[name]
        names = [each.after.reflection.id for each in changes]
        names += [(each.target_id or "").partition(".")[0] for each in said]
        return tuple(f"{each}: as it was before" for each in dict.fromkeys(names))


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
    lines = tuple(await act())
    deed = Deed(lines=lines, scope=services.scope, at=services.clock())
    back: list[Change | Feedback] = []
    for row, votes in zip(before, cast, strict=True):
        for now in await _stored(services, row.reflection.id):
            said = list(_unsaid(services, votes, await _votes(services, row)))
            if said and _words(now) != _words(row):
                return deed  # other words stand first since: whose vote it was cannot be told
            was = _with_votes_of(row, now) if said else row
            back += [Change(before=now, after=was)] if now != was else []
            back += said
    return replace(deed, back=tuple(back))


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
