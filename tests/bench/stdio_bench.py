"""How fast does the real server start, answer and end, beside the SDK's own with one tool?

    python -m tests.bench.stdio_bench [--rounds 9] [--reflections 10000] [--calls 300]
                                      [--era 2026-07-28] [--keep STORE]

start   spawn to the first answer to tools/list; wall clock, and the CPU time the process used
memory  resident and proportional set after that answer
call    one request after the other; the look-ups are of errors that are stored (told from another
        checkout, line and process) and of errors that are not, on a store of N reflections; a write
        is a `reflect` that keeps the lesson of a new error
end     end of input, or SIGTERM, to the end of the process
import  what of ours is loaded once the server has answered, and what loading it costs, from
        -X importtime in a process of its own

Runs are interleaved, so that a busy machine is busy for both; minimum and median of all rounds.
Bytecode is compiled first. Asserts nothing.
"""

import argparse
import compileall
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import product
from pathlib import Path
from statistics import median, quantiles

import anyio

from reflection_mcp.store.open import open_store
from reflection_mcp.store.records import Lesson, Scope
from reflection_mcp.tools.identity import fingerprint
from reflection_mcp.tools.learning.reflector import LessonFacts, from_caller
from tests.e2e.wire import ENVELOPE, Message

ROOT = Path(__file__).parents[2]
BARE = (sys.executable, "-m", "tests.bench.bare_server")
OURS = (sys.executable, "-m", "reflection_mcp.server")
PROJECT = "bench"
HEAVY = ("anthropic", "sqlite_utils", "rapidfuzz", "starlette", "httpx", "rich")


# --------------------------------------------------------------------------- a server under test


@dataclass
class Run:
    """One process, spoken to without threads, so that nothing but the server is measured."""

    process: subprocess.Popen[bytes]
    era: str
    started: float
    last_id: int = 0
    envelope: Message = field(default_factory=lambda: dict(ENVELOPE))

    def send(self, method: str, params: Message, **more: object) -> None:
        if self.era == "2026-07-28":
            params = {**params, "_meta": self.envelope}
        message = {"jsonrpc": "2.0", "method": method, "params": params, **more}
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()

    def request(self, method: str, params: Message) -> Message:
        assert self.process.stdout is not None
        self.last_id += 1
        self.send(method, params, id=self.last_id)
        for line in self.process.stdout:
            answer: Message = json.loads(line)
            if answer.get("id") == self.last_id and "result" in answer:
                return answer
        raise SystemExit(f"no answer to {method}")

    def list_tools(self) -> float:
        """Greet and list the tools; seconds since the spawn."""
        if self.era != "2026-07-28":
            client = {"name": "bench", "version": "0"}
            hello = {"protocolVersion": self.era, "capabilities": {}, "clientInfo": client}
            self.request("initialize", hello)
            self.send("notifications/initialized", {})
        self.request("tools/list", {})
        return time.perf_counter() - self.started

    def call(self, tool: str, arguments: Message) -> float:
        """Call a tool; seconds until its answer."""
        begun = time.perf_counter()
        answer = self.request("tools/call", {"name": tool, "arguments": arguments})
        spent = time.perf_counter() - begun
        assert not answer["result"].get("isError"), answer
        return spent

    def cpu(self) -> float:
        """CPU seconds used so far, by all threads."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory(self) -> tuple[float, float]:
        """Resident and proportional set in MB."""
        text = Path(f"/proc/{self.process.pid}/smaps_rollup").read_text()
        kilobytes = dict(re.findall(r"^(Rss|Pss):\s+(\d+)", text, re.MULTILINE))
        return int(kilobytes["Rss"]) / 1024, int(kilobytes["Pss"]) / 1024

    def end(self, number: signal.Signals | None) -> float:
        """End the process by a signal, or by the end of its input; seconds until it is over."""
        assert self.process.stdin is not None
        begun = time.perf_counter()
        if number is None:
            self.process.stdin.close()
        else:
            self.process.send_signal(number)
        self.process.wait(10)
        return time.perf_counter() - begun


@contextmanager
def running(command: Sequence[str], era: str) -> Generator[Run]:
    environment = {name: value for name, value in os.environ.items() if not private(name)}
    started = time.perf_counter()
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        try:
            yield Run(process, era, started)
        finally:
            process.kill()


def private(name: str) -> bool:
    """Settings of the caller that would change what is measured."""
    return name.startswith(("REFLECTION_", "ANTHROPIC_")) or name == "PYTHONDONTWRITEBYTECODE"


# --------------------------------------------------------------------------- what is stored

SYLLABLES = ("ka", "lo", "mi", "re", "su", "ta", "vo", "ne", "xi", "du")
SHAPES = (
    "ModuleNotFoundError: No module named '{a}_{b}'",
    "KeyError: '{a}_{b}'",
    "AttributeError: 'NoneType' object has no attribute '{a}_{b}'",
    "error TS2304: Cannot find name '{a}{b}'.",
    'psycopg.errors.UndefinedTable: relation "{a}_{b}" does not exist',
)


def errors(count: int, *, place: str) -> list[str]:
    """Different errors, as printed at one place: another place is another checkout and process."""
    names = ["".join(part) for part in product(SYLLABLES, repeat=3)]
    found: list[str] = []
    for number in range(count):
        a, b = names[number % 1000], names[number // 1000 * 7 % 1000]
        told = SHAPES[number % len(SHAPES)].format(a=a, b=b)
        frame = f'  File "{place}/app/{a}.py", line {number % 90 + len(place)}, in {b}'
        found.append(f"Traceback (most recent call last):\n{frame}\n    {b}()\n{told}")
    return found


async def fill(path: Path, count: int) -> None:
    """Store as many reflections, each the lesson of one error."""
    store = await open_store(str(path))
    at = datetime.now(UTC)
    for number, error in enumerate(errors(count, place="/home/ada/work")):
        learned = LessonFacts(
            scope=Scope(project=PROJECT),
            source="bench",
            at=at,
            event_id=f"event-{number}",
            lesson=Lesson(
                text=f"The name of part {number} was not what its caller took it for.",
                strategy="Look the name up where it is defined before using it.",
                outcome="success",
            ),
            error=error,
        )
        observation = from_caller(learned, f"ref-{number}", fingerprint(error, None), None)
        assert observation is not None
        await store.record(Scope(project=PROJECT), observation)
    await store.close()


# --------------------------------------------------------------------------- the figures


@dataclass(frozen=True)
class Figures:
    """What was measured of one server, a value for each round."""

    start: list[float]
    cpu: list[float]
    rss: list[float]
    pss: list[float]
    end: list[float]
    term: list[float]


def starts(commands: Sequence[Sequence[str]], rounds: int, era: str) -> list[Figures]:
    """Start and end every server once in each round."""
    figures = [Figures([], [], [], [], [], []) for _ in commands]
    for round_, (figure, command) in product(
        range(rounds), list(zip(figures, commands, strict=True))
    ):
        with running(command, era) as run:
            figure.start.append(run.list_tools() * 1000)
            figure.cpu.append(run.cpu() * 1000)
            rss, pss = run.memory()
            figure.rss.append(rss)
            figure.pss.append(pss)
            # The SDK's server does not close anything on SIGTERM; its time is the kernel's.
            by_signal = round_ % 2 == 1
            spent = run.end(signal.SIGTERM if by_signal else None) * 1000
            (figure.term if by_signal else figure.end).append(spent)
    return figures


def calls(ours: Sequence[str], count: int, reflections: int, era: str) -> dict[str, list[float]]:
    """Latencies in milliseconds, the three kinds of calls in turn."""
    tool = "has_seen_error_before"
    known = errors(reflections, place="/builds/other/checkout")
    step = max(1, reflections // count)
    kinds = ("bare echo", "look-up, stored", "look-up, new", "write")
    spent: dict[str, list[float]] = {kind: [] for kind in kinds}
    with running(BARE, era) as yardstick, running(ours, era) as run:
        for warming in (yardstick, run):
            warming.list_tools()
        yardstick.call("echo", {"text": "x"})
        run.call(tool, {"error": known[0]})
        for number in range(99_000, 99_020):  # as many as a conversation's newest that are read
            run.call("reflect", fixed(number))
        for number in range(count):
            stored = known[number * step % reflections]
            name = "".join(SYLLABLES[int(digit)] for digit in f"{number + 50_000}")
            new = f"ValueError: {name} is not a valid Part"
            spent["bare echo"].append(yardstick.call("echo", {"text": stored}) * 1000)
            spent["look-up, stored"].append(run.call(tool, {"error": stored}) * 1000)
            spent["look-up, new"].append(run.call(tool, {"error": new}) * 1000)
            spent["write"].append(run.call("reflect", fixed(number)) * 1000)
    return spent


def fixed(number: int) -> Message:
    """A fix of an error that is not stored yet, with what was learned."""
    # Without digits: those are masked, and two such names were one error.
    part = "".join(SYLLABLES[int(digit)] for digit in f"{number:05}")
    return {
        "question": f"Why does the import of {part} fail?",
        "answer": f"The package of {part} was not installed; with it the tests pass.",
        "error": f"ModuleNotFoundError: No module named '{part}'",
        "outcome": "success",
        "lesson": f"The package that provides {part} has another name.",
        "strategy": "Look up the name of the package before you install it.",
    }


IMPORTED = re.compile(r"^import time:\s+(\d+) \|\s+(\d+) \| ( *)(\S+)$", re.MULTILINE)


def imports(command: Sequence[str]) -> dict[str, float]:
    """Milliseconds for each module that is loaded up to the end of an empty input, itself only."""
    program, *arguments = command
    timed = subprocess.run(
        [program, "-X", "importtime", *arguments],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=True,
    )
    return {name: int(own) / 1000 for own, _, _, name in IMPORTED.findall(timed.stderr)}


# --------------------------------------------------------------------------- telling


def row(label: str, unit: str, bare: Sequence[float], ours: Sequence[float]) -> str:
    low, middle = min(ours) / min(bare), median(ours) / median(bare)
    return (
        f"{label:<16}{unit:<4}{min(bare):>9.1f}{median(bare):>9.1f}"
        f"{min(ours):>9.1f}{median(ours):>9.1f}{low:>9.2f}{middle:>9.2f}"
    )


def tell_starts(bare: Figures, ours: Figures) -> None:
    print(
        f"{'':<20}{'bare min':>9}{'median':>9}{'ours min':>9}{'median':>9}{'x min':>9}{'x med':>9}"
    )
    print(row("start, wall", "ms", bare.start, ours.start))
    print(row("start, CPU", "ms", bare.cpu, ours.cpu))
    print(row("resident", "MB", bare.rss, ours.rss))
    print(row("proportional", "MB", bare.pss, ours.pss))
    print(row("end of input", "ms", bare.end, ours.end))
    if ours.term:
        print(row("SIGTERM", "ms", bare.term, ours.term))


def tell_calls(spent: dict[str, list[float]]) -> None:
    print(f"\n{'':<20}{'p50 ms':>9}{'p99 ms':>9}{'min ms':>9}{'x p50':>9}")
    base = median(next(iter(spent.values())))
    for label, times in spent.items():
        figures = (median(times), quantiles(times, n=100)[98], min(times), median(times) / base)
        print(f"{label:<20}{''.join(f'{figure:>9.3f}' for figure in figures)}")


def tell_imports(bare: dict[str, float], ours: dict[str, float]) -> None:
    own = {name: cost for name, cost in ours.items() if name.startswith("reflection_mcp")}
    brought = {name: cost for name, cost in ours.items() if name not in bare and name not in own}
    print(f"\n{len(own)} modules of ours, {sum(own.values()):.1f} ms of their own")
    for name, cost in sorted(own.items(), key=lambda item: -item[1])[:6]:
        print(f"  {cost:6.1f} ms  {name}")
    print(f"{len(brought)} modules brought in by them, {sum(brought.values()):.1f} ms")
    for name, cost in sorted(brought.items(), key=lambda item: -item[1])[:6]:
        print(f"  {cost:6.1f} ms  {name}")
    loaded = {name.partition(".")[0] for name in ours}
    print("heavy ones loaded:", ", ".join(sorted(loaded & set(HEAVY))) or "none")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--reflections", type=int, default=10_000)
    parser.add_argument("--calls", type=int, default=300)
    parser.add_argument("--era", choices=("2025-11-25", "2026-07-28"), default="2026-07-28")
    parser.add_argument("--keep", type=Path, help="a store to fill once and use again")
    options = parser.parse_args()
    for folder in ("server", "tools", "store", "tests"):
        compileall.compile_dir(ROOT / folder, quiet=1)
    with tempfile.TemporaryDirectory() as folder:
        path = options.keep or Path(folder) / "bench.db"
        ours = (*OURS, "--store", str(path), "--project", PROJECT)
        tell_starts(*starts((BARE, ours), options.rounds, options.era))
        if options.reflections:
            if not path.exists():
                begun = time.perf_counter()
                anyio.run(fill, path, options.reflections)
                print(f"\nfilled in {time.perf_counter() - begun:.1f} s")
            tell_calls(calls(ours, options.calls, options.reflections, options.era))
        tell_imports(imports(BARE), imports(ours))


if __name__ == "__main__":
    main()
