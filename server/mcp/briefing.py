"""What `get_insights` knows, for a reader of its text: the words of a lesson stand there once.

The block for a system prompt and the lists beside it are made of the same lessons. In the structure
each is whole, because a program takes the one or the other; a reader has both before them. So the
lists keep what the block does not say: ids, sources, dates and counts.
"""

from collections.abc import Sequence

from reflection_mcp.server.mcp.results import AdviceView, InsightsView, IssueView
from reflection_mcp.tools.learning.issue_summary import how_often
from reflection_mcp.tools.untrusted import quoted


def said_once(result: InsightsView) -> InsightsView:
    """The result without what its block says already; what the budget kept out of it stays."""
    block = result.prompt.splitlines()
    with_lessons = {each.strategy for each in result.lessons}
    return result.model_copy(
        update={
            "issues": [each for each in result.issues if _issue_line(each) not in block],
            "strategies": [
                _origin(each, block)
                for each in result.strategies
                if each.lesson not in with_lessons
            ],
            "lessons": [_origin(each, block) for each in result.lessons],
        }
    )


def _issue_line(issue: IssueView) -> str:
    return f"- {issue.text}{how_often(issue.times, issue.others)}"


def _origin(advice: AdviceView, block: Sequence[str]) -> AdviceView:
    told = next((line for line in block if f"[{advice.id}, " in line), "")
    if quoted(advice.lesson)[1:-1] not in told:
        return advice
    inner = quoted(advice.strategy)[1:-1]
    strategy = "" if any(inner in line for line in block) else advice.strategy
    return advice.model_copy(update={"lesson": "", "strategy": strategy})
