"""Does a busy machine's server end right: 40 signals at any moment, 40 ends of input behind a call?

    python -m tests.bench.endings [--each 40] [--load 8]

Each time a new server on a new store is given reflections at once, on a machine on which `--load`
processes do nothing but compute. The load average is told, too: others may add to it.

SIGTERM   after 0 to 3 s, evenly spread, every other time counted from the server's first answer,
          so that it comes in the middle of the first calls. Right is exit code 143 (or death by
          SIGTERM before the first line of ours was run, for which a shell says the same), nothing
          but log lines on stderr, every call that was read answered once, and every one that was
          answered with a result in the store.
end       of input right behind one reflection, or behind twenty. Right is exit code 0, an answer
          with a result for each, and each in the store.

A server that has not ended after `--longest` seconds is killed, and wrong. What is known so far is
printed after every fourth. The exit code is 1 when one was wrong.
"""

import argparse
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.e2e.wire import ENVELOPE

OURS = (sys.executable, "-m", "reflection_mcp.server")
LATEST_SIGNAL = 3.0
SHOWN_EVERY = 4


@dataclass(frozen=True)
class End:
    """How a server ended, and what it had answered."""

    code: int
    results: Sequence[int]
    errors: int
    stored: int
    talk: str
    seconds: float

    @property
    def quiet(self) -> bool:
        """Whether stderr holds nothing but lines of the log."""
        return all(line.startswith('{"time"') for line in self.talk.splitlines())

    @property
    def kept(self) -> bool:
        """Whether nothing was answered twice, and what was answered is stored."""
        return len(set(self.results)) == len(self.results) <= self.stored


@contextmanager
def busy(count: int) -> Generator[None]:
    """So many processes that compute."""
    idle = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for process in idle:
            process.kill()
            process.wait()


def reflections(count: int) -> bytes:
    """Calls that each keep an attempt and a lesson."""
    lines: list[str] = []
    for number in range(1, count + 1):
        arguments = {
            "question": f"Why did step {number} fail?",
            "answer": f"Step {number} had no key; 2 + 2 = 5.",
            "error": f"KeyError: 'step{number}'",
            "outcome": "success",
            "lesson": f"Step number {number} needs its key before it starts",
        }
        params = {"name": "reflect", "arguments": arguments, "_meta": ENVELOPE}
        call = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
        lines.append(json.dumps(call))
    return ("\n".join(lines) + "\n").encode()


GREETING = json.dumps(
    {"jsonrpc": "2.0", "id": 0, "method": "server/discover", "params": {"_meta": ENVELOPE}}
)


def ended(
    folder: Path, count: int, after: float | None, *, longest: float, greeted: bool = False
) -> End:
    """Start a server, hand it reflections, and end it: by a signal after some seconds, or not."""
    store = folder / "store.db"
    begun = time.monotonic()
    with (folder / "talk").open("wb") as talk:
        process = subprocess.Popen(
            [*OURS, "--store", str(store)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=talk,
            cwd=folder,
        )
        assert process.stdin is not None and process.stdout is not None
        killer = threading.Timer(longest, process.kill)
        killer.start()
        if greeted:
            process.stdin.write(f"{GREETING}\n".encode())
            process.stdin.flush()
            process.stdout.readline()
        with suppress(BrokenPipeError):  # it was killed
            process.stdin.write(reflections(count))
            process.stdin.flush()
        if after is None:
            process.stdin.close()
        else:
            with suppress(subprocess.TimeoutExpired):
                process.wait(after)  # it should live until then
            process.send_signal(signal.SIGTERM)
        answers = [json.loads(line) for line in process.stdout]
        code = process.wait()
        killer.cancel()
    results = [one["id"] for one in answers if "result" in one and not one["result"].get("isError")]
    return End(
        code,
        results,
        len(answers) - len(results),
        attempts(store),
        (folder / "talk").read_text(),
        time.monotonic() - begun,
    )


def attempts(store: Path) -> int:
    """How many attempts a store holds, which may not have been made yet."""
    try:
        with closing(sqlite3.connect(f"file:{store}?mode=ro", uri=True)) as opened:
            return int(opened.execute("SELECT count(*) FROM attempt").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def one(name: str, folder: Path, number: int, asked: argparse.Namespace) -> tuple[End, bool]:
    """How one server ended, and whether that was right."""
    if name == "SIGTERM":
        after, greeted = LATEST_SIGNAL * number / asked.each, bool(number % 2)
        end = ended(folder, 12, after, longest=asked.longest, greeted=greeted)
        unread = end.code == -signal.SIGTERM and not end.results and not greeted
        right = (end.code == 128 + signal.SIGTERM or unread) and end.quiet and end.kept
        return end, right and (not greeted or len(end.results) + end.errors in (0, 12))
    count = 20 if number % 2 else 1
    end = ended(folder, count, None, longest=asked.longest)
    right = end.code == 0 and end.quiet and end.kept
    return end, right and len(end.results) == count == end.stored


def told(name: str, ends: Sequence[End], wrong: int) -> str:
    """What is known of the ends so far."""
    return (
        f"{name:8} {len(ends) - wrong} of {len(ends)} right; codes "
        f"{dict(Counter(end.code for end in ends))}, {sum(len(end.results) for end in ends)} "
        f"results, {sum(end.errors for end in ends)} errors, "
        f"{sum(end.stored for end in ends)} stored, longest "
        f"{max(end.seconds for end in ends):.1f} s, load {os.getloadavg()[0]:.1f}"
    )


def main() -> int:
    """Print how many ended right; 1 when not all did."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--each", type=int, default=40)
    parser.add_argument("--load", type=int, default=8)
    parser.add_argument("--longest", type=float, default=120.0)
    asked = parser.parse_args()
    every_wrong = 0
    with tempfile.TemporaryDirectory() as room, busy(asked.load):
        for name in ("SIGTERM", "end"):
            ends: list[End] = []
            wrong = 0
            for number in range(asked.each):
                folder = Path(room, f"{name}{number}")
                folder.mkdir()
                end, right = one(name, folder, number, asked)
                ends.append(end)
                if not right:
                    wrong += 1
                    print(f"wrong: {end}", flush=True)
                if len(ends) % SHOWN_EVERY == 0 or len(ends) == asked.each:
                    print(told(name, ends, wrong), flush=True)
            every_wrong += wrong
    return int(every_wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
