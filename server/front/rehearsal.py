"""Warm-up: calls made while the server is idle, so that the first real call is fast.

The rule: a rehearsal leaves nothing behind. What writes runs on a store in memory, without a model,
a key or a log; what only reads, on the store itself. What fails in it fails again in a real call,
which says so. Hooks are rehearsed without the SDK.
"""

from contextlib import suppress
from dataclasses import replace
from typing import Any

from reflection_mcp.server.application import Application
from reflection_mcp.server.mcp.hook_constants import PROMPT
from reflection_mcp.server.mcp.hook_text import hook_text
from reflection_mcp.server.settings.settings import Settings
from reflection_mcp.store.errors import StoreError
from reflection_mcp.tools.learning.event_fields import event_of
from reflection_mcp.tools.ports import Caller, Services, silent

ERROR = """Traceback (most recent call last):
  File "/srv/app/shop.py", line 7, in <module>
    import yaml
ModuleNotFoundError: No module named 'yaml'"""
"""An error of the most common kind; the patterns that recognise it recognise most others."""

TASK = "install yaml"
RAN = {"type": "tool_call", "tool": "Bash", "content": "make"}
EVENTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("PostToolUseFailure", {**RAN, "error": f"Exit code 1\n{ERROR}"}),
    ("PostToolUse", RAN),
    (PROMPT, {"type": "tool_call", "content": TASK}),
)
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("has_seen_error_before", {"error": ERROR}),
    (
        "reflect",
        {
            "question": "Why does the import of yaml fail?",
            "answer": "The package was not installed. 2 + 2 = 4, and 3 of 4 tests pass.",
            "context": "3 of 4 tests pass.",
            "outcome": "success",
            "error": ERROR,
            "lesson": "The package that provides yaml is called PyYAML.",
            "strategy": "Look up the name of the package before you install it.",
        },
    ),
    ("has_seen_error_before", {"error": ERROR}),
    ("get_insights", {"query": TASK}),
    ("record_feedback", {"feedback": "positive"}),
)


def _application() -> Application:
    nowhere = Settings(store="memory:", evaluator="embedded", project_names=False)
    return Application(settings=nowhere, project="rehearsal")


async def rehearse_briefing(services: Services) -> None:
    """Search a store for a task: a host waits for that before its first request."""
    from reflection_mcp.tools.insights.get_insights import InsightQuery, get_insights

    with suppress(StoreError):  # who asks next is told
        await get_insights(replace(services, emit=silent, meaning=None), InsightQuery(query=TASK))


async def rehearse_hooks() -> list[str]:
    """Return what hooks say to each event on an empty store."""
    application, caller = _application(), Caller(conversation_id="rehearsal")
    try:
        return [
            await hook_text(application, caller, "", "rehearsal", [(hook, event_of(dict(event)))])
            for hook, event in EVENTS
        ]
    finally:
        await application.close()


async def rehearse_tools() -> list[dict[str, Any] | None]:
    """Return what the SDK answers to calls of the tools that are often called."""
    from mcp_types.version import LATEST_HANDSHAKE_VERSION

    from reflection_mcp.server.app import build
    from reflection_mcp.server.front.recording import answers_to, greeting

    application = _application()
    server = build(application)
    calls = [("tools/call", {"name": name, "arguments": given}) for name, given in CALLS]
    try:
        return await answers_to(server, [greeting(LATEST_HANDSHAKE_VERSION), *calls])
    finally:
        await server.worker.close(application.close)
