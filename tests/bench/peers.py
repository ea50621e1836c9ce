"""Do other memory servers know an error again, and leave its look-alikes alone?

    python -m tests.bench.peers --install [--starts 7]

Installs each peer aside, below `REFLECTION_OUTSIDE` or the temporary folder: about 400 MB and a
minute or two; without `--install` it only says so. Then it speaks MCP to each, ours included, and
writes `docs/results/peers.json`. No peer is given a key or a model.

Each of 12 families of errors, of our own making, is told in three forms (other paths, line numbers,
process ids), with one lesson. Then the first answer to a fourth form is read: does it hold the
lesson? So is the answer to an error that only looks alike, which must not hold it, and to ten
requests that are about something else. Last, four processes write 25 lessons each at once; lost is
what was acknowledged and is not there afterwards. A search tool that gives the nearest thing it has
claims no identity; but an assistant that asks it sees a fix.

With `--starts` only the time from the spawn of each to its list of tools, in turns, after one start
that compiles it: minimum and median of so many rounds.
"""

import argparse
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import IO, Any

from tests.bench.results import write
from tests.hosts.optin.programs import npm, python_with

PROCESSES, WRITES = 4, 25
BYTES_PER_TOKEN = 4.37  # of definitions in o200k, as in tests/mcp/test_definitions.py

FAMILIES = (
    ("File \"{p}/app/load.py\", line {n}, in read\nModuleNotFoundError: No module named 'yaml'",
     "'yaml'", "'requests'"),
    ("{p}/src/cart.ts:{n}:7 - error TS2339: Property 'total' does not exist on type 'Cart'.",
     "'total'", "'vat'"),
    ("[{n}] FATAL: password authentication failed for user \"shop\" ({p}/pg.log)",
     "\"shop\"", "\"admin\""),
    ("Error: listen EADDRINUSE: address already in use :::8080\n    at {p}/server.js:{n}:12",
     ":::8080", ":::5432"),
    ("{p}/go/main.go:{n}:2: undefined: parseOrder", "parseOrder", "parseUser"),
    ("error[E0382]: borrow of moved value: `order`\n  --> {p}/src/main.rs:{n}:20",
     "E0382]: borrow of moved value", "E0425]: cannot find value"),
    ("npm ERR! code ERESOLVE\nnpm ERR! Could not resolve dependency: peer react@\"17\"\n"
     "npm ERR! {p}/.npm/_logs/{n}-debug.log", "peer react", "peer vue"),
    ("File \"{p}/shop/price.py\", line {n}, in vat\nKeyError: 'rate'", "'rate'", "'country'"),
    ("java.lang.NullPointerException: Cannot invoke \"Order.getId()\"\n\tat shop.Run.main"
     "({p}/Run.java:{n})", "Order.getId()", "Order.getUser()"),
    ("{p}/build.sh: line {n}: protoc: command not found", "protoc", "cmake"),
    ("pid {n}: PermissionError: [Errno 13] Permission denied: '{p}/cache/index.db'",
     "PermissionError: [Errno 13] Permission denied", "FileNotFoundError: [Errno 2] No such file"),
    ("[{n}] ERROR: relation \"invoices\" does not exist ({p}/migrate.sql)",
     "relation \"invoices\"", "column \"invoices\""),
)  # fmt: skip
"""Each error, the words that make it this error, and those that make it another one."""
PLACES = (("/home/ann", 12), ("/srv/build-77", 88), ("/Users/bob/w", 4021), ("/opt/ci/9f3a", 315))
UNRELATED = (
    "Write a haiku about autumn.", "What is the capital of Australia?", "Bake bread without yeast.",
    "Translate good morning into Finnish.", "Plan a weekend in Lisbon.", "Explain photosynthesis.",
    "Name three novels by Jane Austen.", "How do I prune roses?", "Convert 5 miles to kilometres.",
    "Suggest a name for a cat.",
)  # fmt: skip


def mark(family: int) -> str:
    """The word by which a lesson is known in an answer."""
    return f"REMEDY{family:02}Q"


def error(family: int, form: int, *, alike: bool = False) -> str:
    """An error of a family in one form, or one that only looks alike."""
    text, own, other = FAMILIES[family]
    place, number = PLACES[form]
    said = text.format(p=place, n=number)
    assert own in said
    return said.replace(own, other) if alike else said


Call = tuple[str, dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """A memory server: how it is started, told and asked, and how its rows are counted."""

    name: str
    start: Callable[[], Sequence[str]]
    tell: Callable[[str, str], Call]
    ask: Callable[[str], Call]
    rows: Callable[[Path], int]
    environment: Mapping[str, str]


class Session:
    """One process of a server, and a client that speaks JSON lines to it."""

    def __init__(self, words: Sequence[str], home: Path, environment: Mapping[str, str]) -> None:
        clean = {"HOME": str(home), "PATH": os.environ["PATH"], "HF_HUB_OFFLINE": "1"}
        own = {name: value.format(home=home) for name, value in environment.items()}
        self._process = subprocess.Popen(
            words, cwd=home, env={**clean, **own},
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self._id = 0
        client = {"name": "bench", "version": "1"}
        opening = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
        self._ask("initialize", opening)
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        self.tools: list[dict[str, Any]] = self._ask("tools/list", {})["tools"]

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        assert self._process.stdin is not None and self._process.stdout is not None
        return self._process.stdin, self._process.stdout

    def _send(self, message: dict[str, Any]) -> None:
        pipe, _ = self._pipes()
        pipe.write(json.dumps(message).encode() + b"\n")
        pipe.flush()

    def _ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self._id += 1
        self._send({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})
        while line := self._pipes()[1].readline():
            if line.startswith(b"{") and (answer := json.loads(line)).get("id") == self._id:
                result: dict[str, Any] = answer.get("result", {"isError": True, "content": []})
                return result
        raise OSError("the server has ended")

    def call(self, call: Call) -> tuple[bool, str]:
        """Whether a tool says that it worked, and its text."""
        result = self._ask("tools/call", {"name": call[0], "arguments": call[1]})
        text = "\n".join(part.get("text", "") for part in result["content"])
        return not result.get("isError") and not text.startswith("Failed"), text

    def end(self) -> None:
        """Close the client's side and wait; a server that stays is ended."""
        self._pipes()[0].close()
        try:
            self._process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self._process.terminate()
            self._process.wait(timeout=20)


@contextmanager
def session(peer: Peer, home: Path) -> Generator[Session]:
    """A server of the peer whose home is this folder."""
    opened = Session(peer.start(), home, peer.environment)
    try:
        yield opened
    finally:
        opened.end()


# --------------------------------------------------------------------------- the peers


def _entities(home: Path) -> int:
    lines = (home / "memory.jsonl").read_text(encoding="utf-8").splitlines()
    whole = [line for line in lines if line.startswith("{") and line.endswith("}")]
    return sum(json.loads(line).get("type") == "entity" for line in whole)


def _counted(file: str, query: str) -> Callable[[Path], int]:
    def count(home: Path) -> int:
        with sqlite3.connect(home / file) as db:
            return int(db.execute(query).fetchone()[0])

    return count


def _start_server_memory() -> Sequence[str]:
    package = npm("@modelcontextprotocol/server-memory", "2026.8.31")
    return [str(package.parents[1] / ".bin" / "node"), str(package / "dist" / "index.js")]


def _script(requirement: str, *words: str) -> Callable[[], Sequence[str]]:
    def start() -> Sequence[str]:
        folder = Path(python_with(requirement)).parent
        return [str(folder / words[0]), *words[1:]]

    return start


PEERS = (
    Peer(
        name="reflection-mcp",
        start=lambda: [sys.executable, "-m", "reflection_mcp.server"],
        tell=lambda text, lesson: (
            "reflect",
            {"question": "Fix it", "answer": "Done.", "error": text, "outcome": "success",
             "lesson": lesson},
        ),
        ask=lambda text: ("has_seen_error_before", {"error": text}),
        rows=_counted("store.db", "SELECT count(*) FROM reflection"),
        environment={"REFLECTION_STORE": "{home}/store.db", "REFLECTION_PROJECT": "bench",
                     "REFLECTION_EVALUATOR": "caller"},
    ),
    Peer(
        name="server-memory 2026.8.31",
        start=_start_server_memory,
        tell=lambda text, lesson: (
            "create_entities",
            {"entities": [{"name": text, "entityType": "error", "observations": [lesson]}]},
        ),
        ask=lambda text: ("search_nodes", {"query": text}),
        rows=_entities,
        environment={"MEMORY_FILE_PATH": "{home}/memory.jsonl"},
    ),
    Peer(
        name="mcp-memory-service 12.2.0",
        start=_script("mcp-memory-service==12.2.0", "memory", "server"),
        tell=lambda text, lesson: (
            "mistake_note_add",
            {"error_pattern": text, "context_signature": "shop", "incorrect_action": "retry",
             "correct_action": lesson},
        ),
        ask=lambda text: ("mistake_note_search", {"query": text, "limit": 1}),
        rows=_counted("memory.db", "SELECT count(*) FROM memories"),
        environment={"MCP_MEMORY_STORAGE_BACKEND": "sqlite_vec",
                     "MCP_MEMORY_SQLITE_PATH": "{home}/memory.db"},
    ),
    Peer(
        name="nevertwice 3.0.0, search",
        start=_script("nevertwice==3.0.0", "nevertwice-mcp"),
        tell=lambda text, lesson: (
            "memory_remember",
            {"project": "p", "type": "mistake", "title": text, "description": text,
             "prevention": lesson},
        ),
        ask=lambda text: ("memory_search", {"query": text, "project": "p", "k": 1}),
        rows=lambda home: len(list((home / ".nevertwice" / "Mistakes").glob("*.md"))),
        environment={},
    ),
    Peer(
        name="memir 0.4.0, check_failure",
        start=_script("memir==0.4.0", "memir", "mcp"),
        tell=lambda text, lesson: (
            "record_failure", {"attempt": text, "reason": "it failed", "lesson": lesson}
        ),
        ask=lambda text: ("check_failure", {"attempt": text}),
        rows=_counted(".memir/memir.db", "SELECT count(*) FROM memories"),
        environment={},
    ),
)  # fmt: skip


# --------------------------------------------------------------------------- measuring


def first_mark(text: str) -> int | None:
    """The family whose lesson comes first in an answer, None when there is none."""
    found = [(text.find(mark(family)), family) for family in range(len(FAMILIES))]
    places = [pair for pair in found if pair[0] >= 0]
    return min(places)[1] if places else None


def identity(peer: Peer, home: Path) -> dict[str, Any]:
    """What a peer answers once it has been told three forms of each error."""
    every = range(len(FAMILIES))
    cpu: list[float] = []
    for _ in range(3):  # the first start of a program compiles it
        before = os.times()
        with session(peer, home):
            pass
        after = os.times()
        cpu.append(sum(after[2:4]) - sum(before[2:4]))
    with session(peer, home) as server:
        definitions = [
            {key: tool.get(key) for key in ("name", "description", "inputSchema")}
            for tool in server.tools
        ]
        for form in range(3):
            for family in every:
                worked, said = server.call(
                    peer.tell(error(family, form), f"{mark(family)}: do this and it works.")
                )
                if not worked:
                    return {"not_run": said.splitlines()[0][:120] if said else "it refuses"}
        asked = [first_mark(server.call(peer.ask(error(family, 3)))[1]) for family in every]
        alike = [
            first_mark(server.call(peer.ask(error(family, 3, alike=True)))[1]) for family in every
        ]
        other = [first_mark(server.call(peer.ask(text))[1]) for text in UNRELATED]
    return {
        "rows": peer.rows(home),
        "recalled": sum(found == family for family, found in enumerate(asked)),
        "wrong_fix": sum(found is not None for found in alike),
        "unrelated": sum(found is not None for found in other),
        "tokens": round(len(json.dumps(definitions)) / BYTES_PER_TOKEN),
        "cpu_ms_to_list": round(min(cpu) * 1000),
    }


def lost(peer: Peer, home: Path) -> str:
    """How many writes that were acknowledged are gone after four processes wrote at once."""
    servers = [Session(peer.start(), home, peer.environment) for _ in range(PROCESSES)]
    start = threading.Barrier(PROCESSES)
    acknowledged = [0] * PROCESSES

    def work(worker: int) -> None:
        start.wait()
        for number in range(WRITES):
            name = f"module_{'abcd'[worker]}{'bcdfghjklmnpqrstvwxyzaeio'[number]}"
            text = f"ModuleNotFoundError: No module named '{name}'"
            call = peer.tell(text, f"The module {name} has to be installed first.")
            acknowledged[worker] += servers[worker].call(call)[0]

    threads = [threading.Thread(target=work, args=(worker,)) for worker in range(PROCESSES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for server in servers:
        server.end()
    total = sum(acknowledged)
    return f"{max(0, total - peer.rows(home))} of {total}"


def measure(peer: Peer) -> dict[str, Any]:
    """One row of the table."""
    with tempfile.TemporaryDirectory(prefix="peers-") as one, tempfile.TemporaryDirectory() as two:
        try:
            found = identity(peer, Path(one))
            return found if "not_run" in found else {**found, "lost": lost(peer, Path(two))}
        except (AssertionError, OSError, sqlite3.Error) as trouble:
            lines = str(trouble).strip().splitlines()
            return {"not_run": lines[-1][:120] if lines else type(trouble).__name__}


def tell_starts(rounds: int) -> None:
    """Print how soon each peer lists its tools."""
    waits: dict[str, list[float]] = {peer.name: [] for peer in PEERS}
    with tempfile.TemporaryDirectory(prefix="peers-") as folder:
        for number in range(rounds + 1):
            for peer in PEERS if number % 2 else PEERS[::-1]:
                words = peer.start()
                home = Path(folder) / str(PEERS.index(peer))
                home.mkdir(exist_ok=True)
                began = time.perf_counter()
                with_list = Session(words, home, peer.environment)
                waits[peer.name].append((time.perf_counter() - began) * 1000)
                with_list.end()
    for name, (_, *each) in waits.items():
        print(f"{name:32} list after ms: min {min(each):.0f}, median {median(each):.0f}")


def main() -> None:
    """Measure every peer, one after another, and write the result file."""
    parser = argparse.ArgumentParser(description="Other memory servers beside this one.")
    parser.add_argument("--install", action="store_true", help="install them aside: 400 MB")
    parser.add_argument("--starts", type=int, metavar="ROUNDS", help="only how soon they list")
    options = parser.parse_args()
    if not options.install:
        print("This installs four packages aside: about 400 MB, a minute or two. Pass --install.")
        return
    if options.starts:
        tell_starts(options.starts)
        return
    results: dict[str, Any] = {}
    for peer in PEERS:
        results[peer.name] = measure(peer)
        print(peer.name, json.dumps(results[peer.name]), flush=True)
    write("peers", {"families": len(FAMILIES), "unrelated": len(UNRELATED), "peers": results})


if __name__ == "__main__":
    main()
