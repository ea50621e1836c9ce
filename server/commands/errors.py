"""`errors`: lists stored errors, with how well the advice on each worked."""

import argparse
from collections.abc import Collection, Mapping, Sequence
from datetime import date
from typing import Any

from reflection_mcp.server.commands.bars import DAYS, bars, last_days
from reflection_mcp.server.commands.listing import list_rows
from reflection_mcp.server.commands.place import Place
from reflection_mcp.server.dashboard.period import USUAL, beginning
from reflection_mcp.store.records import Reflection
from reflection_mcp.store.state import TrackRecord
from reflection_mcp.store.terms import Order
from reflection_mcp.tools.learning.row_state import state_of
from reflection_mcp.tools.recall.has_seen_error_before import summary_of
from reflection_mcp.tools.untrusted import stored

MOST = 5_000  # errors that are sorted by what no index holds: those seen last
SHOWN = 300  # characters of a text
ORDERS: Mapping[str, Order] = {"newest": "newest", "met": "most_met"}
HEADINGS = (
    "id", "state", f"{DAYS} days", "met", "sources", "shown", "helped", "failed",
    f"came back in {USUAL} days", "last met", "error",
)  # fmt: skip


async def errors_lessons(place: Place, arguments: argparse.Namespace) -> int:
    """`errors`: the errors in the order asked for, as a table or as JSON."""
    now = place.services.clock()
    records = await place.store.track_records(place.scope, since=beginning(now, USUAL))
    rows = await _sorted(place, arguments, records)
    lookups = await place.store.daily_lookups(
        place.scope, [row.id for row in rows], since=beginning(now, DAYS)
    )
    days = last_days(now)
    lines = [_line(row, records.get(row.id, TrackRecord()), lookups[row.id], days) for row in rows]
    place.table(lines, HEADINGS, [_cells(line) for line in lines])
    return 0


async def _sorted(
    place: Place, arguments: argparse.Namespace, records: Mapping[str, TrackRecord]
) -> list[Reflection]:
    """The rows that have an error, as many as asked for."""
    limit: int | None = arguments.limit or None
    if arguments.sort == "failed":
        found = await _read(place, arguments, MOST + 1)
        if len(found) > MOST:
            place.talk(f"only the {MOST:,} errors met last are sorted; older ones are left out")
        return sorted(found[:MOST], key=lambda row: row.failed, reverse=True)[:limit]
    first: list[Reflection] = []
    if arguments.sort == "came-back":
        back = {name: each.recurred for name, each in records.items() if each.recurred}
        for name in sorted(back, key=lambda each: (-back[each], each))[:limit]:
            row = await place.store.reflection(place.scope, name)
            if row and row.pattern is not None and (arguments.retired or not row.retired):
                first.append(row)
    rest = None if limit is None else limit - len(first)
    return first + await _read(place, arguments, rest, {row.id for row in first})


async def _read(
    place: Place,
    arguments: argparse.Namespace,
    most: int | None,
    besides: Collection[str] = (),
) -> list[Reflection]:
    """So many of the rows that have an error, all of them without a number."""
    found: list[Reflection] = []
    order = ORDERS.get(arguments.sort, "newest")
    filters = {"kind": "reflection", "include_retired": arguments.retired}
    with place.progress("reading") as progress:
        async for row in list_rows(place, order, progress, **filters):
            if len(found) == most:
                break
            if row.pattern is not None and row.id not in besides:
                found.append(row)
    return found


def _line(
    row: Reflection, record: TrackRecord, looked_up: Mapping[date, int], days: Sequence[date]
) -> dict[str, Any]:
    """An error as a program gets it."""
    return {
        "id": row.id,
        "state": state_of(row),
        "days": [{"day": str(day), "lookups": looked_up.get(day, 0)} for day in days],
        "met": row.occurrences,
        "sources": row.sources,
        "shown": row.shown,
        "helped": row.helped,
        "failed": row.failed,
        "came_back": record.recurred,
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
