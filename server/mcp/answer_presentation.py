"""`answer_with_reflection` at the edge: lessons in, the loop, its result and what it taught out."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass

from reflection_mcp.server.application import Application
from reflection_mcp.server.mcp import presentation, summaries
from reflection_mcp.server.mcp.results import AnswerView, StepView
from reflection_mcp.server.models.drive import Driven
from reflection_mcp.server.wording import counted
from reflection_mcp.tools.answer import answer_with_reflection as use_case
from reflection_mcp.tools.answer.report import Turn
from reflection_mcp.tools.answer.request import AnswerRequest
from reflection_mcp.tools.insights.relevant_lessons import fitting_lessons
from reflection_mcp.tools.untrusted import presentable
from reflection_mcp.tools.untrusted.dangers import mark

OPENING = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerArguments:
    """The arguments of the tool."""

    question: str
    context: str
    draft: str
    depth: str
    always: bool
    loop: str
    conversation_id: str = ""
    disputed: Mapping[str, str]
    closed_world: bool | None


async def answer(application: Application, driven: Driven, asked: AnswerArguments) -> AnswerView:
    """Run the loop as far as it goes and present where it stands."""
    settings, services = application.settings, driven.services
    retries = str(settings.max_retries) if asked.depth == "balanced" else asked.depth
    lessons: tuple[str, ...] = ()
    if not asked.loop:
        lessons = await driven.once(lambda: fitting_lessons(services, asked.question))
    reached = await use_case.answer_with_reflection(
        services,
        AnswerRequest(
            question=asked.question,
            secret=application.secret,
            context=asked.context,
            draft=asked.draft or None,
            depth="balanced" if retries.isdecimal() else retries,
            max_iterations=int(retries) + 1 if retries.isdecimal() else None,
            always=asked.always,
            loop=asked.loop,
            conversation_id=asked.conversation_id,
            disputed=asked.disputed,
            closed_world=asked.closed_world,
            lessons=lessons,
            good_enough=settings.good_enough,
            retry_below=settings.retry_below,
            deadline=settings.loop_deadline_s,
        ),
        on_progress=driven.on_progress,
        prompts=application.prompts,
        elapsed=driven.elapsed,
    )
    return present(reached)


def present(reached: use_case.AnswerResult) -> AnswerView:
    """The result of `answer_with_reflection`."""
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
    return AnswerView(
        summary=summaries.loss_first(
            reached.lost,
            " ".join(
                part for part in (summaries.judge_failed(evaluation), _summary(reached)) if part
            ),
        ),
        mode=reached.mode,
        status=reached.status,
        answer=(reached.answer or "") if done else "",
        answer_is=reached.answer_is,
        best_attempt=reached.attempt,
        attempt_id=reached.attempt_id,
        quality=evaluation.quality,
        scores=presentation.scores(evaluation),
        stopped_because=reached.why if done else "",
        redo_of=reached.redo_of if reached.redo else None,
        redo=list(reached.redo),
        findings=presentation.findings(evaluation.checks),
        not_checked=summaries.not_checked(evaluation),
        loop=reached.loop,
        history=[_step(turn) for turn in reached.history],
        lessons=[presentable(lesson) for lesson in reached.lessons],
        learned=[presentation.kept(row) for row in reached.learned],
        sources_tried=presentation.tried(evaluation.sources_tried),
        next=reached.next or _next(reached),
        notes=[
            *reached.notes,
            *([f"of the lessons: {warning}"] if (warning := mark(*reached.lessons)) else []),
        ],
    )


def _summary(reached: use_case.AnswerResult) -> str:
    if reached.status == "revise":
        if not reached.redo:
            return "Not done: read it once as its critic."
        return f"Not done: {counted(len(reached.redo), 'step')} to redo."
    attempts = counted(reached.attempts, "attempt")
    best = f"; attempt {reached.attempt} is the best" if reached.attempts > 1 else ""
    if left := len(reached.evaluation.flaws):
        faults = counted(left, "proven fault")
        return f"Stopped after {attempts} with {faults} left{best}: {reached.why}."
    return f"Done after {attempts}{best}: {reached.why}."


def _next(reached: use_case.AnswerResult) -> str:
    """What to do with an answer that still has proven faults."""
    if not reached.evaluation.flaws:
        return ""
    which = reached.answer_is or f"attempt {reached.attempt}"
    return f"take {which}, put right what `redo` says before you send it, or say what is wrong"


def _step(turn: Turn) -> StepView:
    return StepView(
        attempt=turn.attempt,
        begins=presentable(turn.opening, OPENING),
        fault_count=turn.fault_count,
        faults=list(turn.faults),
        objections=[presentable(each, presentation.QUOTE) for each in turn.objections],
        quality=turn.quality,
        severity=turn.severity,
        then=turn.then,
        **asdict(turn.usage),
    )
