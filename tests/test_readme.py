"""The README says what the program says: its tables are made from it, its commands run.

`UPDATE_README=1 pytest tests/test_readme.py` writes the tables anew.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp_types import Tool

from reflection_mcp.server.app import build
from reflection_mcp.server.application import Application
from reflection_mcp.server.cli import parser
from reflection_mcp.server.settings.options import describe
from reflection_mcp.server.settings.settings import Settings
from tests.bench import clone
from tests.bench.results import RESULTS, interval

ROOT = Path(__file__).parent.parent
README = ROOT / "README.md"
DOCS = ROOT / "docs"
HOME = "https://github.com/reflection-mcp/reflection-mcp"
RAW = "https://raw.githubusercontent.com/reflection-mcp/reflection-mcp/main/"


def check(page: Path, name: str, made: str) -> None:
    """Hold what stands between the marks of a generated part against what is made."""
    text = page.read_text(encoding="utf-8")
    if os.environ.get("UPDATE_README"):
        text = re.sub(_pattern(name), lambda m: m[1] + made + m[3], text, flags=re.DOTALL)
        page.write_text(text, encoding="utf-8")
    found = re.search(_pattern(name), text, re.DOTALL)
    assert found is not None, f"{page.name} has no part called {name}"
    assert found[2] == made


def _pattern(name: str) -> str:
    return rf"(<!-- {name}: [^>]*-->\n)(.*?)(<!-- /{name} -->)"


def tool_table(tools: list[Tool]) -> str:
    rows = [f"| `{tool.name}` | {tool.description} |" for tool in tools]
    return "\n".join(["| tool | what it does |", "|---|---|", *rows]) + "\n"


def argument_tables(tools: list[Tool]) -> str:
    return "\n".join(map(_arguments, tools))


def _arguments(tool: Tool) -> str:
    assert tool.annotations is not None
    changes = "Changes nothing." if tool.annotations.read_only_hint else "Changes the store."
    required = tool.input_schema.get("required", [])
    rows = ["| argument | what to pass |", "|---|---|"]
    for name, schema in tool.input_schema["properties"].items():
        shown = f"**`{name}`**" if name in required else f"`{name}`"
        said = schema.get("description", "").replace("|", "\\|").replace("\n", " ")
        choices = ", ".join(f"`{each}`" for each in schema.get("enum", ()))
        rows.append(f"| {shown} | {'; '.join(filter(None, (said, choices)))} |")
    return "\n".join([f"## {tool.name}", "", f"{tool.description} {changes}", "", *rows]) + "\n"


def settings_table() -> str:
    rows = ["| variable | pass | default | what for |", "|---|---|---|---|"]
    for row in describe():
        default = f"`{row.default}`" if row.default else ""
        rows.append(f"| `{row.variable}` | {row.expects} | {default} | {row.description} |")
    return "\n".join(rows) + "\n"


def command_table() -> str:
    rows = ["| command | what it does |", "|---|---|"]
    rows += [f"| `{name}` | {what} |" for name, what in sorted(commands().items())]
    return "\n".join(rows) + "\n"


def commands() -> dict[str, str]:
    """Every sub-command with its help."""
    groups: list[Any] = [each for each in vars(parser())["_actions"] if each.dest == "==SUPPRESS=="]
    (group,) = groups
    return {each.dest: each.help for each in group._choices_actions}


def result_table() -> str:
    """The figures of the committed result files."""
    errors = json.loads((RESULTS / "errors.json").read_text(encoding="utf-8"))
    answers = json.loads((RESULTS / "answers.json").read_text(encoding="utf-8"))
    same, different = (errors["counts"]["this version"][kind][1] for kind in ("same", "different"))
    lines = [
        "Square brackets give the 95 % interval. **Is it the same error?** Pairs of error texts as "
        f"different people pasted them: {same} pairs of the same error, {different} of look-alikes "
        f"{measured(errors)}",
        "",
        "| | same errors recognised | look-alikes taken for the same |",
        "|---|---|---|",
    ]
    for method, counts in errors["counts"].items():
        cells = (share(*counts[kind]) for kind in ("same", "different"))
        lines.append(f"| {METHODS.get(method, method)} | {' | '.join(cells)} |")
    lines += [
        "",
        "**Is the answer wrong?** Answers by people and models, without a model as judge "
        f"{measured(answers)}",
        "",
        "| answers | faulty ones proven wrong | right ones flagged |",
        "|---|---|---|",
    ]
    counts = answers["counts"]["this version"]
    for group in sorted({kind.partition(" ")[0] for kind in counts}):
        cells = (share(*counts[f"{group} {label}"]) for label in ("faulty", "right"))
        lines.append(f"| {GROUPS[group]} | {' | '.join(cells)} |")
    lines += ["", *peer_lines()]
    return "\n".join(lines) + "\n"


def peer_lines() -> list[str]:
    """What other memory servers do with the same errors."""
    result = json.loads((RESULTS / "peers.json").read_text(encoding="utf-8"))
    families, unrelated = result["families"], result["unrelated"]
    lines = [
        f"**Compared with other memory servers.** We made up {families} errors. Each was stored in "
        "three wordings and looked up in a fourth. We also looked up look-alikes and unrelated "
        f"requests, and let four processes write at once ({result['date']}, commit "
        f"{result['commit']}).",
        "",
        f"| server | rows stored (ideal: {families}) | errors recalled | look-alikes given the fix "
        "| unrelated requests given a fix | writes lost | tokens of the tool definitions | CPU ms "
        "until the tools are listed |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name, row in result["peers"].items():
        if "not_run" in row:
            lines.append(f"| {name} | did not run: {row['not_run']} | | | | | | |")
            continue
        cells = (
            row["rows"],
            f"{row['recalled']} of {families}",
            f"{row['wrong_fix']} of {families}",
            f"{row['unrelated']} of {unrelated}",
            row["lost"],
            f"{row['tokens']:,}",
            f"{row['cpu_ms_to_list']:,}",
        )
        lines.append(f"| {name} | {' | '.join(map(str, cells))} |")
    return lines


GROUPS = {
    "arith": "worked arithmetic solutions",
    "complete": "tasks with instructions (faults: parts missing, placeholders, truncated text)",
    "ground": "answers from a given context",
    "llm": "answers without a context (no fault can be proven)",
    "parse": "Python and JSON blocks",
    "units": "units, percentages, dates, equations",
}
"""What the files of answers are called, and what stands in them."""
METHODS = {
    "sha256 of the text": "baseline: the same SHA-256",
    "word overlap, 0.7": "baseline: at least 70 % of all words shared",
    "version 05e5d2b": "an earlier version (05e5d2b)",
}
"""What the result file calls a method, and what a reader calls it."""


def measured(result: dict[str, Any]) -> str:
    """When the figures were taken, and what has to be known about them."""
    note = f" {result['note']}" if result["note"] else ""
    return f"({result['date']}, commit {result['commit']}).{note}"


def share(k: int, n: int) -> str:
    """A count out of another, in per cent with its interval."""
    low, high = interval(k, n)
    return f"{k} of {n} = {k / n:.0%} [{low:.0%}, {high:.0%}]"


@pytest.mark.anyio
async def test_the_tables_of_tools_are_what_a_client_sees() -> None:
    application = Application(settings=Settings(store="memory:"), project="shop")
    async with Client(build(application)) as client:
        tools = (await client.list_tools()).tools
    check(README, "tools", tool_table(tools))
    check(DOCS / "tools.md", "arguments", argument_tables(tools))


def test_the_table_of_settings_is_what_the_program_takes() -> None:
    check(DOCS / "settings.md", "settings", settings_table())


def test_the_table_that_anybody_can_measure_again_is_what_was_counted() -> None:
    body = json.loads((RESULTS / "clone.json").read_text(encoding="utf-8"))
    check(DOCS / "evaluation.md", "clone", clone.table(body))


def test_the_table_of_commands_is_what_the_help_says() -> None:
    check(DOCS / "command-line.md", "commands", command_table())


def test_the_figures_are_those_of_the_result_files() -> None:
    check(README, "results", result_table())


def test_every_command_that_a_page_names_exists() -> None:
    for page in (README, *DOCS.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        named = set(re.findall(r"`reflection-mcp ([a-z][a-z-]+)", text))
        assert named <= commands().keys(), page.name


def test_the_quick_start_is_one_block_and_the_tests() -> None:
    text = README.read_text(encoding="utf-8")
    quick = text[text.index("## Quick start") : text.index("## Add it")]
    assert re.findall(r"```bash\n(.*?)```", quick, re.DOTALL) == [
        f"git clone {HOME} && cd reflection-mcp\n"
        "pip install uv && uv run --no-dev reflection-mcp demo\n",
    ]
    assert "`uv run pytest`" in quick


def test_every_measurement_that_is_named_is_listed() -> None:
    page = (DOCS / "evaluation.md").read_text(encoding="utf-8")
    named = set(re.findall(r"python -m tests\.bench\.(\w+)", page))
    assert named
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench"],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=True,
    )
    listed = dict(line.split(maxsplit=1) for line in done.stdout.splitlines())
    assert named <= listed.keys()


def test_every_link_of_the_readme_is_absolute_and_leads_to_a_file() -> None:
    text = README.read_text(encoding="utf-8")
    links = re.findall(r"""(?:\]\(|(?:src|srcset|href)=")([^)"#]+)""", text)
    ours = [link for link in links if link.startswith((HOME, RAW))]
    assert [link for link in links if not link.startswith("https://")] == []
    files = [link.removeprefix(RAW).removeprefix(f"{HOME}/blob/main/") for link in ours]
    assert len(files) > 10
    assert [file for file in files if not (ROOT / file).is_file()] == []


def test_every_link_between_pages_leads_to_a_file() -> None:
    for page in DOCS.glob("*.md"):
        links = re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8"))
        assert [link for link in links if not (DOCS / link).exists()] == [], page.name


def test_the_index_names_every_page() -> None:
    text = (DOCS / "README.md").read_text(encoding="utf-8")
    pages = {path.name for path in DOCS.glob("*.md")} - {"README.md"}
    assert {page for page in pages if f"({page})" not in text} == set()


def test_the_readme_stays_short_enough_to_be_read() -> None:
    assert len(README.read_text(encoding="utf-8").splitlines()) <= 200
