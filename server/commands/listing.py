"""`list`, `show`, `search`, `stats`: commands that show what is stored."""

import argparse
from collections.abc import AsyncIterator, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any, cast

from reflection_mcp.server.commands.bars import DAYS, bars, last_days
from reflection_mcp.server.commands.place import Place
from reflection_mcp.server.commands.table import table
from reflection_mcp.server.wording import counted
from reflection_mcp.store.archive import body_of
from reflection_mcp.store.interactions import Lookup
from reflection_mcp.store.lesson_versions import first_id, version_id
from reflection_mcp.store.person import principal_of
from reflection_mcp.store.records import Attempt, Kind, Reflection, Score, Wording
from reflection_mcp.store.state import DailyActivity
from reflection_mcp.store.terms import Order
from reflection_mcp.tools.advice import why_withheld
from reflection_mcp.tools.errors import InvalidInput, NotFound
from reflection_mcp.tools.insights.lesson_search import found_for
from reflection_mcp.tools.learning import calibration, track_record
from reflection_mcp.tools.learning.duplicates import links_to
from reflection_mcp.tools.learning.progress import Progress
from reflection_mcp.tools.learning.row_state import count_hidden, state_of
from reflection_mcp.tools.learning.stored_rows import record_of
from reflection_mcp.tools.untrusted import stored
from reflection_mcp.tools.untrusted.dangers import mark

PAGE = 200  # rows that are read at once
SHOWN = 2_000  # characters of a text in a detail view
LINKED_OVER = 50  # latest lessons that are looked through for those of the same trouble
HEADINGS = ("id", "kind", "state", "importance", "met", "record", "last met", "lesson")


async def list_lessons(place: Place, arguments: argparse.Namespace) -> int:
    """`list`: the lessons that pass every filter; with `--kind attempt` the attempts."""
    since = day(arguments.since) if arguments.since else None
    if arguments.kind == "attempt":
        from reflection_mcp.server.commands.attempts import list_attempts

        await list_attempts(place, arguments, since)
        return 0
    if arguments.max_quality is not None:
        raise InvalidInput("lessons have no quality", "pass --kind attempt, too")
    found: list[Reflection] = []
    error_type = (arguments.error_type or "").casefold()
    filters = {
        "kind": arguments.kind,
        "tags": [tag.casefold() for tag in arguments.tag],
        "min_importance": arguments.min_importance,
        "include_retired": arguments.retired,
    }
    with place.progress("reading") as progress:
        async for row in list_rows(place, arguments.order, progress, **filters):
            if arguments.outcome not in (None, row.outcome) or (since and row.last_seen < since):
                continue
            # How a type is written differs from tool to tool.
            if error_type and (row.error_type or "").casefold() != error_type:
                continue
            found.append(row)
            if len(found) == arguments.limit:
                break
    _print_rows(place, found)
    return 0


async def list_rows(
    place: Place, order: Order, progress: Progress, **filters: Any
) -> AsyncIterator[Reflection]:
    """Yield the rows that pass the filters of `Store.reflections`, a page at a time."""
    last: Reflection | None = None
    read = 0
    while page := await place.store.reflections(
        place.scope, order=order, limit=PAGE, after=last, **filters
    ):
        for row in page:
            yield row
        last, read = page[-1], read + len(page)
        progress(read)


async def search_lessons(place: Place, arguments: argparse.Namespace) -> int:
    """`search`: the lessons that fit, best first."""
    found = await found_for(
        place.store, place.scope, " ".join(arguments.words), place.services.meaning
    )
    if found.ranked:
        place.talk(found.ranked)
    _print_rows(place, found.rows[: arguments.limit or None])
    return 0


async def _listed(place: Place, kind: Kind, kept: int) -> str:
    """How many rows `list` shows, and how many are kept beside them."""
    shown = len(await place.store.reflections(place.scope, kind=kind, limit=kept))
    hidden = kept - shown
    return f"{shown:,}" + (f", and {hidden:,} retired or not confirmed yet" if hidden else "")


async def show_lessons(place: Place, arguments: argparse.Namespace) -> int:
    """`show`: one record with all that is known of it."""
    record = await record_of(place.store, place.scope, arguments.id)
    if record is None:
        raise NotFound(
            "this project has no record with this id", "`reflection-mcp list` prints ids"
        )
    if isinstance(record, Reflection):
        latest = await place.store.reflections(place.scope, kind="reflection", limit=LINKED_OVER)
        links = dict.fromkeys((*record.links, *links_to(record, latest)))
        record = replace(record, links=tuple(links))
    place.tell(body_of(record), [described(record)])
    return 0


async def stats_lessons(place: Place, arguments: argparse.Namespace) -> int:
    """`stats`: how much is kept, how often advice was given, how often it worked."""
    stats = await place.store.stats(place.scope)
    verdicts = calibration.lines(await place.store.verdicts(place.scope))
    first, *_, last = last_days(place.services.clock())
    days = await place.store.activity(place.scope, first, last)
    if place.as_json:
        hidden = await count_hidden(place.store, place.scope, stats)
        more = {
            "calibration": verdicts,
            "days": [asdict(day) | {"day": str(day.day)} for day in days],
        }
        place.give({**asdict(stats), **hidden, **more})
        return 0
    judged = stats.helped + stats.failed
    worked = f", worked {stats.helped} of {judged} times" if judged else ""
    by_verdict = ", ".join(f"{name} {n}" for name, n in sorted(stats.lookups_by_verdict.items()))
    mean = stats.mean_quality
    quality = "not judged" if mean is None else f"{mean:.2f} where it is known"
    rows = [
        ("lessons", await _listed(place, "reflection", stats.reflections)),
        ("strategies", await _listed(place, "strategy", stats.strategies)),
        ("met", counted(stats.occurrences, "time")),
        ("attempts", f"{stats.attempts:,}, mean quality {quality}"),
        ("look-ups", f"{stats.lookups:,}" + (f" ({by_verdict})" if by_verdict else "")),
        (
            "advice given",
            f"{counted(stats.shown, 'time')}{worked}",
        ),
        ("came back", f"{counted(stats.recurred, 'repeat')} after a lesson was shown"),
        ("feedback", counted(stats.feedback, "vote")),
        *(("calibration", line) for line in verdicts),
    ]
    place.say(table(("what", "how much"), rows))
    place.say("\n" + table((f"last {DAYS} days", "day by day", "sum"), _drawn(days)))
    return 0


def _drawn(days: Sequence[DailyActivity]) -> list[tuple[str, str, str]]:
    """What happened on each day as bars; qualities have no sum."""
    counts: dict[str, list[int]] = {
        "looked up": [sum(day.lookups.values()) for day in days],
        "known": [day.lookups.get("exact", 0) + day.lookups.get("same", 0) for day in days],
        "shown": [day.shown for day in days],
        "came back": [day.recurred for day in days],
        "helped": [day.positive for day in days],
        "failed": [day.negative for day in days],
        "attempts": [day.attempts for day in days],
    }
    rows = [(name, bars(each), f"{sum(each):,}") for name, each in counts.items()]
    return [*rows, ("mean quality", bars([day.mean_quality or 0 for day in days]), "-")]


# --------------------------------------------------------------------- printing


def _print_rows(place: Place, rows: Sequence[Reflection]) -> None:
    bodies = [_body(row) | {"state": state_of(row)} for row in rows]
    place.table(bodies, HEADINGS, [_cells(row) for row in rows])


def _body(row: Reflection) -> dict[str, Any]:
    """A row as a list has it: without links and wordings, which `show` reads."""
    body = {
        name: value
        for name, value in asdict(replace(row, wordings=(), links=())).items()
        if name not in ("wordings", "links")
    }
    return body | {"withheld": why_withheld(row), "mark": mark(row.lesson, row.strategy)}


def _cells(row: Reflection) -> tuple[str, ...]:
    marked = mark(row.lesson, row.strategy) or ("marked" if row.suspicious else "")
    text = f"{stored(row.lesson or row.trigger, SHOWN)}"
    if person := principal_of(row.source):
        text += f" by {stored(person, SHOWN)}"
    return (
        row.id,
        row.kind,
        state_of(row),
        f"{row.importance:.2f}",
        str(row.occurrences),
        track_record.summary(row),
        f"{row.last_seen:%Y-%m-%d}",
        f"[{marked}] {text}" if marked else text,
    )


def described(record: Reflection | Attempt | Lookup) -> str:
    """A record as lines `name: value`; what says nothing is left out, texts are cleaned."""
    lines = [f"{name}: {said}" for name, said in _facts(record) if said]
    if isinstance(record, Reflection):
        if reason := why_withheld(record):
            lines.append(f"withheld: {reason}")
        if warning := mark(record.lesson, record.strategy):
            lines.append(warning)
        lines += [_version(record, wording) for wording in record.wordings]
        lines += [f"{link.kind}: {link.target_id}" for link in record.links]
    return "\n".join(lines)


def _version(row: Reflection, wording: Wording) -> str:
    """One line of the history: who said it, when, how it has done, and what."""
    name = version_id(row.id, *wording.words)
    facts = [
        f"said by {stored(wording.source, 80)} on {wording.at:%Y-%m-%d}",
        counted(wording.times, "time"),
        f"of work that ended in {wording.lesson.outcome}" if wording.lesson.outcome else "",
        track_record.of_votes(wording.helped, wording.failed),
        "shown first" if name == first_id(row) else "",
        "marked" if wording.suspicious else "",
        mark(*wording.words),
    ]
    text = " — ".join(filter(None, wording.words))
    return f"version {name}, {', '.join(filter(None, facts))}: {stored(text, SHOWN)}"


OWN_WORDS = frozenset(
    "id kind signature outcome verdict feedback answer_hash error_signature reflection_id"
    " matched_id shown".split()
)
"""Fields in which this program's own words stand; every other text is quoted."""


def _facts(record: Reflection | Attempt | Lookup) -> list[tuple[str, str]]:
    apart = ("wordings", "links", "scope", "pattern", "checks", "metadata")
    names = [name for name in asdict(record) if name not in apart]
    facts = [
        (name.replace("_", " "), _shown(getattr(record, name), own=name in OWN_WORDS))
        for name in names
    ]
    if isinstance(record, Reflection):
        facts.insert(1, ("project", record.scope.project))
        facts.insert(2, ("by", _shown(principal_of(record.source))))
        facts.append(("track record", track_record.summary(record)))
    if isinstance(record, Attempt):
        noted = [
            (name, value) for name, value in record.metadata.items() if value not in (None, "")
        ]
        notes = (f"{name.replace('_', ' ')} {_shown(value)}" for name, value in noted)
        facts.append(("metadata", ", ".join(notes)))
        facts += [
            ("check", f"{check.kind} {check.status}: {_shown(check.why)}")
            for check in record.checks
        ]
    return facts


def _shown(value: Any, *, own: bool = False) -> str:
    """A value for a reader; a text that is not this program's own is a quotation."""
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M:%S} UTC"
    if isinstance(value, tuple):
        parts = cast("tuple[object, ...]", value)
        return ", ".join(_shown(part, own=own) for part in parts)
    if isinstance(value, Score):
        return value.basis if value.value is None else f"{value.value}, {value.basis}"
    if isinstance(value, str) and value and not own:
        return f"{stored(value, SHOWN)}"
    return str(value) if value else ""


def day(text: str) -> datetime:
    """A day or time as ISO 8601, UTC when it names no zone.

    Raises:
        InvalidInput: it is none.
    """
    try:
        read = datetime.fromisoformat(text)
    except ValueError:
        raise InvalidInput("--since is not a date", "pass one such as 2026-11-21") from None
    return read if read.tzinfo else read.replace(tzinfo=UTC)
