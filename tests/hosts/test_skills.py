"""The skill over the protocol, as a client sees it."""

import hashlib
from typing import Any, cast

import pytest
from mcp import Client
from mcp.server.mcpserver import MCPServer
from mcp.shared.exceptions import MCPError
from mcp_types import PaginatedRequestParams, Request, Result, TextResourceContents
from pydantic import ConfigDict

from reflection_mcp.server.hosts.skills import (
    URI,
    GetSkillParams,
    SkillsExtension,
    frontmatter,
)

pytestmark = pytest.mark.anyio


@pytest.fixture
def server() -> MCPServer[Any]:
    return MCPServer("skilled", extensions=[SkillsExtension()])


class ListSkills(Request[PaginatedRequestParams, str]):
    method: str = "skills/list"
    params: PaginatedRequestParams = PaginatedRequestParams()


class GetSkill(Request[GetSkillParams, str]):
    method: str = "skills/get"
    params: GetSkillParams


class Anything(Result):
    model_config = ConfigDict(extra="allow")


async def ask(client: Client, request: Request[Any, str]) -> dict[str, Any]:
    answer = await client.session.send_request(cast("Any", request), Anything)
    return answer.model_dump(by_alias=True)


async def test_the_server_declares_the_extension(server: MCPServer[Any]) -> None:
    async with Client(server) as client:
        extensions = client.server_capabilities.extensions or {}
        assert extensions["io.modelcontextprotocol/skills"] == {}
        assert client.server_capabilities.resources is not None


async def test_the_entry_describes_the_bytes_that_are_served(server: MCPServer[Any]) -> None:
    async with Client(server) as client:
        listed = await ask(client, ListSkills())
        (skill,) = listed["skills"]
        (content,) = (await client.read_resource(skill["uri"])).contents
    assert isinstance(content, TextResourceContents)
    raw = content.text.encode("utf-8")
    assert skill["resources"] == [
        {
            "uri": URI,
            "digest": f"sha256:{hashlib.sha256(raw).hexdigest()}",
            "size": len(raw),
        }
    ]
    assert skill["frontmatter"] == frontmatter(content.text)
    assert URI.split("/")[-2] == skill["frontmatter"]["name"]
    assert (listed["ttlMs"], listed["cacheScope"]) == (3_600_000, "public")


async def test_one_skill_can_be_asked_for(server: MCPServer[Any]) -> None:
    async with Client(server) as client:
        listed = await ask(client, ListSkills())
        got = await ask(client, GetSkill(params=GetSkillParams(uri=URI)))
        assert [got["skill"]] == listed["skills"]
        with pytest.raises(MCPError) as refused:
            await ask(client, GetSkill(params=GetSkillParams(uri="skill://other/SKILL.md")))
    assert refused.value.error.code == -32602
