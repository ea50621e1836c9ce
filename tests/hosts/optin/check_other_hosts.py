"""Codex, Gemini CLI and opencode themselves: added by `install`, a turn through all five tools; the
hooks of Codex, Gemini CLI, Qwen Code, Copilot CLI and Cline.

    uv run pytest tests/hosts/optin/check_other_hosts.py

Installs them from npm (about 2 GB) below REFLECTION_OUTSIDE. No key, no network after that.
"""

import json
import shlex
from collections.abc import Iterable, Mapping
from pathlib import Path

from reflection_mcp.server.hosts import configuration
from reflection_mcp.server.hosts.catalog import BY_KEY, user_file
from reflection_mcp.server.hosts.launch import Launch
from tests.hosts.optin.programs import our_server, program, run
from tests.hosts.optin.scripted_model import Call, serving
from tests.hosts.test_documents import hook_for_codex

TURN: Mapping[str, dict[str, object]] = {
    "has_seen_error_before": {"error": "ValueError: x"},
    "reflect": {"question": "What is 12 x 12?", "answer": "12 x 12 = 145"},
    "answer_with_reflection": {"question": "What is 2 + 2?", "draft": "2 + 2 = 5"},
    "record_feedback": {"feedback": "negative"},
    "get_insights": {},
}
NEEDS = "python3 -IS -c 'open(\"made.json\")'"
FIXED = (NEEDS, "touch made.json", NEEDS)
"""Commands of which the first fails and the last works."""
PROMPT = "Make the importer of the shop run"
RESULTS = ("New: nothing is known", "144", "revise", "Based on recent self-evaluations")
"""What shows in the results of the turn: a look-up, a proven fault, a loop, a briefing."""


def installed(key: str, home: Path) -> tuple[Path, dict[str, str]]:
    """Add our server to a host in a clean home, as `install` does."""
    words, environment = our_server(home)
    file = user_file(BY_KEY[key], "linux", {}, home)
    configuration.install(
        file, [configuration.server_of(BY_KEY[key], Launch(words[0], tuple(words[1:])))]
    )
    return file, environment


def seen(shown: str) -> None:
    """The model saw what each of the five tools gave back, and the instructions."""
    assert [result for result in RESULTS if result not in shown] == []
    assert "Memory of errors and lessons." in shown


def learned(files: Iterable[Path], home: Path, environment: Mapping[str, str]) -> str:
    """What `learn` says of the only session file."""
    (file,) = files
    words, _ = our_server(home)
    done = run([*words, "learn", str(file)], home, environment)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_opencode_takes_a_turn_through_all_five_tools(tmp_path: Path) -> None:
    file, environment = installed("opencode", tmp_path)
    with serving([Call(f"reflection_{tool}", args) for tool, args in TURN.items()]) as model:
        settings = json.loads(file.read_text("utf-8"))
        options = {"baseURL": f"{model.address}/v1", "apiKey": "none"}
        settings["provider"] = {"anthropic": {"options": options}}
        settings["model"] = settings["small_model"] = "anthropic/claude-sonnet-4-5"
        file.write_text(json.dumps(settings), encoding="utf-8")
        opencode = program("opencode-ai", "1.18.33", "opencode")[1:]
        done = run([*opencode, "run", "go"], tmp_path, environment)
        assert done.returncode == 0, done.stdout + done.stderr
    seen(model.shown())


def test_gemini_takes_a_turn_through_all_five_tools(tmp_path: Path) -> None:
    file, environment = installed("gemini", tmp_path)
    settings = json.loads(file.read_text("utf-8"))
    settings["security"] = {"auth": {"selectedType": "gemini-api-key"}}
    file.write_text(json.dumps(settings), encoding="utf-8")
    script = [Call(f"mcp_reflection_{tool}", args) for tool, args in TURN.items()]
    script += [Call("run_shell_command", {"command": command}) for command in FIXED]
    with serving(script) as model:
        environment |= {
            "GEMINI_API_KEY": "none",
            "GOOGLE_GEMINI_BASE_URL": model.address,
            "GEMINI_CLI_TRUST_WORKSPACE": "true",
        }
        gemini = program("@google/gemini-cli", "0.61.0", "gemini")
        words = ["--yolo", "-m", "gemini-3-pro", "-p", "go"]
        done = run([*gemini, *words], tmp_path, environment)
        assert done.returncode == 0, done.stdout + done.stderr
    seen(model.shown())
    told = learned((tmp_path / ".gemini").rglob("chats/session-*"), tmp_path, environment)
    assert "Gemini CLI, 3 steps, 1 failure, 1 new candidate" in told


LESSON = "The importer of the shop needs PyYAML."
IMPORT = "python3 -IS -c 'import yaml_of_the_shop'"
MISSING = "ModuleNotFoundError: No module named 'yaml_of_the_shop'"
"""A command, and its error, of which something was learned."""
ABOVE = "shown above, is about this"


def told_by_hooks(
    key: str, home: Path, tool: str, words: list[str], variables: Mapping[str, str]
) -> str:
    """Let a command fail three times; return the last request to the model."""
    server, _ = our_server(home)
    for given in (["install", key], ["add", LESSON, "--error", MISSING]):
        done = run([*server, *given], home)
        assert done.returncode == 0, done.stderr
    if key == "gemini":  # which else asks how to sign in
        file = user_file(BY_KEY[key], "linux", {}, home)
        settings = json.loads(file.read_text("utf-8"))
        settings["security"] = {"auth": {"selectedType": "gemini-api-key"}}
        file.write_text(json.dumps(settings), encoding="utf-8")
    with serving([Call(tool, {"command": IMPORT, "description": "go"}) for _ in range(3)]) as model:
        environment = {name: said.format(model.address) for name, said in variables.items()}
        done = run(words, home, environment)
        assert done.returncode == 0, done.stdout + done.stderr
    return json.dumps(model.requests[-1], ensure_ascii=False)


def see_that_it_was_told(last: str) -> None:
    """The briefing had the lesson in full; of three equal failures the first named it in a line."""
    assert last.count(LESSON) == 1
    assert last.count(ABOVE) == 1


def test_gemini_is_told_a_known_fix_by_its_hooks(tmp_path: Path) -> None:
    words = program("@google/gemini-cli", "0.61.0", "gemini")
    words += ["--yolo", "-m", "gemini-3-pro", "-p", PROMPT]
    last = told_by_hooks("gemini", tmp_path, "run_shell_command", words, {
        "GEMINI_API_KEY": "none",
        "GOOGLE_GEMINI_BASE_URL": "{}",
        "GEMINI_CLI_TRUST_WORKSPACE": "true",
    })  # fmt: skip
    see_that_it_was_told(last)


def test_qwen_is_told_a_known_fix_by_its_hooks(tmp_path: Path) -> None:
    words = program("@qwen-code/qwen-code", "0.24.4", "qwen")
    words += ["--yolo", "--auth-type", "openai", PROMPT]
    last = told_by_hooks("qwen", tmp_path, "run_shell_command", words, {
        "OPENAI_BASE_URL": "{}/v1", "OPENAI_API_KEY": "none", "OPENAI_MODEL": "gpt-5",
    })  # fmt: skip
    see_that_it_was_told(last)


def test_copilot_is_told_a_known_fix_by_its_hooks(tmp_path: Path) -> None:
    words = program("@github/copilot", "1.0.102", "copilot")
    words += ["-p", PROMPT, "--allow-all-tools"]
    last = told_by_hooks("copilot", tmp_path, "bash", words, {
        "COPILOT_OFFLINE": "true",
        "COPILOT_PROVIDER_BASE_URL": "{}/v1",
        "COPILOT_MODEL": "gpt-5",
    })  # fmt: skip
    see_that_it_was_told(last)


def test_cline_is_told_a_known_fix_by_its_hooks(tmp_path: Path) -> None:
    server, _ = our_server(tmp_path)
    for event in ("PreToolUse", "PostToolUse"):
        file = tmp_path / ".cline" / "hooks" / event
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!/bin/sh\nexec {shlex.join(server)} hook cline {event}\n")
        file.chmod(0o755)
    done = run([*server, "add", LESSON, "--error", MISSING], tmp_path)
    assert done.returncode == 0, done.stderr
    cline = program("cline", "3.0.65", "cline")[1:]
    with serving([Call("run_commands", {"commands": [IMPORT]}) for _ in range(4)]) as model:
        maker = ["auth", "-p", "openai", "-k", "none", "-m", "gpt-5", "-b", f"{model.address}/v1"]
        for words in (maker, [PROMPT]):
            done = run([*cline, *words], tmp_path)
            assert done.returncode == 0, done.stdout + done.stderr
    last = json.dumps(model.requests[-1], ensure_ascii=False)
    assert last.count(LESSON) == 1
    assert last.count("was shown before, and the error came back") == 1


def codex_turn(file: Path, home: Path, environment: Mapping[str, str], *script: Call) -> str:
    """One prompt to Codex; returns all that the model was shown."""
    with serving(script) as model:
        maker = (
            'model_provider = "scripted"\nmodel = "gpt-5"\n\n'
            '[model_providers.scripted]\nname = "scripted"\n'
            f'base_url = "{model.address}/v1"\nwire_api = "responses"\nenv_key = "SCRIPTED_KEY"\n'
        )
        kept = "".join(f"{name} = {json.dumps(value)}\n" for name, value in environment.items())
        before = file.read_text("utf-8")
        # Else the first search finds nothing while the server of a busy machine is starting.
        waiting = f"required = true\n[mcp_servers.reflection.env]\n{kept}"
        file.write_text(f"{maker}\n{before}{waiting}", encoding="utf-8")
        codex = program("@openai/codex", "0.169.0", "codex")
        rights = ["--dangerously-bypass-approvals-and-sandbox", "--dangerously-bypass-hook-trust"]
        words = ["exec", "--skip-git-repo-check", *rights, PROMPT]
        done = run([*codex, *words], home, {"SCRIPTED_KEY": "none"})
        file.write_text(before, encoding="utf-8")
        assert done.returncode == 0, done.stdout + done.stderr
    return model.shown()


def test_codex_takes_a_turn_through_all_five_tools(tmp_path: Path) -> None:
    file, environment = installed("codex", tmp_path)
    search = Call("tool_search", {"query": "reflection memory error", "limit": 12})
    calls = [Call(f"mcp__reflection/{tool}", args) for tool, args in TURN.items()]
    commands = [Call("exec_command", {"cmd": command}) for command in FIXED]
    seen(codex_turn(file, tmp_path, environment, search, *calls, *commands))
    told = learned((tmp_path / ".codex").rglob("rollout-*.jsonl"), tmp_path, environment)
    assert "Codex, 3 steps, 1 failure, 1 new candidate" in told


def test_the_hooks_for_codex_brief_its_model_and_name_a_known_mistake(tmp_path: Path) -> None:
    file, environment = installed("codex", tmp_path)
    hook = hook_for_codex().removeprefix("```json\n").removesuffix("```\n")
    file.with_name("hooks.json").write_text(hook, encoding="utf-8")
    search = Call("tool_search", {"query": "reflection memory error", "limit": 12})
    lesson = "The importer of the shop needs PyYAML."
    learned: dict[str, object] = {
        "question": PROMPT,
        "answer": "Installed PyYAML.",
        "error": "ModuleNotFoundError: No module named 'yaml'",
        "outcome": "success",
        "lesson": lesson,
    }
    failed = {
        "hook": "PostToolUseFailure",
        "type": "tool_call",
        "tool": "Bash",
        "content": "python3 importer.py",
        "error": learned["error"],
    }
    elsewhere = {"question": "x", "answer": "", "conversation_id": "s", "events": [failed]}
    calls = [Call("mcp__reflection/reflect", given) for given in (elsewhere, learned)]
    first = codex_turn(file, tmp_path, environment, search, *calls)
    assert "Based on recent self-evaluations" not in first
    again = Call("exec_command", {"cmd": "cd /tmp && python3 ./importer.py"})
    second = codex_turn(file, tmp_path, environment, again)
    assert second.count("This failed here before.") == 1
    assert "Based on recent self-evaluations" in second
    assert lesson in second
