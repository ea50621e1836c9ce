"""Clients of other times: each in an environment of its own, all with the same script.

uv run pytest tests/hosts/optin/check_old_clients.py
"""

import json
from pathlib import Path

import pytest

from tests.hosts.optin.programs import our_server, python_with, run

SCRIPT = """
import asyncio, json, os, sys
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main():
    how = StdioServerParameters(command=sys.argv[1], args=sys.argv[2:], env=dict(os.environ))
    async with stdio_client(how) as (incoming, outgoing):
        async with ClientSession(incoming, outgoing) as session:
            begun = await session.initialize()
            tools = await session.list_tools()
            called = await session.call_tool("has_seen_error_before", {"error": "ValueError: x"})
            refused = await session.call_tool("has_seen_error_before", {"eror": "x"})
            read = await session.read_resource("reflections://stats")
            prompts = await session.list_prompts()
            print(json.dumps({
                "protocol": begun.protocolVersion,
                "tools": [tool.name for tool in tools.tools],
                "called": called.content[0].text,
                "refused": [refused.isError, refused.content[0].text],
                "resource": len(read.contents),
                "prompts": len(prompts.prompts),
            }))


asyncio.run(main())
"""
OLD_PYDANTIC = ("pydantic<2.11",)  # what these clients were written against
CLIENTS = [
    ("1.30.0", (), "2025-11-25"),
    ("1.9.4", OLD_PYDANTIC, "2025-03-26"),
    ("1.2.1", OLD_PYDANTIC, "2024-11-05"),
]


@pytest.mark.parametrize(("version", "more", "protocol"), CLIENTS)
def test_a_python_client_of_then_is_served(
    version: str, more: tuple[str, ...], protocol: str, tmp_path: Path
) -> None:
    script = tmp_path / "client.py"
    script.write_text(SCRIPT, encoding="utf-8")
    server, environment = our_server(tmp_path)
    client = python_with(f"mcp=={version}", *more)
    done = run([client, str(script), *server], tmp_path, environment)
    assert done.returncode == 0, done.stderr[-2000:]
    said = json.loads(done.stdout)
    assert said["protocol"] == protocol
    assert len(said["tools"]) == 5
    assert "Not seen before" in said["called"]
    failed, why = said["refused"]
    assert failed
    assert "did you mean 'error'" in why
    assert (said["resource"], said["prompts"]) == (1, 2)
