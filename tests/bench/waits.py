"""For what does a user wait: the lists, the first call of a process, and a start on a busy machine?

    python -m tests.bench.waits [--rounds 7] [--load 8] [--busy 10]

list     spawn to the answer to tools/list, beside the SDK's own server with one trivial tool
memory   resident set in MB: after the hooks of a host only; after the lists and an idle time
first    the first look-up and the first reflect of a process, after an idle time and without one:
         milliseconds until the answer
busy     spawn to tools/list while `--load` processes do nothing but compute: the longest of
         `--busy` starts, and how many were below the three seconds that one host waits

One start of ours goes before all that, so that there is a snapshot. Every round starts each server
once, in turns, so that a busy machine is busy for all. Minimum and median. Asserts nothing.
"""

import argparse
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from tests.bench.endings import busy
from tests.bench.stdio_bench import BARE, OURS, Run, running
from tests.e2e.wire import ENVELOPE, Message

ERA = "2026-07-28"
LIMIT = 3.0
"""Seconds after which Cline gives a server up."""
HOST = {**ENVELOPE, "io.modelcontextprotocol/clientInfo": {"name": "claude-code", "version": "2"}}
ERROR = "Exit code 1\nModuleNotFoundError: No module named 'yaml'"
LOOK_UP: Message = {"error": ERROR}
REFLECT: Message = {
    "question": "Why does the import fail?",
    "answer": "PyYAML was not installed.",
    "error": ERROR,
    "outcome": "success",
    "lesson": "The package that provides yaml is called PyYAML.",
}
QUIET = 5
"""Looks in a row, a tenth of a second apart, at which an idle process has computed nothing."""


def idle(run: Run) -> None:
    """Wait until the process computes nothing."""
    quiet, before = 0, run.cpu()
    while quiet < QUIET:
        time.sleep(0.1)  # nothing tells another process that one has gone idle
        now = run.cpu()
        quiet = quiet + 1 if now == before else 0
        before = now


def hooked(run: Run) -> None:
    """Be a host that lists the tools and runs hooks."""
    for name, error in (("UserPromptSubmit", ""), ("PostToolUseFailure", ERROR)):
        event = {"hook": name, "type": "tool_call", "content": "python app.py", "error": error}
        arguments = {"question": name, "answer": "", "conversation_id": "c", "events": [event]}
        run.call("reflect", arguments)


def row(label: str, values: Sequence[float], beside: Sequence[float] | None = None) -> None:
    ratio = ""
    if beside is not None:
        low, middle = min(values) / min(beside), median(values) / median(beside)
        ratio = f"{low:>9.2f}{middle:>9.2f}"
    print(f"{label:<34}{min(values):>9.1f}{median(values):>9.1f}{ratio}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--load", type=int, default=8)
    parser.add_argument("--busy", type=int, default=10)
    asked = parser.parse_args()
    figures: dict[str, list[float]] = {}

    def note(label: str, value: float) -> None:
        figures.setdefault(label, []).append(value)

    with tempfile.TemporaryDirectory() as folder:
        ours = (*OURS, "--store", str(Path(folder) / "store.db"))
        with running(ours, ERA) as run:  # makes the snapshot, and the store
            run.list_tools()
            run.call("reflect", REFLECT)
            run.end(None)
        for _ in range(asked.rounds):
            with running(BARE, ERA) as run:
                note("bare list", run.list_tools() * 1000)
                note("bare MB", run.memory()[0])
                note("bare first", run.call("echo", {"text": "x"}) * 1000)
            with running(ours, ERA) as run:
                note("ours list", run.list_tools() * 1000)
                note("look-up at once", run.call("has_seen_error_before", LOOK_UP) * 1000)
            with running(ours, ERA) as run:
                run.list_tools()
                note("reflect at once", run.call("reflect", REFLECT) * 1000)
            with running(ours, ERA) as run:
                run.list_tools()
                idle(run)
                note("warm MB", run.memory()[0])
                note("look-up after idle", run.call("has_seen_error_before", LOOK_UP) * 1000)
            with running(ours, ERA) as run:
                run.list_tools()
                idle(run)
                note("reflect after idle", run.call("reflect", REFLECT) * 1000)
            with running(ours, ERA) as run:
                run.envelope = HOST
                run.list_tools()
                idle(run)
                begun = time.perf_counter()
                hooked(run)
                note("two hooks after idle", (time.perf_counter() - begun) * 1000)
                note("hooks MB", run.memory()[0])
        print(f"{'':<34}{'min':>9}{'median':>9}{'x min':>9}{'x med':>9}")
        row("tools/list, bare, ms", figures["bare list"])
        row("tools/list, ours", figures["ours list"], figures["bare list"])
        row("resident, bare, MB", figures["bare MB"])
        row("resident, ours, hooks only", figures["hooks MB"], figures["bare MB"])
        row("resident, ours, after warm-up", figures["warm MB"], figures["bare MB"])
        row("first trivial call, bare, ms", figures["bare first"])
        for label in ("look-up after idle", "reflect after idle", "two hooks after idle"):
            row(f"first {label}", figures[label])
        for label in ("look-up at once", "reflect at once"):
            row(f"first {label}, with the SDK", figures[label])
        with busy(asked.load):
            for _ in range(asked.busy):
                for label, command in (("bare busy", BARE), ("ours busy", ours)):
                    with running(command, ERA) as run:
                        note(label, run.list_tools())
        for label in ("bare busy", "ours busy"):
            below = sum(each < LIMIT for each in figures[label])
            print(f"{label}: longest {max(figures[label]):.1f} s, {below} of {asked.busy} in time")


if __name__ == "__main__":
    main()
