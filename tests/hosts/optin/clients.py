"""The further hosts and agent libraries: each takes a turn through all five tools.

    uv run python -m tests.hosts.optin.clients      a table: client, version, whether it worked

Installs each of them below REFLECTION_OUTSIDE when it is first needed: 4.5 GB and ten minutes for
all. A library runs the program that docs/libraries.md shows for it.
"""

import re
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from tests.hosts.optin import check_claude_code, check_other_hosts
from tests.hosts.optin.check_other_hosts import RESULTS, TURN
from tests.hosts.optin.programs import ROOT, our_server, program, python_with, run
from tests.hosts.optin.scripted_model import Call, serving

PROMPT = "go on please"
HEARD = "Recorded for the last answer"
LIBRARIES: Mapping[str, tuple[str, ...]] = {
    "LangChain": ("langchain-mcp-adapters==0.3.2", "langchain", "langchain-openai"),
    "LlamaIndex": ("llama-index-tools-mcp==0.6.0", "llama-index-llms-openai-like"),
    "OpenAI Agents SDK": ("openai-agents==0.24.0",),
    "Pydantic AI": ("pydantic-ai-slim[mcp,openai]==2.68.0",),
    "Google ADK": ("google-adk==2.13.0", "litellm", "mcp"),
    "Microsoft Agent Framework": (
        "agent-framework-core==1.23.0", "agent-framework-openai", "mcp", "tenacity",
    ),
    "CrewAI": ("crewai==1.15.30", "crewai-tools[mcp]==1.15.30"),
}  # fmt: skip
SESSION = {
    "LangChain": (
        'MultiServerMCPClient(servers).session("reflection") as session',
        "contextlib.nullcontext() as _",
        "await load_mcp_tools(session)",
        "await MultiServerMCPClient(servers).get_tools()",
    ),
    "LlamaIndex": (
        "stdio_client(server) as (read, write), ClientSession(read, write) as session",
        "contextlib.nullcontext() as _",
        "await session.initialize()",
        'from llama_index.tools.mcp import BasicMCPClient; session = BasicMCPClient("uvx", '
        'args=["reflection-mcp"])',
    ),
}
"""What opens one session for a whole run, and what starts one process for each call instead."""


def program_of(library: str, *, session: bool = True) -> str:
    """The program that docs/libraries.md shows for a library, with our own server in it."""
    text = (ROOT / "docs" / "libraries.md").read_text("utf-8")
    found = re.search(rf"^## {library}$.*?^```python\n(.*?)^```$", text, re.M | re.S)
    assert found
    code = found[1]
    if not session:
        before, instead, tools, of_each = SESSION[library]
        code = "import contextlib\n" + code.replace(before, instead).replace(tools, of_each)
    ours = str([*our_server(Path())[0][1:]])
    return code.replace('"uvx"', repr(sys.executable)).replace('["reflection-mcp"]', ours)


def library(name: str, home: Path, *, session: bool = True) -> str:
    """Run the program of a library; returns all that the model was shown."""
    with serving([Call(tool, args) for tool, args in TURN.items()]) as model:
        done = run(
            [python_with(*LIBRARIES[name]), "-c", program_of(name, session=session)],
            home,
            {
                "OPENAI_BASE_URL": f"{model.address}/v1",
                "OPENAI_API_BASE": f"{model.address}/v1",
                "OPENAI_API_KEY": "none",
                "OPENAI_AGENTS_DISABLE_TRACING": "1",
                "LITELLM_LOCAL_MODEL_COST_MAP": "true",
                "CREWAI_DISABLE_TELEMETRY": "true",
            },
        )
        assert done.returncode == 0, done.stdout + done.stderr
    return model.shown()


def host(
    name: str, home: Path, prefix: str, words: Callable[[str], list[list[str]]], **more: str
) -> str:
    """Add our server to a host as a person does, and give it a prompt."""
    server, _ = our_server(home)
    done = run([*server, "install", name], home)
    assert done.returncode == 0, done.stderr
    first = [Call("tool_search", {"query": f"select:{','.join(prefix + t for t in TURN)}"})]
    calls = [Call(prefix + tool, args) for tool, args in TURN.items()]
    with serving([*(first if name == "qwen" else ()), *calls]) as model:
        address = f"{model.address}/v1"
        for command in words(address):
            done = run(command, home, {key: said.format(address) for key, said in more.items()})
            assert done.returncode == 0, done.stdout + done.stderr
    return model.shown()


def copilot(home: Path) -> str:
    """GitHub Copilot CLI with a model of one's own."""
    command = program("@github/copilot", "1.0.102", "copilot")
    return host(
        "copilot",
        home,
        "reflection-",
        lambda _: [[*command, "-p", PROMPT, "--allow-all-tools"]],
        COPILOT_OFFLINE="true",
        COPILOT_PROVIDER_BASE_URL="{}",
        COPILOT_MODEL="gpt-5",
    )


def qwen(home: Path) -> str:
    """Qwen Code, which finds tools by a search."""
    command = program("@qwen-code/qwen-code", "0.24.4", "qwen")
    return host(
        "qwen",
        home,
        "mcp__reflection__",
        lambda _: [[*command, "--yolo", "--auth-type", "openai", PROMPT]],
        OPENAI_BASE_URL="{}",
        OPENAI_API_KEY="none",
        OPENAI_MODEL="gpt-5",
    )


def cline(home: Path) -> str:
    """Cline CLI, which gives a server three seconds to start."""
    command = program("cline", "3.0.65", "cline")[1:]
    maker = ["auth", "-p", "openai", "-k", "none", "-m", "gpt-5", "-b"]
    return host(
        "cline",
        home,
        "reflection__",
        lambda address: [[*command, *maker, address], [*command, PROMPT]],
    )


def continue_cli(home: Path) -> str:
    """Continue CLI, which reads servers from its own configuration only."""
    server, _ = our_server(home)
    command = program("@continuedev/cli", "1.5.47", "cn")
    file = home / "config.yaml"

    def words(address: str) -> list[list[str]]:
        file.write_text(
            "name: check\nversion: 1.0.0\nschema: v1\nmodels:\n"
            f"  - {{name: m, provider: openai, model: m, apiKey: none, apiBase: '{address}/'}}\n"
            f"mcpServers:\n  - {{name: reflection, command: '{server[0]}', args: {server[1:]}}}\n",
            encoding="utf-8",
        )
        return [[*command, "-p", PROMPT, "--config", str(file), "--auto"]]

    return host("continue", home, "", words)


def claude_code(home: Path) -> str:
    """Claude Code with the plugin."""
    claude = check_claude_code.installed_claude()
    check_claude_code.test_a_turn_goes_through_all_five_tools(
        claude, check_claude_code.plugin_in(home), home
    )
    return ""


def other(check: Callable[[Path], None]) -> Callable[[Path], str]:
    """A client that has a check of its own."""

    def turn(home: Path) -> str:
        check(home)
        return ""

    return turn


HERE: Mapping[str, tuple[str, Callable[[Path], str]]] = {
    "GitHub Copilot CLI": ("1.0.102", copilot),
    "Qwen Code": ("0.24.4", qwen),
    "Cline CLI": ("3.0.65", cline),
    "Continue CLI": ("1.5.47", continue_cli),
    **{
        name: (wanted[0].rpartition("==")[2], partial(library, name))
        for name, wanted in LIBRARIES.items()
    },
}
"""The clients that are checked by this module."""
CLIENTS: Mapping[str, tuple[str, Callable[[Path], str]]] = {
    "Claude Code": (check_claude_code.VERSION, claude_code),
    "Codex": ("0.169.0", other(check_other_hosts.test_codex_takes_a_turn_through_all_five_tools)),
    "Gemini CLI": (
        "0.61.0", other(check_other_hosts.test_gemini_takes_a_turn_through_all_five_tools),
    ),
    "opencode": (
        "1.18.33", other(check_other_hosts.test_opencode_takes_a_turn_through_all_five_tools),
    ),
    **HERE,
}  # fmt: skip


def saw_all(shown: str) -> bool:
    """Whether the model saw what each of the five tools gave back."""
    return all(result in shown for result in (*RESULTS, HEARD))


def main() -> None:
    worked = 0
    print(f"{'client':28}{'version':12}five-tool turn", flush=True)
    for name, (version, turn) in CLIENTS.items():
        with tempfile.TemporaryDirectory() as folder:
            try:
                shown = turn(Path(folder))
                said = "worked" if not shown or saw_all(shown) else "a result is missing"
            except Exception as trouble:
                said = f"failed: {' '.join(str(trouble).split())[:100]}"
        worked += said == "worked"
        print(f"{name:28}{version:12}{said}", flush=True)
    print(f"{worked} of {len(CLIENTS)} worked")


if __name__ == "__main__":
    main()
