"""Actions done from a page: a message for the next page, and an undo for an hour.

Rules of this module: an undo is the reversed change of rows, as the undo of a consolidation is, and
a vote that is withdrawn or restored. It is kept in this process alone. What somebody else changed
since is left as it is.
"""

import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from reflection_mcp.server.dashboard.views import titled
from reflection_mcp.store.errors import StoreBusy, StoreError
from reflection_mcp.store.interactions import Feedback
from reflection_mcp.store.maintenance import Change, StoredReflection, with_votes_of
from reflection_mcp.store.records import Reflection, Scope
from reflection_mcp.store.state import Vote
from reflection_mcp.tools.errors import NotFound, ReflectionError
from reflection_mcp.tools.feedback.record_feedback import UNCHANGED
from reflection_mcp.tools.feedback.user_lesson import Learned
from reflection_mcp.tools.manual_lesson import strategy_row
from reflection_mcp.tools.ports import Services

KEPT = timedelta(hours=1)
MOST = 200  # deeds of one person
CHANGED, NOTHING = "the lesson was changed since", "nothing was undone"


class ChangedSince(StoreBusy):
    """What is to be undone was changed since."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unsaid:
    """The feedback that takes back what was said about a lesson, and the vote that was `cast`, if
    it was one."""

    about: str
    back: Feedback
    cast: Vote | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """What was done in a project, by whom, and in lines for a reader.

    `about` are the ids of the lessons that `back` and `unsaid` restore, `gone` those of deleted
    ones. What was done to several lessons is undone in `parts`.
    """

    lines: tuple[str, ...]
    scope: Scope
    at: datetime
    by: str
    about: tuple[str, ...] = ()
    back: tuple[Change, ...] = ()
    unsaid: tuple[Unsaid, ...] = ()
    parts: tuple["Deed", ...] = ()
    gone: tuple[str, ...] = ()
    undone: datetime | None = None

    @property
    def each(self) -> tuple["Deed", ...]:
        """What was done to each of several lessons, or to one."""
        return self.parts or (self,)

    @property
    def has_way_back(self) -> bool:
        """True if an undo is known and was not used; the store may still refuse it."""
        return self.undone is None and bool(self.back or self.unsaid or self.parts)


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
        """Return what this person can still undo in this project, or has undone, by its name, the
        latest first; all of it, or what is about one lesson."""
        since = services.clock() - KEPT
        found = {name: self.get(name, services) for name in reversed(self._done)}
        return {
            name: deed
            for name, deed in found.items()
            if deed and deed.at > since and (deed.has_way_back or deed.undone)
            and (not about or about in deed.about)
        }  # fmt: skip

    def later(self, services: Services, name: str) -> dict[str, Deed]:
        """Return what was done to the same lessons after this deed and can be undone, the latest
        first."""
        about = self._done[name].about
        recent = [*self.recent(services).items()]
        names = [each for each, _ in recent]
        return {
            each: deed
            for each, deed in recent[: names.index(name)]
            if deed.has_way_back and not set(about).isdisjoint(deed.about)
        }

    async def undo(self, services: Services, name: str) -> Deed:
        """Take a deed back, once; return what was done by that.

        Raises:
            NotFound: it is not known, or too old, or cannot be undone.
            ChangedSince: one of the rows was changed since; nothing was changed.
            StoreError: the store cannot be written.
        """
        deed = self.recent(services).get(name)
        if deed is None or not deed.has_way_back:
            raise NotFound("this can no longer be undone", "change the lesson itself")
        votes = [part.unsaid for each in self.later(services, name).values() for part in each.each]
        if any(part.back for part in deed.each) and any(votes):
            # Undoing it may remove the version that was voted on.
            raise ChangedSince(CHANGED, NOTHING)
        back: list[Deed] = []
        left: list[tuple[Deed, ReflectionError | StoreError]] = []
        for part in deed.each:
            try:
                back.append(await _taken_back(services, part))
            except (ReflectionError, StoreError) as trouble:
                left.append((part, trouble))
        rest = tuple(part for part, why in left if not isinstance(why, NotFound))
        if not back:
            raise next((why for part, why in left if part in rest), left[0][1])
        undone = None if rest else services.clock()
        self._done[name] = replace(deed, parts=rest, undone=undone)
        failed = [
            f"{name}: not undone, {why.message}" for part, why in left for name in part.about[:1]
        ]
        return replace(
            told(services, [*dict.fromkeys(line for each in back for line in each.lines), *failed]),
            gone=tuple(gone for each in back for gone in each.gone),
        )


async def _taken_back(services: Services, deed: Deed) -> Deed:
    """Undo what was done to one lesson, or to two together."""
    store, scope = services.store, services.scope
    names = {each.before.reflection.id for each in deed.back} | {each.about for each in deed.unsaid}
    there = {name for name in names if await store.reflection(scope, name) is not None}
    back = [each for each in deed.back if each.before.reflection.id in there]
    unsaid = [each for each in deed.unsaid if each.about in there]
    if not (back or unsaid):
        raise NotFound("the lesson was deleted meanwhile", "nothing of it is left to undo")
    new = tuple(each.before.reflection.id for each in back if each.gone)
    called = await titled(services, new)  # afterwards nobody knows it
    stands = [each.cast is None or each.cast in await _votes_on(services, each) for each in unsaid]
    if not all(stands) or (back and await store.rewrite(scope, back)):
        raise ChangedSince(CHANGED, NOTHING)
    for each in unsaid:
        await store.apply_feedback(scope, each.back)
    as_before = [each for each in deed.about if each in there and each not in new]
    lines = [
        *(f"{each}: as it was before" for each in as_before),
        *(f"{each}: deleted" for each in called),
    ]
    return replace(told(services, lines), gone=new)


async def _votes_on(services: Services, said: Unsaid) -> Sequence[Vote]:
    return await services.store.votes(services.scope, target_id=said.about)


# --------------------------------------------------------------------------- the way back


@dataclass(frozen=True, slots=True, kw_only=True)
class Before:
    """Lessons as they are before something is done to them, and the votes of whoever does it."""

    services: Services
    ids: Sequence[str]
    rows: Sequence[StoredReflection]
    votes: Sequence[Mapping[tuple[str, str], Vote]]

    async def deed(self, lines: Sequence[str], learned: Sequence[Learned] = ()) -> Deed:
        """Return what was done, and `learned` from it, with the undo.

        There is no undo if it cannot be known: if another version was put first meanwhile, or if a
        lesson was changed whose earlier state was not read.
        """
        services = self.services
        deed = told(services, lines)
        new = [each.row.id for each in learned if each.result.created]
        known = {row.reflection.id for row in self.rows}.union(new)
        same = all(line.startswith(UNCHANGED) for line in lines)
        if same or not known.issuperset(each.row.id for each in learned):
            return deed  # others made the change, or the same form that was sent before
        back: list[Change] = []
        unsaid: list[Unsaid] = []
        for row, votes in zip(self.rows, self.votes, strict=True):
            for now in await _stored(services, row.reflection.id):
                said = [*_unsaid(services, votes, await _votes(services, row))]
                if said and not _may_stand_first(row.reflection, now.reflection, learned):
                    return deed  # whose vote it was is not known
                was = with_votes_of(row, now) if said else row
                if now != was:
                    events = (each.event_id for each in learned if each.row.id == row.reflection.id)
                    back.append(Change(before=now, after=was, unrecorded=tuple(events)))
                unsaid += said
        changed = {*(each.before.reflection.id for each in back), *(each.about for each in unsaid)}
        for name in new:
            made = await _stored(services, name)
            back += [Change(before=row, after=row, gone=True) for row in made]
        about = (*(each for each in self.ids if each in changed), *new)
        return replace(deed, about=about, back=tuple(back), unsaid=tuple(unsaid))


async def before(services: Services, ids: Sequence[str]) -> Before:
    """Return lessons as they are, each with the strategy that goes with it."""
    rows = await _rows(services, ids)
    votes = [await _votes(services, row) for row in rows]
    return Before(services=services, ids=ids, rows=rows, votes=votes)


def _may_stand_first(was: Reflection, now: Reflection, learned: Sequence[Learned]) -> bool:
    """Return True if the version shown first is the same, or was learned with the vote."""
    same = (was.lesson, was.strategy) == (now.lesson, now.strategy)
    return same or bool(was.lesson and now.lesson in (each.row.lesson for each in learned))


async def _votes(services: Services, row: StoredReflection) -> Mapping[tuple[str, str], Vote]:
    """The votes of whoever acts on a lesson, by version and occasion."""
    of_all = await services.store.votes(services.scope, target_id=row.reflection.id)
    own = (vote for vote in of_all if vote.source == services.caller.person)
    return {(vote.version or vote.target_id, vote.occasion): vote for vote in own}


def _unsaid(
    services: Services,
    before: Mapping[tuple[str, str], Vote],
    now: Mapping[tuple[str, str], Vote],
) -> Iterator[Unsaid]:
    """What takes votes back that were cast in between; each is as it was before."""
    for (target, occasion), vote in now.items():
        old = before.get((target, occasion))
        if old != vote:
            back = Feedback(
                kind=old.kind if old else "withdrawn",
                at=old.at if old else vote.at,
                source=vote.source,
                target_id=target,
                said_in=services.caller.home,
                comment=old.comment if old else "",
            )
            yield Unsaid(about=vote.target_id, back=back, cast=vote)


async def _rows(services: Services, ids: Sequence[str]) -> list[StoredReflection]:
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
