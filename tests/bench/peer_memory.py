"""Writes that two stores lose: `python -m tests.bench.peer_memory DIR`.

The peer is `@modelcontextprotocol/server-memory`; `DIR` is a folder in which it was installed with
`npm install`. So many server processes share one file, and a client of each writes one record after
another and counts what was acknowledged; afterwards the file is read, and what is missing was lost.
Ours does the same through the contract of the store, one process for each client.
"""

import argparse
import asyncio
import json
import os
import subprocess
import tempfile
import threading
from pathlib import Path
from typing import IO, Any

from reflection_mcp.store.open import open_store
from tests.bench.store_bench import workers
from tests.contract.samples import HERE, learned, met

SERVER = "node_modules/@modelcontextprotocol/server-memory/dist/index.js"


class Peer:
    """One process of the peer, and a client that speaks JSON lines to it."""

    def __init__(self, folder: Path, file: Path) -> None:
        self._process = subprocess.Popen(
            ["node", str(folder / SERVER)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "MEMORY_FILE_PATH": str(file)},
        )
        self._id = 0
        client = {"name": "bench", "version": "1"}
        self.ask(
            "initialize",
            {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client},
        )
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _pipes(self) -> tuple[IO[bytes], IO[bytes]]:
        assert self._process.stdin is not None and self._process.stdout is not None
        return self._process.stdin, self._process.stdout

    def _send(self, message: dict[str, Any]) -> None:
        pipe, _ = self._pipes()
        pipe.write(json.dumps(message).encode() + b"\n")
        pipe.flush()

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        """The answer to one request."""
        self._id += 1
        self._send({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})
        while True:
            answer: dict[str, Any] = json.loads(self._pipes()[1].readline())
            if answer.get("id") == self._id:
                return answer

    def remember(self, name: str) -> bool:
        """Create one entity; whether the server said that it did."""
        entity = {"name": name, "entityType": "lesson", "observations": ["close the file first"]}
        call = {"name": "create_entities", "arguments": {"entities": [entity]}}
        answer = self.ask("tools/call", call)
        return "result" in answer and not answer["result"].get("isError")

    def end(self) -> None:
        """Close the client's side and wait."""
        self._process.communicate(timeout=10)


def theirs(folder: Path, processes: int, times: int) -> tuple[int, int]:
    """Acknowledged and kept by the peer."""
    with tempfile.TemporaryDirectory() as scratch:
        file = Path(scratch) / "memory.jsonl"
        peers = [Peer(folder, file) for _ in range(processes)]
        acknowledged: list[str] = []
        start = threading.Barrier(processes)

        def work(worker: int) -> None:
            start.wait()
            for number in range(times):
                name = f"{worker}-{number}"
                if peers[worker].remember(name):
                    acknowledged.append(name)

        threads = [threading.Thread(target=work, args=(worker,)) for worker in range(processes)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        for peer in peers:
            peer.end()
        kept: set[str] = set()
        for line in file.read_text().splitlines():
            try:
                kept.add(json.loads(line)["name"])
            except (ValueError, KeyError):  # half a line: two processes wrote at once
                continue
        return len(acknowledged), len(kept.intersection(acknowledged))


def ours(processes: int, times: int) -> tuple[int, int]:
    """Acknowledged and kept by our store."""
    with tempfile.TemporaryDirectory() as scratch:
        path = str(Path(scratch) / "store.db")

        async def write(worker: int) -> int:
            store = await open_store(path)
            for number in range(times):
                name = f"{worker}-{number}"
                await store.record(HERE, met(learned(name), name))
            await store.close()
            return times

        async def count() -> int:
            store = await open_store(path)
            stats = await store.stats(HERE)
            await store.close()
            return stats.reflections

        _, answers = workers(processes, lambda worker: str(asyncio.run(write(worker))))
        return sum(map(int, answers)), asyncio.run(count())


class Options(argparse.Namespace):
    """What was asked for."""

    folder: Path
    times: int
    rounds: int


def main() -> None:
    """Two, four and eight processes."""
    parser = argparse.ArgumentParser(description="Lost writes of two stores.")
    parser.add_argument("folder", type=Path, help="where the peer was installed")
    parser.add_argument("--times", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args(namespace=Options())
    folder = options.folder.absolute()

    def run(name: str, processes: int) -> tuple[int, int]:
        if name == "server-memory":
            return theirs(folder, processes, options.times)
        return ours(processes, options.times)

    for processes in (2, 4, 8):
        for name in ("server-memory", "reflection-mcp"):
            results = [run(name, processes) for _ in range(options.rounds)]
            lost = [f"{acked - kept} of {acked}" for acked, kept in results]
            print(f"{processes} processes  {name:<15} acknowledged and lost: {', '.join(lost)}")


if __name__ == "__main__":
    main()
