"""`today`: what was looked up, learned, helped and harmed since midnight."""

import argparse
from collections import Counter
from dataclasses import asdict
from datetime import datetime

from reflection_mcp.server.commands.listing import day
from reflection_mcp.server.commands.place import Place
from reflection_mcp.server.commands.table import table, terminal_width
from reflection_mcp.server.wording import came_back
from reflection_mcp.store.interactions import Lookup
from reflection_mcp.store.records import Reflection, Scope
from reflection_mcp.tools.judging.scoring import faults
from reflection_mcp.tools.untrusted import stored

MOST = 10_000  # rows of one kind that are counted
LINES = 20  # rows of one kind that are printed, the newest
SHOWN = 300  # characters of a text
OF_LESSONS = ("ref-", "str-", "cand-")  # how ids of theirs begin


async def today_lessons(place: Place, arguments: argparse.Namespace) -> int:
    """`today`: one table of counts, then what was looked up, learned and judged."""
    since = day(arguments.since) if arguments.since else midnight(place.services.clock())
    lookups = await place.store.lookups(place.scope, since=since, limit=MOST)
    cast = await place.store.votes(place.scope, since=since, limit=MOST)
    learned = await learned_since(place, place.scope, since)
    attempts = await place.store.attempts(place.scope, since=since, limit=MOST)
    records = await place.store.track_records(place.scope, since=since)
    back = {name: each.recurred for name, each in records.items() if each.recurred}
    votes = [
        vote for vote in reversed(cast) if vote.target_id.startswith(("ref-", "str-", "cand-"))
    ]
    helped = [vote.target_id for vote in votes if vote.kind == "positive"]
    harmed = [vote.target_id for vote in votes if vote.kind == "negative"]
    faulty = sum(bool(faults(attempt.checks)) for attempt in attempts)
    if place.as_json:
        place.give(
            {
                "since": since,
                "looked_up": [asdict(lookup) for lookup in reversed(lookups)],
                "learned": [{"id": row.id, "lesson": row.lesson} for row in learned],
                "came_back": back,
                "helped": helped,
                "harmed": harmed,
                "checked": len(attempts),
                "with_a_proven_fault": faulty,
            }
        )
        return 0
    verdicts = Counter(lookup.verdict for lookup in lookups)
    by_verdict = ", ".join(f"{count} {name}" for name, count in sorted(verdicts.items()))
    counts = [
        ("looked up", f"{len(lookups)}" + (f" ({by_verdict})" if by_verdict else "")),
        ("learned", str(len(learned))),
        ("came back", ", ".join([came_back(back.values()), *back])),
        ("helped", times(helped)),
        ("harmed", times(harmed)),
        ("checked", f"{len(attempts)}, {faulty} with a proven fault"),
    ]
    place.say(table((f"since {since.astimezone():%Y-%m-%d %H:%M}", "how many"), counts))
    width = terminal_width()
    if lookups:
        newest = [cells(lookup) for lookup in lookups[:LINES]]
        place.say("\n" + table(("at", "result", "lesson", "looked up"), newest, width))
    if learned:
        rows = [(row.id, str(stored(row.lesson, SHOWN))) for row in learned[:LINES]]
        place.say("\n" + table(("id", "learned"), rows, width))
    return 0


def midnight(now: datetime) -> datetime:
    """When the day began, where this machine is."""
    return now.astimezone().replace(hour=0, minute=0, second=0, microsecond=0)


async def learned_since(place: Place, scope: Scope, since: datetime) -> list[Reflection]:
    """The lessons of exactly this scope that are new since then, the newest first."""
    rows = await place.store.reflections(scope, kind="reflection", order="newest", limit=MOST)
    return [row for row in rows if row.scope == scope and row.first_seen >= since]


def times(ids: list[str]) -> str:
    """How many there are, and of which lessons."""
    named = ", ".join(dict.fromkeys(ids))
    return f"{len(ids)} ({named})" if ids else "0"


def cells(lookup: Lookup) -> tuple[str, str, str, str]:
    """A look-up as a row of the table."""
    at = f"{lookup.at.astimezone():%m-%d %H:%M}"
    shown = ", ".join(lookup.shown)
    return (at, lookup.verdict, shown or "-", str(stored(lookup.summary, SHOWN)))
