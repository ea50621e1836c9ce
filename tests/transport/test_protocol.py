"""Our server as a client meets it, in both eras of the protocol."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import cache
from typing import Any

import anyio
import pytest
from mcp import Client, MCPError
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS, CallToolResult, TextContent

from tests.rows import each_row
from tests.transport.showcase import HALF, nothing, server

shared = cache(server)
"""One server for all clients: it keeps nothing, and none of them adds a tool to it."""


@asynccontextmanager
async def connected(mode: str) -> AsyncGenerator[Client]:
    with anyio.fail_after(60):
        async with Client(shared(), mode=mode) as client:
            yield client


@pytest.fixture(params=["auto", "legacy"])
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def text_of(result: CallToolResult) -> str:
    (block,) = result.content
    assert isinstance(block, TextContent)
    return block.text


async def error_of(mode: str, tool: str, arguments: dict[str, Any]) -> str:
    async with connected(mode) as client:
        result = await client.call_tool(tool, arguments)
    assert result.is_error
    text = text_of(result)
    assert len(text) <= 300
    assert text.isprintable()
    return text


# --------------------------------------------------------------------------- definitions


@pytest.mark.anyio
async def test_definitions_say_what_is_needed_and_no_more(mode: str) -> None:
    async with connected(mode) as client:
        tool = (await client.list_tools()).tools[0]
    assert tool.input_schema == {
        "type": "object",
        "properties": {
            "error": {"type": "string"},
            "error_type": {"type": "string"},
            "limit": {"type": "integer"},
            "events": {"type": "array", "items": {"type": "object"}},
        },
        "required": ["error"],
        "additionalProperties": False,
    }
    assert tool.output_schema == {
        "type": "object",
        "description": "What a look-up found.",
        "properties": {
            "seen": {"type": "boolean"},
            "note": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        },
        "required": ["seen"],
    }


@pytest.mark.anyio
async def test_tools_are_listed_in_the_order_of_registration(mode: str) -> None:
    async with connected(mode) as client:
        names = [tool.name for tool in (await client.list_tools()).tools]
    assert names == ["look", "fail", "tagged", "half", "nothing"]


@pytest.mark.anyio
async def test_a_description_is_one_line() -> None:
    made = server()
    made.add_tool(nothing, name="long", description="Does\n    nothing. ")
    assert (await made.list_tools())[-1].description == "Does nothing."


@pytest.mark.anyio
async def test_definitions_are_made_once_and_again_when_a_tool_is_added() -> None:
    made = server()
    first = await made.list_tools()
    again = await made.list_tools()
    assert all(a is b for a, b in zip(first, again, strict=True))
    made.add_tool(nothing, name="late")
    assert [tool.name for tool in await made.list_tools()][-1] == "late"


# --------------------------------------------------------------------------- arguments


@pytest.mark.anyio
async def test_an_unknown_tool_is_a_protocol_error(mode: str) -> None:
    async with connected(mode) as client:
        with pytest.raises(MCPError) as raised:
            await client.call_tool("lok", {})
        assert raised.value.error.code == INVALID_PARAMS
        assert raised.value.error.message == "unknown tool 'lok'; did you mean 'look'?"
        with pytest.raises(MCPError, match="known: look, fail, tagged, half, nothing"):
            await client.call_tool("zzz" * 100_000, {})


BAD_ARGUMENTS: list[tuple[dict[str, Any], str]] = [
    ({"eror": "x"}, "unknown argument 'eror'; did you mean 'error'?"),
    ({"top_k": 1}, "unknown argument 'top_k'; did you mean 'limit'?"),
    ({"rating": 1}, "unknown argument 'rating'; known: error, error_type, limit, events"),
    ({"zzz": 1}, "unknown argument 'zzz'; known: error, error_type, limit, events"),
    ({}, "error: missing; pass text of at most 20,000 characters"),
    ({"error": "x" * 20_001}, "error: too long; pass text of at most 20,000 characters"),
    ({"error": {"message": "x"}}, "error: pass text of at most 20,000 characters"),
    ({"error": ["x"]}, "error: pass text of at most 20,000 characters"),
    ({"error": 5}, "error: pass text of at most 20,000 characters"),
    ({"error": None}, "error: pass text of at most 20,000 characters"),
    ({"error": "x", "error_type": ["x"]}, "error_type: pass text"),
    ({"error": "x", "limit": 51}, "limit: pass a whole number from 1 to 50"),
    ({"error": "x", "limit": "many"}, "limit: pass a whole number from 1 to 50"),
    ({"error": "x", "limit": 2**70}, "limit: pass a whole number from 1 to 50"),
    (
        {"error": "x", "limit": -1, "events": "x"},
        "limit: pass a whole number from 1 to 50; events: pass a list of at most 3 objects",
    ),
    ({"error": "x", "events": [{}] * 4}, "events: too many; pass a list of at most 3 objects"),
    (
        {"error": "x", "events": [{"title": 5}, 3]},
        "events[0].title: pass text; events[1]: pass an object",
    ),
    (
        {"error": 1, "error_type": 1, "limit": -1, "events": [1, 2, 3]},
        "error: pass text of at most 20,000 characters; error_type: pass text; "
        "limit: pass a whole number from 1 to 50; events[0]: pass an object; and 2 more",
    ),
]


@pytest.mark.anyio
async def test_null_counts_as_left_out_where_nothing_is_needed(mode: str) -> None:
    """Clients that fill every argument send it, and JSON has no other word for a NaN."""
    nothing = {"error_type": None, "limit": None, "events": None}
    async with connected(mode) as client:
        told = await client.call_tool("look", {"error": "x", **nothing})
        assert (
            told.structured_content
            == (await client.call_tool("look", {"error": "x"})).structured_content
        )
        assert not told.is_error


@pytest.mark.anyio
@pytest.mark.parametrize(
    "filler", [{"error_type": ""}, {"limit": 0}, {"limit": ""}, {"events": ""}]
)
async def test_a_filler_of_a_client_in_strict_mode_counts_as_left_out(
    mode: str, filler: dict[str, Any]
) -> None:
    async with connected(mode) as client:
        filled = await client.call_tool("look", {"error": "x", **filler})
        without = await client.call_tool("look", {"error": "x"})
    assert not filled.is_error
    assert filled.structured_content == without.structured_content


@pytest.mark.anyio
@pytest.mark.parametrize(("arguments", "line"), BAD_ARGUMENTS)
async def test_a_bad_argument_is_named_with_what_to_pass(
    mode: str, arguments: dict[str, Any], line: str
) -> None:
    assert await error_of(mode, "look", arguments) == line


@pytest.mark.anyio
async def test_a_hostile_name_of_an_argument_is_cut(mode: str) -> None:
    line = await error_of(mode, "nothing", {"a\n\0" * 1_000_000: 1})
    assert line.endswith("…'; known: none")


BAD_KINDS: list[tuple[dict[str, Any], str]] = [
    ({"tags": ["Loud"]}, "tags: pass tags in lower case"),
    ({"tags": [1]}, "tags[0]: pass text"),
    ({"tags": 1}, "tags: pass a list of at most 3 texts"),
    ({"tags": [], "share": 2}, "share: pass a number from 0 to 1"),
    ({"tags": [], "loud": "x"}, "loud: pass true or false"),
    ({"tags": [], "how": "so"}, "how: pass one of 'well', 'badly'"),
    ({"tags": [], "why": 1}, "why: pass an object"),
    ({"tags": [], "why": {"f-1": 1}}, "why.f-1: pass text"),
]


@pytest.mark.anyio
@pytest.mark.parametrize(("arguments", "line"), BAD_KINDS)
async def test_every_kind_of_argument_is_refused_with_what_to_pass(
    mode: str, arguments: dict[str, Any], line: str
) -> None:
    assert await error_of(mode, "tagged", arguments) == line


@pytest.mark.anyio
@pytest.mark.parametrize("text", ["null", "true", "17", "[1, 2]", '{"a": 1}', '"quoted"', "NaN"])
async def test_text_that_looks_like_json_stays_text(mode: str, text: str) -> None:
    async with connected(mode) as client:
        result = await client.call_tool("look", {"error": text, "error_type": text})
    assert result.structured_content is not None
    assert json.loads(result.structured_content["note"])[:2] == [text, text]


@pytest.mark.anyio
async def test_a_list_that_was_sent_as_text_is_still_understood(mode: str) -> None:
    async with connected(mode) as client:
        result = await client.call_tool("look", {"error": "x", "events": '[{"kind": "tool"}]'})
    assert result.structured_content is not None
    assert json.loads(result.structured_content["note"])[3] is True


@pytest.mark.anyio
async def test_null_for_an_optional_argument_means_that_it_was_left_out(mode: str) -> None:
    async with connected(mode) as client:
        result = await client.call_tool("look", {"error": "x", "error_type": None})
    assert not result.is_error


# --------------------------------------------------------------------------- failures


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("how", "line"),
    [
        ("told", "the error is empty: pass its last lines"),
        ("input", "the answer is empty: pass the text that is to be judged"),
        ("busy", "another process holds the store: try again in a second"),
        ("group", "another process holds the store: try again in a second"),
        (
            "x",
            "Internal error in fail: a fault of the server. Its log has the details.",
        ),
    ],
)
async def test_a_failing_tool_tells_one_useful_line(mode: str, how: str, line: str) -> None:
    assert await error_of(mode, "fail", {"how": how}) == line


@pytest.mark.anyio
async def test_a_bug_leaves_its_traceback_in_the_log(
    mode: str, caplog: pytest.LogCaptureFixture
) -> None:
    await error_of(mode, "fail", {"how": "x"})
    assert "RuntimeError: secret of x" in caplog.text
    assert "Traceback" in caplog.text


@pytest.mark.anyio
async def test_a_protocol_error_of_a_tool_is_left_alone(mode: str) -> None:
    async with connected(mode) as client:
        with pytest.raises(MCPError, match="no sampling"):
            await client.call_tool("fail", {"how": "protocol"})


@pytest.mark.anyio
@each_row("shape", ["text", "model", "result"])
async def test_no_result_carries_half_a_pair(shape: str) -> None:
    result = await server().call_tool("half", {"shape": shape})
    sent = result.model_dump_json(by_alias=True)
    assert "\ufffd" in sent


@pytest.mark.anyio
async def test_half_a_pair_in_an_argument_is_replaced(mode: str) -> None:
    async with connected(mode) as client:
        result = await client.call_tool("look", {"error": HALF})
        assert result.structured_content is not None
        assert json.loads(result.structured_content["note"])[0] == "\ufffd"
        line = text_of(await client.call_tool("look", {HALF: "x"}))
    assert line.startswith("unknown argument '\ufffd")


# --------------------------------------------------------------------------- resources, prompts


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("uri", "code", "message"),
    [
        ("probe://gone", INVALID_PARAMS, "nothing has this id: take an id that a tool returned"),
        ("probe://busy", INTERNAL_ERROR, "another process holds the store: try again in a second"),
        ("probe://told", INTERNAL_ERROR, "told on purpose"),
        ("other://x", INVALID_PARAMS, "Unknown resource: other://x"),
        (
            "probe://bug",
            INTERNAL_ERROR,
            "Internal error in resource 'probe://bug': a fault of the server. "
            "Its log has the details.",
        ),
    ],
)
async def test_a_resource_that_cannot_be_read_says_why(
    mode: str, uri: str, code: int, message: str
) -> None:
    async with connected(mode) as client:
        with pytest.raises(MCPError) as raised:
            await client.read_resource(uri)
    assert raised.value.error.code == code
    assert raised.value.error.message == message
    assert raised.value.error.data == {"uri": uri}


@pytest.mark.anyio
async def test_a_resource_and_a_prompt_carry_no_half_pair() -> None:
    made = server()
    contents = await made.read_resource("probe://half")
    assert "\ufffd" in repr(contents)
    sent = await made.get_prompt("prompt", {"name": "half", "note": HALF})
    assert "\ufffd\ufffd" in sent.model_dump_json()


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("name", "arguments", "code", "message"),
    [
        ("promt", {}, INVALID_PARAMS, "unknown prompt 'promt'; did you mean 'prompt'?"),
        ("prompt", {}, INVALID_PARAMS, "missing: name"),
        (
            "prompt",
            {"name": "x", "nota": ""},
            INVALID_PARAMS,
            "unknown argument 'nota'; did you mean 'note'?",
        ),
        (
            "prompt",
            {"name": "gone"},
            INVALID_PARAMS,
            "nothing has this id: take an id that a tool returned",
        ),
        (
            "prompt",
            {"name": "busy"},
            INTERNAL_ERROR,
            "another process holds the store: try again in a second",
        ),
        ("counted", {"times": "x"}, INVALID_PARAMS, "pass text for 'times'"),
        (
            "prompt",
            {"name": "bug"},
            INTERNAL_ERROR,
            "Internal error in prompt prompt: a fault of the server. Its log has the details.",
        ),
    ],
)
async def test_a_prompt_that_cannot_be_made_says_why(
    mode: str, name: str, arguments: dict[str, str], code: int, message: str
) -> None:
    async with connected(mode) as client:
        with pytest.raises(MCPError) as raised:
            await client.get_prompt(name, arguments)
    assert raised.value.error.code == code
    assert raised.value.error.message == message
