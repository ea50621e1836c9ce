"""What is the most expensive call that can be found for each tool, and how long does a ping wait?

    python -m tests.bench.climb [--calls 200] [--tool reflect] [--seed 1] [--leak 20000]

A real server over stdio. Texts are made of pieces that are hard to read (`tests/hostile.py`, the
blobs), at sizes up to what an argument takes; what cost most is changed a little and tried again. A
call's cost is the CPU time that the server's process used for it. While it runs, the client sends a
ping every 20 ms, and with each one to a second server that has nothing to do: what that one waits
for is the machine.

With `--leak` it makes that many calls instead, of all tools in turn and of changing texts, and
prints the resident memory on the way.
"""

import argparse
import base64
import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from queue import Empty, SimpleQueue
from statistics import median
from typing import Any

from tests import hostile

GOAL_SECONDS = 1.0
GOAL_PING = 0.1
EVERY = 0.02
TICK = os.sysconf("SC_CLK_TCK")

SIZES: Mapping[str, Mapping[str, int]] = {
    "reflect": {"question": 20_000, "answer": 200_000, "context": 200_000, "error": 20_000},
    "answer_with_reflection": {"question": 20_000, "draft": 200_000, "context": 200_000},
    "has_seen_error_before": {"error": 1_000_000},
    "get_insights": {"query": 100_000},
    "record_feedback": {"comment": 2_000},
}
"""The text arguments of each tool and their sizes; an error may be larger and is cut."""

NEEDED: Mapping[str, Mapping[str, object]] = {
    "reflect": {"question": "How many are there?", "answer": "There are 5."},
    "answer_with_reflection": {"question": "How many are there?", "draft": "There are 5."},
    "has_seen_error_before": {"error": "KeyError: 'a'"},
    "get_insights": {"query": "a task"},
    "record_feedback": {"feedback": "positive"},
}


class Server:
    """A server process, its answers by id, and what pings had to wait."""

    def __init__(self, folder: Path) -> None:
        self._log = (folder / "log").open("wb")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "reflection_mcp.server", "--store", str(folder / "store.db")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            cwd=folder,
        )
        self._writing = threading.Lock()
        self._sent: dict[str, float] = {}
        self._settled = threading.Condition()
        self._answers: SimpleQueue[dict[str, Any]] = SimpleQueue()
        self.pings: list[float] = []
        self._number = 0
        threading.Thread(target=self._read, daemon=True).start()
        self._send(
            0,
            "initialize",
            {
                "protocolVersion": "2025-11-25",  # the last era that has a ping
                "capabilities": {},
                "clientInfo": {"name": "climb", "version": "0"},
            },
        )
        assert "result" in self._answers.get()
        self._write({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            now = time.perf_counter()
            message = json.loads(line)
            with self._settled:
                begun = self._sent.pop(str(message.get("id")), None)
                self._settled.notify_all()
            if begun is None:
                self._answers.put(message)
            else:
                self.pings.append(now - begun)

    def _send(self, id: str | int, method: str, params: Mapping[str, object]) -> None:
        self._write({"jsonrpc": "2.0", "id": id, "method": method, "params": params})

    def _write(self, message: Mapping[str, object]) -> None:
        data = json.dumps(message).encode() + b"\n"
        assert self.process.stdin is not None
        with self._writing:
            self.process.stdin.write(data)
            self.process.stdin.flush()

    def ping(self) -> None:
        """Send a ping."""
        self._number += 1
        name = f"p{self._number}"
        self._sent[name] = time.perf_counter()
        self._send(name, "ping", {})

    def call(
        self, tool: str, arguments: Mapping[str, object], control: "Server | None" = None
    ) -> dict[str, Any]:
        """Call a tool and wait for its answer; with a control, both are pinged all the while."""
        self._number += 1
        self._send(self._number, "tools/call", {"name": tool, "arguments": arguments})
        while True:
            try:
                return self._answers.get(timeout=None if control is None else EVERY)
            except Empty:
                assert control is not None
                self.ping()
                control.ping()

    def settle(self) -> None:
        """Wait until every ping is answered."""
        with self._settled:
            self._settled.wait_for(lambda: not self._sent)

    def cpu(self) -> float:
        """CPU seconds of the process so far."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / TICK

    def resident(self) -> float:
        """Resident memory in MB."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
        raise AssertionError

    def close(self) -> int:
        """End the process; its exit code."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        code = self.process.wait()
        self._log.close()
        return code


# --------------------------------------------------------------------------- texts

Gene = tuple[tuple[str, float], ...]
"""Pieces, and the share of a text that each fills."""


def pieces(chance: random.Random) -> list[str]:
    """What texts are made of."""
    blob = chance.randbytes(60_000)
    found = [*hostile.CHECKED, *hostile.PRINTED, *hostile.STEERING]
    found += [piece for piece in hostile.WORKED.values() if isinstance(piece, str)]
    found += [
        blob.hex(), base64.b64encode(blob).decode(), "((\n", "2 + 2 = 5. ", "\\S", "\\u0041",
        "This is the dump that you asked for: ", '{"a": [1, 2, {"b": "c"}], ', "Smith Ltd. ",
        "x = 3x + 5, ", "Step 1: 12 * 3 = 38. ", "- item number one\n", "#define A\n", "@a#b@c.d ",
        "| a | b |\n", "In 1999, Ann Lee of Acme Corp. paid $1,234.50. ", "```python\nx = (\n```\n",
    ]  # fmt: skip
    return found


def made(gene: Gene, size: int) -> str:
    """The text of a gene."""
    return "".join((piece * (size // len(piece) + 1))[: int(size * share)] for piece, share in gene)


def fresh(chance: random.Random, stock: list[str]) -> Gene:
    """A gene by chance: one to three pieces."""
    count = chance.choice((1, 1, 2, 3))
    cuts = [chance.random() + 0.01 for _ in range(count)]
    return tuple((chance.choice(stock), cut / sum(cuts)) for cut in cuts)


def changed(gene: Gene, chance: random.Random, stock: list[str]) -> Gene:
    """A gene a little different."""
    other = list(gene)
    at = chance.randrange(len(other))
    match chance.randrange(4):
        case 0:
            other[at] = (chance.choice(stock), other[at][1])
        case 1:
            other[at] = (other[at][0] + chance.choice(stock)[:200], other[at][1])
        case 2:
            other = [(piece, share * 0.98) for piece, share in other]
            other.append((chance.choice(stock), 0.02))
        case _:
            chance.shuffle(other)
    return tuple(other[:6])


def climb(
    server: Server, control: Server, tool: str, calls: int, chance: random.Random
) -> Iterator[tuple[float, str, Gene]]:
    """What calls of a tool cost, with the argument and the gene that it was."""
    stock = pieces(chance)
    best: dict[str, tuple[float, Gene]] = {}
    for number in range(calls):
        name = chance.choice(list(SIZES[tool]))
        cost, gene = best.get(name, (0.0, ()))
        tried = changed(gene, chance, stock) if gene and number % 2 else fresh(chance, stock)
        text = made(tried, SIZES[tool][name])
        before = server.cpu()
        answer = server.call(tool, {**NEEDED[tool], name: text}, control)
        server.settle()
        spent = server.cpu() - before
        assert "result" in answer, answer
        if spent > cost:
            best[name] = (spent, tried)
        yield spent, name, tried


def share(values: list[float], part: float) -> float:
    """The value below which this part of them lies."""
    return sorted(values)[min(len(values) - 1, int(len(values) * part))] if values else 0.0


def climbed(tools: list[str], calls: int, seed: int) -> int:
    """Print the worst call of each tool, and the pings; 1 when a goal was missed."""
    missed = False
    for tool in tools:
        with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as other:
            server, control = Server(Path(one)), Server(Path(other))
            server.call("reflect", NEEDED["reflect"])
            steps = climb(server, control, tool, calls, random.Random(seed))
            worst = max(steps, key=lambda step: step[0])
            control.settle()
            codes = server.close(), control.close()
        missed |= worst[0] > GOAL_SECONDS or share(server.pings, 0.99) > GOAL_PING or any(codes)
        print(
            f"{tool:24} worst of {calls}: {worst[0]:5.2f} CPU s ({worst[1]}: "
            f"{[(piece[:24], round(part, 2)) for piece, part in worst[2]]}); pings "
            f"{waits(server.pings)}; control {waits(control.pings)}; codes {codes}",
            flush=True,
        )
    return int(missed)


def waits(pings: list[float]) -> str:
    """How many pings there were, and how long they waited."""
    if not pings:
        return "0"
    values = (median(pings), share(pings, 0.99), max(pings))
    middle, late, worst = (f"{value * 1000:.0f} ms" for value in values)
    return f"{len(pings)}: median {middle}, p99 {late}, worst {worst}"


def leaked(calls: int, seed: int) -> int:
    """Print the resident memory after thousands of calls."""
    chance = random.Random(seed)
    stock = pieces(chance)
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        for number in range(1, calls + 1):
            tool = chance.choice(list(SIZES))
            name = chance.choice(list(SIZES[tool]))
            # The same 300 texts of each argument: what grows is not to be the store.
            which = random.Random(chance.randrange(300))
            size = min(SIZES[tool][name], which.choice((100, 400, 1_500)))
            text = made(fresh(which, stock), size)
            arguments = {**NEEDED[tool], name: text[:2_000]}
            assert "result" in server.call(tool, arguments)
            if number % 2_500 == 0:
                print(f"{number:6} calls: {server.resident():6.1f} MB", flush=True)
        print(f"code {server.close()}")
    return 0


def main() -> int:
    """Climb, or look for a leak."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--calls", type=int, default=200, help="of each tool")
    parser.add_argument("--tool", choices=list(SIZES), help="only this one")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--leak", type=int, metavar="CALLS", help="look for a leak instead")
    asked = parser.parse_args()
    if asked.leak:
        return leaked(asked.leak, asked.seed)
    return climbed([asked.tool] if asked.tool else list(SIZES), asked.calls, asked.seed)


if __name__ == "__main__":
    sys.exit(main())
