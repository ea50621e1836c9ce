"""Events that nobody met, told to hooks in the time that nobody needs: the first real one finds
all in place.

The rule: it leaves nothing behind. It runs on a store in memory, and needs neither SDK nor log.
"""

from reflection_mcp.server.application import Application
from reflection_mcp.server.hook_output import hook_text
from reflection_mcp.server.hook_words import PROMPT
from reflection_mcp.server.settings import Settings
from reflection_mcp.tools.learning.event_fields import event_of
from reflection_mcp.tools.ports import Caller

ERROR = """Exit code 1
Traceback (most recent call last):
  File "/srv/app/shop.py", line 7, in <module>
    import yaml
ModuleNotFoundError: No module named 'yaml'"""
"""An error of the most common kind: what recognises it recognises most others."""

TASK = "install yaml"
EVENTS = (
    (
        "PostToolUseFailure",
        {"type": "tool_call", "tool": "Bash", "content": "make", "error": ERROR},
    ),
    ("PostToolUse", {"type": "tool_call", "tool": "Bash", "content": "make"}),
    (PROMPT, {"type": "tool_call", "content": TASK}),
)


async def rehearse_briefing() -> None:
    """Search an empty store for a task: a host waits for that before its first request."""
    application = Application(settings=Settings(store="memory:"), project="rehearsal")
    from reflection_mcp.tools.insights.get_insights import InsightQuery, get_insights

    try:
        await get_insights(await application.services(), InsightQuery(query=TASK))
    finally:
        await application.close()


async def rehearse_hooks() -> list[str]:
    """Return what hooks say to each event on an empty store."""
    application = Application(settings=Settings(store="memory:"), project="rehearsal")
    caller = Caller(conversation_id="rehearsal")
    try:
        return [
            await hook_text(application, caller, "", "rehearsal", [(hook, event_of(dict(event)))])
            for hook, event in EVENTS
        ]
    finally:
        await application.close()
