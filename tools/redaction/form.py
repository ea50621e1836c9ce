"""A known position of secrets, as a row of a table.

Rule of this module: the record and what its expressions share; the rows are in `forms`, and those
of commands in `command_lines`.
"""

from dataclasses import dataclass

from reflection_mcp.tools.redaction.values import Filter


@dataclass(frozen=True, slots=True)
class Form:
    """One known position of secrets.

    `near` names commands, one of which must come before the anchor on the same line.
    """

    kind: str
    anchors: tuple[str, ...]
    pattern: str
    example: tuple[str, ...]
    counter_example: str
    test: Filter = Filter.ANYTHING
    near: tuple[str, ...] = ()


QUOTE = r"(?:\\{0,3}[\"'`])"
"""The quotation marks that may open or close a value, however often it is quoted again."""

FAKE = "0Fa1Ke2Te3St4Va5Lu6Eq7Xz8Yw9Vu" * 6
HEX = "0fa1ce2bad3dad4bed5fed6bee7dab8c" * 5
"""The characters of the examples, so that no scanner mistakes them for a leak."""
