"""What the page of answers shows: their quality by week, and what was wrong with which of them.

Rules of this module: an answer is listed only if something was found wrong with it. A fault is
counted once, as proven by a check or as named by a judge. A week that the period covers only in
part is marked.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from statistics import fmean
from typing import Any

from reflection_mcp.server.dashboard.charts import share
from reflection_mcp.server.dashboard.period import beginning
from reflection_mcp.store.records import Attempt, Check
from reflection_mcp.tools.judging.scoring import hard_findings
from reflection_mcp.tools.learning.issue_summary import LOW_QUALITY, recurring_issues
from reflection_mcp.tools.ports import Services

MOST_ATTEMPTS = 1_000
WORST = 20
COMMONEST = 12

Shown = dict[str, Any]


async def answers(services: Services, days: int) -> Shown:
    """Return how the newest answers of the period did: by week, the most common faults, and the
    worst answers, each with its faults; `faulty` is how many had any."""
    now = services.clock()
    since = beginning(now, days)
    attempts = await services.store.attempts(services.scope, since=since, limit=MOST_ATTEMPTS)
    if len(attempts) == MOST_ATTEMPTS:
        since = attempts[-1].at
    newest: dict[str, Check] = {}
    proven = [flaw for each in attempts for flaw in hard_findings(each.checks)]
    for flaw in proven:
        newest.setdefault(flaw.kind, flaw)
    faulty = [(each, faults) for each in attempts if (faults := faults_of(each))]
    named = recurring_issues([_as_judged(each) for each in attempts])
    commonest = Counter(flaw.kind for flaw in proven).most_common(COMMONEST)
    return {
        "weeks": _weeks(attempts, since, now),
        "proven": [(kind, _said(newest[kind]), many) for kind, many in commonest],
        "named": [(each.text, each.attempts) for each in named[:COMMONEST]],
        "worst": sorted(faulty, key=_quality)[:WORST],
        "faulty": len(faulty),
        "read": len(attempts),
    }


def faults_of(attempt: Attempt) -> tuple[str, ...]:
    """Return what is wrong with an answer, each fault once: what was proven, what a judge named,
    what a person said."""
    said = [_said(flaw) for flaw in hard_findings(attempt.checks)]
    said += _as_judged(attempt).issues
    if attempt.feedback == "negative":
        said.append("a person said that it is wrong")
    if not said and attempt.quality is not None and attempt.quality < LOW_QUALITY:
        said.append("rated low, without a reason")
    return tuple(dict.fromkeys(said))


def _said(flaw: Check) -> str:
    """Return a finding in a line: the text that it is about, if it is about one, and its reason."""
    return ": ".join(part for part in (flaw.quote, flaw.why) if part)


def _as_judged(attempt: Attempt) -> Attempt:
    """Return an answer with only those of its issues that a judge named: one that comes from a
    finding begins with its quote or its reason."""
    found = tuple(
        text.rstrip(".")
        for check in attempt.checks
        for text in (check.quote or check.stated, check.why)
        if text
    )
    issues = tuple(each for each in attempt.issues if not each.startswith(found))
    return replace(attempt, issues=issues, improvements=())


def _quality(faulty: tuple[Attempt, Sequence[str]]) -> float:
    quality = faulty[0].quality
    return 1.0 if quality is None else quality


def _weeks(attempts: Iterable[Attempt], since: datetime, now: datetime) -> list[Shown]:
    """Return the answers of each week, from Monday on: mean quality, who judged them, and which
    `part` of the week is covered, empty for a whole one."""
    by_week: dict[date, list[Attempt]] = {}
    for each in attempts:
        day = each.at.date()
        by_week.setdefault(day - timedelta(days=day.weekday()), []).append(each)
    weeks: list[Shown] = []
    for monday, some in sorted(by_week.items()):
        known = [each.quality for each in some if each.quality is not None]
        quality = fmean(known) if known else None
        parts = (
            f"from {since:%A} on" if since.date() > monday else "",
            "so far" if now.date() < monday + timedelta(days=7) else "",
        )
        weeks.append(
            {
                "monday": monday,
                "part": ", ".join(filter(None, parts)),
                "answers": len(some),
                "quality": quality,
                "percent": share(quality or 0.0, 1),
                "basis": Counter(each.judge for each in some).most_common(),
            }
        )
    return weeks
