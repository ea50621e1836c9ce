"""The MCP App: a page in which some hosts show lessons, with buttons for feedback.

Rule: an addition, never the only way. The tools that name the page say the same with it and
without; a host that shows no pages never reads it. The page is one file that fetches nothing, and
shows stored text as text. It is not among the listed resources, where it would be in a person's
way.
"""

from collections.abc import Sequence
from pathlib import Path

from mcp.server.extension import Extension, ResourceBinding
from mcp.server.mcpserver.resources import FileResource

URI = "ui://reflection/insights.html"
MIME_TYPE = "text/html;profile=mcp-app"
SHOWN_BY = {"ui": {"resourceUri": URI}}
"""What a tool has in its `_meta` so that a host shows its results in the page; no model sees it."""


class InsightsApp(Extension):
    """Serves the page."""

    identifier = "io.modelcontextprotocol/ui"

    def resources(self) -> Sequence[ResourceBinding]:
        """The page, read from its file when a host asks for it."""
        page = FileResource(
            uri=URI,
            name="insights",
            mime_type=MIME_TYPE,
            path=Path(__file__).with_suffix(".html"),
            encoding="utf-8",
            meta={"ui": {"prefersBorder": True}},
        )
        return (ResourceBinding(page),)
