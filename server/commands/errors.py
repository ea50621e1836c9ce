"""`errors`: the errors that have a row, and what became of the advice on each."""

import argparse
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from reflection_mcp.server.commands.bars import DAYS, bars, last_days
from reflection_mcp.server.commands.listing import list_rows, recent
from reflection_mcp.server.commands.place import Place
from reflection_mcp.server.commands.table import table, terminal_width
from reflection_mcp.store.contract import Order
from reflection_mcp.store.records import Reflection
from reflection_mcp.store.state import Recurrence
from reflection_mcp.tools.learning.row_state import state_of
from reflection_mcp.tools.recall.has_seen_error_before import summary_of
from reflection_mcp.tools.untrusted import stored

MOST = 5_000  # errors that are sorted by what no index holds: those seen last
SHOWN = 300  # characters of a text
ORDERS: Mapping[str, Order] = {"newest": "newest", "met": "most_met"}
COUNTERS: Mapping[str, str] = {"came-back": "recurred", "failed": "failed"}
HEADINGS = (
    "id", "state", f"{DAYS} days", "met", "sources", "shown", "helped", "failed", "came back",
    "last met", "error",
)  # fmt: skip


async def errors_lessons(place: Place, arguments: argparse.Namespace) -> int:
    """`errors`: the errors in the order asked for, as a table or as JSON."""
    rows = await _sorted(place, arguments)
    recurrences = await recent(place, rows)
    days = last_days(place.services.clock())
    lines = [_line(row, recurrences[row.id], days) for row in rows]
    if place.as_json:
        place.give(lines)
    elif lines:
        place.say(table(HEADINGS, [_cells(line) for line in lines], terminal_width()))
    else:
        place.talk("nothing found")
    return 0


async def _sorted(place: Place, arguments: argparse.Namespace) -> list[Reflection]:
    """The rows that have an error, as many as asked for."""
    counter = COUNTERS.get(arguments.sort)
    most = MOST if counter else arguments.limit
    order = ORDERS.get(arguments.sort, "newest")
    found: list[Reflection] = []
    filters = {"kind": "reflection", "include_retired": arguments.retired}
    left_out = False
    with place.progress("reading") as progress:
        async for row in list_rows(place, order, progress, **filters):
            if row.pattern is None:
                continue
            left_out = bool(counter) and len(found) == MOST
            if left_out:
                break
            found.append(row)
            if len(found) == most and not counter:
                break
    if left_out:
        place.talk(f"only the {MOST:,} errors met last are sorted; older ones are left out")
    if counter:
        found.sort(key=lambda row: getattr(row, counter), reverse=True)
    return found[: arguments.limit or None]


def _line(row: Reflection, recurrence: Recurrence, days: Sequence[date]) -> dict[str, Any]:
    """An error as a program gets it."""
    looked_up = dict(recurrence.lookups)
    return {
        "id": row.id,
        "state": state_of(row, recurrence),
        "days": [{"day": str(day), "lookups": looked_up.get(day, 0)} for day in days],
        "met": row.occurrences,
        "sources": row.sources,
        "shown": row.shown,
        "helped": row.helped,
        "failed": row.failed,
        "came_back": row.recurred,
        "last_seen": row.last_seen,
        "error_type": row.error_type,
        "error": summary_of(row),
        "lesson": row.lesson,
    }


def _cells(line: Mapping[str, Any]) -> tuple[str, ...]:
    counts = ("met", "sources", "shown", "helped", "failed", "came_back")
    return (
        line["id"],
        line["state"],
        bars([each["lookups"] for each in line["days"]]),
        *(str(line[name]) for name in counts),
        f"{line['last_seen']:%Y-%m-%d}",
        str(stored(line["error"], SHOWN)),
    )
