"""From what a use case returns to what a client gets: the only place that knows both shapes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from reflection_mcp.server.mcp import summaries
from reflection_mcp.server.mcp.results import (
    AdviceView,
    AlsoSaidView,
    CandidateView,
    FeedbackView,
    Finding,
    InsightsView,
    IssueView,
    LookAlikeView,
    NeighbourView,
    QuestionView,
    ReflectView,
    SavedView,
    ScoreView,
    SeenView,
    TriedView,
    UnresolvedView,
    WithheldView,
)
from reflection_mcp.server.mcp.visitor import reading
from reflection_mcp.server.wording import counted, times
from reflection_mcp.store.records import Scope
from reflection_mcp.tools.untrusted import in_one_line, presentable, quoted, stored
from reflection_mcp.tools.untrusted.dangers import mark

if TYPE_CHECKING:
    # Only their names are needed: importing one use case to present another would make the first
    # look-up of a session wait for all the checks of answers.
    from reflection_mcp.store.records import Check, Score
    from reflection_mcp.tools.advice import Advice, AlsoSaid, Withheld
    from reflection_mcp.tools.feedback.record_feedback import FeedbackResult
    from reflection_mcp.tools.insights.get_insights import Insights
    from reflection_mcp.tools.judging.scoring import Covered, Evaluation, Issue, Tried
    from reflection_mcp.tools.recall.before_action import KnownMistake, NotOffered
    from reflection_mcp.tools.recall.has_seen_error_before import Neighbour, SeenBefore
    from reflection_mcp.tools.reflect.persist import SavedReflection
    from reflection_mcp.tools.reflect.result import ReflectResult

SHOWN_FINDINGS = 12
QUOTE = 200
OPENING = 80


def reflected(judged: ReflectResult) -> ReflectView:
    """The result of `reflect`."""
    if judged.skipped:
        summary = f"Not reflected on: {judged.skipped}."
        return ReflectView(summary=summary, mode=judged.mode, retry=False)
    evaluation = judged.evaluation
    shown = findings(evaluation.checks)
    notes = list(judged.notes)
    left_out = len(_findings_to_show(evaluation.checks)) - len(shown)
    shown = [each for each in shown if not _is_told(each, judged, shown)]
    if left_out:
        notes.append(f"{counted(left_out, 'more finding')} of the same kinds not shown")
    return ReflectView(
        summary=summaries.loss_first(judged.lost, summaries.news(judged)),
        mode=judged.mode,
        attempt_id=judged.attempt_id,
        iteration=judged.iteration,
        quality=evaluation.quality,
        scores=scores(evaluation),
        criteria=_criteria(judged.criteria),
        retry=evaluation.retry,
        retry_reason=evaluation.retry_reason,
        findings=shown,
        issues=[issue.text for issue in evaluation.issues if not _is_finding(issue, shown)],
        improvements=list(evaluation.improvements),
        coverage={family: _covered(count) for family, count in evaluation.coverage.items()},
        not_checked=summaries.not_checked(evaluation),
        verification_questions=[
            QuestionView(id=question.id, question=question.text) for question in judged.questions
        ],
        learned=[kept(row) for row in judged.kept],
        not_kept="" if judged.attempt_id and judged.asked_of_caller else judged.not_kept,
        asked_of_you=list(judged.asked_of_caller),
        candidate_fix=[presentable(step, QUOTE) for step in judged.candidate_fix],
        sources_tried=tried((*evaluation.sources_tried, *judged.lesson_tried)),
        next=summaries.next_step(judged),
        notes=notes,
    )


def _is_told(finding: Finding, judged: ReflectResult, shown: Sequence[Finding]) -> bool:
    """Whether a hint at a run that failed says what the caller has reported, or a fault holds."""
    from reflection_mcp.tools.judging.evidence.evidence_check import LAST_RUN  # judging only

    if finding.severity != "hint" or not finding.why.startswith(LAST_RUN):
        return False
    run = finding.why.removeprefix(LAST_RUN).strip(": .")
    faults = (each.why for each in shown if each.severity == "hard")
    reported = bool(judged.kept) or judged.evaluation.reported_failure
    return reported or any(run in why for why in faults)


def seen(answer: SeenBefore, *, detailed: bool = False) -> SeenView:
    """The result of `has_seen_error_before`; `detailed` adds on what each lesson rests."""
    asks = answer.lookup_id in f"{answer.question} {answer.next}"
    return SeenView(
        verdict=answer.verdict,
        seen=answer.seen,
        summary=summaries.recognition(answer),
        why=answer.why if answer.tells_why else "",
        occurrences=answer.occurrences,
        sources=answer.sources,
        first_seen=answer.first_seen,
        last_seen=answer.last_seen,
        advice=[advice(one, detailed=detailed) for one in answer.offer.advice],
        also_said=[_also_said(one) for one in answer.offer.also_said],
        withheld=withheld(answer.offer.withheld),
        more=answer.offer.more,
        elsewhere=_neighbour(answer.neighbour) if answer.neighbour else None,
        candidates=[
            CandidateView(
                id=one.id, steps=list(one.steps), trust="untrusted", mark=mark(*one.steps)
            )
            for one in answer.candidates
        ],
        similar=[
            LookAlikeView(
                id=like.id,
                summary=like.summary,
                differences=list(dict.fromkeys(like.differences)),
            )
            for like in answer.similar
        ],
        tried=list(answer.tried),
        question=answer.question,
        reflection_id=answer.reflection_id,
        lookup_id=answer.lookup_id if detailed or answer.seen or asks else "",
        signature=answer.signature if detailed else "",
        next=answer.next,
        notes=list(answer.notes),
    )


def known_mistake(known: KnownMistake | NotOffered | None, *, detailed: bool = False) -> SeenView:
    """The result of `has_seen_error_before` for an action; None when nothing speaks against it."""
    from reflection_mcp.tools.recall.before_action import KnownMistake

    if known is None:
        return SeenView(
            verdict="new",
            seen=False,
            summary="No failure of it and no lesson against it is stored here.",
        )
    if not isinstance(known, KnownMistake):
        return _not_offered(known)
    failed = f"It failed {times(known.failed)} here before" if known.failed else ""
    return SeenView(
        verdict="same",
        seen=True,
        summary=f"{failed or 'A lesson speaks of it'}.",
        occurrences=known.failed,
        advice=[advice(known.advice, detailed=detailed)],
        next="do it as the lesson says; if the lesson is about something else, go on",
    )


def _not_offered(known: NotOffered) -> SeenView:
    worked = f" and has worked {times(known.worked)} since" if known.worked else ""
    lesson = (
        f"its lesson {known.lesson} is not offered: withheld, or not proven"
        if known.lesson
        else "no lesson is stored"
    )
    failed = f"It failed {times(known.failed)} here{worked}; {lesson}."
    printed = f" It printed: {quoted(presentable(known.printed, QUOTE))}."
    only = f"A lesson against it, {known.lesson}, is not offered: withheld, or not proven."
    return SeenView(
        verdict="same",
        seen=True,
        summary=f"{failed}{printed}" if known.failed else only,
        occurrences=known.failed,
    )


def feedback(answer: FeedbackResult) -> FeedbackView:
    """The result of `record_feedback`."""
    meant = answer.answer
    whose = "this client" if answer.is_earlier else "this conversation"
    which = (
        f" for the last answer of {whose}, {meant.id}, to "
        f"{stored(in_one_line(meant.question), OPENING)}"
        if meant
        else ""
    )
    summary = (
        f"Recorded{which}." if answer.changed else f"Already recorded{which}: nothing changed."
    )
    lines = list(answer.lines) if answer.changed else []
    return FeedbackView(
        summary=summary,
        changed=answer.changed,
        changes=lines,
        advice=[advice(each) for each in answer.advice],
        next=answer.ask,
    )


def insights(found: Insights, *, detailed: bool = False) -> InsightsView:
    """The result of `get_insights`; `detailed` adds on what each lesson rests."""
    trend = found.trend
    shown = found.issues or found.strategies or found.lessons or found.unresolved
    return InsightsView(
        summary=summaries.insight_summary(found),
        prompt=found.prompt,
        issues=[
            IssueView(text=presentable(i.text, QUOTE), times=i.times, others=i.others)
            for i in found.issues
        ],
        strategies=[advice(one, detailed=detailed) for one in found.strategies],
        lessons=[advice(one, detailed=detailed) for one in found.lessons],
        unresolved=[
            UnresolvedView(
                summary=presentable(error.summary, QUOTE),
                times=error.times,
                signature=error.signature,
                last_seen=error.last_seen,
            )
            for error in found.unresolved
        ],
        withheld=withheld(found.withheld),
        trend=(
            f"{trend.word}: quality {trend.newer} now, {trend.older} before, "
            f"over {trend.attempts} attempts"
            if trend
            else ""
        ),
        advice_given=found.stats.shown,
        advice_helped=found.stats.helped,
        advice_failed=found.stats.failed,
        calibration=list(found.calibration),
        left_out=found.left_out,
        notes=[found.note] if found.note and shown else [],
    )


# --------------------------------------------------------------------------- parts


def _findings_to_show(checks: Iterable[Check]) -> list[Check]:
    """The findings but for the caller's own report of a failure, which the summary tells."""
    from reflection_mcp.tools.judging.scoring import REPORTED

    return [check for check in checks if check.status == "wrong" and check.kind != REPORTED]


def findings(checks: Iterable[Check], limit: int = SHOWN_FINDINGS) -> list[Finding]:
    """Proven faults first, then hints, each cut to a length that reads well."""
    # Only who judges needs it, and who judges has it already.
    from reflection_mcp.tools.judging.finding import difference, finding_id

    wrong = _findings_to_show(checks)
    wrong.sort(key=lambda c: (c.severity != "hard", bool(c.disputed), c.start or 0))
    return [
        Finding(
            id=finding_id(check),
            kind=check.kind,
            severity=check.severity,
            disputed=presentable(check.disputed, QUOTE),
            quote=presentable(check.quote, QUOTE),
            stated=presentable(check.stated, QUOTE),
            expected="" if difference(check) else presentable(check.expected, QUOTE),
            why=presentable(check.why, QUOTE),
            start=check.start,
        )
        for check in wrong[:limit]
    ]


def scores(evaluation: Evaluation) -> dict[str, ScoreView]:
    """The scores that somebody could give, each with its basis; the others are left out."""
    given = {
        "confidence": evaluation.confidence,
        "relevance": evaluation.relevance,
        "completeness": evaluation.completeness,
    }
    return {name: _score(score) for name, score in given.items() if score.value is not None}


def tried(sources: Iterable[Tried]) -> list[TriedView]:
    """Which sources of scores were asked."""
    return [
        TriedView(
            name=source.name,
            ok=source.ok,
            reason=source.reason,
            **asdict(source.usage),
        )
        for source in sources
    ]


def kept(row: SavedReflection) -> SavedView:
    """A stored reflection, with the id for a vote on the words that were said."""
    return SavedView(
        id=row.change.second or row.id,
        kind=row.kind,
        signature=row.signature,
        new=row.created,
        occurrences=row.occurrences,
        sources=row.sources,
        marked=row.marked,
    )


def advice(one: Advice, *, detailed: bool = False) -> AdviceView:
    """A lesson, marked as stored text, always with its source, its date and its track record."""
    view = AdviceView(
        id=one.id,
        lesson=one.lesson,
        strategy=one.strategy,
        trust="untrusted",
        track_record=one.track_record,
        mark=one.mark,
        source=one.source,
        last_seen=one.last_seen,
        occurrences=one.occurrences,
        sources=one.sources,
        evidence=one.evidence,
        learned=one.learned,
        tags=list(one.tags),
        project=one.project,
    )
    if detailed:
        return view
    place = _unless_shared(one.project)
    return view.model_copy(update={"evidence": "", "learned": None, "tags": [], "project": place})


def _unless_shared(project: str) -> str:
    """Of a team, the project of what is not everybody's in one project: a person's own, or the
    whole tenant's."""
    return project if reading() and Scope(project=project).visibility != "project" else ""


def _also_said(one: AlsoSaid) -> AlsoSaidView:
    return AlsoSaidView(
        id=one.id,
        track_record=one.track_record,
        lesson=one.lesson,
        strategy=one.strategy,
        trust="untrusted",
        source=one.source,
        sources=one.sources,
        said=one.at,
        mark=one.mark,
    )


def _neighbour(one: Neighbour) -> NeighbourView:
    return NeighbourView(
        here=one.here,
        there=one.there,
        lesson_of=one.advice.id,
        lesson=one.advice.lesson,
        strategy=one.advice.strategy,
        trust="untrusted",
        source=one.advice.source,
        mark=one.advice.mark,
        last_seen=one.advice.last_seen,
    )


def withheld(rows: Iterable[Withheld]) -> list[WithheldView]:
    """Lessons that are known and not offered."""
    return [WithheldView(id=row.id, reason=row.reason) for row in rows]


def _score(score: Score) -> ScoreView:
    return ScoreView(value=score.value, basis=score.basis, source=score.source)


def _criteria(given: Mapping[str, Score]) -> dict[str, ScoreView]:
    """The five criteria of an episode, once a machine signal speaks to one of them."""
    if all(score.value is None for score in given.values()):
        return {}
    return {name: _score(score) for name, score in given.items()}


def _covered(count: Covered) -> str:
    parts = [(count.ok, "ok"), (count.wrong, "wrong"), (count.unchecked, "unchecked")]
    return ", ".join(f"{number} {name}" for number, name in parts if number)


def _is_finding(issue: Issue, shown: Sequence[Finding]) -> bool:
    """Whether a finding says it already, by its quote or, where nothing is quoted, by its kind."""
    return any(
        finding.quote in issue.text if finding.quote else finding.kind == issue.kind
        for finding in shown
    )
