"""One assessment of an answer, for `reflect` and for the loop: findings, scores, the attempt.

Machine checks always run; scores come from the first judge that answers, else they are the
caller's own, which are recorded and never believed.
"""

import logging
import re
from collections.abc import Sequence

from reflection_mcp.store.records import Attempt, Check
from reflection_mcp.tools.judging import check_answer
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.judging.judge import PATIENCE, judge
from reflection_mcp.tools.judging.run import Run
from reflection_mcp.tools.judging.scoring import RETRY_BELOW, Evaluation, Opinion, Tried, evaluate
from reflection_mcp.tools.ports import Emit, Services
from reflection_mcp.tools.roles.model_request import failure_of
from reflection_mcp.tools.roles.prompts import Prompts

QUESTION_KEPT = 2_000  # characters of a question that an attempt keeps
_NAMES_A_FILE = re.compile(r"[\w@-]/[\w@-][\w@.-]{0,100}\.[a-zA-Z]{1,5}\b")


async def findings(
    services: Services, case: Case, *, emit: Emit, evidence: tuple[Run, ...] = ()
) -> tuple[Check, ...]:
    """What all machine checks find in an answer.

    Args:
        services: those of the call: it names the project's files and runs code, where it may.
        case: the answer with its question and context.
        emit: is told of a check that failed itself.
        evidence: runs of tools that came with the answer.
    """

    def fault(family: str, error: Exception) -> None:
        # A bug of ours: the other checks still count, and the traceback must not get lost.
        logging.getLogger(__name__).error("the check %s failed", family, exc_info=error)
        emit("check_failed", {"family": family, "fault": type(error).__name__})

    with services.stage("checks") as note:
        found = check_answer(
            case.question,
            case.answer,
            case.context,
            closed_world=case.only_context,
            on_fault=fault,
            evidence=evidence,
            project=project_of(services, case.answer),
        )
        found = (*found, *await findings_of_execution(services, case))
        note(findings=len(found))
    return found


async def findings_of_execution(services: Services, case: Case) -> tuple[Check, ...]:
    """Return the findings of running the answer's code, where its owner asked for it."""
    if services.runner is None or "```" not in case.answer:
        return ()
    from reflection_mcp.tools.judging.execution import snippets

    pieces = snippets.snippets_of(case)
    trials = [await services.runner.run(piece) for piece in pieces]
    return tuple(snippets.findings(pieces, trials))


def project_of(services: Services, answer: str) -> frozenset[str] | None:
    """The project's files, listed only for an answer that names a file."""
    if services.project_names is None or not _NAMES_A_FILE.search(answer):
        return None
    return services.project_names()


async def assess(
    services: Services,
    case: Case,
    checks: Sequence[Check],
    *,
    emit: Emit,
    own: Opinion | None = None,
    previous: Sequence[Check] = (),
    events: Sequence[str] = (),
    prompts: Prompts | None = None,
    retry_below: float = RETRY_BELOW,
    patience: float = PATIENCE,
) -> Evaluation:
    """Score an answer of which the findings are known.

    Args:
        services: those of the call; its models are the judges, asked in their order.
        case: the answer with its question and context.
        checks: its findings, those that are disputed with the reason.
        emit: is told of a model that failed.
        own: the caller's own scores, for when no judge answers.
        previous: the findings of the attempt before.
        events: what happened, in lines, when work was done.
        prompts: other prompts than the packaged ones.
        retry_below: the judged quality below which a retry is asked for, 0 to 1.
        patience: seconds for all judges together; at 0 none is asked.
    """
    opinion: Opinion | None = None
    tried: tuple[Tried, ...] = ()
    if services.models and patience > 0:
        with services.stage("judge") as note:
            opinion, tried = await judge(
                services.models, case, checks, events=events, prompts=prompts, patience=patience
            )
            note(asked=len(tried), outcome="success" if opinion else "failure")
    emit_failures(emit, tried)
    if opinion is None and own is not None:
        opinion = own
        tried = (
            *tried,
            Tried(name="caller", ok=True, reason="its own scores are recorded, never believed"),
        )
    return evaluate(
        checks, opinion, previous=previous, sources_tried=tried, retry_below=retry_below
    )


def emit_failures(emit: Emit, tried: Sequence[Tried]) -> None:
    """Emit an event for each model that failed."""
    for one in tried:
        if not one.ok:
            emit("model_failed", failure_of(one.name, one.reason, one.usage.ms))


def source_of_scores(evaluation: Evaluation) -> str:
    """The judge by its name, `caller`, or `checks` when there is no score but theirs."""
    return next((tried.name for tried in evaluation.sources_tried if tried.ok), "checks")


def attempt_of(
    services: Services,
    evaluation: Evaluation,
    *,
    id: str,
    conversation_id: str,
    question: str,
    answer_hash: str,
    iteration: int,
) -> Attempt:
    """An attempt with what its evaluation says; the rest is for the caller to add."""
    return Attempt(
        id=id,
        conversation_id=conversation_id,
        iteration=iteration,
        at=services.clock(),
        question=question[:QUESTION_KEPT],
        answer_hash=answer_hash,
        confidence=evaluation.confidence,
        relevance=evaluation.relevance,
        completeness=evaluation.completeness,
        judged_quality=evaluation.quality,
        quality=evaluation.quality,
        retry=evaluation.retry,
        checks=tuple(check for check in evaluation.checks if check.status == "wrong"),
        issues=tuple(issue.text for issue in evaluation.issues),
        improvements=tuple(issue.improvement for issue in evaluation.issues),
        source=services.caller.source,
        judge=source_of_scores(evaluation),
        prompt_version=evaluation.prompt_version,
    )
