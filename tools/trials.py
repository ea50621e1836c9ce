"""Runs the code of an answer where its owner asked for it, and says what came of it."""

from reflection_mcp.store.records import Check
from reflection_mcp.tools.judging.case import Case
from reflection_mcp.tools.ports import Services


async def tried(services: Services, case: Case) -> tuple[Check, ...]:
    """Return the findings of running the answer's code; nothing unless there is a runner."""
    if services.runner is None or "```" not in case.answer:
        return ()
    from reflection_mcp.tools.judging.execution.snippets import findings, snippets_of

    snippets = snippets_of(case)
    trials = [await services.runner.run(snippet) for snippet in snippets]
    return tuple(findings(snippets, trials))
