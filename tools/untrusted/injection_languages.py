"""Prompt injection in languages other than English.

Rules: a row of `injection_languages.rules` names, for one language, the order to disregard, what is
to be disregarded, and the words for "earlier"; a text is marked only when all three are close
together and the order is not denied ("do not forget the earlier instructions"). Words are compared
without case and without accents. A language without a row passes: the table is no proof.
"""

import re
from dataclasses import dataclass
from functools import cache

from reflection_mcp.tools.data_files import DataRow, rules
from reflection_mcp.tools.regex import compiled
from reflection_mcp.tools.untrusted.readings import folded

_GAP = "[^.;!?\u3002]"  # the full-width forms are folded into these


def displaces(reading: str) -> bool:
    """Return True if a folded text orders its reader to disregard earlier instructions."""
    said, net = reading.casefold(), _net()
    if not net.disregarding.search(said):
        return False
    return any(
        compiled(order).search(compiled(denied).sub(" ", said)) for order, denied in net.orders
    )


def hides(reading: str) -> bool:
    """Return True if a folded text orders its reader to hide something from the user."""
    return _net().hiding.search(reading.casefold()) is not None


@dataclass(frozen=True, slots=True)
class _Net:
    """All rows; most texts have no word of `disregarding`, and need no order compiled."""

    disregarding: re.Pattern[str]
    orders: tuple[tuple[str, str], ...]
    hiding: re.Pattern[str]


@cache
def _net() -> _Net:
    rows = rules("reflection_mcp.tools.untrusted", "injection_languages.rules")
    return _Net(
        disregarding=compiled(folded("|".join(row["disregard"] for row in rows))),
        orders=tuple((_order(row), folded(row["denied"])) for row in rows),
        hiding=compiled(folded("|".join(row["hides"] for row in rows))),
    )


def _order(row: DataRow) -> str:
    """Return the pattern of the three near each other in one sentence, the order first or last."""
    fields = ("instructions", "earlier", "disregard")
    what, when, verb = (f"(?:{row[field]})" for field in fields)
    named = f"(?:{when}{_GAP}{{0,20}}?{what}|{what}{_GAP}{{0,20}}?{when})"
    return folded(f"{verb}{_GAP}{{0,30}}?{named}|{named}{_GAP}{{0,12}}?{verb}")
