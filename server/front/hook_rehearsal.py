"""Events that nobody met, told to hooks in the time that nobody needs: the first real one finds
all in place.

The rule: it leaves nothing behind. What writes runs on a store in memory, what only reads on the
store itself; neither needs SDK or log.
"""

from contextlib import suppress
from dataclasses import replace

from reflection_mcp.server.application import Application
from reflection_mcp.server.mcp.hook_output import hook_text
from reflection_mcp.server.mcp.hook_words import PROMPT
from reflection_mcp.server.settings.settings import Settings
from reflection_mcp.store.errors import StoreError
from reflection_mcp.tools.learning.event_fields import event_of
from reflection_mcp.tools.ports import Caller, Services, silent

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


async def rehearse_briefing(services: Services) -> None:
    """Search a store for a task: a host waits for that before its first request."""
    from reflection_mcp.tools.insights.get_insights import InsightQuery, get_insights

    with suppress(StoreError):  # who asks next is told
        await get_insights(replace(services, emit=silent, meaning=None), InsightQuery(query=TASK))


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
