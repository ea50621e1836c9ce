"""The review queue: the lessons that a person has to decide about, each with the reason.

Rules: rows of exactly this scope wait; what all projects share is reviewed in `global`. Each lesson
waits once, for the first reason that fits. Nothing is changed here.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from reflection_mcp.store.contract import Store
from reflection_mcp.store.lesson_versions import first_id
from reflection_mcp.store.records import Reflection, Scope
from reflection_mcp.tools.learning import contradiction, track_record
from reflection_mcp.tools.learning.fix_candidates import CANDIDATE, is_open

Reason = Literal["contradiction", "candidate", "harmful", "suspicious", "never_helped", "mine"]
ReviewAction = Literal["confirm", "reject", "edit", "merge", "forget", "project", "tenant"]

MOST_READ = 2_000  # rows that are looked through, those of most importance first
MOST_COMPARED = 1_000  # of them, for contradictions, which takes a fifth of a second at first
MOST_CANDIDATES = 200
SHOWN_IN_VAIN = int(track_record.TIRED_AFTER)
RECURRED_IN_VAIN = 3
"""Showings, and look-ups of errors for which it had been shown, after which a lesson that never
helped is asked about."""
LOOK_UPS_READ = 4 * SHOWN_IN_VAIN  # of such a lesson, the newest

ACTIONS: dict[Reason, tuple[ReviewAction, ...]] = {
    "contradiction": ("confirm", "reject", "edit", "merge", "forget"),
    "candidate": ("confirm", "reject", "edit", "forget"),
    "harmful": ("confirm", "reject", "edit", "forget"),
    "suspicious": ("reject", "edit", "forget"),
    "never_helped": ("confirm", "reject", "edit", "forget"),
    "mine": ("project", "tenant", "edit", "forget"),
}
"""The possible actions, by the reason why an item waits, in the order of use: what misleads
now, what could help, what is withheld, what is in the way, what only one person knows. `project`
and `tenant` share a lesson of a person's own with everybody there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewItem:
    """A lesson that waits, and why; `against` is the one that says the opposite."""

    reason: Reason
    why: str
    row: Reflection
    against: Reflection | None = None

    @property
    def id(self) -> str:
        """The id of the lesson."""
        return self.row.id

    @property
    def actions(self) -> tuple[ReviewAction, ...]:
        """The actions that are possible."""
        return ACTIONS[self.reason]

    @property
    def names(self) -> frozenset[str]:
        """The ids of the lessons it is about."""
        return frozenset({self.row.id} | ({self.against.id} if self.against else set()))


async def waiting_items(store: Store, scope: Scope) -> tuple[ReviewItem, ...]:
    """Return what waits for review, the most useful first.

    Raises:
        StoreError: the store cannot be read.
    """
    return items_among(*await rows_to_review(store, scope))


async def rows_to_review(store: Store, scope: Scope) -> tuple[list[Reflection], list[Reflection]]:
    """Return the rows that are looked through, and the candidates that nobody has confirmed.

    Raises:
        StoreError: the store cannot be read.
    """
    living = await store.reflections(scope, order="importance", limit=MOST_READ)
    own = [
        await with_showings_of_its_words(store, scope, row) if _is_in_vain(row) else row
        for row in living
        if row.scope == scope
    ]
    candidates = await store.reflections(
        scope, tags=(CANDIDATE,), include_retired=True, limit=MOST_CANDIDATES
    )
    return own, [row for row in candidates if row.scope == scope and is_open(row)]


async def with_showings_of_its_words(store: Store, scope: Scope, row: Reflection) -> Reflection:
    """Return the row; where other words have been shown lately, with what was counted since."""
    log = await store.lookups(scope, matched_id=row.id, limit=LOOK_UPS_READ)
    name = first_id(row)
    shown_other = (n for n, each in enumerate(log) if each.versions and name not in each.versions)
    since = next(shown_other, None)
    if since is None:
        return row
    shown = sum(name in each.versions for each in log[:since])
    return replace(row, shown=shown, recurred=max(0, since - 1))


def _is_in_vain(row: Reflection) -> bool:
    tried = row.shown >= SHOWN_IN_VAIN or row.recurred >= RECURRED_IN_VAIN
    return tried and not row.helped


async def waiting_line(store: Store, scope: Scope) -> str:
    """Return in a line how many lessons wait, or an empty text; to share some is nobody's duty.

    Raises:
        StoreError: the store cannot be read.
    """
    many = sum(item.reason != "mine" for item in await waiting_items(store, scope))
    waits = "1 lesson waits" if many == 1 else f"{many} lessons wait"
    return f"{waits} for review: `reflection-mcp review`" if many else ""


def items_among(
    living: Sequence[Reflection], candidates: Sequence[Reflection]
) -> tuple[ReviewItem, ...]:
    """Return what waits among these rows."""
    found: list[ReviewItem] = []
    taken: set[str] = set()
    for item in (*_contradictions(living), *_alone(living, candidates)):
        if not taken & item.names:
            found.append(item)
            taken |= item.names
    lessons = {item.row.strategy for item in found if item.row.kind == "reflection"}
    kept = (item for item in found if item.row.kind != "strategy" or item.row.lesson not in lessons)
    return tuple(sorted(kept, key=_order))


def _order(item: ReviewItem) -> tuple[object, ...]:
    row = item.row
    met = row.occurrences + row.shown + row.recurred
    return (list(ACTIONS).index(item.reason), -met, -row.last_seen.timestamp(), row.id)


def _contradictions(living: Sequence[Reflection]) -> Iterator[ReviewItem]:
    """Yield pairs that are both offered, of which no person has put one before the other."""
    offered = [row for row in living if not (row.suspicious or track_record.is_harmful(row))]
    compared = offered[:MOST_COMPARED]
    # A rule that came with a lesson is shown, confirmed and rejected with it.
    of_strategy = {row.strategy: row for row in compared if row.kind == "reflection"}
    by_id = {row.id: row for row in compared}
    for name, links in sorted(contradiction.contradictions(compared).items()):
        for target in (link.target_id for link in links if link.target_id > name):
            pair = [of_strategy.get(row.lesson, row) for row in (by_id[name], by_id[target])]
            first, second = sorted(pair, key=track_record.proven, reverse=True)
            if first.id != second.id and _balance(first) == _balance(second):
                why = f"{second.id} says the opposite"
                yield ReviewItem(reason="contradiction", why=why, row=first, against=second)


def _balance(row: Reflection) -> int:
    return row.helped - row.failed


def _alone(living: Sequence[Reflection], candidates: Sequence[Reflection]) -> Iterator[ReviewItem]:
    for row in candidates:
        why = "a fix that nobody has confirmed; no look-up offers it"
        yield ReviewItem(reason="candidate", why=why, row=row)
    person = living[0].scope.person if living else ""  # they are all of one scope
    for row in living:
        if row.suspicious:
            why = "its text tries to give instructions; it is not offered"
            yield ReviewItem(reason="suspicious", why=why, row=row)
        elif track_record.is_harmful(row):
            why = f"failed {_times(row.failed)}, helped {_times(row.helped)}; it is not offered"
            yield ReviewItem(reason="harmful", why=why, row=row)
        elif _is_in_vain(row):
            why = f"shown {_times(row.shown)}, never helped"
            yield ReviewItem(reason="never_helped", why=why, row=row)
        elif person:
            why = f"only {person} sees it"
            yield ReviewItem(reason="mine", why=why, row=row)


def _times(number: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(number, f"{number} times")
