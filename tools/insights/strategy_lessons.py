"""Strategies, withheld if the lessons they came with are withheld.

A strategy is a record of its own, and most feedback is on its lesson: what is known against the
lesson holds for the strategy too.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reflection_mcp.store.contract import Store
from reflection_mcp.store.records import Reflection, Scope
from reflection_mcp.tools.advice import Withheld, why_withheld
from reflection_mcp.tools.learning.duplicates import normalized_words


@dataclass(frozen=True, slots=True, kw_only=True)
class Offerable:
    """Rows in their order, and the strategies among them that are withheld with their lesson."""

    rows: tuple[Reflection, ...]
    withheld: tuple[Withheld, ...] = ()


async def without_refuted(store: Store, scope: Scope, rows: Sequence[Reflection]) -> Offerable:
    """Return the rows without the strategies of lessons that are withheld or retired.

    Any other strategy has the votes of its lesson. One whose lesson failed more than it helped is
    left to the lesson, where that is among the rows: it shows the strategy, too.

    Raises:
        StoreError: the store cannot be read.
    """
    beside = {row.id for row in rows if row.kind == "reflection"}
    refuted = {
        normalized_words(text): row
        for row in rows
        if row.kind == "reflection" and why_withheld(row)
        for text in (row.lesson, row.strategy)
        if text
    }
    left: list[Reflection] = []
    withheld: list[Withheld] = []
    for row in rows:
        lessons = await _lessons_of(store, scope, row) if row.kind == "strategy" else []
        living = [lesson for lesson in lessons if not lesson.retired]
        if lessons and not living:
            continue
        equal = refuted.get(normalized_words(row.lesson)) if row.kind == "strategy" else None
        best = max(living, key=_standing, default=equal)
        reason = why_withheld(best) if best else ""
        if best is None:
            left.append(row)
        elif reason:
            withheld.append(Withheld(id=row.id, reason=f"withheld with {best.id}: {reason}"))
        elif best.failed <= best.helped or best.id not in beside:
            votes = max(row.helped, best.helped), max(row.failed, best.failed)
            left.append(replace(row, helped=votes[0], failed=votes[1]))
    return Offerable(rows=tuple(left), withheld=tuple(withheld))


def _standing(lesson: Reflection) -> tuple[bool, int]:
    return (not why_withheld(lesson), lesson.helped - lesson.failed)


async def _lessons_of(store: Store, scope: Scope, strategy: Reflection) -> list[Reflection]:
    """Return the lessons that a strategy came with and that are still stored."""
    whole = await store.reflection(scope, strategy.id) or strategy
    of = [link.target_id for link in whole.links if link.kind == "strategy_of"]
    found = [await store.reflection(scope, each) for each in of]
    return [lesson for lesson in found if lesson is not None]
