"""A front in this process, and its client in a thread."""

import json
import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import IO, Any

import anyio

from reflection_mcp.server.app import build
from reflection_mcp.server.application import Application
from reflection_mcp.server.front.front import Front
from reflection_mcp.server.front.recording import answers_of
from reflection_mcp.server.front.replies import Replies
from reflection_mcp.server.front.snapshot import Answers
from reflection_mcp.server.settings.settings import Settings
from reflection_mcp.server.transport.protocol import ReflectionServer
from reflection_mcp.server.transport.stdio import Handover
from tests.e2e.wire import ENVELOPE, Message

ANSWERS: list[Answers] = []


def new_server(**settings: Any) -> ReflectionServer[Application]:
    return build(Application(settings=Settings(store="memory:", **settings), project="shop"))


def answers() -> Answers:
    """What the SDK says, asked once."""
    if not ANSWERS:
        ANSWERS.append(anyio.run(answers_of, new_server()))
    return ANSWERS[0]


def request(number: int | str, method: str, params: Message | None = None) -> str:
    """A request of the handshake era."""
    message = {"jsonrpc": "2.0", "id": number, "method": method}
    return json.dumps(message if params is None else {**message, "params": params})


def modern(number: int | str, method: str, params: Message | None = None) -> str:
    """A request of the modern era."""
    return request(number, method, {**(params or {}), "_meta": ENVELOPE})


def notification(method: str, params: Message | None = None) -> str:
    message = {"jsonrpc": "2.0", "method": f"notifications/{method}"}
    return json.dumps(message if params is None else {**message, "params": params})


HELLO: Message = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "host", "version": "1"},
}
GREETING = request("hello", "initialize", HELLO)


def call(tool: str, **arguments: Any) -> Message:
    return {"name": tool, "arguments": arguments}


@dataclass
class Client:
    """The side of the client: it writes lines and reads lines."""

    into: IO[bytes]
    out: IO[bytes]
    heard: list[Message] = field(default_factory=list[Message])

    def say(self, *lines: str) -> None:
        self.into.write("".join(f"{line}\n" for line in lines).encode())
        self.into.flush()

    def hear(self, count: int = 1) -> list[Message]:
        """The next lines."""
        heard = [json.loads(self.out.readline()) for _ in range(count)]
        self.heard += heard
        return heard

    def hang_up(self) -> None:
        self.into.close()


Load = Callable[[], Callable[[Handover], int]]


def loaded() -> Callable[[Handover], int]:
    """The real server."""
    return new_server().serve_stdio


def refusing() -> Callable[[Handover], int]:
    """An SDK that must not load."""
    raise AssertionError("the SDK was loaded")


def conversed(
    *lines: str,
    script: Callable[[Client], None] | None = None,
    load: Load = loaded,
    hooks: Callable[[Front], Any] | None = None,
    is_lazy: bool = True,
    rehearse: Callable[[], None] = lambda: None,
) -> tuple[int, list[Message]]:
    """The exit code of a front, and all that its client heard of it.

    The client says the lines, follows the script if there is one, and hangs up.
    """
    wire_in, into = os.pipe()
    out, wire_out = os.pipe()
    front = Front(
        replies=Replies(answers()),
        wire_in=wire_in,
        wire_out=wire_out,
        load=load,
        is_lazy=lambda _: is_lazy,
        rehearse=rehearse,
    )
    failures: list[BaseException] = []
    with os.fdopen(into, "wb") as writes, os.fdopen(out, "rb") as reads:
        client = Client(writes, reads)

        def run() -> None:
            try:
                client.say(*lines)
                if script:
                    script(client)
                writes.close()
                client.heard += [json.loads(line) for line in reads]
            except BaseException as failure:
                failures.append(failure)
                writes.close()
                reads.close()

        thread = threading.Thread(target=run)
        thread.start()
        try:
            code = front.run(hooks(front) if hooks else None)
        finally:
            os.close(wire_out)
            thread.join()
            os.close(wire_in)
    if failures:
        raise failures[0]
    return code, client.heard


def ids(heard: Sequence[Message]) -> list[object]:
    return [message.get("id") for message in heard]
