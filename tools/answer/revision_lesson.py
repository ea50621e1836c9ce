"""The lesson of a loop: what a revision cleared is stored once the loop has ended."""

from collections.abc import Sequence

from reflection_mcp.store.errors import StoreError
from reflection_mcp.store.records import Check
from reflection_mcp.tools.answer.draft import Draft, best
from reflection_mcp.tools.answer.state import LoopState
from reflection_mcp.tools.judging.judge import stands_in
from reflection_mcp.tools.judging.scoring import Evaluation
from reflection_mcp.tools.learning import reflector
from reflection_mcp.tools.learning.issue_summary import alike
from reflection_mcp.tools.ports import Services
from reflection_mcp.tools.reflect.history import said
from reflection_mcp.tools.reflect.persist import SavedReflection, evicted, saved


async def learn_from_loop(
    services: Services, state: LoopState, loop_id: str, cleared: tuple[Check, ...]
) -> tuple[tuple[SavedReflection, ...], tuple[str, ...]]:
    """Keep a reflection when a revision cleared a proven fault or what a judge objected to.

    Args:
        services: those of the call.
        state: a loop that has ended.
        loop_id: names the event, so that it counts once.
        cleared: the faults that a revision removed and the best attempt does not have.

    Returns:
        What was kept, and notes on what was not or had to go.
    """
    kept, objections = best(state.drafts), cleared_objections(state.drafts)
    if not (cleared or objections):
        return (), ()
    facts = reflector.LessonFacts(
        scope=services.scope,
        source=services.caller.source,
        at=services.clock(),
        event_id=f"{loop_id}/learned",
        question=state.question,
        iteration=kept.iteration,
    )
    observation = reflector.from_revision(
        facts,
        services.ids("ref"),
        cleared,
        state.drafts[0].quality,
        kept.evaluation or Evaluation(),
        objections,
        severity_of(state.drafts, objections),
    )
    if observation is None:
        return (), ()
    try:
        recorded = await services.store.record(services.scope, observation)
    except StoreError as trouble:
        return (), (f"what was learned was not kept: {said(trouble)}",)
    notes = await evicted(services, [recorded.reflection.id]) if recorded.created else ()
    return (saved(recorded),), notes


def cleared_objections(drafts: Sequence[Draft]) -> tuple[reflector.ClearedCritique, ...]:
    """Return what judges and critics said of earlier attempts and does not hold for the best one.

    It holds no more when its quote does not stand in the best attempt and nobody says it of that.
    """
    kept = best(drafts)
    if kept.text is None:
        return ()
    left = [issue.text for issue in kept.evaluation.issues] if kept.evaluation else []
    said = [each for one in drafts[: kept.iteration] for each in one.objections]
    return tuple(
        reflector.ClearedCritique(problem=each.problem, fix=each.fix, quote=each.quote)
        for each in dict.fromkeys(said)
        if not stands_in(each.quote, kept.text) and not any(alike(each.problem, t) for t in left)
    )


def severity_of(drafts: Sequence[Draft], cleared: Sequence[reflector.ClearedCritique]) -> float:
    """Return the severity of the most severe critique of which a point was cleared, else 0."""
    problems = {each.problem for each in cleared}
    return max(
        (
            one.critique.severity
            for one in drafts
            if one.critique and any(point.problem in problems for point in one.critique.points)
        ),
        default=0.0,
    )
