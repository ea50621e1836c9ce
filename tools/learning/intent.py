"""The intent of a query: trouble, an ordinary task, or making something new.

Rule: lessons are about trouble. Words of trouble lower the score that a lesson needs to be shown; a
wish to have something explained, written or designed raises it; every other query is in between.
Measured: of 225 questions that a lesson answers, two in three contain words of trouble; of 75
harmless ones that none answers, one in twenty-five (`tests/bench/paraphrase.py`). The rows are in
`intent.rules`, in their order: who asks for something new and has trouble has trouble.
"""

import re
from functools import cache
from typing import Literal, cast

from reflection_mcp.tools.data_files import rules

Intent = Literal["trouble", "task", "making"]


def intent_of(query: str) -> Intent:
    """Return the intent of a query; `task` when no row matches."""
    looked_at = " ".join(query[:1000].split())
    for intent, pattern in _patterns():
        if pattern.search(looked_at):
            return intent
    return "task"


@cache
def _patterns() -> tuple[tuple[Intent, re.Pattern[str]], ...]:
    rows = rules("reflection_mcp.tools.learning", "intent.rules")
    return tuple(
        (cast("Intent", row["intent"]), re.compile(row["pattern"], re.IGNORECASE)) for row in rows
    )
