"""`reflection-mcp demo`: the story of one lesson, played with the real server.

Starts the server as a host would (a process of its own, MCP over stdio), with a store in a
temporary folder: no key, no network, nothing of the user's is touched. What is printed is what an
assistant would read. A second server process plays the next day in another checkout.
"""

import shlex
import sys
import tempfile
import textwrap
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import anyio
from mcp import Client, StdioServerParameters

from reflection_mcp.server.hosts import HOST_KEYS
from reflection_mcp.server.hosts.launch import claude_command, this_launch

WIDTH = 100

QUESTION = "A box holds 15 pens at $12.99 each. Three boxes are ordered, shipping is $9. The total?"
WRONG = (
    "Step 1: one box costs 15 x 12.99 = 195.00.\n"
    "Step 2: three boxes cost 3 x 195.00 = 585.00.\n"
    "Step 3: with shipping 585.00 + 9 = 594.00.\n"
    "The total is $594.00."
)
RIGHT = (
    "Step 1: one box costs 15 x 12.99 = 194.85.\n"
    "Step 2: three boxes cost 3 x 194.85 = 584.55.\n"
    "Step 3: with shipping 584.55 + 9 = 593.55.\n"
    "The total is $593.55."
)
ERROR = """Traceback (most recent call last):
  File "/home/ada/shop/app/orders.py", line 41, in load_orders
    import yaml
ModuleNotFoundError: No module named 'yaml'"""
ELSEWHERE = """09:12:44 ERROR Traceback (most recent call last):
09:12:44 ERROR   File "C:\\ci\\build-7781\\app\\orders.py", line 57, in load_orders
09:12:44 ERROR     import yaml
09:12:44 ERROR ModuleNotFoundError: No module named 'yaml'"""
LOOK_ALIKE = ERROR.replace("yaml", "requests")


def demo() -> int:
    """Tell the story; returns 0 when every call was answered."""
    with tempfile.TemporaryDirectory(prefix="reflection-mcp-demo-") as folder:
        anyio.run(_story, Path(folder))
    print(how_to_add())
    return 0


async def _story(folder: Path) -> None:
    async with Client(server_process(folder)) as client:
        tell("1. An answer with a wrong step", WRONG)
        await call(client, "reflect", question=QUESTION, answer=WRONG)
        tell("2. The step is corrected", RIGHT)
        await call(client, "reflect", question=QUESTION, answer=RIGHT)
        tell("3. A command fails", ERROR)
        await call(client, "has_seen_error_before", error=ERROR)
        tell("   It gets fixed, and the lesson is stored")
        await call(
            client,
            "reflect",
            question="Make the order import run",
            answer="Added PyYAML to the requirements and installed it.",
            error=ERROR,
            outcome="success",
            lesson="The package that provides `yaml` is called PyYAML and was not installed.",
            strategy="On a missing `yaml`, add PyYAML to the requirements, not yaml.",
        )
    async with Client(server_process(folder)) as client:
        tell("4. Another day: another checkout, line, process and log format", ELSEWHERE)
        found = await call(client, "has_seen_error_before", error=ELSEWHERE)
        tell("5. A look-alike is another error, and is not given that fix", LOOK_ALIKE)
        await call(client, "has_seen_error_before", error=LOOK_ALIKE)
        tell("6. The lesson worked, and that counts")
        advice = found["advice"][0]["id"]
        await call(client, "record_feedback", feedback="positive", id=advice)
        tell("7. Before the next task")
        await call(client, "get_insights", query="import fails because yaml is not installed")


def server_process(folder: Path) -> StdioServerParameters:
    """How a host would start the server, on a store in `folder`."""
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "reflection_mcp.server"],
        env={
            "REFLECTION_STORE": str(folder / "demo.db"),
            "REFLECTION_PROJECT": "demo",
            "REFLECTION_LOG_LEVEL": "off",
            "REFLECTION_EVALUATOR": "caller",
        },
        cwd=folder,
    )


def tell(heading: str, text: str = "") -> None:
    """Print what happens, and the text that the assistant has before it."""
    print(f"\n{heading}\n{'─' * len(heading)}")
    if text:
        print(textwrap.indent(text, "    "))


async def call(client: Client, tool: str, **arguments: Any) -> Mapping[str, Any]:
    """Call a tool, print what the assistant reads, and return the structured view.

    Raises:
        RuntimeError: the tool refused; the story cannot go on.
    """
    result = await client.call_tool(tool, arguments)
    text = "\n".join(getattr(part, "text", "") for part in result.content)
    print(f"\n  → {tool}")
    for line in text.splitlines():
        print(textwrap.fill(line, WIDTH, initial_indent="  │ ", subsequent_indent="  │   "))
    if result.is_error or result.structured_content is None:
        raise RuntimeError(f"{tool} refused: {text}")
    return cast("Mapping[str, Any]", result.structured_content)


def how_to_add() -> str:
    """How to add the server to a host, with the command that is running now."""
    launch = this_launch()
    installing = shlex.join([*launch.words, "install"])
    return (
        "\nAdd it to your assistant\n────────────────────────\n"
        f"  {installing} HOST\n"
        f"  HOST is one of {', '.join(HOST_KEYS)}\n"
        f"  or, for Claude Code, by its own command: {claude_command(launch)}\n"
    )
