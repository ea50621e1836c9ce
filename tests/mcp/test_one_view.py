"""One view for clients that show a model both: real SDK clients, in both eras."""

from pathlib import Path
from typing import Any, Literal

import pytest
from mcp import Client
from mcp_types import CallToolResult, Implementation

from reflection_mcp.server.app import build
from tests.mcp.test_endpoints import an_application
from tests.requirements import requirement

pytestmark = pytest.mark.anyio

ERAS: tuple[Literal["legacy", "auto"], ...] = ("legacy", "auto")


async def seen(
    folder: Path, name: str, views: Any, mode: Literal["legacy", "auto"]
) -> tuple[bool, CallToolResult]:
    """Whether a client with this name is promised a structure, and the result of a call."""
    application = an_application(folder, views=views)
    who = Implementation(name=name, version="1")
    async with Client(build(application), mode=mode, client_info=who) as client:
        listed = await client.list_tools()
        result = await client.call_tool("has_seen_error_before", {"error": "KeyError: 'a'"})
        assert (await client.list_prompts()).prompts
        return any(tool.output_schema for tool in listed.tools), result


@requirement("hosts:one-view")
@pytest.mark.parametrize("mode", ERAS)
@pytest.mark.parametrize(
    ("name", "views", "both"),
    [
        ("copilot-cli", "auto", False),
        ("Cline Core", "auto", False),
        ("qwen-cli-mcp-client-reflection", "auto", False),
        ("google-adk", "auto", False),
        ("claude-code", "auto", True),
        ("mcp", "auto", True),
        ("mcp", "text", False),
        ("copilot-cli", "both", True),
    ],
)
async def test_a_client_that_shows_both_views_gets_the_text_alone(
    tmp_path: Path, name: str, views: str, both: bool, mode: Literal["legacy", "auto"]
) -> None:
    promised, result = await seen(tmp_path, name, views, mode)
    assert (promised, result.structured_content is not None) == (both, both)
    assert "nothing is known about it" in str(result.content)
