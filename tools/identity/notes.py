"""What stands beside a message and may part two errors that have it in common.

Rule of this module: a note can part two look-alikes and never joins anything, so no key depends on
one: notes are made when two errors are held against each other.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from reflection_mcp.tools.identity.keys import CONTEXT
from reflection_mcp.tools.identity.masking.masks import masked
from reflection_mcp.tools.identity.rule import compiled

_SUGGESTED = r"(?:did you mean|you meant)[: ]{1,3}(['\"]?[\w.:@/-]{2,80})"
_METHOD_OF = r"\b([\w.]{1,200})\.\w{1,100}\(\) (?:got|missing|takes|argument|keywords)"
_ADVICE = (
    r"[.!;] ((?:You|Please|Try|Consider|Make sure|Use|Run|"
    r"If you)\b[^\n]{0,200}(?:['\"]|[a-z][A-Z])[^\n]{3,200})"
)
_ENDS = (". ", "! ", "; ")
"""Ends the sentence before advice."""


def notes_of(told: Sequence[str], context: Sequence[str]) -> tuple[str, ...]:
    """The notes of a pattern, marked as such.

    Args:
        told: the lines of the verdict, as printed: what they suggest or advise is a note.
        context: lines beside them that are notes.
    """
    text = "\n".join(told)
    hinting = "mean" in text.casefold()
    suggested = compiled(_SUGGESTED, re.IGNORECASE).findall(text) if hinting else ()
    methods = compiled(_METHOD_OF).findall(text) if "() " in text else ()
    said = (
        *context,
        *(compiled(_ADVICE).findall(text)[:1] if any(map(text.__contains__, _ENDS)) else ()),
        *(f"method of {name}" for name in methods[:1]),
        *(f"suggested: {name}" for name in suggested[:2] if "//" not in name),
    )
    return _marked(said) if said else ()


@lru_cache(maxsize=256)  # an error comes again with what is said beside it
def _marked(said: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(CONTEXT + line for line in masked(said))
