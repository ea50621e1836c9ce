"""What to keep in mind before starting: a block ready for a system prompt, and the same as data.

Recurring issues of low-quality attempts, strategies, lessons that fit the query, errors that keep
coming back unresolved, the trend of quality, and how often advice helped. When nothing fits, that
is the answer: an unrelated query brings no lessons.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from reflection_mcp.store.contract import Store
from reflection_mcp.store.interactions import Unresolved
from reflection_mcp.store.person import another_than
from reflection_mcp.store.records import Attempt, Reflection, Scope
from reflection_mcp.store.state import Stats
from reflection_mcp.tools import intake
from reflection_mcp.tools.advice import Advice, Offer, Withheld, how_often_met, offer, origin
from reflection_mcp.tools.errors import InvalidInput
from reflection_mcp.tools.insights.lesson_search import Found, found_for
from reflection_mcp.tools.insights.strategy_lessons import without_refuted
from reflection_mcp.tools.judging.finding import finding_id
from reflection_mcp.tools.learning import calibration, issue_summary
from reflection_mcp.tools.learning.duplicates import normalized_words
from reflection_mcp.tools.learning.issue_summary import Recurring, Trend
from reflection_mcp.tools.learning.similarity import read
from reflection_mcp.tools.ports import Meaning, Services
from reflection_mcp.tools.untrusted import quoted, stored

QUERY_LENGTH = 4_000
TOKENS = 600
RECURRING_SHOWN, UNRESOLVED_SHOWN = 3, 3  # beside the lessons that fit a query
UNRESOLVED_LISTED, UNRESOLVED_READ = 5, 50
TREND_OVER = 20  # attempts
RECENT = 100  # attempts that are looked through for disputed findings and tasks of open errors
EMPTY = "nothing was learned here yet"
REPHRASE = "pass rephrased, too: five to eight ways in which a lesson on it may be worded"
UNREAD = "only the {:,} most important were searched; a query finds others"


@dataclass(frozen=True, slots=True, kw_only=True)
class InsightQuery:
    """What is asked for; without a query the most valuable lessons of the project.

    `rephrased` says the query in other words, as a lesson on it may be worded: an assistant knows
    what causes a symptom, and what one does about it, better than any list of synonyms.
    """

    query: str = ""
    rephrased: Sequence[str] = ()
    tags: Sequence[str] = ()
    min_importance: float = 0.0
    limit: int = 10
    tokens: int = TOKENS


@dataclass(frozen=True, slots=True, kw_only=True)
class Insights:
    """The answer. `prompt` is empty when there is nothing to say.

    `left_out` is what was found beside all that is listed here; the block says for itself how much
    of all that was found it lacks.
    """

    prompt: str = ""
    issues: tuple[Recurring, ...] = ()
    strategies: tuple[Advice, ...] = ()
    lessons: tuple[Advice, ...] = ()
    unresolved: tuple[Unresolved, ...] = ()
    withheld: tuple[Withheld, ...] = ()
    trend: Trend | None = None
    stats: Stats = field(default_factory=Stats)
    calibration: tuple[str, ...] = ()
    left_out: int = 0
    note: str = ""


async def get_insights(services: Services, query: InsightQuery) -> Insights:
    """Gather what is worth knowing.

    Raises:
        InvalidInput: a limit is out of range, or an argument is too long.
        StoreError: the store cannot be read.
    """
    query = _taken_in(services, query)
    store, scope = services.store, services.scope
    found = await _lessons(store, scope, query, services.meaning)
    valid = await without_refuted(store, scope, found.rows)
    offered = offer(valid.rows, services.clock(), query.limit, in_order=bool(query.query))
    offered = replace(offered, withheld=(*offered.withheld, *valid.withheld))
    recent = await store.attempts(scope, limit=RECENT)
    met = () if query.tags else await _issues(store, scope, query, recent)
    every_issue = [issue for issue in met if issue.attempts > 1 or not _told(issue, offered)]
    issues = tuple(every_issue[: RECURRING_SHOWN if query.query else query.limit])
    unresolved = () if query.tags else await _unresolved(store, scope, query, recent)
    strategies = tuple(a for a in offered.advice if a.kind == "strategy")
    lessons = tuple(a for a in offered.advice if a.kind != "strategy")
    of_issues, of_advice = (
        _issue_lines(issues),
        _advice_lines(strategies, lessons, services.caller.principal),
    )
    # What fits the query is the most useful; without one, what goes wrong most.
    first = [*of_advice, *of_issues] if query.query else [*of_issues, *of_advice]
    lines = [*first, *await _open_lines(store, scope, unresolved)]
    left_out = offered.more + len(every_issue) - len(issues)
    prompt, unfit = issue_summary.block(lines, query.tokens, left_out)
    services.emit(
        "insights_given",
        {"lessons": len(offered.advice), "issues": len(issues), "left_out": unfit},
    )
    stats = await store.stats(scope)
    empty = not (stats.reflections or stats.strategies)
    return Insights(
        prompt=prompt,
        issues=issues,
        strategies=strategies,
        lessons=lessons,
        unresolved=unresolved,
        withheld=offered.withheld,
        trend=issue_summary.trend(recent[:TREND_OVER]),
        stats=stats,
        calibration=tuple(calibration.lines(await store.verdicts(scope))),
        left_out=left_out,
        note="; ".join(
            part
            for part in (
                _note(lines, prompt, query, offered, found, empty=empty),
                found.ranked,
                found.unread,
                "" if query.query or query.tags else await _waiting(store, scope),
            )
            if part
        ),
    )


async def _waiting(store: Store, scope: Scope) -> str:
    # Brings all of `identity`, which the briefing of a host would wait for and not use.
    from reflection_mcp.tools.learning.review_queue import waiting_line

    return await waiting_line(store, scope)


async def _issues(
    store: Store, scope: Scope, query: InsightQuery, recent: Sequence[Attempt]
) -> tuple[Recurring, ...]:
    """Return the issues of answers of low quality; for a query those that recurred and fit it."""
    low = await store.attempts(
        scope, max_quality=issue_summary.LOW_QUALITY, limit=issue_summary.NEWEST
    )
    disputed = {finding_id(check) for each in recent for check in each.checks if check.disputed}
    found = issue_summary.recurring_issues(low, disputed)
    if not query.query:
        return found
    again = (issue for issue in found if issue.attempts > 1)
    return tuple(issue for issue in again if _fits(query, issue.text, *issue.questions))


def _told(issue: Recurring, offered: Offer) -> bool:
    """Whether a lesson that is shown has all that an issue says: it came from clearing it."""
    words = frozenset(normalized_words(issue.text))
    return any(words <= {*normalized_words(f"{a.lesson} {a.strategy}")} for a in offered.advice)


async def _unresolved(
    store: Store, scope: Scope, query: InsightQuery, recent: Sequence[Attempt]
) -> tuple[Unresolved, ...]:
    """Return the errors without a lesson that come back most, and were not solved the last time;
    for a query those that fit it by their text and the task in which they were reported."""
    last = {attempt.error_signature: attempt for attempt in reversed(recent)}
    errors = [
        each
        for each in await store.unresolved(scope, limit=UNRESOLVED_READ)
        if not _is_solved(each, last.get(each.signature))
    ]
    if not query.query:
        return tuple(errors[:UNRESOLVED_LISTED])
    tasks: dict[str | None, list[str]] = {}
    for attempt in recent:
        tasks.setdefault(attempt.error_signature, []).append(attempt.question)
    fits = (
        each
        for each in errors
        if _fits(query, *(f"{each.summary} {task}" for task in tasks.get(each.signature, [""])))
    )
    return tuple(fits)[:UNRESOLVED_SHOWN]


def _is_solved(error: Unresolved, last: Attempt | None) -> bool:
    return last is not None and last.outcome == "success" and last.at >= error.last_seen


def _fits(query: InsightQuery, *texts: str) -> bool:
    """Whether one of the texts shares two words with the query, or its only one."""
    for phrasing in (query.query, *query.rephrased):
        asked = set(read(phrasing).stems)
        if any(
            len(asked.intersection(read(text).stems)) >= min(2, len(asked) or 1) for text in texts
        ):
            return True
    return False


def _taken_in(services: Services, query: InsightQuery) -> InsightQuery:
    if not 1 <= query.limit <= 50:
        raise InvalidInput("limit is out of range", "pass a whole number from 1 to 50")
    asked = intake.text("query", query.query, QUERY_LENGTH).strip()
    rephrased = intake.phrasings("rephrased", query.rephrased, services.limits)
    return replace(
        query,
        query=asked or " ".join(rephrased[:1]),
        rephrased=rephrased,
        tags=intake.tags(query.tags, services.limits),
        min_importance=intake.share("min_importance", query.min_importance) or 0.0,
    )


async def _lessons(
    store: Store, scope: Scope, query: InsightQuery, meaning: Meaning | None
) -> Found:
    """The lessons that fit the query, else the most important ones, that pass every filter."""
    if query.query:
        fits = await found_for(store, scope, query.query, meaning, query.rephrased)
        passing = [row for row in fits.rows if _passes(row, query)]
        return replace(fits, rows=passing, dropped=len(passing) < len(fits.rows))
    most = 4 * query.limit
    rows = await store.reflections(
        scope,
        tags=query.tags,
        min_importance=query.min_importance,
        order="importance",
        limit=most + 1,  # one more tells whether there are more
    )
    return Found([*rows[:most]], unread=UNREAD.format(most) if len(rows) > most else "")


def _passes(row: Reflection, query: InsightQuery) -> bool:
    return row.importance >= query.min_importance and set(query.tags) <= set(row.tags)


def _issue_lines(issues: Sequence[Recurring]) -> list[str]:
    return [
        f"- {stored(issue.text, 200)}{issue_summary.how_often(issue.times, issue.others)}"
        for issue in issues
    ]


def _advice_lines(
    strategies: Sequence[Advice], lessons: Sequence[Advice], reader: str
) -> list[str]:
    """Lessons are quoted: what a source once wrote is data, not the server speaking.

    A strategy is a record of its own, too; it stands with its lesson where that is shown.
    """
    beside = {advice.strategy for advice in lessons}
    lines = [
        f"- earlier strategy [{_origin(advice, reader)}]: {quoted(advice.lesson)}"
        for advice in strategies
        if advice.lesson not in beside
    ]
    for advice in lessons:
        said = (quoted(part) for part in (advice.lesson, advice.strategy) if part)
        kind = "the user said" if _by_own_user(advice, reader) else "earlier lesson"
        lines.append(f"- {kind} [{_origin(advice, reader)}]: {' Next time: '.join(said)}")
    return lines


def _by_own_user(advice: Advice, reader: str) -> bool:
    """Whether these are the words of the one who reads, and not of another person of a team."""
    return advice.by_user and not another_than(reader, advice.source)


def _origin(advice: Advice, reader: str) -> str:
    seen = (
        f"last seen {advice.last_seen:%Y-%m-%d}"  # the line says already that it is the user's own
    )
    whose = seen if _by_own_user(advice, reader) else origin(advice, reader)
    return f"{advice.id}, {advice.standing}, {whose}"


async def _open_lines(store: Store, scope: Scope, unresolved: Sequence[Unresolved]) -> list[str]:
    """Errors without a lesson, with the counts that a look-up gives of them."""
    lines: list[str] = []
    for error in unresolved:
        past = await store.met(scope, error.signature)
        often = how_often_met(len(past.attempts), past.occurred, past.looked_up)
        last = f"last on {error.last_seen:%Y-%m-%d}"
        lines.append(f"- still unresolved, {often}, {last}: {stored(error.summary, 160)}")
    return lines


def _note(
    lines: Sequence[str],
    prompt: str,
    query: InsightQuery,
    offered: Offer,
    found: Found,
    *,
    empty: bool,
) -> str:
    if lines and not prompt:
        return "not even the first line fits into the budget of the block"
    if offered.advice or (lines and not query.query):
        return ""
    if offered.withheld:
        return "everything that was found is withheld"
    if empty and not lines:
        return EMPTY
    if found.dropped:
        return "the filters exclude everything that fits this query"
    if query.query:
        nothing = (
            "no lesson fits this query" if lines else "nothing that was learned fits this query"
        )
        return nothing if query.rephrased else f"{nothing}; {REPHRASE}"
    if query.tags or query.min_importance:
        return "no lesson passes these filters"
    return EMPTY
