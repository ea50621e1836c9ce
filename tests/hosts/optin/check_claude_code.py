"""Claude Code itself: the plugin is valid, a hook speaks, and all five tools work in one turn.

    uv run pytest tests/hosts/optin/check_claude_code.py

Installs Claude Code from npm (370 MB) below REFLECTION_OUTSIDE; then no network, and never a key.
"""

import json
import subprocess
from pathlib import Path

import pytest

from reflection_mcp.server.hosts.command import write_folder
from reflection_mcp.server.hosts.launch import Launch
from reflection_mcp.server.hosts.plugin import FOLDER, plugin_files
from tests.hosts.optin.programs import ROOT, npm, our_server, run
from tests.hosts.optin.scripted_model import Call, ScriptedModel, serving

VERSION = "2.1.328"
PREFIX = "mcp__plugin_reflection_reflection__"
FAILING = "python3 -IS -c 'import a_module_that_is_not_there'"
ERROR = "ModuleNotFoundError: No module named 'a_module_that_is_not_there'"


def installed_claude() -> str:
    """The program, from npm."""
    package = npm("@anthropic-ai/claude-code", VERSION)
    binary = package / "bin" / "claude.exe"
    if binary.stat().st_size < 1_000_000:  # npm may have left out the step that puts it there
        subprocess.run(["node", "install.cjs"], cwd=package, check=True, timeout=60)
    return str(binary)


@pytest.fixture(scope="module")
def claude() -> str:
    return installed_claude()


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    """The plugin with a server on a store of this test."""
    return plugin_in(tmp_path)


def plugin_in(home: Path) -> Path:
    """The plugin in a folder of this home, with a server on a store there."""
    words, environment = our_server(home)
    folder = home / "plugin"
    files = plugin_files(Launch(words[0], tuple(words[1:])))
    servers = json.loads(files[".mcp.json"])
    servers["mcpServers"]["reflection"]["env"] = environment
    write_folder(folder, {**files, ".mcp.json": json.dumps(servers).encode()})
    return folder


def turn(claude: str, plugin: Path, model: ScriptedModel, home: Path) -> None:
    """One prompt in a clean home."""
    words = ["-p", "go", "--plugin-dir", str(plugin), "--allowedTools", f"Bash,{PREFIX}*"]
    environment = {
        "ANTHROPIC_BASE_URL": model.address,
        "ANTHROPIC_API_KEY": "none",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    }
    done = run([claude, *words], home, environment)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("folder", "rules"), [(FOLDER, ["--profile", "directory"]), (ROOT, [])], ids=["plugin", "offer"]
)
def test_the_plugin_and_the_offer_of_it_are_valid(
    claude: str, folder: Path, rules: list[str], tmp_path: Path
) -> None:
    done = run([claude, "plugin", "validate", "--strict", *rules, str(folder)], tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_one_command_is_all_it_takes_to_be_connected(claude: str, tmp_path: Path) -> None:
    words, environment = our_server(tmp_path)
    added = run([*words, "install", "claude-code"], tmp_path, environment)
    assert added.returncode == 0, added.stderr
    listed = run([claude, "mcp", "list"], tmp_path, environment)
    assert "reflection: " in listed.stdout
    assert "Connected" in listed.stdout


def test_the_hook_puts_a_known_fix_before_the_model_and_is_silent_otherwise(
    claude: str, plugin: Path, tmp_path: Path
) -> None:
    lesson = "The module is made by the build, which had not run."
    learn = Call(
        f"{PREFIX}reflect",
        {
            "question": "Run it",
            "answer": "Ran the build first.",
            "error": ERROR,
            "outcome": "success",
            "lesson": lesson,
        },
    )
    wait = Call("ToolSearch", {"query": f"select:{PREFIX}reflect"})
    with serving([wait, Call("Bash", {"command": FAILING}), wait, learn]) as model:
        turn(claude, plugin, model, tmp_path)
    assert "hook additional context" not in model.shown()
    with serving([Call("Bash", {"command": FAILING})] * 2) as model:
        turn(claude, plugin, model, tmp_path)
    assert "PostToolUseFailure:Bash hook additional context: Seen before" in model.shown()
    assert lesson in model.shown()


def test_a_known_mistake_is_named_before_it_is_made_again(
    claude: str, plugin: Path, tmp_path: Path
) -> None:
    learn = {
        "question": "Run it",
        "answer": "Ran the build first.",
        "error": ERROR,
        "outcome": "success",
        "lesson": "The module is made by the build, which had not run.",
    }
    wait = Call("ToolSearch", {"query": f"select:{PREFIX}reflect"})
    steps = [wait, Call("Bash", {"command": FAILING}), wait, Call(f"{PREFIX}reflect", learn)]
    with serving(steps) as model:
        turn(claude, plugin, model, tmp_path)
    assert "hook additional context" not in model.shown()
    again = Call("Bash", {"command": f"cd /tmp && {FAILING}"})
    with serving([Call("Bash", {"command": "ls"}), again, again]) as model:
        turn(claude, plugin, model, tmp_path)
    shown = json.dumps(model.requests[-1], ensure_ascii=False)
    assert shown.count("PreToolUse:Bash hook additional context: This failed here before") == 1
    assert shown.count("PostToolUseFailure:Bash hook additional context: Seen before") == 1
    assert shown.count("did not help: try another way or say wrong_match") == 1


def test_a_fix_that_shows_is_a_candidate_the_next_time_and_costs_nothing_before(
    claude: str, plugin: Path, tmp_path: Path
) -> None:
    needs = Call("Bash", {"command": "python3 -IS -c 'open(\"made.json\")'"})
    make, undo = (Call("Bash", {"command": f"{word} made.json"}) for word in ("touch", "rm"))
    with serving([needs, make, needs]) as model:
        turn(claude, plugin, model, tmp_path)
    assert "hook additional context" not in model.shown()
    (file,) = (tmp_path / ".claude" / "projects").rglob("*.jsonl")
    words, environment = our_server(tmp_path)
    done = run([*words, "learn", str(file)], tmp_path, environment)
    assert "Claude Code, 3 steps, 1 failure, 0 new candidates, 1 already known" in done.stdout
    with serving([undo, needs]) as model:
        turn(claude, plugin, model, tmp_path)
    assert "Candidate fix, not confirmed [cand-" in model.shown()
    assert "worked after: “Bash: touch made.json”" in model.shown()


def test_a_turn_goes_through_all_five_tools(claude: str, plugin: Path, tmp_path: Path) -> None:
    asked = {"question": "What is 2 + 2?", "draft": "2 + 2 = 5"}
    judged = {"question": "What is 12 x 12?", "answer": "12 x 12 = 145"}
    script = [
        Call("ToolSearch", {"query": f"select:{PREFIX}reflect"}),
        Call(f"{PREFIX}has_seen_error_before", {"error": ERROR}),
        Call(f"{PREFIX}reflect", judged),
        Call(f"{PREFIX}answer_with_reflection", asked),
        Call(f"{PREFIX}record_feedback", {"feedback": "negative"}),
        Call(f"{PREFIX}get_insights", {}),
    ]
    with serving(script) as model:
        turn(claude, plugin, model, tmp_path)
    results = [
        block
        for message in model.requests[-1]["messages"]
        if message["role"] == "user" and isinstance(message["content"], list)
        for block in message["content"]
        if block["type"] == "tool_result"
    ]
    assert len(results) == len(script)
    assert [block for block in results if block.get("is_error")] == []
    assert "144" in json.dumps(results)
    assert "Memory of errors and lessons." in model.shown()
