"""Clients of other times: each in an environment of its own, all with the same script.

uv run pytest tests/hosts/optin/check_old_clients.py
"""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.hosts.optin.programs import npm, our_server, python_with, run

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
NODE_SCRIPT = """
const [kind, command, ...args] = process.argv.slice(2);
const sdk = "@modelcontextprotocol/sdk/client";
const from = (sdk1, sdk2) => import(kind === "sdk" ? sdk1 : sdk2);
const { Client } = await from(`${sdk}/index.js`, "@modelcontextprotocol/client");
const { StdioClientTransport } = await from(
  `${sdk}/stdio.js`, "@modelcontextprotocol/client/stdio");
const client = new Client({ name: "old", version: "1" }, { capabilities: {} });
await client.connect(new StdioClientTransport({ command, args, env: process.env }));
const tools = await client.listTools();
const call = (args) => client.callTool({ name: "has_seen_error_before", arguments: args });
const called = await call({ error: "ValueError: x" });
const refused = await call({ eror: "x" });
const read = await client.readResource({ uri: "reflections://stats" });
const prompts = await client.listPrompts();
console.log(JSON.stringify({
  tools: tools.tools.map((tool) => tool.name),
  called: called.content[0].text,
  refused: [refused.isError, refused.content[0].text],
  resource: read.contents.length,
  prompts: prompts.prompts.length,
}));
await client.close();
"""
NODE_CLIENTS = [
    ("@modelcontextprotocol/sdk", "1.0.4"),
    ("@modelcontextprotocol/sdk", "1.32.2"),
    ("@modelcontextprotocol/client", "2.4.0"),
]
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
    check(said)


@pytest.mark.parametrize(("package", "version"), NODE_CLIENTS)
def test_a_typescript_client_of_then_is_served(package: str, version: str, tmp_path: Path) -> None:
    folder = npm(package, version).parents[2]
    script = folder / "client.mjs"  # beside the package, where Node looks for it
    script.write_text(NODE_SCRIPT, encoding="utf-8")
    server, environment = our_server(tmp_path)
    node = str(folder / "node_modules" / ".bin" / "node")
    kind = package.rpartition("/")[2]
    done = run([node, str(script), kind, *server], tmp_path, environment)
    assert done.returncode == 0, done.stderr[-2000:]
    check(json.loads(done.stdout))


def check(said: dict[str, Any]) -> None:
    """What every client must have been told."""
    assert len(said["tools"]) == 5
    assert "New: nothing is known" in said["called"]
    failed, why = said["refused"]
    assert failed
    assert "did you mean 'error'" in why
    assert (said["resource"], said["prompts"]) == (1, 2)
