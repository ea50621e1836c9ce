"""Prompt injection: attempts of a text to steer its reader.

Rules of this module: conservative. A lesson is an instruction by nature ("always run the tests
before pushing"), so an imperative is no attempt. An attempt displaces the reader's other
instructions, speaks in another's role, hides from the user, or carries data out. The rows are in
`injection.rules`; other languages are in `injection_languages`, disguises in `readings`.
"""

import re
from dataclasses import dataclass
from functools import cache, lru_cache

from reflection_mcp.tools.data_files import rules
from reflection_mcp.tools.untrusted.display import plain_text
from reflection_mcp.tools.untrusted.injection_languages import displaces, hides
from reflection_mcp.tools.untrusted.readings import readings


@lru_cache(maxsize=1_024)  # a lesson is its own first wording
def suspicion(text: str) -> str:
    """Return the name of the first row that finds prompt injection, or an empty text.

    Runs of invisible characters count by themselves, whatever they spell.
    """
    if _expressions().smuggled.search(text):
        return "hides text"
    plain = plain_text(text)
    if name := _matched(plain):
        return name
    for reading in readings(plain):
        if name := "" if reading == plain else _matched(reading):
            return name
        if displaces(reading):
            return "displaces instructions"
        if hides(reading):
            return "hides from the user"
    return ""


def _matched(reading: str) -> str:
    return next((name for name, pattern in _expressions().rows if pattern.search(reading)), "")


@dataclass(frozen=True, slots=True)
class _Expressions:
    smuggled: re.Pattern[str]
    rows: tuple[tuple[str, re.Pattern[str]], ...]


@cache
def _expressions() -> _Expressions:
    return _Expressions(
        smuggled=re.compile(
            "[\U000e0001-\U000e007f\U000e0100-\U000e01ef]{2}"
            "|[\ufe00-\ufe0f]{2}|[\u202d\u202e]|[\u200b-\u200d\u2060-\u2064]{8}"
        ),
        rows=tuple(
            (row.name, re.compile(row["pattern"], re.I | re.M))
            for row in rules("reflection_mcp.tools.untrusted", "injection.rules")
        ),
    )
