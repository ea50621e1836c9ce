"""Calls the hooks of the plugin as Claude Code does: what fits an event, its values filled in."""

import json
import re
from collections.abc import Mapping
from typing import Any, TypeAlias, cast

from mcp import Client
from mcp_types import TextContent

from reflection_mcp.server.hosts.plugin import FOLDER

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"
_VALUE = re.compile(r"\$\{([a-zA-Z_][a-zA-Z0-9_.]*)\}")


def calls_for(event: Mapping[str, Json]) -> list[tuple[str, dict[str, Any]]]:
    """The tools that the hooks call for an event, with their arguments."""
    hooks = json.loads((FOLDER / "hooks" / "hooks.json").read_bytes())["hooks"]
    rows = hooks.get(event["hook_event_name"], [])
    return [
        (call["tool"], cast("dict[str, Any]", filled_in(call["input"], event)))
        for row in rows
        if re.fullmatch(row.get("matcher", ".*"), str(event.get("tool_name", "")))
        for call in row["hooks"]
    ]


def filled_in(value: Json, event: Mapping[str, Json]) -> Json:
    """`${a.b}` becomes what stands there in the event: a text as it is, else JSON, else nothing."""
    if isinstance(value, dict):
        return {key: filled_in(each, event) for key, each in value.items()}
    if isinstance(value, list):
        return [filled_in(each, event) for each in value]
    return _VALUE.sub(lambda match: _found(match[1], event), str(value))


def _found(path: str, event: Mapping[str, Json]) -> str:
    node: Json = dict(event)
    for key in path.split("."):
        node = node.get(key) if isinstance(node, dict) else None
    if node is None:
        return ""
    return node if isinstance(node, str) else json.dumps(node)


async def played(client: Client, event: Mapping[str, Json]) -> list[str]:
    """What each hook of an event answers."""
    answers: list[str] = []
    for tool, arguments in calls_for(event):
        result = await client.call_tool(tool, arguments)
        assert not result.is_error, result.content
        (text,) = result.content
        assert isinstance(text, TextContent)
        answers.append(text.text)
    return answers
