"""What one check has proven is not held against the answer by another.

Rule of this module: a number that the context lacks may be the result of a statement that holds
("30 s, i.e. 30000 milliseconds"). It is then worked out and not made up, provided that the context
holds what else the statement says: what rests on an invented number stays one.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import replace

from reflection_mcp.store.records import Check

STATEMENTS = frozenset(("arithmetic", "percent", "unit", "date", "equation"))
"""Kinds of findings of which an `ok` says that two sides of a statement agree."""
FACTS = frozenset(("grounding:number", "grounding:date"))
"""Kinds of findings that may be worked out from the rest of such a statement."""
BETWEEN_UNITS = frozenset(("24", "52", "60", "100", "365", "1000", "1,000", "1024", "3600"))
"""How many of a unit make another one: nobody has to give them."""
COUNTED = 2
"""Signs of a number that may just be counted, so that nothing follows from it."""
WHY = "Not checked: it follows from what stands beside it in the answer."


def agreed(found: Sequence[Check]) -> list[Check]:
    """Return the findings, without a fault in what a statement that holds leads to.

    Args:
        found: the findings on one answer, of all families.
    """
    facts = sorted((one for one in found if one.kind in FACTS), key=_start)
    if all(fact.status != "wrong" for fact in facts):
        return list(found)
    starts = [*map(_start, facts)]
    follows: set[str] = set()
    changed: set[int] = set()
    for statement in _holding(found):
        first = bisect_left(starts, _start(statement))
        beside = facts[first : bisect_left(starts, statement.end or 0)]
        known = [one for one in beside if one.status == "ok" or one.quote in follows]
        open_ = [one for one in beside if one not in known and len(one.quote) > COUNTED]
        led_to = {one.quote for one in open_} - BETWEEN_UNITS
        if known and len(led_to) <= 1:
            follows |= led_to
            changed.update(map(_start, open_))
    return [
        replace(one, status="unchecked", stated="", why=WHY)
        if one.kind in FACTS
        and one.status == "wrong"
        and (one.quote in follows or _start(one) in changed)
        else one
        for one in found
    ]


def _holding(found: Iterable[Check]) -> list[Check]:
    holding = (one for one in found if one.kind in STATEMENTS and one.status == "ok")
    return sorted(holding, key=_start)


def _start(one: Check) -> int:
    return one.start or 0
