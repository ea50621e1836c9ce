"""The lesson of a loop: what a revision cleared is kept once the loop has ended."""

from reflection_mcp.store.errors import StoreError
from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.scoring import Evaluation
from reflection_mcp.tools.learning import reflector
from reflection_mcp.tools.ports import Services
from reflection_mcp.tools.reflect.history import said
from reflection_mcp.tools.reflect.persist import SavedReflection, as_kept, evicted


async def learn_from_revision(
    services: Services,
    *,
    question: str,
    loop_id: str,
    iteration: int,
    cleared: tuple[Check, ...],
    evaluation: Evaluation,
) -> tuple[tuple[SavedReflection, ...], tuple[str, ...]]:
    """Keep a reflection when a revision cleared a proven fault.

    Args:
        services: those of the call.
        question: what was asked, redacted.
        loop_id: names the event, so that it counts once.
        iteration: the number of the best attempt, from 0.
        cleared: the faults that a revision removed and the best attempt does not have.
        evaluation: of the best attempt.

    Returns:
        What was kept, and notes on what was not or had to go.
    """
    facts = reflector.LessonFacts(
        scope=services.scope,
        source=services.caller.source,
        at=services.clock(),
        event_id=f"{loop_id}/learned",
        question=question,
        iteration=iteration,
    )
    observation = reflector.from_revision(facts, services.ids("ref"), cleared, None, evaluation)
    if observation is None:
        return (), ()
    try:
        recorded = await services.store.record(services.scope, observation)
    except StoreError as trouble:
        return (), (f"what was learned was not kept: {said(trouble)}",)
    notes = await evicted(services) if recorded.created else ()
    return (as_kept(recorded),), notes
