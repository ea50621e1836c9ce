"""Whether two errors that are not the same are one failure in two places.

Rule of this module: nothing but a place may differ: the location, or what `rules/places.rules`
knows for one. What is missing, its type, code or version is no place. Notes show what stands
around a message; one side may have more of them, they may not say different things.
"""

from reflection_mcp.store.records import Pattern
from reflection_mcp.tools.identity.rules.table import RuleTable

_PLACES = RuleTable("places")
_NOTE = "~ "


def is_elsewhere(mine: Pattern, theirs: Pattern) -> bool:
    """Whether two errors differ in their place alone."""
    if mine == theirs or mine.error_type != theirs.error_type:
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


def _at_any_place(pattern: Pattern, *, notes: bool = False) -> list[str]:
    """The lines of the message, or its notes, as they would be at any place."""
    lines = [line.removeprefix(_NOTE) for line in pattern.lines if line.startswith(_NOTE) is notes]
    return _PLACES.apply("\n".join(lines)).strip().split("\n")
