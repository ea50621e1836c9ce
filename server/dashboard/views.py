"""What each page shows, read through the contract of the store: the values its template names.

Rule of this module: reading changes nothing, and what a page shows of a row is read by the page.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from operator import attrgetter
from typing import Any, cast

from anyio import to_thread

from reflection_mcp.server.dashboard.charts import Chart, bars
from reflection_mcp.server.dashboard.period import beginning, first_day
from reflection_mcp.server.dashboard.sample import LATELY, NOTHING, Lately, Sample, shows_hidden
from reflection_mcp.store.interactions import Lookup
from reflection_mcp.store.lesson_versions import first_id, version_id
from reflection_mcp.store.person import client_of
from reflection_mcp.store.records import JOINED, Reflection, Scope
from reflection_mcp.store.state import Health, Stats, TrackRecord, Vote
from reflection_mcp.store.terms import Order
from reflection_mcp.tools.advice import READ_IT, why_withheld
from reflection_mcp.tools.errors import NotFound
from reflection_mcp.tools.identity import fingerprint
from reflection_mcp.tools.identity.pattern import read
from reflection_mcp.tools.insights.lesson_search import found_for
from reflection_mcp.tools.learning.review_queue import (
    ReviewItem,
    items_among,
    rows_to_review,
    with_showings_of_its_words,
)
from reflection_mcp.tools.learning.row_state import state_of
from reflection_mcp.tools.ports import Services
from reflection_mcp.tools.recall.candidates import confirmation
from reflection_mcp.tools.untrusted import in_one_line, presentable
from reflection_mcp.tools.untrusted.dangers import mark

PERIODS = (7, 30, 90)  # days
PAGE = 50
MOST_UNRESOLVED = 200
MOST_BARS = 31
TITLE = 80  # characters of a title in a line
STORE_ORDERS = {"newest": "last_seen", "most_met": "occurrences", "importance": "importance"}
"""The orders that a store knows, each by the field that it goes by."""
ORDERS = (*STORE_ORDERS, *LATELY, "lookups")

EDITORS = ("dashboard", "command line")
"""The clients with which a person edits a lesson; its evidence is then that of an earlier
version."""

Shown = dict[str, Any]
_ID = re.compile(r"(?<![\w-])(?:ref|str|cand)-[\w-]+(?:\.[0-9a-f]{6}\b)?")


def title(row: Reflection) -> str:
    """Return what a lesson is called: its error or its words; of a marked one nothing is shown."""
    return row.id if row.suspicious else row.trigger or row.lesson or row.id


def said_at(row: Reflection) -> datetime:
    """Return when the words that a lesson shows were said last; a vote is no saying."""
    own = (said.at for said in row.wordings if said.words == (row.lesson, row.strategy))
    return max(own, default=row.last_seen)


def _is_reworded(row: Reflection) -> bool:
    """Return True if other words came first, to which the evidence belongs."""
    first = min(row.wordings, key=attrgetter("at"), default=None)
    return first is not None and first.words != (row.lesson, row.strategy)


async def titled(services: Services, lines: Sequence[str]) -> tuple[str, ...]:
    """Return lines with the titles of lessons in place of their ids, where these are known."""
    found: dict[str, str] = {}
    for name in {each for line in lines for each in _ID.findall(line)}:
        row, _, version = name.partition(".")
        called = await _title_of(services, row)
        text = f"“{in_one_line(presentable(called, TITLE))}”"
        found[name] = name if called == row else f"a version of {text}" if version else text
    return tuple(_ID.sub(lambda at: found[at[0]], line.removesuffix(READ_IT)) for line in lines)


# --------------------------------------------------------------------------- the list of errors


async def error_list(
    services: Services, days: int, asked: Mapping[str, str], sample: Sample
) -> Shown:
    """Return one page of what is asked for, by its `q`, `FILTERS`, `order` and `after`; the `after`
    of the result is where the next one begins, empty on the last. Charts and records are those of
    the period, `facets` the filters that are left."""
    order = asked["order"]
    sampled = bool(asked["state"] or asked["lately"]) or order in (*LATELY, "lookups")
    whole = order == "newest" and not sample.more  # a store does not know the last look-up
    some: Iterable[Reflection] = sample.rows.values()
    if asked["q"]:
        found = await found_for(services.store, services.scope, asked["q"], services.meaning)
        fits = {row.id: row for row in found.rows if row.kind == "reflection"}
        some = (fits | _named(sample, asked["q"])).values()
    rows, facets = sample.filtered(some, asked)
    if sampled or whole or asked["q"]:
        rows = _behind(_in_order(rows, order, sample), asked["after"])
    else:
        rows = list(await _from_store(services, asked))
    page = rows[:PAGE]
    since = beginning(services.clock(), days)
    others = [row.id for row in page if row.id not in sample.lookups]
    of_others = await services.store.daily_lookups(services.scope, others, since=since)
    lookups = {**sample.lookups, **of_others}
    return {
        "lines": [
            (row, state_of(row), bars_of(services, lookups[row.id], days),
             sum(lookups[row.id].values()), sample.record_of(row))
            for row in page
        ],
        "after": page[-1].id if len(rows) > PAGE else "",
        "sampled": sampled and not asked["q"],
        "facets": facets,
        "hidden": () if shows_hidden(asked) else ("candidate", "retired"),
        "more": sample.more,
    }  # fmt: skip


def _named(sample: Sample, asked: str) -> dict[str, Reflection]:
    """Return the rows that have every word of the search in their title, lesson or id; the search
    of the store does not find retired ones."""
    sought = asked.casefold().split()
    return {
        name: row
        for name, row in sample.rows.items()
        if all(word in f"{title(row)} {row.lesson} {name}".casefold() for word in sought)
    }


def open_errors_named(found: Sequence[Shown], asked: str) -> list[Shown]:
    """Return the errors without a lesson that contain every word of the search, or that are the
    error it was given."""
    sought, signature = asked.casefold().split(), fingerprint(asked, None).signature
    return [
        each
        for each in found
        if each["error"].signature == signature
        or all(word in each["error"].summary.casefold() for word in sought)
    ]


def _in_order(rows: list[Reflection], order: str, sample: Sample) -> list[Reflection]:
    if order in LATELY:
        places = {row.id: n for n, row in enumerate(sample.ranked(cast("Lately", order)))}
        return sorted(rows, key=lambda row: places.get(row.id, len(places)))
    if order == "lookups":
        return sorted(rows, key=lambda row: -sum(sample.lookups.get(row.id, {}).values()))
    if order == "newest" and not sample.more:
        return sorted(rows, key=lambda row: (sample.last_seen(row), row.last_seen), reverse=True)
    by = STORE_ORDERS.get(order)  # what is searched for has no order but its own
    return sorted(rows, key=attrgetter(by), reverse=True) if by else rows


def _behind(rows: list[Reflection], after: str) -> list[Reflection]:
    """Return the rows behind the one with this id; all of them without it."""
    ids = [row.id for row in rows]
    return rows[ids.index(after) + 1 :] if after in ids else rows


async def _from_store(services: Services, asked: Mapping[str, str]) -> Sequence[Reflection]:
    last = (
        await services.store.reflection(services.scope, asked["after"]) if asked["after"] else None
    )
    return await services.store.reflections(
        services.scope,
        kind="reflection",
        tags=(asked["tag"],) if asked["tag"] else (),
        error_type=asked["type"] or None,
        order=cast("Order", asked["order"]),
        limit=PAGE + 1,
        after=last,
    )


def bars_of(services: Services, lookups: Mapping[date, int], days: int) -> Chart:
    """Return a chart of the look-ups that matched a reflection, with a bar for each day of the
    period; in a long period a bar stands for several days."""
    step = -(-days // MOST_BARS)
    begin = first_day(services.clock(), days)
    counts = [0] * -(-days // step)
    for day, number in lookups.items():
        # A look-up may come from a machine whose clock is fast.
        counts[min((day - begin).days // step, len(counts) - 1)] += number
    each = "by day" if step == 1 else f"on {step} days each"
    return bars(counts, f"look-ups {each} in {days} days")


# --------------------------------------------------------------------------- one error


async def detail(
    services: Services, name: str, days: int, records: Mapping[str, TrackRecord]
) -> Shown:
    """Return all that is known of a lesson, with the records of the period.

    Raises:
        NotFound: there is none with this id.
    """
    store, scope = services.store, services.scope
    row = await store.reflection(scope, name)
    if row is None:
        raise NotFound("this project has no lesson with this id", "it may have been deleted")
    came_back, shown = row.recurred, row.shown  # whatever the lesson said
    row = await with_showings_of_its_words(store, scope, row)
    since = beginning(services.clock(), days)
    timeline, apart = await _timeline(services, row)
    lookups = (await store.daily_lookups(scope, [name], since=since))[name]
    report = read(row.pattern) if row.pattern else None
    statements = report.statements if report else ()
    others = {said.words: said for said in row.wordings}
    others.pop((row.lesson, row.strategy), None)
    return {
        "row": row,
        "state": state_of(row),
        "chart": bars_of(services, lookups, days),
        "looked_up": sum(lookups.values()),
        "record": records.get(name, NOTHING),
        "came_back": came_back,
        "shown": shown,
        "helped": row.helped + sum(said.helped for said in others.values()),
        "failed": row.failed + sum(said.failed for said in others.values()),
        "own": row.scope == scope,
        "withheld": why_withheld(row).removesuffix(READ_IT),
        "danger": mark(row.lesson, row.strategy),
        "titles": {link.target_id: await _title_of(services, link.target_id) for link in row.links},
        "versions": [(version_id(row.id, *said.words), said) for said in row.wordings],
        "first": first_id(row),
        "reworded": _is_reworded(row),
        "edited": _is_reworded(row) and client_of(row.source) in EDITORS,
        "pattern": [text for each in statements for text in (each.text, *each.details)],
        "timeline": timeline,
        "apart": apart,
        "longest": max(len(text) for text in (row.lesson, row.strategy, row.example)),
    }


async def _title_of(services: Services, name: str) -> str:
    row = await services.store.reflection(services.scope, name)
    return title(row) if row else name


@dataclass(frozen=True, slots=True, kw_only=True)
class PastEvent:
    """One thing that happened with a lesson, and its result; `kind` is the feedback that can be
    given on the look-up with the id `lookup`, empty for none."""

    at: datetime
    what: str
    by: str
    text: str = ""
    result: str = ""
    kind: str = ""
    lookup: str = ""


async def _timeline(services: Services, row: Reflection) -> tuple[list[PastEvent], bool]:
    """Return what happened with a lesson, newest first, and whether a wrong match was reported for
    its own error."""
    store, scope = services.store, services.scope
    first = min(
        row.wordings, key=lambda said: said.at, default=row.wording(row.source, row.first_seen)
    )
    by = first.source if first.at <= row.first_seen else ""  # a confirmed candidate has new words
    events = [PastEvent(at=row.first_seen, what="first reported", by=by)]
    events += [
        PastEvent(at=said.at, what="said", by=said.source, text=said.lesson.text)
        for said in row.wordings
    ]
    if (confirmed := confirmation(row)) is not None:
        events.append(PastEvent(at=confirmed[1], what="confirmed", by=confirmed[0]))
    lookups = await store.lookups(scope, matched_id=row.id, limit=PAGE)
    signatures = {row.signature, *(each.signature for each in lookups)}
    apart = {
        signature: vetoes[row.id]
        for signature in signatures
        if row.id in (vetoes := await store.vetoes(scope, signature))
    }
    events += [_of_lookup(row, each, apart) for each in lookups]
    events += [_of_vote(each) for each in await store.votes(row.scope, target_id=row.id)]
    return sorted(events, key=lambda each: each.at, reverse=True), row.signature in apart


def _of_lookup(row: Reflection, lookup: Lookup, apart: Mapping[str, str]) -> PastEvent:
    """A look-up that found a lesson; `apart` maps the errors that were reported as a wrong match to
    the look-up by which that can be taken back."""
    offered = row.id in lookup.shown
    known = "as exactly this error" if lookup.verdict == "exact" else "as this error"
    result = f"recognised {known}; its lesson was {'' if offered else 'not '}shown"
    kind = "wrong_match" if offered else ""
    if lookup.signature in apart:
        result += "; later reported as a wrong match"
        kind = "match" if apart[lookup.signature] == lookup.id else ""
    return PastEvent(
        at=lookup.at, what="looked up", by=lookup.source, text=lookup.summary, result=result,
        kind=kind, lookup=lookup.id,
    )  # fmt: skip


def _of_vote(vote: Vote) -> PastEvent:
    what = "helped" if vote.kind == "positive" else "failed"
    return PastEvent(at=vote.at, what=f"vote: {what}", by=vote.source, text=vote.comment)


# --------------------------------------------------------------------------- the other pages


async def open_errors(services: Services) -> list[Shown]:
    """Return the errors that were asked for twice or more and have no lesson, most first;
    `written` is a lesson that waits to be shown, or None."""
    store, scope = services.store, services.scope
    found = await store.unresolved(scope, limit=MOST_UNRESOLVED)
    digests = [each.signature.rpartition(":")[2] for each in found]
    hits = await store.find(scope, digests) if digests else ()
    written = {hit.key.digest: hit.reflection for hit in hits if hit.key.kind == JOINED}
    return [
        {"error": each, "written": written.get(digest)}
        for each, digest in zip(found, digests, strict=True)
    ]


async def waiting(services: Services) -> Sequence[ReviewItem]:
    """Return what waits for review. Comparing lessons takes a while: it holds up nobody's page."""
    rows = await rows_to_review(services.store, services.scope)
    return await to_thread.run_sync(items_among, *rows)


async def health(services: Services) -> Health:
    """Return the state of the store."""
    return await services.store.health()


async def places(services: Services) -> dict[str, Stats]:
    """Return the places of the tenant that the reader may open: projects, and their own in them.
    Nobody is even told that others have places of their own."""
    found = await services.store.places(services.scope.tenant)
    readers = ("", services.caller.principal or services.scope.person)
    return {name: each for name, each in found.items() if Scope(project=name).person in readers}


async def own_place(services: Services) -> str:
    """Return the reader's own place in this project, if anything is in it and it is not open."""
    scope, person = services.scope, services.caller.principal
    if not person or scope.person:
        return ""
    own = scope.of(person)
    return own.project if await services.store.count(own, "reflection") else ""
