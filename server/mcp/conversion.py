"""Converts the result of a use case into the result for a client."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from itertools import takewhile
from typing import TYPE_CHECKING

from reflection_mcp.server.mcp import summaries
from reflection_mcp.server.mcp.parts import (
    AdviceView,
    AlsoSaidView,
    CandidateView,
    Finding,
    IssueView,
    LookAlikeView,
    NeighbourView,
    QuestionView,
    SavedView,
    ScoreView,
    StepView,
    TriedView,
    UnresolvedView,
    WithheldView,
)
from reflection_mcp.server.mcp.results import (
    AnswerView,
    FeedbackView,
    InsightsView,
    ReflectView,
    SeenView,
)
from reflection_mcp.server.mcp.visitor import only_reads, reading
from reflection_mcp.server.wording import counted, times
from reflection_mcp.store.records import Scope
from reflection_mcp.tools.untrusted import in_one_line, presentable, quoted, stored
from reflection_mcp.tools.untrusted.dangers import mark

if TYPE_CHECKING:
    # Only their names are needed: importing one use case to present another would make the first
    # look-up of a session wait for all the checks of answers.
    from reflection_mcp.store.records import Check, Score
    from reflection_mcp.tools.advice import Advice, Withheld
    from reflection_mcp.tools.answer.answer_with_reflection import AnswerResult
    from reflection_mcp.tools.feedback.record_feedback import FeedbackResult
    from reflection_mcp.tools.insights.get_insights import Insights
    from reflection_mcp.tools.judging.scoring import Covered, Evaluation, Issue, Tried
    from reflection_mcp.tools.recall.before_action import KnownMistake, NotOffered
    from reflection_mcp.tools.recall.has_seen_error_before import Neighbour, SeenBefore
    from reflection_mcp.tools.reflect.persist import SavedReflection
    from reflection_mcp.tools.reflect.result import ReflectResult

SAID_BY_TEXT = ("missing_part", "contradicted")  # issues whose text tells what to do about them
SHOWN_FINDINGS = 12
QUOTE = 200
OPENING = 80


def reflected(judged: ReflectResult) -> ReflectView:
    """Return the result of `reflect`."""
    if judged.skipped:
        summary = f"Not reflected on: {judged.skipped}."
        return ReflectView(summary=summary, mode=judged.mode, retry=False)
    evaluation = judged.evaluation
    shown = _findings(evaluation.checks)
    notes = list(judged.notes)
    left_out = len(_findings_to_show(evaluation.checks)) - len(shown)
    shown = [each for each in shown if not _is_reported(each, judged, shown)]
    if left_out:
        notes.append(f"{counted(left_out, 'more finding')} of the same kinds not shown")
    return ReflectView(
        summary=summaries.loss_first(judged.lost, summaries.news(judged)),
        mode=judged.mode,
        attempt_id=judged.attempt_id,
        iteration=judged.iteration,
        quality=evaluation.quality,
        scores=_scores(evaluation),
        criteria=_criteria(judged.criteria),
        retry=evaluation.retry,
        retry_reason=evaluation.retry_reason,
        findings=shown,
        issues=[
            _issue(issue, evaluation.checks)
            for issue in evaluation.issues
            if not _is_finding(issue, shown)
        ],
        improvements=list(evaluation.improvements),
        coverage={family: _covered(count) for family, count in evaluation.coverage.items()},
        not_checked=summaries.not_checked(evaluation),
        verification_questions=[
            QuestionView(id=question.id, question=question.text) for question in judged.questions
        ],
        learned=_saved(judged.kept),
        not_kept="" if judged.attempt_id and judged.asked_of_caller else judged.not_kept,
        asked_of_you=list(judged.asked_of_caller),
        candidate_fix=[presentable(step, QUOTE) for step in judged.candidate_fix],
        sources_tried=_tried((*evaluation.sources_tried, *judged.lesson_tried)),
        next=summaries.next_step(judged),
        notes=notes,
    )


def _is_reported(finding: Finding, judged: ReflectResult, shown: Sequence[Finding]) -> bool:
    """Return True if a hint at a run that failed says what the caller reported, or a fault says."""
    from reflection_mcp.tools.judging.evidence.evidence_check import LAST_RUN  # judging only

    if finding.severity != "hint" or not finding.why.startswith(LAST_RUN):
        return False
    run = finding.why.removeprefix(LAST_RUN).strip(": .")
    faults = (each.why for each in shown if each.severity == "hard")
    reported = bool(judged.kept) or judged.evaluation.reported_failure
    return reported or any(run in why for why in faults)


def answered(reached: AnswerResult) -> AnswerView:
    """Return the result of `answer_with_reflection`."""
    if reached.mode == "skipped":
        return AnswerView(
            summary=f"Not reflected on: {reached.why}.",
            mode=reached.mode,
            status=reached.status,
            answer=reached.answer or "",
            best_attempt=reached.attempt,
        )
    evaluation = reached.evaluation
    done = reached.status == "done"
    warning = mark(*reached.lessons)
    history = [
        StepView.of(
            turn,
            begins=presentable(turn.opening, OPENING),
            objections=[presentable(each, QUOTE) for each in turn.objections],
            **asdict(turn.usage),
        )
        for turn in reached.history
    ]
    return AnswerView.of(
        reached,
        summary=summaries.loss_first(reached.lost, summaries.where_it_stands(reached)),
        answer=(reached.answer or "") if done else "",
        best_attempt=reached.attempt,
        quality=evaluation.quality,
        scores=_scores(evaluation),
        stopped_because=reached.why if done else "",
        redo_of=reached.redo_of if reached.redo else None,
        findings=_findings(evaluation.checks),
        not_checked=summaries.not_checked(evaluation),
        history=history,
        lessons=[presentable(lesson) for lesson in reached.lessons],
        learned=_saved(reached.learned),
        sources_tried=_tried(evaluation.sources_tried),
        next=reached.next or summaries.with_faults_left(reached),
        notes=[*reached.notes, *([f"of the lessons: {warning}"] if warning else [])],
    )


def seen(answer: SeenBefore, *, detailed: bool = False) -> SeenView:
    """Return the result of `has_seen_error_before`; `detailed` adds on what each lesson rests."""
    asks = answer.lookup_id in f"{answer.question} {answer.next}"
    near = answer.neighbour
    view = SeenView.of(
        answer,
        summary=summaries.recognition(answer),
        why=answer.why if answer.tells_why else "",
        advice=_advice(answer.offer.advice, detailed=detailed),
        also_said=[AlsoSaidView.of(one, said=one.at) for one in answer.offer.also_said],
        withheld=_withheld(answer.offer.withheld),
        more=answer.offer.more,
        elsewhere=near and _neighbour(near),
        candidates=[CandidateView.of(one, mark=mark(*one.steps)) for one in answer.candidates],
        similar=[
            LookAlikeView.of(like, differences=list(dict.fromkeys(like.differences)))
            for like in answer.similar
        ],
        lookup_id=answer.lookup_id if detailed or answer.seen or asks else "",
        signature=answer.signature if detailed else "",
    )
    return _for_reader(view) if only_reads() else view


def _for_reader(view: SeenView) -> SeenView:
    """Return a result without the steps for which a reader has no right."""
    steps = view.next.split("; ")
    own = takewhile(lambda step: "reflect" not in step and "record_feedback" not in step, steps)
    named = view.lookup_id if view.signature else ""
    return view.model_copy(update={"next": "; ".join(own), "question": "", "lookup_id": named})


def known_mistake(known: KnownMistake | NotOffered | None, *, detailed: bool = False) -> SeenView:
    """Return the result of `has_seen_error_before` for an action; None when nothing speaks against
    it."""
    from reflection_mcp.tools.recall.before_action import KnownMistake

    if known is None:
        return SeenView(
            verdict="new",
            seen=False,
            summary="No failure of this action and no lesson against it is stored here.",
        )
    if not isinstance(known, KnownMistake):
        return _not_offered(known)
    failed = f"It failed {in_conversations(known.failed)}here before" if known.failed else ""
    return SeenView(
        verdict="same",
        seen=True,
        summary=f"{failed or 'A lesson warns against it'}.",
        occurrences=known.failed,
        advice=_advice([known.advice], detailed=detailed),
        next="do it as the lesson says; if the lesson is about something else, go on",
    )


def in_conversations(number: int) -> str:
    """Return in how many conversations something happened; nothing for one, however often."""
    return f"in {number:,} conversations " if number > 1 else ""


def _not_offered(known: NotOffered) -> SeenView:
    worked = f" and has worked {times(known.worked)} since" if known.worked else ""
    lesson = (
        f"its lesson {known.lesson} is not shown: it is withheld, or not proven"
        if known.lesson
        else "no lesson is stored"
    )
    failed = f"It failed {in_conversations(known.failed)}here{worked}; {lesson}."
    printed = f" It printed: {quoted(presentable(known.printed, QUOTE))}."
    only = f"{known.lesson} warns against it, but is not shown: it is withheld, or not proven."
    return SeenView(
        verdict="same",
        seen=True,
        summary=f"{failed}{printed}" if known.failed else only,
        occurrences=known.failed,
    )


def feedback(answer: FeedbackResult) -> FeedbackView:
    """Return the result of `record_feedback`."""
    meant = answer.answer
    whose = "this client" if answer.is_earlier else "this conversation"
    which = (
        f" for the last answer of {whose}, {meant.id}, to "
        f"{stored(in_one_line(meant.question), OPENING)}"
        if meant
        else ""
    )
    done = f"Recorded{which}."
    return FeedbackView(
        summary=done if answer.changed else f"Already recorded{which}: nothing changed.",
        changed=answer.changed,
        changes=list(answer.lines) if answer.changed else [],
        advice=_advice(answer.advice),
        next=answer.ask,
    )


def insights(found: Insights, *, detailed: bool = False) -> InsightsView:
    """Return the result of `get_insights`; `detailed` adds on what each lesson rests."""
    trend = found.trend
    shown = found.issues or found.strategies or found.lessons or found.unresolved
    return InsightsView(
        summary=summaries.insight_summary(found),
        prompt=found.prompt,
        issues=[IssueView.of(one, text=presentable(one.text, QUOTE)) for one in found.issues],
        strategies=_advice(found.strategies, detailed=detailed),
        lessons=_advice(found.lessons, detailed=detailed),
        unresolved=[
            UnresolvedView.of(one, summary=presentable(one.summary, QUOTE))
            for one in found.unresolved
        ],
        withheld=_withheld(found.withheld),
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
    """Return the findings but for the caller's own report of a failure: it is in the summary."""
    from reflection_mcp.tools.judging.scoring import REPORTED

    return [check for check in checks if check.status == "wrong" and check.kind != REPORTED]


def _findings(checks: Iterable[Check]) -> list[Finding]:
    """Return proven faults first, then hints, each cut to a length that reads well."""
    # Only who judges needs it, and who judges has it already.
    from reflection_mcp.tools.judging.finding import difference, finding_id

    wrong = _findings_to_show(checks)
    wrong.sort(key=lambda c: (c.severity != "hard", bool(c.disputed), c.start or 0))
    return [
        Finding.of(
            check,
            id=finding_id(check),
            disputed=presentable(check.disputed, QUOTE),
            quote=presentable(check.quote, QUOTE),
            stated=presentable(check.stated, QUOTE),
            expected="" if difference(check) else presentable(check.expected, QUOTE),
            why=presentable(check.why, QUOTE),
        )
        for check in wrong[:SHOWN_FINDINGS]
    ]


def _scores(evaluation: Evaluation) -> dict[str, ScoreView]:
    """Return the scores that somebody could give, each with its basis."""
    given = {
        "confidence": evaluation.confidence,
        "relevance": evaluation.relevance,
        "completeness": evaluation.completeness,
    }
    return {n: ScoreView.of(score) for n, score in given.items() if score.value is not None}


def _criteria(given: Mapping[str, Score]) -> dict[str, ScoreView]:
    """Return the five criteria of an episode, once a machine signal speaks to one of them."""
    if all(score.value is None for score in given.values()):
        return {}
    return {name: ScoreView.of(score) for name, score in given.items()}


def _tried(sources: Iterable[Tried]) -> list[TriedView]:
    """Return the sources of scores that were asked."""
    return [TriedView.of(source, **asdict(source.usage)) for source in sources]


def _saved(rows: Iterable[SavedReflection]) -> list[SavedView]:
    """Return the stored reflections, each with the id for feedback on the words that were said."""
    return [SavedView.of(row, id=row.second or row.id, new=row.created) for row in rows]


def _advice(lessons: Iterable[Advice], *, detailed: bool = False) -> list[AdviceView]:
    """Return lessons, marked as stored text, with source, date and track record."""
    views = [AdviceView.of(one) for one in lessons]
    if detailed:
        return views
    less: dict[str, object] = {"evidence": "", "learned": None, "tags": []}
    return [
        view.model_copy(update={**less, "project": _unless_shared(view.project)}) for view in views
    ]


def _neighbour(one: Neighbour) -> NeighbourView:
    return NeighbourView.of(one.advice, here=one.here, there=one.there, lesson_of=one.advice.id)


def _withheld(rows: Iterable[Withheld]) -> list[WithheldView]:
    """Return lessons that are known and not offered."""
    return [WithheldView.of(row) for row in rows]


def _unless_shared(project: str) -> str:
    """Return, for a team, the project of a lesson that is not everybody's in one project: a
    person's own, or the whole tenant's."""
    return project if reading() and Scope(project=project).visibility != "project" else ""


def _covered(count: Covered) -> str:
    parts = [(count.ok, "ok"), (count.wrong, "wrong"), (count.unchecked, "unchecked")]
    return ", ".join(f"{number} {name}" for number, name in parts if number)


def _issue(issue: Issue, checks: Sequence[Check]) -> str:
    """Return what is wrong and, of a judge's objection, what should stand there instead."""
    if (
        not issue.improvement
        or issue.kind in SAID_BY_TEXT
        or any(check.kind == issue.kind for check in checks)
    ):
        return issue.text
    return f"{issue.text.rstrip('.')}; {issue.improvement}"


def _is_finding(issue: Issue, shown: Sequence[Finding]) -> bool:
    """Return True if a finding says it already, by its quote or, without one, by its kind."""
    return any(
        finding.quote in issue.text if finding.quote else finding.kind == issue.kind
        for finding in shown
    )
