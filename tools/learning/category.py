"""The category of an error or a lesson, one word chosen by rule.

The first row of `category.rules` whose pattern matches decides. The rows go from what names itself
(a timeout says so) to what is only circumstance. If no row matches, the category is `unknown`,
which is an answer.
"""

import re
from functools import cache, lru_cache

from reflection_mcp.tools.data_files import rules

LOOKED_AT = 4000  # characters: the message is near an end, and the input may be long


def categorise(text: str) -> str:
    """Return the category of an error or a lesson, `unknown` when no row matches."""
    looked_at = text if len(text) <= LOOKED_AT else text[: LOOKED_AT // 2] + text[-LOOKED_AT // 2 :]
    return _of(looked_at)


@lru_cache(maxsize=16)  # a call asks for its error several times
def _of(text: str) -> str:
    return next((name for name, pattern in _patterns() if pattern.search(text)), "unknown")


@cache
def categories() -> frozenset[str]:
    """Return the names of all categories but `unknown`."""
    return frozenset(name for name, _ in _patterns())


@cache
def _patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    rows = rules("reflection_mcp.tools.learning", "category.rules")
    return tuple((row["kind"], re.compile(row["pattern"], re.IGNORECASE)) for row in rows)
