"""A plan for consolidating memory: merge, raise, lower, retire, link, mark contradictions.

Rules: a plan is made by a pure function, printed, applied in one transaction, and can be reversed.
Nothing is deleted and no wording is rewritten: of two rows with the same lesson one stays and takes
over the keys of the other; the other is retired and its wording is stored as a version. Errors are
never merged here, since two errors that look alike may be different ones; that is decided when an
error is recognised. A plan that has been applied leaves nothing to do.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, Literal

from reflection_mcp.store.maintenance import Change, StoredReflection, tidy, united
from reflection_mcp.store.records import Link, Reflection
from reflection_mcp.tools.learning import contradiction, duplicates, track_record
from reflection_mcp.tools.learning.progress import Progress, Stage, no_stage

Deed = Literal["merge", "raise", "lower", "retire", "link", "contradiction"]

STALE = timedelta(days=180)
FORGOTTEN = timedelta(days=365)
LOW = 0.3  # the importance to which a stale lesson sinks, and from which it may be retired
TALLEST = 0.9  # no lesson is raised above; only people and outcomes put one there
GRAIN = 0.01  # a difference of importance that is worth a change


@dataclass(frozen=True, slots=True)
class ConsolidationStep:
    """One line of a plan: what is done to which row, and why."""

    deed: Deed
    id: str
    why: str

    def __str__(self) -> str:
        """Return the line that is printed."""
        return f"{self.deed:<13} {self.id}: {self.why}"


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsolidationPlan:
    """The steps for a reader and the changes for a store."""

    steps: tuple[ConsolidationStep, ...] = ()
    changes: tuple[Change, ...] = ()

    def count(self, deed: Deed) -> int:
        """Return the number of steps of a kind."""
        return sum(step.deed == deed for step in self.steps)


@dataclass
class _Draft:
    """The rows as the plan has left them so far, and its steps."""

    rows: dict[str, StoredReflection]
    steps: list[ConsolidationStep] = field(default_factory=list[ConsolidationStep])

    def note(self, deed: Deed, row: StoredReflection, why: str, **changes: Any) -> None:
        reflection = replace(row.reflection, **changes)
        self.rows[reflection.id] = tidy(replace(row, reflection=reflection))
        self.steps.append(ConsolidationStep(deed, reflection.id, why))

    def living(self) -> list[StoredReflection]:
        return [row for row in self.rows.values() if not row.reflection.retired]

    def plan(self, before: Mapping[str, StoredReflection]) -> ConsolidationPlan:
        changes = [
            Change(before=before[name], after=row)
            for name, row in self.rows.items()
            if row != before[name]
        ]
        return ConsolidationPlan(steps=tuple(self.steps), changes=tuple(changes))


def make_plan(
    rows: Iterable[StoredReflection], now: datetime, stage: Stage = no_stage
) -> ConsolidationPlan:
    """The plan for all rows of a scope. The same rows give the same plan, in whatever order."""
    before = {row.reflection.id: tidy(row) for row in rows}
    desk = _Draft(rows=dict(sorted(before.items())))
    _merge(desk, now, stage("looking for duplicates", len(before)))
    _weigh(desk, now)
    _retire(desk, now)
    _link(desk, now, stage("looking for contradictions", len(before)))
    return desk.plan(before)


def merge_plan(
    kept: StoredReflection, other: StoredReflection, strategy: StoredReflection | None = None
) -> ConsolidationPlan:
    """Return the plan that merges a lesson into another one, because a person says so.

    Args:
        kept: the lesson that stays.
        other: the lesson that is retired; its wording stays as a version of the other one.
        strategy: the row of the strategy that came with `other` alone, which goes with it.
    """
    gone = [each for each in (other, strategy) if each is not None]
    before = {row.reflection.id: tidy(row) for row in (kept, *gone)}
    desk = _Draft(rows=dict(before))
    _merge_into(desk, kept.reflection.id, [other.reflection.id], same_words=False)
    if strategy is not None:
        desk.note("retire", strategy, f"the strategy of {other.reflection.id}", retired=True)
    return desk.plan(before)


def may_merge(reflection: Reflection) -> bool:
    """Return True for a lesson that belongs to no error and reads like no order."""
    return reflection.pattern is None and not reflection.suspicious


# --------------------------------------------------------------------- merging


def _merge(desk: _Draft, now: datetime, progress: Progress) -> None:
    lessons = [row for row in desk.living() if may_merge(row.reflection)]
    for cluster in duplicates.duplicate_groups([row.reflection for row in lessons], progress):
        best, *others = (row.id for row in track_record.ranked(cluster, now))
        _merge_into(desk, best, others)


def _merge_into(desk: _Draft, best: str, others: Sequence[str], *, same_words: bool = True) -> None:
    kept = desk.rows[best]
    for other in (desk.rows[each] for each in others):
        kept = _taken_over(kept, other, same_words=same_words)
        desk.note("merge", other, f"says the same as {best}", retired=True)
    link = tuple(Link(kind="supersedes", target_id=each) for each in others)
    desk.rows[best] = tidy(
        replace(kept, reflection=replace(kept.reflection, links=kept.reflection.links + link))
    )


def _taken_over(
    kept: StoredReflection, other: StoredReflection, *, same_words: bool
) -> StoredReflection:
    """Return the row that stays, with the wordings, keys, tags and counts of the other one; with
    its votes, too, if both say the same."""
    one, two = kept.reflection, other.reflection
    both = united(kept, other)
    counted: dict[str, Any] = {
        "occurrences": one.occurrences + two.occurrences,
        "sources": len({*kept.people, *other.people}) or 1,
        "shown": one.shown + two.shown,
        "recurred": one.recurred + two.recurred,
    }
    if same_words:
        counted |= {"helped": one.helped + two.helped, "failed": one.failed + two.failed}
    return replace(both, reflection=replace(both.reflection, **counted))


# --------------------------------------------------------------------- weighing, retiring


def _weigh(desk: _Draft, now: datetime) -> None:
    for row in desk.living():
        reflection = row.reflection
        if _age(reflection, now) > STALE and not reflection.helped:
            if reflection.importance > LOW + GRAIN:
                days = _age(reflection, now).days
                why = f"not met for {days} days and never helped"
                desk.note("lower", row, why, importance=LOW)
            continue
        earned = earned_importance(reflection)
        if earned > reflection.importance + GRAIN:
            times = "once" if reflection.occurrences == 1 else f"{reflection.occurrences} times"
            sources = "1 source" if reflection.sources == 1 else f"{reflection.sources} sources"
            why = f"met {times} by {sources}"
            desk.note("raise", row, why, importance=earned)


def earned_importance(reflection: Reflection) -> float:
    """Return the importance earned by recurrence and votes; distinct sources count most."""
    sources = 0.1 * math.log2(max(1, reflection.sources))
    again = 0.02 * math.log2(max(1, reflection.occurrences))
    thanks = 0.2 * track_record.lower_bound(
        reflection.helped, reflection.helped + reflection.failed
    )
    return round(min(TALLEST, 0.5 + sources + again + thanks), 2)


def _retire(desk: _Draft, now: datetime) -> None:
    for row in desk.living():
        reflection = row.reflection
        age = _age(reflection, now)
        if track_record.is_harmful(reflection) and age > STALE / 2:
            facts = f"failed {reflection.failed} times, helped {reflection.helped}"
            desk.note("retire", row, f"{facts}, not met for {age.days} days", retired=True)
        elif age > FORGOTTEN and not reflection.helped and reflection.importance <= LOW + GRAIN:
            desk.note("retire", row, f"not met for {age.days} days, never helped", retired=True)


def _age(reflection: Reflection, now: datetime) -> timedelta:
    return now - reflection.last_seen


# --------------------------------------------------------------------- links


def _link(desk: _Draft, now: datetime, progress: Progress) -> None:
    living = [row.reflection for row in desk.living()]
    order = {row.id: place for place, row in enumerate(track_record.ranked(living, now))}
    related = duplicates.links(living, order)
    against = contradiction.contradictions(living, progress)
    pairs = _of_one_another(living)
    for name in sorted(related.keys() | against.keys()):
        row = desk.rows[name]
        fresh = _new_links(
            row.reflection,
            [link for link in related.get(name, ()) if (name, link.target_id) not in pairs],
        )
        if fresh:
            facts = ", ".join(f"{link.kind} {link.target_id}" for link in fresh)
            desk.note("link", row, facts, links=row.reflection.links + fresh)
        row = desk.rows[name]
        opposed = _new_links(row.reflection, against.get(name, ()))
        if opposed:
            facts = ", ".join(link.target_id for link in opposed)
            why = f"says the opposite of {facts}"
            desk.note("contradiction", row, why, links=row.reflection.links + opposed)


def _of_one_another(rows: Iterable[Reflection]) -> set[tuple[str, str]]:
    """Return pairs of a lesson and its own strategy: a shared tag or error type means nothing
    there."""
    pairs = {
        (row.id, link.target_id) for row in rows for link in row.links if link.kind == "strategy_of"
    }
    return pairs | {(lesson, strategy) for strategy, lesson in pairs}


def _new_links(reflection: Reflection, links: Sequence[Link]) -> tuple[Link, ...]:
    """Return the links that the row does not have, up to `MOST_LINKS` of a kind."""
    had: Mapping[str, int] = {
        link.kind: sum(each.kind == link.kind for each in reflection.links) for link in links
    }
    return tuple(
        link
        for link in links
        if link not in reflection.links
        and (link.kind == "contradicts" or had[link.kind] < duplicates.MOST_LINKS)
    )
