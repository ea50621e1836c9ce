"""Calls that nobody made, in the time that nobody needs: the first real one finds all in place.

The rule: a rehearsal leaves nothing behind. It runs on a store in memory, without a model, a key or
a log, and what fails in it fails again in a real call, which says so.
"""

from typing import Any

import anyio
from mcp_types.version import LATEST_HANDSHAKE_VERSION

from reflection_mcp.server.app import build
from reflection_mcp.server.application import Application
from reflection_mcp.server.front.recording import answers_to, greeting
from reflection_mcp.server.settings.settings import Settings

NOWHERE = Settings(store="memory:", evaluator="embedded", project_names=False)
ERROR = (
    "Traceback (most recent call last):\n"
    '  File "/srv/app/shop.py", line 7, in <module>\n    import yaml\n'
    "ModuleNotFoundError: No module named 'yaml'"
)
"""An error of the most common kind; the patterns that recognise it recognise most others."""

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
    ("get_insights", {"query": "install yaml"}),
    ("record_feedback", {"feedback": "positive"}),
)


def rehearse() -> None:
    """Call each tool that is often called, in a thread without an event loop."""
    anyio.run(rehearsed)


async def rehearsed() -> list[dict[str, Any] | None]:
    """What the SDK answers to these calls."""
    application = Application(settings=NOWHERE, project="rehearsal")
    server = build(application)
    calls = [("tools/call", {"name": name, "arguments": given}) for name, given in CALLS]
    try:
        return await answers_to(server, [greeting(LATEST_HANDSHAKE_VERSION), *calls])
    finally:
        await server.worker.close(application.close)
