"""Judge an answer or an episode, and learn from it.

Machine checks always run; scores come from the first judge that answers, and hard findings only
lower them. What was not checked says so. A reflection is kept only if it changed behaviour; the
attempt always is, unless the store cannot take it, which is said and costs nothing else.
"""

from collections.abc import Sequence
from dataclasses import replace

from reflection_mcp.store.contract import Writes
from reflection_mcp.store.errors import StoreError
from reflection_mcp.store.records import Attempt, Check, Reflection
from reflection_mcp.tools.judging.dispute import disputed
from reflection_mcp.tools.judging.evidence.evidence_check import beside, check_outcome
from reflection_mcp.tools.judging.scoring import (
    RETRY_BELOW,
    Evaluation,
    Tried,
    hard_findings,
    self_report,
)
from reflection_mcp.tools.judging.verification.comparison import compare
from reflection_mcp.tools.learning.actions import candidate_fix
from reflection_mcp.tools.learning.calibration import own_line
from reflection_mcp.tools.learning.criteria import criteria
from reflection_mcp.tools.learning.episode import in_lines
from reflection_mcp.tools.learning.reflector import is_born_of_a_finding
from reflection_mcp.tools.ports import Services
from reflection_mcp.tools.recall.matching import ErrorMatch
from reflection_mcp.tools.reflect.assess import (
    assess,
    attempt_of,
    emit_failures,
    findings,
    source_of_scores,
)
from reflection_mcp.tools.reflect.history import (
    RECALLED,
    History,
    answer_hash,
    call_hash,
    history_of,
    history_read,
    made_already,
    said,
)
from reflection_mcp.tools.reflect.lesson_extraction import ExtractedLesson, extract_lesson
from reflection_mcp.tools.reflect.persist import SavedReflection, evicted, teaching
from reflection_mcp.tools.reflect.request import (
    ReflectRequest,
    cleaned,
    empty_texts,
    is_bare,
    is_episode,
    is_greeting,
    is_look_up,
    runs_of_work,
)
from reflection_mcp.tools.reflect.result import (
    AGAIN,
    ReflectResult,
    answer_notes,
    asked_of_caller,
    dispute_notes,
    extraction_note,
    open_questions,
    questions_asked,
)
from reflection_mcp.tools.roles.prompts import Prompts
from reflection_mcp.tools.usage import total

TRIED = 160  # characters of an answer that did not mend an error


async def reflect(
    services: Services,
    request: ReflectRequest,
    *,
    prompts: Prompts | None = None,
    retry_below: float = RETRY_BELOW,
) -> ReflectResult:
    """Judge one answer or episode.

    Args:
        services: those of the call; its models are the judges, asked in their order.
        request: what was done.
        prompts: other prompts for the judge than the packaged ones.
        retry_below: the judged quality below which a retry is asked for, 0 to 1.

    Raises:
        InvalidInput: an argument is empty, too long or contradicts another; nothing was done.
    """
    given = request
    request = cleaned(given, services.limits, services.caller.conversation_id)
    bare = is_bare(request)
    if bare and is_greeting(request.question):
        return ReflectResult(mode="skipped", skipped="a greeting: nothing to reflect on")
    checks = await _checks(services, request)
    history = await history_of(services, request)
    plain = bare and not hard_findings(checks) and is_look_up(request.question, request.answer)
    if plain and history.last is None:  # else it corrects an answer that was proven wrong
        return ReflectResult(mode="skipped", skipped="a plain look-up: nothing to reflect on")
    services.emit(
        "reflection_generation_started",
        {
            "checks": len(checks),
            "events": len(request.events),
            "outcome": request.outcome or "none",
        },
    )
    before = history.last.checks if history.last else ()
    record = history.record
    approved = 0.5 if history.approved is None else history.approved
    evaluation = await assess(
        services,
        request.case,
        disputed(checks, request.disputed, before),
        emit=services.emit,
        own=self_report(request.confidence, request.relevance, request.completeness, approved),
        previous=before,
        events=_what_happened(request),
        prompts=prompts,
        retry_below=retry_below,
    )
    judged = await _learned(services, request, evaluation, history, prompts)
    notes = (
        *empty_texts(given, request),
        *dispute_notes(request, evaluation.checks),
        *judged.notes,
        *([own_line(record)] if record and judged.mode == "caller" else []),
    )
    return replace(judged, notes=notes)


def _what_happened(request: ReflectRequest) -> tuple[str, ...]:
    """The events in lines; of work without any how it ended."""
    ended = (f"the work ended in {request.outcome}",) if request.outcome else ()
    return in_lines(request.events) or ended


async def _checks(services: Services, request: ReflectRequest) -> tuple[Check, ...]:
    """What machines find in the answer, and in what came with it."""
    runs = runs_of_work(request)
    found = await findings(services, request.case, emit=services.emit, evidence=runs)
    checks = [beside(request.outcome, one) for one in found]
    if request.outcome is not None:
        checks.append(check_outcome(request.outcome))
    fresh = request.verification_answers
    checks += [compare(q, fresh[q.id]) for q in questions_asked(request) if q.id in fresh]
    return disputed(checks, request.disputed)


# --------------------------------------------------------------------------- learning


async def _learned(
    services: Services,
    request: ReflectRequest,
    evaluation: Evaluation,
    history: History,
    prompts: Prompts | None,
) -> ReflectResult:
    """Store what the work teaches; the result says so if the store fails."""
    lesson, tried = ExtractedLesson(), tuple[Tried, ...]()
    try:
        if history.trouble is not None:
            raise history.trouble
        lesson, tried = await _extraction(services, request, evaluation, history, prompts)
        while True:
            judged = _judged(services, request, evaluation, history, lesson, tried)
            if (written := await _write(services, request, judged, history, lesson)) is not None:
                return written
            history = await history_read(services, request)
    except StoreError as failure:
        trouble = failure
    judged = _judged(services, request, evaluation, replace(history, known=ErrorMatch()), lesson)
    return _unstored(services, request, replace(judged, lesson_tried=tried), trouble)


async def _extraction(
    services: Services,
    request: ReflectRequest,
    evaluation: Evaluation,
    history: History,
    prompts: Prompts | None,
) -> tuple[ExtractedLesson, tuple[Tried, ...]]:
    """Ask a model for the lesson of an episode that is not known with one."""
    failed = {tried.name for tried in evaluation.sources_tried if not tried.ok}
    models = [model for model in services.models if model.name not in failed]
    if not models or not is_episode(request) or request.lesson.text or history.completes:
        return ExtractedLesson(), ()
    if history.known.error is not None and history.known.error.lesson:
        return ExtractedLesson(), ()
    from reflection_mcp.tools.insights.relevant_lessons import fitting_lessons  # models only

    issues = [issue.text for issue in evaluation.issues]
    lessons = await fitting_lessons(services, request.question)
    lesson, tried = await extract_lesson(
        models, request, services.limits, findings=issues, lessons=lessons, prompts=prompts
    )
    emit_failures(services.emit, tried)
    return lesson, tried


def _judged(
    services: Services,
    request: ReflectRequest,
    evaluation: Evaluation,
    history: History,
    lesson: ExtractedLesson,
    tried: tuple[Tried, ...] = (),
) -> ReflectResult:
    """The result as far as it does not depend on what can be stored."""
    completes, known = history.completes, history.known.error
    attempt_id = completes.id if completes else services.ids("att")
    asked = lesson.added_to(request) if lesson.told_by else request
    solved = _solved_again(asked, known)
    if known and known.pattern is None:  # the same lesson, said again
        strategy = asked.lesson.strategy or known.strategy
        asked = replace(asked, lesson=replace(asked.lesson, strategy=strategy))
    enough = solved or evaluation.retry
    return ReflectResult(
        mode=source_of_scores(evaluation),
        attempt_id=attempt_id,
        iteration=completes.iteration if completes else history.iteration,
        evaluation=evaluation,
        questions=open_questions(request, evaluation),
        asked_of_caller=() if enough else asked_of_caller(asked, history.seen, evaluation.checks),
        solved_again=solved,
        criteria=criteria(request.events, evaluation) if is_episode(request) else {},
        candidate_fix=candidate_fix(request.events) or history.worked_on,
        lesson_tried=tried,
        notes=(
            *([AGAIN.format(attempt_id)] if history.again else []),
            *answer_notes(request),
            *([extraction_note(lesson)] if lesson.told_by else []),
        ),
    )


def _solved_again(request: ReflectRequest, known: Reflection | None) -> str:
    """Return the id of the lesson of an error that is known and was solved again, or ""."""
    if known is None or not known.lesson or not request.error or request.lesson.text:
        return ""
    return known.id if request.outcome == "success" else ""


async def _write(
    services: Services,
    request: ReflectRequest,
    judged: ReflectResult,
    history: History,
    extracted: ExtractedLesson,
) -> ReflectResult | None:
    """Write what the work teaches and the attempt; None when the same call has just ended.

    Raises:
        StoreError: nothing was written.
    """
    attempt_id = judged.attempt_id or ""
    lesson = await teaching(services, request, judged.evaluation, history, attempt_id, extracted)

    def keep(writes: Writes) -> tuple[tuple[SavedReflection, ...], str, Attempt] | None:
        if history.completes is not None:
            return (*lesson.write(writes), history.completes)
        talk = request.conversation_id
        newest = writes.attempts(conversation_id=talk, limit=1)
        if [each.id for each in newest] != history.newest:
            before = writes.attempts(conversation_id=talk, limit=RECALLED)
            if made_already(request, before, services.clock()):
                return None  # while this call was being judged the same one has come to its end
        kept, not_kept = lesson.write(writes)
        attempt = _attempt(services, request, judged, history, kept)
        return kept, not_kept, writes.add_attempt(attempt, event_id=request.event_id or attempt.id)

    written = await services.store.transaction(services.scope, keep)
    if written is None:
        return None
    kept, not_kept, attempt = written
    learned = lesson.observation.reflection if lesson.observation else None
    _emit_written(services, request, judged, attempt, kept, learned)
    notes: tuple[str, ...] = ()
    if any(row.created for row in kept):
        notes = await evicted(services, [row.id for row in kept])
    # What a revision taught is a lesson, and no other is asked for.
    taught = learned is not None and is_born_of_a_finding(learned.error_type)
    return replace(
        judged,
        attempt_id=attempt.id,
        iteration=attempt.iteration,
        kept=kept,
        not_kept=not_kept,
        asked_of_caller=() if taught and not request.lesson.text else judged.asked_of_caller,
        notes=(*judged.notes, *notes),
    )


def _emit_written(
    services: Services,
    request: ReflectRequest,
    judged: ReflectResult,
    attempt: Attempt,
    kept: Sequence[SavedReflection],
    learned: Reflection | None,
) -> None:
    evaluation, outcome = judged.evaluation, request.outcome or "none"
    usage = total(each.usage for each in (*evaluation.sources_tried, *judged.lesson_tried))
    services.emit(
        "reflection_generated",
        {
            "outcome": outcome,
            "attempt": attempt.id,
            "kept": len(kept),
            "events": len(request.events),
            "flaws": len(evaluation.flaws),
            "retry": evaluation.retry,
            "iteration": attempt.iteration,
            "model_ms": usage.ms,
            "input_tokens": usage.input_tokens,
            "output_tokens": usage.output_tokens,
            "cost_usd": usage.cost_usd,
        },
    )
    for row in kept[:1]:
        services.emit(
            "reflection_stored",
            {
                "outcome": outcome,
                "id": row.id,
                "new": row.created,
                "importance": learned.importance if learned else None,
                "confidence": learned.confidence if learned else None,
                "has_strategy": any(each.kind == "strategy" for each in kept),
            },
        )


def _attempt(
    services: Services,
    request: ReflectRequest,
    judged: ReflectResult,
    history: History,
    kept: Sequence[SavedReflection],
) -> Attempt:
    attempt = attempt_of(
        services,
        judged.evaluation,
        id=judged.attempt_id or "",
        conversation_id=request.conversation_id,
        question=request.question,
        answer_hash=answer_hash(request.answer),
        iteration=judged.iteration,
    )
    return replace(
        attempt,
        outcome=request.outcome,
        error_signature=history.seen.signature if history.seen else None,
        reflection_id=kept[0].id if kept else None,
        tags=tuple(request.tags),
        metadata={
            "reported": judged.evaluation.reported,
            **({} if history.approved is None else {"approved": history.approved}),
            "events": len(request.events),
            "answer_chars": len(request.answer),
            "context": answer_hash(request.context),
            **_failure(request, history),
            "call": call_hash(request),
            "event": request.event_id,
        },
    )


def _failure(request: ReflectRequest, history: History) -> dict[str, str]:
    """Return the beginning of what was done without success about an error, for whoever meets it
    next, and in a line the error, while no lesson is known; of other answers only a hash is kept.
    """
    if history.seen is None or request.outcome in ("success", None):
        return {}
    known = history.known.error
    error = "" if known is not None and known.lesson else history.seen.summary
    return {"error": error, "tried": " ".join(request.answer.split())[:TRIED]}


def _unstored(
    services: Services, request: ReflectRequest, judged: ReflectResult, trouble: StoreError
) -> ReflectResult:
    facts = {"reason": type(trouble).__name__, "outcome": request.outcome or "none"}
    services.emit("reflection_generation_failed", facts)
    lesson = request.lesson
    handed_in = lesson.text or lesson.strategy or request.error or is_episode(request)
    return replace(
        judged,
        attempt_id=None,
        asked_of_caller=(),  # what cannot be kept need not be said
        lost=trouble.message if handed_in else "",
        not_kept=f"nothing was stored: {said(trouble)}",
    )
