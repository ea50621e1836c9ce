"""Past lessons that fit a question, as lines for the prompt of a model.

Rule of this module: a reminder is a help and no need; a store that cannot say gives none.
"""

from reflection_mcp.store.errors import StoreError
from reflection_mcp.tools.insights.lesson_search import found_for
from reflection_mcp.tools.insights.strategy_lessons import without_refuted
from reflection_mcp.tools.learning.examples import as_examples
from reflection_mcp.tools.ports import Services
from reflection_mcp.tools.roles.inputs import LESSONS


async def fitting_lessons(services: Services, question: str) -> tuple[str, ...]:
    """The lessons that fit a question, best first; none when the store cannot say."""
    try:
        found = await found_for(services.store, services.scope, question, services.meaning)
        valid = await without_refuted(services.store, services.scope, found.rows)
    except StoreError:
        return ()  # keeping what comes of it will tell the trouble
    return as_examples(valid.rows, LESSONS)
