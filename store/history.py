"""The logs of a store, row by row: what happened, without the lessons.

Rule of this module: a row of a log is the tuple of its columns, in the forms of `columns.py`, which
are the same in every database; so it goes from one to another as it is. A log is read in the order
of its key, by the page. What belongs to work under way is no history and stays where it is: steps,
showings, and the ids of events by which a repeated delivery is known.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from reflection_mcp.store.log_rows import AttemptRow, LookupRow

Log = Literal["attempt", "lookup", "shown", "vote", "veto", "failed_action"]

LogRow = tuple[str | int | float | None, ...]
"""The columns of a row, as `LOGS` names them."""


@dataclass(frozen=True, slots=True)
class LogForm:
    """The columns of a log, and those by which its rows are ordered and distinguished."""

    columns: tuple[str, ...]
    key: tuple[str, ...]

    def key_of(self, row: LogRow) -> LogRow:
        """The key of a row."""
        return tuple(row[self.columns.index(name)] for name in self.key)


LOGS: Mapping[Log, LogForm] = {
    "attempt": LogForm((*AttemptRow._fields, "event_id"), ("at", "id")),
    "lookup": LogForm((*LookupRow._fields, "recurred"), ("at", "id")),
    "shown": LogForm(("signature", "reflection_id"), ("signature", "reflection_id")),
    "vote": LogForm(
        ("target_id", "source", "occasion", "kind", "at", "comment"),
        ("target_id", "source", "occasion"),
    ),
    "veto": LogForm(
        ("signature", "reflection_id", "source", "at", "comment"), ("signature", "reflection_id")
    ),
    "failed_action": LogForm(
        (
            "id", "heading", "tool", "told", "error", "conversation_id", "at", "failed", "worked",
        ),
        ("id",),
    ),
}  # fmt: skip
"""Every log. By time those are ordered of which the last one counts."""
