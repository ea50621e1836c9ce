"""Past lessons that fit a question, as lines for the prompt of a model.

Rule of this module: a reminder is a help and no need; a store that cannot say gives none.
"""

from reflection_mcp.store.errors import StoreError
from reflection_mcp.tools.advice import offer
from reflection_mcp.tools.insights.get_insights import found_for
from reflection_mcp.tools.ports import Workshop
from reflection_mcp.tools.roles.inputs import LESSONS


async def fitting_lessons(workshop: Workshop, question: str) -> tuple[str, ...]:
    """The lessons that fit a question, best first; none when the store cannot say."""
    try:
        found = await found_for(workshop.store, workshop.scope, question, workshop.meaning)
    except StoreError:
        return ()  # keeping what comes of it will tell the trouble
    advice = offer(found.rows, workshop.clock(), LESSONS, in_order=True).advice
    return tuple(" ".join(part for part in (a.lesson, a.strategy) if part) for a in advice)
