"""What each page shows, read through the contract of the store, as records without any HTML.

Rules of this module: reading changes nothing. Rows are read by the page. What needs many of them
(states, facets, failures) comes from the newest `SAMPLE` and those voted down lately, and the page
says so when there are more.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from statistics import fmean
from typing import cast

from reflection_mcp.server.dashboard.charts import Chart, bars, line, share
from reflection_mcp.store.contract import Order
from reflection_mcp.store.interactions import Unresolved
from reflection_mcp.store.records import JOINED, Attempt, Reflection, Wording
from reflection_mcp.store.state import Recurrence, Stats, Vote
from reflection_mcp.store.versions import first_id, version_id
from reflection_mcp.tools.advice import why_withheld
from reflection_mcp.tools.errors import NotFound
from reflection_mcp.tools.identity.pattern import read
from reflection_mcp.tools.insights.get_insights import found_for
from reflection_mcp.tools.learning.issue_summary import recurring_issues
from reflection_mcp.tools.learning.row_state import State, state_of
from reflection_mcp.tools.ports import Services
from reflection_mcp.tools.untrusted.dangers import mark

PERIODS = (7, 30, 90)  # days
BARS = 14  # days
PAGE = 50
SAMPLE = 2_000
MOST_VOTES = 1_000
MOST_ATTEMPTS = 1_000
MOST_CHANGES = 200
MOST_UNRESOLVED = 200
WORST = 20
FACETS = 12
STORE_ORDERS = ("newest", "most_met", "importance")
SAMPLE_ORDERS = ("failed", "came_back")
STATES: tuple[State, ...] = (
    "came back", "harmful", "suspicious", "candidate", "proven", "unproven", "untried", "retired",
)  # fmt: skip


def begin_of(day: date) -> datetime:
    """Return when a UTC day begins."""
    return datetime.combine(day, time(), UTC)


def first_day(services: Services, days: int) -> date:
    """Return the first of the last so many UTC days, today being the last one."""
    return services.clock().date() - timedelta(days=days - 1)


# --------------------------------------------------------------------------- answers


@dataclass(frozen=True, slots=True, kw_only=True)
class Week:
    """The answers of a week that begins on a Monday: mean quality, and by whom it was judged."""

    monday: date
    answers: int
    quality: float | None
    basis: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswersView:
    """How answers did: by week, the commonest findings and issues, and the worst ones."""

    weeks: tuple[Week, ...]
    chart: Chart
    findings: tuple[tuple[str, int], ...]
    issues: tuple[tuple[str, int], ...]
    worst: tuple[Attempt, ...]
    read: int


async def answers_view(services: Services, days: int) -> AnswersView:
    """Return how the newest answers of the period did."""
    attempts = await services.store.attempts(
        services.scope, since=begin_of(first_day(services, days)), limit=MOST_ATTEMPTS
    )
    weeks = _weeks(attempts)
    wrong = [
        check for each in attempts for check in each.checks if check.status == "wrong"
        and check.severity == "hard" and not check.disputed
    ]  # fmt: skip
    judged = [each for each in attempts if each.quality is not None]
    return AnswersView(
        weeks=weeks,
        chart=line([week.quality for week in weeks], "mean quality by week"),
        findings=tuple(Counter(check.kind for check in wrong).most_common(FACETS)),
        issues=tuple((each.text, each.attempts) for each in recurring_issues(attempts)[:FACETS]),
        worst=tuple(sorted(judged, key=lambda each: each.quality or 0.0)[:WORST]),
        read=len(attempts),
    )


def _weeks(attempts: Iterable[Attempt]) -> tuple[Week, ...]:
    by_week: dict[date, list[Attempt]] = {}
    for each in attempts:
        day = each.at.date()
        by_week.setdefault(day - timedelta(days=day.weekday()), []).append(each)
    return tuple(
        Week(
            monday=monday,
            answers=len(some),
            quality=fmean(known) if known else None,
            basis=tuple(Counter(each.judge for each in some).most_common()),
        )
        for monday, some in sorted(by_week.items())
        for known in [[each.quality for each in some if each.quality is not None]]
    )


# --------------------------------------------------------------------------- how are we doing


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What happened since the last visit: lessons learned, lessons that failed, errors that came
    back, look-ups."""

    since: datetime
    learned: tuple[Reflection, ...]
    failed: tuple[Reflection, ...]
    came_back: tuple[Reflection, ...]
    lookups: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """The six figures, and the steps of the funnel, each with its share of the first in percent."""

    known: int
    lookups: int
    known_share: int
    helped_share: int | None
    votes: int
    came_back: int
    unresolved: int
    funnel: tuple[tuple[str, int, int], ...]
    chart: Chart
    stats: Stats
    changes: Changes | None


async def overview(
    services: Services, days: int, unresolved: int, last_visit: datetime | None
) -> Overview:
    """Return how the project does."""
    store, scope = services.store, services.scope
    today = services.clock().date()
    activity = await store.activity(scope, first_day(services, days), today)
    lookups = sum(sum(day.lookups.values()) for day in activity)
    known = sum(day.lookups.get(level, 0) for day in activity for level in ("exact", "same"))
    shown = sum(day.shown for day in activity)
    helped, failed = (
        sum(getattr(day, kind) for day in activity) for kind in ("positive", "negative")
    )
    stats = await store.stats(scope)
    steps = (("looked up", lookups), ("known", known), ("shown", shown), ("worked", helped))
    return Overview(
        known=stats.reflections,
        lookups=lookups,
        known_share=share(known, lookups),
        helped_share=share(helped, helped + failed) if helped + failed else None,
        votes=helped + failed,
        came_back=sum(day.recurred for day in activity),
        unresolved=unresolved,
        funnel=tuple((name, count, share(count, lookups)) for name, count in steps),
        chart=bars([sum(day.lookups.values()) for day in activity], "look-ups by day"),
        stats=stats,
        changes=None if last_visit is None else await _changes(services, last_visit),
    )


async def _changes(services: Services, since: datetime) -> Changes:
    store, scope = services.store, services.scope
    newest = await store.reflections(scope, kind="reflection", limit=PAGE)
    lookups = await store.lookups(scope, since=since, limit=MOST_CHANGES)
    votes = await store.votes(scope, since=since, limit=MOST_CHANGES)
    matched = dict.fromkeys(each.matched_id for each in lookups if each.matched_id)
    again = await store.recurrences(scope, list(matched), since=since)
    down = dict.fromkeys(vote.target_id for vote in votes if vote.kind == "negative")
    return Changes(
        since=since,
        learned=tuple(row for row in newest if row.first_seen >= since),
        failed=await _rows(services, down),
        came_back=await _rows(services, [id for id, each in again.items() if each.recurred_at]),
        lookups=len(lookups),
    )


async def _rows(services: Services, ids: Iterable[str]) -> tuple[Reflection, ...]:
    """Return the reflections among these ids that are still there."""
    rows = [await services.store.reflection(services.scope, each) for each in ids]
    return tuple(row for row in rows if row is not None)


# --------------------------------------------------------------------------- the list of errors


@dataclass(frozen=True, slots=True, kw_only=True)
class ListQuery:
    """What the list is to show; empty texts ask for nothing."""

    days: int = 30
    words: str = ""
    state: str = ""
    error_type: str = ""
    tag: str = ""
    order: str = "newest"
    after: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorLine:
    """An error or lesson as a line of the list; `lately` are failures in the period."""

    row: Reflection
    state: State
    chart: Chart
    lately: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """The rows by which states and facets are counted; `more` says that there are others."""

    rows: tuple[tuple[Reflection, State], ...]
    lately: Mapping[str, int]
    more: bool
    facets: Mapping[str, Sequence[tuple[str, int]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorList:
    """A page of the list; `after` is where the next one begins, empty on the last."""

    lines: tuple[ErrorLine, ...]
    after: str
    sampled: bool


async def sample_of(services: Services, days: int) -> Sample:
    """Read what needs many rows at once."""
    store, scope = services.store, services.scope
    since = begin_of(first_day(services, days))
    newest = await store.reflections(
        scope, kind="reflection", include_retired=True, limit=SAMPLE + 1
    )
    votes = await store.votes(scope, since=since, limit=MOST_VOTES)
    lately = Counter(vote.target_id for vote in votes if vote.kind == "negative")
    rows = {row.id: row for row in newest[:SAMPLE]}
    missing = [each for each in lately if each not in rows]
    rows |= {row.id: row for row in await _rows(services, missing) if row.kind == "reflection"}
    recurrences = await store.recurrences(scope, list(rows), since=since)
    found: tuple[tuple[Reflection, State], ...] = tuple(
        (row, _state(row, recurrences)) for row in rows.values()
    )
    living = [(row, state) for row, state in found if not row.retired]
    return Sample(
        rows=found,
        lately=lately,
        more=len(newest) > SAMPLE,
        facets={
            "state": [(each, n) for each in STATES if (n := sum(s == each for _, s in found))],
            "type": _commonest(row.error_type for row, _ in living if row.error_type),
            "tag": _commonest(tag for row, _ in living for tag in row.tags),
        },
    )


def _commonest(names: Iterable[str]) -> list[tuple[str, int]]:
    return Counter(names).most_common(FACETS)


def _state(row: Reflection, recurrences: Mapping[str, Recurrence]) -> State:
    return state_of(row, recurrences.get(row.id, Recurrence()))


async def error_list(services: Services, asked: ListQuery, sample: Sample) -> ErrorList:
    """Return one page of what is asked for."""
    sampled = bool(asked.state) or asked.order in SAMPLE_ORDERS
    if asked.words:
        found = await found_for(services.store, services.scope, asked.words, services.meaning)
        rows = _behind([row for row in found.rows if row.kind == "reflection"], asked.after)
    elif sampled:
        rows = _behind(_from_sample(asked, sample), asked.after)
    else:
        rows = list(await _from_store(services, asked))
    page = rows[:PAGE]
    since = begin_of(first_day(services, max(asked.days, BARS)))
    ids = [row.id for row in page]
    recurrences = await services.store.recurrences(services.scope, ids, since=since)
    return ErrorList(
        lines=tuple(
            ErrorLine(
                row=row,
                state=_state(row, recurrences),
                chart=bars_of(services, recurrences.get(row.id)),
                lately=sample.lately.get(row.id, 0),
            )
            for row in page
        ),
        after=page[-1].id if len(rows) > PAGE else "",
        sampled=sampled and not asked.words,
    )


def _from_sample(asked: ListQuery, sample: Sample) -> list[Reflection]:
    rows = [
        row
        for row, state in sample.rows
        if asked.state in ("", state)
        and (asked.state in ("retired", "candidate") or not row.retired)
        and asked.error_type in ("", row.error_type)
        and (not asked.tag or asked.tag in row.tags)
    ]
    if asked.order == "failed":
        rows.sort(key=lambda row: (-sample.lately.get(row.id, 0), -row.failed))
    elif asked.order == "came_back":
        rows.sort(key=lambda row: -row.recurred)
    elif asked.order == "most_met":
        rows.sort(key=lambda row: -row.occurrences)
    elif asked.order == "importance":
        rows.sort(key=lambda row: -row.importance)
    return rows


def _behind(rows: list[Reflection], after: str) -> list[Reflection]:
    """Return the rows behind the one with this id; all of them without it."""
    ids = [row.id for row in rows]
    return rows[ids.index(after) + 1 :] if after in ids else rows


async def _from_store(services: Services, asked: ListQuery) -> Sequence[Reflection]:
    last = await services.store.reflection(services.scope, asked.after) if asked.after else None
    return await services.store.reflections(
        services.scope,
        kind="reflection",
        tags=(asked.tag,) if asked.tag else (),
        error_type=asked.error_type or None,
        order=cast("Order", asked.order),
        limit=PAGE + 1,
        after=last,
    )


def bars_of(services: Services, recurrence: Recurrence | None) -> Chart:
    """Return the look-ups that matched a reflection on each of the last days."""
    counts = dict(recurrence.lookups) if recurrence else {}
    begin = first_day(services, BARS)
    days = [begin + timedelta(days=n) for n in range(BARS)]
    return bars([counts.get(day, 0) for day in days], f"look-ups in {BARS} days")


# --------------------------------------------------------------------------- one error


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """The words of a lesson under the id that takes votes; `first` is shown first."""

    id: str
    said: Wording
    first: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PastEvent:
    """One thing that happened with a lesson; `lookup` is the id of a look-up that offered it."""

    at: datetime
    what: str
    by: str
    text: str = ""
    lookup: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Detail:
    """All that is known of one error or lesson; `longest` is the length of its longest text."""

    row: Reflection
    state: State
    chart: Chart
    own: bool
    withheld: str
    danger: str
    versions: tuple[Version, ...]
    pattern: tuple[str, ...]
    timeline: tuple[PastEvent, ...]
    longest: int


async def detail(services: Services, name: str, days: int) -> Detail:
    """Return all that is known of a lesson.

    Raises:
        NotFound: there is none with this id.
    """
    store, scope = services.store, services.scope
    row = await store.reflection(scope, name)
    if row is None:
        raise NotFound("this project has no lesson with this id", "it may have been deleted")
    since = begin_of(first_day(services, max(days, BARS)))
    recurrences = await store.recurrences(scope, [name], since=since)
    now = first_id(row)
    report = read(row.pattern) if row.pattern else None
    statements = report.statements if report else ()
    return Detail(
        row=row,
        state=_state(row, recurrences),
        chart=bars_of(services, recurrences.get(name)),
        own=row.scope == scope,
        withheld=why_withheld(row),
        danger=mark(row.lesson, row.strategy),
        versions=tuple(
            Version(id=each, said=said, first=each == now)
            for said in row.wordings
            for each in [version_id(row.id, *said.words)]
        ),
        pattern=tuple(text for each in statements for text in (each.text, *each.details)),
        timeline=await _timeline(services, row),
        longest=max(len(text) for text in (row.lesson, row.strategy, row.example)),
    )


async def _timeline(services: Services, row: Reflection) -> tuple[PastEvent, ...]:
    """Return what happened with a lesson, newest first."""
    store, scope = services.store, services.scope
    events = [PastEvent(at=row.first_seen, what="first met", by=row.source)]
    events += [
        PastEvent(at=said.at, what="said", by=said.source, text=said.lesson.text)
        for said in row.wordings
    ]
    events += [
        PastEvent(
            at=each.at,
            what=f"looked up: {each.verdict}" + (", shown" if row.id in each.shown else ""),
            by=each.source,
            text=each.summary,
            lookup=each.id if row.id in each.shown else "",
        )
        for each in await store.lookups(scope, matched_id=row.id, limit=PAGE)
    ]
    events += [_of_vote(each) for each in await store.votes(row.scope, target_id=row.id)]
    return tuple(sorted(events, key=lambda each: each.at, reverse=True))


def _of_vote(vote: Vote) -> PastEvent:
    what = "helped" if vote.kind == "positive" else "failed"
    return PastEvent(at=vote.at, what=f"vote: {what}", by=vote.source, text=vote.comment)


# --------------------------------------------------------------------------- unresolved


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenError:
    """An error without a lesson; `written` is the id of one that waits to be shown."""

    error: Unresolved
    written: str


async def open_errors(services: Services) -> tuple[OpenError, ...]:
    """Return the errors that were asked for twice or more and have no lesson, most first."""
    store, scope = services.store, services.scope
    found = await store.unresolved(scope, limit=MOST_UNRESOLVED)
    digests = [each.signature.rpartition(":")[2] for each in found]
    hits = await store.find(scope, digests) if digests else ()
    written = {hit.key.digest: hit.reflection.id for hit in hits if hit.key.kind == JOINED}
    return tuple(
        OpenError(error=each, written=written.get(digest, ""))
        for each, digest in zip(found, digests, strict=True)
    )
