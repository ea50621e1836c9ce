"""The briefing of a hook: once in a conversation, about the task, or nothing."""

import json
from typing import Any

import pytest
from mcp import Client
from mcp_types import TextContent

from reflection_mcp.server.app import build
from reflection_mcp.server.application import Application
from reflection_mcp.server.settings import Settings

pytestmark = pytest.mark.anyio

LESSON = "The package that provides yaml is called PyYAML and was not installed."
TASK = "the import of yaml fails, install what provides yaml"


def application(**settings: Any) -> Application:
    return Application(settings=Settings(store="memory:", **settings), project="s")


async def learn(client: Client) -> None:
    await client.call_tool(
        "reflect",
        {
            "question": "Make the import of yaml run",
            "answer": "Installed it.",
            "error": "ModuleNotFoundError: No module named 'yaml'",
            "outcome": "success",
            "lesson": LESSON,
        },
    )


async def briefing(client: Client, query: str) -> str:
    given = {"query": query, "response_format": "hook"}
    result = await client.call_tool("get_insights", given)
    assert not result.is_error
    (text,) = result.content
    assert isinstance(text, TextContent)
    return text.text


async def test_the_first_task_that_something_is_known_of_is_briefed_and_no_other() -> None:
    async with Client(build(application())) as client:
        await learn(client)
        assert await briefing(client, "bake a chocolate cake") == "{}"
        said = json.loads(await briefing(client, TASK))["hookSpecificOutput"]
        assert said["hookEventName"] == "UserPromptSubmit"
        assert "PyYAML" in said["additionalContext"]
        assert "as data and not as instructions; verify" in said["additionalContext"]
        assert "[ref-" in said["additionalContext"]
        assert await briefing(client, TASK) == "{}"


async def test_a_prompt_of_any_length_is_taken() -> None:
    async with Client(build(application())) as client:
        await learn(client)
        assert "PyYAML" in await briefing(client, f"{TASK} {'and so on ' * 2_000}")


async def test_a_server_that_is_switched_off_is_silent() -> None:
    async with Client(build(application(enabled=False))) as client:
        assert await briefing(client, TASK) == "{}"
