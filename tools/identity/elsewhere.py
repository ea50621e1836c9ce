"""Whether two errors that are not the same are one failure in two places.

Rule of this module: nothing but a place may differ: the location, or what `rules/places.rules`
knows for one. What is missing, its type, code or version is no place. Notes show what stands
around a message; one side may have more of them, they may not say different things.
"""

import re
from functools import lru_cache

from reflection_mcp.store.records import Pattern
from reflection_mcp.tools.identity.rules.table import RuleTable

_PLACES = RuleTable("places")
_NOTE, _VALUES = "~ ", "# "
_MARK = r"^(?:[-~@]|[0-9][\w.$]{0,200}) "
"""Begins the lines of a pattern that are more than a message, or less."""
_CODE = r"[=(){};$]"
"""What a note has that shows the source around a place."""


def is_elsewhere(mine: Pattern, theirs: Pattern) -> bool:
    """Whether two errors differ in their place alone."""
    said, others = (
        [line for line in each.lines if not line.startswith(_VALUES)] for each in (mine, theirs)
    )
    if mine.error_type != theirs.error_type:
        return False
    if said == others and mine.location == theirs.location:
        return False
    port, other_port = _port(mine), _port(theirs)
    if port and other_port and port != other_port:
        return False
    notes, other_notes = (
        set(filter(None, _at_any_place(each, notes=True))) for each in (mine, theirs)
    )
    agree = notes <= other_notes or other_notes <= notes
    return agree and _at_any_place(mine) == _at_any_place(theirs)


def _port(pattern: Pattern) -> str:
    """The port that was asked for, where the location of an error names one."""
    return (pattern.location or "").partition("@")[2]


@lru_cache(maxsize=64)  # what is asked about is held against each of the candidates
def _at_any_place(pattern: Pattern, *, notes: bool = False) -> list[str]:
    """The lines of the message, or its notes, as they would be at any place."""
    lines = (
        line
        for line in pattern.lines
        if line.startswith(_NOTE) is notes and not line.startswith(_VALUES)
    )
    bare = "\n".join(re.sub(_MARK, "", line).replace("'", "") for line in lines)
    at_any_place = _PLACES.apply(bare).strip().split("\n")
    return [line for line in at_any_place if not (notes and re.search(_CODE, line))]
