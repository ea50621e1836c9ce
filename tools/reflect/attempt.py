"""The attempt that an assessment leaves in the store, for `reflect` and for the loop."""

from reflection_mcp.store.records import Attempt
from reflection_mcp.tools.judging.scoring import Evaluation
from reflection_mcp.tools.ports import Services
from reflection_mcp.tools.reflect.assess import source_of_scores

QUESTION_KEPT = 2_000  # characters of a question that an attempt keeps


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
