"""A server whose tools, resources and prompts show how ours treats what it is given."""

import json
from typing import Annotated, Any, Literal

import anyio
from mcp import MCPError
from mcp.server.mcpserver.exceptions import ResourceError, ToolError
from mcp_types import CallToolResult, TextContent
from pydantic import AfterValidator, BaseModel, Field, WithJsonSchema

from reflection_mcp.server.transport.protocol import ReflectionServer
from reflection_mcp.store.errors import StoreBusy
from reflection_mcp.tools.errors import InvalidInput, NotFound

HALF = "\ud800"


class Event(BaseModel):
    """One thing that happened."""

    title: str = ""


class Seen(BaseModel):
    """What a look-up found."""

    seen: bool
    note: str | None = None


def _lower(tags: list[str]) -> list[str]:
    if any(tag != tag.lower() for tag in tags):
        raise ValueError("pass tags in lower case")
    return tags


async def look(
    error: Annotated[str, Field(max_length=20_000)],
    error_type: str | None = None,
    limit: Annotated[int, Field(ge=1, le=50)] = 5,
    events: Annotated[
        list[Annotated[Event, WithJsonSchema({"type": "object"})]] | None, Field(max_length=3)
    ] = None,
) -> Seen:
    """Look an error up."""
    return Seen(seen=False, note=json.dumps([error, error_type, limit, events is not None]))


async def fail(how: str) -> str:
    """Fail in a way of your choice."""
    match how:
        case "told":
            raise ToolError("the error is empty:\n pass its last lines")
        case "input":
            raise InvalidInput("the answer is empty", "pass the text that is to be judged")
        case "group":
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(fail, "busy")
            return ""
        case "busy":
            raise StoreBusy("another process holds the store", "try again in a second")
        case "protocol":
            raise MCPError(code=-32021, message="no sampling")
        case _:
            raise RuntimeError(f"secret of {how}")


async def tagged(
    tags: Annotated[list[str], Field(max_length=3), AfterValidator(_lower)],
    share: Annotated[float | None, Field(ge=0, le=1)] = None,
    loud: bool | None = None,
    how: Literal["well", "badly"] = "well",
    why: Annotated[dict[str, str] | None, WithJsonSchema({"type": "object"})] = None,
) -> str:
    """Take one argument of each kind."""
    return f"{tags} {share} {loud} {how} {why}"


async def half(shape: Literal["text", "model", "result"]) -> Any:
    """Return half a pair."""
    if shape == "model":
        return Seen(seen=True, note=HALF)
    if shape == "result":
        block = TextContent(type="text", text=HALF)
        return CallToolResult(content=[block], structured_content={HALF: [HALF]})
    return HALF


def nothing() -> str:
    """Do nothing."""
    return "done"


def stored(name: str) -> str:
    """Return, or fail to return, what is stored under a name."""
    match name:
        case "gone":
            raise NotFound("nothing has this id", "take an id that a tool returned")
        case "busy":
            raise StoreBusy("another process holds the store", "try again in a second")
        case "told":
            raise ResourceError("told on purpose")
        case "half":
            return HALF
        case _:
            raise RuntimeError("secret")


def prompt(name: str, note: str = "") -> str:
    """Write what is stored."""
    return stored(name) + note


def counted(times: int) -> str:
    """Say how often."""
    return str(times)


def server() -> ReflectionServer[Any]:
    made = ReflectionServer[Any]("probe", version="1", log_level="ERROR")
    made.add_tool(look)
    made.add_tool(fail, structured_output=False)
    made.add_tool(tagged)
    made.add_tool(half, structured_output=False)
    made.add_tool(nothing)
    made.resource("probe://{name}")(stored)
    made.prompt()(prompt)
    made.prompt()(counted)
    return made
