"""Prompt injection: attempts of a text to steer its reader.

Rules of this module: conservative. A lesson is an instruction by nature ("always run the tests
before pushing"), so an imperative is no attempt. An attempt displaces the reader's other
instructions, speaks in another's role, hides from the user, or carries data out. The rows are in
`injection.rules`; disguises in `readings`.

A row of `injection_languages.rules` names, for one language, the order to disregard, what is to be
disregarded, and the words for "earlier"; a text is marked only when all three are close together
and the order is not denied ("do not forget the earlier instructions"). Words are compared without
case and without accents. A language without a row passes: the table is no proof.
"""

import re
from functools import cache, lru_cache

from reflection_mcp.tools.data_files import DataRow, rules
from reflection_mcp.tools.regex import compiled
from reflection_mcp.tools.untrusted.display import plain_text
from reflection_mcp.tools.untrusted.readings import folded, readings

_PACKAGE = "reflection_mcp.tools.untrusted"
_SMUGGLED = (
    "[\U000e0001-\U000e007f\U000e0100-\U000e01ef]{2}"
    "|[\ufe00-\ufe0f]{2}|[\u202d\u202e]|[\u200b-\u200d\u2060-\u2064]{8}"
)
_GAP = "[^.;!?\u3002]"  # the full-width forms are folded into these


@lru_cache(maxsize=512)  # a lesson is its own first wording
def suspicion(text: str) -> str:
    """Return the name of the first row that finds prompt injection, or an empty text.

    Runs of invisible characters count by themselves, whatever they spell.
    """
    if compiled(_SMUGGLED).search(text):
        return "hides text"
    plain = plain_text(text)
    if name := _matched(plain):
        return name
    for reading in readings(plain):
        if name := "" if reading == plain else _matched(reading):
            return name
        if _displaces(reading.casefold()):
            return "displaces instructions"
    return ""


def _matched(reading: str) -> str:
    return next((name for name, pattern in _rows() if pattern.search(reading)), "")


@cache
def _rows() -> tuple[tuple[str, re.Pattern[str]], ...]:
    rows = rules(_PACKAGE, "injection.rules")
    return tuple((row.name, re.compile(row["pattern"], re.I | re.M)) for row in rows)


def _displaces(said: str) -> bool:
    """Return True if a folded text orders its reader to disregard earlier instructions."""
    any_order, orders = _languages()
    if not any_order.search(said):  # most texts: no pattern of a language has to be compiled
        return False
    return any(compiled(order).search(compiled(denied).sub(" ", said)) for order, denied in orders)


@cache
def _languages() -> tuple[re.Pattern[str], tuple[tuple[str, str], ...]]:
    """The words that order to disregard in any language, and each one's order and its denial."""
    rows = rules(_PACKAGE, "injection_languages.rules")
    any_order = compiled(folded("|".join(row["disregard"] for row in rows)))
    return any_order, tuple((_order(row), folded(row["denied"])) for row in rows)


def _order(row: DataRow) -> str:
    """Return the pattern of the three near each other in one sentence, the order first or last."""
    fields = ("instructions", "earlier", "disregard")
    what, when, verb = (f"(?:{row[field]})" for field in fields)
    named = f"(?:{when}{_GAP}{{0,20}}?{what}|{what}{_GAP}{{0,20}}?{when})"
    return folded(f"{verb}{_GAP}{{0,30}}?{named}|{named}{_GAP}{{0,12}}?{verb}")
