"""Dangerous commands in a stored text, which nobody should run without thinking.

Rules of this module: pure; the table is data (`dangers.rules`). A text is marked where it is shown
and not withheld: it may be right. A warning is no such advice, so a match after a word that
forbids, in the same clause, does not count.
"""

import re
import unicodedata
from collections.abc import Mapping
from functools import cache, lru_cache

from reflection_mcp.tools.data_files import rules
from reflection_mcp.tools.regex import compiled
from reflection_mcp.tools.untrusted.display import plain_text

MARK = "marked: contains a dangerous command"
CLAUSE = 120  # characters in front of a command in which a word may forbid it

_CLAUSE_ENDS = r"[.;:!?]\s|[\n,]|\b(?:but|instead)\s(?!of\b)"
_FORBIDS = (
    r"\b(?:never|not|don'?t|cannot|can'?t|mustn'?t|shouldn'?t|avoid(?:ing|s)?|without"
    r"|instead of|rather than|no need to|stop(?:ped)?|forbid(?:s|den)?|refus(?:e|es|ed))\b"
    r"(?!\s{1,3}(?:forget|hesitate|fail|worry|be afraid|only|just)\b)"
)


@lru_cache(maxsize=512)
def danger(text: str) -> str:
    """Return the name of the first row whose command the text contains, or an empty text."""
    plain = plain_text(text)
    for reading in dict.fromkeys((plain, unicodedata.normalize("NFKC", plain))):
        for name, command in _commands().items():
            if any(not _forbidden(reading, found.start()) for found in command.finditer(reading)):
                return name
    return ""


def mark(*texts: str) -> str:
    """Return the mark for texts with a dangerous command, else an empty text."""
    return MARK if any(danger(text) for text in texts) else ""


def _forbidden(text: str, start: int) -> bool:
    """Return True if the clause in front of a command forbids it."""
    before = text[max(0, start - CLAUSE) : start]
    clause = compiled(_CLAUSE_ENDS).split(before)[-1]
    return compiled(_FORBIDS, re.I).search(clause) is not None


@cache
def _commands() -> Mapping[str, re.Pattern[str]]:
    rows = rules("reflection_mcp.tools.untrusted", "dangers.rules")
    return {row.name: re.compile(row["pattern"], re.I | re.M) for row in rows}
