"""What was done from a page: its line for the next page, and the way back, for an hour.

Rules of this module: a way back is a change of rows turned round, as the undo of a consolidation
is. It is kept in this process alone. What somebody else changed since is left as it is.
"""

import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from reflection_mcp.store.errors import StoreBusy
from reflection_mcp.store.maintenance import Change, StoredReflection
from reflection_mcp.store.records import Scope
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
    back: tuple[Change, ...] = ()


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
            raise NotFound("this cannot be undone any more", "change the lesson itself")
        if await services.store.rewrite(services.scope, deed.back):
            raise StoreBusy("the lesson was changed meanwhile", "nothing was undone; look at it")
        del self._done[name]
        return tuple(f"{each.after.reflection.id}: as it was before" for each in deed.back)


async def done(
    services: Services, ids: Sequence[str], act: Callable[[], Awaitable[Sequence[str]]]
) -> Deed:
    """Act on lessons, and return what was done together with the way back.

    Raises:
        ReflectionError: as `act` does.
        StoreError: as `act` does.
    """
    before = await _rows(services, ids)
    lines = await act()
    back: list[Change] = []
    for row in before:
        for now in await _stored(services, row.reflection.id):
            if now != row:
                back.append(Change(before=now, after=row))
    at = services.clock()
    return Deed(lines=tuple(lines), scope=services.scope, at=at, back=tuple(back))


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
