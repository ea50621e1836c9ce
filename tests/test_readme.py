"""The README says what the program says: its tables are made from it, its commands run.

`UPDATE_README=1 pytest tests/test_readme.py` writes the tables anew.
"""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from mcp import Client
from mcp_types import Tool

from reflection_mcp.server.app import build
from reflection_mcp.server.application import Application
from reflection_mcp.server.settings import Settings
from reflection_mcp.server.values import describe

README = Path(__file__).parent.parent / "README.md"


def block(name: str) -> str:
    """What stands between the marks of a generated part."""
    found = re.search(_pattern(name), README.read_text(encoding="utf-8"), re.DOTALL)
    assert found is not None, f"the README has no part called {name}"
    return found[2]


def check(name: str, made: str) -> None:
    if os.environ.get("UPDATE_README"):
        text = README.read_text(encoding="utf-8")
        made_anew = re.sub(_pattern(name), lambda m: m[1] + made + m[3], text, flags=re.DOTALL)
        README.write_text(made_anew, encoding="utf-8")
    assert block(name) == made


def _pattern(name: str) -> str:
    return rf"(<!-- {name}: [^>]*-->\n)(.*?)(<!-- /{name} -->)"


def tool_table(tools: list[Tool]) -> str:
    rows = ["| tool | what it does | arguments | changes the store |", "|---|---|---|---|"]
    for tool in tools:
        required = tool.input_schema.get("required", [])
        names = [
            f"**{name}**" if name in required else name for name in tool.input_schema["properties"]
        ]
        assert tool.annotations is not None
        changes = "no" if tool.annotations.read_only_hint else "yes"
        rows.append(f"| `{tool.name}` | {tool.description} | {', '.join(names)} | {changes} |")
    return "\n".join(rows) + "\n"


def settings_table() -> str:
    rows = ["| variable | pass | default | what for |", "|---|---|---|---|"]
    for row in describe():
        default = f"`{row.default}`" if row.default else ""
        rows.append(f"| `{row.variable}` | {row.expects} | {default} | {row.description} |")
    return "\n".join(rows) + "\n"


@pytest.mark.anyio
async def test_the_table_of_tools_is_what_a_client_sees() -> None:
    application = Application(settings=Settings(store="memory:"), project="shop")
    async with Client(build(application)) as client:
        check("tools", tool_table((await client.list_tools()).tools))


def test_the_table_of_settings_is_what_the_program_takes() -> None:
    check("settings", settings_table())


def test_the_quick_start_is_exactly_two_commands() -> None:
    text = README.read_text(encoding="utf-8")
    quick = text[text.index("## Quick start") : text.index("## What it looks like")]
    assert re.findall(r"```bash\n(.*?)```", quick, re.DOTALL) == [
        "pip install uv && uv run --no-dev reflection-mcp demo\n",
        "uv run pytest\n",
    ]


def test_every_measurement_that_is_named_is_listed() -> None:
    page = (README.parent / "docs" / "evaluation.md").read_text(encoding="utf-8")
    named = set(re.findall(r"python -m tests\.bench\.(\w+)", page))
    assert named
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench"],
        cwd=README.parent,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    listed = dict(line.split(maxsplit=1) for line in done.stdout.splitlines())
    assert named <= listed.keys()


def test_every_file_the_readme_points_to_is_there() -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", README.read_text(encoding="utf-8"))
    assert links
    assert [link for link in links if not (README.parent / link).exists()] == []


def test_the_readme_stays_short_enough_to_be_read() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 300
