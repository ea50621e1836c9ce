"""What a client sees of the server before it calls anything: a reviewable, deliberate text.

The definitions are snapshots in `tests/snapshots`; `UPDATE_SNAPSHOTS=1 pytest` rewrites them.
"""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp_types import TextContent, Tool

from reflection_mcp.server.app import INSTRUCTIONS, build
from reflection_mcp.server.application import Application
from reflection_mcp.server.settings.settings import Settings
from reflection_mcp.server.transport.protocol import ReflectionServer

pytestmark = pytest.mark.anyio

SNAPSHOTS = Path(__file__).parent.parent / "snapshots"
TOOLS = (
    "has_seen_error_before",
    "reflect",
    "answer_with_reflection",
    "record_feedback",
    "get_insights",
)
# 1,400 tokens: the definitions have 4.37 bytes a token in o200k, 4.36 in Claude's public tokenizer.
BUDGET_BYTES = 6_110
INSTRUCTION_BYTES = 1_090  # under 250 tokens


@pytest.fixture
def server() -> ReflectionServer[Application]:
    return build(Application(settings=Settings(store="memory:"), project="shop"))


async def definitions(server: ReflectionServer[Application]) -> list[Tool]:
    async with Client(server) as client:
        return (await client.list_tools()).tools


def visible(tool: Tool) -> dict[str, Any]:
    """What a model sees of a tool."""
    return {
        "name": tool.name,
        "description": tool.description,
        "inputSchema": tool.input_schema,
    }


def check_snapshot(name: str, value: Any) -> None:
    path = SNAPSHOTS / f"{name}.json"
    text = json.dumps(value, indent=2, ensure_ascii=False) + "\n"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.write_text(text, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == text


async def test_there_are_exactly_five_tools_in_a_fixed_order(
    server: ReflectionServer[Application],
) -> None:
    assert tuple(tool.name for tool in await definitions(server)) == TOOLS


@pytest.mark.parametrize("name", TOOLS)
async def test_a_tool_looks_as_it_was_reviewed(
    server: ReflectionServer[Application], name: str
) -> None:
    (tool,) = [tool for tool in await definitions(server) if tool.name == name]
    check_snapshot(name, tool.model_dump(mode="json", by_alias=True, exclude_none=True))


async def test_the_instructions_look_as_they_were_reviewed(
    server: ReflectionServer[Application],
) -> None:
    async with Client(server) as client:
        check_snapshot("instructions", client.instructions)


async def test_all_definitions_together_fit_their_budget(
    server: ReflectionServer[Application],
) -> None:
    sizes = {
        tool.name: len(json.dumps(visible(tool), separators=(",", ":"), ensure_ascii=False))
        for tool in await definitions(server)
    }
    assert sum(sizes.values()) <= BUDGET_BYTES, sizes


def test_the_first_240_characters_of_the_instructions_name_the_tools_and_their_moments() -> None:
    assert len(INSTRUCTIONS) <= INSTRUCTION_BYTES
    first = INSTRUCTIONS[:240]
    for word in ("has_seen_error_before", "reflect", "get_insights", "record_feedback", "fails"):
        assert word in first


async def test_the_range_of_a_number_is_said_as_it_is_enforced(
    server: ReflectionServer[Application],
) -> None:
    numbers = [
        (tool, name, *map(int, re.findall(r"\d+", argument["description"])))
        for tool in await definitions(server)
        for name, argument in tool.input_schema["properties"].items()
        if argument["type"] in ("integer", "number")
    ]
    assert len(numbers) == 6
    async with Client(server) as client:
        for tool, name, least, most in numbers:
            needed = dict.fromkeys(tool.input_schema.get("required", ()), "x")
            # A 0 below the range is what clients in strict mode send for "not given".
            for outside in (least - 1 or -1, most + 1):
                result = await client.call_tool(tool.name, {**needed, name: outside})
                assert result.is_error
                (said,) = result.content
                assert isinstance(said, TextContent)
                assert f"{name}: pass a " in said.text
                assert f"number from {least} to {most}" in said.text


async def test_every_argument_is_described_and_nothing_else_is_accepted(
    server: ReflectionServer[Application],
) -> None:
    for tool in await definitions(server):
        assert tool.input_schema["additionalProperties"] is False
        for name, argument in tool.input_schema["properties"].items():
            assert argument["description"], f"{tool.name}.{name}"
            assert "type" in argument, f"{tool.name}.{name}"


async def test_every_tool_has_a_title_annotations_and_an_output_schema(
    server: ReflectionServer[Application],
) -> None:
    for tool in await definitions(server):
        assert tool.title
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint is not None
        assert tool.output_schema is not None
        assert tool.output_schema["type"] == "object"


async def test_the_lists_carry_cache_hints(server: ReflectionServer[Application]) -> None:
    async with Client(server) as client:
        listed = await client.list_tools()
        assert (listed.ttl_ms, listed.cache_scope) == (3_600_000, "public")


@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_the_definitions_are_the_same_in_both_eras(
    server: ReflectionServer[Application], mode: Any
) -> None:
    async with Client(server, mode=mode) as client:
        assert [visible(tool) for tool in (await client.list_tools()).tools] == [
            visible(tool) for tool in await definitions(server)
        ]


async def test_the_prompts_and_resources_are_listed(server: ReflectionServer[Application]) -> None:
    async with Client(server) as client:
        prompts = {prompt.name for prompt in (await client.list_prompts()).prompts}
        resources = {str(r.uri) for r in (await client.list_resources()).resources}
        templates = (await client.list_resource_templates()).resource_templates
    assert prompts == {"post_mortem", "before_you_start"}
    skill = "skill://reflecting-on-failures/SKILL.md"
    assert resources == {"reflections://recent", "reflections://stats", skill}
    assert [template.uri_template for template in templates] == ["reflections://{id}"]


@pytest.mark.parametrize("tool", TOOLS)
async def test_every_argument_is_refused_with_what_to_pass(
    server: ReflectionServer[Application], tool: str
) -> None:
    async with Client(server) as client:
        (schema,) = [t.input_schema for t in (await client.list_tools()).tools if t.name == tool]
        for name in schema["properties"]:
            result = await client.call_tool(tool, {name: [[[7]]]})
            (content,) = result.content
            assert isinstance(content, TextContent)
            assert result.is_error and name in content.text and "pass " in content.text
