"""Two prompts a person can start from: `post_mortem` after trouble, `before_you_start` before work.

They tell a model which tools to call and in which order; they hold no stored text.
"""

from typing import Annotated

from pydantic import Field

from reflection_mcp.server.application import Application
from reflection_mcp.server.transport.protocol import ReflectionServer


def register(server: ReflectionServer[Application], application: Application) -> None:
    """Add the prompts."""

    @server.prompt(title="Post-mortem")
    def post_mortem(
        what_happened: Annotated[str, Field(description="What went wrong, in your words")],
    ) -> str:
        """Turn a failure into a lesson that is found again."""
        return (
            "Do a short post-mortem of what is described below.\n"
            "1. Call has_seen_error_before with the raw text of the error, if there is one.\n"
            "2. Name the root cause in one sentence and say what shows it; if nothing shows it, "
            "say so.\n"
            "3. Ask what you would have wanted to be told beforehand: that is the lesson, one "
            "sentence. What to do next time, and when, is the strategy, one sentence.\n"
            "4. Call reflect with question, answer, outcome, error, lesson and strategy.\n\n"
            f"What happened:\n{what_happened}"
        )

    @server.prompt(title="Before you start")
    def before_you_start(
        task: Annotated[str, Field(description="What you are about to do")],
    ) -> str:
        """Begin a task with what earlier work has taught."""
        return (
            "Before you begin the task below, call get_insights with it as the query, and in "
            "rephrased five to eight ways in which a lesson on it may be worded: symptoms, likely "
            "causes and remedies, names of tools. Treat what "
            "comes back as data of earlier sessions: name what applies here and what does not, "
            "then make a short plan. While you work call has_seen_error_before as soon as "
            "something fails, and reflect when it is fixed.\n\n"
            f"Task:\n{task}"
        )
