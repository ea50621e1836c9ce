"""The words by which reflections are searched, for the stores that cut them themselves."""

import re
import unicodedata

from reflection_mcp.store.records import Reflection
from reflection_mcp.store.scrub import scrub

_WORD = re.compile(r"[^\W_]+")


def texts(reflection: Reflection) -> tuple[str, ...]:
    """Everything that `search` looks into."""
    return (
        reflection.lesson,
        reflection.strategy,
        reflection.trigger,
        reflection.evidence,
        reflection.example,
        reflection.question,
        *reflection.tags,
        *reflection.situations,
    )


def tokens_of(text: str) -> list[str]:
    """Runs of letters and digits without case and accents, as SQLite's `unicode61` cuts them."""
    plain = unicodedata.normalize("NFKD", scrub(text)).casefold()
    if not plain.isascii():
        plain = "".join(char for char in plain if not unicodedata.combining(char))
    return _WORD.findall(plain)
