"""How long until the first lesson is recalled in Claude Code, and what its hooks cost.

    uv run python -m tests.hosts.optin.measure_claude_code [--first-request 7]

With `--first-request` only how long after its spawn the host asks the model first, in turns without
the plugin, with one of the same hooks whose server does nothing (what the host itself takes), with
ours, and with a lesson in its store: what a user waits for in every session. The CPU time is that
of the host and all it started, until the turn is over.

A user types one command; everything after it is work that would have been done anyway. Time is told
from that command to the lesson standing before the model, in a second conversation, with nobody
thinking in between: the model is a script on the loopback. `uvx` stands for the program installed
here, so no download is counted. Installs Claude Code as `check_claude_code.py` does.
"""

import argparse
import json
import os
import re
import shlex
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from statistics import median

from reflection_mcp.server.front.recording import record_for_the_next_start
from reflection_mcp.server.front.snapshot import current
from tests.hosts.optin.check_claude_code import ERROR, FAILING, PREFIX, installed_claude, plugin_in
from tests.hosts.optin.programs import ROOT, our_server, run
from tests.hosts.optin.scripted_model import Call, ScriptedModel, serving

COMMANDS = 40
LESSON = "The module is made by the build, which had not run."
FAILED = Call("Bash", {"command": FAILING})
LEARNED = {
    "question": "Run it",
    "answer": "Ran the build first.",
    "error": ERROR,
    "outcome": "success",
    "lesson": LESSON,
}
_STAMP = re.compile(r"(\S+Z) \[DEBUG\] (.*)")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--first-request", type=int, metavar="ROUNDS")
    rounds = parser.parse_args().first_request
    claude = installed_claude()
    if rounds:
        tell_first_requests(claude, rounds)
        return
    source = shlex.quote(str(ROOT))
    ways = {
        "the plugin: its hook recalls": (
            f"claude plugin install reflection --marketplace {source}",
            "mcp__plugin_reflection_reflection__",
            [FAILED],
        ),
        "the server: the model asks": (
            "uvx reflection-mcp install claude-code",
            "mcp__reflection__",
            [FAILED, Call("has_seen_error_before", {"error": ERROR})],
        ),
    }
    for name, (command, prefix, recalling) in ways.items():
        with tempfile.TemporaryDirectory() as folder:
            home = Path(folder)
            seconds = first_lesson(claude, home, command, prefix, recalling)
            print(f"{name}\n  user actions: 1 ({command})")
            print("  seconds: " + ", ".join(f"{what} {s:.1f}" for what, s in seconds.items()))
    with tempfile.TemporaryDirectory() as folder:
        for event, waits in hook_waits(claude, Path(folder)).items():
            print(f"{event}: {len(waits)} calls, ms {told(waits)}")


def tell_first_requests(claude: str, rounds: int) -> None:
    """Print how long the first request to the model takes; a round before them warms the disk."""
    waits: dict[str, list[float]] = {
        "no plugin": [],
        "idle plugin": [],
        "plugin": [],
        "with a lesson": [],
    }
    spent: dict[str, list[float]] = {name: [] for name in waits}
    with tempfile.TemporaryDirectory() as folder:
        homes = {name: Path(folder) / name.replace(" ", "-") for name in waits}
        plugins: dict[str, list[str]] = {"no plugin": []}
        for name, home in homes.items():
            home.mkdir()
            if name not in plugins:
                plugins[name] = ["--plugin-dir", str(plugin_in(home))]
        do_nothing(homes["idle plugin"])
        search = Call("ToolSearch", {"query": f"select:{PREFIX}reflect"})
        with serving([search, Call(f"{PREFIX}reflect", LEARNED)]) as model:
            words = [claude, "-p", "go", *plugins["with a lesson"], "--allowedTools", f"{PREFIX}*"]
            done = run(words, homes["with a lesson"], _without_network(model))
            assert "learned" in model.shown(), done.stderr
        for number in range(rounds + 1):
            for name in waits if number % 2 else reversed(waits):
                words = [claude, "-p", "go", *plugins[name]]
                began, before = time.monotonic(), os.times()
                with serving([]) as model:
                    done = run(words, homes[name], _without_network(model))
                after = os.times()
                assert done.returncode == 0, done.stdout + done.stderr
                if number:
                    waits[name].append((model.arrived[0] - began) * 1000)
                    spent[name].append((sum(after[2:4]) - sum(before[2:4])) * 1000)
    for name, each in waits.items():
        ratios = [f"{measure(each) / measure(waits['no plugin']):.2f}" for measure in (min, median)]
        print(
            f"{name:13} first request after ms: min {min(each):.0f}, median {median(each):.0f}; "
            f"beside none: {ratios[0]}, {ratios[1]} ({len(each)} rounds); "
            f"CPU ms: min {min(spent[name]):.0f}, median {median(spent[name]):.0f}"
        )


def do_nothing(home: Path) -> None:
    """Put a server that does nothing into the plugin of a home."""
    record_for_the_next_start()
    kept = current()
    answers = kept and kept.read()
    assert answers, "no folder for a snapshot"
    said = {method: json.loads(result) for method, result in answers["2026-07-28"].items()}
    (home / "answers.json").write_text(json.dumps(said), encoding="utf-8")
    file = home / "plugin" / ".mcp.json"
    servers = json.loads(file.read_bytes())
    script = Path(__file__).with_name("idle_server.py")
    words = ["-IS", str(script), str(home / "answers.json")]
    servers["mcpServers"]["reflection"]["args"] = words
    file.write_text(json.dumps(servers), encoding="utf-8")


def first_lesson(
    claude: str, home: Path, command: str, prefix: str, recalling: Sequence[Call]
) -> Mapping[str, float]:
    """Seconds of each part, from a clean home to the lesson standing before the model."""
    places = _with_shims(claude, home)
    began = time.perf_counter()
    done = run(["sh", "-c", command], home, places)
    assert done.returncode == 0, done.stdout + done.stderr
    installed = time.perf_counter()
    search = Call("ToolSearch", {"query": f"select:{prefix}reflect"})
    with serving([FAILED, search, Call(f"{prefix}reflect", LEARNED)]) as model:
        _turn(home, places, model, prefix)
    learned = time.perf_counter()
    with serving(recalling) as model:
        _turn(home, places, model, prefix)
    assert LESSON in model.shown(), "the lesson was not recalled"
    recalled = time.perf_counter()
    return {
        "installing": installed - began,
        "first conversation": learned - installed,
        "second conversation": recalled - learned,
        "together": recalled - began,
    }


def hook_waits(claude: str, home: Path) -> Mapping[str, list[float]]:
    """Milliseconds from the call of a hook to its last answer, by event, from the host's log."""
    places = _with_shims(claude, home)
    run(["sh", "-c", f"claude plugin install reflection --marketplace {ROOT}"], home, places)
    script = [FAILED]
    for number in range(COMMANDS):
        script.append(Call("Bash", {"command": f"touch made{number}"}))
        script.append(Call("Bash", {"command": f"python3 -IS -c 'import missing{number}'"}))
    log = home / "debug.log"
    with serving(script) as model:
        _turn(home, places, model, "mcp__", "--debug-file", str(log))
    return waits_in(log.read_text(encoding="utf-8"))


def waits_in(log: str) -> Mapping[str, list[float]]:
    """The waits that a log of Claude Code tells; hooks of one event run side by side."""
    waits: dict[str, list[float]] = {}
    called: datetime | None = None
    answered = ""
    for stamp, text in _STAMP.findall(log):
        at = datetime.fromisoformat(stamp)
        if "mcp_tool calling" in text and (called is None or answered):
            called, answered = at, ""
        elif (event := re.match(r'"Hook (\w+)', text)) and called is not None:
            taken = (at - called).total_seconds() * 1000
            if answered:
                waits[answered][-1] = taken
            else:
                waits.setdefault(event[1], []).append(taken)
            answered = event[1]
    return waits


def told(waits: Sequence[float]) -> str:
    """The median, the 99th percentile of those after the first, and the first."""
    later = sorted(waits[1:]) or list(waits)
    worst = later[min(len(later) - 1, round(0.99 * len(later)))]
    return f"p50 {median(later):.0f}, p99 {worst:.0f}, the first one {waits[0]:.0f}"


def _turn(
    home: Path, places: Mapping[str, str], model: ScriptedModel, prefix: str, *more: str
) -> None:
    words = ["claude", "-p", "go", "--allowedTools", f"Bash,ToolSearch,{prefix}*", *more]
    done = run(words, home, {**places, **_without_network(model)})
    assert done.returncode == 0, done.stdout + done.stderr


def _without_network(model: ScriptedModel) -> dict[str, str]:
    return {
        "ANTHROPIC_BASE_URL": model.address,
        "ANTHROPIC_API_KEY": "none",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    }


def _with_shims(claude: str, home: Path) -> dict[str, str]:
    """A PATH on which `claude` and `uvx reflection-mcp` are the programs that are measured."""
    _, settings = our_server(home)
    exported = "".join(f"export {name}={shlex.quote(value)}\n" for name, value in settings.items())
    shims = home / "shims"
    shims.mkdir()
    ours = f'{exported}shift\nexec {shlex.quote(sys.executable)} -m reflection_mcp.server "$@"\n'
    for name, text in {"claude": f'exec {shlex.quote(claude)} "$@"\n', "uvx": ours}.items():
        (shims / name).write_text(f"#!/bin/sh\n{text}", encoding="utf-8")
        (shims / name).chmod(0o755)
    return {"PATH": f"{shims}{os.pathsep}{os.environ['PATH']}"}


if __name__ == "__main__":
    main()
