"""A client that knows nothing of MCP but its lines: it can send what no SDK would."""

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal, Self

from tests.forked import Forked

Era = Literal["2025-11-25", "2026-07-28"]
ERAS: tuple[Era, ...] = ("2025-11-25", "2026-07-28")

ENVELOPE = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "wire", "version": "0"},
}

PATIENCE = 60.0
"""Seconds for an answer; only a failing test waits that long."""

Message = dict[str, Any]


class Silence(AssertionError):
    """No answer came."""


class Wire:
    """A server as a child process, and the lines to and from it.

    Args:
        command: the module of the server, and its arguments.
        imports: whether it does its own imports, in an interpreter of its own.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        stderr: Path,
        env: Mapping[str, str] | None = None,
        era: Era = "2025-11-25",
        pass_fds: Sequence[int] = (),
        imports: bool = False,
    ) -> None:
        self.era = era
        self._stderr = stderr
        self.last_id = 0
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        with stderr.open("wb") as talk:
            if imports:
                self.process: subprocess.Popen[bytes] | Forked = subprocess.Popen(
                    python(*command),
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=talk,
                    env=env,
                    pass_fds=pass_fds,
                )
            else:
                self.process = Forked(command, env=env, stderr=talk.fileno(), pass_fds=pass_fds)
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        with self.process.stdout:
            for line in self.process.stdout:
                self._lines.put(line)
        self._lines.put(b"")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        self._reader.join()
        with suppress(BrokenPipeError):  # what was left unsent to a dead process
            self.hang_up()

    # ----------------------------------------------------------------- lines

    def write(self, line: bytes) -> None:
        """Send raw bytes."""
        assert self.process.stdin is not None
        self.process.stdin.write(line)
        self.process.stdin.flush()

    def read(self) -> Message:
        """Return the next line from the server; every one must be a JSON-RPC message."""
        try:
            line = self._lines.get(timeout=PATIENCE)
        except queue.Empty:
            raise Silence(self.talk()) from None
        if not line:
            raise Silence(f"the server has ended:\n{self.talk()}")
        message: Message = json.loads(line)
        assert message["jsonrpc"] == "2.0"
        return message

    def talk(self) -> str:
        """What the server has said on stderr so far."""
        return self._stderr.read_text(errors="replace")

    # ----------------------------------------------------------------- messages

    def line(self, method: str, params: Message | None = None, **more: Any) -> bytes:
        """A request as bytes, with a fresh id unless one is given."""
        self.last_id += 1
        params = dict(params or {})
        if self.era == "2026-07-28":
            params["_meta"] = ENVELOPE
        message = {
            "jsonrpc": "2.0",
            "id": self.last_id,
            "method": method,
            "params": params,
            **more,
        }
        return json.dumps(message).encode() + b"\n"

    def request(self, method: str, params: Message | None = None) -> Message:
        """Send a request and return its answer, skipping notifications."""
        self.write(self.line(method, params))
        return self.answer_to(self.last_id)

    def answer_to(self, request_id: object) -> Message:
        """The answer with this id."""
        while True:
            message = self.read()
            if "method" not in message and message.get("id") == request_id:
                return message

    def call(self, tool: str, arguments: Any = None) -> Message:
        """Call a tool; returns its result."""
        answer = self.request("tools/call", {"name": tool, "arguments": arguments or {}})
        assert "result" in answer, answer
        result: Message = answer["result"]
        return result

    def greet(self) -> Message:
        """Open the connection as its era does."""
        if self.era == "2026-07-28":
            return self.request("server/discover")
        client = {"name": "wire", "version": "0"}
        hello = {"protocolVersion": self.era, "capabilities": {}, "clientInfo": client}
        answer = self.request("initialize", hello)
        self.write(b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        return answer

    # ----------------------------------------------------------------- endings

    def hang_up(self) -> None:
        """Close the server's input."""
        assert self.process.stdin is not None
        self.process.stdin.close()

    def code(self) -> int:
        """Wait for the process to end; returns its exit code."""
        return self.process.wait(PATIENCE)


def text_of(result: Message) -> str:
    """The one text block of a result."""
    (block,) = result["content"]
    text: str = block["text"]
    return text


def python(module: str, *arguments: str) -> list[str]:
    """The command that runs a module with this interpreter."""
    return [sys.executable, "-m", module, *arguments]
