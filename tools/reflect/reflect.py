"""Judge an answer or an episode, and learn from it.

Machine checks always run; scores come from the first judge that answers, and hard findings only
lower them. What was not checked says so. A reflection is kept only if it changed behaviour; the
attempt always is, unless the store cannot take it, which is said and costs nothing else.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from reflection_mcp.store.contract import Writes
from reflection_mcp.store.errors import StoreError
from reflection_mcp.store.records import Attempt, Check, Score
from reflection_mcp.tools.identity import Fingerprint, fingerprint
from reflection_mcp.tools.judging import check_answer
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.dispute import disputed, is_one, unknown
from reflection_mcp.tools.judging.evidence.check import check_outcome
from reflection_mcp.tools.judging.judge import judge
from reflection_mcp.tools.judging.scoring import (
    RETRY_BELOW,
    Evaluation,
    Tried,
    evaluate,
    hard_findings,
    self_report,
)
from reflection_mcp.tools.judging.verification.comparison import compare
from reflection_mcp.tools.judging.verification.questions import Question, questions_for
from reflection_mcp.tools.learning.actions import candidate_fix
from reflection_mcp.tools.learning.criteria import criteria
from reflection_mcp.tools.ports import Workshop
from reflection_mcp.tools.reflect import skip_rules
from reflection_mcp.tools.reflect.history import (
    QUESTION_KEPT,
    RECALLED,
    Past,
    answer_hash,
    call_hash,
    made_already,
    past_of,
    said,
)
from reflection_mcp.tools.reflect.lesson_extraction import Taught, taught
from reflection_mcp.tools.reflect.persist import Kept, evicted, known_of, teaching
from reflection_mcp.tools.reflect.project_listing import project_of
from reflection_mcp.tools.reflect.request import Work, is_bare, is_episode, taken_in, unsaid
from reflection_mcp.tools.reflect.tool_runs import runs_of_work
from reflection_mcp.tools.roles.asking import failure_of
from reflection_mcp.tools.roles.prompts import Prompts
from reflection_mcp.tools.trials import tried as tried_code
from reflection_mcp.tools.untrusted import presentable, quoted, suspicion
from reflection_mcp.tools.usage import total

QUESTIONS = 5  # more are not answered with care
SITUATIONS = (
    "situations: five to ten short phrasings of when somebody would need this: symptoms, goals and"
    " key words as a user would type them, in other words than the lesson"
)
"""What is asked of the caller, who alone knows more words for it than the lesson has."""
AGAIN = (
    "the same call as {} within two minutes, with the same arguments: it was judged again, and "
    "counts once"
)
ID_SHOWN = 40  # characters of an id that nobody gave out


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """The result. `skipped` is the reason why nothing was reflected on, or empty; `lesson_tried`
    are the models that were asked for a lesson. `lost` says why what was handed in to be kept is
    not kept, empty when it is or when there was nothing of the kind.

    For an episode `criteria` has a score for each of five, and `candidate_fix` the steps that stood
    between a failure and the success of the same action.
    """

    mode: str
    attempt_id: str | None = None
    iteration: int = 0
    skipped: str = ""
    evaluation: Evaluation = field(default_factory=Evaluation)
    questions: tuple[Question, ...] = ()
    kept: tuple[Kept, ...] = ()
    not_kept: str = ""
    lost: str = ""
    asked_of_caller: tuple[str, ...] = ()
    criteria: Mapping[str, Score] = field(default_factory=dict[str, Score])
    candidate_fix: tuple[str, ...] = ()
    lesson_tried: tuple[Tried, ...] = ()
    notes: tuple[str, ...] = ()


async def reflect(
    workshop: Workshop,
    work: Work,
    *,
    prompts: Prompts | None = None,
    retry_below: float = RETRY_BELOW,
) -> Judged:
    """Judge one answer or episode.

    Args:
        workshop: its models are the judges, asked in their order.
        work: what was done.
        prompts: other prompts for the judge than the packaged ones.
        retry_below: the judged quality below which a retry is asked for, 0 to 1.

    Raises:
        InvalidInput: an argument is empty, too long or contradicts another; nothing was done.
    """
    given = work
    work = taken_in(given, workshop.limits, workshop.caller.conversation_id)
    if is_bare(work) and skip_rules.is_greeting(work.question):
        return Judged(mode="skipped", skipped="a greeting: nothing to reflect on")
    checks = (*_checks(workshop, work), *await tried_code(workshop, _case(work)))
    if (
        is_bare(work)
        and not hard_findings(checks)
        and skip_rules.is_look_up(work.question, work.answer)
    ):
        return Judged(mode="skipped", skipped="a plain look-up: nothing to reflect on")
    workshop.emit(
        "reflection_generation_started",
        {"checks": len(checks), "events": len(work.events), "outcome": work.outcome or "none"},
    )
    past = await past_of(workshop, work)
    checks = disputed(checks, work.disputed, past.last.checks if past.last else ())
    opinion, tried = await judge(workshop.models, _case(work), checks, prompts=prompts)
    if opinion is None:
        opinion = self_report(work.confidence, work.relevance, work.completeness)
        if opinion is not None:
            tried = (*tried, Tried(name="caller", ok=True, reason="recorded, never believed"))
    _tell_failures(workshop, tried)
    before = past.last.checks if past.last else ()
    evaluation = evaluate(
        checks, opinion, previous=before, sources_tried=tried, retry_below=retry_below
    )
    told, lesson_tried = await _told(workshop, work, evaluation, past, prompts)
    _tell_failures(workshop, lesson_tried)
    judged = await _learn(workshop, work, evaluation, past, told, lesson_tried)
    return replace(judged, notes=(*unsaid(given, work), *_undisputed(work, checks), *judged.notes))


def _tell_failures(workshop: Workshop, tried: Sequence[Tried]) -> None:
    for one in tried:
        if not one.ok:
            workshop.emit("model_failed", failure_of(one.name, one.reason, one.usage.ms))


# --------------------------------------------------------------------------- checking


def _case(work: Work) -> Case:
    return Case(
        question=work.question,
        answer=work.answer,
        context=work.context,
        only_context=work.closed_world,
    )


def _checks(workshop: Workshop, work: Work) -> tuple[Check, ...]:
    def fault(family: str, error: Exception) -> None:
        # A bug of ours: the other checks still count, and the traceback must not get lost.
        logging.getLogger(__name__).error("the check %s failed", family, exc_info=error)
        workshop.emit("check_failed", {"family": family, "fault": type(error).__name__})

    checks = [
        *check_answer(
            work.question,
            work.answer,
            work.context,
            closed_world=work.closed_world,
            on_fault=fault,
            evidence=runs_of_work(work),
            project=project_of(workshop, work.answer),
        )
    ]
    if work.outcome is not None:
        checks.append(check_outcome(work.outcome))
    fresh = work.verification_answers
    checks += [compare(q, fresh[q.id]) for q in _asked_before(work) if q.id in fresh]
    return disputed(checks, work.disputed)


def _undisputed(work: Work, checks: Sequence[Check]) -> tuple[str, ...]:
    """A line on what was disputed and is no finding, or was disputed without a reason."""
    notes: list[str] = []
    if missing := unknown(checks, work.disputed):
        names = ", ".join(quoted(presentable(name, ID_SHOWN)) for name in missing)
        notes.append(f"disputed, but no finding of this answer: {names}")
    if not all(map(is_one, work.disputed.values())):
        notes.append("a finding is disputed only with a reason: pass one sentence")
    return tuple(notes)


# --------------------------------------------------------------------------- learning


async def _told(
    workshop: Workshop, work: Work, evaluation: Evaluation, past: Past, prompts: Prompts | None
) -> tuple[Taught | None, tuple[Tried, ...]]:
    """The lesson of an episode in the words of a model, if one is to be asked and has one."""
    failed = {tried.name for tried in evaluation.sources_tried if not tried.ok}
    models = [model for model in workshop.models if model.name not in failed]
    store = workshop.store
    if past.trouble:
        return None, ()  # what cannot be kept need not be found
    if not models or not is_episode(work) or work.lesson or past.completes:
        return None, ()
    try:
        known = await known_of(workshop, store, work, _seen(work))
    except StoreError:
        return None, ()  # keeping it will tell the trouble
    if known.error is not None and known.error.lesson:
        return None, ()
    from reflection_mcp.tools.insights.relevant_lessons import (
        fitting_lessons,  # what only a model needs
    )

    findings = [issue.text for issue in evaluation.issues]
    lessons = await fitting_lessons(workshop, work.question)
    return await taught(
        models, work, workshop.limits, findings=findings, lessons=lessons, prompts=prompts
    )


def _seen(work: Work) -> Fingerprint | None:
    return fingerprint(work.error, None) if work.error else None


async def _learn(
    workshop: Workshop,
    work: Work,
    evaluation: Evaluation,
    past: Past,
    told: Taught | None,
    lesson_tried: tuple[Tried, ...],
) -> Judged:
    call, given = call_hash(work), work
    if told is not None:
        work = replace(
            work,
            lesson=told.lesson,
            strategy=work.strategy or told.strategy,
            situations=work.situations or told.situations,
        )
    attempt_id = past.completes.id if past.completes else workshop.ids("att")
    seen = _seen(work)
    judged = Judged(
        mode=_mode(evaluation),
        attempt_id=attempt_id,
        iteration=past.completes.iteration if past.completes else past.iteration,
        evaluation=evaluation,
        questions=_questions(workshop, work, evaluation),
        asked_of_caller=_asked(work, seen, evaluation.checks),
        criteria=criteria(work.events, evaluation.checks, evaluation.completeness)
        if is_episode(work)
        else {},
        candidate_fix=candidate_fix(work.events) or past.worked_on,
        lesson_tried=lesson_tried,
        notes=(
            *([AGAIN.format(attempt_id)] if past.again else []),
            *_strays(work),
            *([_written(told)] if told else []),
        ),
    )
    store = workshop.store
    if past.trouble:
        return _unstored(workshop, work, judged, past.trouble)
    try:
        taught_now = await teaching(workshop, store, work, evaluation, past, attempt_id, seen, told)

        def keep(writes: Writes) -> tuple[tuple[Kept, ...], str, Attempt] | None:
            if past.completes is not None:
                return (*taught_now.write(writes), past.completes)
            before = writes.attempts(work.conversation_id, RECALLED)
            if made_already(given, before, workshop.clock()):
                return None  # while this call was being judged the same one has come to its end
            kept, not_kept = taught_now.write(writes)
            attempt = _attempt(workshop, work, evaluation, judged, kept, seen, call)
            stored = writes.add_attempt(attempt, event_id=work.event_id or attempt.id)
            return kept, not_kept, stored

        written = await store.together(workshop.scope, keep)
        if written is None:
            past = await past_of(workshop, given)
            return await _learn(workshop, given, evaluation, past, told, lesson_tried)
    except StoreError as trouble:
        return _unstored(workshop, work, judged, trouble)
    kept, not_kept, attempt = written
    judged = replace(judged, attempt_id=attempt.id, iteration=attempt.iteration)
    workshop.emit(
        "reflection_stored" if kept else "reflection_generated",
        {
            "outcome": work.outcome or "none",
            "attempt": judged.attempt_id,
            "kept": len(kept),
            "flaws": len(evaluation.flaws),
            "retry": evaluation.retry,
            "iteration": judged.iteration,
            **_spent((*evaluation.sources_tried, *lesson_tried)),
        },
    )
    notes = await evicted(workshop, store) if any(row.created for row in kept) else ()
    return replace(judged, kept=kept, not_kept=not_kept, notes=(*judged.notes, *notes))


def _attempt(
    workshop: Workshop,
    work: Work,
    evaluation: Evaluation,
    judged: Judged,
    kept: Sequence[Kept],
    seen: Fingerprint | None,
    call: str,
) -> Attempt:
    return Attempt(
        id=judged.attempt_id or workshop.ids("att"),
        conversation_id=work.conversation_id,
        iteration=judged.iteration,
        at=workshop.clock(),
        question=work.question[:QUESTION_KEPT],
        answer_hash=answer_hash(work.answer),
        confidence=evaluation.confidence,
        relevance=evaluation.relevance,
        completeness=evaluation.completeness,
        judged_quality=evaluation.quality,
        quality=evaluation.quality,
        retry=evaluation.retry,
        checks=tuple(check for check in evaluation.checks if check.status == "wrong"),
        issues=tuple(issue.text for issue in evaluation.issues),
        improvements=evaluation.improvements,
        outcome=work.outcome,
        error_signature=seen.signature if seen else None,
        reflection_id=kept[0].id if kept else None,
        tags=tuple(work.tags),
        source=workshop.caller.source,
        judge=judged.mode,
        prompt_version=evaluation.prompt_version,
        metadata={
            "reported": evaluation.reported,
            "events": len(work.events),
            "answer_chars": len(work.answer),
            "context": answer_hash(work.context),
            "call": call,
            "event": work.event_id,
        },
    )


def _mode(evaluation: Evaluation) -> str:
    """Which source made the scores: a judge by name, `caller`, or `checks` alone."""
    return next((tried.name for tried in evaluation.sources_tried if tried.ok), "checks")


def _questions(workshop: Workshop, work: Work, evaluation: Evaluation) -> tuple[Question, ...]:
    judged = any(t.ok and t.name != "caller" for t in evaluation.sources_tried)
    if is_episode(work) or work.error:
        return ()  # what happened is told; a guess at it proves nothing
    if judged or evaluation.flaws or work.verification_answers or not work.answer.strip():
        return ()
    return questions_for(_case(work), limit=QUESTIONS)


def _strays(work: Work) -> tuple[str, ...]:
    """A line about answers to questions that nobody asked: they were compared with nothing."""
    asked = {question.id for question in _asked_before(work)}
    strays = [presentable(id, ID_SHOWN) for id in work.verification_answers if id not in asked]
    if not strays:
        return ()
    known = f"; asked was {', '.join(sorted(asked))}" if asked else "; nothing was asked"
    return (f"no question of this answer has the id {', '.join(strays)}{known}",)


def _asked_before(work: Work) -> tuple[Question, ...]:
    """The questions that `verification_answers` may answer."""
    if not work.verification_answers:
        return ()
    return questions_for(_case(work), limit=QUESTIONS)


def _asked(work: Work, seen: Fingerprint | None, checks: Sequence[Check]) -> tuple[str, ...]:
    """What only the caller can say, when an episode came without it.

    After a run that failed it is asked what went wrong, whatever the answer says.
    """
    if not (work.outcome or seen or work.events):
        return ()
    asked: list[str] = []
    failed = work.outcome in ("failure", "error", "timeout") or seen is not None
    if work.outcome != "success":
        ran = (check for check in checks if check.kind.startswith("evidence:"))
        failed = failed or any(check.status == "wrong" for check in ran)
    if not work.lesson or suspicion(work.lesson):
        asked.append(
            "lesson: one sentence, what went wrong and why"
            if failed
            else "lesson: one sentence, what worked and why"
        )
    if not work.strategy:
        asked.append("strategy: one sentence, what to do next time, and when")
    if asked and not work.situations:
        asked.append(SITUATIONS)
    return tuple(asked)


def _written(told: Taught) -> str:
    return f"the lesson is in the words of {told.told_by}: {quoted(presentable(told.lesson))}"


def _spent(tried: Sequence[Tried]) -> dict[str, int | float]:
    """What all models together took, for the log."""
    usage = total(each.usage for each in tried)
    return {
        "model_ms": usage.ms,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cost_usd": usage.cost_usd,
    }


def _unstored(workshop: Workshop, work: Work, judged: Judged, trouble: StoreError) -> Judged:
    facts = {"reason": type(trouble).__name__, "outcome": work.outcome or "none"}
    workshop.emit("reflection_generation_failed", facts)
    handed_in = work.lesson or work.strategy or work.error or is_episode(work)
    return replace(
        judged,
        attempt_id=None,
        asked_of_caller=(),  # what cannot be kept need not be said
        lost=trouble.message if handed_in else "",
        not_kept=f"nothing was kept: {said(trouble)}",
    )
